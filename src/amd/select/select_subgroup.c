/* Selection of subgroup operations. */
#include "amd/select/select_alu.h"

static ir_ref
lane_index(sel *s)
{
    ir_ref all = amd_const(UINT32_MAX);
    ir_ref lo = amd_sel_common(s, AMD_V_MBCNT_LO_U32_B32, all, amd_const(0));
    return s->p->wave_size == 64 ? amd_sel_common(s, AMD_V_MBCNT_HI_U32_B32, all, lo) : lo;
}

/* Are the bits of inactive lanes 0? They are if the mask is a comparison in this block, where no
 * lane leaves the block, or if no lane is inactive. */
static bool
is_clean(const sel *s, const ir_instr *user, ir_ref mask)
{
    if (sel_is_full(s, user))
        return true;
    if (s->p->stage == AMD_STAGE_FRAGMENT_FS)
        return false;
    const ir_instr *def = mask.kind == IR_REF_VALUE ? s->f->values[mask.id].def : NULL;
    const amd_op_info *row = def ? amd_op_row((amd_op)def->op) : NULL;
    return row && row->fmt == AMD_VOPC && def->block == s->cur;
}

/* The mask of active lanes in which the boolean operand of `i` is true. */
static ir_ref
active_mask(sel *s, const ir_instr *i)
{
    ir_ref m = amd_sel_get_mask(s, i->refs[0]);
    if (m.kind == IR_REF_CONST && m.id == UINT32_MAX)
        return amd_sel_copy(s, s->p->lane_mask, sel_exec(s));
    return is_clean(s, i, m) ? m : amd_sel_2(s, SEL_LM(s, S_AND), s->p->lane_mask, m, sel_exec(s));
}

/* The same for masks of 64 bits without a comparison of that size. */
static ir_ref
compare_halves(sel *s, bool equal, ir_ref a, ir_ref b)
{
    ir_ref other = amd_sel_2(s, AMD_S_XOR_B64, AMD_S2, a, b);
    if (!equal)
        return amd_sel_scc(s);
    ir_ref any = amd_sel_2(s, AMD_S_OR_B32, AMD_S1, amd_sel_half(s, other, 0),
                           amd_sel_half(s, other, 1));
    amd_sel_2(s, AMD_S_CMP_EQ_U32, 0, any, amd_const(0));
    return amd_sel_scc(s);
}

/* scc = a == b, or a != b. */
static ir_ref
compare_masks(sel *s, bool equal, ir_ref a, ir_ref b)
{
    bool wide = s->p->wave_size == 64;
    unsigned eq = wide ? AMD_S_CMP_EQ_U64 : AMD_S_CMP_EQ_U32;
    unsigned ne = wide ? AMD_S_CMP_LG_U64 : AMD_S_CMP_LG_U32;
    if (wide && !sel_has(s, eq))
        return compare_halves(s, equal, a, b);
    amd_sel_2(s, equal ? eq : ne, 0, a, b);
    return amd_sel_scc(s);
}

static ir_ref
no_lanes(const sel *s)
{
    return s->p->wave_size == 64 ? amd_const64(0) : amd_const(0);
}

/* The number of mask bits that belong to lanes below the current one. */
static void
select_count_below(sel *s, const ir_instr *i)
{
    ir_ref mask = amd_sel_get(s, i->refs[0]);
    ir_ref n = amd_sel_2(s, AMD_V_MBCNT_LO_U32_B32, AMD_V1, amd_sel_half(s, mask, 0), amd_const(0));
    if (s->p->wave_size == 64)
        n = amd_sel_2(s, AMD_V_MBCNT_HI_U32_B32, AMD_V1, amd_sel_half(s, mask, 1), n);
    amd_sel_set(s, i, n);
}

static void
select_ballot(sel *s, const ir_instr *i)
{
    ir_ref m = active_mask(s, i);
    amd_sel_set(s, i,
                s->p->wave_size == 64 ? m : amd_sel_join(s, true, 2, (ir_ref[]){m, amd_const(0)}));
}

