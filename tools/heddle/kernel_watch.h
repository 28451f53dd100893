/* heddle run's --trace, --dump-regs, --dump-memory and --counts. */
#ifndef KERNEL_WATCH_H
#define KERNEL_WATCH_H

#include "amd/emu/watch.h"

#include <stdio.h>

typedef struct watch_options {
    const char *trace; /* file, or - for standard output; NULL: no trace */
    const char *only;  /* what of it: group=X,Y,Z and so on; NULL: all */
    bool dump_regs, dump_memory;
    const char *dump_at; /* "end", "finding" or an address; NULL: end */
    const char *dump_to; /* file; NULL: standard output */
    const char *counts;  /* "text" or "json"; NULL: none */
} watch_options;

typedef struct kernel_watch {
    amd_emu_watch watch;
    FILE *trace, *dump;
} kernel_watch;

/* Is anything asked for? */
bool
kernel_watch_wanted(const watch_options *o);

/* Reads the options and opens the files; `entry` is the address that +N is relative to. False with a
 * message. */
bool
kernel_watch_open(kernel_watch *k, const watch_options *o, uint64_t entry, const char **message);

/* Closes the files; false if one could not be written. */
bool
kernel_watch_close(kernel_watch *k);

/* Prints the counts to standard output. */
void
kernel_watch_print(const kernel_watch *k, const watch_options *o, const amd_emu_report *report,
                   const char *path, const char *kernel, const char *target);

#endif
