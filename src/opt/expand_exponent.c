/* Operations on the exponent of binary32 and binary16 by bits and products, for machines that have
 * no instruction for them. */
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
imm(ir_builder *b, uint32_t value)
{
    return ir_build_imm(b, 32, value);
}

/* 2 to the power of an integer from -126 to 127. */
static ir_ref
power_of_two(ir_builder *b, ir_ref n)
{
    return irb_ishl(b, irb_iadd(b, n, imm(b, 127)), imm(b, 23));
}

static ir_ref
clamp(ir_builder *b, ir_ref n, int32_t low, int32_t high)
{
    return irb_imax(b, irb_imin(b, n, imm(b, (uint32_t)high)), imm(b, (uint32_t)low));
}

/* In two steps, of which only the last may round. */
static ir_ref
scale(ir_builder *b, unsigned bits, ir_ref x, ir_ref n)
{
    const ir_ref wide = bits == 16 ? opt_convert(b, IR_f2f, 32, x) : x;
    const ir_ref limited = clamp(b, n, -252, 254);
    const ir_ref half = irb_ishr(b, limited, imm(b, 1));
    const ir_ref rest = irb_isub(b, limited, half);
    const ir_ref r = irb_fmul(b, irb_fmul(b, wide, power_of_two(b, half)), power_of_two(b, rest));
    return bits == 16 ? opt_convert(b, IR_f2f, 16, r) : r;
}

/* Fraction in [0.5, 1) and exponent; zero, infinity and what is no number stay. */
static ir_ref
take_apart(ir_builder *b, const ir_instr *i, unsigned bits)
{
    ir_ref x = bits == 16 ? opt_convert(b, IR_f2f, 32, i->refs[0]) : i->refs[0];
    const ir_ref size = irb_iand(b, x, imm(b, 0x7fffffff));
    const ir_ref is_small = irb_ult(b, size, imm(b, 0x00800000));
    const ir_ref scaled = irb_fmul(b, x, ir_build_fimm(b, 32, 16777216.0));
    const ir_ref plain = irb_ior(b, irb_ieq(b, size, imm(b, 0)),
                                 irb_uge(b, size, imm(b, 0x7f800000)));
    x = irb_bcsel(b, is_small, scaled, x);
    if (i->op == IR_frexp_sig) {
        const ir_ref fraction = irb_ior(b, irb_iand(b, x, imm(b, 0x807fffff)), imm(b, 0x3f000000));
        const ir_ref r = irb_bcsel(b, plain, x, fraction);
        return bits == 16 ? opt_convert(b, IR_f2f, 16, r) : r;
    }
    const ir_ref field = irb_iand(b, irb_ushr(b, x, imm(b, 23)), imm(b, 255));
    const ir_ref bias = irb_bcsel(b, is_small, imm(b, 126 + 24), imm(b, 126));
    return irb_bcsel(b, plain, imm(b, 0), irb_isub(b, field, bias));
}

/* Numbers that a half holds as denormals become zero. */
static ir_ref
quantize(ir_builder *b, ir_ref x)
{
    const ir_ref half = opt_convert(b, IR_f2f, 32, opt_convert(b, IR_f2f, 16, x));
    const ir_ref sign = irb_iand(b, x, imm(b, 0x80000000));
    const ir_ref is_small = irb_flt(b, irb_fabs(b, x), ir_build_fimm(b, 32, 6.103515625e-05));
    return irb_bcsel(b, is_small, sign, half);
}

ir_ref
opt_expand_exponent(ir_builder *b, const ir_instr *i)
{
    const unsigned bits = opt_src_bits(b, i);
    if (bits != 16 && bits != 32)
        return ir_none();
    switch (i->op) {
    case IR_ldexp: return scale(b, bits, i->refs[0], i->refs[1]);
    case IR_frexp_sig:
    case IR_frexp_exp: return take_apart(b, i, bits);
    case IR_fquantize2f16: return quantize(b, i->refs[0]);
    default: return ir_none();
    }
}
