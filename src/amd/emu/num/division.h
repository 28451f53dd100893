/* The decisions of V_DIV_SCALE and V_DIV_FIXUP, for all widths. They depend only on signs and
 * exponents. */
#ifndef AMD_EMU_DIVISION_H
#define AMD_EMU_DIVISION_H

#include <stdbool.h>
#include <stdint.h>

/* The parameters of a width: the exponent bias; the exponent differences above which the quotient
 * is large and below which it underflows; the largest exponent of a tiny numerator; the power of
 * two to scale by. */
typedef struct emu_division {
    int bias, large, underflow, tiny, scale;
} emu_division;

/* The class of a number, with its exponent field. */
typedef struct emu_class {
    int exponent;
    bool nan, infinite, zero;
} emu_class;

/* Would num / den be denormal, judged by the exponents as the hardware does? */
static inline bool
amd_emu_quotient_tiny(const emu_division *w, int num, int den)
{
    return num - den <= 1 - w->bias;
}

/* V_DIV_SCALE of a value that is the denominator, the numerator (`is_den`, `is_num`) or both:
 * returns the power of two to multiply it by; sets `invalid` if the result is NaN. Where the
 * description is ambiguous (vcc with zeros; "denormal" for a quotient), this follows observed
 * hardware. If both 1 / den and the quotient are denormal, the description gives 2^64 for the
 * denominator, which would overflow; the factor that makes the division correct is 2^-64. */
static inline int
amd_emu_div_scale(const emu_division *w, emu_class num, emu_class den, bool is_den, bool is_num,
                  uint32_t *vcc, bool *invalid)
{
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

/* The result that V_DIV_FIXUP returns. */
typedef enum emu_fixup {
    EMU_FIX_NUM,      /* the numerator, a NaN made quiet */
    EMU_FIX_DEN,      /* the denominator, a NaN made quiet */
    EMU_FIX_INVALID,  /* the negative default NaN */
    EMU_FIX_INFINITY, /* with the quotient's sign */
    EMU_FIX_ZERO,
    EMU_FIX_QUOTIENT, /* the estimate, with the quotient's sign */
} emu_fixup;

static inline emu_fixup
amd_emu_div_fixup(const emu_division *w, emu_class num, emu_class den)
{
    if (num.nan)
        return EMU_FIX_NUM;
    if (den.nan)
        return EMU_FIX_DEN;
    if ((den.zero && num.zero) || (den.infinite && num.infinite))
        return EMU_FIX_INVALID;
    if (den.zero || num.infinite)
        return EMU_FIX_INFINITY;
    if (den.infinite || num.zero || num.exponent - den.exponent < w->underflow)
        return EMU_FIX_ZERO;
    return EMU_FIX_QUOTIENT;
}

#endif
