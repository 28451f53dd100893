/* Subgroup operations, applied to each component.
 *
 * A ballot is a 64-bit mask in HIR and a vector of four 32-bit words in SPIR-V, of which the upper
 * two are zero. Bits of lanes beyond the subgroup's size are ignored.
 */
#include "spirv/reader.h"

static ir_ref
intrinsic(spirv_reader *r, ir_op op, unsigned bits, ir_ref a, ir_ref b)
{
    ir_ref refs[2] = {a, b};
    return ir_build_intr(&r->b, op, IR_TYPE(bits, 1), refs, ir_is_value(a) + ir_is_value(b));
}

static ir_ref
one_operand(spirv_reader *r, ir_op op, unsigned bits, ir_ref a)
{
    return intrinsic(r, op, bits, a, ir_none());
}

static unsigned
bits_of(const spirv_reader *r, ir_ref x)
{
    return ir_type_bits(ir_ref_type(r->f, x));
}

/* Are both scalars or vectors of the same size, integers of either sign? */
static bool
are_alike(const spirv_type *t, const spirv_type *u)
{
    const spirv_type *a = spirv_scalar_of(t), *b = spirv_scalar_of(u);
    return a && b && a->kind == b->kind && a->bits == b->bits && t->leaves == u->leaves;
}

/* The value in word `k`: a scalar or vector of the result's type. Integers may have another sign,
 * which validators let pass. */
static const ir_ref *
value_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    if (!are_alike(spirv_operand_type(r, i, k), spirv_type_ref(r, i, 1)))
        spirv_invalid(r, "operand %u is not a scalar or vector of the result type", k);
    return spirv_operand(r, i, k);
}

static ir_ref
bool_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    if (spirv_operand_type(r, i, k)->kind != SPIRV_BOOL)
        spirv_invalid(r, "operand %u is not a boolean", k);
    return spirv_scalar(r, i, k);
}

static ir_ref
index_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    return spirv_index(r, spirv_scalar(r, i, k), spirv_operand_type(r, i, k), 32);
}

static void
check_scope(spirv_reader *r, const spirv_insn *i)
{
    if (spirv_scope(r, i, 3) != IR_SCOPE_subgroup)
        spirv_unsupported(r, "group operations of a scope other than the subgroup");
}

static void
demand_result(spirv_reader *r, const spirv_insn *i, spirv_kind kind, unsigned bits, unsigned n)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *c = spirv_scalar_of(t);
    if (!c || c->kind != kind || c->bits != bits || t->leaves != n)
        spirv_invalid(r, "the result is not of the type that the instruction gives");
}

/* ---- votes ---- */

/* Do the components equal those of the first lane in all lanes? One vote for all of them. */
static ir_ref
vector_all_equal(spirv_reader *r, const ir_ref *x, unsigned count, bool is_float)
{
    ir_builder *b = &r->b;
    ir_ref same = ir_none();
    for (unsigned n = 0; n < count; n++) {
        ir_ref first = one_operand(r, IR_read_first_invocation, bits_of(r, x[n]), x[n]);
        ir_ref one = is_float ? irb_feq(b, first, x[n]) : irb_ieq(b, first, x[n]);
        same = n ? irb_iand(b, same, one) : one;
    }
    return one_operand(r, IR_vote_all, 1, same);
}

static ir_ref
all_equal(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    const spirv_type *t = spirv_operand_type(r, i, k), *c = spirv_scalar_of(t);
    if (!c)
        spirv_invalid(r, "operand %u is not a scalar or vector", k);
    const ir_ref *x = spirv_operand(r, i, k);
    bool is_float = c->kind == SPIRV_FLOAT;
    if (t->leaves > 1 && c->kind != SPIRV_BOOL)
        return vector_all_equal(r, x, t->leaves, is_float);
    ir_ref all = ir_none();
    for (unsigned n = 0; n < t->leaves; n++) {
        ir_ref v = one_operand(r, is_float ? IR_vote_feq : IR_vote_ieq, 1, x[n]);
        all = n ? irb_iand(&r->b, all, v) : v;
    }
    return all;
}

