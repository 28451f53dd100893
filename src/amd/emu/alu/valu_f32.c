/* Operations on binary32, from the RDNA 2 ISA's descriptions of VOP1, VOP2 and VOP3. */
#include "amd/emu/alu/valu_rows.h"
#include "amd/emu/num/division.h"
#include "amd/emu/num/minmax.h"

/* v_rcp, v_rsq, v_sqrt, v_log, v_exp flush denormals regardless of the mode ("denormals are
 * flushed"). */
static float
flushed(float f)
{
    return base_bits_f32(amd_emu_flush32(base_f32_bits(f)));
}

static float
rcp32(float a)
{
    return flushed(1.0f / flushed(a));
}

static float
rsq32(float a)
{
    a = flushed(a);
    return a == 0 ? 1.0f / a : (float)(1.0 / sqrt((double)a));
}

/* The _clamp and _legacy operations of gfx6 and gfx7 ("Southern Islands" ISA; "Evergreen" ISA,
 * RECIP_CLAMPED, RECIP_FF and the like): infinity becomes the largest finite number, or zero. */
static float
clamped(float f)
{
    return isinf(f) ? copysignf(0x1.fffffep127f, f) : f;
}

static float
no_infinity(float f)
{
    return isinf(f) ? copysignf(0, f) : f;
}

static float
sqrt32(float a)
{
    return sqrtf(flushed(a));
}

/* sin(2 pi r): reduced to r in [-1/4, 1/4] by mirroring, and exact at multiples of a quarter. */
static double
sin_turns(double x)
{
    double r = x - nearbyint(x);
    if (fabs(r) > 0.25)
        r = copysign(0.5, r) - r;
    return r == 0 ? copysign(0.0, x) : sin(r * 6.283185307179586476925);
}

static double
cos_turns(double x)
{
    double r = fabs(x - nearbyint(x));
    return r == 0.25 ? 0.0 : sin((0.25 - r) * 6.283185307179586476925);
}

static float
sin32(float a)
{
    return isinf(a) ? NAN : (float)sin_turns((double)a);
}

static float
cos32(float a)
{
    return isinf(a) ? NAN : (float)cos_turns((double)a);
}

static float
fract32(float a)
{
    float f = a - floorf(a);
    return f >= 1.0f ? 0x1.fffffep-1f : f; /* 1 - tiny rounds to 1, which is not a fraction */
}

static int32_t
frexp_exp32(float a)
{
    int e = 0;
    if (isfinite(a))
        frexpf(a, &e);
    return e;
}

static float
frexp_mant32(float a)
{
    int e = 0;
    return isfinite(a) ? frexpf(a, &e) : amd_emu_canonical32(a);
}

static float
ldexp32(float a, int32_t e)
{
    return ldexpf(a, amd_emu_clamp_i(e, -1000, 1000));
}

/* Cube maps: the axis with the largest coordinate; in a tie z wins over y, and y over x. */
static int
cube_axis(float x, float y, float z)
{
    return fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y) ? 2 : fabsf(y) >= fabsf(x) ? 1 : 0;
}

static float
cube_id(float x, float y, float z)
{
    int axis = cube_axis(x, y, z);
    float v = axis == 2 ? z : axis == 1 ? y : x;
    return (float)(axis * 2 + (v < 0));
}

static float
cube_sc(float x, float y, float z)
{
    int axis = cube_axis(x, y, z);
    return axis == 2 ? (z < 0 ? -x : x) : axis == 1 ? x : x < 0 ? z : -z;
}

static float
cube_tc(float x, float y, float z)
{
    return cube_axis(x, y, z) == 1 ? (y < 0 ? -z : z) : -y;
}

static float
cube_ma(float x, float y, float z)
{
    int axis = cube_axis(x, y, z);
    return 2.0f * (axis == 2 ? z : axis == 1 ? y : x);
}

