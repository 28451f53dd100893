/* Lowers integer operations of sizes that the machine does not have to 32-bit ones: for 64 bits
 * multiplication, minimum, maximum and similar, bit searches, bit fields, and conversions from and
 * to floats; for 8 and 16 bits those operations that need more than extended operands. 64-bit
 * addition, subtraction, logic, shifts, comparison, selection and bit counts stay: instruction
 * selection makes pairs of instructions from them.
 *
 * Division is lowered earlier (lower_idiv), which makes 64-bit multiplications.
 */
#include "opt/expand.h"
#include "opt/lower.h"
#include "opt/opt.h"

static ir_ref
imm32(ir_builder *b, uint32_t v)
{
    return ir_build_imm(b, 32, v);
}

static ir_ref
widen(ir_builder *b, ir_ref r)
{
    return opt_convert(b, IR_u2u, 64, r);
}

/* ---- multiplication ---- */

static ir_ref
imul64(ir_builder *b, ir_ref x, ir_ref y)
{
    ir_ref xl = opt_lo(b, x), xh = opt_hi(b, x), yl = opt_lo(b, y), yh = opt_hi(b, y);
    ir_ref low = irb_umul_2x32_64(b, xl, yl);
    ir_ref cross = irb_iadd(b, irb_imul(b, xl, yh), irb_imul(b, xh, yl));
    return opt_pack(b, opt_lo(b, low), irb_iadd(b, opt_hi(b, low), cross));
}

/* No sum overflows: (2^32 - 1)^2 + 2 (2^32 - 1) < 2^64. */
static ir_ref
umul_high64(ir_builder *b, ir_ref x, ir_ref y)
{
    ir_ref xl = opt_lo(b, x), xh = opt_hi(b, x), yl = opt_lo(b, y), yh = opt_hi(b, y);
    ir_ref low = irb_umul_2x32_64(b, xl, yl);
    ir_ref a = irb_iadd(b, irb_umul_2x32_64(b, xl, yh), widen(b, opt_hi(b, low)));
    ir_ref c = irb_iadd(b, irb_umul_2x32_64(b, xh, yl), widen(b, opt_lo(b, a)));
    ir_ref top = irb_iadd(b, irb_umul_2x32_64(b, xh, yh), widen(b, opt_hi(b, a)));
    return irb_iadd(b, top, widen(b, opt_hi(b, c)));
}

/* The signed product's upper half is the unsigned one's, minus each factor for which the other
 * factor is negative (Hacker's Delight, 8-3). */
static ir_ref
imul_high64(ir_builder *b, ir_ref x, ir_ref y)
{
    ir_ref sx = irb_ishr(b, x, imm32(b, 63)), sy = irb_ishr(b, y, imm32(b, 63));
    ir_ref high = umul_high64(b, x, y);
    high = irb_isub(b, high, irb_iand(b, sx, y));
    return irb_isub(b, high, irb_iand(b, sy, x));
}

static ir_ref
mul_high_narrow(ir_builder *b, ir_op op, unsigned bits, ir_ref x, ir_ref y)
{
    ir_op extend = op == IR_imul_high ? IR_i2i : IR_u2u;
    ir_ref wide = irb_imul(b, opt_convert(b, extend, 32, x), opt_convert(b, extend, 32, y));
    return opt_convert(b, IR_u2u, bits, irb_ushr(b, wide, imm32(b, bits)));
}

/* ---- signs, order ---- */

static ir_ref
iabs64(ir_builder *b, ir_ref x)
{
    ir_ref s = irb_ishr(b, x, imm32(b, 63));
    return irb_isub(b, irb_ixor(b, x, s), s);
}

static ir_ref
isign64(ir_builder *b, ir_ref x)
{
    ir_ref some = irb_ine(b, x, ir_build_imm(b, 64, 0));
    return irb_ior(b, irb_ishr(b, x, imm32(b, 63)), opt_convert(b, IR_b2i, 64, some));
}

static ir_ref
min_max(ir_builder *b, ir_op op, ir_ref x, ir_ref y)
{
    bool is_signed = op == IR_imin || op == IR_imax, is_max = op == IR_imax || op == IR_umax;
    ir_ref less = is_signed ? irb_ilt(b, x, y) : irb_ult(b, x, y);
    return is_max ? irb_bcsel(b, less, y, x) : irb_bcsel(b, less, x, y);
}