static void
emit_vote(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    demand_result(r, i, SPIRV_BOOL, 1, 1);
    switch (i->op) {
    case SPIRV_OpGroupNonUniformAllEqual:
    case SPIRV_OpSubgroupAllEqualKHR: spirv_define_scalar(r, i, all_equal(r, i, k)); break;
    case SPIRV_OpGroupNonUniformAll:
    case SPIRV_OpSubgroupAllKHR:
        spirv_define_scalar(r, i, one_operand(r, IR_vote_all, 1, bool_operand(r, i, k)));
        break;
    case SPIRV_OpGroupNonUniformElect:
        spirv_define_scalar(r, i, one_operand(r, IR_elect, 1, ir_none()));
        break;
    default:
        spirv_define_scalar(r, i, one_operand(r, IR_vote_any, 1, bool_operand(r, i, k)));
        break;
    }
}

/* ---- ballots ---- */

/* A ballot's lanes: those up to 63, and those behind them, 0 where subgroups have no more. */
typedef struct mask {
    ir_ref low, high;
} mask;

static bool
is_wide(const spirv_reader *r)
{
    return r->opt->subgroup_size > 64;
}

static void
emit_ballot(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    ir_builder *b = &r->b;
    demand_result(r, i, SPIRV_INT, 32, 4);
    ir_ref x = bool_operand(r, i, k), low = one_operand(r, IR_ballot, 64, x);
    ir_ref *leaf = spirv_new_leaves(r, 4);
    leaf[0] = irb_unpack_64_2x32_x(b, low);
    leaf[1] = irb_unpack_64_2x32_y(b, low);
    leaf[2] = leaf[3] = spirv_imm(r, 32, 0);
    if (is_wide(r)) {
        ir_ref high = one_operand(r, IR_ballot_high, 64, x);
        leaf[2] = irb_unpack_64_2x32_x(b, high);
        leaf[3] = irb_unpack_64_2x32_y(b, high);
    }
    spirv_define(r, i, leaf);
}

/* The mask in word `k`. */
static mask
mask_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    const spirv_type *t = spirv_operand_type(r, i, k);
    if (t->kind != SPIRV_VECTOR || t->count != 4 || t->elem->kind != SPIRV_INT || t->bits != 32)
        spirv_invalid(r, "operand %u is not a ballot", k);
    const ir_ref *x = spirv_operand(r, i, k);
    return (mask){irb_pack_64_2x32(&r->b, x[0], x[1]),
                  is_wide(r) ? irb_pack_64_2x32(&r->b, x[2], x[3]) : ir_none()};
}

static ir_ref
subgroup_size(spirv_reader *r)
{
    return r->opt->subgroup_size ? spirv_imm(r, 32, r->opt->subgroup_size)
                                 : one_operand(r, IR_load_subgroup_size, 32, ir_none());
}

/* The mask without lanes that do not exist. */
static ir_ref
of_lanes(spirv_reader *r, ir_ref low)
{
    if (is_wide(r))
        return low;
    ir_ref above = irb_isub(&r->b, spirv_imm(r, 32, 64), subgroup_size(r));
    return irb_iand(&r->b, low, irb_ushr(&r->b, spirv_imm(r, 64, ~UINT64_C(0)), above));
}

/* The bit of a lane that exists; that of another is undefined. */
static ir_ref
mask_bit(spirv_reader *r, mask m, ir_ref lane)
{
    ir_builder *b = &r->b;
    ir_ref last = irb_isub(b, subgroup_size(r), spirv_imm(r, 32, 1)), half = of_lanes(r, m.low);
    ir_ref at = irb_iand(b, lane, last);
    if (is_wide(r)) {
        ir_ref is_low = irb_ult(b, at, spirv_imm(r, 32, 64));
        half = irb_bcsel(b, is_low, m.low, m.high);
    }
    ir_ref bits = irb_ushr(b, half, at);
    ir_ref bit = irb_iand(b, irb_unpack_64_2x32_x(b, bits), spirv_imm(r, 32, 1));
    return irb_ine(b, bit, spirv_imm(r, 32, 0));
}

