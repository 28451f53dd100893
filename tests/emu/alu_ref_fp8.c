/* References of the 8-bit floats: a format is the list of its values, and a number is encoded as
 * the nearest of them. CDNA 3: NaN is 0x80, no infinities; RDNA 4: the OCP's E4M3 and E5M2. (ISA
 * guides of CDNA 3 and RDNA 4; OCP 8-bit Floating Point Specification 1.0.)
 */
#include "alu_ref.h"

#include <math.h>

typedef struct small {
    int mantissa, bias;
    unsigned last; /* the largest finite encoding */
    bool fnuz, infinities;
} small;

static small
format(const ref_env *e, bool bf8)
{
    if (e->gen == AMD_GFX942)
        return bf8 ? (small){2, 16, 0x7f, true, false} : (small){3, 8, 0x7f, true, false};
    return bf8 ? (small){2, 15, 0x7b, false, true} : (small){3, 7, 0x7e, false, false};
}

/* The value of encoding `v` (without sign) by exponent and mantissa alone. */
static double
regular(small f, unsigned v)
{
    unsigned m = v & ((1u << f.mantissa) - 1), x = v >> f.mantissa;
    double significand = x ? 1 + ldexp(m, -f.mantissa) : ldexp(m, 1 - f.mantissa);
    return ldexp(significand, (int)x - f.bias);
}