static void
select_elect(sel *s, const ir_instr *i)
{
    bool wide = s->p->wave_size == 64;
    if (sel_is_full(s, i)) {
        amd_sel_set_mask(s, i, wide ? amd_const64(1) : amd_const(1));
        return;
    }
    ir_ref first = amd_sel_1(s, wide ? AMD_S_FF1_I32_B64 : AMD_S_FF1_I32_B32, AMD_S1, sel_exec(s));
    ir_ref one = wide ? amd_const64(1) : amd_const(1);
    amd_sel_set_mask(s, i, amd_sel_2(s, SEL_LM(s, S_LSHL), s->p->lane_mask, one, first));
}

static void
select_vote(sel *s, const ir_instr *i)
{
    ir_ref m = active_mask(s, i);
    bool any = i->op == IR_vote_any;
    amd_sel_set_scc(s, i, compare_masks(s, !any, m, any ? no_lanes(s) : sel_exec(s)));
}

/* Is the value equal in all active lanes? For booleans: none or all are true. */
static void
select_vote_equal(sel *s, const ir_instr *i)
{
    unsigned bits = sel_bits(s, i->refs[0]), lm = s->p->lane_mask;
    bool is_float = i->op == IR_vote_feq;
    if (bits == 1) {
        ir_ref m = active_mask(s, i), none = compare_masks(s, true, m, no_lanes(s));
        m = amd_sel_3(s, SEL_LM(s, S_CSELECT), lm, sel_exec(s), m, none);
        amd_sel_set_scc(s, i, compare_masks(s, true, m, sel_exec(s)));
        return;
    }
    ir_ref a = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[0]));
    if (bits < 32 && !is_float)
        a = amd_sel_3(s, AMD_V_BFE_U32, AMD_V1, a, amd_const(0), amd_const(bits));
    ir_ref first = amd_sel_1(s, AMD_P_AS_UNIFORM, bits == 64 ? AMD_S2 : AMD_S1, a);
    unsigned op = is_float ? (bits == 16   ? AMD_V_CMP_EQ_F16
                              : bits == 32 ? AMD_V_CMP_EQ_F32
                                           : AMD_V_CMP_EQ_F64)
                           : (bits == 64 ? AMD_V_CMP_EQ_U64 : AMD_V_CMP_EQ_U32);
    ir_ref same = amd_sel_2(s, op, lm, first, a);
    amd_sel_set_scc(s, i, compare_masks(s, true, same, sel_exec(s)));
}

static void
select_inverse_ballot(sel *s, const ir_instr *i)
{
    ir_ref m = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[0]));
    if (s->hir->values[i->refs[0].id].divergent)
        amd_sel_unsupported(
            s, "inverse_ballot of a mask that differs between lanes and was not lowered");
    m = s->p->wave_size == 64 ? m : amd_sel_half(s, m, 0);
    if (m.kind == IR_REF_CONST) /* masks are in registers */
        m = amd_sel_copy(s, s->p->lane_mask, m);
    amd_sel_set_mask(s, i, m);
}

/* Applies `one` to a 32-bit value, or to a boolean as a number. */
typedef ir_ref (*lane_op)(sel *s, const ir_instr *i, ir_ref value);

static void
per_dword(sel *s, const ir_instr *i, lane_op one)
{
    unsigned bits = sel_bits(s, i->refs[0]);
    if (bits == 1) {
        ir_ref zero = amd_const(0);
        ir_ref n = amd_sel_cndmask(s, amd_const(1), zero, amd_sel_get_mask(s, i->refs[0]));
        ir_ref r = one(s, i, n);
        amd_sel_set_mask(
            s, i, amd_sel_2(s, AMD_V_CMP_NE_U32, s->p->lane_mask, zero, amd_sel_as_vgpr(s, r)));
        return;
    }
    ir_ref a = amd_sel_get(s, i->refs[0]);
    if (bits < 64) {
        amd_sel_set(s, i, one(s, i, a));
        return;
    }
    ir_ref half[2];
    for (unsigned h = 0; h < 2; h++)
        half[h] = one(s, i, amd_sel_half(s, a, h));
    amd_sel_set(s, i, amd_sel_join(s, !sel_is_vgpr(half[0]), 2, half));
}

static ir_ref
first_lane(sel *s, const ir_instr *i, ir_ref v)
{
    (void)i;
    return sel_is_vgpr(v) ? amd_sel_1(s, AMD_V_READFIRSTLANE_B32, AMD_S1, v) : v;
}