static float
mullit(float a, float b, float c)
{
    bool low = b == -0x1.fffffep127f || b == -INFINITY || b != b || c <= 0 || c != c;
    return low ? -0x1.fffffep127f : a * b;
}

static const emu_division division = {.fraction = 23,
                                      .bias = 127,
                                      .large = 96,
                                      .underflow = -150,
                                      .tiny = 23,
                                      .scale = 64,
                                      .nan_is_infinity = true};

static float
div_fixup32(float q, float den, float num)
{
    return base_bits_f32((uint32_t)amd_emu_div_fixup(&division, base_f32_bits(q),
                                                     base_f32_bits(den), base_f32_bits(num)));
}

static void
kernel_div_scale(const emu_args *k)
{
    const uint32_t *a = k->a, *b = k->b, *c = k->c;
    uint32_t *d = k->d;
    for (uint32_t l = 0; l < k->n; l++) {
        bool invalid;
        int by = amd_emu_div_scale(&division, a[l], b[l], c[l], &k->mask[l], &invalid);
        float x = base_bits_f32(a[l]);
        d[l] = base_f32_bits(invalid ? NAN : by ? ldexpf(x, by) : amd_emu_canonical32(x));
    }
}

/* V_DIV_FMAS undoes V_DIV_SCALE's scaling: by 2^64 if the quotient estimate in S2 is at least 2,
 * else by 2^-64 (observed on hardware; the manual's 2^32 does not match its own
 * V_DIV_SCALE_F32). */
static void
kernel_div_fmas(const emu_args *k)
{
    const uint32_t *a = k->a, *b = k->b, *c = k->c;
    uint32_t *d = k->d;
    bool nearest = (k->mode & 3) == EMU_RNE;
    for (uint32_t l = 0; l < k->n; l++) {
        float x = base_bits_f32(a[l]), y = base_bits_f32(b[l]), z = base_bits_f32(c[l]);
        /* the scaled result must be rounded only once: the sum is rounded to odd, or in the same
         * direction */
        double sum = nearest ? amd_emu_fma32_odd(x, y, z) : fma((double)x, (double)y, (double)z);
        if (k->vcc[l])
            sum = ldexp(sum, amd_emu_div_class(&division, c[l]).exponent > 127 ? 64 : -64);
        d[l] = base_f32_bits((float)sum);
    }
}

/* Computes sums in binary64 and rounds them again, which is wrong only if the first rounding makes
 * a tie for the second. Ties have zeros in the low 28 bits; if any lane has such a sum, the slower
 * way is taken. */
static void
kernel_fma_rne(const emu_args *k)
{
    const uint32_t *restrict a = k->a;
    const uint32_t *restrict b = k->b;
    const uint32_t *restrict c = k->c;
    uint32_t *restrict d = k->d;
    uint32_t n = k->n, ties = 0;
    for (uint32_t l = 0; l < n; l++) {
        double s = (double)base_bits_f32(a[l]) * (double)base_bits_f32(b[l]) +
                   (double)base_bits_f32(c[l]);
        d[l] = base_f32_bits((float)s);
        ties |= amd_emu_mask32(((uint32_t)base_f64_bits(s) & 0x0fffffff) == 0);
    }
    if (!ties)
        return;
    for (uint32_t l = 0; l < n; l++)
        d[l] = base_f32_bits(
            amd_emu_fma32_rne(base_bits_f32(a[l]), base_bits_f32(b[l]), base_bits_f32(c[l])));
}

static void
kernel_fma(const emu_args *k)
{
    const uint32_t *a = k->a, *b = k->b, *c = k->c;
    uint32_t *d = k->d;
    if ((k->mode & 3) == EMU_RNE) {
        kernel_fma_rne(k);
        return;
    }
    for (uint32_t l = 0; l < k->n; l++)
        d[l] = base_f32_bits(fmaf(base_bits_f32(a[l]), base_bits_f32(b[l]), base_bits_f32(c[l])));
}

