#include "opt/expand.h"

#include "opt/lower.h"

static ir_ref
imm(ir_builder *b, uint32_t v)
{
    return ir_build_imm(b, 32, v);
}

ir_ref
opt_expand_inverse_ballot(ir_builder *b, const ir_instr *i)
{
    ir_ref lane = ir_build_intr(b, IR_load_subgroup_invocation, IR_I32, NULL, 0);
    b->f->values[lane.id].divergent = true;
    ir_ref bit = irb_iand(b, irb_unpack_64_2x32_x(b, irb_ushr(b, i->refs[0], lane)), imm(b, 1));
    return irb_ine(b, bit, imm(b, 0));
}

ir_ref
opt_expand_boolean_reduction(ir_builder *b, const ir_instr *i)
{
    if (ir_ref_type(b->f, i->refs[0]) != IR_BOOL)
        return ir_none();
    ir_ref wide = ir_build_alu(b, IR_b2i, IR_I32, i->refs[0], ir_none(), ir_none());
    ir_ref r = ir_build_intr(b, (ir_op)i->op, IR_I32, &wide, 1);
    for (unsigned w = 0; w < i->n_words; w++)
        ir_words(ir_built(b))[w] = ir_words(i)[w];
    return irb_ine(b, r, imm(b, 0));
}

/* Equal in all active lanes: each compares with the first one, in its own size and type. */
static ir_ref
expand_vote_equal(ir_builder *b, const ir_instr *i)
{
    const ir_ref x = i->refs[0];
    const ir_op op = i->op == IR_vote_feq ? IR_feq : IR_ieq;
    const ir_ref first = ir_build_intr(b, IR_read_first_invocation, ir_ref_type(b->f, x), &x, 1);
    const ir_ref same = ir_build_alu(b, op, 0, x, first, ir_none());
    return ir_build_intr(b, IR_vote_all, IR_BOOL, &same, 1);
}

ir_ref
opt_expand_lanes(ir_builder *b, const ir_instr *i)
{
    switch (i->op) {
    case IR_vote_ieq:
    case IR_vote_feq: return expand_vote_equal(b, i);
    case IR_inverse_ballot: return opt_expand_inverse_ballot(b, i);
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan: return opt_expand_boolean_reduction(b, i);
    default: return ir_none();
    }
}

static ir_ref
byte_of(ir_builder *b, ir_ref word, unsigned k, bool sign)
{
    return sign ? irb_extract_i8(b, word, imm(b, k)) : irb_extract_u8(b, word, imm(b, k));
}

ir_ref
opt_expand_dot(ir_builder *b, const ir_instr *i)
{
    if (i->op < IR_sdot_4x8_iadd || i->op > IR_sudot_4x8_iadd_sat)
        return ir_none();
    bool no_sign = i->op == IR_udot_4x8_uadd || i->op == IR_udot_4x8_uadd_sat;
    bool mixed = i->op == IR_sudot_4x8_iadd || i->op == IR_sudot_4x8_iadd_sat;
    ir_ref sum = imm(b, 0);
    for (unsigned k = 0; k < 4; k++) {
        ir_ref x = byte_of(b, i->refs[0], k, !no_sign),
               y = byte_of(b, i->refs[1], k, !no_sign && !mixed);
        sum = irb_iadd(b, sum, irb_imul(b, x, y));
    }
    switch (i->op) {
    case IR_sdot_4x8_iadd_sat:
    case IR_sudot_4x8_iadd_sat: return irb_iadd_sat(b, sum, i->refs[2]);
    case IR_udot_4x8_uadd_sat: return irb_uadd_sat(b, sum, i->refs[2]);
    default: return irb_iadd(b, sum, i->refs[2]);
    }
}

/* A sum overflows if its operands have the same sign and the result has the other one; a
 * difference, if its operands have different signs and the result's sign differs from x's. The
 * result saturates towards x's sign. */
static ir_ref
signed_saturation(ir_builder *b, ir_op op, unsigned bits, ir_ref x, ir_ref y)
{
    bool sub = op == IR_isub_sat;
    ir_ref zero = ir_build_imm(b, bits, 0), top = imm(b, bits - 1);
    ir_ref r = sub ? irb_isub(b, x, y) : irb_iadd(b, x, y);
    ir_ref signs = irb_ixor(b, x, y);
    signs = irb_iand(b, sub ? signs : irb_inot(b, signs), irb_ixor(b, x, r));
    ir_ref limit = irb_ixor(b, irb_ishr(b, x, top), ir_build_imm(b, bits, base_mask64(bits - 1)));
    return irb_bcsel(b, irb_ilt(b, signs, zero), limit, r);
}

ir_ref
opt_expand_saturation(ir_builder *b, const ir_instr *i)
{
    if (i->op < IR_iadd_sat || i->op > IR_usub_sat)
        return ir_none();
    unsigned bits = opt_src_bits(b, i);
    ir_ref x = i->refs[0], y = i->refs[1];
    if (i->op == IR_uadd_sat) {
        ir_ref sum = irb_iadd(b, x, y);
        return irb_bcsel(b, irb_ult(b, sum, x), ir_build_imm(b, bits, base_mask64(bits)), sum);
    }
    if (i->op == IR_usub_sat)
        return irb_bcsel(b, irb_ult(b, x, y), ir_build_imm(b, bits, 0), irb_isub(b, x, y));
    return signed_saturation(b, (ir_op)i->op, bits, x, y);
}
