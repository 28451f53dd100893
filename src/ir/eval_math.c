#include "ir/eval_math.h"

/* ---- rounding towards zero ----
 *
 * Sizes below 64 bits: round to odd in double. 64 bits: correct the nearest result by the sign of
 * the rounding error, which an error-free transformation gives. That would underflow for tiny
 * numbers, so these are scaled up first and truncated afterwards; truncating twice equals
 * truncating once. */

static const double tiny = 0x1p-300, up = 0x1p600;

/* x * 2^-k, truncated if the result is denormal. */
static double
scale_down(double x, int k)
{
    int e;
    double m = frexp(x, &e);
    int cut = -1022 - (e - 1 - k); /* fraction bits below the last place of denormals */
    if (cut <= 0)
        return ldexp(x, -k);
    double whole = trunc(ldexp(m, cut > 53 ? 0 : 53 - cut));
    return copysign(ldexp(whole, -1074), x);
}

/* Rounds the result near `s`. `finite` says that the operands were finite, so that infinity means
 * overflow. */
static double
round_result(double s, double err, unsigned bits, bool finite)
{
    if (isinf(s))
        return finite && bits == 64 ? copysign(0x1.fffffffffffffp1023, s) : s;
    return bits == 64 ? ev_toward_zero(s, err) : ev_odd(s, err);
}

double
ev_add_rtz(double a, double b, unsigned bits)
{
    double s = a + b;
    return round_result(s, ev_sum_error(a, b, s), bits, isfinite(a) && isfinite(b));
}

double
ev_mul_rtz(double a, double b, unsigned bits)
{
    bool finite = isfinite(a) && isfinite(b);
    int k = 0;
    if (finite && bits == 64 && fabs(a * b) < tiny) {
        k = 600 * ((fabs(a) < 1) + (fabs(b) < 1));
        a *= fabs(a) < 1 ? up : 1;
        b *= fabs(b) < 1 ? up : 1;
    }
    double p = a * b, r = round_result(p, isfinite(p) ? fma(a, b, -p) : 0, bits, finite);
    return k ? scale_down(r, k) : r;
}

double
ev_div_rtz(double a, double b, unsigned bits)
{
    bool finite = isfinite(a) && isfinite(b) && b != 0;
    int k = 0;
    if (finite && bits == 64 && fabs(a) < tiny) {
        k = fabs(b) < tiny ? 0 : 600;
        b *= fabs(b) < tiny ? up : 1;
        a *= up;
    }
    double q = a / b;
    double rest = isfinite(q) && finite ? fma(-q, b, a) : 0;
    double r = round_result(q, b < 0 ? -rest : rest, bits, finite);
    return k ? scale_down(r, k) : r;
}

double
ev_sqrt_rtz(double a, unsigned bits)
{
    bool small = bits == 64 && a < tiny;
    a *= small ? up : 1;
    double s = sqrt(a);
    double r = round_result(s, isfinite(s) ? fma(-s, s, a) : 0, bits, isfinite(a));
    return small ? scale_down(r, 300) : r;
}

/* The error of a fused multiply-add, by Boldo and Muller 2011 (ErrFmaNearest); its sign is exact.
 */
static double
fma_error(double a, double b, double c, double r)
{
    double u1 = a * b, u2 = fma(a, b, -u1);
    double alpha1 = c + u2, alpha2 = ev_sum_error(c, u2, alpha1);
    double beta1 = u1 + alpha1, beta2 = ev_sum_error(u1, alpha1, beta1);
    return ((beta1 - r) + beta2) + alpha2;
}

double
ev_fma_rtz(double a, double b, double c, unsigned bits)
{
    if (bits != 64)
        return ev_fma_small(a, b, c);
    int k = 0;
    bool finite = isfinite(a) && isfinite(b) && isfinite(c);
    if (finite && fabs(a * b) < tiny && fabs(c) < tiny) {
        k = 600;
        *(fabs(a) < fabs(b) ? &a : &b) *= up;
        c *= up;
    }
    double r = fma(a, b, c);
    r = round_result(r, isfinite(r) ? fma_error(a, b, c, r) : 0, bits, finite);
    return k ? scale_down(r, k) : r;
}

/* ---- floats ---- */

double
ev_fract(double a, unsigned bits)
{
    double below_one = base_fp_decode(base_fp_encode(1, bits, BASE_ROUND_EVEN) - 1, bits);
    double r = a - floor(a);
    return r > below_one ? below_one : r;
}

double
ev_pow(double a, double b)
{
    return a == 1 || b == 0 ? 1 : pow(a, b); /* the same for signalling and quiet NaNs */
}

double
ev_ldexp(double a, int64_t b)
{
    return ldexp(a, b < -5000 ? -5000 : b > 5000 ? 5000 : (int)b);
}

double
ev_frexp_sig(double a)
{
    int e;
    return isfinite(a) ? frexp(a, &e) : a;
}

int64_t
ev_frexp_exp(double a)
{
    int e = 0;
    if (isfinite(a))
        frexp(a, &e);
    return e;
}

double
ev_quantize_f16(double a)
{
    uint64_t h = base_fp_encode(a, 16, BASE_ROUND_EVEN);
    return base_f16_to_f64((uint16_t)base_fp_flush(h, 16));
}

