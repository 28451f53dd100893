/* Helper functions of the `expr` column of ops.def: what C has no operator for.
 *
 * Sources of float rows come as double, which holds f16 and f32 exactly. The caller rounds a float
 * result once to the row's size; where rounding twice (to double, then to the size) would show, the
 * helper rounds to odd first (Boldo and Melquiond 2008: the second rounding is then as if it were
 * the only one). Integers come extended to 64 bits, and the caller truncates the result.
 */
#ifndef IR_EVAL_MATH_H
#define IR_EVAL_MATH_H

#include "base/fp.h"
#include "ir/hir.h"

#include <math.h>

/* The neighbour of `s` that the exact value s + err rounds to, to odd or towards zero. `err` is
 * what is missing, only its sign counts. */
static inline double
ev_odd(double s, double err)
{
    uint64_t u = base_f64_bits(s);
    bool inexact = err < 0 || err > 0;
    if (inexact && !(u & 1))
        u = (err > 0) == (s > 0) ? u + 1 : u - 1;
    return base_bits_f64(u);
}

static inline double
ev_toward_zero(double s, double err)
{
    bool beyond = (err < 0 && s > 0) || (err > 0 && s < 0);
    return beyond ? base_bits_f64(base_f64_bits(s) - 1) : s;
}

/* What is missing in s = a + b (Knuth's TwoSum); NaN where s is not finite. */
static inline double
ev_sum_error(double a, double b, double s)
{
    double b2 = s - a, a2 = s - b2;
    return (a - a2) + (b - b2);
}

/* a*b + c for sizes whose product a double holds exactly: rounding to `bits` is the only one. */
static inline double
ev_fma_small(double a, double b, double c)
{
    double p = a * b, s = p + c;
    return ev_odd(s, ev_sum_error(p, c, s));
}

/* The operations of rounding towards zero; the result is meant for `bits` bits. */
double
ev_add_rtz(double a, double b, unsigned bits);
double
ev_mul_rtz(double a, double b, unsigned bits);
double
ev_div_rtz(double a, double b, unsigned bits);
double
ev_sqrt_rtz(double a, unsigned bits);
double
ev_fma_rtz(double a, double b, double c, unsigned bits);

static inline double
ev_fma(double a, double b, double c, unsigned bits)
{
    return bits == 64 ? fma(a, b, c) : ev_fma_small(a, b, c);
}

/* IEEE 754-2008 minNum and maxNum with -0 < +0: a NaN loses against a number. */
static inline double
ev_fmin(double a, double b)
{
    if (a == b)
        return signbit(a) ? a : b;
    return a < b || b != b ? a : b;
}

static inline double
ev_fmax(double a, double b)
{
    if (a == b)
        return signbit(a) ? b : a;
    return a > b || b != b ? a : b;
}

/* To the nearest integer, ties to even; keeps the sign of zero. */
static inline double
ev_round_even(double a)
{
    const double big = 0x1p52;
    double magnitude = fabs(a);
    if (!(magnitude < big))
        return a;
    return copysign((magnitude + big) - big, a);
}

/* a - floor(a), kept below 1 as v_fract does ("RDNA 2" ISA manual, V_FRACT_F32). */
double
ev_fract(double a, unsigned bits);

double
ev_pow(double a, double b);

/* a * 2^b. */
double
ev_ldexp(double a, int64_t b);

/* frexp: a = sig * 2^exp with sig in [0.5, 1). 0 gives 0 and 0; infinity and NaN give themselves
 * and 0. */
double
ev_frexp_sig(double a);
int64_t
ev_frexp_exp(double a);

/* OpQuantizeToF16: rounds to f16 and back; results that would be denormal become zero. */
double
ev_quantize_f16(double a);

/* `a` cut to a number of `bits` bits. */
static inline double
ev_round_to_zero(double a, unsigned bits)
{
    return base_fp_decode(base_fp_encode(a, bits, BASE_ROUND_ZERO), bits);
}

