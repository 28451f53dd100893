/* Doubles by integers, for machines without them: sums, products and fused ones, each rounded once
 * to the nearest even number, comparisons, and conversions from and to binary32 and to binary16.
 * The others are made of these by expand_double.c.
 *
 * A finite number is taken apart into a sign, an exponent, and a mantissa whose first bit is bit
 * 63, that of a denormal too. Sums are made in 128 bits, where the second number is moved behind
 * the first; a bit that falls out at the end sets the last one, enough to round rightly. */
#include "opt/expand.h"
#include "opt/lower.h"

enum {
    DIGITS = 53,
    EXPONENT_AT = 20, /* in the high dword */
    EXPONENT_BITS = 11,
    TOP = 0x7ff,
    BIAS = 1023,
    SPARE = 64 - DIGITS,
    NOTHING = -10000, /* the exponent of zero: below all others, and products of them */
};

#define SIGN      (UINT32_C(1) << 31)
#define INFINITE  UINT64_C(0x7ff0000000000000)
#define NO_NUMBER UINT64_C(0x7ff8000000000000)

static ir_ref
imm(ir_builder *b, uint32_t value)
{
    return ir_build_imm(b, 32, value);
}

static ir_ref
imm64(ir_builder *b, uint64_t value)
{
    return ir_build_imm(b, 64, value);
}

static ir_ref
bit_if(ir_builder *b, ir_ref condition)
{
    return opt_convert(b, IR_b2i, 32, condition);
}

/* ---- shifts ---- */

/* Zeros before the first one of 32 or 64 bits; of zero as many as there are bits. */
static ir_ref
leading_zeros(ir_builder *b, unsigned bits, ir_ref x)
{
    if (bits == 32)
        return irb_isub(b, imm(b, 31), irb_ufind_msb(b, x));
    const ir_ref high = opt_hi(b, x), is_low = irb_ieq(b, high, imm(b, 0));
    const ir_ref half = irb_bcsel(b, is_low, opt_lo(b, x), high);
    const ir_ref from = irb_bcsel(b, is_low, imm(b, 63), imm(b, 31));
    return irb_isub(b, from, irb_ufind_msb(b, half));
}

/* `x` with its last bit set if the condition holds. */
static ir_ref
marked(ir_builder *b, unsigned bits, ir_ref x, ir_ref condition)
{
    const ir_ref mark = bit_if(b, condition);
    if (bits == 32)
        return irb_ior(b, x, mark);
    return opt_pack(b, irb_ior(b, opt_lo(b, x), mark), opt_hi(b, x));
}

static ir_ref
moved_right(ir_builder *b, unsigned bits, ir_ref x, ir_ref n)
{
    const ir_ref r = irb_ushr(b, x, n);
    return marked(b, bits, r, irb_ine(b, irb_ishl(b, r, n), x));
}

/* ---- 128 bits ---- */

typedef struct wide {
    ir_ref high, low; /* of 64 bits */
} wide;

static wide
choose(ir_builder *b, ir_ref condition, wide x, wide y)
{
    return (wide){irb_bcsel(b, condition, x.high, y.high), irb_bcsel(b, condition, x.low, y.low)};
}

/* By 0 to 127. */
static wide
wide_right(ir_builder *b, wide x, ir_ref by)
{
    const ir_ref n = irb_iand(b, by, imm(b, 63)), rest = irb_isub(b, imm(b, 63), n);
    const ir_ref far = irb_ine(b, irb_iand(b, by, imm(b, 64)), imm(b, 0)), one = imm(b, 1);
    const ir_ref passed = irb_ishl(b, irb_ishl(b, x.high, one), rest);
    const ir_ref lost = irb_ishl(b, irb_ishl(b, x.low, one), rest);
    const ir_ref high = irb_ushr(b, x.high, n);
    const ir_ref low = irb_ior(b, irb_ushr(b, x.low, n), passed);
    const ir_ref out = irb_bcsel(b, far, irb_ior(b, x.low, passed), lost);
    return (wide){irb_bcsel(b, far, imm64(b, 0), high),
                  marked(b, 64, irb_bcsel(b, far, high, low), irb_ine(b, out, imm64(b, 0)))};
}

static wide
wide_sum(ir_builder *b, wide x, wide y)
{
    const ir_ref low = irb_iadd(b, x.low, y.low);
    const ir_ref carry = opt_pack(b, bit_if(b, irb_ult(b, low, x.low)), imm(b, 0));
    return (wide){irb_iadd(b, irb_iadd(b, x.high, y.high), carry), low};
}

