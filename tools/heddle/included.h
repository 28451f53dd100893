/* Files that an assembly text includes, and symbols that options define for it. */
#ifndef INCLUDED_H
#define INCLUDED_H

#include "cli.h"

/* The list of files read; zeroed initially. */
typedef struct included {
    const char *path;      /* path of the text: its folder is searched too */
    const cli_list *paths; /* -I; may be NULL */
    struct included_file *files;
    heddle_asm_symbol *symbols;
} included;

/* Sets the include callback in `options`, with `in` as its data. */
void
included_set(included *in, heddle_asm_options *options);

/* Sets the symbols in `options` from NAME=NUMBER definitions. Returns false, after a message, if
 * one is malformed. */
bool
included_define(included *in, const cli_list *definitions, heddle_asm_options *options);

/* Frees the files read. */
void
included_release(included *in);

#endif
