/* Rounding of binary64 to integers by sums and comparisons, for machines without instructions for
 * it. Zeros keep their signs. */
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
number(ir_builder *b, double v)
{
    return ir_build_fimm(b, 64, v);
}

/* A number that is not negative, with the sign of `x`. */
static ir_ref
with_sign(ir_builder *b, ir_ref size, ir_ref x)
{
    ir_ref sign = irb_iand(b, opt_hi(b, x), ir_build_imm(b, 32, UINT32_C(1) << 31));
    return opt_pack(b, opt_lo(b, size), irb_ior(b, opt_hi(b, size), sign));
}

/* Adding 2^52 leaves no room for a fraction, so the addition rounds. */
static ir_ref
nearest_even(ir_builder *b, ir_ref x)
{
    ir_ref large = number(b, 4503599627370496.0), size = irb_fabs(b, x);
    ir_ref sum = irb_fadd(b, size, large);
    ir_ref rounded = with_sign(b, irb_fsub(b, sum, large), x);
    return irb_bcsel(b, irb_flt(b, size, large), rounded, x);
}

static ir_ref
floor_of(ir_builder *b, ir_ref x)
{
    ir_ref r = nearest_even(b, x);
    return irb_bcsel(b, irb_flt(b, x, r), irb_fadd(b, r, number(b, -1)), r);
}

static ir_ref
ceiling_of(ir_builder *b, ir_ref x)
{
    return irb_fneg(b, floor_of(b, irb_fneg(b, x)));
}

static ir_ref
truncated(ir_builder *b, ir_ref x)
{
    return with_sign(b, floor_of(b, irb_fabs(b, x)), x);
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
