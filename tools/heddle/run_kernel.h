/* heddle run on kernels: code objects of the AMDHSA ABI, and assembly that makes one. */
#ifndef RUN_KERNEL_H
#define RUN_KERNEL_H

#include "cli.h"
#include "kernel_watch.h"

typedef struct kernel_options {
    const char *target; /* of assembly that does not name it; NULL: it does */
    unsigned wave_size; /* of assembly: 32, 64, or 0: as it says */
    const char *kernel; /* its name; NULL: the only one */
    bool list;          /* tell what kernels there are and run none */
    cli_list args, outs, expects, prints;
    const char *grid, *groups, *group, *offset; /* "X,Y,Z"; NULL: default */
    unsigned scratch;                           /* bytes a lane, at least */
    unsigned limit; /* instructions of a wave, in millions; 0: default */
    watch_options watch;
    uint32_t checks;
    unsigned threads; /* 0: as many as the host has */
    unsigned seed;
} kernel_options;

/* Is this an input that run_kernels takes? By its first bytes or its name. */
bool
run_is_kernel(const char *path);

/* Was any option given that only kernels have? */
bool
run_has_kernel_options(const kernel_options *o);

/* Runs each file, prints a line each and the totals; gives the exit code. */
int
run_kernels(const kernel_options *o, const cli_list *files);

#endif