static ir_ref
read_lane(sel *s, const ir_instr *i, ir_ref v)
{
    if (!sel_is_vgpr(v))
        return v;
    ir_ref lane = amd_sel_as_sgpr(s, amd_sel_get(s, i->refs[1]));
    return amd_sel_2(s, AMD_V_READLANE_B32, AMD_S1, v, lane);
}

/* The value of the lane with index `lane` (VGPR), which is in the same half of a wave64 if `near`.
 * ds_bpermute_b32 takes byte addresses; where it does not reach the other half (RDNA 2 ISA,
 * "DS_BPERMUTE_B32"), p_bpermute is used for that. */
static ir_ref
permute(sel *s, ir_ref v, ir_ref lane, bool near)
{
    v = amd_sel_as_vgpr(s, v);
    bool reaches = s->p->wave_size == 32 || near || amd_has(s->p->target, wide_bpermute);
    if (reaches && sel_has(s, AMD_DS_BPERMUTE_B32)) {
        ir_ref at = amd_sel_common(s, AMD_V_LSHLREV_B32, amd_const(2), lane);
        return amd_sel_2(s, AMD_DS_BPERMUTE_B32, AMD_V1, at, v);
    }
    ir_instr *p = amd_new(s->f, AMD_P_BPERMUTE, 3, 2);
    ir_ref r = ir_define(s->f, p, 0, AMD_V1);
    ir_define(s->f, p, 1, s->p->lane_mask);
    ir_define(s->f, p, 2, AMD_S1);
    p->defs[2] = ir_fixed(p->defs[2], AMD_SCC);
    p->refs[0] = v;
    p->refs[1] = amd_sel_as_vgpr(s, lane);
    p->loc = s->loc;
    ir_append(s->cur, p);
    s->last = p;
    return r;
}

static ir_ref
swizzle(sel *s, ir_ref v, unsigned offset)
{
    ir_ref r = amd_sel_1(s, AMD_DS_SWIZZLE_B32, AMD_V1, amd_sel_as_vgpr(s, v));
    ir_words(s->last)[0] = offset;
    return r;
}

/* The last instruction reads its first operand from other lanes of the quad. */
static void
permutes_quads(sel *s, amd_fmt fmt, unsigned ctrl)
{
    ir_words(s->last)[1] = ctrl | 0xfu << AMD_DPP_ROW_MASK | 0xfu << AMD_DPP_BANK_MASK |
                           1u << AMD_DPP_BOUND_CTRL;
    s->last->form = amd_form(fmt, AMD_EXT_DPP16);
}

/* DPP16 quad_perm: lane l of each quad reads lane perm[l]; controls 0 to 0xff (RDNA 2 ISA, "DPP16
 * controls"). ds_swizzle_b32 does the same with bit 15 of its offset (Sea Islands ISA,
 * "DS_SWIZZLE_B32"). */
ir_ref
amd_sel_quad_permute(sel *s, ir_ref v, unsigned ctrl)
{
    if (!amd_has(s->p->target, has_dpp))
        return swizzle(s, v, 1u << 15 | ctrl);
    ir_ref r = amd_sel_1(s, AMD_V_MOV_B32, AMD_V1, amd_sel_as_vgpr(s, v));
    permutes_quads(s, AMD_VOP1, ctrl);
    return r;
}

ir_ref
amd_sel_pair_lanes(sel *s, unsigned parity, ir_ref own, ir_ref other)
{
    enum { NEIGHBOUR = 0xb1 }; /* 1 0 3 2 */
    ir_ref lanes = amd_const(parity ? 0xaaaaaaaa : 0x55555555), parts[2] = {lanes, lanes};
    ir_ref mask = s->p->wave_size == 64 ? amd_sel_join(s, true, 2, parts)
                                        : amd_sel_copy(s, AMD_S1, lanes);
    ir_ref r = amd_sel_3(s, AMD_V_CNDMASK_B32, AMD_V1, amd_sel_as_vgpr(s, other),
                         amd_sel_as_vgpr(s, own), mask);
    permutes_quads(s, AMD_VOP3, NEIGHBOUR);
    return r;
}

/* The DPP control with which a lane reads the one whose number differs in the bits of `mask`, below
 * 16, or -1: row_xmask or, where that does not exist, quad_perm, half_mirror, row_ror:8 and mirror,
 * as far as they do the same. */
