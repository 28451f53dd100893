/* Files that an assembly text includes, and symbols that options define for it. */
#ifndef INCLUDED_H
#define INCLUDED_H

#include "cli.h"

/* What was read, in a list; zeroed at first. */
typedef struct included {
    const char *path;      /* of the text: files are looked for beside it */
    const cli_list *paths; /* -I; may be NULL */
    struct included_file *files;
    heddle_asm_symbol *symbols;
} included;

/* Sets the reading of files in `options`, with `in` behind it. */
void
included_set(included *in, heddle_asm_options *options);

/* Sets the symbols in `options`: NAME=NUMBER each. False, with a message, if one is no such. */
bool
included_define(included *in, const cli_list *definitions, heddle_asm_options *options);

/* Frees what was read. */
void
included_release(included *in);

#endif
