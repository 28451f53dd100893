/* Functions that decode texels for the tests of formats: bit fields and small floats, by their
 * definitions. */
#ifndef EMU_FORMAT_ENV_H
#define EMU_FORMAT_ENV_H

#include "amd/emu/num/float.h"
#include "base/bits.h"

#include <math.h>
#include <stdint.h>

/* A field of up to 32 bits at bit `at` of little-endian bytes. */
static inline uint32_t
field_at(const uint8_t *p, uint32_t at, uint32_t n)
{
    uint64_t v = 0;
    for (uint32_t k = 0; k < n; k++)
        v |= (uint64_t)(p[(at + k) / 8] >> (at + k) % 8 & 1) << k;
    return (uint32_t)v;
}

/* Unsigned floats of 10 and 11 bits: 5 of exponent. */
static inline double
small_float(uint32_t v, uint32_t bits)
{
    uint32_t n = bits - 5, mantissa = v & ((1u << n) - 1), exponent = v >> n;
    if (exponent == 31)
        return mantissa ? NAN : INFINITY;
    return exponent ? ldexp(1 + (double)mantissa / (1u << n), (int)exponent - 15)
                    : ldexp((double)mantissa / (1u << n), -14);
}

/* The register's bits for a field `v` of `n` bits. Kinds: U UNORM, S SNORM, X USCALED, Y SSCALED,
 * u UINT, s SINT, f FLOAT. */
static inline uint32_t
plain_number(char kind, uint32_t v, uint32_t n)
{
    int64_t s = base_sext64(v, n);
    double most = ldexp(1, (int)n - (kind == 'S')) - 1, d = 0;
    switch (kind) {
    case 'u': return v;
    case 's': return (uint32_t)s;
    case 'U': d = v / most; break;
    case 'S': d = (double)s / most < -1 ? -1 : (double)s / most; break;
    case 'X': d = v; break;
    case 'Y': d = (double)s; break;
    default:
        if (n == 32)
            return v;
        d = n == 16 ? amd_emu_from_half(v) : small_float(v, n);
        break;
    }
    return base_f32_bits((float)d);
}

#endif