static int
exchange_control(const sel *s, unsigned mask)
{
    enum { ROW_XMASK = 0x160, ROW_ROR_8 = 0x128, ROW_MIRROR = 0x140, ROW_HALF_MIRROR = 0x141 };
    static const int16_t others[16] = {-1,        0xb1, 0x4e, 0x1b, -1, -1, -1, ROW_HALF_MIRROR,
                                       ROW_ROR_8, -1,   -1,   -1,   -1, -1, -1, ROW_MIRROR};
    if (!amd_has(s->p->target, has_dpp))
        return -1;
    return amd_has(s->p->target, has_row_xmask) ? ROW_XMASK + (int)mask : others[mask];
}

/* The value of the lane whose number differs in the bits of `mask`, below 32: within a row of 16
 * lanes by DPP, otherwise from the other row of the half wave, selected with 4 bits per lane
 * (RDNA 2 ISA, "V_PERMLANEX16_B32"). ds_swizzle_b32 does what these cannot: its offset has the mask
 * in bits 14:10, and bits 4:0 keep the other bits of the lane's number (GCN3 ISA,
 * "DS_SWIZZLE_B32"). */
static ir_ref
exchange(sel *s, ir_ref v, unsigned mask)
{
    enum { SWIZZLE_KEEP = 0x1f, SWIZZLE_XOR = 10 };
    bool has_permlane = amd_op_number(AMD_V_PERMLANEX16_B32, AMD_VOP3, s->p->target->gen) >= 0;
    int control = mask < 16 ? exchange_control(s, mask) : -1;
    if (mask == 0 || !sel_is_vgpr(v))
        return v;
    if (control >= 0)
        return amd_sel_quad_permute(s, v, (unsigned)control);
    if (mask < 16 || !has_permlane)
        return swizzle(s, v, mask << SWIZZLE_XOR | SWIZZLE_KEEP);
    uint32_t select[2] = {0, 0};
    for (unsigned lane = 0; lane < 16; lane++)
        select[lane / 8] |= (lane ^ (mask & 15)) << lane % 8 * 4;
    ir_ref lo = amd_sel_copy(s, AMD_S1, amd_const(select[0]));
    return amd_sel_3(s, AMD_V_PERMLANEX16_B32, AMD_V1, v, lo,
                     amd_sel_copy(s, AMD_S1, amd_const(select[1])));
}

/* ds_swizzle_b32 in its rotating mode: lane l reads lane l + n, or l - n if `down`, of its cluster
 * of up to 32 lanes; bits 4:0 of the offset are those of the lane's number that stay (Vega ISA,
 * "DS_SWIZZLE_B32"; LLVM, AMDGPU's Swizzle namespace). */
static ir_ref
swizzle_rotate(sel *s, ir_ref v, uint32_t cluster, uint32_t n, bool down)
{
    enum { ROTATE = 0xc000, DOWN = 1 << 10, BY = 5 };
    return swizzle(s, v, ROTATE | (down ? DOWN : 0u) | (n & 31) << BY | (32 - cluster));
}

/* The DPP control with which a lane reads the one above or below it in a wave64, round the end if
 * `around`; 0 if there is none. */
static unsigned
neighbour_control(const sel *s, uint32_t n, bool around)
{
    enum { WAVE_SHL = 0x130, WAVE_ROL = 0x134, WAVE_SHR = 0x138, WAVE_ROR = 0x13c };
    if (!amd_has(s->p->target, has_wave_shift))
        return 0;
    n &= 63;
    return n == 1 ? (around ? WAVE_ROL : WAVE_SHL) : n == 63 ? (around ? WAVE_ROR : WAVE_SHR) : 0;
}

/* Rotation in clusters of 4 or 16 lanes by DPP: quad_perm, or row_ror, with which lane l reads lane
 * l - n of its row. */
static ir_ref
rotate_by_const(sel *s, ir_ref v, uint32_t cluster, uint32_t n)
{
    enum { ROW_ROR = 0x120 };
    n %= cluster;
    if (n == 0)
        return v;
    if (cluster == 2)
        return amd_sel_quad_permute(s, v, 0xb1);
    if (cluster == 16)
        return amd_sel_quad_permute(s, v, ROW_ROR + 16 - n);
    unsigned ctrl = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        ctrl |= (lane + n) % 4 << lane * 2;
    return amd_sel_quad_permute(s, v, ctrl);
}

