/* Reductions and scans over the lanes of a wave.
 *
 * All lanes are made active, and the source is copied into the accumulator, with the operation's
 * identity in inactive lanes; neither is needed if all lanes are known to be active. A reduction
 * doubles the distance in each step: neighbours, pairs and halves of a row of 16 lanes by DPP
 * (quad_perm, row_half_mirror, row_mirror), the rows of each half wave by v_permlanex16, the halves
 * through a scalar register. Before gfx10 row_bcast:15, which gives the last lane of a row to the
 * next row, replaces v_permlanex16 where only odd rows matter, and ds_swizzle where both do. A scan
 * adds the lane 1, 2, 4, 8 places below within its row (row_shr, which does not change lanes whose
 * source is outside), then the last lane of the row below, then that of the lower half. An
 * exclusive scan is an inclusive scan of the values shifted up by one lane or, if the operation has
 * an inverse, the inclusive scan with the lane's own value removed. lower_swizzle.c has the steps
 * for targets without DPP.
 *
 * DPP controls: RDNA 2 ISA, "DPP16 controls"; Vega ISA, "DPP_CTRL".
 */
#include "amd/post/lower_reduce.h"
#include "amd/isa/codec/legal.h"
#include "ir/hir.h"

enum {
    DPP_QUAD_PERM_0123 = 0xe4,
    DPP_QUAD_PERM_1032 = 0xb1,
    DPP_QUAD_PERM_2301 = 0x4e,
    DPP_ROW_SHR = 0x110,
    DPP_ROW_MIRROR = 0x140,
    DPP_ROW_HALF_MIRROR = 0x141,
    DPP_ROW_BCAST_15 = 0x142,
    DPP_ALL_LANES = 0xf << AMD_DPP_ROW_MASK | 0xf << AMD_DPP_BANK_MASK,
    DPP_ODD_ROWS = 0xa << AMD_DPP_ROW_MASK | 0xf << AMD_DPP_BANK_MASK,
    DPP_OR_ZERO = 1 << AMD_DPP_BOUND_CTRL, /* a source outside the row reads 0 */
    DPP_INACTIVE = 1 << AMD_DPP_FI,        /* inactive lanes are read too */
};

/* ---- operations ---- */

typedef struct reduce_row {
    uint16_t op32, op16, op64; /* 8- and 16-bit values use op16; 0: needs several instructions */
    uint64_t identity[4];      /* by bits: 8, 16, 32, 64 */
} reduce_row;

