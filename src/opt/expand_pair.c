/* Integers of 64 bits as pairs of 32, for machines that have nothing for them. What lower_int64
 * leaves is here; conversions and selections stay. */
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
imm(ir_builder *b, uint32_t value)
{
    return ir_build_imm(b, 32, value);
}

static ir_ref
sum(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref xl = opt_lo(b, x), yl = opt_lo(b, y);
    const ir_ref low = irb_iadd(b, xl, yl);
    const ir_ref carry = opt_convert(b, IR_b2i, 32, irb_ult(b, low, xl));
    return opt_pack(b, low, irb_iadd(b, irb_iadd(b, opt_hi(b, x), opt_hi(b, y)), carry));
}

static ir_ref
difference(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref xl = opt_lo(b, x), yl = opt_lo(b, y);
    const ir_ref borrow = opt_convert(b, IR_b2i, 32, irb_ult(b, xl, yl));
    const ir_ref high = irb_isub(b, opt_hi(b, x), opt_hi(b, y));
    return opt_pack(b, irb_isub(b, xl, yl), irb_isub(b, high, borrow));
}

static ir_ref
halves(ir_builder *b, ir_op op, ir_ref x, ir_ref y)
{
    const ir_ref low = ir_build_alu(b, op, 0, opt_lo(b, x), opt_lo(b, y), ir_none());
    return opt_pack(b, low, ir_build_alu(b, op, 0, opt_hi(b, x), opt_hi(b, y), ir_none()));
}

/* The bits that a shift by `n`, 0 to 31, moves from one half to the other. */
static ir_ref
moved_bits(ir_builder *b, ir_op op, ir_ref x, ir_ref n)
{
    const ir_ref rest = irb_isub(b, imm(b, 31), n);
    const ir_ref one = ir_build_alu(b, op, 0, x, imm(b, 1), ir_none());
    return ir_build_alu(b, op, 0, one, rest, ir_none());
}

static ir_ref
shift(ir_builder *b, ir_op op, ir_ref x, ir_ref count)
{
    const ir_ref n = irb_iand(b, count, imm(b, 31));
    const ir_ref far = irb_ine(b, irb_iand(b, count, imm(b, 32)), imm(b, 0));
    const ir_ref lo = opt_lo(b, x), hi = opt_hi(b, x);
    if (op == IR_ishl) {
        const ir_ref low = irb_ishl(b, lo, n);
        const ir_ref high = irb_ior(b, irb_ishl(b, hi, n), moved_bits(b, IR_ushr, lo, n));
        return opt_pack(b, irb_bcsel(b, far, imm(b, 0), low), irb_bcsel(b, far, low, high));
    }
    const ir_ref high = ir_build_alu(b, op, 0, hi, n, ir_none());
    const ir_ref low = irb_ior(b, irb_ushr(b, lo, n), moved_bits(b, IR_ishl, hi, n));
    const ir_ref fill = op == IR_ishr ? irb_ishr(b, hi, imm(b, 31)) : imm(b, 0);
    return opt_pack(b, irb_bcsel(b, far, high, low), irb_bcsel(b, far, fill, high));
}

static ir_ref
less(ir_builder *b, bool is_signed, ir_ref x, ir_ref y)
{
    const ir_ref xh = opt_hi(b, x), yh = opt_hi(b, y);
    const ir_ref high = is_signed ? irb_ilt(b, xh, yh) : irb_ult(b, xh, yh);
    const ir_ref low = irb_ult(b, opt_lo(b, x), opt_lo(b, y));
    return irb_bcsel(b, irb_ieq(b, xh, yh), low, high);
}

static ir_ref
equal(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref low = irb_ixor(b, opt_lo(b, x), opt_lo(b, y));
    const ir_ref high = irb_ixor(b, opt_hi(b, x), opt_hi(b, y));
    return irb_ieq(b, irb_ior(b, low, high), imm(b, 0));
}

static ir_ref
product(ir_builder *b, bool is_signed, ir_ref x, ir_ref y)
{
    const ir_ref high = is_signed ? irb_imul_high(b, x, y) : irb_umul_high(b, x, y);
    return opt_pack(b, irb_imul(b, x, y), high);
}

static ir_ref
lower_comparison(ir_builder *b, const ir_instr *i)
{
    const ir_ref x = i->refs[0], y = i->refs[1];
    switch (i->op) {
    case IR_ieq: return equal(b, x, y);
    case IR_ine: return irb_inot(b, equal(b, x, y));
    case IR_ilt: return less(b, true, x, y);
    case IR_ult: return less(b, false, x, y);
    case IR_ige: return irb_inot(b, less(b, true, x, y));
    case IR_uge: return irb_inot(b, less(b, false, x, y));
    default: return ir_none();
    }
}

/* -1 of both is -1. */
static ir_ref
find_lowest(ir_builder *b, ir_ref x)
{
    ir_ref low = opt_lo(b, x), zero = ir_build_imm(b, 32, 0);
    ir_ref high = irb_find_lsb(b, opt_hi(b, x));
    ir_ref there = irb_ior(b, high, ir_build_imm(b, 32, 32)); /* 32 + high */
    return irb_bcsel(b, irb_ine(b, low, zero), irb_find_lsb(b, low), there);
}

static ir_ref
lower_wide(ir_builder *b, const ir_instr *i)
{
    const ir_ref x = i->refs[0], y = i->n_refs > 1 ? i->refs[1] : ir_none();
    const ir_ref ones = ir_build_imm(b, 64, UINT64_MAX);
    switch (i->op) {
    case IR_iadd: return sum(b, x, y);
    case IR_isub: return difference(b, x, y);
    case IR_ineg: return difference(b, ir_build_imm(b, 64, 0), x);
    case IR_iand:
    case IR_ior:
    case IR_ixor: return halves(b, (ir_op)i->op, x, y);
    case IR_inot: return halves(b, IR_ixor, x, ones);
    case IR_ishl:
    case IR_ishr:
    case IR_ushr: return shift(b, (ir_op)i->op, x, y);
    case IR_find_lsb: return find_lowest(b, x);
    case IR_bit_count:
        return irb_iadd(b, irb_bit_count(b, opt_lo(b, x)), irb_bit_count(b, opt_hi(b, x)));
    default: return ir_none();
    }
}

ir_ref
opt_expand_pair(ir_builder *b, const ir_instr *i)
{
    const unsigned from = opt_src_bits(b, i), to = opt_def_bits(b, i);
    switch (i->op) {
    case IR_umul_2x32_64: return product(b, false, i->refs[0], i->refs[1]);
    case IR_imul_2x32_64: return product(b, true, i->refs[0], i->refs[1]);
    case IR_i2i: /* selection has conversions: the builder makes them of pairs */
    case IR_u2u:
    case IR_b2i: return ir_none();
    default: break;
    }
    if (from != 64 || !(b->f->level->ops[i->op].flags & IR_OP_ALU))
        return ir_none();
    return to == 1 ? lower_comparison(b, i) : lower_wide(b, i);
}
