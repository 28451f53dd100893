/* Integer division and remainder by multiplication.
 *
 * Constant divisors: a power of two becomes a shift; otherwise the quotient is the upper half of a
 * product with a magic number (Granlund and Montgomery, "Division by Invariant Integers using
 * Multiplication", 1994; the numbers as in Warren, "Hacker's Delight", 2nd edition, 10-4 and 10-9).
 *
 * Variable divisors, 8 and 16 bits: q = trunc((a + 1/2) * rcp(b)) in 32-bit floats. With a
 * reciprocal accurate to 1 ulp, the error of a quotient below 2^16 is less than 2^-6 / b, while (a
 * + 1/2) / b is at least 1 / 2b away from an integer.
 *
 * Variable divisors, 32 and 64 bits: start with a fixed-point approximation x of 2^n / b that is
 * never too large, taken from the float reciprocal. Refine it by Newton's step x += mulhi(x, -b x)
 * (Rodeheffer, "Software Integer Division", 2008); then q = mulhi(a, x) is at most 2 too small, and
 * two corrections complete it. 32 bits need one step, 64 bits two.
 *
 * Signed operations divide absolute values and set the sign.
 */
#include "opt/lower.h"
#include "opt/opt.h"

/* ---- constant divisors ---- */

typedef struct magic {
    uint64_t m;
    unsigned shift;
    bool add; /* unsigned: the multiplier has n + 1 bits */
} magic;

/* Hacker's Delight, figure 10-3 (magicu), with the arithmetic of `n` bits, for dividends of at most
 * `used` bits. `d` is not a power of two. */
static magic
unsigned_magic(uint64_t d, unsigned n, unsigned used)
{
    uint64_t mask = base_mask64(n), half = UINT64_C(1) << (n - 1), max = base_mask64(used);
    uint64_t nc = max - (max - d + 1) % d;
    uint64_t q1 = half / nc, r1 = half - q1 * nc;
    uint64_t q2 = (half - 1) / d, r2 = (half - 1) - q2 * d;
    magic g = {0};
    unsigned p = n - 1;
    uint64_t delta;
    do {
        p++;
        bool up = r1 >= nc - r1;
        q1 = (2 * q1 + up) & mask;
        r1 = (up ? 2 * r1 - nc : 2 * r1) & mask;
        if (r2 + 1 >= d - r2) {
            g.add |= q2 >= half - 1;
            q2 = (2 * q2 + 1) & mask;
            r2 = (2 * r2 + 1 - d) & mask;
        } else {
            g.add |= q2 >= half;
            q2 = 2 * q2 & mask;
            r2 = (2 * r2 + 1) & mask;
        }
        delta = d - 1 - r2;
    } while (p < 2 * n && (q1 < delta || (q1 == delta && r1 == 0)));
    g.m = (q2 + 1) & mask;
    g.shift = p - n;
    return g;
}

/* Hacker's Delight, figure 10-1 (magic), for the absolute value of a divisor of at least 3. */
static magic
signed_magic(uint64_t d, unsigned n)
{
    uint64_t mask = base_mask64(n), half = UINT64_C(1) << (n - 1);
    uint64_t anc = half - 1 - half % d;
    uint64_t q1 = half / anc, r1 = half - q1 * anc, q2 = half / d, r2 = half - q2 * d, delta;
    unsigned p = n - 1;
    do {
        p++;
        q1 = 2 * q1 & mask;
        r1 = 2 * r1 & mask;
        if (r1 >= anc) {
            q1 = (q1 + 1) & mask;
            r1 -= anc;
        }
        q2 = 2 * q2 & mask;
        r2 = 2 * r2 & mask;
        if (r2 >= d) {
            q2 = (q2 + 1) & mask;
            r2 -= d;
        }
        delta = d - r2;
    } while (q1 < delta || (q1 == delta && r1 == 0));
    return (magic){.m = (q2 + 1) & mask, .shift = p - n};
}

static ir_ref
imm32(ir_builder *b, uint32_t v)
{
    return ir_build_imm(b, 32, v);
}

/* `n` is 32 or 64, `d` not 0. */
static ir_ref
udiv_const(ir_builder *b, ir_ref a, uint64_t d, unsigned n)
{
    if (base_is_pow2(d))
        return irb_ushr(b, a, imm32(b, base_ctz64(d)));
    magic g = unsigned_magic(d, n, n);
    unsigned even = base_ctz64(d);
    if (g.add && even) {
        /* For an even divisor, shifting first makes the multiplier fit. */
        a = irb_ushr(b, a, imm32(b, even));
        g = unsigned_magic(d >> even, n, n - even);
    }
    ir_ref t = irb_umul_high(b, a, ir_build_imm(b, n, g.m));
    if (!g.add)
        return irb_ushr(b, t, imm32(b, g.shift));
    ir_ref mean = irb_iadd(b, irb_ushr(b, irb_isub(b, a, t), imm32(b, 1)), t);
    return irb_ushr(b, mean, imm32(b, g.shift - 1));
}