/* To an integer of `bits` bits, towards zero; saturates, NaN gives 0. */
static inline int64_t
ev_f2i(double a, unsigned bits)
{
    double limit = (double)(UINT64_C(1) << (bits - 1));
    if (a != a)
        return 0;
    if (a >= limit)
        return (int64_t)base_mask64(bits - 1);
    return a < -limit ? base_sext64(UINT64_C(1) << (bits - 1), bits) : (int64_t)a;
}

static inline uint64_t
ev_f2u(double a, unsigned bits)
{
    if (!(a > 0))
        return 0;
    return a >= 2 * (double)(UINT64_C(1) << (bits - 1)) ? base_mask64(bits) : (uint64_t)a;
}

/* A double that rounds to `bits` bits as the integer would, in any mode. */
double
ev_i2f_large(int64_t a, unsigned bits, bool rtz);
double
ev_u2f_large(uint64_t a, unsigned bits, bool rtz);

static inline double
ev_i2f(int64_t a, unsigned bits, bool rtz)
{
    bool exact = (a < 0 ? 0 - (uint64_t)a : (uint64_t)a) >> 53 == 0;
    return exact ? (double)a : ev_i2f_large(a, bits, rtz);
}

static inline double
ev_u2f(uint64_t a, unsigned bits, bool rtz)
{
    return a >> 53 == 0 ? (double)a : ev_u2f_large(a, bits, rtz);
}

int64_t
ev_imul_high(int64_t a, int64_t b, unsigned bits);
uint64_t
ev_umul_high(uint64_t a, uint64_t b, unsigned bits);

/* A zero divisor gives 0; the least number divided by -1 wraps. */
static inline int64_t
ev_idiv(int64_t a, int64_t b)
{
    return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t
ev_irem(int64_t a, int64_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

static inline int64_t
ev_imod(int64_t a, int64_t b)
{
    int64_t r = ev_irem(a, b);
    return r && (r < 0) != (b < 0) ? r + b : r;
}

int64_t
ev_iadd_sat(int64_t a, int64_t b, unsigned bits);
int64_t
ev_isub_sat(int64_t a, int64_t b, unsigned bits);
uint64_t
ev_uadd_sat(uint64_t a, uint64_t b, unsigned bits);

/* `count` bits of `a` from `offset`; offsets beyond the value read zeros. */
static inline uint64_t
ev_ubfe(uint64_t a, uint64_t offset, uint64_t count, unsigned bits)
{
    if (offset >= bits)
        return 0;
    return a >> offset & base_mask64(count > bits ? bits : (unsigned)count);
}

/* The same, sign-extended from the top bit of the field. */
static inline int64_t
ev_ibfe(int64_t a, uint64_t offset, uint64_t count, unsigned bits)
{
    if (offset >= bits || !count)
        return 0;
    return base_sext64((uint64_t)(a >> offset), count > bits ? bits : (unsigned)count);
}

uint64_t
ev_reverse(uint64_t a, unsigned bits);

/* The sum of the products of the four bytes of a and b, each signed or not. */
static inline int64_t
ev_dot4x8(uint64_t a, uint64_t b, bool a_signed, bool b_signed)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        int64_t x = a_signed ? base_sext64(a >> i, 8) : (int64_t)(a >> i & 0xff);
        int64_t y = b_signed ? base_sext64(b >> i, 8) : (int64_t)(b >> i & 0xff);
        sum += x * y;
    }
    return sum;
}

static inline int64_t
ev_sat_s32(int64_t a)
{
    return a < INT32_MIN ? INT32_MIN : a > INT32_MAX ? INT32_MAX : a;
}

static inline uint64_t
ev_sat_u32(uint64_t a)
{
    return a > UINT32_MAX ? UINT32_MAX : a;
}

/* What an atomic operation stores over `old`; patterns of `bits` bits. `compare` is cmpxchg's. */
uint64_t
ev_atomic(ir_atomic_op op, unsigned bits, uint64_t old, uint64_t compare, uint64_t data);

#endif