void
amd_emu_fma_lanes(uint32_t n, const float *a, const float *b, const float *c, float *d)
{
    for (uint32_t l = 0; l < n; l++)
        d[l] = fmaf(a[l], b[l], c[l]);
}

void
amd_emu_mad_lanes(uint32_t n, const float *a, const float *b, const float *c, float *d)
{
    for (uint32_t l = 0; l < n; l++)
        d[l] = flushed(a[l] * b[l]) + c[l];
}

/* v_fmac and v_fma with DX9 rules: 0 times anything is 0. */
static float
fma_legacy(float a, float b, float c)
{
    return a == 0 || b == 0 ? amd_emu_canonical32(c) : fmaf(a, b, c);
}

static float
mad_legacy(float a, float b, float c)
{
    return (a == 0 || b == 0 ? 0.0f : flushed(a * b)) + c;
}

/* v_exp_f32 flushes results below the normal range. */
static float
exp32(float a)
{
    return flushed(exp2f(flushed(a)));
}

static float
log32(float a)
{
    a = flushed(a);
    return a < 0 ? base_bits_f32(0xffc00000) : log2f(a);
}

/* bfloat16: the upper half of a binary32. Sums are rounded once, as the guides specify nothing
 * else. */
static double
bf16(uint32_t h)
{
    return (double)base_bits_f32(h << 16);
}

static double
dot2_bf16(uint32_t a, uint32_t b, double c)
{
    return amd_emu_sum3(bf16(a) * bf16(b), bf16(a >> 16) * bf16(b >> 16), c);
}

#define NONE   0
#define CHOICE EMU_VALU_CHOICE
#define ACC    EMU_VALU_ACC
#define RNE    EMU_VALU_RNE
#define RAW    EMU_VALU_RAW
/* v_mad and v_mac: "denormals are flushed" (RDNA 1 ISA) */
#define FLUSH  EMU_VALU_FLUSH

/* One source, two sources, three sources: opcode, flags, types of result and sources, expression.
 */
