/* V_MIN, V_MAX and related operations for all widths, with the NaN rules of the generations.
 *
 * Before RDNA 3 the first source is examined first: if it is a NaN, the result is the second. RDNA
 * 3 examines the second first. In IEEE mode a signalling NaN is returned as a quiet one. RDNA 4
 * (V_MIN_NUM) has no such mode: if both are NaNs, it returns the first as a quiet one. All treat -0
 * as less than +0. (Descriptions of V_MIN_F32 and V_MIN_NUM_F32 in the ISA guides.) V_MINIMUM and
 * V_MAXIMUM return NaNs, made quiet.
 *
 * Everything is computed and selected by masks, so that loops vectorise.
 */
#ifndef AMD_EMU_MINMAX_H
#define AMD_EMU_MINMAX_H

#include "amd/emu/num/float.h"

/* Rules, as bits. */
enum {
    EMU_NAN_IEEE = 1,
    EMU_NAN_SECOND = 2, /* RDNA 3 */
    EMU_NAN_NUMBER = 4, /* RDNA 4 */
    EMU_NAN_PASS = 8,   /* v_minimum, v_maximum */
};

/* Defines amd_emu_choose32 ... for bits of type U; `to_number` converts them to a float; bit
 * `quiet` marks quiet NaNs. */
#define EMU_DEFINE_CHOICE(name, U, to_number, quiet)                                               \
    static inline U name(U a, U b, uint32_t rule, bool max)                                        \
    {                                                                                              \
        const U one = 1, q = one << (quiet);                                                       \
        U ieee = 0 - (U)((rule & EMU_NAN_IEEE) != 0), pass = 0 - (U)((rule & EMU_NAN_PASS) != 0);  \
        U second = 0 - (U)((rule & EMU_NAN_SECOND) != 0);                                          \
        U number = 0 - (U)((rule & EMU_NAN_NUMBER) != 0);                                          \
        U nan_a = 0 - (U)(to_number(a) != to_number(a));                                           \
        U nan_b = 0 - (U)(to_number(b) != to_number(b));                                           \
        U snan_a = nan_a & ((a >> (quiet)&one) - one),                                             \
          snan_b = nan_b & ((b >> (quiet)&one) - one);                                             \
        U first = 0 - (U)(max ? to_number(b) < to_number(a) : to_number(a) < to_number(b));        \
        U zeros = (0 - (U)(to_number(a) == 0)) & (0 - (U)(to_number(b) == 0));                     \
        U r = (zeros & (max ? a & b : a | b)) | (~zeros & ((first & a) | (~first & b)));           \
        U take_a = nan_b & (~nan_a | second), take_b = nan_a & ~take_a;                            \
        r = (take_a & a) | (take_b & b) | (~(take_a | take_b) & r);                                \
        U quiet_a = (ieee & snan_a) | (number & nan_a & nan_b) |                                   \
                    (pass & (snan_a | (nan_a & ~snan_b)));                                         \
        U quiet_b = ((ieee & snan_b) | (pass & nan_b)) & ~quiet_a;                                 \
        return (quiet_a & (a | q)) | (quiet_b & (b | q)) | (~(quiet_a | quiet_b) & r);             \
    }
EMU_DEFINE_CHOICE(amd_emu_choose16, uint32_t, amd_emu_from_half, 9) /* the upper halves are 0 */
EMU_DEFINE_CHOICE(amd_emu_choose32, uint32_t, base_bits_f32, 22)
EMU_DEFINE_CHOICE(amd_emu_choose64, uint64_t, base_bits_f64, 51)

/* Defines minimum and maximum of two and of three, and the middle of three (V_MED3's description).
 * Values have type T; `choose` takes their `bits`, and `of` converts the result back. */
#define EMU_DEFINE_MINMAX(suffix, T, choose, bits, of)                                             \
    static inline T amd_emu_min##suffix(T a, T b, uint32_t rule)                                   \
    {                                                                                              \
        return of(choose(bits(a), bits(b), rule, false));                                          \
    }                                                                                              \
    static inline T amd_emu_max##suffix(T a, T b, uint32_t rule)                                   \
    {                                                                                              \
        return of(choose(bits(a), bits(b), rule, true));                                           \
    }
#define EMU_SAME(x) (x)
EMU_DEFINE_MINMAX(16, uint32_t, amd_emu_choose16, EMU_SAME, EMU_SAME)
EMU_DEFINE_MINMAX(32, float, amd_emu_choose32, base_f32_bits, base_bits_f32)
EMU_DEFINE_MINMAX(64, double, amd_emu_choose64, base_f64_bits, base_bits_f64)

static inline float
amd_emu_med3_32(float a, float b, float c, uint32_t rule)
{
    if (a != a || b != b || c != c)
        return amd_emu_min32(amd_emu_min32(a, b, rule), c, rule);
    float max = amd_emu_max32(amd_emu_max32(a, b, rule), c, rule);
    return max == a   ? amd_emu_max32(b, c, rule)
           : max == b ? amd_emu_max32(a, c, rule)
                      : amd_emu_max32(a, b, rule);
}

static inline uint32_t
amd_emu_med3_16(uint32_t a, uint32_t b, uint32_t c, uint32_t rule)
{
    float f[3] = {amd_emu_from_half(a), amd_emu_from_half(b), amd_emu_from_half(c)};
    if (f[0] != f[0] || f[1] != f[1] || f[2] != f[2])
        return amd_emu_min16(amd_emu_min16(a, b, rule), c, rule);
    float max = amd_emu_from_half(amd_emu_max16(amd_emu_max16(a, b, rule), c, rule));
    return max == f[0]   ? amd_emu_max16(b, c, rule)
           : max == f[1] ? amd_emu_max16(a, c, rule)
                         : amd_emu_max16(a, b, rule);
}

#endif
