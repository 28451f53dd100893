/* Operations on numbers: 64 bits as pairs, 8 and 16 bits by 32, those that are several. */
#include "r600/lower/lower.h"

#include "opt/expand.h"
#include "opt/lower.h"

enum { SIGN_16 = 0x8000, ONE_16 = 0x3c00 };

/* A product of two binary16 is exact in binary32. */
static ir_ref
half_fma(ir_builder *b, const ir_instr *i)
{
    ir_ref wide[3];
    for (unsigned r = 0; r < 3; r++)
        wide[r] = opt_convert(b, IR_f2f, 32, i->refs[r]);
    return opt_convert(b, IR_f2f, 16, irb_ffma(b, wide[0], wide[1], wide[2]));
}

/* Conversions to and from binary16 go through binary32, which has all integers that binary16 has;
 * signs are bits. */
static ir_ref
expand_half(ir_builder *b, const ir_instr *i)
{
    const unsigned from = opt_src_bits(b, i), to = opt_def_bits(b, i);
    const bool from_int = i->op == IR_i2f || i->op == IR_u2f;
    const ir_ref x = i->n_refs ? i->refs[0] : ir_none();
    if (to == 16 && from_int)
        return opt_convert(b, IR_f2f, 16, opt_convert(b, (ir_op)i->op, 32, x));
    if (to == 16 && i->op == IR_b2f)
        return irb_bcsel(b, x, ir_build_imm(b, 16, ONE_16), ir_build_imm(b, 16, 0));
    if (from != 16)
        return ir_none();
    switch (i->op) {
    case IR_f2i:
    case IR_f2u: return opt_convert(b, (ir_op)i->op, to, opt_convert(b, IR_f2f, 32, x));
    case IR_fneg: return irb_ixor(b, x, ir_build_imm(b, 16, SIGN_16));
    case IR_fabs: return irb_iand(b, x, ir_build_imm(b, 16, SIGN_16 - 1));
    case IR_ffma: return half_fma(b, i);
    default: return opt_expand_half(b, i);
    }
}

static bool
is_float(unsigned op)
{
    const ir_kind from = ir_kind_base((ir_kind)ir_alu_table[op].src[0]);
    const ir_kind to = ir_kind_base((ir_kind)ir_alu_table[op].dst);
    return from == IR_KIND_F || (to == IR_KIND_F && op != IR_i2f && op != IR_u2f);
}

static ir_ref
expand_narrow(ir_builder *b, const ir_instr *i)
{
    const bool is_conversion = i->op == IR_f2i || i->op == IR_f2u;
    if (is_float(i->op) && !is_conversion)
        return ir_none();
    const ir_ref r = opt_expand_narrow(b, i, 8);
    return r.kind == IR_REF_NONE ? opt_expand_narrow(b, i, 16) : r;
}

static ir_ref
lower(ir_builder *b, const ir_instr *i)
{
    static opt_lower_fn *const ways[] = {
        opt_expand_double, opt_expand_dot, opt_expand_saturation, opt_expand_exponent,
        opt_expand_pair,   expand_half,    expand_narrow,         NULL,
    };
    return ir_has_flag(i, IR_OP_ALU) ? opt_lower_by(ways, b, i) : opt_expand_lanes(b, i);
}

bool
r600_lower_values(ir_fn *f)
{
    return opt_lower(f, lower);
}