/* The bit of this lane. */
static ir_ref
own_bit(spirv_reader *r, mask m)
{
    return is_wide(r) ? mask_bit(r, m, one_operand(r, IR_load_subgroup_invocation, 32, ir_none()))
                      : one_operand(r, IR_inverse_ballot, 1, m.low);
}

/* The bits of lanes below this one. */
static ir_ref
count_below(spirv_reader *r, mask m)
{
    ir_builder *b = &r->b;
    if (!is_wide(r))
        return one_operand(r, IR_ballot_bit_count_exclusive, 32, m.low);
    const ir_ref none = spirv_imm(r, 64, 0), all = spirv_imm(r, 64, ~UINT64_C(0));
    ir_ref lane = one_operand(r, IR_load_subgroup_invocation, 32, ir_none());
    ir_ref below = irb_inot(b, irb_ishl(b, all, lane)); /* of the half that the lane is in */
    ir_ref is_low = irb_ult(b, lane, spirv_imm(r, 32, 64));
    ir_ref low = irb_iand(b, m.low, irb_bcsel(b, is_low, below, all));
    ir_ref high = irb_iand(b, m.high, irb_bcsel(b, is_low, none, below));
    return irb_iadd(b, irb_bit_count(b, low), irb_bit_count(b, high));
}

static ir_ref
count_all(spirv_reader *r, mask m)
{
    ir_builder *b = &r->b;
    ir_ref n = irb_bit_count(b, of_lanes(r, m.low));
    return is_wide(r) ? irb_iadd(b, n, irb_bit_count(b, m.high)) : n;
}

static void
emit_bit_count(spirv_reader *r, const spirv_insn *i)
{
    mask m = mask_operand(r, i, 5);
    ir_ref n;
    demand_result(r, i, SPIRV_INT, 32, 1);
    switch (i->w[4]) {
    case SPIRV_GROUP_REDUCE: n = count_all(r, m); break;
    case SPIRV_GROUP_INCLUSIVE: {
        ir_ref own = own_bit(r, m);
        n = count_below(r, m);
        n = irb_iadd(&r->b, n, ir_build_alu(&r->b, IR_b2i, IR_I32, own, ir_none(), ir_none()));
        break;
    }
    case SPIRV_GROUP_EXCLUSIVE: n = count_below(r, m); break;
    default: spirv_unsupported(r, "group operation %u", i->w[4]);
    }
    spirv_define_scalar(r, i, n);
}

/* The lowest or highest lane of the mask; -1: there is none. */
static ir_ref
find_lane(spirv_reader *r, mask m, bool highest)
{
    ir_builder *b = &r->b;
    ir_ref low = of_lanes(r, m.low);
    ir_ref x = highest ? irb_ufind_msb(b, low) : irb_find_lsb(b, low);
    if (!is_wide(r))
        return x;
    ir_ref y = highest ? irb_ufind_msb(b, m.high) : irb_find_lsb(b, m.high);
    ir_ref no_low = irb_ilt(b, x, spirv_imm(r, 32, 0)),
           no_high = irb_ilt(b, y, spirv_imm(r, 32, 0));
    ir_ref high = irb_iadd(b, y, spirv_imm(r, 32, 64));
    if (highest)
        return irb_bcsel(b, no_high, x, high);
    return irb_bcsel(b, irb_iand(b, no_low, irb_inot(b, no_high)), high, x);
}

static void
emit_ballot_bit(spirv_reader *r, const spirv_insn *i)
{
    mask m = mask_operand(r, i, 4);
    ir_ref x;
    switch (i->op) {
    case SPIRV_OpGroupNonUniformInverseBallot: /* the mask must be the same in all lanes */
        m.low = one_operand(r, IR_read_first_invocation, 64, m.low);
        if (is_wide(r))
            m.high = one_operand(r, IR_read_first_invocation, 64, m.high);
        x = own_bit(r, m);
        break;
    case SPIRV_OpGroupNonUniformBallotBitExtract: x = mask_bit(r, m, index_operand(r, i, 5)); break;
    default: x = find_lane(r, m, i->op == SPIRV_OpGroupNonUniformBallotFindMSB); break;
    }
    unsigned bits = bits_of(r, x);
    demand_result(r, i, bits == 1 ? SPIRV_BOOL : SPIRV_INT, bits, 1);
    spirv_define_scalar(r, i, x);
}

