/* Reductions and scans: what lower_reduce.c and lower_swizzle.c share. */
#ifndef AMD_LOWER_REDUCE_H
#define AMD_LOWER_REDUCE_H

#include "amd/post/lower.h"

typedef struct reduction {
    low_ctx *c;
    unsigned op;   /* ir_reduction */
    unsigned bits; /* 8, 16, 32, 64 */
    unsigned regs; /* registers per value */
    /* Registers in bytes: the accumulator, the value combined with it, temporaries for 64-bit
     * products; the accumulator's source and destination in the next step. */
    unsigned acc, other, more, from, to;
    unsigned saved; /* register that saves exec */
    bool wave64;
    bool full; /* all lanes are active */
} reduction;

static inline ir_ref
low_dword(unsigned reg, unsigned k)
{
    return low_v(reg + k * 4, 1);
}

/* Computes `to` = op(other, from) in the active lanes. */
void
amd_low_combine(const reduction *r);

/* ---- lower_swizzle.c. All lanes are active before and after ---- */

/* The offset of ds_swizzle_b32 with which lane l of a half wave reads lane
 * ((l & keep) | set) ^ flip of that half (Sea Islands and GCN3 ISA, "DS_SWIZZLE_B32"). */
#define LOW_SWIZZLE(keep, set, flip) ((keep) | (set) << 5 | (flip) << 10)

/* Computes other = `from` of the lane that the offset selects. */
void
amd_low_swizzle(const reduction *r, unsigned offset);

/* One step of a scan: in the upper half of each group of 2 * distance lanes, `to` = op(`from` of
 * the last lane of the lower half, own `from`). `to` is `from` in the others. */
void
amd_low_scan_step(const reduction *r, unsigned distance);

/* Computes other = `from` of the lane below, within half waves; lanes 0 and 32 get any value. */
void
amd_low_shift_half(const reduction *r);

#endif