/* ---- carries of any size ---- */

static ir_ref
carry(ir_builder *b, ir_op op, unsigned bits, ir_ref x, ir_ref y)
{
    ir_ref c = op == IR_uadd_carry ? irb_ult(b, irb_iadd(b, x, y), x) : irb_ult(b, x, y);
    return opt_convert(b, IR_b2i, bits, c);
}

/* ---- bits ---- */

static ir_ref
ufind_msb64(ir_builder *b, ir_ref x)
{
    ir_ref hi = opt_hi(b, x), zero = imm32(b, 0);
    ir_ref high = irb_iadd(b, irb_ufind_msb(b, hi), imm32(b, 32));
    return irb_bcsel(b, irb_ine(b, hi, zero), high, irb_ufind_msb(b, opt_lo(b, x)));
}

static ir_ref
ifind_msb64(ir_builder *b, ir_ref x)
{
    return ufind_msb64(b, irb_ixor(b, x, irb_ishr(b, x, imm32(b, 63))));
}

static ir_ref
reverse64(ir_builder *b, ir_ref x)
{
    return opt_pack(b, irb_bitfield_reverse(b, opt_hi(b, x)),
                    irb_bitfield_reverse(b, opt_lo(b, x)));
}

static ir_ref
select64(ir_builder *b, ir_ref mask, ir_ref x, ir_ref y)
{
    return irb_ior(b, irb_iand(b, mask, x), irb_iand(b, irb_inot(b, mask), y));
}

/* Shifts the field up to the top and down again. A count of 0 needs care: it would shift by 64. */
static ir_ref
extract64(ir_builder *b, ir_op op, ir_ref x, ir_ref offset, ir_ref count)
{
    ir_ref up = irb_isub(b, irb_isub(b, imm32(b, 64), offset), count);
    ir_ref down = irb_isub(b, imm32(b, 64), count), zero = imm32(b, 0);
    ir_ref high = irb_ishl(b, x, up);
    ir_ref r = op == IR_ibitfield_extract ? irb_ishr(b, high, down) : irb_ushr(b, high, down);
    return irb_bcsel(b, irb_ieq(b, count, zero), ir_build_imm(b, 64, 0), r);
}

static ir_ref
extract_narrow(ir_builder *b, const ir_instr *i, unsigned bits)
{
    ir_ref x = opt_convert(b, IR_u2u, 32, i->refs[0]);
    ir_ref r = ir_build_alu(b, (ir_op)i->op, 0, x, i->refs[1], i->refs[2]);
    return opt_convert(b, IR_u2u, bits, r);
}

static ir_ref
reverse_narrow(ir_builder *b, ir_ref x, unsigned bits)
{
    ir_ref r = irb_bitfield_reverse(b, opt_convert(b, IR_u2u, 32, x));
    return opt_convert(b, IR_u2u, bits, irb_ushr(b, r, imm32(b, 32 - bits)));
}

/* ---- conversions ---- */

/* Correctly rounded: shifts the highest bit to the top and collects the bits that do not fit into
 * 32 in the lowest (sticky) bit, far below the 24 bits of the result; the 32-bit conversion then
 * rounds.
 */
static ir_ref
u64_to_f32(ir_builder *b, ir_ref x)
{
    ir_ref lead = irb_isub(b, imm32(b, 63), ufind_msb64(b, x));
    ir_ref top = irb_ishl(b, x, lead);
    ir_ref some = irb_ine(b, opt_lo(b, top), imm32(b, 0));
    ir_ref high = irb_ior(b, opt_hi(b, top), opt_convert(b, IR_b2i, 32, some));
    ir_ref f = opt_convert(b, IR_u2f, 32, high);
    return irb_ldexp(b, f, irb_isub(b, imm32(b, 32), lead));
}

static ir_ref
int64_to_float(ir_builder *b, bool is_signed, unsigned bits, ir_ref x)
{
    if (bits == 64) {
        ir_ref hi = opt_convert(b, is_signed ? IR_i2f : IR_u2f, 64, opt_hi(b, x));
        ir_ref lo = opt_convert(b, IR_u2f, 64, opt_lo(b, x));
        return irb_ffma(b, hi, ir_build_fimm(b, 64, 4294967296.0), lo);
    }
    ir_ref f = u64_to_f32(b, is_signed ? iabs64(b, x) : x);
    if (is_signed)
        f = irb_bcsel(b, irb_ilt(b, x, ir_build_imm(b, 64, 0)), irb_fneg(b, f), f);
    /* Numbers that are inexact in 32 bits overflow 16 bits anyway. */
    return bits == 16 ? opt_convert(b, IR_f2f, 16, f) : f;
}