static ir_ref
rotate(sel *s, const ir_instr *i, ir_ref v)
{
    uint32_t size = ir_attr_get(i, IR_A_CLUSTER_SIZE);
    ir_ref n = amd_sel_get(s, i->refs[1]);
    if (!size || size > s->p->wave_size)
        size = s->p->wave_size;
    bool in_row = size == 16 && amd_has(s->p->target, has_dpp);
    bool known = n.kind == IR_REF_CONST && size > 1 && sel_is_vgpr(v);
    if (known && size == 64 && n.id % 64 == 32 && sel_has(s, AMD_V_PERMLANE64_B32))
        return amd_sel_1(s, AMD_V_PERMLANE64_B32, AMD_V1, v);
    unsigned control = known && size == 64 ? neighbour_control(s, n.id, true) : 0;
    if (control)
        return amd_sel_quad_permute(s, v, control);
    if (known && (size <= 4 || in_row))
        return rotate_by_const(s, v, size, n.id);
    if (known && size <= 32 && amd_has(s->p->target, swizzle_rotates))
        return swizzle_rotate(s, v, size, n.id % size, false);
    ir_ref self = lane_index(s), sum = amd_sel_common(s, AMD_V_ADD_NC_U32, self, n);
    ir_ref lane = amd_sel_3(s, AMD_V_BFI_B32, AMD_V1, amd_const(size - 1), sum, self);
    return permute(s, v, lane, size <= 32);
}

/* The value of the lane `n` below (if `up`) or above, or none. */
static ir_ref
by_distance(sel *s, ir_ref v, uint32_t n, bool up)
{
    unsigned control = s->p->wave_size == 64 && n == 1 ? neighbour_control(s, up ? 63 : 1, false)
                                                       : 0;
    if (n == 0)
        return v;
    if (control)
        return amd_sel_quad_permute(s, v, control);
    return s->p->wave_size == 32 && n < 32 && amd_has(s->p->target, swizzle_rotates)
               ? swizzle_rotate(s, v, 32, n, up)
               : ir_none();
}

/* A shuffle that needs no address, or none. Up or down by 32 lanes, those that have a source read
 * what an exchange of the halves gives; an exchange by more lanes needs what inactive lanes would
 * get of the first one. */
static ir_ref
shuffle_by_const(sel *s, const ir_instr *i, ir_ref v, uint32_t n)
{
    bool halves = s->p->wave_size == 64 && n >= 32 && n < 64 && sel_has(s, AMD_V_PERMLANE64_B32);
    bool twice = i->op == IR_shuffle_xor && sel_is_full(s, i);
    if (halves && i->op != IR_shuffle && (n == 32 || twice))
        return exchange(s, amd_sel_1(s, AMD_V_PERMLANE64_B32, AMD_V1, v), n & 31);
    switch (i->op) {
    case IR_shuffle_xor: return n < 32 ? exchange(s, v, n) : ir_none();
    case IR_shuffle_up:
    case IR_shuffle_down: return by_distance(s, v, n, i->op == IR_shuffle_up);
    default: return ir_none();
    }
}

static ir_ref
shuffle(sel *s, const ir_instr *i, ir_ref v)
{
    ir_ref n = amd_sel_get(s, i->refs[1]), lane = n;
    if (n.kind == IR_REF_CONST && sel_is_vgpr(v)) {
        ir_ref r = shuffle_by_const(s, i, v, n.id);
        if (r.kind != IR_REF_NONE)
            return r;
    }
    if (i->op == IR_shuffle && !sel_is_vgpr(n))
        return read_lane(s, i, v);
    switch (i->op) {
    case IR_shuffle_xor: lane = amd_sel_common(s, AMD_V_XOR_B32, n, lane_index(s)); break;
    case IR_shuffle_up: lane = amd_sel_common(s, AMD_V_SUB_NC_U32, lane_index(s), n); break;
    case IR_shuffle_down: lane = amd_sel_common(s, AMD_V_ADD_NC_U32, lane_index(s), n); break;
    default: break;
    }
    return permute(s, v, amd_sel_as_vgpr(s, lane), false);
}

