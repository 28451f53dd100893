/* heddle run on kernels: code objects of the AMDHSA ABI, and assembly that produces one. */
#ifndef RUN_KERNEL_H
#define RUN_KERNEL_H

#include "cli.h"
#include "kernel_watch.h"
#include "run_check.h"

typedef struct kernel_options {
    const char *lang;   /* "amber", "asm", "elf"; NULL: as contents and name say */
    const char *target; /* for assembly that does not name it; NULL: it does */
    unsigned wave_size; /* for assembly; 0: as stated in the text */
    const char *kernel; /* its name; NULL: the only one */
    bool list;          /* list the kernels without running one */
    cli_list args, outs, expects, prints;
    const char *grid, *groups, *group, *offset; /* "X,Y,Z"; NULL: default */
    unsigned scratch;                           /* minimum bytes per lane */
    unsigned limit;                             /* instructions per wave, in millions; 0: default */
    watch_options watch;
    run_checks checks;
    uint32_t findings; /* the maximum to list */
    unsigned threads;  /* 0: as many as the host has */
    unsigned seed;
} kernel_options;

/* Returns true if run_kernels takes this input: as `lang` says, else by its first bytes or name. */
bool
run_is_kernel(const kernel_options *o, const char *path);

/* Returns true if an option was given that applies only to kernels. */
bool
run_has_kernel_options(const kernel_options *o);

/* Runs each file and prints a line for each, and the totals. Returns the exit code. */
int
run_kernels(const kernel_options *o, const cli_list *files);

#endif
