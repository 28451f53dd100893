/* What chips before Evergreen lack, and what demotes mean for questions about helpers: behind the
 * pipeline, because it depends on the chip. */
#include "ir/pass.h"
#include "opt/cube_gradients.h"
#include "opt/expand.h"
#include "opt/lower.h"
#include "opt/lower_helper.h"
#include "r600/lower/lower.h"

/* The builder makes signed parts of the shifts that they would be: selection makes these. */
static ir_ref
lower_bits(ir_builder *b, const ir_instr *i)
{
    if (!ir_has_flag(i, IR_OP_ALU) || i->op == IR_isign || i->op == IR_extract_i8 ||
        i->op == IR_extract_i16)
        return ir_none();
    const ir_ref r = opt_expand_bits(b, i);
    return r.kind == IR_REF_NONE ? opt_expand_count(b, i) : r;
}

/* ---- fused multiplication and addition ---- */

static ir_ref
difference(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref sign = ir_build_imm(b, 32, UINT32_C(0x80000000));
    return irb_fadd(b, x, opt_pack(b, opt_lo(b, y), irb_ixor(b, opt_hi(b, y), sign)));
}

/* What the sum `s` of two doubles has lost: D. Knuth, The Art of Computer Programming, volume 2,
 * 4.2.2, theorem B. */
static ir_ref
lost(ir_builder *b, ir_ref x, ir_ref y, ir_ref s)
{
    const ir_ref y_part = difference(b, s, x);
    const ir_ref x_part = difference(b, s, y_part);
    return irb_fadd(b, difference(b, x, x_part), difference(b, y, y_part));
}

/* The sum rounded to odd, which can be rounded again to fewer digits: S. Boldo and G. Melquiond,
 * Emulation of FMA and Correctly Rounded Sums. */
static ir_ref
round_to_odd(ir_builder *b, ir_ref s, ir_ref rest)
{
    const ir_ref zero = ir_build_fimm(b, 64, 0), one = ir_build_imm(b, 32, 1);
    const ir_ref none = ir_build_imm(b, 32, 0);
    const ir_ref lo = opt_lo(b, s), hi = opt_hi(b, s);
    const ir_ref above = irb_flt(b, zero, rest), below = irb_flt(b, rest, zero);
    const ir_ref negative = irb_ilt(b, hi, none);
    const ir_ref grows = irb_bcsel(b, negative, below, above);
    const ir_ref shrinks = irb_bcsel(b, negative, above, below);
    const ir_ref is_even = irb_ieq(b, irb_iand(b, lo, one), none);
    const ir_ref less = irb_iand(b, shrinks, is_even), more = irb_iand(b, grows, is_even);
    const ir_ref borrows = irb_iand(b, less, irb_ieq(b, lo, none));
    const ir_ref low = irb_bcsel(b, more, irb_ior(b, lo, one),
                                 irb_bcsel(b, less, irb_isub(b, lo, one), lo));
    return opt_pack(b, low, irb_bcsel(b, borrows, irb_isub(b, hi, one), hi));
}

/* A product of two binary32 is exact in binary64. */
static ir_ref
lower_fused(ir_builder *b, const ir_instr *i)
{
    ir_ref wide[3];
    if (i->op != IR_ffma || !(i->form & IR_EXACT) || opt_def_bits(b, i) != 32)
        return ir_none();
    b->exact = true;
    for (unsigned r = 0; r < 3; r++)
        wide[r] = opt_convert(b, IR_f2f, 64, i->refs[r]);
    const ir_ref product = irb_fmul(b, wide[0], wide[1]);
    const ir_ref sum = irb_fadd(b, product, wide[2]);
    const ir_ref odd = round_to_odd(b, sum, lost(b, product, wide[2], sum));
    return opt_convert(b, IR_f2f, 32, odd);
}

/* ---- doubles ---- */

/* R600 and R700 add, multiply and convert doubles; the rest is made of integers. */
static ir_ref
lower_lacking(ir_builder *b, const ir_instr *i)
{
    if (i->op == IR_fadd || i->op == IR_fmul || i->op == IR_f2f || !ir_has_flag(i, IR_OP_ALU))
        return ir_none();
    return opt_expand_soft_double(b, i);
}

static void
lower_doubles(ir_fn *f, const r600_chip *chip)
{
    if (chip->gen > R600_GEN_R700 || !(chip->properties & R600_DOUBLES))
        return;
    opt_lower(f, lower_fused);
    if (opt_lower(f, lower_lacking))
        r600_lower_values(f);
}

void
r600_lower_chip(ir_fn *f, const r600_chip *chip)
{
    opt_lower_cube_gradients(f);
    if (f->shader.stage == IR_STAGE_FRAGMENT) {
        ir_require(f, IR_HAS_DOMINANCE);
        opt_lower_helper(f);
    }
    lower_doubles(f, chip);
    if (chip->gen <= R600_GEN_R700)
        opt_lower(f, lower_bits);
}