static const reduce_row rows[IR_REDUCE_COUNT] = {
    [IR_REDUCE_iadd] = {AMD_V_ADD_NC_U32, AMD_V_ADD_NC_U32, 0, {0}},
    [IR_REDUCE_fadd] = {AMD_V_ADD_F32, AMD_V_ADD_F16, AMD_V_ADD_F64, {0}},
    [IR_REDUCE_imul] = {AMD_V_MUL_LO_U32, AMD_V_MUL_U32_U24, 0, {1, 1, 1, 1}},
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

/* ---- combining. to = op(other, from) in the active lanes ---- */

static bool
has_op(const reduction *r, unsigned op)
{
    return amd_op_exists((amd_op)op, r->c->p->target->gen);
}

/* Additions without a carry are replaced by those with one where they do not exist. */
static unsigned
narrow_op(const reduction *r)
{
    unsigned op = r->bits < 32 ? rows[r->op].op16 : rows[r->op].op32;
    return op == AMD_V_ADD_NC_U32 && !has_op(r, op) ? AMD_V_ADD_CO_U32 : op;
}

static bool
has_carry(unsigned op)
{
    return op == AMD_V_ADD_CO_U32 || op == AMD_V_SUB_CO_U32;
}

/* Computes `to` = op(a, b), one dword. */
static ir_instr *
compute(const reduction *r, unsigned op, ir_ref to, ir_ref a, ir_ref b)
{
    ir_ref defs[] = {to, vcc(r)}, refs[] = {a, b};
    return amd_low_emit(r->c, op, has_carry(op) ? 2 : 1, defs, 2, refs);
}

static void
set_dpp(ir_instr *i, unsigned fmt, unsigned word)
{
    i->form = amd_form(fmt, AMD_EXT_DPP16);
    ir_words(i)[1] = word;
}

static void
add_high(const reduction *r, ir_ref a, unsigned dpp)
{
    ir_ref defs[] = {low_dword(r->to, 1), vcc(r)};
    ir_instr *i = amd_low_emit(r->c, AMD_V_ADD_CO_CI_U32, 2, defs, 3,
                               (ir_ref[]){a, low_dword(r->from, 1), vcc(r)});
    if (dpp)
        set_dpp(i, AMD_VOP2, dpp);
}

static void
add64(const reduction *r)
{
    ir_ref lo[] = {low_dword(r->to, 0), vcc(r)};
    amd_low_emit(r->c, AMD_V_ADD_CO_U32, 2, lo, 2,
                 (ir_ref[]){low_dword(r->other, 0), low_dword(r->from, 0)});
    add_high(r, low_dword(r->other, 1), 0);
}

static void
mul64(const reduction *r)
{
    ir_ref a0 = low_dword(r->from, 0), a1 = low_dword(r->from, 1), b0 = low_dword(r->other, 0);
    ir_ref b1 = low_dword(r->other, 1), t0 = low_dword(r->more, 0), t1 = low_dword(r->more, 1);
    amd_low_2(r->c, AMD_V_MUL_LO_U32, t0, a0, b1);
    amd_low_2(r->c, AMD_V_MUL_LO_U32, t1, a1, b0);
    amd_low_2(r->c, AMD_V_MUL_HI_U32, b1, a0, b0);
    amd_low_2(r->c, AMD_V_MUL_LO_U32, low_dword(r->to, 0), a0, b0);
    if (has_op(r, AMD_V_ADD3_U32)) {
        amd_low_3(r->c, AMD_V_ADD3_U32, low_dword(r->to, 1), b1, t0, t1);
        return;
    }
    compute(r, AMD_V_ADD_CO_U32, t0, t0, t1);
    compute(r, AMD_V_ADD_CO_U32, low_dword(r->to, 1), b1, t0);
}

static void
select64(const reduction *r)
{
    unsigned cmp = r->op == IR_REDUCE_imin   ? AMD_V_CMP_LT_I64
                   : r->op == IR_REDUCE_imax ? AMD_V_CMP_GT_I64
                   : r->op == IR_REDUCE_umin ? AMD_V_CMP_LT_U64
                                             : AMD_V_CMP_GT_U64;
    amd_low_2(r->c, cmp, vcc(r), low_v(r->other, 2), low_v(r->from, 2));
    for (unsigned k = 0; k < 2; k++)
        amd_low_3(r->c, AMD_V_CNDMASK_B32, low_dword(r->to, k), low_dword(r->from, k),
                  low_dword(r->other, k), vcc(r));
}

/* Is each dword combined by an independent operation? */
static bool
is_by_dword(const reduction *r)
{
    return r->regs == 1 || is_bitwise(r);
}

void
amd_low_combine(const reduction *r)
{
    const reduce_row *row = &rows[r->op];
    if (is_by_dword(r)) {
        for (unsigned k = 0; k < r->regs; k++)
            compute(r, narrow_op(r), low_dword(r->to, k), low_dword(r->other, k),
                    low_dword(r->from, k));
    } else if (row->op64) {
        amd_low_2(r->c, row->op64, low_v(r->to, 2), low_v(r->other, 2), low_v(r->from, 2));
    } else if (r->op == IR_REDUCE_iadd) {
        add64(r);
    } else if (r->op == IR_REDUCE_imul) {
        mul64(r);
    } else {
        select64(r);
    }
}

/* ---- moving between lanes ---- */

static bool
has_dpp(const reduction *r)
{
    if (!is_by_dword(r) || !amd_has(r->c->p->target, has_dpp))
        return false;
    amd_op op = (amd_op)narrow_op(r);
    return amd_op_row(op)->flags & AMD_F_DPP && amd_op_has_e32(op, r->c->p->target->gen);
}

/* Computes `to` = op(`from` of another lane, own `from`) if the operation itself accepts DPP. */
static void
combine_fused(const reduction *r, unsigned source, unsigned dpp)
{
    const amd_op_info *row = amd_op_row((amd_op)narrow_op(r));
    for (unsigned k = 0; k < r->regs; k++) {
        ir_instr *i = compute(r, narrow_op(r), low_dword(r->to, k), low_dword(source, k),
                              low_dword(r->from, k));
        set_dpp(i, row->fmt, dpp);
    }
}

/* Computes other = `from` of the lane that `dpp` selects; lanes without a source get the identity
 * if `partial`. */
static void
move_dpp(const reduction *r, unsigned dpp, bool partial)
{
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref to = low_dword(r->other, k), from = low_dword(r->from, k);
        bool zero = identity(r, k) == 0;
        if (partial && !zero)
            amd_low_load_const(r->c, to.reg, identity(r, k));
        set_dpp(amd_low_emit(r->c, AMD_V_MOV_B32, 1, &to, 1, &from), AMD_VOP1,
                dpp | (partial && zero ? DPP_OR_ZERO : 0));
    }
}

