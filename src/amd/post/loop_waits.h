/* What loops use of memory operations that begin before them (internal to insert_wait_states.c). */
#ifndef AMD_LOOP_WAITS_H
#define AMD_LOOP_WAITS_H

#include "amd/post/reg_range.h"

typedef struct amd_reg_set {
    uint64_t bits[AMD_TRACKED_REGS / 64];
} amd_reg_set;

/* By block: for a header of a loop, the registers that each iteration uses at once and that no
 * memory operation of the loop writes; else NULL. Linear in the code. */
const amd_reg_set *const *
amd_find_loop_waits(const ir_fn *f, arena *a);

#endif
