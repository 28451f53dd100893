/* Operations on binary16. Sums and products are computed in binary32, fused operations in binary64,
 * and rounded again (float.h explains why that is correct). During the computation the host uses
 * MODE's rounding.
 */
#include "amd/emu/alu/valu_rows.h"
#include "amd/emu/num/division.h"
#include "amd/emu/num/minmax.h"

static double
sin_turns16(double x)
{
    double r = x - nearbyint(x);
    if (fabs(r) > 0.25)
        r = copysign(0.5, r) - r;
    return isinf(x) ? NAN : r == 0 ? copysign(0.0, x) : sin(r * 6.283185307179586476925);
}

static double
cos_turns16(double x)
{
    double r = fabs(x - nearbyint(x));
    return isinf(x) ? NAN : r == 0.25 ? 0.0 : sin((0.25 - r) * 6.283185307179586476925);
}

static float
fract16(float a)
{
    float f = a - floorf(a);
    return f > 0x1.ffcp-1f ? 0x1.ffcp-1f : f; /* never rounds to 1 */
}

static int32_t
frexp_exp16(float a)
{
    int e = 0;
    if (isfinite(a))
        frexpf(a, &e);
    return e;
}

static float
frexp_mant16(float a)
{
    int e = 0;
    return isfinite(a) ? frexpf(a, &e) : a;
}

static uint32_t
div_fixup16(uint32_t q, uint32_t den, uint32_t num)
{
    static const emu_division division = {.fraction = 10, .bias = 15, .underflow = -100};
    return (uint32_t)amd_emu_div_fixup(&division, q, den, num);
}

/* log2 of a negative number gives the hardware's NaN 0xfe00. */
static double
log16(float a)
{
    return a < 0 ? -NAN : log2((double)a);
}

static int32_t
to_i16(float f)
{
    return amd_emu_clamp_i(amd_emu_to_i32((double)f), INT16_MIN, INT16_MAX);
}

static uint32_t
to_u16(float f)
{
    uint32_t u = amd_emu_to_u32((double)f);
    return u > 0xffff ? 0xffff : u;
}

/* v_mad and v_mac: the product is rounded and, like everything, flushed. */
static double
mad16(float a, float b, float c, unsigned round)
{
    return (double)amd_emu_from_half(amd_emu_flush16(amd_emu_f32_to_half(a * b, round))) +
           (double)c;
}

/* The upper half of a dword as a number. */
static float
upper_half(const emu_args *k, uint32_t v)
{
    uint32_t h = k->mode & EMU_DENORM_IN_16_64 ? v >> 16 : amd_emu_flush16(v >> 16);
    return amd_emu_canonical32(amd_emu_from_half(h));
}

/* V_DOT2_F16_F16: rounded once, denormals by MODE; the guides do not specify how sums are
 * rounded. */
static double
dot2_f16(uint32_t a, uint32_t b, float c)
{
    return amd_emu_sum3((double)amd_emu_from_half(a) * (double)amd_emu_from_half(b),
                        (double)amd_emu_from_half(a >> 16) * (double)amd_emu_from_half(b >> 16),
                        (double)c);
}

#define ROUND(k) ((k)->mode >> 2 & 3)
#define NONE     0
#define CHOICE   EMU_VALU_CHOICE
#define FLUSH    EMU_VALU_FLUSH
#define KEEP     EMU_VALU_KEEP
#define ACC      EMU_VALU_ACC
#define RNE      EMU_VALU_RNE

/* Rows with a binary16 result given as a number; the expression has type float or double. */
#define ROWS_QUICK(R2)                                                                             \
    R2(V_ADD_F16, NONE, F16, F16, a + b)                                                           \
    R2(V_SUB_F16, NONE, F16, F16, a - b)                                                           \
    R2(V_SUBREV_F16, NONE, F16, F16, b - a)                                                        \
    R2(V_MUL_F16, NONE, F16, F16, a *b)
