/* Offsets of storage buffers become shifts of element numbers, for machines that count elements.
 *
 *     32 %3 = imul %1, 12                32 %3 = imul %1, 3
 *     32 %4 = iadd %3, 16                32 %4 = iadd %3, 4
 *     ... @load_ssbo (%2, %4)      ->    32 %5 = ishl %4, 2
 *                                        ... @load_ssbo (%2, %5)
 *
 * An offset that is a sum of multiples of the element's size is divided summand by summand. Its
 * bits stay the same, since sums and products are modulo 2^32, also where a summand is negative: an
 * element before a structure that an index counts from. The selection takes the number below the
 * shift, which no later pass may fold; bits that the shift loses are of indices beyond all buffers.
 * Other offsets are left: dividing only a part of a sum would lose what the sum carries. One walk.
 */
#include "opt/opt.h"

#include "base/bits.h"
#include "ir/builder.h"

enum { MAX_DEPTH = 6 };

/* Is `r` a sum of multiples of 2^by? */
static bool
divides(const ir_fn *f, ir_ref r, unsigned by, unsigned depth)
{
    uint64_t c, mask = base_mask64(by);
    if (ir_is_const(f, r, &c))
        return !(c & mask);
    const ir_instr *i = ir_def_of(f, r);
    if (!i || !depth)
        return false;
    switch (i->op) {
    case IR_ishl: return ir_is_const(f, i->refs[1], &c) && c >= by && c < 32;
    case IR_imul: return ir_is_const(f, i->refs[1], &c) && !(c & mask);
    case IR_iadd:
    case IR_isub:
        return divides(f, i->refs[0], by, depth - 1) && divides(f, i->refs[1], by, depth - 1);
    default: return false;
    }
}

/* The sum of the divided summands. */
static ir_ref
divide(ir_builder *b, ir_ref r, unsigned by)
{
    uint64_t c = 0;
    if (ir_is_const(b->f, r, &c))
        return ir_build_imm(b, 32, (uint32_t)((int32_t)c >> by));
    const ir_instr *i = b->f->values[r.id].def;
    switch (i->op) {
    case IR_ishl:
        ir_is_const(b->f, i->refs[1], &c);
        return irb_ishl(b, i->refs[0], ir_build_imm(b, 32, c - by));
    case IR_imul: return irb_imul(b, i->refs[0], divide(b, i->refs[1], by));
    case IR_iadd: return irb_iadd(b, divide(b, i->refs[0], by), divide(b, i->refs[1], by));
    default: return irb_isub(b, divide(b, i->refs[0], by), divide(b, i->refs[1], by));
    }
}

/* A shift that is not folded. */
static ir_ref
shift_left(ir_builder *b, ir_ref r, unsigned by)
{
    ir_ref amount = ir_build_imm(b, 32, by);
    ir_instr *i = ir_new_instr(b->f, IR_ishl, 1, 2);
    i->refs[0] = r;
    i->refs[1] = amount;
    ir_build_place(b, i);
    return ir_define(b->f, i, 0, ir_ref_type(b->f, r));
}

/* Which reference is the offset, and the type of the elements; none: -1. */
static int
offset_at(const ir_fn *f, const ir_instr *i, ir_type *type)
{
    switch (i->op) {
    case IR_load_ssbo:
    case IR_ssbo_atomic:
    case IR_ssbo_atomic_swap: *type = f->values[i->defs[0].id].type; return 1;
    case IR_store_ssbo: *type = ir_ref_type(f, i->refs[0]); return 2;
    default: return -1;
    }
}

static bool
visit(ir_builder *b, ir_instr *i)
{
    ir_type type;
    const int at = offset_at(b->f, i, &type);
    if (at < 0 || ir_is_const(b->f, i->refs[at], NULL))
        return false;
    const unsigned bits = ir_type_bits(type), by = bits >= 32 ? 2 : bits == 16 ? 1 : 0;
    const ir_instr *def = ir_def_of(b->f, i->refs[at]);
    if (!by || !def || def->op == IR_ishl || !divides(b->f, i->refs[at], by, MAX_DEPTH))
        return false;
    ir_builder_before(b, i);
    b->loc = i->loc;
    i->refs[at] = shift_left(b, divide(b, i->refs[at], by), by);
    return true;
}

bool
opt_scale_offsets(ir_fn *f)
{
    bool changed = false;
    ir_builder b;
    ir_builder_init(&b, f);
    IR_FOREACH_INSTR_OF(i, f) {
        changed |= visit(&b, i);
    }
    return changed;
}
