/* Optimizing machine code: many programs in one go, a range of them, figures before and after. */
#ifndef OPT_CODE_H
#define OPT_CODE_H

#include "cli.h"
#include "pass_watch.h"

typedef struct opt_code {
    const char *target, *emit;
    const char *output; /* a file; a folder for several programs; NULL: standard output */
    const char *arrays; /* registers that an index chooses; NULL: none */
    bool figures;       /* a line for each program, in place of code unless `output` is given */
    pass_watch *watch;
} opt_code;

/* Optimizes the files, which are numbered from 1. The word only=A-B of HEDDLE_DEBUG leaves those
 * outside as they are, except=A-B those inside. Returns an exit code. */
int
opt_code_run(const opt_code *o, const cli_list *files);

#endif