#define ROWS_QUICK3(R3) R3(V_FMA_F16, NONE, F16, F16, F16, (double)a *(double)b + (double)c)
#define ROWS_MAD(R3)                                                                               \
    R3(V_MAD_F16, FLUSH, F16, F16, F16, mad16(a, b, c, round))                                     \
    R3(V_MAD_LEGACY_F16, FLUSH, F16, F16, F16, mad16(a, b, c, round))                              \
    R3(V_MAC_F16, ACC | FLUSH | KEEP, F16, F16, F16, mad16(a, b, c, round))                        \
    R3(V_MADMK_F16, FLUSH | KEEP, F16, F16, F16, mad16(a, b, c, round))                            \
    R3(V_DOT2_F16_F16, RNE, V2, V2, F16, dot2_f16(a, b, c))                                        \
    R3(V_MADAK_F16, FLUSH | KEEP, F16, F16, F16, mad16(a, b, c, round))
#define ROWS_F(R1, R2)                                                                             \
    R2(V_LDEXP_F16, NONE, F16, I16, ldexp((double)a, amd_emu_clamp_i(b, -100, 100)))               \
    R1(V_RCP_F16, RNE, F16, 1.0f / a)                                                              \
    R1(V_SQRT_F16, RNE, F16, sqrtf(a))                                                             \
    R1(V_RSQ_F16, RNE, F16, 1.0 / sqrt((double)a))                                                 \
    R1(V_LOG_F16, RNE, F16, log16(a))                                                              \
    R1(V_EXP_F16, RNE, F16, exp2((double)a))                                                       \
    R1(V_SIN_F16, RNE, F16, sin_turns16((double)a))                                                \
    R1(V_COS_F16, RNE, F16, cos_turns16((double)a))                                                \
    R1(V_FLOOR_F16, RNE, F16, floorf(a))                                                           \
    R1(V_CEIL_F16, RNE, F16, ceilf(a))                                                             \
    R1(V_TRUNC_F16, RNE, F16, truncf(a))                                                           \
    R1(V_RNDNE_F16, RNE, F16, nearbyintf(a))                                                       \
    R1(V_FRACT_F16, RNE, F16, fract16(a))                                                          \
    R1(V_FREXP_MANT_F16, RNE, F16, frexp_mant16(a))                                                \
    R1(V_CVT_F16_U16, NONE, U16, (double)a)                                                        \
    R1(V_CVT_F16_I16, NONE, I16, (double)a)                                                        \
    R1(V_CVT_F16_F32, NONE, F32, a)

