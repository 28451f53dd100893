/* Doubles by what a machine has for them, or soft_double.c makes: sums, products, fused ones,
 * comparisons, and conversions from and to binary32.
 *
 * Quotients and roots begin with the binary32 ones of the numbers without their exponents, which
 * Newton's method makes exact to the last bit or nearly so; the exponents come back at the end.
 * Zeros, infinities and NaNs take the way of binary32, where nothing depends on the digits.
 * TeraScale's RECIP_64 and SQRT_64 are not used: what they return exactly is not known. */
#include "opt/expand.h"
#include "opt/lower.h"

enum { BIAS = 1023, EXPONENT_AT = 20, EXPONENT_BITS = 11, TOP = 0x7ff, SIGN = -0x7fffffff - 1 };

static ir_ref
imm(ir_builder *b, uint32_t v)
{
    return ir_build_imm(b, 32, v);
}

static ir_ref
number(ir_builder *b, double v)
{
    return ir_build_fimm(b, 64, v);
}

static ir_ref
to_double(ir_builder *b, ir_ref x)
{
    return opt_convert(b, IR_f2f, 64, x);
}

static ir_ref
to_single(ir_builder *b, ir_ref x)
{
    return opt_convert(b, IR_f2f, 32, x);
}

static ir_ref
with_high(ir_builder *b, ir_ref x, ir_ref high)
{
    return opt_pack(b, opt_lo(b, x), high);
}

static ir_ref
negative_product(ir_builder *b, ir_ref x, ir_ref y, ir_ref plus)
{
    return irb_ffma(b, irb_fneg(b, x), y, plus);
}

/* ---- exponents ---- */

/* 2 to the power of a number from -1022 to 1023. */
static ir_ref
power(ir_builder *b, ir_ref n)
{
    const ir_ref at = irb_ishl(b, irb_iadd(b, n, imm(b, BIAS)), imm(b, EXPONENT_AT));
    return opt_pack(b, imm(b, 0), at);
}

/* By four factors, each of which is a double. */
static ir_ref
scaled(ir_builder *b, ir_ref x, ir_ref n)
{
    enum { MOST = 2200, PARTS = 4 };
    const ir_ref most = imm(b, MOST), least = imm(b, (uint32_t)-MOST);
    const ir_ref by = irb_imax(b, irb_imin(b, n, most), least);
    const ir_ref part = irb_ishr(b, by, imm(b, 2)), factor = power(b, part);
    const ir_ref rest = irb_isub(b, by, irb_imul(b, part, imm(b, PARTS - 1)));
    ir_ref r = irb_fmul(b, x, power(b, rest));
    for (unsigned k = 1; k < PARTS; k++)
        r = irb_fmul(b, r, factor);
    return r;
}

/* A finite number that is not zero as a mantissa from 1 to 2, with its sign, and an exponent. */
typedef struct parts {
    ir_ref mantissa, exponent;
    ir_ref is_special; /* zero, infinite, or no number */
} parts;

static ir_ref
exponent_field(ir_builder *b, ir_ref high)
{
    return irb_ubitfield_extract(b, high, imm(b, EXPONENT_AT), imm(b, EXPONENT_BITS));
}

static parts
take_apart(ir_builder *b, ir_ref x)
{
    enum { SHIFT = 54 };
    const ir_ref is_small = irb_ieq(b, exponent_field(b, opt_hi(b, x)), imm(b, 0));
    const ir_ref larger = irb_fmul(b, x, number(b, 18014398509481984.0));
    const ir_ref normal = irb_bcsel(b, is_small, larger, x), high = opt_hi(b, normal);
    const ir_ref field = exponent_field(b, high);
    const ir_ref bias = irb_bcsel(b, is_small, imm(b, BIAS + SHIFT), imm(b, BIAS));
    const ir_ref rest = irb_iand(b, high, imm(b, 0x800fffff));
    parts p;
    p.mantissa = with_high(b, normal, irb_ior(b, rest, imm(b, (uint32_t)BIAS << EXPONENT_AT)));
    p.exponent = irb_isub(b, field, bias);
    p.is_special = irb_ior(b, irb_ieq(b, field, imm(b, 0)), irb_ieq(b, field, imm(b, TOP)));
    return p;
}

