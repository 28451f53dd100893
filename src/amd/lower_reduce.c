/* Reductions and scans over the lanes of a wave, on gfx10.
 *
 * All lanes are made active and the source is copied into the accumulator, inactive lanes holding
 * the operation's identity. A reduction doubles the distance: neighbours, pairs and halves of a row
 * of 16 lanes by DPP (quad_perm, row_half_mirror, row_mirror), the rows of each half wave by
 * v_permlanex16, the halves through a scalar register. A scan adds the lane 1, 2, 4, 8 places below
 * within its row (row_shr, which leaves lanes alone whose source is outside), then the last lane of
 * the row below, then of the lower half. An exclusive scan is an inclusive one of the values moved
 * up by one lane.
 *
 * DPP controls: RDNA 2 ISA, "DPP16 controls".
 */
#include "amd/lower.h"
#include "ir/hir.h"

enum {
    DPP_QUAD_PERM_1032 = 0xb1,
    DPP_QUAD_PERM_2301 = 0x4e,
    DPP_ROW_SHR = 0x110,
    DPP_ROW_MIRROR = 0x140,
    DPP_ROW_HALF_MIRROR = 0x141,
    DPP_ALL_LANES = 0xf << AMD_DPP_ROW_MASK | 0xf << AMD_DPP_BANK_MASK,
};

typedef struct reduction {
    low_ctx *c;
    unsigned op;   /* ir_reduction */
    unsigned bits; /* 8, 16, 32, 64 */
    unsigned regs; /* of a value */
    unsigned acc, other,
        more;       /* registers in bytes: accumulator, what is combined, 64-bit products' */
    unsigned saved; /* exec */
    bool wave64;
} reduction;

/* ---- operations ---- */

typedef struct reduce_row {
    uint16_t op32, op16, op64; /* 0: made of several */
    uint64_t identity[4];      /* by bits: 8, 16, 32, 64 */
} reduce_row;

static const reduce_row rows[IR_REDUCE_COUNT] = {
    [IR_REDUCE_iadd] = {AMD_V_ADD_NC_U32, AMD_V_ADD_NC_U32, 0, {0}},
    [IR_REDUCE_fadd] = {AMD_V_ADD_F32, AMD_V_ADD_F16, AMD_V_ADD_F64, {0}},
    [IR_REDUCE_imul] = {AMD_V_MUL_LO_U32, AMD_V_MUL_LO_U32, 0, {1, 1, 1, 1}},
    [IR_REDUCE_fmul] = {AMD_V_MUL_F32,
                        AMD_V_MUL_F16,
                        AMD_V_MUL_F64,
                        {0, 0x3c00, 0x3f800000, UINT64_C(0x3ff0000000000000)}},
    [IR_REDUCE_imin] = {AMD_V_MIN_I32, AMD_V_MIN_I32, 0, {0x7f, 0x7fff, INT32_MAX, INT64_MAX}},
    [IR_REDUCE_umin] = {AMD_V_MIN_U32, AMD_V_MIN_U32, 0, {0xff, 0xffff, UINT32_MAX, UINT64_MAX}},
    [IR_REDUCE_fmin] = {AMD_V_MIN_F32,
                        AMD_V_MIN_F16,
                        AMD_V_MIN_F64,
                        {0, 0x7c00, 0x7f800000, UINT64_C(0x7ff0000000000000)}},
    [IR_REDUCE_imax] = {AMD_V_MAX_I32,
                        AMD_V_MAX_I32,
                        0,
                        {0xffffff80, 0xffff8000, 0x80000000, UINT64_C(0x8000000000000000)}},
    [IR_REDUCE_umax] = {AMD_V_MAX_U32, AMD_V_MAX_U32, 0, {0}},
    [IR_REDUCE_fmax] = {AMD_V_MAX_F32,
                        AMD_V_MAX_F16,
                        AMD_V_MAX_F64,
                        {0, 0xfc00, 0xff800000, UINT64_C(0xfff0000000000000)}},
    [IR_REDUCE_iand] = {AMD_V_AND_B32,
                        AMD_V_AND_B32,
                        0,
                        {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX}},
    [IR_REDUCE_ior] = {AMD_V_OR_B32, AMD_V_OR_B32, 0, {0}},
    [IR_REDUCE_ixor] = {AMD_V_XOR_B32, AMD_V_XOR_B32, 0, {0}},
};

static uint32_t
identity(const reduction *r, unsigned dword)
{
    unsigned column = r->bits == 8 ? 0 : r->bits == 16 ? 1 : r->bits == 32 ? 2 : 3;
    return (uint32_t)(rows[r->op].identity[column] >> (dword * 32));
}

