/* The decisions of V_DIV_SCALE and V_DIV_FIXUP, for all widths. Numbers are given as their bits. */
#ifndef AMD_EMU_DIVISION_H
#define AMD_EMU_DIVISION_H

#include <stdbool.h>
#include <stdint.h>

/* The parameters of a width: bits of the fraction; the exponent bias; the exponent differences
 * above which the quotient is large and below which it underflows; the largest exponent of a tiny
 * numerator; the power of two to scale by; whether a NaN as estimate of the quotient becomes
 * infinity (observed on RDNA hardware). */
typedef struct emu_division {
    int fraction, bias, large, underflow, tiny, scale;
    bool nan_is_infinity;
} emu_division;

/* The class of a number, with its exponent field. */
typedef struct emu_class {
    int exponent;
    bool nan, infinite, zero;
} emu_class;

static inline uint64_t
amd_emu_div_infinity(const emu_division *w)
{
    return (uint64_t)(2 * w->bias + 1) << w->fraction;
}

static inline uint64_t
amd_emu_div_sign(const emu_division *w)
{
    return (uint64_t)(2 * w->bias + 2) << w->fraction;
}

static inline emu_class
amd_emu_div_class(const emu_division *w, uint64_t bits)
{
    uint64_t size = bits & (amd_emu_div_sign(w) - 1), infinity = amd_emu_div_infinity(w);
    return (emu_class){.exponent = (int)(size >> w->fraction),
                       .nan = size > infinity,
                       .infinite = size == infinity,
                       .zero = size == 0};
}

/* Would num / den be denormal, judged by the exponents as the hardware does? */
static inline bool
amd_emu_quotient_tiny(const emu_division *w, int num, int den)
{
    return num - den <= 1 - w->bias;
}

/* V_DIV_SCALE of `a`, which is the denominator, the numerator or both: returns the power of two to
 * multiply it by; sets `invalid` if the result is NaN. Where the description is ambiguous (vcc with
 * zeros; "denormal" for a quotient), this follows observed hardware. If both 1 / den and the
 * quotient are denormal, the description gives 2^64 for the denominator, which would overflow; the
 * factor that makes the division correct is 2^-64. */
static inline int
amd_emu_div_scale(const emu_division *w, uint64_t a, uint64_t den_bits, uint64_t num_bits,
                  uint32_t *vcc, bool *invalid)
{
    emu_class den = amd_emu_div_class(w, den_bits), num = amd_emu_div_class(w, num_bits);
    bool is_den = a == den_bits, is_num = a == num_bits;
    bool tiny = amd_emu_quotient_tiny(w, num.exponent, den.exponent);
    bool tiny_rcp = amd_emu_quotient_tiny(w, w->bias, den.exponent);
    *invalid = num.zero || den.zero;
    *vcc = 1;
    if (*invalid)
        return 0;
    if (num.exponent - den.exponent >= w->large)
        return is_den ? w->scale : 0;
    if (tiny && tiny_rcp)
        return is_den ? -w->scale : 0;
    if (tiny)
        return is_num ? w->scale : 0;
    *vcc = 0;
    if (den.exponent == 0)
        return w->scale;
    if (tiny_rcp)
        return -w->scale;
    return num.exponent <= w->tiny ? w->scale : 0;
}

/* V_DIV_FIXUP of the estimate `q`. */
static inline uint64_t
amd_emu_div_fixup(const emu_division *w, uint64_t q, uint64_t den_bits, uint64_t num_bits)
{
    emu_class den = amd_emu_div_class(w, den_bits), num = amd_emu_div_class(w, num_bits);
    uint64_t sign = amd_emu_div_sign(w), infinity = amd_emu_div_infinity(w);
    uint64_t of_quotient = (den_bits ^ num_bits) & sign, quiet = UINT64_C(1) << (w->fraction - 1);
    if (num.nan)
        return num_bits | quiet;
    if (den.nan)
        return den_bits | quiet;
    if ((den.zero && num.zero) || (den.infinite && num.infinite))
        return sign | infinity | quiet;
    if (den.zero || num.infinite)
        return of_quotient | infinity;
    if (den.infinite || num.zero || num.exponent - den.exponent < w->underflow)
        return of_quotient;
    bool nan = w->nan_is_infinity && amd_emu_div_class(w, q).nan;
    return of_quotient | (nan ? infinity : q & (sign - 1));
}

#endif
