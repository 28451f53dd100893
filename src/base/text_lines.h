/* The lines of a source text as its compiler counts them.
 *
 * Debug info contains the text that glslang preprocessed: comments with the compiler's options, a
 * "#line 1", and the user's text, in which further #line directives may renumber lines or name
 * other files. A cursor walks over the physical lines and says each one's number.
 */
#ifndef BASE_TEXT_LINES_H
#define BASE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct base_text_line {
    const char *start; /* in the text */
    size_t size;       /* without the line's end */
    uint32_t number;   /* 0: a line of another file */
} base_text_line;

/* A walk over the lines of `text`. */
typedef struct base_text_lines {
    const char *text;
    size_t size;
    const char *file; /* that the text is of; NULL: any #line that names a file is of another */
    size_t at;
    uint32_t next; /* the number of the next line; 0: it is of another file */
} base_text_lines;

base_text_lines
base_text_lines_of(const char *text, size_t size, const char *file);

/* Reads the next line. Returns false behind the last one. */
bool
base_text_next(base_text_lines *l, base_text_line *out);

/* Finds the first line that has this number. */
bool
base_text_find(base_text_lines l, uint32_t number, base_text_line *out);

#endif
