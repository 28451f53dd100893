/* Prints what a watched run counted (--counts): instructions by class, and the time that the
 * machine model makes of them. */
#ifndef RUN_COUNTS_H
#define RUN_COUNTS_H

#include "families/families.h"

#include <stdio.h>

typedef struct run_counts {
    const mach_watch *watch;
    const family_emulator *emulator; /* whose classes and units are counted */
    const char *file, *target;
    const char *kernel; /* NULL: a script */
} run_counts;

/* Prints a table, or a JSON object on one line if `format` is "json". */
void
run_counts_print(const run_counts *c, const char *format, FILE *to);

#endif
