/* Texts of source files, for messages and listings: of the input itself, from the debug info of its
 * module, or from the file that debug info names. */
#ifndef SOURCE_H
#define SOURCE_H

#include "cli.h"

typedef struct source {
    const char *path; /* of the input; may be NULL */
    const char *text; /* of the input, if it is text; else NULL */
    size_t size;
    const uint32_t *words; /* the module; NULL: none */
    size_t n_words;
    cli_list kept; /* malloc'd texts */
} source;

/* Finds the text of a file, as heddle_asm_options.source; `user` is a source. The text is valid
 * until source_free. Returns 1, or 0 if there is none. */
int
source_find(void *user, const char *file, const char **text, size_t *size);

void
source_free(source *s);

#endif