/* ---- conversions ---- */

double
ev_u2f_large(uint64_t a, unsigned bits, bool rtz)
{
    base_round mode = rtz ? BASE_ROUND_ZERO : BASE_ROUND_EVEN;
    return base_fp_decode(base_fp_from_u64(a, bits, mode), bits);
}

double
ev_i2f_large(int64_t a, unsigned bits, bool rtz)
{
    base_round mode = rtz ? BASE_ROUND_ZERO : BASE_ROUND_EVEN;
    return base_fp_decode(base_fp_from_i64(a, bits, mode), bits);
}

/* ---- integers ---- */

/* The high 64 bits of the product. */
static uint64_t
umul_high64(uint64_t a, uint64_t b)
{
    uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
    uint64_t low = al * bl, mid1 = ah * bl + (low >> 32), mid2 = al * bh + (mid1 & 0xffffffff);
    return ah * bh + (mid1 >> 32) + (mid2 >> 32);
}

uint64_t
ev_umul_high(uint64_t a, uint64_t b, unsigned bits)
{
    return bits == 64 ? umul_high64(a, b) : a * b >> bits;
}

int64_t
ev_imul_high(int64_t a, int64_t b, unsigned bits)
{
    if (bits != 64)
        return a * b >> bits;
    uint64_t high = umul_high64((uint64_t)a, (uint64_t)b);
    high -= a < 0 ? (uint64_t)b : 0;
    high -= b < 0 ? (uint64_t)a : 0;
    return (int64_t)high;
}

/* The smallest or largest number of `bits` bits. */
static int64_t
limit(bool least, unsigned bits)
{
    int64_t most = (int64_t)base_mask64(bits - 1);
    return least ? -most - 1 : most;
}

/* Saturates `sum`. On overflow both operands have the sign `negative`, and the wrapped sum has the
 * opposite one. */
static int64_t
saturate(uint64_t sum, bool overflow, bool negative, unsigned bits)
{
    return overflow ? limit(negative, bits) : base_sext64(sum, bits);
}

int64_t
ev_iadd_sat(int64_t a, int64_t b, unsigned bits)
{
    uint64_t sum = (uint64_t)a + (uint64_t)b;
    bool wrapped = base_sext64(sum, bits) < 0;
    return saturate(sum, (a < 0) == (b < 0) && wrapped != (a < 0), a < 0, bits);
}

int64_t
ev_isub_sat(int64_t a, int64_t b, unsigned bits)
{
    uint64_t sum = (uint64_t)a - (uint64_t)b;
    bool wrapped = base_sext64(sum, bits) < 0;
    return saturate(sum, (a < 0) != (b < 0) && wrapped != (a < 0), a < 0, bits);
}

uint64_t
ev_uadd_sat(uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t sum = (a + b) & base_mask64(bits);
    return sum < a ? base_mask64(bits) : sum;
}

uint64_t
ev_reverse(uint64_t a, unsigned bits)
{
    a = (a >> 1 & UINT64_C(0x5555555555555555)) | (a & UINT64_C(0x5555555555555555)) << 1;
    a = (a >> 2 & UINT64_C(0x3333333333333333)) | (a & UINT64_C(0x3333333333333333)) << 2;
    a = (a >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (a & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    a = (a >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (a & UINT64_C(0x00ff00ff00ff00ff)) << 8;
    a = (a >> 16 & UINT64_C(0x0000ffff0000ffff)) | (a & UINT64_C(0x0000ffff0000ffff)) << 16;
    return (a >> 32 | a << 32) >> (64 - bits);
}

uint64_t
ev_atomic(ir_atomic_op op, unsigned bits, uint64_t old, uint64_t compare, uint64_t data)
{
    int64_t is = base_sext64(old, bits), id = base_sext64(data, bits);
    double fs = base_fp_decode(old, bits), fd = base_fp_decode(data, bits);
    switch (op) {
    case IR_ATOMIC_iadd: return (old + data) & base_mask64(bits);
    case IR_ATOMIC_imin: return is < id ? old : data;
    case IR_ATOMIC_umin: return old < data ? old : data;
    case IR_ATOMIC_imax: return is > id ? old : data;
    case IR_ATOMIC_umax: return old > data ? old : data;
    case IR_ATOMIC_iand: return old & data;
    case IR_ATOMIC_ior: return old | data;
    case IR_ATOMIC_ixor: return old ^ data;
    case IR_ATOMIC_xchg: return data;
    case IR_ATOMIC_cmpxchg: return old == compare ? data : old;
    case IR_ATOMIC_fadd: return base_fp_encode(fs + fd, bits, BASE_ROUND_EVEN);
    case IR_ATOMIC_fmin: return base_fp_encode(ev_fmin(fs, fd), bits, BASE_ROUND_EVEN);
    case IR_ATOMIC_fmax: return base_fp_encode(ev_fmax(fs, fd), bits, BASE_ROUND_EVEN);
    case IR_ATOMIC_inc_wrap: return old >= data ? 0 : old + 1;
    case IR_ATOMIC_dec_wrap: return old == 0 || old > data ? data : old - 1;
    case IR_ATOMIC_COUNT: break;
    }
    return old;
}
