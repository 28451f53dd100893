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
    return base_popcount32((uint32_t)x) + base_popcount32((uint32_t)(x >> 32));
}

/* Index of the lowest set bit; `x` is not 0. */
static inline uint32_t
base_ctz32(uint32_t x)
{
    return base_popcount32((x & (0u - x)) - 1);
}

static inline uint32_t
base_ctz64(uint64_t x)
{
    return base_popcount64((x & (UINT64_C(0) - x)) - 1);
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
