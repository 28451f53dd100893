/* Float operations that are several instructions, and bit operations. */
#include "adreno/lower/lower.h"

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

ir_ref
adreno_lower_float(ir_builder *b, const ir_instr *i)
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

/* Operations on 16 bits that are there for 32 alone. */
static ir_ref
widen(ir_builder *b, const ir_instr *i, unsigned to)
{
    ir_ref refs[3] = {ir_none(), ir_none(), ir_none()};
    for (unsigned r = 0; r < i->n_refs && r < 3; r++)
        refs[r] = ir_type_bits(ir_ref_type(b->f, i->refs[r])) == 16
                      ? opt_convert(b,
                                    i->op == IR_ibitfield_extract || i->op == IR_ifind_msb ? IR_i2i
                                                                                           : IR_u2u,
                                    32, i->refs[r])
                      : i->refs[r];
    ir_ref x = ir_build_alu(b, (ir_op)i->op, 0, refs[0], refs[1], refs[2]);
    if (i->op == IR_bitfield_reverse)
        x = irb_ushr(b, x, imm(b, 16));
    return to == 16 ? opt_convert(b, IR_u2u, 16, x) : x;
}

static bool
is_fixed_field(const ir_builder *b, const ir_instr *i)
{
    uint64_t offset, count;
    return ir_is_const(b->f, i->refs[1], &offset) && ir_is_const(b->f, i->refs[2], &count) &&
           count > 0 && offset + count <= 32;
}

ir_ref
adreno_lower_bits(ir_builder *b, const ir_instr *i)
{
    const unsigned bits = opt_src_bits(b, i);
    const ir_ref *r = i->refs;
    uint64_t k;
    switch (i->op) {
    case IR_bitfield_reverse:
    case IR_bit_count:
    case IR_find_lsb:
    case IR_ufind_msb:
    case IR_ifind_msb:
    case IR_ubitfield_extract:
    case IR_ibitfield_extract:
        if (bits == 16)
            return widen(b, i, opt_def_bits(b, i));
        if (i->op == IR_ibitfield_extract && is_fixed_field(b, i))
            return ir_none(); /* selection makes the shifts, which are folded to this */
        return i->op == IR_ubitfield_extract || i->op == IR_ibitfield_extract
                   ? opt_expand_bits(b, i)
                   : ir_none();
    case IR_umul_high: return bits == 32 ? high_product(b, r[0], r[1]) : ir_none();
    case IR_imul_high: return bits == 32 ? high_product_signed(b, r[0], r[1]) : ir_none();
    case IR_extract_i8:
    case IR_extract_i16: /* the same of parts */
        return ir_is_const(b->f, r[1], &k) ? ir_none() : opt_expand_bits(b, i);
    case IR_bfm:
    case IR_bitfield_select:
    case IR_extract_u8:
    case IR_extract_u16:
    case IR_isign:
    case IR_uadd_carry:
    case IR_usub_borrow: return opt_expand_bits(b, i);
    default: return ir_none();
    }
}