#define ROWS(R1, R2, R3)                                                                           \
    R1(V_MOV_B32, RAW, U32, U32, a)                                                                \
    R3(V_CNDMASK_B32, RAW, U32, U32, U32, MASK, c ? b : a)                                         \
    R2(V_ADD_F32, NONE, F32, F32, F32, a + b)                                                      \
    R2(V_SUB_F32, NONE, F32, F32, F32, a - b)                                                      \
    R2(V_SUBREV_F32, NONE, F32, F32, F32, b - a)                                                   \
    R2(V_MUL_F32, NONE, F32, F32, F32, a *b)                                                       \
    R2(V_MUL_LEGACY_F32, NONE, F32, F32, F32, a == 0 || b == 0 ? 0.0f : a * b)                     \
    R2(V_MIN_F32, CHOICE, F32, F32, F32, amd_emu_min32(a, b, k->nans))                             \
    R2(V_MAX_F32, CHOICE, F32, F32, F32, amd_emu_max32(a, b, k->nans))                             \
    R2(V_MIN_LEGACY_F32, CHOICE, F32, F32, F32, a < b ? a : b)                                     \
    R2(V_MAX_LEGACY_F32, CHOICE, F32, F32, F32, a >= b ? a : b)                                    \
    R3(V_MAC_F32, ACC | FLUSH, F32, F32, F32, F32, flushed(a * b) + c)                             \
    R3(V_MAD_F32, FLUSH, F32, F32, F32, F32, flushed(a *b) + c)                                    \
    R3(V_MADMK_F32, FLUSH, F32, F32, F32, F32, flushed(a *b) + c)                                  \
    R3(V_MADAK_F32, FLUSH, F32, F32, F32, F32, flushed(a *b) + c)                                  \
    R3(V_FMAC_LEGACY_F32, ACC, F32, F32, F32, F32, fma_legacy(a, b, c))                            \
    R3(V_FMA_LEGACY_F32, NONE, F32, F32, F32, F32, fma_legacy(a, b, c))                            \
    R3(V_MAC_LEGACY_F32, ACC | FLUSH, F32, F32, F32, F32, mad_legacy(a, b, c))                     \
    R3(V_MAD_LEGACY_F32, FLUSH, F32, F32, F32, F32, mad_legacy(a, b, c))                           \
    R1(V_FRACT_F32, RNE, F32, F32, fract32(a))                                                     \
    R1(V_TRUNC_F32, RNE, F32, F32, amd_emu_canonical32(truncf(a)))                                 \
    R1(V_CEIL_F32, RNE, F32, F32, amd_emu_canonical32(ceilf(a)))                                   \
    R1(V_RNDNE_F32, RNE, F32, F32, amd_emu_canonical32(nearbyintf(a)))                             \
    R1(V_FLOOR_F32, RNE, F32, F32, amd_emu_canonical32(floorf(a)))                                 \
    R1(V_EXP_F32, RNE, F32, F32, exp32(a))                                                         \
    R1(V_LOG_F32, RNE, F32, F32, log32(a))                                                         \
    R1(V_EXP_LEGACY_F32, RNE, F32, F32, exp32(a))                                                  \
    R1(V_LOG_LEGACY_F32, RNE, F32, F32, log32(a))                                                  \
    R1(V_RCP_F32, RNE, F32, F32, rcp32(a))                                                         \
    R1(V_RCP_IFLAG_F32, RNE, F32, F32, rcp32(a))                                                   \
    R1(V_RSQ_F32, RNE, F32, F32, rsq32(a))                                                         \
    R1(V_LOG_CLAMP_F32, RNE, F32, F32, log32(a) == -INFINITY ? -0x1.fffffep127f : log32(a))        \
    R1(V_RCP_CLAMP_F32, RNE, F32, F32, clamped(rcp32(a)))                                          \
    R1(V_RCP_LEGACY_F32, RNE, F32, F32, no_infinity(rcp32(a)))                                     \
    R1(V_RSQ_CLAMP_F32, RNE, F32, F32, clamped(rsq32(a)))                                          \
    R1(V_RSQ_LEGACY_F32, RNE, F32, F32, no_infinity(rsq32(a)))                                     \
    R1(V_SQRT_F32, RNE, F32, F32, sqrt32(a))                                                       \
    R1(V_SIN_F32, RNE, F32, F32, sin32(a))                                                         \
    R1(V_COS_F32, RNE, F32, F32, cos32(a))                                                         \
    R1(V_FREXP_EXP_I32_F32, RNE, I32, F32, frexp_exp32(a))                                         \
    R1(V_FREXP_MANT_F32, RNE, F32, F32, frexp_mant32(a))                                           \
    R2(V_LDEXP_F32, NONE, F32, F32, I32, ldexp32(a, b))                                            \
    R3(V_CUBEID_F32, NONE, F32, F32, F32, F32, cube_id(a, b, c))                                   \
    R3(V_CUBESC_F32, NONE, F32, F32, F32, F32, amd_emu_canonical32(cube_sc(a, b, c)))              \
    R3(V_CUBETC_F32, NONE, F32, F32, F32, F32, amd_emu_canonical32(cube_tc(a, b, c)))              \
    R3(V_CUBEMA_F32, NONE, F32, F32, F32, F32, cube_ma(a, b, c))                                   \
    R3(V_MULLIT_F32, NONE, F32, F32, F32, F32, mullit(a, b, c))                                    \
    R3(V_MIN3_F32, CHOICE, F32, F32, F32, F32,                                                     \
       amd_emu_min32(amd_emu_min32(a, b, k->nans), c, k->nans))                                    \
    R3(V_MAX3_F32, CHOICE, F32, F32, F32, F32,                                                     \
       amd_emu_max32(amd_emu_max32(a, b, k->nans), c, k->nans))                                    \
    R3(V_MED3_F32, CHOICE, F32, F32, F32, F32, amd_emu_med3_32(a, b, c, k->nans))                  \
    R2(V_MINIMUM_F32, NONE, F32, F32, F32, amd_emu_min32(a, b, EMU_NAN_PASS))                      \
    R2(V_MAXIMUM_F32, NONE, F32, F32, F32, amd_emu_max32(a, b, EMU_NAN_PASS))                      \
    R3(V_MINIMUM3_F32, NONE, F32, F32, F32, F32,                                                   \
       amd_emu_min32(amd_emu_min32(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MAXIMUM3_F32, NONE, F32, F32, F32, F32,                                                   \
       amd_emu_max32(amd_emu_max32(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MINIMUMMAXIMUM_F32, NONE, F32, F32, F32, F32,                                             \
       amd_emu_max32(amd_emu_min32(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MAXIMUMMINIMUM_F32, NONE, F32, F32, F32, F32,                                             \
       amd_emu_min32(amd_emu_max32(a, b, EMU_NAN_PASS), c, EMU_NAN_PASS))                          \
    R3(V_MINMAX_F32, CHOICE, F32, F32, F32, F32,                                                   \
       amd_emu_max32(amd_emu_min32(a, b, k->nans), c, k->nans))                                    \
    R3(V_MAXMIN_F32, CHOICE, F32, F32, F32, F32,                                                   \
       amd_emu_min32(amd_emu_max32(a, b, k->nans), c, k->nans))                                    \
    R3(V_DOT2_BF16_BF16, RNE, B16, VB, VB, B16, amd_emu_to_bf16(dot2_bf16(a, b, bf16(c))))         \
    R3(V_DOT2_F32_BF16, RNE, F32, VB, VB, F32, dot2_bf16(a, b, (double)c))                         \
    R3(V_DOT2C_F32_BF16, RNE | EMU_VALU_ACC, F32, VB, VB, F32, dot2_bf16(a, b, (double)c))         \
    R3(V_MINMAX_NUM_F32, NONE, F32, F32, F32, F32,                                                 \
       amd_emu_max32(amd_emu_min32(a, b, k->nans), c, k->nans))                                    \
    R3(V_MAXMIN_NUM_F32, NONE, F32, F32, F32, F32,                                                 \
       amd_emu_min32(amd_emu_max32(a, b, k->nans), c, k->nans))                                    \
    R3(V_DIV_FIXUP_F32, NONE, F32, F32, F32, F32, div_fixup32(a, b, c))

ROWS(EMU_ROW_KERNEL1, EMU_ROW_KERNEL2, EMU_ROW_KERNEL3)

#define F32_3                                                                                      \
    {                                                                                              \
        EMU_T_F32, EMU_T_F32, EMU_T_F32                                                            \
    }

const emu_valu_entry amd_emu_valu_f32_rows[] = {
    /* clang-format off */
    ROWS(EMU_ROW_ENTRY1, EMU_ROW_ENTRY2, EMU_ROW_ENTRY3)
    {AMD_V_FMA_F32, {kernel_fma, NULL, NONE, EMU_T_F32, F32_3}},
    {AMD_V_FMAC_F32, {kernel_fma, NULL, ACC, EMU_T_F32, F32_3}},
    {AMD_V_FMAMK_F32, {kernel_fma, NULL, NONE, EMU_T_F32, F32_3}},
    {AMD_V_FMAAK_F32, {kernel_fma, NULL, NONE, EMU_T_F32, F32_3}},
    {AMD_V_DIV_SCALE_F32, {kernel_div_scale, NULL, EMU_VALU_MASK_OUT, EMU_T_F32, F32_3}},
    {AMD_V_DIV_FMAS_F32, {kernel_div_fmas, NULL, EMU_VALU_VCC, EMU_T_F32, F32_3}},
    /* clang-format on */
};
const size_t amd_emu_valu_f32_count = sizeof amd_emu_valu_f32_rows / sizeof *amd_emu_valu_f32_rows;
