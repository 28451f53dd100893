/* Helper functions for the `expr` column of ops.def: operations for which C has no operator.
 *
 * Sources of float rows are passed as double, which holds f16 and f32 exactly. The caller rounds a
 * float result once to the row's size. Where double rounding (to double, then to the size) could
 * give a different result, the helper rounds to odd first, which makes the second rounding correct
 * (Boldo and Melquiond 2008). Integers are extended to 64 bits, and the caller truncates the
 * result.
 */
#ifndef IR_EVAL_MATH_H
#define IR_EVAL_MATH_H

#include "base/fp.h"
#include "ir/hir.h"

#include <math.h>

/* Rounds the exact value s + err to odd or towards zero; the result is `s` or its neighbour. Only
 * the sign of `err` matters. */
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

/* The rounding error of s = a + b (Knuth's TwoSum); NaN if `s` is not finite. */
static inline double
ev_sum_error(double a, double b, double s)
{
    double b2 = s - a, a2 = s - b2;
    return (a - a2) + (b - b2);
}

/* a*b + c for sizes whose product is exact in double, so that the value is rounded only once, to
 * `bits`. */
static inline double
ev_fma_small(double a, double b, double c)
{
    double p = a * b, s = p + c;
    return ev_odd(s, ev_sum_error(p, c, s));
}

/* Operations that round towards zero; the result is meant for `bits` bits. */
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

/* IEEE 754-2008 minNum and maxNum with -0 < +0: if one operand is a NaN, the result is the other
 * one. */
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

/* `a` truncated to a number of `bits` bits. */
static inline double
ev_round_to_zero(double a, unsigned bits)
{
    return base_fp_decode(base_fp_encode(a, bits, BASE_ROUND_ZERO), bits);
}

/* Converts to an integer of `bits` bits, rounding towards zero. Saturates; NaN gives 0. */
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

/* Returns a double that rounds to `bits` bits as the integer would, in any rounding mode. */
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

/* Division by zero gives 0; the smallest number divided by -1 wraps. */
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

/* Extracts `count` bits of `a` from bit `offset`. Bits beyond the value read as zeros. */
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

/* The sum of the products of the four bytes of a and b, each operand signed or unsigned. */
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

/* Returns the value that an atomic operation stores over `old`. Values are patterns of `bits` bits.
 * `compare` is used by cmpxchg only. */
uint64_t
ev_atomic(ir_atomic_op op, unsigned bits, uint64_t old, uint64_t compare, uint64_t data);

/* The C types in which the expressions of ops.def compute, by the kind of a source. */
#define EV_TYPE__   int
#define EV_TYPE_B   bool
#define EV_TYPE_F   double
#define EV_TYPE_F32 double
#define EV_TYPE_I   int64_t
#define EV_TYPE_I32 int64_t
#define EV_TYPE_U   uint64_t
#define EV_TYPE_U16 uint64_t
#define EV_TYPE_U32 uint64_t
#define EV_TYPE_U64 uint64_t

#endif
