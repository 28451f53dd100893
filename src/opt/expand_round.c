/* Rounding of binary64 to integers by operations on bits, for machines without instructions for it.
 */
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
imm32(ir_builder *b, uint32_t v)
{
    return ir_build_imm(b, 32, v);
}

static ir_ref
number(ir_builder *b, double v)
{
    return ir_build_fimm(b, 64, v);
}

/* Clears the bits of the fraction: those that the exponent moves behind the point. Numbers below 1
 * become a zero of their sign; those with all bits before the point stay, as do infinities and
 * NaNs. */
static ir_ref
truncated(ir_builder *b, ir_ref x)
{
    enum { EXPONENT_AT = 20, EXPONENT_BITS = 11, BIAS = 1023, MANTISSA_BITS = 52 };
    ir_ref hi = opt_hi(b, x);
    ir_ref exponent = irb_isub(
        b, irb_ubitfield_extract(b, hi, imm32(b, EXPONENT_AT), imm32(b, EXPONENT_BITS)),
        imm32(b, BIAS));
    ir_ref fraction = irb_ushr(b, ir_build_imm(b, 64, base_mask64(MANTISSA_BITS)), exponent);
    ir_ref cut = irb_iand(b, x, irb_inot(b, fraction));
    ir_ref zero = opt_pack(b, imm32(b, 0), irb_iand(b, hi, imm32(b, 0x80000000)));
    ir_ref r = irb_bcsel(b, irb_ilt(b, exponent, imm32(b, 0)), zero, cut);
    return irb_bcsel(b, irb_ilt(b, exponent, imm32(b, MANTISSA_BITS)), r, x);
}

static ir_ref
floor_of(ir_builder *b, ir_ref x)
{
    ir_ref t = truncated(b, x);
    return irb_bcsel(b, irb_flt(b, x, t), irb_fadd(b, t, number(b, -1)), t);
}

static ir_ref
ceiling_of(ir_builder *b, ir_ref x)
{
    ir_ref t = truncated(b, x);
    return irb_bcsel(b, irb_flt(b, t, x), irb_fadd(b, t, number(b, 1)), t);
}

/* Adding 2^52 leaves no room for a fraction, so the addition rounds. */
static ir_ref
nearest_even(ir_builder *b, ir_ref x)
{
    ir_ref sign = irb_iand(b, x, ir_build_imm(b, 64, UINT64_C(1) << 63));
    ir_ref large = number(b, 4503599627370496.0), size = irb_fabs(b, x);
    ir_ref sum = irb_fadd(b, size, large);
    ir_ref rounded = irb_ior(b, irb_fsub(b, sum, large), sign);
    return irb_bcsel(b, irb_flt(b, size, large), rounded, x);
}

/* At most the largest number below 1. */
static ir_ref
fraction_of(ir_builder *b, ir_ref x)
{
    ir_ref rest = irb_fsub(b, x, floor_of(b, x));
    ir_ref most = ir_build_imm(b, 64, UINT64_C(0x3fefffffffffffff));
    return irb_bcsel(b, irb_fge(b, rest, number(b, 1)), most, rest);
}

ir_ref
opt_expand_round(ir_builder *b, const ir_instr *i)
{
    bool exact = b->exact;
    ir_ref r = ir_none();
    if (opt_src_bits(b, i) != 64)
        return r;
    b->exact = true;
    switch (i->op) {
    case IR_ftrunc: r = truncated(b, i->refs[0]); break;
    case IR_ffloor: r = floor_of(b, i->refs[0]); break;
    case IR_fceil: r = ceiling_of(b, i->refs[0]); break;
    case IR_fround_even: r = nearest_even(b, i->refs[0]); break;
    case IR_ffract: r = fraction_of(b, i->refs[0]); break;
    default: break;
    }
    b->exact = exact;
    return r;
}
