/* The lines of source that a listing shows above the instructions that were made from them. */
#ifndef FAMILY_SOURCE_TEXT_H
#define FAMILY_SOURCE_TEXT_H

#include "base/map.h"
#include "base/text_lines.h"
#include "object/object.h"

/* Gives the text of a file by the name that debug info has. Returns 0 if there is none. */
typedef int
family_source_find(void *user, const char *file, const char **text, size_t *size);

typedef struct family_source {
    family_source_find *find;
    void *user;
} family_source;

typedef struct family_source_file {
    bool is_read;
    base_map by_number; /* a line's number -> its index in `lines` */
    base_text_line *lines;
} family_source_file;

typedef struct family_source_text {
    arena *arena;
    family_source source;
    const obj_code *code;
    family_source_file *files; /* as the code's */
} family_source_text;

family_source_text *
family_source_text_of(arena *a, const obj_code *code, family_source source);

/* The line of a row of the code's line table; NULL if its text is not there. */
const base_text_line *
family_source_line(family_source_text *t, const obj_line *row);

#endif