static bool
is_bitwise(const reduction *r)
{
    return r->op == IR_REDUCE_iand || r->op == IR_REDUCE_ior || r->op == IR_REDUCE_ixor;
}

static ir_ref
vcc(const reduction *r)
{
    return amd_phys(AMD_VCC, r->c->p->lane_mask);
}

static ir_ref
dword(unsigned reg, unsigned k)
{
    return low_v(reg + k * 4, 1);
}

static void
add64(const reduction *r)
{
    ir_ref lo[] = {dword(r->acc, 0), vcc(r)}, hi[] = {dword(r->acc, 1), vcc(r)};
    low_emit(r->c, AMD_V_ADD_CO_U32, 2, lo, 2, (ir_ref[]){dword(r->other, 0), lo[0]});
    low_emit(r->c, AMD_V_ADD_CO_CI_U32, 2, hi, 3, (ir_ref[]){dword(r->other, 1), hi[0], vcc(r)});
}

static void
mul64(const reduction *r)
{
    ir_ref a0 = dword(r->acc, 0), a1 = dword(r->acc, 1), b0 = dword(r->other, 0);
    ir_ref b1 = dword(r->other, 1), t0 = dword(r->more, 0), t1 = dword(r->more, 1);
    low_2(r->c, AMD_V_MUL_LO_U32, t0, a0, b1);
    low_2(r->c, AMD_V_MUL_LO_U32, t1, a1, b0);
    low_2(r->c, AMD_V_MUL_HI_U32, a1, a0, b0);
    low_3(r->c, AMD_V_ADD3_U32, a1, a1, t0, t1);
    low_2(r->c, AMD_V_MUL_LO_U32, a0, a0, b0);
}

static void
select64(const reduction *r)
{
    unsigned cmp = r->op == IR_REDUCE_imin   ? AMD_V_CMP_LT_I64
                   : r->op == IR_REDUCE_imax ? AMD_V_CMP_GT_I64
                   : r->op == IR_REDUCE_umin ? AMD_V_CMP_LT_U64
                                             : AMD_V_CMP_GT_U64;
    low_2(r->c, cmp, vcc(r), low_v(r->other, 2), low_v(r->acc, 2));
    for (unsigned k = 0; k < 2; k++)
        low_3(r->c, AMD_V_CNDMASK_B32, dword(r->acc, k), dword(r->acc, k), dword(r->other, k),
              vcc(r));
}

static unsigned
narrow_op(const reduction *r)
{
    return r->bits == 16 ? rows[r->op].op16 : rows[r->op].op32;
}

/* acc = op(other, acc) in the active lanes. */
static void
combine(const reduction *r)
{
    const reduce_row *row = &rows[r->op];
    if (r->regs == 1) {
        ir_ref acc = dword(r->acc, 0);
        low_2(r->c, narrow_op(r), acc, dword(r->other, 0), acc);
    } else if (row->op64) {
        low_2(r->c, row->op64, low_v(r->acc, 2), low_v(r->other, 2), low_v(r->acc, 2));
    } else if (is_bitwise(r)) {
        for (unsigned k = 0; k < 2; k++)
            low_2(r->c, row->op32, dword(r->acc, k), dword(r->other, k), dword(r->acc, k));
    } else if (r->op == IR_REDUCE_iadd) {
        add64(r);
    } else if (r->op == IR_REDUCE_imul) {
        mul64(r);
    } else {
        select64(r);
    }
}

/* ---- moving between lanes ---- */

static void
set_dpp(ir_instr *i, unsigned fmt, unsigned ctrl)
{
    i->fmt = (uint8_t)(fmt | AMD_EXT_DPP16 << 5);
    i->words[1] = ctrl | DPP_ALL_LANES;
}

static void
load_identity(const reduction *r, unsigned reg)
{
    for (unsigned k = 0; k < r->regs; k++)
        low_load_const(r->c, reg + k * 4, identity(r, k));
}

/* other = acc of the lane that `ctrl` names; lanes without one keep the identity if `partial`. */
static void
move_dpp(const reduction *r, unsigned ctrl, bool partial)
{
    if (partial)
        load_identity(r, r->other);
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref to = dword(r->other, k), from = dword(r->acc, k);
        set_dpp(low_emit(r->c, AMD_V_MOV_B32, 1, &to, 1, &from), AMD_VOP1, ctrl);
    }
}

