#include "base/fp.h"

/* A number decomposed into sign * mantissa * 2^exponent, with the mantissa's top bit at bit 63 or
 * mantissa 0. */
typedef struct parts {
    bool negative;
    uint64_t mantissa;
    int exponent;
} parts;

static parts
normalize(bool negative, uint64_t mantissa, int exponent)
{
    unsigned up = mantissa ? base_clz64(mantissa) : 0;
    return (parts){negative, mantissa << up, exponent - (int)up};
}

/* Returns true if `mode` rounds a number of this sign away from zero. `odd` says whether the last
 * kept bit is 1, `rest` holds the bits cut off, and `half` is the value of `rest` that is halfway.
 */
static bool
rounds_up(base_round mode, bool negative, bool odd, uint64_t rest, uint64_t half)
{
    switch (mode) {
    case BASE_ROUND_EVEN: return rest > half || (rest == half && odd);
    case BASE_ROUND_UP: return rest && !negative;
    case BASE_ROUND_DOWN: return rest && negative;
    case BASE_ROUND_ZERO: return false;
    }
    return false;
}

static uint64_t
encode_parts(parts p, unsigned bits, base_round mode)
{
    unsigned fraction = base_fp_fraction_bits(bits);
    int bias = (int)base_mask64(base_fp_exponent_bits(bits) - 1);
    uint64_t sign = (uint64_t)p.negative << (bits - 1), infinity = base_fp_infinity(bits);
    if (!p.mantissa)
        return sign;
    int biased = p.exponent + 63 + bias; /* biased exponent of the leading bit */
    /* The number of bits to cut off: all below the leading bit and the fraction, more for
     * denormals. */
    int cut = 63 - (int)fraction + (biased < 1 ? 1 - biased : 0);
    uint64_t kept = cut > 63 ? 0 : p.mantissa >> cut;
    /* Below half of the smallest denormal, only the fact that bits are cut off matters. */
    uint64_t rest = cut > 64 ? 1 : cut == 64 ? p.mantissa : p.mantissa & base_mask64((unsigned)cut);
    uint64_t half = cut > 63 ? UINT64_C(1) << 63 : UINT64_C(1) << (cut - 1);
    kept += rounds_up(mode, p.negative, kept & 1, rest, half);
    /* Adding the leading bit, if there is one, increments the exponent field by its last 1; so does
     * a carry.
     */
    uint64_t exponent = biased < 1 ? 0 : (uint64_t)(biased - 1);
    if (biased <= 2 * bias && (exponent << fraction) + kept < infinity)
        return sign | ((exponent << fraction) + kept);
    bool to_infinity = mode == BASE_ROUND_EVEN || (int)mode == BASE_ROUND_UP + (int)p.negative;
    return sign | (to_infinity ? infinity : infinity - 1);
}

double
base_f16_to_f64(uint16_t h)
{
    uint64_t sign = (uint64_t)(h >> 15) << 63, fraction = h & 0x3ff;
    unsigned exponent = h >> 10 & 31;
    if (exponent == 31)
        return base_bits_f64(sign | UINT64_C(0x7ff) << 52 | fraction << 42);
    if (exponent)
        return base_bits_f64(sign | (uint64_t)(exponent + 1023 - 15) << 52 | fraction << 42);
    double x = (double)fraction * 0x1p-24;
    return sign ? -x : x;
}

float
base_f16_to_f32(uint16_t h)
{
    return (float)base_f16_to_f64(h);
}

uint64_t
base_fp_encode(double x, unsigned bits, base_round mode)
{
    uint64_t u = base_f64_bits(x);
    if (bits == 64)
        return u;
    bool negative = u >> 63;
    unsigned fraction = base_fp_fraction_bits(bits);
    if (base_fp_is_nan(u, 64)) {
        uint64_t payload = u >> (52 - fraction) & base_mask64(fraction);
        uint64_t quiet = UINT64_C(1) << (fraction - 1);
        return (uint64_t)negative << (bits - 1) | base_fp_infinity(bits) | payload | quiet;
    }
    int exponent = (int)(u >> 52 & 0x7ff);
    if (exponent == 0x7ff)
        return (uint64_t)negative << (bits - 1) | base_fp_infinity(bits);
    uint64_t mantissa = (u & base_mask64(52)) | (uint64_t)(exponent != 0) << 52;
    int scale = (exponent ? exponent : 1) - 1023 - 52;
    return encode_parts(normalize(negative, mantissa, scale), bits, mode);
}

uint16_t
base_f64_to_f16(double x, base_round mode)
{
    return (uint16_t)base_fp_encode(x, 16, mode);
}

uint32_t
base_f64_to_f32(double x, base_round mode)
{
    if (mode == BASE_ROUND_EVEN)
        return base_f32_bits((float)x);
    return (uint32_t)base_fp_encode(x, 32, mode);
}

double
base_fp_decode(uint64_t pattern, unsigned bits)
{
    switch (bits) {
    case 16: return base_f16_to_f64((uint16_t)pattern);
    case 32: return base_bits_f32((uint32_t)pattern);
    default: return base_bits_f64(pattern);
    }
}

uint64_t
base_fp_from_u64(uint64_t x, unsigned bits, base_round mode)
{
    return encode_parts(normalize(false, x, 0), bits, mode);
}

uint64_t
base_fp_from_i64(int64_t x, unsigned bits, base_round mode)
{
    uint64_t magnitude = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    return encode_parts(normalize(x < 0, magnitude, 0), bits, mode);
}

uint64_t
base_fp_from_scaled(bool negative, uint64_t mantissa, int exponent, unsigned bits, base_round mode)
{
    return encode_parts(normalize(negative, mantissa, exponent), bits, mode);
}