/* Computes `to` = op(`from` of the lane that `ctrl` selects, own `from`). Lanes without a source
 * lane (`partial`) keep `to`, which must be `from`, or combine with 0, their identity. */
static void
combine_dpp(const reduction *r, unsigned ctrl, bool partial)
{
    unsigned dpp = ctrl | DPP_ALL_LANES | (partial && identity(r, 0) == 0 ? DPP_OR_ZERO : 0);
    if (has_dpp(r)) {
        combine_fused(r, r->from, dpp);
    } else if (r->op == IR_REDUCE_iadd) { /* 64 bits */
        ir_ref lo = low_dword(r->other, 0), from = low_dword(r->from, 0);
        set_dpp(amd_low_emit(r->c, AMD_V_MOV_B32, 1, &lo, 1, &from), AMD_VOP1, dpp);
        ir_ref defs[] = {low_dword(r->to, 0), vcc(r)};
        amd_low_emit(r->c, AMD_V_ADD_CO_U32, 2, defs, 2, (ir_ref[]){lo, from});
        add_high(r, low_dword(r->from, 1), dpp);
    } else {
        move_dpp(r, ctrl | DPP_ALL_LANES, partial);
        amd_low_combine(r);
    }
}

/* The same for the lane whose number differs in the bits of `mask`, by ds_swizzle. */
static void
combine_neighbour(const reduction *r, unsigned mask)
{
    amd_low_swizzle(r, LOW_SWIZZLE(0x1f, 0, mask));
    amd_low_combine(r);
}

static bool
has_permlane(const reduction *r)
{
    return amd_op_number(AMD_V_PERMLANEX16_B32, AMD_VOP3, r->c->p->target->gen) >= 0;
}

/* Computes other = `from` of the last lane of the row below, in odd rows; even rows may have any
 * value. */
static void
take_row_below(const reduction *r)
{
    if (!has_permlane(r) && !amd_has(r->c->p->target, has_dpp)) {
        amd_low_swizzle(r, LOW_SWIZZLE(0, 15, 0));
        return;
    }
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref to = low_dword(r->other, k), from = low_dword(r->from, k);
        if (has_permlane(r))
            amd_low_3(r->c, AMD_V_PERMLANEX16_B32, to, from, amd_const(UINT32_MAX),
                      amd_const(UINT32_MAX));
        else
            set_dpp(amd_low_emit(r->c, AMD_V_MOV_B32, 1, &to, 1, &from), AMD_VOP1,
                    DPP_ROW_BCAST_15 | DPP_ODD_ROWS);
    }
}

/* Computes other = acc of lane 0 of the other row of the half wave. */
static void
permlane_x16(const reduction *r)
{
    for (unsigned k = 0; k < r->regs; k++)
        amd_low_3(r->c, AMD_V_PERMLANEX16_B32, low_dword(r->other, k), low_dword(r->from, k),
                  amd_const(0), amd_const(0));
}

/* Computes `to` = op(`from` of lane `lane`, `from`) in the active lanes. */
static void
combine_lane(const reduction *r, unsigned lane)
{
    bool by_pair = rows[r->op].op64 && r->regs == 2;
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref s = low_s(AMD_VCC + (by_pair ? k * 4 : 0), 1), from = low_dword(r->from, k);
        amd_low_2(r->c, AMD_V_READLANE_B32, s, from, amd_const(lane));
        if (is_by_dword(r))
            compute(r, narrow_op(r), low_dword(r->to, k), s, from);
        else if (!by_pair)
            amd_low_1(r->c, AMD_V_MOV_B32, low_dword(r->other, k), s);
    }
    if (by_pair)
        amd_low_2(r->c, rows[r->op].op64, low_v(r->to, 2), low_s(AMD_VCC, 2), low_v(r->from, 2));
    else if (!is_by_dword(r))
        amd_low_combine(r);
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