/* a / 2^k towards zero: negative values are rounded up by adding 2^k - 1. */
static ir_ref
round_to_pow2(ir_builder *b, ir_ref a, unsigned k, unsigned n)
{
    ir_ref sign = irb_ishr(b, a, imm32(b, n - 1));
    return irb_iadd(b, a, irb_ushr(b, sign, imm32(b, n - k)));
}

static ir_ref
idiv_const(ir_builder *b, ir_ref a, uint64_t d, unsigned n)
{
    int64_t s = base_sext64(d, n);
    uint64_t abs = (s < 0 ? 0 - (uint64_t)s : (uint64_t)s) & base_mask64(n);
    ir_ref q;
    if (abs == 1) {
        q = a;
    } else if (base_is_pow2(abs)) {
        unsigned k = base_ctz64(abs);
        q = irb_ishr(b, round_to_pow2(b, a, k, n), imm32(b, k));
    } else {
        magic g = signed_magic(abs, n);
        q = irb_imul_high(b, a, ir_build_imm(b, n, g.m));
        if (g.m >> (n - 1))
            q = irb_iadd(b, q, a);
        q = irb_ishr(b, q, imm32(b, g.shift));
        q = irb_iadd(b, q, irb_ushr(b, a, imm32(b, n - 1)));
    }
    return s < 0 ? irb_ineg(b, q) : q;
}

/* ---- variable divisors ---- */

typedef struct quotient {
    ir_ref q, r;
} quotient;

/* q is too small by at most two: twice, increment q if r >= d. */
static quotient
correct(ir_builder *b, quotient z, ir_ref d, unsigned n)
{
    for (unsigned k = 0; k < 2; k++) {
        ir_ref more = irb_uge(b, z.r, d);
        z.q = irb_bcsel(b, more, irb_iadd(b, z.q, ir_build_imm(b, n, 1)), z.q);
        z.r = irb_bcsel(b, more, irb_isub(b, z.r, d), z.r);
    }
    return z;
}

static ir_ref
newton_step(ir_builder *b, ir_ref x, ir_ref d)
{
    return irb_iadd(b, x, irb_umul_high(b, x, irb_imul(b, x, irb_ineg(b, d))));
}

/* Approximates 2^32 / d, rounded down slightly: 0x4f7ffffe is 2^32 - 512. */
static ir_ref
reciprocal32(ir_builder *b, ir_ref d)
{
    ir_ref r = irb_frcp(b, opt_convert(b, IR_u2f, 32, d));
    r = irb_fmul(b, r, imm32(b, 0x4f7ffffe));
    return newton_step(b, opt_convert(b, IR_f2u, 32, r), d);
}

/* Approximates 2^64 / d, extracting the two halves from the float; 0x5f7ffffc is 2^64 (1 - 2^-22).
 */
static ir_ref
reciprocal64(ir_builder *b, ir_ref d)
{
    ir_ref lo = opt_convert(b, IR_u2f, 32, opt_lo(b, d));
    ir_ref hi = opt_convert(b, IR_u2f, 32, opt_hi(b, d));
    ir_ref two32 = ir_build_fimm(b, 32, 4294967296.0);
    ir_ref r = irb_frcp(b, irb_ffma(b, hi, two32, lo));
    r = irb_fmul(b, r, imm32(b, 0x5f7ffffc));
    hi = irb_ftrunc(b, irb_fmul(b, r, ir_build_fimm(b, 32, 1 / 4294967296.0)));
    lo = irb_ffma(b, hi, ir_build_fimm(b, 32, -4294967296.0), r);
    ir_ref x = opt_pack(b, opt_convert(b, IR_f2u, 32, lo), opt_convert(b, IR_f2u, 32, hi));
    return newton_step(b, newton_step(b, x, d), d);
}

static quotient
udiv_wide(ir_builder *b, ir_ref a, ir_ref d, unsigned n)
{
    ir_ref x = n == 32 ? reciprocal32(b, d) : reciprocal64(b, d);
    ir_ref q = irb_umul_high(b, a, x);
    return correct(b, (quotient){q, irb_isub(b, a, irb_imul(b, q, d))}, d, n);
}

