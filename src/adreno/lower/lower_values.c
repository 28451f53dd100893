/* Operations that are several instructions, or that there are for other sizes alone. */
#include "adreno/lower/lower.h"

#include "adreno/adreno.h"
#include "base/bits.h"
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
imm(ir_builder *b, uint32_t value)
{
    return ir_build_imm(b, 32, value);
}

/* The special functions take angles of one turn around zero: 2 pi (fract(x / 2 pi + 0.5)) - pi. */
static ir_ref
reduce_angle(ir_builder *b, unsigned bits, ir_ref x)
{
    const ir_ref turns = irb_ffma(b, x, ir_build_fimm(b, bits, 0.15915494309189535),
                                  ir_build_fimm(b, bits, 0.5));
    const ir_ref part = irb_fsub(b, turns, irb_ffloor(b, turns));
    return irb_ffma(b, part, ir_build_fimm(b, bits, 6.283185307179586),
                    ir_build_fimm(b, bits, -3.141592653589793));
}

static bool
is_reduced(const ir_builder *b, const ir_instr *i)
{
    enum { MINUS_PI_16 = 0xc248 };
    const uint32_t minus_pi = base_f32_bits(-3.14159265358979f);
    const ir_instr *def = b->f->values[i->refs[0].id].def;
    uint64_t last;
    return def && def->op == IR_ffma && ir_is_const(b->f, def->refs[2], &last) &&
           (last == minus_pi || last == MINUS_PI_16);
}

static ir_ref
lower_float(ir_builder *b, const ir_instr *i)
{
    const unsigned bits = opt_src_bits(b, i);
    const ir_ref x = i->n_refs ? i->refs[0] : ir_none();
    if (bits != 16 && bits != 32)
        return ir_none();
    switch (i->op) {
    case IR_fdiv: return irb_fmul(b, x, irb_frcp(b, i->refs[1]));
    case IR_fpow: return irb_fexp2(b, irb_fmul(b, irb_flog2(b, x), i->refs[1]));
    case IR_ffract: return irb_fsub(b, x, irb_ffloor(b, x));
    case IR_fsin: return is_reduced(b, i) ? ir_none() : irb_fsin(b, reduce_angle(b, bits, x));
    case IR_fcos: return is_reduced(b, i) ? ir_none() : irb_fcos(b, reduce_angle(b, bits, x));
    case IR_ldexp:
    case IR_frexp_sig:
    case IR_frexp_exp:
    case IR_fquantize2f16: return opt_expand_exponent(b, i);
    case IR_fequ: /* not of fneo, which would become this again */
        return irb_inot(b, irb_ior(b, irb_flt(b, x, i->refs[1]), irb_flt(b, i->refs[1], x)));
    case IR_fneo: return irb_ior(b, irb_flt(b, x, i->refs[1]), irb_flt(b, i->refs[1], x));
    default: return ir_none();
    }
}

/* ---- bits ---- */

/* The upper half of a product, by products of halves. */
static ir_ref
high_product(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref low = imm(b, 0xffff), sixteen = imm(b, 16);
    const ir_ref xl = irb_iand(b, x, low), xh = irb_ushr(b, x, sixteen);
    const ir_ref yl = irb_iand(b, y, low), yh = irb_ushr(b, y, sixteen);
    const ir_ref mid = irb_iadd(b, irb_imul(b, xh, yl), irb_ushr(b, irb_imul(b, xl, yl), sixteen));
    const ir_ref other = irb_iadd(b, irb_imul(b, xl, yh), irb_iand(b, mid, low));
    const ir_ref top = irb_iadd(b, irb_imul(b, xh, yh), irb_ushr(b, mid, sixteen));
    return irb_iadd(b, top, irb_ushr(b, other, sixteen));
}

static ir_ref
high_product_signed(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref sx = irb_ishr(b, x, imm(b, 31)), sy = irb_ishr(b, y, imm(b, 31));
    const ir_ref high = irb_isub(b, high_product(b, x, y), irb_iand(b, sx, y));
    return irb_isub(b, high, irb_iand(b, sy, x));
}

/* Fields and parts at fixed places: selection makes the shifts, which are folded to these. */
static bool
is_fixed_field(const ir_builder *b, const ir_instr *i)
{
    uint64_t offset, count;
    switch (i->op) {
    case IR_ibitfield_extract:
        return ir_is_const(b->f, i->refs[1], &offset) && ir_is_const(b->f, i->refs[2], &count) &&
               count > 0 && offset + count <= 32;
    case IR_extract_i8:
    case IR_extract_i16: return ir_is_const(b->f, i->refs[1], &offset);
    default: return false;
    }
}

/* Of 16 bits lower_int64 has left counts alone. */
static ir_ref
lower_bits(ir_builder *b, const ir_instr *i)
{
    const unsigned bits = opt_src_bits(b, i);
    switch (i->op) {
    case IR_bit_count:
    case IR_find_lsb:
    case IR_ufind_msb:
    case IR_ifind_msb: return opt_expand_narrow(b, i, 16);
    case IR_umul_high: return bits == 32 ? high_product(b, i->refs[0], i->refs[1]) : ir_none();
    case IR_imul_high:
        return bits == 32 ? high_product_signed(b, i->refs[0], i->refs[1]) : ir_none();
    default: return is_fixed_field(b, i) ? ir_none() : opt_expand_bits(b, i);
    }
}

/* ---- sizes of numbers ---- */

static ir_ref
lower_byte(ir_builder *b, const ir_instr *i)
{
    return opt_expand_narrow(b, i, 8);
}

/* HEDDLE_DEBUG=nofp16: by binary32, but where its rounding would show. */
static ir_ref
lower_half(ir_builder *b, const ir_instr *i)
{
    const bool exact = i->op != IR_ffma && !b->f->shader.fp.round_zero;
    return exact && adreno_prog(b->f)->debug & ADRENO_DEBUG_NO_FP16 ? opt_expand_half(b, i)
                                                                    : ir_none();
}

/* Doubles are made of integers, other operations on them of those. */
static ir_ref
lower_double(ir_builder *b, const ir_instr *i)
{
    return b->f->level->ops[i->op].flags & IR_OP_ALU ? opt_expand_double(b, i) : ir_none();
}

static ir_ref
lower(ir_builder *b, const ir_instr *i)
{
    static opt_lower_fn *const ways[] = {
        opt_expand_pair,
        lower_byte,
        lower_half,
        lower_float,
        lower_bits,
        opt_expand_saturation,
        opt_expand_dot,
        opt_expand_soft_double,
        lower_double,
        opt_expand_lanes,
        NULL,
    };
    return opt_lower_by(ways, b, i);
}

bool
adreno_lower_values(ir_fn *f)
{
    return opt_lower(f, lower);
}