static ir_ref
every_lane(const reduction *r)
{
    return r->wave64 ? amd_const64(-1) : amd_const(UINT32_MAX);
}

/* Activates lanes 16 to 31 of each half of the wave. */
static void
odd_rows(const reduction *r)
{
    for (unsigned half = 0; half <= r->wave64; half++)
        amd_low_2(r->c, AMD_S_BFM_B32, low_s(AMD_EXEC + half * 4, 1), amd_const(16), amd_const(16));
}

static void
upper_half(const reduction *r)
{
    amd_low_2(r->c, AMD_S_BFM_B64, low_s(AMD_EXEC, 2), amd_const(32), amd_const(32));
}

/* Restores the originally active lanes if exec was changed. */
static void
restore_lanes(const reduction *r)
{
    if (!r->full)
        amd_low_1(r->c, mask_move(r), exec(r), amd_phys(r->saved, r->c->p->lane_mask));
}

/* acc = `from` in the lanes of the saved mask, the identity in the others. */
static void
choose_active(const reduction *r, unsigned k, ir_ref from)
{
    ir_ref saved = amd_phys(r->saved, r->c->p->lane_mask), no = amd_const(identity(r, k));
    bool literal = amd_is_literal(r->c->p->target->gen, no, AMD_T_B32);
    if (literal && !amd_has(r->c->p->target, vop3_literals)) {
        no = low_dword(r->other, k);
        amd_low_load_const(r->c, no.reg, identity(r, k));
    }
    amd_low_3(r->c, AMD_V_CNDMASK_B32, low_dword(r->acc, k), no, from, saved);
}

/* Sets `from` to the source in active lanes and the identity in the others; all lanes are active
 * afterwards. `from` may be the source itself unless it must be the accumulator (`copied`). Narrow
 * integers are extended if the operation compares. */
static void
begin(reduction *r, ir_ref src, bool copied)
{
    bool is_signed = r->op == IR_REDUCE_imin || r->op == IR_REDUCE_imax;
    bool compares = is_signed || r->op == IR_REDUCE_umin || r->op == IR_REDUCE_umax;
    bool extends = compares && r->bits < 32;
    ir_ref saved = amd_phys(r->saved, r->c->p->lane_mask);
    unsigned save = r->wave64 ? AMD_S_OR_SAVEEXEC_B64 : AMD_S_OR_SAVEEXEC_B32;
    if (!r->full)
        amd_low_emit(r->c, save, 2, (ir_ref[]){saved, exec(r)}, 2,
                     (ir_ref[]){every_lane(r), exec(r)});
    r->from = r->full && !extends && !copied ? src.reg : r->acc;
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref from = low_dword(src.reg, k), acc = low_dword(r->acc, k);
        if (extends) {
            amd_low_3(r->c, is_signed ? AMD_V_BFE_I32 : AMD_V_BFE_U32, acc, from, amd_const(0),
                      amd_const(r->bits));
            from = acc;
        }
        if (!r->full)
            choose_active(r, k, from);
        else if (copied && !extends)
            amd_low_1(r->c, AMD_V_MOV_B32, acc, from);
    }
}

/* ---- the algorithms ---- */

/* In the last step only the originally active lanes are active; it writes the definition if that is
 * a VGPR. */
static void
last_step(reduction *r, ir_ref def)
{
    restore_lanes(r);
    if (amd_rc_is_vgpr(def.rc))
        r->to = def.reg;
}

static void
read_result(const reduction *r, ir_ref def, unsigned lane)
{
    for (unsigned k = 0; k < r->regs; k++)
        amd_low_2(r->c, AMD_V_READLANE_B32, low_s(def.reg + k * 4, 1), low_dword(r->from, k),
                  amd_const(lane));
}

/* The lane of the lower half of a wave64 that has the half's result; 32 more is the other half's.
 */
static unsigned
half_lane(const reduction *r)
{
    return has_permlane(r) ? 0 : 31;
}

