/* Operations on binary64. */
#include "amd/emu/alu/valu_rows.h"
#include "amd/emu/num/division.h"
#include "amd/emu/num/minmax.h"

/* v_rcp_f64, v_rsq_f64 and v_sqrt_f64 are estimates: "precision is (2**29) ULP". The low bits are
 * cleared, to expose code that forgets to refine the estimate. */
static double
estimate(double d)
{
    return isfinite(d) ? base_bits_f64(base_f64_bits(d) & ~base_mask64(26)) : d;
}

static double
rsq64(double a)
{
    return a == 0 ? 1.0 / a : estimate(1.0 / sqrt(a));
}

/* gfx6 and gfx7: infinity becomes the largest finite number. */
static double
clamped(double d)
{
    return isinf(d) ? copysign(0x1.fffffffffffffp1023, d) : d;
}

static double
fract64(double a)
{
    double f = a - floor(a);
    return f >= 1.0 ? 0x1.fffffffffffffp-1 : f;
}

static int32_t
frexp_exp64(double a)
{
    int e = 0;
    if (isfinite(a))
        frexp(a, &e);
    return e;
}

static double
frexp_mant64(double a)
{
    int e = 0;
    return isfinite(a) ? frexp(a, &e) : amd_emu_canonical64(a);
}

static double
ldexp64(double a, int32_t e)
{
    return ldexp(a, amd_emu_clamp_i(e, -5000, 5000));
}

static const emu_division division = {.fraction = 52,
                                      .bias = 1023,
                                      .large = 768,
                                      .underflow = -1075,
                                      .tiny = 53,
                                      .scale = 128,
                                      .nan_is_infinity = true};

static int
exponent_field(double d)
{
    return amd_emu_div_class(&division, base_f64_bits(d)).exponent;
}

static double
div_fixup64(double q, double den, double num)
{
    return base_bits_f64(
        amd_emu_div_fixup(&division, base_f64_bits(q), base_f64_bits(den), base_f64_bits(num)));
}

static void
kernel_div_scale(const emu_args *k)
{
    const uint64_t *a = k->a, *b = k->b, *c = k->c;
    uint64_t *d = k->d;
    for (uint32_t l = 0; l < k->n; l++) {
        bool invalid;
        int by = amd_emu_div_scale(&division, a[l], b[l], c[l], &k->mask[l], &invalid);
        double x = base_bits_f64(a[l]);
        d[l] = base_f64_bits(invalid ? NAN : by ? ldexp(x, by) : amd_emu_canonical64(x));
    }
}

/* Scales r = x * y + z, which was rounded to nearest, by 2^e; the result is denormal, so scaling
 * rounds again. At a tie of that second rounding, the error of the first one decides. */
static double
scale_fused(double x, double y, double z, double r, int e)
{
    double scaled = ldexp(r, e), lost = fabs(r - ldexp(scaled, -e));
    if (!isfinite(r) || lost == 0 || lost != ldexp(1.0, -1075 - e))
        return scaled;
    /* everything times 2^200, so that the product's low part is not denormal: r is about 2^-900 */
    double small = fabs(x) < fabs(y) ? x : y, big = fabs(x) < fabs(y) ? y : x;
    double p = small * 0x1p200 * big, low = fma(small * 0x1p200, big, -p);
    double c = z * 0x1p200, s = p + c, t = s - p;
    double rest = (s - r * 0x1p200) + (((p - (s - t)) + (c - t)) + low);
    if (p == 0 && x != 0 && y != 0)
        rest = copysign(1.0, x) * copysign(1.0, y);
    if (rest == 0)
        return scaled;
    return ldexp(nextafter(r, rest > 0 ? INFINITY : -INFINITY), e);
}

/* (x * y + z) * 2^-128 for a sum that overflows: the operands are scaled first. If z is lost,
 * rounding needs only its sign. */
static double
scale_before(double x, double y, double z)
{
    double small = z * 0x1p-128;
    if (small == 0 && z != 0)
        small = copysign(0x1p-1074, z);
    return fma(x * 0x1p-64, y * 0x1p-64, small);
}

static void
kernel_div_fmas(const emu_args *k)
{
    const uint64_t *a = k->a, *b = k->b, *c = k->c;
    uint64_t *d = k->d;
    for (uint32_t l = 0; l < k->n; l++) {
        double x = base_bits_f64(a[l]), y = base_bits_f64(b[l]), z = base_bits_f64(c[l]);
        double r = fma(x, y, z);
        bool overflow = !(fabs(r) < 0x1.fffffffffffffp1023) && isfinite(x) && isfinite(y);
        if (k->vcc[l] && exponent_field(z) <= 1023 && overflow)
            r = scale_before(x, y, z);
        else if (k->vcc[l] && (k->mode >> 2 & 3) != EMU_RNE)
            r = ldexp(r, exponent_field(z) > 1023 ? 128 : -128); /* scaling twice in one direction
                                                                   counts once */
        else if (k->vcc[l])
            r = scale_fused(x, y, z, r, exponent_field(z) > 1023 ? 128 : -128);
        d[l] = base_f64_bits(r);
    }
}

