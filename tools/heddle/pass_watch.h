/* What the user wants to see of the passes while they run: --print-after, --print-before,
 * --print-changed, the switch disasm. All goes to standard error. And what code takes the place of
 * the shader's: shader_override.h. */
#ifndef PASS_WATCH_H
#define PASS_WATCH_H

#include "cli.h"
#include "shader_override.h"

/* Zero-initialise; PASS_WATCH_OPTIONS has the rows that fill it. */
typedef struct pass_watch {
    cli_list after, before; /* names of phases, or lists of these with commas */
    bool changed;
    char *debug; /* switches of the library */
    char *last;  /* the text before the pass that runs */
    shader_override other;
} pass_watch;

/* Rows of a command's options. */
#define PASS_WATCH_OPTIONS(w)                                                                      \
    {0,           "print-after", CLI_LIST,                                                         \
     &(w)->after, "PHASES",      "print the program after these, or after all, to standard error", \
     NULL},                                                                                        \
        {0, "print-before", CLI_LIST, &(w)->before, "PHASES", "the same before them", NULL},       \
    {                                                                                              \
        0, "print-changed", CLI_FLAG, &(w)->changed, NULL,                                         \
            "print what each phase changes, as a diff, to standard error", NULL                    \
    }

/* Sets `debug`, `trace`, `find_code` and `user` of the options; `debug` are the switches given otherwise, or
 * NULL. Returns CLI_OK, or CLI_USAGE after a message. `w` must live as long as `o`. */
int
pass_watch_begin(pass_watch *w, const char *debug, heddle_compile_options *o);

void
pass_watch_end(pass_watch *w);

/* Prints one text, as ir_pass_run.printed; `user` is not used. */
void
pass_watch_print(void *user, const char *phase, const char *text, size_t size);

#endif