/* What counts of a number beside a special one: itself in binary32 if it is special, else 1 with
 * its sign. */
static ir_ref
kind_of(ir_builder *b, ir_ref x, const parts *p)
{
    const ir_ref sign = irb_iand(b, opt_hi(b, x), imm(b, (uint32_t)SIGN));
    return irb_bcsel(b, p->is_special, to_single(b, x), irb_ior(b, sign, imm(b, 0x3f800000)));
}

/* ---- quotients and roots ---- */

static ir_ref
reciprocal(ir_builder *b, ir_ref mantissa)
{
    ir_ref r = to_double(b, irb_frcp(b, to_single(b, mantissa)));
    for (unsigned k = 0; k < 3; k++)
        r = irb_ffma(b, r, negative_product(b, mantissa, r, number(b, 1)), r);
    return r;
}

static ir_ref
quotient(ir_builder *b, ir_ref x, ir_ref y)
{
    const parts p = take_apart(b, x), q = take_apart(b, y);
    const ir_ref r = reciprocal(b, q.mantissa);
    const ir_ref near = irb_fmul(b, p.mantissa, r);
    const ir_ref rest = negative_product(b, q.mantissa, near, p.mantissa);
    const ir_ref exact = irb_ffma(b, rest, r, near);
    const ir_ref usual = scaled(b, exact, irb_isub(b, p.exponent, q.exponent));
    const ir_ref kind = irb_fmul(b, kind_of(b, x, &p), irb_frcp(b, kind_of(b, y, &q)));
    return irb_bcsel(b, irb_ior(b, p.is_special, q.is_special), to_double(b, kind), usual);
}

/* Of a number whose exponent is even, so that the mantissa is from 1 to 4. */
static ir_ref
root(ir_builder *b, ir_ref x)
{
    const parts p = take_apart(b, x);
    const ir_ref odd = irb_iand(b, p.exponent, imm(b, 1));
    const ir_ref even = irb_isub(b, p.exponent, odd);
    const ir_ref m = irb_fmul(b, p.mantissa, power(b, odd));
    const ir_ref seed = to_double(b, irb_frsq(b, to_single(b, m)));
    ir_ref g = irb_fmul(b, m, seed), h = irb_fmul(b, seed, number(b, 0.5));
    for (unsigned k = 0; k < 2; k++) {
        const ir_ref r = negative_product(b, g, h, number(b, 0.5));
        g = irb_ffma(b, g, r, g);
        h = irb_ffma(b, h, r, h);
    }
    g = irb_ffma(b, negative_product(b, g, g, m), h, g);
    const ir_ref usual = scaled(b, g, irb_ishr(b, even, imm(b, 1)));
    const ir_ref is_negative = irb_ilt(b, opt_hi(b, x), imm(b, 0));
    const ir_ref special = to_double(b, irb_fsqrt(b, kind_of(b, x, &p)));
    return irb_bcsel(b, irb_ior(b, p.is_special, is_negative), special, usual);
}

/* ---- integers ---- */

/* 2^52 plus an integer has it in its low dword, and so is made. */
static ir_ref
from_word(ir_builder *b, ir_ref word, double less)
{
    return irb_fsub(b, opt_pack(b, word, imm(b, 0x43300000)), number(b, less));
}

static ir_ref
from_int(ir_builder *b, const ir_instr *i)
{
    const bool is_signed = i->op == IR_i2f;
    const unsigned bits = opt_src_bits(b, i);
    ir_ref x = i->refs[0];
    if (bits < 32)
        x = opt_convert(b, is_signed ? IR_i2i : IR_u2u, 32, x);
    if (bits <= 32 && !is_signed)
        return from_word(b, x, 4503599627370496.0);
    if (bits <= 32)
        return from_word(b, irb_ixor(b, x, imm(b, (uint32_t)SIGN)), 4503601774854144.0);
    /* 2^84 plus 2^32 times the high dword, less what is too much, is exact */
    const ir_ref high = is_signed ? irb_ixor(b, opt_hi(b, x), imm(b, (uint32_t)SIGN))
                                  : opt_hi(b, x);
    const double less = is_signed ? 19342822341709703277445120.0 : 19342813118337666422669312.0;
    const ir_ref upper = irb_fsub(b, opt_pack(b, high, imm(b, 0x45300000)), number(b, less));
    return irb_fadd(b, upper, opt_pack(b, opt_lo(b, x), imm(b, 0x43300000)));
}

