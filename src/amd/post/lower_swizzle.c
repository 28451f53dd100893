/* Reductions and scans without DPP: lanes read other lanes by ds_swizzle_b32.
 *
 * ds_swizzle_b32 reads 0 from inactive lanes, so it runs with all lanes active, and what follows
 * writes some of them. A scan's step at distance d has 2d lanes to a group; the last lane of each
 * lower half, which has the scan of its half, is combined with every lane of the upper half:
 *
 *     distance 1: 0 01 2 23 4 45 6 67  ->  2: 0 01 012 0123 4 45 456 4567  ->  ...
 *
 * A shift by one lane takes the lane below in three ways: within groups of four, whose first lanes
 * are written again; the first lane of each odd group of 4, 8, 16 lanes takes the last of the even
 * group.
 */
#include "amd/post/lower_reduce.h"

enum { HALF = 32, QUADS = 1 << 15 }; /* QUADS: bits 7:0 name a lane of the quad for each lane */

/* The mask of half a wave that has the lanes of `lane % group` from `first` to `end`. */
static uint32_t
some_lanes(unsigned group, unsigned first, unsigned end)
{
    uint32_t mask = 0;
    for (unsigned l = 0; l < HALF; l++)
        mask |= (uint32_t)(l % group >= first && l % group < end) << l;
    return mask;
}

static void
activate(const reduction *r, uint32_t half_mask)
{
    low_ctx *c = r->c;
    amd_low_1(c, AMD_S_MOV_B32, low_s(AMD_EXEC, 1), amd_const(half_mask));
    if (r->wave64)
        amd_low_1(c, AMD_S_MOV_B32, low_s(AMD_EXEC + 4, 1), low_s(AMD_EXEC, 1));
}

static void
activate_all(const reduction *r)
{
    if (r->wave64)
        amd_low_1(r->c, AMD_S_MOV_B64, low_s(AMD_EXEC, 2), amd_const64(-1));
    else
        amd_low_1(r->c, AMD_S_MOV_B32, low_s(AMD_EXEC, 1), amd_const(UINT32_MAX));
}

static void
swizzle_to(const reduction *r, unsigned reg, unsigned offset)
{
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref to = low_dword(reg, k), from = low_dword(r->from, k);
        ir_words(amd_low_emit(r->c, AMD_DS_SWIZZLE_B32, 1, &to, 1, &from))[0] = offset;
    }
}

void
amd_low_swizzle(const reduction *r, unsigned offset)
{
    swizzle_to(r, r->other, offset);
}

void
amd_low_scan_step(const reduction *r, unsigned distance)
{
    unsigned group = distance * 2;
    amd_low_swizzle(r, LOW_SWIZZLE(HALF - group, distance - 1, 0));
    activate(r, some_lanes(group, distance, group));
    amd_low_combine(r);
    activate_all(r);
}

void
amd_low_shift_half(const reduction *r)
{
    enum { LANES_0_0_1_2 = 0 | 0 << 2 | 1 << 4 | 2 << 6 };
    amd_low_swizzle(r, QUADS | LANES_0_0_1_2);
    for (unsigned distance = 4; distance < HALF; distance *= 2) {
        unsigned group = distance * 2;
        swizzle_to(r, r->more, LOW_SWIZZLE(HALF - group, distance - 1, 0));
        activate(r, some_lanes(group, distance, distance + 1));
        for (unsigned k = 0; k < r->regs; k++)
            amd_low_1(r->c, AMD_V_MOV_B32, low_dword(r->other, k), low_dword(r->more, k));
        activate_all(r);
    }
}
