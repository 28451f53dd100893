/* Floats of 4 to 16 bits: a table of formats, and one conversion each way. */
#include "amd/emu/num/narrow.h"

#include "base/bits.h"

#include <math.h>

/* `max` is the largest number, `over` what follows it: NaN or infinity; `nan`. Formats with numbers
 * only have none of these two. */
typedef struct format {
    uint8_t bits, mantissa, bias;
    uint16_t max, over, nan;
} format;

static const format formats[] = {
    [EMU_FP8] = {8, 3, 7, 0x7e, 0x7f, 0x7f},
    [EMU_BF8] = {8, 2, 15, 0x7b, 0x7c, 0x7e},
    [EMU_FP6] = {6, 3, 1, 0x1f, 0, 0},
    [EMU_BF6] = {6, 2, 3, 0x1f, 0, 0},
    [EMU_FP4] = {4, 1, 1, 0x07, 0, 0},
    [EMU_HALF] = {16, 10, 15, 0x7bff, 0x7c00, 0x7e00},
    [EMU_BRAIN] = {16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0},
};

uint32_t
amd_emu_narrow_bits(emu_narrow f)
{
    return formats[f].bits;
}

float
amd_emu_from_narrow(emu_narrow kind, uint32_t v)
{
    const format *f = &formats[kind];
    uint32_t sign = v >> (f->bits - 1) & 1, a = v & ((1u << (f->bits - 1)) - 1);
    uint32_t m = a & ((1u << f->mantissa) - 1), e = a >> f->mantissa;
    float r = ldexpf((float)(m + (e ? 1u << f->mantissa : 0)),
                     (int)(e ? e : 1) - f->bias - f->mantissa);
    if (a > f->max)
        r = a == f->over && f->over != f->nan ? INFINITY : NAN;
    return sign ? -r : r;
}

/* The bits of `m` above `drop`, rounded. */
static uint64_t
round_off(uint64_t m, uint32_t drop, emu_rounding how)
{
    if (how.random)
        return (m + (drop <= 32 ? how.seed >> (32 - drop) : (uint64_t)how.seed << (drop - 32))) >>
               drop;
    uint64_t half = UINT64_C(1) << (drop - 1), low = m & base_mask64(drop), kept = m >> drop;
    return kept + (low > half || (low == half && (kept & 1)));
}

uint32_t
amd_emu_to_narrow(emu_narrow kind, float x, emu_rounding how)
{
    enum { MOST = 56 }; /* more bits to drop than that: the number is 0 */
    const format *f = &formats[kind];
    uint32_t u = base_f32_bits(x), a = u & 0x7fffffff, sign = u >> 31 << (f->bits - 1);
    bool numbers = !f->over;
    if (a > 0x7f800000)
        return numbers ? 0 : sign | f->nan;
    if (a == 0x7f800000)
        return sign | (numbers || how.saturate ? f->max : f->over);
    int e = (int)(a >> 23 ? a >> 23 : 1) - 127 + f->bias;
    uint32_t drop = 23u - f->mantissa + (e < 1 ? (uint32_t)(1 - e) : 0);
    uint64_t m = (a & 0x7fffff) | (a >> 23 ? 0x800000u : 0);
    if (drop > MOST)
        return sign;
    /* the leading bit adds one to the exponent's field */
    uint64_t r = (e < 1 ? 0 : (uint64_t)(e - 1) << f->mantissa) + round_off(m, drop, how);
    if (r > f->max)
        return sign | (numbers || how.saturate ? f->max : f->over);
    return sign | (uint32_t)r;
}
