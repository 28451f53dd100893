/* p_bpermute: each lane reads the value of the lane whose number it has.
 *
 * In wave64, ds_bpermute_b32 of gfx10 and later reaches only lanes of the same half (RDNA 2 ISA,
 * "DS_BPERMUTE_B32"). There it is used twice, on the value and on a copy whose halves are
 * exchanged, and each lane takes one of the results. As ds_bpermute_b32 gives 0 for lanes that are
 * not active, and the exchange makes another lane the source, the copy is made and read with all
 * lanes active; it is a linear VGPR, which setup_reduce_temp allocates.
 *
 *     v_lshlrev_b32 v2, 2, v1             the lane's number as an address
 *     s_or_saveexec_b64 s[0:1], -1
 *     v_permlane64_b32 v3, v0
 *     ds_bpermute_b32 v3, v2, v3
 *     s_mov_b64 exec, s[0:1]
 *     ds_bpermute_b32 v2, v2, v0
 *     v_cmp_lt_u32 s[0:1], 31, v1
 *     s_not_b32 s1, s1                    lanes that read the other half
 *     v_cndmask_b32 v2, v2, v3, s[0:1]
 *
 * Before gfx11 the exchange goes through a VGPR that both halves share (LLVM, AMDGPUUsage,
 * SHARED_VGPR_COUNT; RDNA 2 ISA, "VGPR Allocation and Alignment"). Where ds_bpermute_b32 does not
 * exist, and where there is no room for shared VGPRs, each lane's value is read in turn and taken
 * by the lanes that request it.
 */
#include "amd/isa/codec/legal.h"
#include "amd/post/lower.h"

/* The half of a wave64; what RSRC3 counts shared VGPRs in; the VGPRs that instructions can name. */
enum { HALF = 32, SHARED_BLOCK = 8, NAMED_VGPRS = 256 };

/* ---- reading each lane ---- */

/* Writes `s` to the lanes of `result` whose `index` is `lane`: by a selection, which reads two
 * scalar registers, or with only those lanes active; then the mask saves exec before lane 1. */
static void
take_value(low_ctx *c, const ir_instr *i, ir_ref s, unsigned lane)
{
    ir_ref result = low_v(i->defs[0].reg, 1), index = low_v(i->refs[1].reg, 1);
    ir_ref mask = amd_phys(i->defs[1].reg, c->p->lane_mask);
    ir_ref exec = amd_phys(AMD_EXEC, c->p->lane_mask);
    unsigned move = c->p->wave_size == 64 ? AMD_S_MOV_B64 : AMD_S_MOV_B32;
    if (amd_bus_begin(c->p->target->gen, AMD_V_CNDMASK_B32).limit > 1) {
        amd_low_2(c, AMD_V_CMP_EQ_U32, mask, amd_const(lane), index);
        amd_low_3(c, AMD_V_CNDMASK_B32, result, result, s, mask);
        return;
    }
    if (lane == 1)
        amd_low_1(c, move, mask, exec);
    amd_low_2(c, AMD_V_CMP_EQ_U32, exec, amd_const(lane), index);
    amd_low_1(c, AMD_V_MOV_B32, result, s);
    amd_low_1(c, move, exec, mask);
}

static void
read_each_lane(low_ctx *c, const ir_instr *i)
{
    ir_ref result = low_v(i->defs[0].reg, 1), value = low_v(i->refs[0].reg, 1);
    ir_ref s = low_s(amd_low_spare_scalar(c, "no scratch register for p_bpermute"), 1);
    for (unsigned lane = 0; lane < c->p->wave_size; lane++) {
        amd_low_2(c, AMD_V_READLANE_B32, s, value, amd_const(lane));
        if (lane == 0) {
            amd_low_1(c, AMD_V_MOV_B32, result, s);
            continue;
        }
        take_value(c, i, s, lane);
    }
}

/* ---- by halves ---- */

static void
invert_exec(low_ctx *c)
{
    ir_ref exec = amd_phys(AMD_EXEC, AMD_S2);
    amd_low_1(c, AMD_S_NOT_B64, exec, exec);
}

/* Copies `value` to `to` with its halves exchanged, and saves exec in `mask`; all lanes are active
 * then. */
static void
exchange_by_shared(low_ctx *c, ir_ref to, ir_ref value, ir_ref mask)
{
    ir_ref exec = amd_phys(AMD_EXEC, AMD_S2);
    unsigned step = amd_has(c->p->target, vgpr_count_step);
    unsigned behind = (c->p->vgprs_used + step - 1) / step * step;
    ir_ref shared = low_v(AMD_PHYS(AMD_REG_VGPR0 + behind), 1);
    c->p->shared_vgprs = SHARED_BLOCK;
    amd_low_1(c, AMD_S_MOV_B64, mask, exec);
    amd_low_2(c, AMD_S_BFM_B64, exec, amd_const(HALF), amd_const(HALF)); /* the upper half */
    amd_low_1(c, AMD_V_MOV_B32, shared, value);
    invert_exec(c);
    amd_low_1(c, AMD_V_MOV_B32, to, shared);
    amd_low_1(c, AMD_V_MOV_B32, shared, value);
    invert_exec(c);
    amd_low_1(c, AMD_V_MOV_B32, to, shared);
    amd_low_1(c, AMD_S_MOV_B64, exec, amd_const64(-1));
}

static void
exchange_halves(low_ctx *c, ir_ref to, ir_ref value, ir_ref mask)
{
    if (!amd_op_exists(AMD_V_PERMLANE64_B32, c->p->target->gen)) {
        exchange_by_shared(c, to, value, mask);
        return;
    }
    ir_ref defs[] = {mask, amd_phys(AMD_EXEC, AMD_S2)};
    ir_ref all[] = {amd_const64(-1), defs[1]};
    amd_low_emit(c, AMD_S_OR_SAVEEXEC_B64, 2, defs, 2, all);
    amd_low_1(c, AMD_V_PERMLANE64_B32, to, value);
}

static void
permute_halves(low_ctx *c, const ir_instr *i)
{
    ir_ref result = low_v(i->defs[0].reg, 1), mask = amd_phys(i->defs[1].reg, AMD_S2);
    ir_ref value = low_v(i->refs[0].reg, 1), index = low_v(i->refs[1].reg, 1);
    ir_ref other = low_v(i->refs[2].reg, 1), high = low_s(mask.reg + 4, 1);
    amd_low_2(c, AMD_V_LSHLREV_B32, result, amd_const(2), index);
    exchange_halves(c, other, value, mask);
    amd_low_2(c, AMD_DS_BPERMUTE_B32, other, result, other);
    amd_low_1(c, AMD_S_MOV_B64, amd_phys(AMD_EXEC, AMD_S2), mask);
    amd_low_2(c, AMD_DS_BPERMUTE_B32, result, result, value);
    amd_low_2(c, AMD_V_CMP_LT_U32, mask, amd_const(HALF - 1), index);
    amd_low_1(c, AMD_S_NOT_B32, high, high);
    amd_low_3(c, AMD_V_CNDMASK_B32, result, result, other, mask);
}

/* May registers behind those of the wave be shared? Nothing else may be there. */
static bool
has_room(const amd_program *p)
{
    return amd_op_exists(AMD_V_PERMLANE64_B32, p->target->gen) ||
           p->vgprs_used <= NAMED_VGPRS - SHARED_BLOCK;
}

void
amd_low_bpermute(low_ctx *c, const ir_instr *i)
{
    if (i->n_refs == 3 && has_room(c->p))
        permute_halves(c, i);
    else
        read_each_lane(c, i);
}