/* Combines the halves of a wave64 with the scalar unit. */
static void
add_halves(const reduction *r, ir_ref def)
{
    ir_ref lo = low_s(AMD_VCC, 1), hi = low_s(AMD_VCC + 4, 1);
    ir_ref def_lo = low_s(def.reg, 1), def_hi = low_s(def.reg + 4u, 1);
    read_result(r, low_s(AMD_VCC, 2), half_lane(r));
    read_result(r, def, half_lane(r) + 32);
    restore_lanes(r);
    amd_low_2(r->c, AMD_S_ADD_U32, def_lo, def_lo, lo);
    amd_low_3(r->c, AMD_S_ADDC_U32, def_hi, def_hi, hi, amd_phys(AMD_SCC, AMD_S1));
}

/* Each lane gets the result of its cluster; the result for a whole wave goes to a scalar
 * register. */
static void
reduce(reduction *r, ir_ref def, unsigned cluster)
{
    static const uint16_t controls[] = {DPP_QUAD_PERM_1032, DPP_QUAD_PERM_2301, DPP_ROW_HALF_MIRROR,
                                        DPP_ROW_MIRROR};
    bool scalar = !amd_rc_is_vgpr(def.rc), fi = amd_has(r->c->p->target, dpp_reads_inactive);
    bool dpp = amd_has(r->c->p->target, has_dpp);
    for (unsigned k = 0; k < 4 && cluster >= 2u << k; k++) {
        bool last = cluster == 2u << k && (fi || r->full);
        if (last)
            last_step(r, def);
        if (dpp)
            combine_dpp(r, controls[k] | (last && fi ? DPP_INACTIVE : 0), false);
        else
            combine_neighbour(r, 1u << k);
        r->from = r->to;
    }
    if (cluster >= 32) {
        if (has_permlane(r))
            permlane_x16(r);
        else if (cluster == 64)
            take_row_below(r);
        else
            amd_low_swizzle(r, LOW_SWIZZLE(0x1f, 0, 16));
        if (cluster == 32 && !scalar)
            last_step(r, def);
        amd_low_combine(r);
        r->from = r->to;
    }
    if (cluster == 64 && r->regs == 2 && r->op == IR_REDUCE_iadd) {
        add_halves(r, def);
        return;
    }
    if (cluster == 64)
        combine_lane(r, half_lane(r));
    if (scalar) {
        read_result(r, def, cluster == 64 ? 63 : 0);
        restore_lanes(r);
    } else if (r->from != def.reg) {
        restore_lanes(r);
        for (unsigned k = 0; k < r->regs; k++)
            amd_low_1(r->c, AMD_V_MOV_B32, low_dword(def.reg, k), low_dword(r->from, k));
    }
}

/* Sets `from` to its own inclusive scan; returns false if exec does not have all lanes
 * afterwards. */
static bool
scan(reduction *r)
{
    bool dpp = amd_has(r->c->p->target, has_dpp);
    for (unsigned distance = 1; distance < 16; distance *= 2) {
        if (dpp)
            combine_dpp(r, DPP_ROW_SHR + distance, true);
        else
            amd_low_scan_step(r, distance);
        r->from = r->to;
    }
    take_row_below(r);
    bool fused = has_dpp(r);
    if (fused) {
        combine_fused(r, r->other, DPP_QUAD_PERM_0123 | DPP_ODD_ROWS);
    } else {
        odd_rows(r);
        amd_low_combine(r);
    }
    if (!r->wave64)
        return fused;
    upper_half(r);
    combine_lane(r, 31);
    return false;
}

/* Shifts all values up by one lane: the first lane of a row gets the value of the last lane of the
 * other row in the half wave, then values are shifted within rows; lanes 0 and 32 are written
 * separately. */
static void
shift_up(reduction *r)
{
    bool dpp = amd_has(r->c->p->target, has_dpp);
    if (dpp)
        take_row_below(r);
    else
        amd_low_shift_half(r);
    for (unsigned k = 0; k < r->regs; k++) {
        ir_ref to = low_dword(r->other, k), from = low_dword(r->from, k), s = low_s(AMD_VCC, 1);
        if (dpp)
            set_dpp(amd_low_emit(r->c, AMD_V_MOV_B32, 1, &to, 1, &from), AMD_VOP1,
                    (DPP_ROW_SHR + 1) | DPP_ALL_LANES);
        amd_low_3(r->c, AMD_V_WRITELANE_B32, to, amd_low_scalar(r->c, amd_const(identity(r, k))),
                  amd_const(0), to);
        if (!r->wave64)
            continue;
        amd_low_2(r->c, AMD_V_READLANE_B32, s, from, amd_const(31));
        amd_low_3(r->c, AMD_V_WRITELANE_B32, to, s, amd_const(32), to);
    }
    unsigned acc = r->acc;
    r->from = r->to = r->acc = r->other;
    r->other = acc;
}