static uint64_t
bits_of(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

/* An 8-bit float as binary32; 0x7fc00000 for NaN. */
static uint64_t
widen(const ref_env *e, unsigned v, bool bf8)
{
    small f = format(e, bf8);
    unsigned a = v & 0x7f;
    if (f.fnuz ? v == 0x80 : a > f.last && !(f.infinities && a == f.last + 1))
        return 0x7fc00000;
    double x = a > f.last ? INFINITY : regular(f, a);
    return bits_of((float)(v & 0x80 ? -x : x));
}

/* Binary32 to 8 bits. `random` (0 to 1) is added to the fraction before truncation; negative:
 * rounds to nearest even. */
static unsigned
narrow(const ref_env *e, uint64_t u, bool bf8, double random)
{
    small f = format(e, bf8);
    uint32_t raw = (uint32_t)u;
    float x;
    memcpy(&x, &raw, sizeof x);
    unsigned sign = signbit(x) ? 0x80 : 0;
    unsigned over = f.fnuz ? 0x80 : sign | (f.last + 1);
    if (isnan(x))
        return f.fnuz ? 0x80 : 0x7f; /* any NaN: see the callers */
    if (isinf(x))
        return over;
    double a = fabs((double)x);
    unsigned v = 0; /* the last value that is not above */
    while (v <= f.last && regular(f, v + 1) <= a)
        v++;
    if (v > f.last)
        return over;
    double step = regular(f, v + 1) - regular(f, v), part = (a - regular(f, v)) / step;
    bool up = random < 0 ? part > 0.5 || (part == 0.5 && (v & 1)) : part + random >= 1;
    v += up;
    if (v > f.last)
        return over;
    return v == 0 && f.fnuz ? 0 : sign | v;
}

static unsigned
byte_selected(const ref_env *e, uint64_t v)
{
    unsigned sel = e->in->fmt == AMD_VOP3 ? e->in->op_sel & 3u : 0;
    static const unsigned byte[4] = {0, 2, 1, 3}; /* the two bits are reversed */
    return (unsigned)(v >> (8 * byte[sel])) & 0xff;
}

static void
put_f32(ref_lane *x, uint64_t v)
{
    x->d = v;
    x->any_nan = v == 0x7fc00000;
    x->as = &ref_f32;
}

/* NaNs of the OCP formats, which are not unique: bf8 has several. */
static bool
is_open(const ref_env *e, uint64_t source, bool bf8)
{
    return bf8 && e->gen != AMD_GFX942 && ref_is_nan(&ref_f32, source);
}

#define WIDEN(name, bf8)                                                                           \
    static void cvt_f32_##name(const ref_env *e, ref_lane *x)                                      \
    {                                                                                              \
        put_f32(x, widen(e, byte_selected(e, x->s[0]), bf8));                                      \
    }                                                                                              \
    static void cvt_pk_f32_##name(const ref_env *e, ref_lane *x)                                   \
    {                                                                                              \
        uint64_t v = e->in->fmt == AMD_VOP3 && (e->in->op_sel & 1) ? x->s[0] >> 16 : x->s[0];      \
        x->d = widen(e, v & 0xff, bf8) | widen(e, v >> 8 & 0xff, bf8) << 32;                       \
        x->singles = true;                                                                         \
    }                                                                                              \
    static void cvt_pk_##name(const ref_env *e, ref_lane *x)                                       \
    {                                                                                              \
        unsigned at = e->in->op_sel & 8 ? 16 : 0;                                                  \
        uint64_t v = narrow(e, x->s[0], bf8, -1) | narrow(e, x->s[1], bf8, -1) << 8;               \
        x->d = (x->old & ~(UINT64_C(0xffff) << at)) | v << at;                                     \
        x->d_mask = (is_open(e, x->s[0], bf8) ? UINT64_C(0x83) << at : 0) |                        \
                    (is_open(e, x->s[1], bf8) ? UINT64_C(0x8300) << at : 0) |                      \
                    (!bf8 && e->gen != AMD_GFX942 && ref_is_nan(&ref_f32, x->s[0])                 \
                         ? UINT64_C(0x80) << at                                                    \
                         : 0) |                                                                    \
                    (!bf8 && e->gen != AMD_GFX942 && ref_is_nan(&ref_f32, x->s[1])                 \
                         ? UINT64_C(0x8000) << at                                                  \
                         : 0);                                                                     \
    }                                                                                              \
    static void cvt_sr_##name(const ref_env *e, ref_lane *x)                                       \
    {                                                                                              \
        unsigned at = (e->in->op_sel >> 2 & 3u) * 8, bits = bf8 ? 21 : 20;                         \
        double random = ldexp((double)(x->s[1] >> (32 - bits)), -(int)bits);                       \
        uint64_t v = narrow(e, x->s[0], bf8, random);                                              \
        x->d = (x->old & ~(UINT64_C(0xff) << at)) | v << at;                                       \
        x->d_mask = e->gen != AMD_GFX942 && ref_is_nan(&ref_f32, x->s[0])                          \
                        ? (bf8 ? UINT64_C(0x83) : UINT64_C(0x80)) << at                            \
                        : 0;                                                                       \
    }
WIDEN(fp8, false)
WIDEN(bf8, true)

/* Four products and an addend, within a unit of the last place: the rounding of sums is not
 * documented. */
static void
dot4(const ref_env *e, ref_lane *x, bool a_bf8, bool b_bf8)
{
    mpfr_t sum, a, b;
    mpfr_init2(sum, 700);
    mpfr_init2(a, 53);
    mpfr_init2(b, 53);
    ref_load(sum, &ref_f32, x->s[2]);
    for (unsigned s = 0; s < 32; s += 8) {
        ref_load(a, &ref_f32, widen(e, x->s[0] >> s & 0xff, a_bf8));
        ref_load(b, &ref_f32, widen(e, x->s[1] >> s & 0xff, b_bf8));
        mpfr_fma(sum, a, b, sum, MPFR_RNDN);
    }
    ref_keep_exact(sum);
    x->d = ref_store(&ref_f32, sum, REF_RNE);
    x->any_nan = ref_is_nan(&ref_f32, x->d);
    x->any_zero = true;
    x->ulp = mpfr_number_p(sum) ? 1 : 0;
    x->as = &ref_f32;
    mpfr_clear(sum);
    mpfr_clear(a);
    mpfr_clear(b);
}

#define DOT(name, a_bf8, b_bf8)                                                                    \
    static void dot4_##name(const ref_env *e, ref_lane *x)                                         \
    {                                                                                              \
        dot4(e, x, a_bf8, b_bf8);                                                                  \
    }
DOT(fp8_fp8, false, false)
DOT(fp8_bf8, false, true)
DOT(bf8_fp8, true, false)
DOT(bf8_bf8, true, true)

enum { BYTES = REF_PLAIN | REF_WHOLE };

static const ref_row rows[] = {
    {AMD_V_CVT_F32_FP8, REF_PLAIN, cvt_f32_fp8},
    {AMD_V_CVT_F32_BF8, REF_PLAIN, cvt_f32_bf8},
    {AMD_V_CVT_PK_F32_FP8, BYTES, cvt_pk_f32_fp8},
    {AMD_V_CVT_PK_F32_BF8, BYTES, cvt_pk_f32_bf8},
    {AMD_V_CVT_PK_FP8_F32, BYTES, cvt_pk_fp8},
    {AMD_V_CVT_PK_BF8_F32, BYTES, cvt_pk_bf8},
    {AMD_V_CVT_SR_FP8_F32, BYTES, cvt_sr_fp8},
    {AMD_V_CVT_SR_BF8_F32, BYTES, cvt_sr_bf8},
    {AMD_V_DOT4_F32_FP8_FP8, REF_PLAIN, dot4_fp8_fp8},
    {AMD_V_DOT4_F32_FP8_BF8, REF_PLAIN, dot4_fp8_bf8},
    {AMD_V_DOT4_F32_BF8_FP8, REF_PLAIN, dot4_bf8_fp8},
    {AMD_V_DOT4_F32_BF8_BF8, REF_PLAIN, dot4_bf8_bf8},
};
const ref_table ref_fp8_table = {rows, sizeof rows / sizeof *rows};
