/* Rounding to binary16 in all modes. See float.h. */
#include "amd/emu/num/float.h"

/* Is the magnitude rounded up? The value's last kept bit is `odd`, and its lost part compares to
 * half a unit as `low` (-1, 0, 1); `exact`: nothing was lost. */
static bool
rounds_up(unsigned round, bool negative, bool odd, int low, bool exact)
{
    switch (round) {
    case EMU_RNE: return low > 0 || (low == 0 && odd);
    case EMU_RPI: return !negative && !exact;
    case EMU_RNI: return negative && !exact;
    default: return false;
    }
}

uint32_t
amd_emu_to_half(double d, unsigned round)
{
    uint64_t u = base_f64_bits(d);
    uint32_t sign = (uint32_t)(u >> 48 & 0x8000);
    bool negative = sign != 0;
    int exponent = (int)(u >> 52 & 0x7ff) - 1023;
    uint64_t m = (u & base_mask64(52)) | UINT64_C(1) << 52;
    if (amd_emu_nan64(u))
        return sign | 0x7e00 | (uint32_t)(u >> 42 & 0x3ff);
    if (exponent == 1024)
        return sign | 0x7c00;
    if (exponent < -1022 - 1 + 1 && !(u & INT64_MAX))
        return sign;
    /* the weight of the last kept bit is 2^(max(exponent, -14) - 10) */
    int shift = 42 + (exponent < -14 ? -14 - exponent : 0);
    if (shift > 62) {
        m = 1;
        shift = 62;
    }
    uint64_t kept = m >> shift, lost = m & base_mask64((unsigned)shift),
             half = UINT64_C(1) << (shift - 1);
    int low = lost > half ? 1 : lost == half ? 0 : -1;
    uint32_t biased = exponent < -14 ? 0 : (uint32_t)(exponent + 15);
    if (exponent > 15)
        biased = 31;
    /* if the value is normal, `kept` includes the leading bit, which adds one to the exponent
     * field */
    uint32_t h = biased >= 31 ? 0x7c00 : (biased ? (biased - 1) << 10 : 0) + (uint32_t)kept;
    if (biased < 31 && rounds_up(round, negative, kept & 1, low, lost == 0))
        h++;
    bool overflow = h >= 0x7c00;
    if (overflow) {
        bool to_infinity = round == EMU_RNE || (round == EMU_RPI && !negative) ||
                           (round == EMU_RNI && negative);
        h = to_infinity ? 0x7c00 : 0x7bff;
    }
    return sign | h;
}