static wide
wide_difference(ir_builder *b, wide x, wide y)
{
    const ir_ref borrow = opt_pack(b, bit_if(b, irb_ult(b, x.low, y.low)), imm(b, 0));
    return (wide){irb_isub(b, irb_isub(b, x.high, y.high), borrow), irb_isub(b, x.low, y.low)};
}

static ir_ref
wide_less(ir_builder *b, wide x, wide y)
{
    return irb_bcsel(b, irb_ieq(b, x.high, y.high), irb_ult(b, x.low, y.low),
                     irb_ult(b, x.high, y.high));
}

static wide
wide_product(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref xl = opt_lo(b, x), xh = opt_hi(b, x), yl = opt_lo(b, y), yh = opt_hi(b, y);
    const ir_ref zero = imm(b, 0), low = irb_umul_2x32_64(b, xl, yl);
    const ir_ref first = irb_iadd(b, irb_umul_2x32_64(b, xh, yl),
                                  opt_pack(b, opt_hi(b, low), zero));
    const ir_ref mid = irb_iadd(b, irb_umul_2x32_64(b, xl, yh),
                                opt_pack(b, opt_lo(b, first), zero));
    const ir_ref high = irb_iadd(b, irb_umul_2x32_64(b, xh, yh),
                                 opt_pack(b, opt_hi(b, first), zero));
    return (wide){irb_iadd(b, high, opt_pack(b, opt_hi(b, mid), zero)),
                  opt_pack(b, opt_lo(b, low), opt_lo(b, mid))};
}

/* ---- numbers ---- */

/* mantissa / 2^63 * 2^(exponent - BIAS); the sign is bit 31. */
typedef struct parts {
    ir_ref sign, exponent, mantissa;
} parts;

static parts
take_apart(ir_builder *b, ir_ref x)
{
    const ir_ref high = opt_hi(b, x), zero = imm(b, 0);
    const ir_ref field = irb_ubitfield_extract(b, high, imm(b, EXPONENT_AT), imm(b, EXPONENT_BITS));
    const ir_ref one = irb_bcsel(b, irb_ieq(b, field, zero), zero, imm(b, 1u << EXPONENT_AT));
    const ir_ref digits = irb_ior(b, irb_iand(b, high, imm(b, (1u << EXPONENT_AT) - 1)), one);
    const ir_ref m = opt_pack(b, opt_lo(b, x), digits), n = leading_zeros(b, 64, m);
    const ir_ref e = irb_isub(b, irb_iadd(b, irb_imax(b, field, imm(b, 1)), imm(b, SPARE)), n);
    return (parts){
        .sign = irb_iand(b, high, imm(b, SIGN)),
        .exponent = irb_bcsel(b, irb_ieq(b, m, imm64(b, 0)), imm(b, (uint32_t)NOTHING), e),
        .mantissa = irb_ishl(b, m, n)};
}

/* What numbers are made for: their bits, the bits that they are made in, digits, and the exponent
 * of infinity. */
typedef struct format {
    unsigned bits, work, digits, top;
} format;

static const format binary64 = {64, 64, DIGITS, TOP}, binary32 = {32, 32, 24, 0xff},
                    binary16 = {16, 32, 11, 0x1f};

static ir_ref
field_of(ir_builder *b, const format *f, ir_ref exponent)
{
    if (f->work == 64)
        return opt_pack(b, imm(b, 0), irb_ishl(b, exponent, imm(b, EXPONENT_AT)));
    return irb_ishl(b, exponent, imm(b, f->digits - 1));
}

static ir_ref
with_sign(ir_builder *b, const format *f, ir_ref sign, ir_ref x)
{
    if (f->work == 64)
        return opt_pack(b, opt_lo(b, x), irb_ior(b, opt_hi(b, x), sign));
    if (f->bits == 32)
        return irb_ior(b, x, sign);
    return opt_convert(b, IR_u2u, 16, irb_ior(b, x, irb_ushr(b, sign, imm(b, 16))));
}

/* The number mantissa * 2^(exponent - bias - work + 1), rounded; the mantissa's first bit may be
 * any. What has one digit more than there is room for counts up the exponent, to infinity too. */