/* The upper half is floor(x / 2^32), the lower half the remainder; both are exact. */
static ir_ref
float_to_int64(ir_builder *b, bool is_signed, unsigned bits, ir_ref x)
{
    if (bits < 32)
        return opt_convert(b, is_signed ? IR_i2i : IR_u2u, 64,
                           opt_convert(b, is_signed ? IR_f2i : IR_f2u, 32, x));
    if (bits == 32)
        x = opt_convert(b, IR_f2f, 64, x);
    x = irb_ftrunc(b, x);
    ir_ref hi = irb_ffloor(b, irb_fmul(b, x, ir_build_fimm(b, 64, 1 / 4294967296.0)));
    ir_ref lo = irb_ffma(b, hi, ir_build_fimm(b, 64, -4294967296.0), x);
    return opt_pack(b, opt_convert(b, IR_f2u, 32, lo),
                    opt_convert(b, is_signed ? IR_f2i : IR_f2u, 32, hi));
}

/* ---- dispatch ---- */

static ir_ref
lower64(ir_builder *b, const ir_instr *i)
{
    ir_ref x = i->refs[0], y = i->n_refs > 1 ? i->refs[1] : ir_none();
    switch (i->op) {
    case IR_imul: return imul64(b, x, y);
    case IR_umul_high: return umul_high64(b, x, y);
    case IR_imul_high: return imul_high64(b, x, y);
    case IR_iabs: return iabs64(b, x);
    case IR_isign: return isign64(b, x);
    case IR_imin:
    case IR_imax:
    case IR_umin:
    case IR_umax: return min_max(b, (ir_op)i->op, x, y);
    case IR_ufind_msb: return ufind_msb64(b, x);
    case IR_ifind_msb: return ifind_msb64(b, x);
    case IR_bitfield_reverse: return reverse64(b, x);
    case IR_bitfield_select: return select64(b, x, y, i->refs[2]);
    case IR_ubitfield_extract:
    case IR_ibitfield_extract: return extract64(b, (ir_op)i->op, x, y, i->refs[2]);
    case IR_i2f:
    case IR_u2f: return int64_to_float(b, i->op == IR_i2f, opt_def_bits(b, i), x);
    default: return ir_none();
    }
}

static ir_ref
lower_narrow(ir_builder *b, const ir_instr *i, unsigned bits)
{
    switch (i->op) {
    case IR_umul_high:
    case IR_imul_high: return mul_high_narrow(b, (ir_op)i->op, bits, i->refs[0], i->refs[1]);
    case IR_ubitfield_extract:
    case IR_ibitfield_extract: return extract_narrow(b, i, bits);
    case IR_bitfield_reverse: return reverse_narrow(b, i->refs[0], bits);
    default: return ir_none();
    }
}

static ir_ref
lower(ir_builder *b, const ir_instr *i)
{
    if (!ir_has_flag(i, IR_OP_ALU))
        return ir_none();
    unsigned bits = opt_src_bits(b, i);
    if ((i->op == IR_f2i || i->op == IR_f2u) && opt_def_bits(b, i) == 64)
        return float_to_int64(b, i->op == IR_f2i, bits, i->refs[0]);
    if (bits != 32 && (i->op == IR_uadd_carry || i->op == IR_usub_borrow))
        return carry(b, (ir_op)i->op, bits, i->refs[0], i->refs[1]);
    bool saturates = i->op == IR_iadd_sat || i->op == IR_uadd_sat || i->op == IR_isub_sat ||
                     i->op == IR_usub_sat;
    if (bits != 32 && saturates)
        return opt_expand_saturation(b, i);
    if (bits == 8 || bits == 16)
        return lower_narrow(b, i, bits);
    return bits == 64 ? lower64(b, i) : ir_none();
}

bool
opt_lower_int64(ir_fn *f)
{
    bool any = ir_made_bits(f, 8) || ir_made_bits(f, 16) || ir_made_bits(f, 64);
    return any && opt_lower(f, lower);
}
