/* Floating point in the emulator: 16-bit conversions, NaN tests, and operations that C lacks.
 *
 * Hardware and host use the same formats (IEEE 754 binary32 and binary64), so most operations are
 * the host's own. The caller (valu.c) sets rounding modes other than to nearest even in the host's
 * environment. binary16 is computed in binary32 or binary64 and rounded again. That gives the
 * correctly rounded result for +, -, *, / and square root because 24 >= 2 * 11 + 2 (Figueroa 1995),
 * and for fma in binary64 because a sum that does not fit 53 bits has one term far below the
 * other's last binary16 bit, never at a tie.
 */
#ifndef AMD_EMU_FLOAT_H
#define AMD_EMU_FLOAT_H

#include "base/bits.h"

#include <math.h>

/* MODE's rounding field. */
enum { EMU_RNE, EMU_RPI, EMU_RNI, EMU_RTZ };

static inline bool
amd_emu_nan32(uint32_t u)
{
    return (u & 0x7fffffff) > 0x7f800000;
}

static inline bool
amd_emu_snan32(uint32_t u)
{
    return amd_emu_nan32(u) && !(u & 0x400000);
}

static inline bool
amd_emu_nan64(uint64_t u)
{
    return (u & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static inline bool
amd_emu_snan64(uint64_t u)
{
    return amd_emu_nan64(u) && !(u >> 51 & 1);
}

static inline bool
amd_emu_nan16(uint32_t h)
{
    return (h & 0x7fff) > 0x7c00;
}

static inline bool
amd_emu_snan16(uint32_t h)
{
    return amd_emu_nan16(h) && !(h & 0x200);
}

/* All ones if `yes`: selections by masks vectorise where the compiler would otherwise branch. */
static inline uint32_t
amd_emu_mask32(bool yes)
{
    return 0u - (uint32_t)yes;
}

/* Converts binary16 in the low half of `h` to binary32, exactly: its bits, moved to their binary32
 * position, give a value that is too small by 2^112, denormals included. */
static inline float
amd_emu_from_half(uint32_t h)
{
    uint32_t s = (uint32_t)((int32_t)(h << 16) >> 3) & 0x8fffe000u;
    uint32_t special = amd_emu_mask32((int32_t)(s & 0x0fffe000) >= 0x0f800000);
    return base_bits_f32(base_f32_bits(base_bits_f32(s) * 0x1p112f) | (special & 0x7f800000));
}

/* Rounds a number to binary16's magnitude, to nearest even. Values from 65536 on give more than
 * infinity's 0x7c00; the result for infinities and NaNs is arbitrary. Adding and subtracting a
 * power of two 2^13 times as large as the value's own (and half as much again, so that the sum
 * keeps its exponent) leaves the bits that binary16 has. Needs the host's rounding to nearest. */
static inline uint32_t
amd_emu_cut_to_half(float f)
{
    uint32_t u = base_f32_bits(f), over = (u & 0x7f800000) - 0x38800000;
    float a = base_bits_f32(u & 0x7fffffff);
    float cut = base_bits_f32((over & ~(uint32_t)((int32_t)over >> 31)) + 0x3f400000);
    return base_f32_bits(((a + cut) - cut) * 0x1p-112f) >> 13;
}

/* The same for any value except NaNs, with its sign; overflow gives infinity. */
static inline uint32_t
amd_emu_number_to_half(float f)
{
    uint32_t u = base_f32_bits(f);
    uint32_t large = amd_emu_mask32((int32_t)(u & 0x7fffffff) >= 0x47800000);
    return (u >> 16 & 0x8000) | (amd_emu_cut_to_half(f) & ~large) | (0x7c00 & large);
}

/* binary32 to binary16, to nearest even, overflow to infinity; NaNs become quiet and keep their
 * upper bits. Needs the host's rounding to nearest. */
static inline uint32_t
amd_emu_to_half_rne(float f)
{
    uint32_t nan = amd_emu_mask32(f != f) & (0x200 | (base_f32_bits(f) >> 13 & 0x3ff));
    return amd_emu_number_to_half(f) | nan;
}

/* Converts binary64 to binary16 in any rounding mode, with one rounding. */
uint32_t
amd_emu_to_half(double d, unsigned round);

/* Converts binary64 to bfloat16, the upper half of a binary32: rounded once to nearest even (via
 * binary32 rounded to odd). Needs the host's rounding to nearest. */
static inline uint32_t
amd_emu_to_bf16(double d)
{
    float f = (float)d;
    uint32_t u = base_f32_bits(f);
    if (u << 1 > 0xff000000u)
        return u >> 16 | 0x40;
    if ((double)f != d)
        u = (fabs((double)f) > fabs(d) ? u - 1 : u) | 1;
    return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

/* Converts binary32 to binary16 with rounding mode `round`. */
static inline uint32_t
amd_emu_f32_to_half(float f, unsigned round)
{
    return round == EMU_RNE ? amd_emu_to_half_rne(f) : amd_emu_to_half((double)f, round);
}

/* a * b + c of binary32 values in binary64, rounded to odd (Boldo and Melquiond 2008). Rounding it
 * again to binary32, even after scaling, gives the correctly rounded result. The product is exact
 * in binary64. Needs the host's rounding to nearest. Vectorises, unlike fmaf. */
static inline double
amd_emu_fma32_odd(float a, float b, float c)
{
    double p = (double)a * (double)b, z = (double)c, s = p + z;
    double t = s - p, e = (p - (s - t)) + (z - t); /* Knuth's two-sum: s + e is the exact sum */
    uint64_t u = base_f64_bits(s);
    /* if the sum is inexact and even, step by one towards the error */
    uint64_t away = (uint64_t)((e > 0) == (s > 0));
    uint64_t odd = u & 1 ? u : u - 1 + 2 * away;
    return base_bits_f64(e == e && e != 0 ? odd : u);
}

/* Fused multiply-add of binary16 values, to be rounded to binary16: the product is exact in
 * binary32, and the sum is rounded to odd there, as in amd_emu_fma32_odd. Needs the host's
 * rounding to nearest. */
static inline float
amd_emu_fma16_odd(float a, float b, float c)
{
    float p = a * b, s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
    uint32_t u = base_f32_bits(s);
    /* if the sum is inexact and even, step by one towards the error */
    uint32_t inexact = amd_emu_mask32(e == e) & amd_emu_mask32(e != 0) & amd_emu_mask32(!(u & 1));
    uint32_t away = amd_emu_mask32(e > 0) ^ amd_emu_mask32(s > 0); /* 0: away from zero */
    return base_bits_f32(u + (inexact & (1u | away)));
}

static inline uint32_t
amd_emu_fma16_rne(float a, float b, float c)
{
    return amd_emu_to_half_rne(amd_emu_fma16_odd(a, b, c));
}

/* Fused multiply-add of binary32, to nearest even. */
static inline float
amd_emu_fma32_rne(float a, float b, float c)
{
    return (float)amd_emu_fma32_odd(a, b, c);
}

/* The sum of three values, starting with the two greatest, so that a small one survives if those
 * cancel. */
static inline double
amd_emu_sum3(double a, double b, double c)
{
    double t = c;
    if (fabs(t) > fabs(a)) {
        c = a;
        a = t;
    } else if (fabs(t) > fabs(b)) {
        c = b;
        b = t;
    }
    return a + b + c;
}

/* Makes a NaN quiet. */
static inline float
amd_emu_quiet32(float f)
{
    return base_bits_f32(base_f32_bits(f) | 0x400000);
}

static inline double
amd_emu_quiet64(double f)
{
    return base_bits_f64(base_f64_bits(f) | UINT64_C(1) << 51);
}

/* Returns the value unchanged, but makes a NaN quiet: for operations that may return a source. (The
 * host's compiler removes a multiplication by 1.) */
static inline float
amd_emu_canonical32(float f)
{
    return f != f ? amd_emu_quiet32(f) : f;
}

static inline double
amd_emu_canonical64(double f)
{
    return f != f ? amd_emu_quiet64(f) : f;
}

/* Flushes denormals to a zero of the same sign. */
static inline uint32_t
amd_emu_flush32(uint32_t u)
{
    return u & 0x7f800000 ? u : u & 0x80000000u;
}

static inline uint32_t
amd_emu_flush16(uint32_t h)
{
    return h & 0x7c00 ? h : h & 0xffff8000u;
}

static inline uint64_t
amd_emu_flush64(uint64_t u)
{
    return u >> 52 & 0x7ff ? u : u & (UINT64_C(1) << 63);
}

/* Converts a float to an integer: towards zero, saturating, NaN to 0 (V_CVT_I32_F32 and related
 * opcodes). */
static inline int32_t
amd_emu_to_i32(double f)
{
    return f != f ? 0 : f >= 2147483647.0 ? INT32_MAX : f <= -2147483648.0 ? INT32_MIN : (int32_t)f;
}

static inline uint32_t
amd_emu_to_u32(double f)
{
    return !(f > 0) ? 0 : f >= 4294967295.0 ? UINT32_MAX : (uint32_t)(int64_t)f;
}

static inline int32_t
amd_emu_clamp_i(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

#endif
