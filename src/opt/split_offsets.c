/* Adds the constants in offsets of shared memory last.
 *
 *     32 %3 = iadd %1, 2
 *     32 %4 = imul %3, 68                32 %4 = imul %1, 68
 *     32 %5 = iadd %4, %2                32 %5 = iadd %4, %2
 *     ... @load_shared (%5)       ->     32 %6 = iadd %5, 136
 *                                        ... @load_shared (%6)
 *
 * Instructions have a field for the constant. Accesses that differ in it alone share the rest of
 * their offsets, once equal values are merged, and can be merged themselves (opt/vectorize_mem.c).
 * Offsets are computed modulo 2^32, so the order of additions does not matter. Other memory is left
 * out: its instructions may check the offset without the constant. One walk.
 */
#include "opt/opt.h"

#include "ir/builder.h"

enum { MAX_DEPTH = 6 };

/* `r` without the constants added in it, whose sum is added to `*sum`. Changes nothing, and returns
 * `r`, if there are none. */
static ir_ref
strip(ir_builder *b, ir_ref r, unsigned depth, uint64_t *sum)
{
    const ir_instr *i = b->f->values[r.id].def;
    uint64_t k = 0, x = 0, y = 0;
    if (depth == MAX_DEPTH || !i || i->n_refs != 2 || i->defs[0].id != r.id)
        return r;
    bool constant = ir_is_const(b->f, i->refs[1], &k);
    if (i->op == IR_iadd && constant) {
        *sum += k;
        return strip(b, i->refs[0], depth + 1, sum);
    }
    bool add = i->op == IR_iadd || i->op == IR_isub;
    bool scale = (i->op == IR_imul || (i->op == IR_ishl && k < 32)) && constant;
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

static bool
visit(ir_builder *b, ir_instr *i)
{
    unsigned at = i->op == IR_store_shared;
    uint64_t sum = 0;
    ir_builder_before(b, i);
    b->loc = i->loc;
    ir_ref base = strip(b, i->refs[at], 0, &sum);
    if (is_split(b->f, i->refs[at], base) || !ir_may_change(b->f->ctx))
        return false;
    i->refs[at] = irb_iadd(b, base, ir_build_imm(b, 32, sum & UINT32_MAX));
    return true;
}

bool
opt_split_offsets(ir_fn *f)
{
    bool changed = false;
    ir_builder b;
    if (!ir_made_op(f, IR_load_shared) && !ir_made_op(f, IR_store_shared))
        return false;
    ir_builder_init(&b, f);
    IR_FOREACH_BLOCK(block, f) {
        IR_FOREACH_INSTR(i, block) {
            if (i->op == IR_load_shared || i->op == IR_store_shared)
                changed |= visit(&b, i);
        }
    }
    return changed;
}