/* Computes def = from without the lane's own value, for operations with an inverse. */
static void
take_away(const reduction *r, ir_ref def, ir_ref src)
{
    ir_ref lo[] = {low_dword(def.reg, 0), vcc(r)}, hi[] = {low_dword(def.reg, 1), vcc(r)};
    bool overlap = r->regs == 2 && def.reg == src.reg + 4; /* the low dword is written first */
    if (r->op == IR_REDUCE_ixor || r->regs == 1) {
        unsigned op = r->op == IR_REDUCE_ixor       ? AMD_V_XOR_B32
                      : has_op(r, AMD_V_SUB_NC_U32) ? AMD_V_SUB_NC_U32
                                                    : AMD_V_SUB_CO_U32;
        for (unsigned n = 0; n < r->regs; n++) {
            unsigned k = overlap ? 1 - n : n;
            compute(r, op, low_dword(def.reg, k), low_dword(r->from, k), low_dword(src.reg, k));
        }
        return;
    }
    if (overlap)
        lo[0] = low_dword(r->other, 0);
    amd_low_emit(r->c, AMD_V_SUB_CO_U32, 2, lo, 2,
                 (ir_ref[]){low_dword(r->from, 0), low_dword(src.reg, 0)});
    amd_low_emit(r->c, AMD_V_SUB_CO_CI_U32, 2, hi, 3,
                 (ir_ref[]){low_dword(r->from, 1), low_dword(src.reg, 1), vcc(r)});
    if (overlap)
        amd_low_1(r->c, AMD_V_MOV_B32, low_dword(def.reg, 0), lo[0]);
}

/* May the definition be the accumulator? It may if all lanes are active, so that it holds no value
 * of other lanes, and the source is not overwritten before its last read. */
static bool
works_in_place(const reduction *r, ir_ref def, ir_ref src, bool exclusive)
{
    unsigned size = r->regs * 4;
    bool apart = def.reg + size <= src.reg || src.reg + size <= def.reg;
    return r->full && (apart || (r->regs == 1 && !exclusive));
}

static void
scan_and_finish(reduction *r, ir_ref def, ir_ref src, bool exclusive)
{
    bool inverse = r->op == IR_REDUCE_iadd || r->op == IR_REDUCE_ixor;
    bool shifts = exclusive && !inverse;
    if (works_in_place(r, def, src, exclusive))
        *(shifts ? &r->other : &r->acc) = def.reg;
    r->to = r->acc;
    bool kept = amd_has(r->c->p->target, has_dpp) ? has_dpp(r) && identity(r, 0) != 0 : true;
    begin(r, src, !shifts && kept);
    if (shifts)
        shift_up(r);
    bool all = scan(r);
    if (!r->full)
        restore_lanes(r);
    else if (!all)
        amd_low_1(r->c, mask_move(r), exec(r), every_lane(r));
    if (exclusive && inverse) {
        take_away(r, def, src);
        return;
    }
    for (unsigned k = 0; k < r->regs && r->from != def.reg; k++)
        amd_low_1(r->c, AMD_V_MOV_B32, low_dword(def.reg, k), low_dword(r->from, k));
}

void
amd_low_reduce(low_ctx *c, const ir_instr *i)
{
    unsigned wave = c->p->wave_size, cluster = ir_words(i)[1];
    reduction r = {.c = c, .op = ir_words(i)[0], .bits = ir_words(i)[2], .full = ir_words(i)[3]};
    r.wave64 = wave == 64;
    cluster = cluster == 0 || cluster > wave ? wave : cluster;
    r.regs = r.bits == 64 ? 2 : 1;
    r.acc = r.to = i->refs[1].reg;
    r.other = r.acc + r.regs * 4;
    r.more = r.other + r.regs * 4;
    r.saved = i->defs[1].reg;
    if (i->op != AMD_P_REDUCE) {
        scan_and_finish(&r, i->defs[0], i->refs[0], i->op == AMD_P_EXCLUSIVE_SCAN);
        return;
    }
    /* a single step, whose definition may overlap the source */
    begin(&r, i->refs[0], r.regs == 2 && cluster <= 2);
    reduce(&r, i->defs[0], cluster);
}
