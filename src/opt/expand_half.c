/* Operations on binary16 by binary32, for machines that only convert between the two.
 *
 * Results are rounded as if in one step. A product of two binary16 is exact in binary32. For sums,
 * quotients and square roots rounding to binary32 first does no harm, because its 24 bits are at
 * least 2 * 11 + 2 (Figueroa, "When is double rounding innocuous?"); sums that are too small for 11
 * bits are exact. This holds for rounding to nearest. A fused multiplication and addition, and sums
 * that are rounded towards zero, go through binary64 and are then rounded to odd, which tells the
 * last rounding whether anything was lost.
 */
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
widen(ir_builder *b, unsigned bits, ir_ref r)
{
    return opt_convert(b, IR_f2f, bits, r);
}

/* binary64 to binary16 in one rounding. Binary32 rounded to odd has the lowest bit set if it is
 * inexact. */
static ir_ref
narrow_once(ir_builder *b, ir_ref wide)
{
    ir_ref cut = opt_convert(b, IR_f2f_rtz, 32, wide);
    ir_ref lost = irb_fneu(b, widen(b, 64, cut), wide);
    ir_ref odd = irb_ior(b, cut, opt_convert(b, IR_b2i, 32, lost));
    return opt_convert(b, IR_f2f, 16, odd);
}

/* The sum of a product of binary16 and a binary16 in binary64 is inexact only where the product is
 * too small to matter, and then next to a binary16, so this rounding does no harm. */
static ir_ref
fused(ir_builder *b, const ir_instr *i)
{
    return narrow_once(b, irb_ffma(b, widen(b, 64, i->refs[0]), widen(b, 64, i->refs[1]),
                                   widen(b, 64, i->refs[2])));
}

static ir_ref
sum_towards_zero(ir_builder *b, const ir_instr *i)
{
    ir_ref x = widen(b, 64, i->refs[0]), y = widen(b, 64, i->refs[1]);
    return narrow_once(b, i->op == IR_fadd ? irb_fadd(b, x, y) : irb_fsub(b, x, y));
}

static bool
is_float_kind(unsigned kind)
{
    return ir_kind_base((ir_kind)kind) == IR_KIND_F;
}

/* The same operation on widened sources. */
static ir_ref
by_single(ir_builder *b, const ir_instr *i)
{
    enum { BELOW_ONE = 0x3f7fe000 }; /* the largest binary16 below 1 */
    const ir_alu_info *row = &ir_alu_table[i->op];
    ir_ref refs[3] = {ir_none(), ir_none(), ir_none()};
    for (unsigned r = 0; r < row->n; r++)
        refs[r] = is_float_kind(row->src[r]) ? widen(b, 32, i->refs[r]) : i->refs[r];
    ir_ref result = ir_build_alu(b, (ir_op)i->op, 0, refs[0], refs[1], refs[2]);
    if (i->op == IR_ffract)
        result = irb_bcsel(b, irb_flt(b, ir_build_imm(b, 32, BELOW_ONE), result),
                           ir_build_imm(b, 32, BELOW_ONE), result);
    return is_float_kind(row->dst) ? opt_convert(b, IR_f2f, 16, result) : result;
}

/* A reduction, or a vote: in lanes' binary32. */
static ir_ref
subgroup_by_single(ir_builder *b, const ir_instr *i)
{
    bool vote = i->op == IR_vote_feq;
    ir_ref wide = widen(b, 32, i->refs[0]);
    b->f->values[wide.id].divergent = b->f->values[i->refs[0].id].divergent;
    ir_ref result = ir_build_intr(b, (ir_op)i->op, vote ? IR_BOOL : IR_TYPE(32, 1), &wide, 1);
    for (unsigned w = 0; w < i->n_words; w++)
        ir_words(ir_built(b))[w] = ir_words(i)[w];
    return vote ? result : opt_convert(b, IR_f2f, 16, result);
}

static bool
reduces_floats(const ir_instr *i)
{
    switch (ir_attr_get(i, IR_A_REDUCTION_OP)) {
    case IR_REDUCE_fadd:
    case IR_REDUCE_fmul:
    case IR_REDUCE_fmin:
    case IR_REDUCE_fmax: return true;
    default: return false;
    }
}

ir_ref
opt_expand_half(ir_builder *b, const ir_instr *i)
{
    enum { ROUND_ZERO_16 = 1 };
    bool towards_zero = b->f->shader.fp.round_zero & ROUND_ZERO_16;
    if (opt_src_bits(b, i) != 16)
        return ir_none();
    switch (i->op) {
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan: return reduces_floats(i) ? subgroup_by_single(b, i) : ir_none();
    case IR_vote_feq: return subgroup_by_single(b, i);
    case IR_f2f: /* conversions, and signs, which are bits */
    case IR_f2f_rtz:
    case IR_f2i:
    case IR_f2u:
    case IR_fneg:
    case IR_fabs: return ir_none();
    case IR_ffma: return fused(b, i);
    case IR_fadd:
    case IR_fsub: return towards_zero ? sum_towards_zero(b, i) : by_single(b, i);
    default:
        return ir_has_flag(i, IR_OP_ALU) && is_float_kind(ir_alu_table[i->op].src[0])
                   ? by_single(b, i)
                   : ir_none();
    }
}