/* Operands of at most 16 bits, extended to 32. */
static quotient
udiv_narrow(ir_builder *b, ir_ref a, ir_ref d)
{
    ir_ref fa = opt_convert(b, IR_u2f, 32, a);
    ir_ref fd = opt_convert(b, IR_u2f, 32, d);
    ir_ref fq = irb_fmul(b, irb_fadd(b, fa, ir_build_fimm(b, 32, 0.5)), irb_frcp(b, fd));
    ir_ref q = opt_convert(b, IR_f2u, 32, fq);
    return (quotient){q, irb_isub(b, a, irb_imul(b, q, d))};
}

/* ---- operations ---- */

typedef struct division {
    ir_op op;
    unsigned n;  /* bits of the computation: 32 or 64 */
    bool narrow; /* operands are extended from 8 or 16 bits */
    bool is_const;
    uint64_t c;
} division;

static bool
is_signed(ir_op op)
{
    return op == IR_idiv || op == IR_irem || op == IR_imod;
}

static quotient
udiv(ir_builder *b, const division *v, ir_ref a, ir_ref d)
{
    if (v->is_const) {
        ir_ref q = udiv_const(b, a, v->c, v->n);
        if (v->op == IR_umod && base_is_pow2(v->c))
            return (quotient){q, irb_iand(b, a, ir_build_imm(b, v->n, v->c - 1))};
        return (quotient){q, irb_isub(b, a, irb_imul(b, q, d))};
    }
    return v->narrow ? udiv_narrow(b, a, d) : udiv_wide(b, a, d, v->n);
}

static quotient
idiv(ir_builder *b, const division *v, ir_ref a, ir_ref d)
{
    ir_ref top = imm32(b, v->n - 1);
    if (v->is_const) {
        ir_ref q = idiv_const(b, a, v->c, v->n);
        return (quotient){q, irb_isub(b, a, irb_imul(b, q, d))};
    }
    ir_ref sa = irb_ishr(b, a, top), sd = irb_ishr(b, d, top);
    ir_ref aa = irb_isub(b, irb_ixor(b, a, sa), sa), ad = irb_isub(b, irb_ixor(b, d, sd), sd);
    quotient z = udiv(b, v, aa, ad);
    ir_ref sq = irb_ixor(b, sa, sd);
    return (quotient){irb_isub(b, irb_ixor(b, z.q, sq), sq), irb_isub(b, irb_ixor(b, z.r, sa), sa)};
}

/* The remainder with the divisor's sign. */
static ir_ref
imod(ir_builder *b, const division *v, ir_ref a, ir_ref d)
{
    ir_ref zero = ir_build_imm(b, v->n, 0);
    if (v->is_const && base_is_pow2(v->c) && base_sext64(v->c, v->n) > 0)
        return irb_iand(b, a, ir_build_imm(b, v->n, v->c - 1));
    ir_ref r = idiv(b, v, a, d).r;
    ir_ref other = irb_iand(b, irb_ine(b, r, zero), irb_ilt(b, irb_ixor(b, r, d), zero));
    return irb_bcsel(b, other, irb_iadd(b, r, d), r);
}

static ir_ref
divide(ir_builder *b, const division *v, ir_ref a, ir_ref d)
{
    switch (v->op) {
    case IR_udiv: return udiv(b, v, a, d).q;
    case IR_umod: return udiv(b, v, a, d).r;
    case IR_idiv: return idiv(b, v, a, d).q;
    case IR_irem: return idiv(b, v, a, d).r;
    default: return imod(b, v, a, d);
    }
}

static ir_ref
lower(ir_builder *b, const ir_instr *i)
{
    ir_op op = (ir_op)i->op;
    if (!is_signed(op) && op != IR_udiv && op != IR_umod)
        return ir_none();
    unsigned bits = opt_def_bits(b, i);
    division v = {.op = op, .n = bits == 64 ? 64 : 32, .narrow = bits < 32};
    ir_ref a = i->refs[0], d = i->refs[1];
    v.is_const = ir_is_const(b->f, d, &v.c);
    if (v.is_const && v.c == 0)
        return ir_build_imm(b, bits, 0);
    if (v.narrow) {
        ir_op extend = is_signed(op) ? IR_i2i : IR_u2u;
        a = opt_convert(b, extend, 32, a);
        d = opt_convert(b, extend, 32, d);
        if (v.is_const && is_signed(op))
            v.c = (uint32_t)base_sext64(v.c, bits);
    }
    ir_ref r = divide(b, &v, a, d);
    return v.narrow ? opt_convert(b, IR_u2u, bits, r) : r;
}

bool
opt_lower_idiv(ir_fn *f)
{
    bool any = ir_made_op(f, IR_udiv) || ir_made_op(f, IR_umod) || ir_made_op(f, IR_idiv) ||
               ir_made_op(f, IR_irem) || ir_made_op(f, IR_imod);
    return any && opt_lower(f, lower);
}
