/* Subgroup operations on booleans. The ballot holds all lanes' values as the bits of one scalar.
 *
 * Reading another lane's value tests a bit of it, or moves all bits. A reduction tests that no lane
 * is false (`and`), that one is true (`or`), or the lowest bit of the number of true lanes (`xor`).
 * A scan does the same for the lanes below. A swap in a quad stays as it is: it costs no more than
 * a ballot.
 */
#include "opt/subgroup_bool.h"

static ir_ref
imm(ir_builder *b, unsigned bits, uint64_t v)
{
    return ir_build_imm(b, bits, v);
}

ir_ref
opt_ballot(ir_builder *b, ir_ref x)
{
    ir_ref mask = ir_build_intr(b, IR_ballot, IR_I64, &x, 1);
    if (b->f->shader.wave_size != 32)
        return mask;
    return ir_build_alu(b, IR_u2u, IR_I64, irb_unpack_64_2x32_x(b, mask), ir_none(), ir_none());
}

static ir_ref
own_lane(ir_builder *b)
{
    return ir_build_intr(b, IR_load_subgroup_invocation, IR_I32, NULL, 0);
}

/* The mask shifted down by `from` bits, truncated to 32 bits. */
static ir_ref
shifted(ir_builder *b, ir_ref mask, ir_ref from)
{
    if (b->f->shader.wave_size == 32)
        return irb_ushr(b, irb_unpack_64_2x32_x(b, mask), from);
    return irb_unpack_64_2x32_x(b, irb_ushr(b, mask, from));
}

static ir_ref
bit_of(ir_builder *b, ir_ref mask, ir_ref lane)
{
    ir_ref bit = irb_iand(b, shifted(b, mask, lane), imm(b, 32, 1));
    return irb_ine(b, bit, imm(b, 32, 0));
}

/* ---- exchanges ---- */

static ir_ref
rotated_lane(ir_builder *b, const ir_instr *i)
{
    uint32_t cluster = ir_attr_get(i, IR_A_CLUSTER_SIZE), wave = b->f->shader.wave_size;
    cluster = cluster ? cluster : wave;
    ir_ref size = cluster ? imm(b, 32, cluster)
                          : ir_build_intr(b, IR_load_subgroup_size, IR_I32, NULL, 0);
    ir_ref inside = irb_isub(b, size, imm(b, 32, 1)), lane = own_lane(b);
    return irb_bitfield_select(b, inside, irb_iadd(b, lane, i->refs[1]), lane);
}

static ir_ref
source_lane(ir_builder *b, const ir_instr *i)
{
    switch (i->op) {
    case IR_shuffle_xor: return irb_ixor(b, own_lane(b), i->refs[1]);
    case IR_shuffle_up: return irb_isub(b, own_lane(b), i->refs[1]);
    case IR_shuffle_down: return irb_iadd(b, own_lane(b), i->refs[1]);
    case IR_rotate: return rotated_lane(b, i);
    case IR_read_first_invocation: return irb_find_lsb(b, opt_ballot(b, imm(b, 1, 1)));
    default: return i->refs[1]; /* shuffle, read_invocation */
    }
}

/* The value of the lane `n` below or above, `n` being uniform: the bits of all lanes move. */
static ir_ref
shifted_lanes(ir_builder *b, const ir_instr *i)
{
    ir_ref mask = opt_ballot(b, i->refs[0]), n = i->refs[1];
    bool up = i->op == IR_shuffle_up, narrow = b->f->shader.wave_size == 32;
    if (narrow)
        mask = irb_unpack_64_2x32_x(b, mask);
    mask = up ? irb_ishl(b, mask, n) : irb_ushr(b, mask, n);
    if (narrow)
        mask = ir_build_alu(b, IR_u2u, IR_I64, mask, ir_none(), ir_none());
    return ir_build_intr(b, IR_inverse_ballot, IR_BOOL, &mask, 1);
}

static ir_ref
other_lane(ir_builder *b, const ir_instr *i)
{
    bool moves = i->op == IR_shuffle_up || i->op == IR_shuffle_down;
    if (moves && !b->f->values[i->refs[1].id].divergent)
        return shifted_lanes(b, i);
    ir_ref lane = source_lane(b, i);
    return bit_of(b, opt_ballot(b, i->refs[0]), lane);
}

/* ---- reductions and scans ---- */

/* The result of a reduction or scan, given `n`: the number or mask of the lanes that count. */
static ir_ref
verdict(ir_builder *b, unsigned op, ir_ref n)
{
    ir_ref zero = imm(b, ir_type_bits(ir_ref_type(b->f, n)), 0);
    if (op == IR_REDUCE_ixor)
        return irb_ine(b, irb_iand(b, n, imm(b, 32, 1)), zero);
    return op == IR_REDUCE_iand ? irb_ieq(b, n, zero) : irb_ine(b, n, zero);
}

/* The ballot's bits for this lane's cluster, shifted down to bit 0. */
static ir_ref
of_cluster(ir_builder *b, ir_ref mask, uint32_t cluster)
{
    uint32_t wave = b->f->shader.wave_size;
    if (!cluster || cluster >= (wave ? wave : 64))
        return mask;
    ir_ref first = irb_iand(b, own_lane(b), imm(b, 32, (uint32_t)(0 - cluster)));
    if (cluster > 32)
        return irb_ushr(b, mask, first);
    return irb_iand(b, shifted(b, mask, first), imm(b, 32, base_mask64(cluster)));
}

static ir_ref
reduce(ir_builder *b, const ir_instr *i, unsigned op)
{
    uint32_t cluster = ir_attr_get(i, IR_A_CLUSTER_SIZE);
    ir_ref x = i->refs[0];
    if (!cluster && op != IR_REDUCE_ixor)
        return ir_build_intr(b, op == IR_REDUCE_iand ? IR_vote_all : IR_vote_any, IR_BOOL, &x, 1);
    ir_ref mask = opt_ballot(b, op == IR_REDUCE_iand ? irb_inot(b, x) : x);
    mask = of_cluster(b, mask, cluster);
    return verdict(b, op, op == IR_REDUCE_ixor ? irb_bit_count(b, mask) : mask);
}

static ir_ref
scan(ir_builder *b, const ir_instr *i, unsigned op)
{
    ir_ref x = i->refs[0], mask = opt_ballot(b, op == IR_REDUCE_iand ? irb_inot(b, x) : x);
    ir_ref n = ir_build_intr(b, IR_ballot_bit_count_exclusive, IR_I32, &mask, 1);
    ir_ref before = verdict(b, op, n);
    if (i->op == IR_exclusive_scan)
        return before;
    return op == IR_REDUCE_iand  ? irb_iand(b, before, x)
           : op == IR_REDUCE_ior ? irb_ior(b, before, x)
                                 : irb_ixor(b, before, x);
}

static bool
is_logical(unsigned op)
{
    return op == IR_REDUCE_iand || op == IR_REDUCE_ior || op == IR_REDUCE_ixor;
}

ir_ref
opt_subgroup_bool(ir_builder *b, const ir_instr *i)
{
    switch (i->op) {
    case IR_read_invocation:
    case IR_read_first_invocation:
    case IR_shuffle:
    case IR_shuffle_xor:
    case IR_shuffle_up:
    case IR_shuffle_down:
    case IR_rotate: return other_lane(b, i);
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan: {
        unsigned op = ir_attr_get(i, IR_A_REDUCTION_OP);
        if (!is_logical(op))
            return ir_none();
        return i->op == IR_reduce ? reduce(b, i, op) : scan(b, i, op);
    }
    default: return ir_none();
    }
}