/* The 1201 fraction bits of 2 / pi that are needed, and a few more, most significant first. */
static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
};

/* Bits [first, first + 53) of 2 / pi, counted from the top of the fraction. */
static uint64_t
two_over_pi_bits(uint32_t first)
{
    uint64_t r = 0;
    for (uint32_t i = first; i < first + 53; i++) {
        uint32_t bit = i < 1201 ? two_over_pi[i / 32] >> (31 - i % 32) & 1 : 0;
        r = r << 1 | bit;
    }
    return r;
}

/* V_TRIG_PREOP_F64: the 53-bit segment of 2 / pi that begins at bit `shift` of the fraction, with
 * its weight: the formula's result * 2^(-53 - shift). */
static double
trig_preop(double a, uint32_t segment)
{
    int32_t shift = (int32_t)(segment & 31) * 53, e = exponent_field(a);
    if (e > 1077)
        shift += e - 1077;
    double r = (double)two_over_pi_bits((uint32_t)shift);
    int32_t scale = -53 - shift + (e >= 1968 ? 128 : 0);
    return ldexp(r, scale);
}

#define NONE   0
#define CHOICE EMU_VALU_CHOICE
#define RNE    EMU_VALU_RNE

#define ROWS(R1, R2, R3)                                                                           \
    R2(V_ADD_F64, NONE, F64, F64, F64, a + b)                                                      \
    R2(V_MUL_F64, NONE, F64, F64, F64, a *b)                                                       \
    R2(V_MIN_F64, CHOICE, F64, F64, F64, amd_emu_min64(a, b, k->nans))                             \
    R2(V_MAX_F64, CHOICE, F64, F64, F64, amd_emu_max64(a, b, k->nans))                             \
    R2(V_MINIMUM_F64, NONE, F64, F64, F64, amd_emu_min64(a, b, EMU_NAN_PASS))                      \
    R2(V_MAXIMUM_F64, NONE, F64, F64, F64, amd_emu_max64(a, b, EMU_NAN_PASS))                      \
    R3(V_FMA_F64, NONE, F64, F64, F64, F64, fma(a, b, c))                                          \
    R3(V_FMAC_F64, EMU_VALU_ACC, F64, F64, F64, F64, fma(a, b, c))                                 \
    R2(V_LDEXP_F64, NONE, F64, F64, I32, ldexp64(a, b))                                            \
    R1(V_TRUNC_F64, RNE, F64, F64, amd_emu_canonical64(trunc(a)))                                  \
    R1(V_CEIL_F64, RNE, F64, F64, amd_emu_canonical64(ceil(a)))                                    \
    R1(V_RNDNE_F64, RNE, F64, F64, amd_emu_canonical64(nearbyint(a)))                              \
    R1(V_FLOOR_F64, RNE, F64, F64, amd_emu_canonical64(floor(a)))                                  \
    R1(V_FRACT_F64, RNE, F64, F64, fract64(a))                                                     \
    R1(V_RCP_F64, RNE, F64, F64, estimate(1.0 / a))                                                \
    R1(V_RSQ_F64, RNE, F64, F64, rsq64(a))                                                         \
    R1(V_RCP_CLAMP_F64, RNE, F64, F64, clamped(estimate(1.0 / a)))                                 \
    R1(V_RSQ_CLAMP_F64, RNE, F64, F64, clamped(rsq64(a)))                                          \
    R1(V_SQRT_F64, RNE, F64, F64, estimate(sqrt(a)))                                               \
    R1(V_FREXP_EXP_I32_F64, RNE, I32, F64, frexp_exp64(a))                                         \
    R1(V_FREXP_MANT_F64, RNE, F64, F64, frexp_mant64(a))                                           \
    R3(V_DIV_FIXUP_F64, NONE, F64, F64, F64, F64, div_fixup64(a, b, c))                            \
    R2(V_TRIG_PREOP_F64, RNE, F64, F64, U32, trig_preop(a, b))

ROWS(EMU_ROW_KERNEL1, EMU_ROW_KERNEL2, EMU_ROW_KERNEL3)

#define F64_3                                                                                      \
    {                                                                                              \
        EMU_T_F64, EMU_T_F64, EMU_T_F64                                                            \
    }

const emu_valu_entry amd_emu_valu_f64_rows[] = {
    /* clang-format off */
    ROWS(EMU_ROW_ENTRY1, EMU_ROW_ENTRY2, EMU_ROW_ENTRY3)
    {AMD_V_DIV_SCALE_F64, {kernel_div_scale, NULL, EMU_VALU_MASK_OUT, EMU_T_F64, F64_3}},
    {AMD_V_DIV_FMAS_F64, {kernel_div_fmas, NULL, EMU_VALU_VCC, EMU_T_F64, F64_3}},
    /* clang-format on */
};
const size_t amd_emu_valu_f64_count = sizeof amd_emu_valu_f64_rows / sizeof *amd_emu_valu_f64_rows;