static ir_ref
rounded(ir_builder *b, const format *f, const parts *p)
{
    const unsigned drop = f->work - f->digits;
    const ir_ref n = leading_zeros(b, f->work, p->mantissa), e = irb_isub(b, p->exponent, n);
    const ir_ref below = irb_imax(b, irb_isub(b, imm(b, 1), e), imm(b, 0));
    const ir_ref m = moved_right(b, f->work, irb_ishl(b, p->mantissa, n),
                                 irb_imin(b, below, imm(b, f->work - 1)));
    const ir_ref last = f->work == 64 ? opt_lo(b, m) : m, kept = irb_ushr(b, m, imm(b, drop));
    const ir_ref odd = irb_iand(b, irb_ushr(b, last, imm(b, drop)), imm(b, 1));
    const ir_ref rest = irb_iadd(b, irb_iand(b, last, imm(b, (1u << drop) - 1)), odd);
    const ir_ref up = bit_if(b, irb_ult(b, imm(b, 1u << (drop - 1)), rest));
    const ir_ref field = field_of(b, f, irb_isub(b, irb_imax(b, e, imm(b, 1)), imm(b, 1)));
    const ir_ref sum = irb_iadd(b, irb_iadd(b, kept, field),
                                f->work == 64 ? opt_pack(b, up, imm(b, 0)) : up);
    const ir_ref most = field_of(b, f, imm(b, f->top));
    const ir_ref finite = irb_bcsel(b, irb_ige(b, e, imm(b, f->top)), most, sum);
    const ir_ref zero = ir_build_imm(b, f->work, 0);
    const ir_ref size = irb_bcsel(b, irb_ieq(b, p->mantissa, zero), zero, finite);
    return with_sign(b, f, p->sign, size);
}

static ir_ref
size_of(ir_builder *b, ir_ref x)
{
    return opt_pack(b, opt_lo(b, x), irb_iand(b, opt_hi(b, x), imm(b, ~SIGN)));
}

static ir_ref
is_nan(ir_builder *b, ir_ref x)
{
    return irb_ult(b, imm64(b, INFINITE), size_of(b, x));
}

static ir_ref
is_infinite(ir_builder *b, ir_ref x)
{
    return irb_ieq(b, size_of(b, x), imm64(b, INFINITE));
}

/* ---- sums and products ---- */

/* digits / 2^126 * 2^(exponent - BIAS); bit 127 is not set. */
typedef struct term {
    ir_ref sign, exponent;
    wide digits;
} term;

static term
term_of(ir_builder *b, const parts *p)
{
    return (term){p->sign, p->exponent, {irb_ushr(b, p->mantissa, imm(b, 1)), imm64(b, 0)}};
}

static term
product_of(ir_builder *b, const parts *p, const parts *q)
{
    const wide d = wide_product(b, p->mantissa, q->mantissa);
    const ir_ref e = irb_isub(b, irb_iadd(b, p->exponent, q->exponent), imm(b, BIAS - 1));
    return (term){irb_ixor(b, p->sign, q->sign), e, wide_right(b, d, imm(b, 1))};
}

static ir_ref
rounded_term(ir_builder *b, const term *t)
{
    const ir_ref is_low = irb_ieq(b, t->digits.high, imm64(b, 0));
    const ir_ref n = leading_zeros(b, 64, t->digits.high), one = imm(b, 1);
    const ir_ref inside = irb_iand(b, n, imm(b, 63));
    const ir_ref passed = irb_ushr(b, irb_ushr(b, t->digits.low, one),
                                   irb_isub(b, imm(b, 63), inside));
    const ir_ref rest = irb_ine(b, irb_ishl(b, t->digits.low, inside), imm64(b, 0));
    const ir_ref first = irb_ior(b, irb_ishl(b, t->digits.high, inside), passed);
    const ir_ref m = irb_bcsel(b, is_low, t->digits.low, marked(b, 64, first, rest));
    const ir_ref e = irb_isub(b, irb_iadd(b, t->exponent, one), n);
    const parts p = {t->sign, e, m};
    return rounded(b, &binary64, &p);
}

/* The exact sum, but for what is too small to count. */
static term
sum_of(ir_builder *b, const term *p, const term *q)
{
    const ir_ref by = irb_isub(b, p->exponent, q->exponent), zero = imm(b, 0);
    const ir_ref swap = irb_ilt(b, by, zero);
    const wide x = choose(b, swap, q->digits, p->digits);
    const wide y = wide_right(b, choose(b, swap, p->digits, q->digits),
                              irb_imin(b, irb_iabs(b, by), imm(b, 127)));
    const ir_ref differ = irb_ine(b, p->sign, q->sign), less = wide_less(b, x, y);
    const wide rest = choose(b, less, wide_difference(b, y, x), wide_difference(b, x, y));
    const wide sum = choose(b, differ, rest, wide_sum(b, x, y));
    const ir_ref larger = irb_bcsel(b, irb_ine(b, swap, less), q->sign, p->sign);
    const ir_ref is_zero = irb_ieq(b, irb_ior(b, sum.high, sum.low), imm64(b, 0));
    const ir_ref sign = irb_bcsel(b, irb_iand(b, differ, is_zero), zero, larger);
    return (term){sign, irb_bcsel(b, swap, q->exponent, p->exponent), sum};
}