/* acc = op(acc of the lane that `ctrl` names, acc); by DPP of the operation itself where it has
 * that. */
static void
combine_dpp(const reduction *r, unsigned ctrl, bool partial)
{
    unsigned op = narrow_op(r);
    const amd_op_info *row = amd_op_row((amd_op)op);
    if (r->regs > 1 || !(row->flags & AMD_F_DPP)) {
        move_dpp(r, ctrl, partial);
        combine(r);
        return;
    }
    ir_ref acc = dword(r->acc, 0);
    set_dpp(low_emit(r->c, op, 1, &acc, 2, (ir_ref[]){acc, acc}), row->fmt, ctrl);
}

/* other = acc of lane `lane` (0 or 15, written 4 bits a lane) of the other row of the half wave. */
static void
permlane_x16(const reduction *r, uint32_t lanes)
{
    for (unsigned k = 0; k < r->regs; k++)
        low_3(r->c, AMD_V_PERMLANEX16_B32, dword(r->other, k), dword(r->acc, k), amd_const(lanes),
              amd_const(lanes));
}

/* acc = op(acc of lane `lane`, acc) in the active lanes. */
static void
combine_lane(const reduction *r, unsigned lane)
{
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref s = low_s(AMD_VCC, 1), acc = dword(r->acc, k);
        low_2(r->c, AMD_V_READLANE_B32, s, acc, amd_const(lane));
        if (r->regs == 1 || is_bitwise(r))
            low_2(r->c, narrow_op(r), acc, s, acc);
        else
            low_1(r->c, AMD_V_MOV_B32, dword(r->other, k), s);
    }
    if (r->regs > 1 && !is_bitwise(r))
        combine(r);
}

/* ---- exec ---- */

static ir_ref
exec(const reduction *r)
{
    return amd_phys(AMD_EXEC, r->c->p->lane_mask);
}

static unsigned
mask_move(const reduction *r)
{
    return r->wave64 ? AMD_S_MOV_B64 : AMD_S_MOV_B32;
}

/* Lanes 16 to 31 of each half of the wave. */
static void
odd_rows(const reduction *r)
{
    for (unsigned half = 0; half <= r->wave64; half++)
        low_2(r->c, AMD_S_BFM_B32, low_s(AMD_EXEC + half * 4, 1), amd_const(16), amd_const(16));
}

static void
upper_half(const reduction *r)
{
    low_2(r->c, AMD_S_BFM_B64, low_s(AMD_EXEC, 2), amd_const(32), amd_const(32));
}

static void
restore_lanes(const reduction *r)
{
    low_1(r->c, mask_move(r), exec(r), amd_phys(r->saved, r->c->p->lane_mask));
}

/* acc = source in active lanes, identity in the others; all lanes are active afterwards. Narrow
 * integers are extended where the operation compares. */
static void
begin(const reduction *r, ir_ref src)
{
    bool is_signed = r->op == IR_REDUCE_imin || r->op == IR_REDUCE_imax;
    bool compares = is_signed || r->op == IR_REDUCE_umin || r->op == IR_REDUCE_umax;
    ir_ref saved = amd_phys(r->saved, r->c->p->lane_mask);
    unsigned op = r->wave64 ? AMD_S_OR_SAVEEXEC_B64 : AMD_S_OR_SAVEEXEC_B32;
    ir_ref all = r->wave64 ? amd_const64(-1) : amd_const(UINT32_MAX);
    low_emit(r->c, op, 2, (ir_ref[]){saved, exec(r)}, 2, (ir_ref[]){all, exec(r)});
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref from = dword(src.reg, k), acc = dword(r->acc, k);
        if (compares && r->bits < 32) {
            low_3(r->c, is_signed ? AMD_V_BFE_I32 : AMD_V_BFE_U32, acc, from, amd_const(0),
                  amd_const(r->bits));
            from = acc;
        }
        low_3(r->c, AMD_V_CNDMASK_B32, acc, amd_const(identity(r, k)), from, saved);
    }
}

/* ---- the algorithms ---- */

/* Each lane gets the result of its cluster; for the whole wave64 only lanes of the upper half do.
 */
static void
reduce(const reduction *r, unsigned cluster)
{
    static const uint16_t controls[] = {DPP_QUAD_PERM_1032, DPP_QUAD_PERM_2301, DPP_ROW_HALF_MIRROR,
                                        DPP_ROW_MIRROR};
    for (unsigned k = 0; k < 4 && cluster >= 2u << k; k++)
        combine_dpp(r, controls[k], false);
    if (cluster >= 32) {
        permlane_x16(r, 0);
        combine(r);
    }
    if (cluster >= 64) {
        combine_lane(r, 0);
    }
}

