/* Subgroup operations. */
#include "adreno/select/select.h"

#include "base/bits.h"

/* An instruction with temporary definitions behind its result: a full register, one of the result's
 * class, a predicate. */
static ir_ref
emit_with(adreno_sel *s, unsigned op, unsigned rc, unsigned n, const ir_ref *refs)
{
    const unsigned temps[] = {ADRENO_F1, rc, ADRENO_P1};
    const unsigned n_temps = sizeof temps / sizeof *temps;
    ir_instr *i = adreno_append(s, op, 1 + n_temps, n);
    const ir_ref r = ir_define(s->f, i, 0, (ir_type)rc);
    for (unsigned k = 0; k < n_temps; k++)
        ir_define(s->f, i, 1 + k, (ir_type)temps[k]);
    for (unsigned k = 0; k < n; k++)
        i->refs[k] = refs[k];
    return r;
}

/* ---- votes ---- */

static ir_ref
vote(adreno_sel *s, unsigned op, ir_ref boolean)
{
    return adreno_op1(s, op, adreno_as_predicate(s, boolean));
}

static void
select_ballot(adreno_sel *s, const ir_instr *i)
{
    const unsigned words = s->p->wave_size > 64 ? 4 : 2, first = i->op == IR_ballot_high ? 2 : 0;
    ir_ref parts[4] = {adreno_full(0), adreno_full(0), adreno_full(0), adreno_full(0)};
    const ir_ref p = adreno_as_predicate(s, adreno_get(s, i->refs[0]));
    adreno_split(s, adreno_emit_1(s, ADRENO_P_BALLOT, adreno_class(false, words), p), words, parts);
    ir_ref *out = adreno_def(s, i);
    out[0] = parts[first];
    out[1] = parts[first + 1];
}

/* The bits below the fibre's own: of the upper half only if it is there itself. */
static ir_ref
count_below(adreno_sel *s, const ir_instr *i)
{
    const ir_ref me = adreno_fibre_id(s);
    const ir_ref bit = adreno_op2(s, ADRENO_SHL_B, adreno_full(1), me);
    const ir_ref below = adreno_op2(s, ADRENO_SUB_U, bit, adreno_full(1));
    const ir_ref upper = adreno_compare(s, ADRENO_CMPS_U, ADRENO_GE, me, adreno_full(32));
    const ir_ref low = adreno_op3(s, ADRENO_SEL_B32, adreno_full(UINT32_MAX), upper, below);
    const ir_ref high = adreno_op3(s, ADRENO_SEL_B32, below, upper, adreno_full(0));
    const ir_ref a = adreno_op2(s, ADRENO_AND_B, adreno_get_part(s, i->refs[0], 0), low);
    const ir_ref b = adreno_op2(s, ADRENO_AND_B, adreno_get_part(s, i->refs[0], 1), high);
    return adreno_op2(s, ADRENO_ADD_U, adreno_count_bits(s, a), adreno_count_bits(s, b));
}

/* ---- exchanges ---- */

static ir_ref
shuffle_by(adreno_sel *s, ir_ref value, ir_ref distance)
{
    const ir_ref refs[2] = {value, distance};
    return emit_with(s, ADRENO_P_SHUFFLE, value.rc, 2, refs);
}

/* The distance to fibre `from`. */
static ir_ref
distance_to(adreno_sel *s, ir_ref from)
{
    return adreno_op2(s, ADRENO_SUB_U, from, adreno_fibre_id(s));
}

static ir_ref
rotated(adreno_sel *s, const ir_instr *i)
{
    const uint32_t cluster = ir_attr_get(i, IR_A_CLUSTER_SIZE);
    const uint32_t size = cluster ? cluster : s->p->wave_size;
    const ir_ref me = adreno_fibre_id(s);
    const ir_ref sum = adreno_op2(s, ADRENO_ADD_U, me, adreno_get(s, i->refs[1]));
    const ir_ref in = adreno_op2(s, ADRENO_AND_B, sum, adreno_full(size - 1));
    const ir_ref base = adreno_op2(s, ADRENO_AND_B, me, adreno_full(~(size - 1)));
    return distance_to(s, adreno_op2(s, ADRENO_OR_B, base, in));
}

static ir_ref
distance_of(adreno_sel *s, const ir_instr *i)
{
    const ir_ref n = adreno_get(s, i->refs[1]);
    switch (i->op) {
    case IR_shuffle: return distance_to(s, n);
    case IR_shuffle_xor: return distance_to(s, adreno_op2(s, ADRENO_XOR_B, adreno_fibre_id(s), n));
    case IR_shuffle_down: return n;
    case IR_shuffle_up: return adreno_op2(s, ADRENO_SUB_U, adreno_full(0), n);
    default: return rotated(s, i);
    }
}