static ir_ref
word_of(ir_builder *b, ir_ref whole)
{
    return opt_lo(b, irb_fadd(b, whole, number(b, 4503599627370496.0)));
}

/* Out of range is the nearest that is in it, and what is no number is 0: MAX takes the other. */
static ir_ref
to_int(ir_builder *b, const ir_instr *i)
{
    const unsigned bits = opt_def_bits(b, i);
    const bool is_signed = i->op == IR_f2i;
    const ir_ref x = i->refs[0];
    if (bits != 32)
        return ir_none();
    const double most = is_signed ? 2147483647.0 : 4294967295.0;
    const double least = is_signed ? -2147483648.0 : 0;
    const ir_ref in = irb_fmin(b, irb_fmax(b, x, number(b, least)), number(b, most));
    const ir_ref whole = irb_ffloor(b, irb_fabs(b, in)), word = word_of(b, whole);
    const ir_ref is_negative = irb_flt(b, in, number(b, 0));
    const ir_ref r = irb_bcsel(b, is_negative, irb_ineg(b, word), word);
    return irb_bcsel(b, irb_feq(b, x, x), r, imm(b, 0));
}

static ir_ref
sign_of(ir_builder *b, ir_ref x)
{
    const ir_ref zero = number(b, 0);
    const ir_ref below = irb_bcsel(b, irb_flt(b, x, zero), number(b, -1), x);
    return irb_bcsel(b, irb_flt(b, zero, x), number(b, 1), below);
}

/* With the other sign, in integers: the builder makes x - y of x + -y, which would be expanded
 * again. */
static ir_ref
negated(ir_builder *b, ir_ref x)
{
    return with_high(b, x, irb_ixor(b, opt_hi(b, x), imm(b, (uint32_t)SIGN)));
}

static ir_ref
expand(ir_builder *b, const ir_instr *i)
{
    const ir_ref x = i->refs[0];
    switch (i->op) {
    case IR_fdiv: return quotient(b, x, i->refs[1]);
    case IR_frcp: return quotient(b, number(b, 1), x);
    case IR_fsqrt: return root(b, x);
    case IR_frsq: return quotient(b, number(b, 1), root(b, x));
    case IR_ldexp: return scaled(b, x, i->refs[1]);
    case IR_fsat: return irb_fmax(b, irb_fmin(b, x, number(b, 1)), number(b, 0));
    case IR_fsub: return irb_fadd(b, x, negated(b, i->refs[1]));
    case IR_fneg: return negated(b, x);
    case IR_fabs: return with_high(b, x, irb_iand(b, opt_hi(b, x), imm(b, ~(uint32_t)SIGN)));
    case IR_fsign: return sign_of(b, x);
    case IR_f2i:
    case IR_f2u: return to_int(b, i);
    default: return opt_expand_round(b, i);
    }
}

ir_ref
opt_expand_double(ir_builder *b, const ir_instr *i)
{
    const bool was_exact = b->exact;
    ir_ref r = ir_none();
    b->exact = true; /* ffma is fused */
    if ((i->op == IR_i2f || i->op == IR_u2f) && opt_def_bits(b, i) == 64)
        r = from_int(b, i);
    else if (i->op == IR_b2f && opt_def_bits(b, i) == 64)
        r = opt_pack(b, imm(b, 0), irb_bcsel(b, i->refs[0], imm(b, 0x3ff00000), imm(b, 0)));
    else if (i->n_refs && opt_src_bits(b, i) == 64)
        r = expand(b, i);
    b->exact = was_exact;
    return r;
}
