/* The registers that the walks after allocation track: the scalar codes, then VGPRs. AGPRs hold
 * spilled values alone, which nothing but a move reads or writes. */
#ifndef AMD_REG_RANGE_H
#define AMD_REG_RANGE_H

#include "amd/amd.h"

enum { AMD_TRACKED_SCALARS = 128, AMD_TRACKED_REGS = AMD_TRACKED_SCALARS + 256 };

typedef struct amd_reg_range {
    unsigned first, count; /* count 0: nothing that is tracked (a constant, scc) */
} amd_reg_range;

static inline amd_reg_range
amd_range_of(ir_ref r)
{
    bool is_reg = r.kind == IR_REF_VALUE || (r.kind == IR_REF_NONE && (r.flags & IR_FIXED));
    if (!is_reg || r.reg == IR_REG_NONE)
        return (amd_reg_range){0, 0};
    unsigned code = r.reg / 4, last = (r.reg + amd_rc_bytes(r.rc) + 3u) / 4;
    if (code >= AMD_REG_AGPR0)
        return (amd_reg_range){0, 0};
    if (code >= AMD_REG_VGPR0)
        return (amd_reg_range){code - AMD_REG_VGPR0 + AMD_TRACKED_SCALARS, last - code};
    if (code >= AMD_TRACKED_SCALARS)
        return (amd_reg_range){0, 0};
    return (amd_reg_range){code, last - code};
}

#endif
