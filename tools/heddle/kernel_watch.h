/* The options --trace, --dump-regs, --dump-memory and --counts of heddle run. */
#ifndef KERNEL_WATCH_H
#define KERNEL_WATCH_H

#include "family/family.h"

#include <stdio.h>

typedef struct watch_options {
    const char *trace; /* file, or - for standard output; NULL: no trace */
    const char *only;  /* filter: group=X,Y,Z and so on; NULL: everything */
    bool dump_regs, dump_memory;
    const char *dump_at; /* "end", "finding" or an address; NULL: end */
    const char *dump_to; /* file; NULL: standard output */
    const char *counts;  /* "text" or "json"; NULL: none */
} watch_options;

typedef struct kernel_watch {
    mach_watch watch;
    FILE *trace, *dump;
} kernel_watch;

/* Returns true if any of the options is given. */
bool
kernel_watch_wanted(const watch_options *o);

/* Reads the options and opens the files; +N is relative to address `entry`. On failure returns
 * false and a message. */
bool
kernel_watch_open(kernel_watch *k, const watch_options *o, uint64_t entry, const char **message);

/* Closes the files. Returns false if one could not be written. */
bool
kernel_watch_close(kernel_watch *k);

#endif
