/* Floating-point numbers as bit patterns: 16, 32 and 64 bits, all rounding modes, exact.
 *
 * A pattern is the IEEE 754 encoding in the low bits of an integer. Arithmetic is done in double,
 * which holds every f16 and f32 exactly; base_fp_encode rounds a double once to the requested size.
 * The code relies on the host's default rounding mode (nearest even) and never changes it.
 */
#ifndef BASE_FP_H
#define BASE_FP_H

#include "base/bits.h"

typedef enum base_round {
    BASE_ROUND_EVEN, /* to nearest, ties to even */
    BASE_ROUND_UP,   /* towards +infinity */
    BASE_ROUND_DOWN, /* towards -infinity */
    BASE_ROUND_ZERO,
} base_round;

/* The value of a half-float pattern. NaNs keep sign and payload. */
double
base_f16_to_f64(uint16_t h);
float
base_f16_to_f32(uint16_t h);

/* `x` rounded to a half float pattern. Overflow gives infinity or the largest finite number,
 * depending on the mode; NaNs become quiet and keep sign and leading payload bits. */
uint16_t
base_f64_to_f16(double x, base_round mode);

/* `x` rounded to a 32-bit float pattern. */
uint32_t
base_f64_to_f32(double x, base_round mode);

/* Converts a pattern of 16, 32 or 64 bits to its value, and a value to its pattern. */
double
base_fp_decode(uint64_t pattern, unsigned bits);
uint64_t
base_fp_encode(double x, unsigned bits, base_round mode);

/* An integer rounded once to a pattern of `bits` bits. */
uint64_t
base_fp_from_u64(uint64_t x, unsigned bits, base_round mode);
uint64_t
base_fp_from_i64(int64_t x, unsigned bits, base_round mode);

/* mantissa * 2^exponent, negated if `negative`, rounded once to a pattern of `bits` bits. A caller
 * that truncated nonzero bits passes a 64-bit mantissa with bit 0 set (a sticky bit). */
uint64_t
base_fp_from_scaled(bool negative, uint64_t mantissa, int exponent, unsigned bits, base_round mode);

/* The number of fraction bits and of exponent bits in a pattern of `bits` bits. */
static inline unsigned
base_fp_fraction_bits(unsigned bits)
{
    return bits == 16 ? 10 : bits == 32 ? 23 : 52;
}

static inline unsigned
base_fp_exponent_bits(unsigned bits)
{
    return bits == 16 ? 5 : bits == 32 ? 8 : 11;
}

/* The pattern of infinity. A greater pattern (without the sign) is a NaN. */
static inline uint64_t
base_fp_infinity(unsigned bits)
{
    return base_mask64(base_fp_exponent_bits(bits)) << base_fp_fraction_bits(bits);
}

static inline bool
base_fp_is_nan(uint64_t pattern, unsigned bits)
{
    return (pattern & base_mask64(bits - 1)) > base_fp_infinity(bits);
}

static inline bool
base_fp_is_denormal(uint64_t pattern, unsigned bits)
{
    uint64_t magnitude = pattern & base_mask64(bits - 1);
    return magnitude && !(magnitude >> base_fp_fraction_bits(bits));
}

/* Replaces a denormal by a zero of the same sign; other patterns are returned unchanged. */
static inline uint64_t
base_fp_flush(uint64_t pattern, unsigned bits)
{
    return base_fp_is_denormal(pattern, bits) ? pattern & UINT64_C(1) << (bits - 1) : pattern;
}

#endif
