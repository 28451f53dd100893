/* Bit helpers in portable C11. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t
base_popcount32(uint32_t x)
{
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return (((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

static inline uint32_t
base_popcount64(uint64_t x)
{
    x -= (x >> 1) & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Index of the lowest set bit; `x` is not 0. A power of two times a de Bruijn sequence has six
 * highest bits that no other power gives (Leiserson, Prokop, Randall: "Using de Bruijn Sequences to
 * Index a 1 in a Computer Word", 1998). */
static inline uint32_t
base_ctz64(uint64_t x)
{
    static const uint8_t index[64] = {
        0,  1,  48, 2,  57, 49, 28, 3,  61, 58, 50, 42, 38, 29, 17, 4,  62, 55, 59, 36, 53, 51,
        43, 22, 45, 39, 33, 30, 24, 18, 12, 5,  63, 47, 56, 27, 60, 41, 37, 16, 54, 35, 52, 21,
        44, 32, 23, 11, 46, 26, 40, 15, 34, 20, 31, 10, 25, 14, 19, 9,  13, 8,  7,  6,
    };
    return index[(x & (UINT64_C(0) - x)) * UINT64_C(0x03f79d71b4cb0a89) >> 58];
}

static inline uint32_t
base_ctz32(uint32_t x)
{
    return base_ctz64(x);
}

/* Number of leading zeros; 32 (or 64) for 0. */
static inline uint32_t
base_clz32(uint32_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return 32 - base_popcount32(x);
}

static inline uint32_t
base_clz64(uint64_t x)
{
    return x >> 32 ? base_clz32((uint32_t)(x >> 32)) : 32 + base_clz32((uint32_t)x);
}

/* The number of bits up to the highest set one, as stdc_bit_width of C23; 0 for 0. */
static inline uint32_t
base_bit_width(uint32_t x)
{
    return 32 - base_clz32(x);
}

/* The logarithm to base 2, rounded up; 0 for 0. */
static inline uint32_t
base_log2_up(uint32_t n)
{
    return n > 1 ? base_bit_width(n - 1) : 0;
}

/* How many bits, at most `most`, are set in a row from bit `*at` on, which goes to the first that
 * is set; 0: none is. */
static inline unsigned
base_next_run(uint32_t bits, unsigned most, unsigned *at)
{
    uint64_t left = (uint64_t)bits >> *at;
    if (!left)
        return 0;
    *at += base_ctz64(left);
    left >>= base_ctz64(left);
    const unsigned n = base_ctz64(~left);
    return n < most ? n : most;
}

static inline bool
base_is_pow2(uint64_t x)
{
    return x && !(x & (x - 1));
}

/* The low `bits` bits set; `bits` is 0 to 64. */
static inline uint64_t
base_mask64(unsigned bits)
{
    return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

/* The low `bits` bits of `x` as a signed number; `bits` is 1 to 64. */
static inline int64_t
base_sext64(uint64_t x, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    x &= base_mask64(bits);
    return (int64_t)((x ^ sign) - sign);
}

static inline uint32_t
base_f32_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline float
base_bits_f32(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint64_t
base_f64_bits(double f)
{
    uint64_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline double
base_bits_f64(uint64_t u)
{
    double f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* A 64-bit mix for hash tables (the finaliser of SplitMix64, Steele et al. 2014). */
static inline uint64_t
base_hash64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#endif