static ir_ref
quad(sel *s, const ir_instr *i, ir_ref v)
{
    switch (i->op) {
    case IR_quad_swap_horizontal: return amd_sel_quad_permute(s, v, 0xb1); /* 1 0 3 2 */
    case IR_quad_swap_vertical: return amd_sel_quad_permute(s, v, 0x4e);   /* 2 3 0 1 */
    case IR_quad_swap_diagonal: return amd_sel_quad_permute(s, v, 0x1b);   /* 3 2 1 0 */
    default: break;
    }
    ir_ref lane = amd_sel_get(s, i->refs[1]);
    if (lane.kind == IR_REF_CONST)
        return amd_sel_quad_permute(s, v, (lane.id & 3) * 0x55);
    ir_ref at = amd_sel_3(s, AMD_V_BFI_B32, AMD_V1, amd_const(3), lane, lane_index(s));
    return permute(s, v, at, true);
}

/* Reductions and scans remain one instruction until lower_to_hw_instr. Definitions: result, lane
 * mask, scc, vcc; references: source, and (added by setup_reduce_temp) the linear VGPR
 * temporary. */
static void
select_reduce(sel *s, const ir_instr *i)
{
    unsigned bits = sel_bits(s, i->refs[0]), lm = s->p->lane_mask;
    unsigned op = i->op == IR_reduce           ? AMD_P_REDUCE
                  : i->op == IR_inclusive_scan ? AMD_P_INCLUSIVE_SCAN
                                               : AMD_P_EXCLUSIVE_SCAN;
    if (bits == 1)
        amd_sel_unsupported(s, "a reduction of booleans that was not lowered");
    uint32_t cluster = i->op == IR_reduce ? ir_attr_get(i, IR_A_CLUSTER_SIZE) : 0;
    if (cluster >= s->p->wave_size)
        cluster = 0;
    bool scalar = i->op == IR_reduce && !cluster;
    ir_instr *r = amd_new(s->f, op, 4, 1);
    ir_ref d = ir_define(s->f, r, 0, (ir_type)amd_rc(!scalar, bits == 64 ? 8 : 4));
    ir_define(s->f, r, 1, (ir_type)lm);
    ir_define(s->f, r, 2, AMD_S1);
    r->defs[2] = ir_fixed(r->defs[2], AMD_SCC);
    ir_define(s->f, r, 3, (ir_type)lm);
    r->defs[3] = ir_fixed(r->defs[3], AMD_VCC);
    r->refs[0] = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[0]));
    ir_words(r)[0] = ir_attr_get(i, IR_A_REDUCTION_OP);
    ir_words(r)[1] = cluster;
    ir_words(r)[2] = bits;
    ir_words(r)[3] = sel_is_full(s, i);
    r->loc = s->loc;
    ir_append(s->cur, r);
    s->last = r;
    amd_sel_set(s, i, d);
}

/* s_memtime counts core clocks, s_memrealtime the constant 100 MHz clock (RDNA 2 ISA, SMEM). */
static void
select_clock(sel *s, const ir_instr *i)
{
    bool device = ir_attr_get(i, IR_A_SCOPE) == IR_SCOPE_device;
    amd_sel_set(s, i, amd_sel_emit(s, device ? AMD_S_MEMREALTIME : AMD_S_MEMTIME, AMD_S2, 0, NULL));
}

bool
amd_sel_subgroup(sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_subgroup_invocation: amd_sel_set(s, i, lane_index(s)); return true;
    case IR_ballot: select_ballot(s, i); return true;
    case IR_inverse_ballot: select_inverse_ballot(s, i); return true;
    case IR_ballot_bit_count_exclusive: select_count_below(s, i); return true;
    case IR_elect: select_elect(s, i); return true;
    case IR_vote_any:
    case IR_vote_all: select_vote(s, i); return true;
    case IR_vote_ieq:
    case IR_vote_feq: select_vote_equal(s, i); return true;
    case IR_read_first_invocation: per_dword(s, i, first_lane); return true;
    case IR_read_invocation: per_dword(s, i, read_lane); return true;
    case IR_shuffle:
    case IR_shuffle_xor:
    case IR_shuffle_up:
    case IR_shuffle_down: per_dword(s, i, shuffle); return true;
    case IR_rotate: per_dword(s, i, rotate); return true;
    case IR_quad_broadcast:
    case IR_quad_swap_horizontal:
    case IR_quad_swap_vertical:
    case IR_quad_swap_diagonal: per_dword(s, i, quad); return true;
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan: select_reduce(s, i); return true;
    case IR_shader_clock: select_clock(s, i); return true;
    default: return false;
    }
}
