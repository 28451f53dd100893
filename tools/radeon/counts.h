/* What the software Radeon tells the program that has started its process, in shared memory. */
#ifndef RADEON_COUNTS_H
#define RADEON_COUNTS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct radeon_counts {
    _Atomic uint64_t devices; /* processes that have used one */
    _Atomic uint64_t dispatches, instructions, lane_instructions;
    _Atomic uint64_t findings; /* of the checkers */
    _Atomic uint64_t faults;   /* contexts that were lost */
} radeon_counts;

#endif