static bool
is_plain_xor(const adreno_sel *s, const ir_instr *i, uint64_t *mask)
{
    return i->op == IR_shuffle_xor && s->p->target->shuffles &&
           ir_is_const(s->hir, i->refs[1], mask) && *mask < s->p->wave_size;
}

static void
select_shuffle(adreno_sel *s, const ir_instr *i)
{
    uint64_t mask;
    ir_ref *out = adreno_def(s, i);
    const bool plain = is_plain_xor(s, i, &mask);
    const ir_ref distance = plain ? ir_none() : distance_of(s, i);
    for (unsigned k = 0; k < adreno_parts(s, i->refs[0]); k++) {
        const ir_ref value = adreno_in_reg(s, adreno_get_part(s, i->refs[0], k));
        if (!plain) {
            out[k] = shuffle_by(s, value, distance);
            continue;
        }
        out[k] = adreno_emit_2(s, ADRENO_SHFL, value.rc, value, adreno_full((uint32_t)mask));
        adreno_mark(s, 2, ADRENO_W_MODE, 1);
        adreno_mark(s, 0, ADRENO_M_TYPE, adreno_is_half_class(value.rc) ? ADRENO_U16 : ADRENO_U32);
    }
}

static void
select_read(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i), p = ir_none();
    if (i->op == IR_read_invocation) {
        p = adreno_emit_2(s, ADRENO_CMPS_S, ADRENO_P1, adreno_fibre_id(s),
                          adreno_get(s, i->refs[1]));
        adreno_mark(s, 0, ADRENO_M_COND, ADRENO_EQ);
    }
    for (unsigned k = 0; k < adreno_parts(s, i->refs[0]); k++) {
        const ir_ref value = adreno_in_reg(s, adreno_get_part(s, i->refs[0], k));
        out[k] = i->op == IR_read_invocation
                     ? adreno_emit_2(s, ADRENO_P_READ_AT, value.rc, value, p)
                     : adreno_emit_1(s, ADRENO_P_READ_FIRST, value.rc, value);
    }
}

static void
select_quad(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i);
    const unsigned op = i->op == IR_quad_swap_horizontal ? ADRENO_QUAD_SHUFFLE_HORIZ
                        : i->op == IR_quad_swap_vertical ? ADRENO_QUAD_SHUFFLE_VERT
                        : i->op == IR_quad_swap_diagonal ? ADRENO_QUAD_SHUFFLE_DIAG
                                                         : ADRENO_QUAD_SHUFFLE_BRCST;
    for (unsigned k = 0; k < adreno_parts(s, i->refs[0]); k++) {
        ir_ref refs[2] = {adreno_in_reg(s, adreno_get_part(s, i->refs[0], k)), ir_none()};
        const bool half = adreno_is_half_class(refs[0].rc);
        if (i->n_refs > 1)
            refs[1] = half ? adreno_emit_cov(s, ADRENO_U32, ADRENO_U16, ADRENO_H1,
                                             adreno_get(s, i->refs[1]))
                           : adreno_in_reg(s, adreno_get(s, i->refs[1]));
        out[k] = adreno_emit(s, op, refs[0].rc, i->n_refs, refs);
        adreno_mark(s, 0, ADRENO_M_TYPE, half ? ADRENO_U16 : ADRENO_U32);
        adreno_mark(s, 2, ADRENO_W_MASK, 1);
    }
}

/* ---- scans ---- */

/* The instruction that combines two numbers; of products the last one. */
static unsigned
op_of(ir_reduction op)
{
    return op == IR_REDUCE_imul ? ADRENO_MADSH_M16 : adreno_alu_op(ir_reduction_op(op));
}

/* What kind of numbers a scan combines. */
static ir_base_type
kind_of(ir_reduction op)
{
    const ir_kind kind = (ir_kind)ir_alu_table[ir_reduction_op(op)].dst;
    return ir_kind_base(kind) == IR_KIND_F                ? IR_BASE_float
           : op == IR_REDUCE_imin || op == IR_REDUCE_imax ? IR_BASE_int
                                                          : IR_BASE_uint;
}

/* Numbers of 8 and 16 bits are combined with 32. */
static ir_ref
widened(adreno_sel *s, const ir_instr *i, ir_reduction op, unsigned bits)
{
    const ir_base_type kind = kind_of(op);
    const ir_ref a = adreno_in_reg(s, adreno_get(s, i->refs[0]));
    if (bits == 16)
        return adreno_emit_convert(s, kind, kind, false, a);
    return bits == 8 ? adreno_extend_byte(s, a, kind == IR_BASE_int) : a;
}

/* What a scan begins with, in 32 bits; that of unsigned minima and `and` has ones in all. */
static uint32_t
start_of(ir_reduction op, unsigned bits)
{
    if (kind_of(op) == IR_BASE_float)
        return (uint32_t)ir_reduction_start(op, 32);
    return (uint32_t)base_sext64(ir_reduction_start(op, bits), bits);
}

