/* What the software Radeon tells the program that has started its process, in shared memory. */
#ifndef RADEON_COUNTS_H
#define RADEON_COUNTS_H

#include "machine/watch.h"

#include <stdatomic.h>

/* The numbers of a mach_watch that are sums: its counts, then its time, all of 64 bits. */
enum { RADEON_CLASS_SUMS = sizeof(mach_class_count) / 8 * MACH_MAX_CLASSES };
enum { RADEON_SUMS = RADEON_CLASS_SUMS + sizeof(mach_time) / 8 };

typedef struct radeon_counts {
    _Atomic uint64_t devices; /* processes that have used one */
    _Atomic uint64_t dispatches, instructions, lane_instructions;
    _Atomic uint64_t findings; /* of the checkers */
    _Atomic uint64_t faults;   /* contexts that were lost */
    /* If they are asked for, of the application's pipelines; and of the driver's own shaders. */
    _Atomic uint64_t sums[2][RADEON_SUMS];
} radeon_counts;

#endif