/* A result that is no finite number: none at all, or infinite with a sign. */
static ir_ref
special(ir_builder *b, ir_ref is_none, ir_ref sign)
{
    const ir_ref infinite = opt_pack(b, imm(b, 0), irb_ior(b, sign, imm(b, INFINITE >> 32)));
    return irb_bcsel(b, is_none, imm64(b, NO_NUMBER), infinite);
}

static ir_ref
add(ir_builder *b, ir_ref x, ir_ref y)
{
    const parts p = take_apart(b, x), q = take_apart(b, y);
    const term s = term_of(b, &p), t = term_of(b, &q);
    const term sum = sum_of(b, &s, &t);
    const ir_ref xi = is_infinite(b, x), yi = is_infinite(b, y);
    const ir_ref opposite = irb_iand(b, irb_iand(b, xi, yi), irb_ine(b, p.sign, q.sign));
    const ir_ref none = irb_ior(b, opposite, irb_ior(b, is_nan(b, x), is_nan(b, y)));
    const ir_ref sign = irb_bcsel(b, xi, p.sign, q.sign);
    return irb_bcsel(b, irb_ior(b, none, irb_ior(b, xi, yi)), special(b, none, sign),
                     rounded_term(b, &sum));
}

/* Whether a product is infinite, or no number. */
typedef struct product_kind {
    ir_ref is_infinite, is_none;
} product_kind;

static product_kind
kind_of_product(ir_builder *b, ir_ref x, ir_ref y)
{
    const ir_ref zero = imm64(b, 0), xi = is_infinite(b, x), yi = is_infinite(b, y);
    const ir_ref xz = irb_ieq(b, size_of(b, x), zero), yz = irb_ieq(b, size_of(b, y), zero);
    const ir_ref mixed = irb_ior(b, irb_iand(b, xi, yz), irb_iand(b, yi, xz));
    return (product_kind){irb_ior(b, xi, yi),
                          irb_ior(b, mixed, irb_ior(b, is_nan(b, x), is_nan(b, y)))};
}

static ir_ref
multiply(ir_builder *b, ir_ref x, ir_ref y)
{
    const parts p = take_apart(b, x), q = take_apart(b, y);
    const term product = product_of(b, &p, &q);
    const product_kind k = kind_of_product(b, x, y);
    return irb_bcsel(b, irb_ior(b, k.is_infinite, k.is_none), special(b, k.is_none, product.sign),
                     rounded_term(b, &product));
}

static ir_ref
fuse(ir_builder *b, ir_ref x, ir_ref y, ir_ref z)
{
    const parts p = take_apart(b, x), q = take_apart(b, y), r = take_apart(b, z);
    const term product = product_of(b, &p, &q), more = term_of(b, &r);
    const term sum = sum_of(b, &product, &more);
    const product_kind k = kind_of_product(b, x, y);
    const ir_ref zi = is_infinite(b, z);
    const ir_ref opposite = irb_iand(b, irb_iand(b, k.is_infinite, zi),
                                     irb_ine(b, product.sign, r.sign));
    const ir_ref none = irb_ior(b, opposite, irb_ior(b, k.is_none, is_nan(b, z)));
    const ir_ref sign = irb_bcsel(b, k.is_infinite, product.sign, r.sign);
    return irb_bcsel(b, irb_ior(b, none, irb_ior(b, k.is_infinite, zi)), special(b, none, sign),
                     rounded_term(b, &sum));
}

/* ---- comparisons ---- */

/* An integer in the order of numbers; both zeros are 0. */
static ir_ref
key_of(ir_builder *b, ir_ref x)
{
    const ir_ref size = size_of(b, x), is_negative = irb_ilt(b, opt_hi(b, x), imm(b, 0));
    return irb_bcsel(b, is_negative, irb_ineg(b, size), size);
}

