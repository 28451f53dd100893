/* Messages of a compile, with the lines of source that they are about.
 *
 * Diagnostics of one call are kept until it has ended. An error that names no line may then be told
 * again, by a compile of the same text with debug info: its line is added to the first message.
 * Below a message stands the line of the source, from the file that was read, from the module's
 * debug info, or from the file that debug info names, with a caret.
 */
#ifndef TOLD_H
#define TOLD_H

#include "source.h"

/* A diagnostic, in malloc'd memory. */
typedef struct told_note {
    char *text, *name, *file, *message, *place;
    heddle_result result;
    uint32_t line, column;
} told_note;

typedef struct told {
    bool is_held; /* in a call */
    source source;
    told_note *notes;
    size_t n_notes;
    bool is_second; /* the second compile, whose diagnostics only add lines */
} told;

/* The context's function for diagnostics; `user` is a told. Outside of a call it prints at once. */
void
told_receive(void *user, const heddle_diagnostic *d);

/* Begins a call whose messages are about `from`, of which told_end frees what is found. */
void
told_begin(told *t, const source *from);

/* Returns true if the call has told an error without a line. Further diagnostics add theirs. */
bool
told_lacks_line(told *t);

/* Ends a call: prints everything. */
void
told_end(told *t);

#endif