static void
scan(const reduction *r)
{
    for (unsigned distance = 1; distance < 16; distance *= 2)
        combine_dpp(r, DPP_ROW_SHR + distance, true);
    permlane_x16(r, UINT32_MAX);
    odd_rows(r);
    combine(r);
    if (!r->wave64)
        return;
    upper_half(r);
    combine_lane(r, 31);
}

/* Moves all values up by one lane: within rows by DPP, from row to row through a scalar register.
 */
static void
shift_up(reduction *r)
{
    unsigned lanes = r->wave64 ? 64 : 32;
    move_dpp(r, DPP_ROW_SHR + 1, true);
    for (unsigned k = 0; k < r->regs; k++) {
        for (unsigned lane = 16; lane < lanes; lane += 16) {
            ir_ref s = low_s(AMD_VCC, 1), to = dword(r->other, k);
            low_2(r->c, AMD_V_READLANE_B32, s, dword(r->acc, k), amd_const(lane - 1));
            low_3(r->c, AMD_V_WRITELANE_B32, to, s, amd_const(lane), to);
        }
    }
    unsigned acc = r->acc;
    r->acc = r->other;
    r->other = acc;
}

/* The accumulator as the result: of lane `lane` in all lanes, or each lane's own if `lane` is -1.
 */
static void
finish(const reduction *r, ir_ref def, int lane)
{
    restore_lanes(r);
    for (unsigned k = 0; k < r->regs; k++) {
        bool vgpr = amd_rc_is_vgpr(def.rc);
        ir_ref to = vgpr ? dword(def.reg, k) : low_s(def.reg + k * 4, 1), s = low_s(AMD_VCC, 1);
        if (vgpr && lane < 0) {
            low_1(r->c, AMD_V_MOV_B32, to, dword(r->acc, k));
            continue;
        }
        low_2(r->c, AMD_V_READLANE_B32, vgpr ? s : to, dword(r->acc, k),
              amd_const(lane < 0 ? 0 : (uint32_t)lane));
        if (vgpr)
            low_1(r->c, AMD_V_MOV_B32, to, s);
    }
}

void
low_reduce(low_ctx *c, const ir_instr *i)
{
    unsigned wave = c->p->wave_size, cluster = i->words[1];
    reduction r = {.c = c, .op = i->words[0], .bits = i->words[2], .wave64 = wave == 64};
    cluster = cluster == 0 || cluster > wave ? wave : cluster;
    r.regs = r.bits == 64 ? 2 : 1;
    r.acc = i->refs[1].reg;
    r.other = r.acc + r.regs * 4;
    r.more = r.other + r.regs * 4;
    r.saved = i->defs[1].reg;
    begin(&r, i->refs[0]);
    if (i->op == AMD_P_REDUCE) {
        reduce(&r, cluster);
        finish(&r, i->defs[0], cluster == 64 ? 63 : -1);
        return;
    }
    if (i->op == AMD_P_EXCLUSIVE_SCAN)
        shift_up(&r);
    scan(&r);
    finish(&r, i->defs[0], -1);
}

/* wave64: ds_bpermute_b32 reaches only the half that a lane is in (RDNA 2 ISA, "DS_BPERMUTE_B32"),
 * so each lane's value is read and taken by those that ask for it. */
void
low_bpermute(low_ctx *c, const ir_instr *i)
{
    ir_ref result = low_v(i->defs[0].reg, 1), value = low_v(i->refs[0].reg, 1);
    ir_ref index = low_v(i->refs[1].reg, 1), mask = amd_phys(i->defs[1].reg, c->p->lane_mask);
    bool m0_live = (c->live & LOW_M0) != 0;
    if (m0_live && (c->live & LOW_VCC))
        diag_fail(c->f->ctx->diag, ERR_INTERNAL, "no scratch register for p_bpermute");
    ir_ref s = low_s(m0_live ? AMD_VCC : AMD_M0, 1);
    for (unsigned lane = 0; lane < c->p->wave_size; lane++) {
        low_2(c, AMD_V_READLANE_B32, s, value, amd_const(lane));
        if (lane == 0) {
            low_1(c, AMD_V_MOV_B32, result, s);
            continue;
        }
        low_2(c, AMD_V_CMP_EQ_U32, mask, amd_const(lane), index);
        low_3(c, AMD_V_CNDMASK_B32, result, result, s, mask);
    }
}