static ir_ref
compare(ir_builder *b, ir_op op, ir_ref x, ir_ref y)
{
    const ir_ref p = key_of(b, x), q = key_of(b, y);
    const ir_ref none = irb_ior(b, is_nan(b, x), is_nan(b, y)), some = irb_inot(b, none);
    switch (op) {
    case IR_feq: return irb_iand(b, some, irb_ieq(b, p, q));
    case IR_fequ: return irb_ior(b, none, irb_ieq(b, p, q));
    case IR_fneo: return irb_iand(b, some, irb_ine(b, p, q));
    case IR_fneu: return irb_ior(b, none, irb_ine(b, p, q));
    case IR_flt: return irb_iand(b, some, irb_ilt(b, p, q));
    default: return irb_iand(b, some, irb_ige(b, p, q));
    }
}

/* Of a number and none it is the number. */
static ir_ref
extreme(ir_builder *b, ir_ref x, ir_ref y, bool is_max)
{
    const ir_ref other = is_max ? irb_flt(b, x, y) : irb_flt(b, y, x);
    return irb_bcsel(b, irb_ior(b, other, is_nan(b, x)), y, x);
}

/* ---- conversions ---- */

static ir_ref
from_single(ir_builder *b, ir_ref x)
{
    enum { AT = 23, BITS = 8, MORE = BIAS - 127, SHIFT = 3 };
    const ir_ref zero = imm(b, 0), field = irb_ubitfield_extract(b, x, imm(b, AT), imm(b, BITS));
    const ir_ref one = irb_bcsel(b, irb_ieq(b, field, zero), zero, imm(b, 1u << AT));
    const ir_ref digits = irb_iand(b, x, imm(b, (1u << AT) - 1)),
                 sign = irb_iand(b, x, imm(b, SIGN));
    const parts p = {sign, irb_iadd(b, irb_imax(b, field, imm(b, 1)), imm(b, MORE)),
                     opt_pack(b, zero, irb_ishl(b, irb_ior(b, digits, one), imm(b, BITS)))};
    const ir_ref high = irb_ior(b, irb_ior(b, sign, imm(b, INFINITE >> 32)),
                                irb_ushr(b, digits, imm(b, SHIFT)));
    return irb_bcsel(b, irb_ieq(b, field, imm(b, binary32.top)),
                     opt_pack(b, irb_ishl(b, digits, imm(b, 32 - SHIFT)), high),
                     rounded(b, &binary64, &p));
}

/* To binary32 or binary16. */
static ir_ref
to_smaller(ir_builder *b, const format *f, ir_ref x)
{
    const parts p = take_apart(b, x);
    const ir_ref rest = irb_ine(b, opt_lo(b, p.mantissa), imm(b, 0));
    const parts q = {p.sign, irb_isub(b, p.exponent, imm(b, BIAS - f->top / 2)),
                     marked(b, 32, opt_hi(b, p.mantissa), rest)};
    const uint32_t top = f->top << (f->digits - 1), none = top | 1u << (f->digits - 2);
    const ir_ref kind = irb_bcsel(b, is_nan(b, x), imm(b, none), imm(b, top));
    return irb_bcsel(b, irb_uge(b, size_of(b, x), imm64(b, INFINITE)),
                     with_sign(b, f, p.sign, kind), rounded(b, f, &q));
}

static ir_ref
convert(ir_builder *b, const ir_instr *i)
{
    const unsigned from = opt_src_bits(b, i), to = opt_def_bits(b, i);
    const ir_ref x = i->refs[0];
    if (to == 64) /* the builder makes one conversion of two, so these are not built */
        return from_single(b, from == 16 ? opt_convert(b, IR_f2f, 32, x) : x);
    return from == 64 ? to_smaller(b, to == 32 ? &binary32 : &binary16, x) : ir_none();
}

ir_ref
opt_expand_soft_double(ir_builder *b, const ir_instr *i)
{
    const ir_ref *r = i->refs;
    if (i->op == IR_f2f)
        return convert(b, i);
    if (!i->n_refs || opt_src_bits(b, i) != 64)
        return ir_none();
    switch (i->op) {
    case IR_fadd: return add(b, r[0], r[1]);
    case IR_fmul: return multiply(b, r[0], r[1]);
    case IR_ffma: return fuse(b, r[0], r[1], r[2]);
    case IR_fmin: return extreme(b, r[0], r[1], false);
    case IR_fmax: return extreme(b, r[0], r[1], true);
    case IR_feq:
    case IR_fequ:
    case IR_fneo:
    case IR_fneu:
    case IR_flt:
    case IR_fge: return compare(b, (ir_op)i->op, r[0], r[1]);
    default: return ir_none();
    }
}