static ir_ref
combine(adreno_sel *s, unsigned op, ir_ref a, ir_ref b)
{
    return op == ADRENO_MADSH_M16 ? adreno_emit_product(s, a, b) : adreno_op2(s, op, a, b);
}

/* Combines the values of eight fibres, or of a smaller cluster, up to each one. Returns what those
 * before it have. */
static ir_ref
scan_eight(adreno_sel *s, unsigned op, unsigned log_size, ir_ref start, ir_ref *value)
{
    enum { LOG_EIGHT = 3 };
    ir_ref before = start;
    for (unsigned k = 0; k < LOG_EIGHT && (!log_size || k < log_size); k++) {
        const ir_ref lower = adreno_op2(s, ADRENO_BRCST_ACTIVE, start, *value);
        adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
        adreno_mark(s, 2, ADRENO_W_MASK, 1);
        adreno_mark(s, 2, ADRENO_W_LANES, k);
        *value = combine(s, op, lower, *value);
        before = k ? combine(s, op, before, lower) : lower;
    }
    return before;
}

static adreno_scan
how_of(const ir_instr *i)
{
    switch (i->op) {
    case IR_reduce: return ADRENO_SCAN_ALL;
    case IR_inclusive_scan: return ADRENO_SCAN_UP_TO;
    default: return ADRENO_SCAN_BEFORE;
    }
}

static ir_ref
scan(adreno_sel *s, const ir_instr *i)
{
    const ir_reduction op = (ir_reduction)ir_attr_get(i, IR_A_REDUCTION_OP);
    const ir_base_type kind = kind_of(op) == IR_BASE_float ? IR_BASE_float : IR_BASE_uint;
    const unsigned bits = adreno_ref_bits(s, i->refs[0]);
    const adreno_scan how = how_of(i);
    const uint32_t cluster = how == ADRENO_SCAN_ALL ? ir_attr_get(i, IR_A_CLUSTER_SIZE) : 0;
    const unsigned log_size = cluster && cluster < s->p->wave_size ? base_ctz64(cluster) : 0;
    const bool by_eights = s->p->target->scans_eights;
    ir_ref refs[3];
    unsigned n = 2;
    if (cluster == 1)
        return adreno_get(s, i->refs[0]);
    refs[0] = widened(s, i, op, bits);
    refs[1] = adreno_in_reg(s, adreno_full(start_of(op, bits)));
    if (by_eights)
        refs[2] = scan_eight(s, op_of(op), log_size, refs[1], &refs[0]);
    if (log_size)
        refs[2] = adreno_op2(s, ADRENO_SHR_B, adreno_fibre_id(s), adreno_full(log_size));
    n += log_size || (by_eights && how == ADRENO_SCAN_BEFORE);
    const ir_ref r = emit_with(s, by_eights ? ADRENO_P_SCAN_EIGHTS : ADRENO_P_SCAN, ADRENO_F1, n,
                               refs);
    ir_words(s->last)[1] = op_of(op);
    adreno_mark(s, 0, ADRENO_M_COND, how);
    adreno_mark(s, 2, ADRENO_W_LANES, log_size);
    return bits == 16 ? adreno_emit_convert(s, kind, kind, true, r) : r;
}

/* What is one register; returns NONE for other instructions. */
static ir_ref
select_one(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_elect: return adreno_emit(s, ADRENO_P_ELECT, ADRENO_F1, 0, NULL);
    case IR_vote_any: return vote(s, ADRENO_P_VOTE_ANY, adreno_get(s, i->refs[0]));
    case IR_vote_all: return vote(s, ADRENO_P_VOTE_ALL, adreno_get(s, i->refs[0]));
    case IR_ballot_bit_count_exclusive: return count_below(s, i);
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan: return scan(s, i);
    default: return ir_none();
    }
}

static bool
select_any(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_ballot:
    case IR_ballot_high: select_ballot(s, i); return true;
    case IR_read_invocation:
    case IR_read_first_invocation: select_read(s, i); return true;
    case IR_shuffle:
    case IR_shuffle_xor:
    case IR_shuffle_up:
    case IR_shuffle_down:
    case IR_rotate: select_shuffle(s, i); return true;
    case IR_quad_broadcast:
    case IR_quad_swap_horizontal:
    case IR_quad_swap_vertical:
    case IR_quad_swap_diagonal: select_quad(s, i); return true;
    default: return adreno_set_any(s, i, select_one(s, i));
    }
}

bool
adreno_select_subgroup(adreno_sel *s, const ir_instr *i)
{
    const bool is_known = select_any(s, i);
    if (is_known && !s->p->target->shuffles)
        adreno_sel_unsupported(s, "operations between invocations");
    return is_known;
}