/* ---- values of other lanes ---- */

static ir_op
quad_swap(spirv_reader *r, uint64_t direction)
{
    static const ir_op ops[] = {IR_quad_swap_horizontal, IR_quad_swap_vertical,
                                IR_quad_swap_diagonal};
    if (direction > 2)
        spirv_invalid(r, "direction %u of a quad swap", (unsigned)direction);
    return ops[direction];
}

static ir_op
exchange_op(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpGroupNonUniformBroadcast:
    case SPIRV_OpSubgroupReadInvocationKHR: return IR_read_invocation;
    case SPIRV_OpGroupNonUniformBroadcastFirst:
    case SPIRV_OpSubgroupFirstInvocationKHR: return IR_read_first_invocation;
    case SPIRV_OpGroupNonUniformShuffle: return IR_shuffle;
    case SPIRV_OpGroupNonUniformShuffleXor: return IR_shuffle_xor;
    case SPIRV_OpGroupNonUniformShuffleUp: return IR_shuffle_up;
    case SPIRV_OpGroupNonUniformShuffleDown: return IR_shuffle_down;
    case SPIRV_OpGroupNonUniformQuadBroadcast: return IR_quad_broadcast;
    case SPIRV_OpGroupNonUniformRotateKHR: return IR_rotate;
    default: return quad_swap(r, spirv_const_word(r, i, 5));
    }
}

/* The cluster size in word `k`, or 0 if the instruction has none. */
static uint32_t
cluster_size(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    if (k >= i->n)
        return 0;
    uint64_t size = spirv_const_word(r, i, k);
    if (!base_is_pow2(size) || size > 128)
        spirv_invalid(r, "a cluster of %u invocations", (unsigned)size);
    return (uint32_t)size;
}

/* Word `k` is the value; the next word is the lane (or distance). */
static void
emit_exchange(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    ir_op op = exchange_op(r, i);
    const spirv_type *t = spirv_type_ref(r, i, 1);
    const ir_ref *x = value_operand(r, i, k);
    bool alone = op == IR_read_first_invocation ||
                 (op >= IR_quad_swap_horizontal && op <= IR_quad_swap_diagonal);
    ir_ref lane = alone ? ir_none() : index_operand(r, i, k + 1);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (unsigned c = 0; c < t->leaves; c++) {
        leaf[c] = intrinsic(r, op, t->bits, x[c], lane);
        if (op == IR_rotate)
            ir_attr_set(ir_built(&r->b), IR_A_CLUSTER_SIZE, cluster_size(r, i, 6));
    }
    spirv_define(r, i, leaf);
}

/* ---- arithmetic ---- */

static ir_reduction
reduction_of(unsigned op, spirv_kind *kind)
{
    static const struct {
        uint8_t reduction, kind;
    } ops[] = {
        {IR_REDUCE_iadd, SPIRV_INT},   {IR_REDUCE_fadd, SPIRV_FLOAT}, {IR_REDUCE_imul, SPIRV_INT},
        {IR_REDUCE_fmul, SPIRV_FLOAT}, {IR_REDUCE_imin, SPIRV_INT},   {IR_REDUCE_umin, SPIRV_INT},
        {IR_REDUCE_fmin, SPIRV_FLOAT}, {IR_REDUCE_imax, SPIRV_INT},   {IR_REDUCE_umax, SPIRV_INT},
        {IR_REDUCE_fmax, SPIRV_FLOAT}, {IR_REDUCE_iand, SPIRV_INT},   {IR_REDUCE_ior, SPIRV_INT},
        {IR_REDUCE_ixor, SPIRV_INT},   {IR_REDUCE_iand, SPIRV_BOOL},  {IR_REDUCE_ior, SPIRV_BOOL},
        {IR_REDUCE_ixor, SPIRV_BOOL},
    }; /* in the order of the opcodes, starting with OpGroupNonUniformIAdd */
    unsigned at = op - SPIRV_OpGroupNonUniformIAdd;
    *kind = (spirv_kind)ops[at].kind;
    return (ir_reduction)ops[at].reduction;
}

