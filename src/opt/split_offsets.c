/* Adds the constants in offsets of shared memory, and in addresses, last.
 *
 *     32 %3 = iadd %1, 2
 *     32 %4 = imul %3, 68                32 %4 = imul %1, 68
 *     32 %5 = iadd %4, %2                32 %5 = iadd %4, %2
 *     ... @load_shared (%5)       ->     32 %6 = iadd %5, 136
 *                                        ... @load_shared (%6)
 *
 * Instructions have a field for the constant. Accesses that differ in it alone share the rest of
 * their offsets, once equal values are merged, and can be merged themselves (opt/vectorize_mem.c).
 * Offsets and addresses are computed modulo 2^32 and 2^64, so the order of additions does not
 * matter. An index that becomes part of an address has 32 bits before; its constant is added behind
 * that only if the sum of 32 bits cannot wrap. Other memory is left out: its instructions may check
 * the offset without the constant. One walk.
 */
#include "opt/opt.h"
#include "opt/possible_bits.h"

#include "ir/builder.h"

enum { MAX_DEPTH = 6 };

static ir_ref
strip(ir_builder *b, ir_ref r, unsigned depth, uint64_t *sum);

/* An index of fewer bits, of which a constant is a summand that never carries out of them. */
static ir_ref
strip_index(ir_builder *b, ir_ref r, const ir_instr *i, uint64_t *sum)
{
    const ir_instr *add = b->f->values[i->refs[0].id].def;
    uint64_t k, all = base_mask64(ir_type_bits(ir_ref_type(b->f, i->refs[0])));
    if (!ir_is_value(i->refs[0]) || !add || add->op != IR_iadd ||
        !ir_is_const(b->f, add->refs[1], &k))
        return r;
    uint64_t x = opt_possible_bits(b->f, add->refs[0]);
    if (x > all - (k & all) && (x & k))
        return r;
    *sum += k & all;
    return ir_build_alu(b, IR_u2u, ir_type_bits(ir_ref_type(b->f, r)), add->refs[0], ir_none(),
                        ir_none());
}

/* `r` without the constants added in it, whose sum is added to `*sum`. Changes nothing, and returns
 * `r`, if there are none. */
static ir_ref
strip(ir_builder *b, ir_ref r, unsigned depth, uint64_t *sum)
{
    const ir_instr *i = ir_def_of(b->f, r);
    uint64_t k = 0, x = 0, y = 0;
    if (depth == MAX_DEPTH || !i || i->defs[0].id != r.id)
        return r;
    if (i->op == IR_u2u)
        return strip_index(b, r, i, sum);
    if (i->n_refs != 2)
        return r;
    bool constant = ir_is_const(b->f, i->refs[1], &k);
    if (i->op == IR_iadd && constant) {
        *sum += k;
        return strip(b, i->refs[0], depth + 1, sum);
    }
    unsigned bits = ir_type_bits(ir_ref_type(b->f, r));
    bool add = i->op == IR_iadd || i->op == IR_isub;
    bool scale = (i->op == IR_imul || (i->op == IR_ishl && k < bits)) && constant;
    if (!add && !scale)
        return r;
    ir_ref p = strip(b, i->refs[0], depth + 1, &x);
    ir_ref q = scale ? i->refs[1] : strip(b, i->refs[1], depth + 1, &y);
    if (ir_same_ref(p, i->refs[0]) && ir_same_ref(q, i->refs[1]))
        return r;
    *sum += i->op == IR_imul ? x * k : i->op == IR_ishl ? x << k : i->op == IR_isub ? x - y : x + y;
    return ir_build_alu(b, (ir_op)i->op, 0, p, q, ir_none());
}

/* Is the constant already the last summand? */
static bool
is_split(const ir_fn *f, ir_ref offset, ir_ref base)
{
    const ir_instr *i = f->values[offset.id].def;
    return ir_same_ref(offset, base) ||
           (i->op == IR_iadd && ir_is_const(f, i->refs[1], NULL) && ir_same_ref(i->refs[0], base));
}

/* Which reference is an offset or address that may be split; none: -1. */
static int
split_at(const ir_instr *i)
{
    switch (i->op) {
    case IR_load_shared:
    case IR_load_global: return 0;
    case IR_store_shared:
    case IR_store_global: return 1;
    default: return -1;
    }
}

static bool
visit(ir_builder *b, ir_instr *i, unsigned at)
{
    unsigned bits = ir_type_bits(ir_ref_type(b->f, i->refs[at]));
    uint64_t sum = 0;
    ir_builder_before(b, i);
    b->loc = i->loc;
    ir_ref base = strip(b, i->refs[at], 0, &sum);
    if (is_split(b->f, i->refs[at], base) || !ir_may_change(b->f->ctx))
        return false;
    i->refs[at] = irb_iadd(b, base, ir_build_imm(b, bits, sum & base_mask64(bits)));
    return true;
}

bool
opt_split_offsets(ir_fn *f)
{
    bool changed = false;
    ir_builder b;
    if (!ir_made_op(f, IR_load_shared) && !ir_made_op(f, IR_store_shared) &&
        !ir_made_op(f, IR_load_global) && !ir_made_op(f, IR_store_global))
        return false;
    ir_builder_init(&b, f);
    IR_FOREACH_INSTR_OF(i, f) {
        int at = split_at(i);
        if (at >= 0)
            changed |= visit(&b, i, (unsigned)at);
    }
    return changed;
}