/* Rows with a result of another type, or given as bits. */
#define ROWS(R1, R2, R3)                                                                           \
    R2(V_MAX_F16, CHOICE, H16, H16, H16, amd_emu_max16(a, b, k->nans))                             \
    R2(V_MIN_F16, CHOICE, H16, H16, H16, amd_emu_min16(a, b, k->nans))                             \
    R3(V_MIN3_F16, CHOICE, H16, H16, H16, H16,                                                     \
       amd_emu_min16(amd_emu_min16(a, b, k->nans), c, k->nans))                                    \
    R3(V_MAX3_F16, CHOICE, H16, H16, H16, H16,                                                     \
       amd_emu_max16(amd_emu_max16(a, b, k->nans), c, k->nans))                                    \
    R3(V_MED3_F16, CHOICE, H16, H16, H16, H16, amd_emu_med3_16(a, b, c, k->nans))                  \
    R2(V_MINIMUM_F16, NONE, H16, H16, H16, amd_emu_min16(a, b, EMU_NAN_PASS))                      \
    R2(V_MAXIMUM_F16, NONE, H16, H16, H16, amd_emu_max16(a, b, EMU_NAN_PASS))                      \
    R3(V_MINIMUM3_F16, NONE, H16, H16, H16, H16,                                                   \
       amd_emu_min16(amd_emu_min16(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MAXIMUM3_F16, NONE, H16, H16, H16, H16,                                                   \
       amd_emu_max16(amd_emu_max16(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MINIMUMMAXIMUM_F16, NONE, H16, H16, H16, H16,                                             \
       amd_emu_max16(amd_emu_min16(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MAXIMUMMINIMUM_F16, NONE, H16, H16, H16, H16,                                             \
       amd_emu_min16(amd_emu_max16(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MINMAX_F16, CHOICE, H16, H16, H16, H16,                                                   \
       amd_emu_max16(amd_emu_min16(a, b, k->nans), c, k->nans))                                    \
    R3(V_MAXMIN_F16, CHOICE, H16, H16, H16, H16,                                                   \
       amd_emu_min16(amd_emu_max16(a, b, k->nans), c, k->nans))                                    \
    R1(S_CVT_HI_F32_F16, NONE, F32, U32, upper_half(k, a))                                         \
    R3(V_MINMAX_NUM_F16, NONE, H16, H16, H16, H16,                                                 \
       amd_emu_max16(amd_emu_min16(a, b, k->nans), c, k->nans))                                    \
    R3(V_MAXMIN_NUM_F16, NONE, H16, H16, H16, H16,                                                 \
       amd_emu_min16(amd_emu_max16(a, b, k->nans), c, k->nans))                                    \
    R3(V_DIV_FIXUP_F16, NONE, H16, H16, H16, H16, div_fixup16(a, b, c))                            \
    R3(V_DIV_FIXUP_LEGACY_F16, NONE, H16, H16, H16, H16, div_fixup16(a, b, c))                     \
    R1(V_FREXP_EXP_I16_F16, NONE, I16, F16, frexp_exp16(a))                                        \
    R1(V_CVT_U16_F16, NONE, U16, F16, to_u16(a))                                                   \
    R1(V_CVT_I16_F16, NONE, I16, F16, to_i16(a))                                                   \
    R1(V_CVT_F32_F16, NONE, F32, F16, amd_emu_canonical32(a))                                      \
    R2(V_PACK_B32_F16, EMU_VALU_RAW, V2, H16, H16, a | b << 16)

#define KF1(id, flags, ta, ...)                                                                    \
    static void kernel_##id(const emu_args *k)                                                     \
    {                                                                                              \
        const uint32_t *restrict pa = k->a;                                                        \
        uint32_t *restrict pd = k->d;                                                              \
        uint32_t n = k->n, round = (flags)&RNE ? EMU_RNE : ROUND(k);                               \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            EMU_C_##ta a = EMU_L_##ta(pa[l]);                                                      \
            pd[l] = amd_emu_to_half((double)(__VA_ARGS__), round);                                 \
        }                                                                                          \
    }
#define KF2(id, flags, ta, tb, ...)                                                                \
    static void kernel_##id(const emu_args *k)                                                     \
    {                                                                                              \
        const uint32_t *restrict pa = k->a;                                                        \
        const uint32_t *restrict pb = k->b;                                                        \
        uint32_t *restrict pd = k->d;                                                              \
        uint32_t n = k->n, round = (flags)&RNE ? EMU_RNE : ROUND(k);                               \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            EMU_C_##ta a = EMU_L_##ta(pa[l]);                                                      \
            EMU_C_##tb b = EMU_L_##tb(pb[l]);                                                      \
            pd[l] = amd_emu_to_half((double)(__VA_ARGS__), round);                                 \
        }                                                                                          \
    }
#define KF3(id, flags, ta, tb, tc, ...)                                                            \
    static void kernel_##id(const emu_args *k)                                                     \
    {                                                                                              \
        const uint32_t *restrict pa = k->a;                                                        \
        const uint32_t *restrict pb = k->b;                                                        \
        const uint32_t *restrict pc = k->c;                                                        \
        uint32_t *restrict pd = k->d;                                                              \
        uint32_t n = k->n, round = (flags)&RNE ? EMU_RNE : ROUND(k);                               \
        for (uint32_t l = 0; l < n; l++) {                                                         \
            EMU_C_##ta a = EMU_L_##ta(pa[l]);                                                      \
            EMU_C_##tb b = EMU_L_##tb(pb[l]);                                                      \
            EMU_C_##tc c = EMU_L_##tc(pc[l]);                                                      \
            pd[l] = amd_emu_to_half((double)(__VA_ARGS__), round);                                 \
        }                                                                                          \
    }
ROWS_QUICK(KF2)
ROWS_QUICK3(KF3)
ROWS_MAD(KF3)
ROWS_F(KF1, KF2)

/* The most frequent operations, for rounding to nearest even: without calls, so that they
 * vectorise. */
#define QUICK(id)                                                                                  \
    static void quick_##id(const emu_args *k)                                                      \
    {                                                                                              \
        if (ROUND(k) == EMU_RNE)                                                                   \
            fast_##id(k);                                                                          \
        else                                                                                       \
            kernel_##id(k);                                                                        \
    }
EMU_KERNEL2(fast_V_ADD_F16, F16, F16, F16, a + b)
EMU_KERNEL2(fast_V_SUB_F16, F16, F16, F16, a - b)
EMU_KERNEL2(fast_V_SUBREV_F16, F16, F16, F16, b - a)
EMU_KERNEL2(fast_V_MUL_F16, F16, F16, F16, a *b)
EMU_KERNEL3(fast_V_FMA_F16, H16, F16, F16, F16, amd_emu_fma16_rne(a, b, c))
QUICK(V_ADD_F16)
QUICK(V_SUB_F16)
QUICK(V_SUBREV_F16)
QUICK(V_MUL_F16)
QUICK(V_FMA_F16)

ROWS(EMU_ROW_KERNEL1, EMU_ROW_KERNEL2, EMU_ROW_KERNEL3)

#define EF1(id, flags, ta, ...) {AMD_##id, {kernel_##id, NULL, flags, EMU_T_F16, {EMU_T_##ta}}},
#define EF2(id, flags, ta, tb, ...)                                                                \
    {AMD_##id, {kernel_##id, NULL, flags, EMU_T_F16, {EMU_T_##ta, EMU_T_##tb}}},
#define EF3(id, flags, ta, tb, tc, ...)                                                            \
    {AMD_##id, {kernel_##id, NULL, flags, EMU_T_F16, {EMU_T_##ta, EMU_T_##tb, EMU_T_##tc}}},
#define F16_3                                                                                      \
    {                                                                                              \
        EMU_T_F16, EMU_T_F16, EMU_T_F16                                                            \
    }

const emu_valu_entry amd_emu_valu_f16_rows[] = {
    /* clang-format off */
    {AMD_V_ADD_F16, {quick_V_ADD_F16, NULL, NONE, EMU_T_F16, {EMU_T_F16, EMU_T_F16}}},
    {AMD_V_SUB_F16, {quick_V_SUB_F16, NULL, NONE, EMU_T_F16, {EMU_T_F16, EMU_T_F16}}},
    {AMD_V_SUBREV_F16, {quick_V_SUBREV_F16, NULL, NONE, EMU_T_F16, {EMU_T_F16, EMU_T_F16}}},
    {AMD_V_MUL_F16, {quick_V_MUL_F16, NULL, NONE, EMU_T_F16, {EMU_T_F16, EMU_T_F16}}},
    {AMD_V_FMA_F16, {quick_V_FMA_F16, NULL, NONE, EMU_T_F16, F16_3}},
    {AMD_V_FMAC_F16, {quick_V_FMA_F16, NULL, ACC | EMU_VALU_KEEP, EMU_T_F16, F16_3}},
    {AMD_V_FMAMK_F16, {quick_V_FMA_F16, NULL, EMU_VALU_KEEP, EMU_T_F16, F16_3}},
    {AMD_V_FMAAK_F16, {quick_V_FMA_F16, NULL, EMU_VALU_KEEP, EMU_T_F16, F16_3}},
    {AMD_V_FMA_LEGACY_F16, {quick_V_FMA_F16, NULL, NONE, EMU_T_F16, F16_3}},
    ROWS_MAD(EF3)
    ROWS_F(EF1, EF2)
    ROWS(EMU_ROW_ENTRY1, EMU_ROW_ENTRY2, EMU_ROW_ENTRY3)
    /* clang-format on */
};
const size_t amd_emu_valu_f16_count = sizeof amd_emu_valu_f16_rows / sizeof *amd_emu_valu_f16_rows;