static void
emit_arithmetic(spirv_reader *r, const spirv_insn *i)
{
    spirv_kind kind;
    ir_reduction reduction = reduction_of(i->op, &kind);
    const spirv_type *t = spirv_type_ref(r, i, 1);
    const ir_ref *x = value_operand(r, i, 5);
    uint32_t group = i->w[4], cluster = group == SPIRV_GROUP_CLUSTERED ? cluster_size(r, i, 6) : 0;
    ir_op op = group == SPIRV_GROUP_INCLUSIVE   ? IR_inclusive_scan
               : group == SPIRV_GROUP_EXCLUSIVE ? IR_exclusive_scan
                                                : IR_reduce;
    if (group > SPIRV_GROUP_CLUSTERED)
        spirv_unsupported(r, "group operation %u", group);
    if (spirv_scalar_of(t)->kind != kind || (group == SPIRV_GROUP_CLUSTERED && !cluster))
        spirv_invalid(r, "the value's type or the cluster does not fit the operation");
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (unsigned c = 0; c < t->leaves; c++) {
        leaf[c] = one_operand(r, op, t->bits, x[c]);
        ir_attr_set(ir_built(&r->b), IR_A_REDUCTION_OP, reduction);
        if (op == IR_reduce)
            ir_attr_set(ir_built(&r->b), IR_A_CLUSTER_SIZE, cluster);
    }
    spirv_define(r, i, leaf);
}

/* ---- the rest ---- */

static void
emit_clock(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *c = spirv_scalar_of(t);
    if (!c || c->kind != SPIRV_INT || c->bits * t->leaves != 64)
        spirv_invalid(r, "the result does not have 64 bits");
    ir_scope scope = spirv_scope(r, i, 3);
    ir_ref clock = one_operand(r, IR_shader_clock, 64, ir_none());
    ir_attr_set(ir_built(&r->b), IR_A_SCOPE, scope);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    spirv_bitcast(r, &clock, 64, leaf, c->bits, t->leaves);
    spirv_define(r, i, leaf);
}

static bool
emit_khr(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpSubgroupBallotKHR: emit_ballot(r, i, 3); return true;
    case SPIRV_OpSubgroupAllKHR:
    case SPIRV_OpSubgroupAnyKHR:
    case SPIRV_OpSubgroupAllEqualKHR: emit_vote(r, i, 3); return true;
    case SPIRV_OpSubgroupFirstInvocationKHR:
    case SPIRV_OpSubgroupReadInvocationKHR: emit_exchange(r, i, 3); return true;
    case SPIRV_OpReadClockKHR: emit_clock(r, i); return true;
    default: return false;
    }
}

void
spirv_emit_subgroup(spirv_reader *r, const spirv_insn *i)
{
    r->f->shader.uses_subgroups |= i->op != SPIRV_OpReadClockKHR;
    if (emit_khr(r, i))
        return;
    check_scope(r, i);
    if (i->op <= SPIRV_OpGroupNonUniformAllEqual)
        emit_vote(r, i, 4);
    else if (i->op == SPIRV_OpGroupNonUniformBallot)
        emit_ballot(r, i, 4);
    else if (i->op == SPIRV_OpGroupNonUniformBallotBitCount)
        emit_bit_count(r, i);
    else if (i->op >= SPIRV_OpGroupNonUniformInverseBallot &&
             i->op <= SPIRV_OpGroupNonUniformBallotFindMSB)
        emit_ballot_bit(r, i);
    else if (i->op >= SPIRV_OpGroupNonUniformIAdd && i->op <= SPIRV_OpGroupNonUniformLogicalXor)
        emit_arithmetic(r, i);
    else
        emit_exchange(r, i, 4);
}
