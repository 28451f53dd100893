/* References of float operations, one function for all widths. From the descriptions of VOP1, VOP2
 * and VOP3 in AMD's ISA guides (RDNA 2, RDNA 3, RDNA 4, CDNA 3); differences between generations
 * and deviations from the guides are noted where they occur.
 */
#include "alu_ref.h"

#include "base/bits.h"

#include <math.h>

/* Sets an arithmetic result; a NaN may be any NaN. */
static void
put(const ref_format *f, ref_lane *x, uint64_t v)
{
    x->d = v;
    x->any_nan = ref_is_nan(f, v);
    x->as = f;
}

static bool
any_source_nan(const ref_format *f, const ref_lane *x, unsigned n)
{
    for (unsigned s = 0; s < n; s++)
        if (ref_is_nan(f, x->s[s]))
            return true;
    return false;
}

#define OP(name) static void name(const ref_format *f, const ref_env *e, ref_lane *x)

OP(add)
{
    put(f, x, ref_add(f, x->s[0], x->s[1], ref_mode(e, f)));
}

OP(sub)
{
    put(f, x, ref_add(f, x->s[0], ref_negate(f, x->s[1]), ref_mode(e, f)));
}

OP(subrev)
{
    put(f, x, ref_add(f, x->s[1], ref_negate(f, x->s[0]), ref_mode(e, f)));
}

OP(mul)
{
    put(f, x, ref_mul(f, x->s[0], x->s[1], ref_mode(e, f)));
}

OP(fma3)
{
    put(f, x, ref_fma(f, x->s[0], x->s[1], x->s[2], ref_mode(e, f)));
}

OP(fmac)
{
    put(f, x, ref_fma(f, x->s[0], x->s[1], x->old, ref_mode(e, f)));
}

/* DX9: zero times anything is +0. */
static uint64_t
mul_dx9(const ref_format *f, const ref_env *e, uint64_t a, uint64_t b)
{
    return ref_is_zero(f, a) || ref_is_zero(f, b) ? 0 : ref_mul(f, a, b, ref_mode(e, f));
}

OP(mul_legacy)
{
    put(f, x, mul_dx9(f, e, x->s[0], x->s[1]));
}

static uint64_t
fma_dx9(const ref_format *f, const ref_env *e, const ref_lane *x, uint64_t c)
{
    if (ref_is_zero(f, x->s[0]) || ref_is_zero(f, x->s[1]))
        return c;
    return ref_fma(f, x->s[0], x->s[1], c, ref_mode(e, f));
}

OP(fma_legacy)
{
    put(f, x, fma_dx9(f, e, x, x->s[2]));
}

OP(fmac_legacy)
{
    put(f, x, fma_dx9(f, e, x, x->old));
}

/* v_mad, v_mac: also rounded after the product; denormals are flushed regardless of the mode ("1ULP
 * accuracy, denormals are flushed"). */
static uint64_t
mad(const ref_format *f, const ref_env *e, uint64_t a, uint64_t b, uint64_t c, bool dx9)
{
    uint64_t p;
    a = ref_flush(f, a);
    b = ref_flush(f, b);
    p = dx9 ? mul_dx9(f, e, a, b) : ref_mul(f, a, b, ref_mode(e, f));
    return ref_flush(f, ref_add(f, ref_flush(f, p), ref_flush(f, c), ref_mode(e, f)));
}

OP(mad3)
{
    put(f, x, mad(f, e, x->s[0], x->s[1], x->s[2], false));
}

OP(mac)
{
    put(f, x, mad(f, e, x->s[0], x->s[1], x->old, false));
}

OP(mad_legacy)
{
    put(f, x, mad(f, e, x->s[0], x->s[1], x->s[2], true));
}

OP(mac_legacy)
{
    put(f, x, mad(f, e, x->s[0], x->s[1], x->old, true));
}

/* Minimum and maximum. Until RDNA 2 and CDNA the first source is checked first for a NaN, in RDNA 3
 * the second; RDNA 4 (V_MIN_NUM) has no IEEE bit and makes one of two NaNs quiet. */
uint64_t
ref_min(const ref_env *e, const ref_format *f, uint64_t a, uint64_t b, bool max)
{
    bool nan_a = ref_is_nan(f, a), nan_b = ref_is_nan(f, b);
    if (e->gen >= AMD_GFX12) {
        if (nan_a && nan_b)
            return ref_quiet(f, a);
    } else if (e->ieee && ref_is_snan(f, a)) {
        return ref_quiet(f, a);
    } else if (e->ieee && ref_is_snan(f, b)) {
        return ref_quiet(f, b);
    }
    if (e->gen >= AMD_GFX11 && e->gen < AMD_GFX12 && nan_b)
        return a;
    if (nan_a)
        return b;
    if (nan_b)
        return a;
    if (ref_is_zero(f, a) && ref_is_zero(f, b))
        return ref_sign(f, a) == max ? b : a;
    return ref_less(f, max ? b : a, max ? a : b) ? a : b;
}

static void
choose(const ref_format *f, ref_lane *x, uint64_t v)
{
    x->d = v;
    x->as = f;
}

OP(min)
{
    choose(f, x, ref_min(e, f, x->s[0], x->s[1], false));
}

OP(max)
{
    choose(f, x, ref_min(e, f, x->s[0], x->s[1], true));
}

/* op(op(a, b), c) */
static uint64_t
both(const ref_format *f, const ref_env *e, const ref_lane *x, bool first, bool second)
{
    return ref_min(e, f, ref_min(e, f, x->s[0], x->s[1], first), x->s[2], second);
}

OP(min3)
{
    choose(f, x, both(f, e, x, false, false));
}

OP(max3)
{
    choose(f, x, both(f, e, x, true, true));
}

OP(med3)
{
    if (any_source_nan(f, x, 3)) {
        choose(f, x, both(f, e, x, false, false));
        return;
    }
    uint64_t m = both(f, e, x, true, true), other[2] = {x->s[0], x->s[1]};
    if (!ref_less(f, x->s[0], m) && !ref_less(f, m, x->s[0]))
        other[0] = x->s[2];
    else if (!ref_less(f, x->s[1], m) && !ref_less(f, m, x->s[1]))
        other[1] = x->s[2];
    choose(f, x, ref_min(e, f, other[0], other[1], true));
}

/* V_MINIMUM, V_MAXIMUM: a NaN source is the result, made quiet; signalling ones have priority. */
static uint64_t
nan_or_min(const ref_env *e, const ref_format *f, uint64_t a, uint64_t b, bool max)
{
    if (ref_is_snan(f, a) || (ref_is_nan(f, a) && !ref_is_snan(f, b)))
        return ref_quiet(f, a);
    return ref_is_nan(f, b) ? ref_quiet(f, b) : ref_min(e, f, a, b, max);
}

OP(minimum)
{
    choose(f, x, nan_or_min(e, f, x->s[0], x->s[1], false));
}

OP(maximum)
{
    choose(f, x, nan_or_min(e, f, x->s[0], x->s[1], true));
}

/* Applies one operation to two sources, then another with the third. */
#define TWICE(name, first, second)                                                                 \
    OP(name)                                                                                       \
    {                                                                                              \
        uint64_t v = nan_or_min(e, f, x->s[0], x->s[1], first);                                    \
        choose(f, x, nan_or_min(e, f, v, x->s[2], second));                                        \
    }
TWICE(minimum3, false, false)
TWICE(maximum3, true, true)
TWICE(minimummaximum, false, true)
TWICE(maximumminimum, true, false)

OP(minmax)
{
    choose(f, x, both(f, e, x, false, true));
}

OP(maxmin)
{
    choose(f, x, both(f, e, x, true, false));
}

OP(trunc_)
{
    (void)e;
    put(f, x, ref_integral(f, x->s[0], REF_RTZ));
}

OP(ceil_)
{
    (void)e;
    put(f, x, ref_integral(f, x->s[0], REF_RPI));
}

OP(floor_)
{
    (void)e;
    put(f, x, ref_integral(f, x->s[0], REF_RNI));
}

OP(rndne)
{
    (void)e;
    put(f, x, ref_integral(f, x->s[0], REF_RNE));
}

/* a - floor(a), always less than 1. The guides do not specify whether the subtraction obeys the
 * rounding mode. */
OP(fract)
{
    uint64_t low = ref_negate(f, ref_integral(f, x->s[0], REF_RNI)),
             one = (uint64_t)f->bias << f->mantissa, d = ref_add(f, x->s[0], low, REF_RNE);
    put(f, x, d == one ? one - 1 : d);
    x->alt = ref_add(f, x->s[0], low, ref_mode(e, f));
    x->alt = x->alt == one ? one - 1 : x->alt;
    x->has_alt = true;
    x->any_zero = true;
}

OP(frexp_mant)
{
    (void)e;
    if (ref_is_nan(f, x->s[0]) || ref_is_inf(f, x->s[0]) || ref_is_zero(f, x->s[0])) {
        put(f, x, x->s[0]);
        return;
    }
    mpfr_t v;
    mpfr_init2(v, 53);
    ref_load(v, f, x->s[0]);
    mpfr_set_exp(v, 0);
    put(f, x, ref_store(f, v, REF_RNE));
    mpfr_clear(v);
}

OP(frexp_exp)
{
    (void)e;
    x->d = 0;
    if (ref_is_nan(f, x->s[0]) || ref_is_inf(f, x->s[0]) || ref_is_zero(f, x->s[0]))
        return;
    mpfr_t v;
    mpfr_init2(v, 53);
    ref_load(v, f, x->s[0]);
    x->d = (uint64_t)mpfr_get_exp(v);
    mpfr_clear(v);
}

OP(ldexp_)
{
    long by = f == &ref_f16 ? (long)(int16_t)x->s[1] : (long)(int32_t)x->s[1];
    put(f, x, ref_scale(f, x->s[0], by, ref_mode(e, f)));
}

/* Transcendental functions. Those of binary32, except sine and cosine, flush denormals regardless
 * of the mode ("denormals are flushed"); those of binary64 are estimates. */

typedef int
mpfr_fn(mpfr_t, const mpfr_t, mpfr_rnd_t);

static int
reciprocal(mpfr_t r, const mpfr_t a, mpfr_rnd_t d)
{
    return mpfr_ui_div(r, 1, a, d);
}

static int
reciprocal_root(mpfr_t r, const mpfr_t a, mpfr_rnd_t d)
{
    int t = mpfr_rec_sqrt(r, a, d);
    if (mpfr_zero_p(a))
        mpfr_set_inf(r, mpfr_signbit(a) ? -1 : 1);
    return t;
}

/* Sine and cosine of a number of turns. */
static int
of_turns(mpfr_t r, const mpfr_t a, mpfr_rnd_t d, bool cosine)
{
    mpfr_t t;
    mpfr_init2(t, 1200);
    mpfr_frac(t, a, MPFR_RNDN);
    mpfr_mul_2ui(t, t, 3, MPFR_RNDN); /* eighths of a turn */
    bool quarters = mpfr_integer_p(t) && mpfr_get_si(t, MPFR_RNDN) % 2 == 0;
    long q = quarters ? mpfr_get_si(t, MPFR_RNDN) / 2 : 0;
    if (quarters) {
        static const int sines[4] = {0, 1, 0, -1};
        mpfr_set_si(r, sines[((cosine ? q + 1 : q) % 4 + 4) % 4], MPFR_RNDN);
    } else {
        mpfr_t pi;
        mpfr_init2(pi, 300);
        mpfr_const_pi(pi, MPFR_RNDN);
        mpfr_set_prec_raw(t, 300);
        mpfr_frac(t, a, MPFR_RNDN);
        mpfr_mul(t, t, pi, MPFR_RNDN);
        mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
        if (cosine)
            mpfr_cos(r, t, d);
        else
            mpfr_sin(r, t, d);
        mpfr_clear(pi);
    }
    mpfr_clear(t);
    return 0;
}

static int
sine(mpfr_t r, const mpfr_t a, mpfr_rnd_t d)
{
    return of_turns(r, a, d, false);
}

static int
cosine(mpfr_t r, const mpfr_t a, mpfr_rnd_t d)
{
    return of_turns(r, a, d, true);
}

/* `fn` of the source, within `ulp` units of the last place; 0 and infinities exactly. */
static void
transcend(const ref_format *f, ref_lane *x, mpfr_fn *fn, double ulp)
{
    mpfr_t a, r;
    bool trigonometric = fn == sine || fn == cosine;
    uint64_t s = f == &ref_f32 && !trigonometric ? ref_flush(f, x->s[0]) : x->s[0];
    mpfr_init2(a, 53);
    mpfr_init2(r, 100);
    ref_load(a, f, s);
    if (mpfr_inf_p(a) && trigonometric)
        mpfr_set_nan(r);
    else
        fn(r, a, MPFR_RNDN);
    put(f, x, ref_store(f, r, REF_RNE));
    ref_keep_exact(r);
    x->ulp = mpfr_nan_p(r) || mpfr_inf_p(r) || mpfr_zero_p(r) ? 0 : ulp;
    x->any_zero = trigonometric;
    if (f == &ref_f32 && !trigonometric && ref_exponent(f, x->d) <= 1) {
        /* at the threshold of flushing both results are within the bound */
        x->has_alt = ref_exponent(f, x->d) == 1 ? x->d == UINT64_C(1) << f->mantissa : false;
        x->alt = 0;
        x->d = ref_flush(f, x->d);
        x->ulp = ref_is_zero(f, x->d) ? 0 : x->ulp;
    }
    mpfr_clear(a);
    mpfr_clear(r);
}

static double
bound(const ref_format *f)
{
    return f == &ref_f64 ? 0x1p29 : f == &ref_f16 ? 0.51 : 1;
}

#define TRANSCENDENTAL(name, fn)                                                                   \
    OP(name)                                                                                       \
    {                                                                                              \
        (void)e;                                                                                   \
        transcend(f, x, fn, bound(f));                                                             \
    }
TRANSCENDENTAL(rcp, reciprocal)
TRANSCENDENTAL(rsq, reciprocal_root)
TRANSCENDENTAL(sqrt_, mpfr_sqrt)
TRANSCENDENTAL(log_, mpfr_log2)
TRANSCENDENTAL(exp_, mpfr_exp2)
TRANSCENDENTAL(sin_, sine)
TRANSCENDENTAL(cos_, cosine)

/* gfx6 and gfx7: infinite results of either sign become the largest number, or zero. */
static void
make_finite(const ref_format *f, ref_lane *x, bool zero)
{
    bool negative = ref_sign(f, x->d);
    if (!ref_is_inf(f, x->d))
        return;
    x->d = !zero ? ref_inf(f, negative) - 1 : negative ? ref_negate(f, 0) : 0;
    x->ulp = 0;
}

#define FINITE(name, fn, zero)                                                                     \
    OP(name)                                                                                       \
    {                                                                                              \
        (void)e;                                                                                   \
        transcend(f, x, fn, bound(f));                                                             \
        make_finite(f, x, zero);                                                                   \
    }
FINITE(rcp_clamp, reciprocal, false)
FINITE(rsq_clamp, reciprocal_root, false)
FINITE(rcp_legacy, reciprocal, true)
FINITE(rsq_legacy, reciprocal_root, true)
OP(log_clamp)
{
    (void)e;
    transcend(f, x, mpfr_log2, bound(f));
    if (ref_sign(f, x->d))
        make_finite(f, x, false);
}

/* DX9's rule: the second source if one is a NaN. */
OP(min_legacy)
{
    (void)e;
    choose(f, x, ref_less(f, x->s[0], x->s[1]) ? x->s[0] : x->s[1]);
}

OP(max_legacy)
{
    (void)e;
    bool nan = ref_is_nan(f, x->s[0]) || ref_is_nan(f, x->s[1]);
    choose(f, x, nan || ref_less(f, x->s[0], x->s[1]) ? x->s[1] : x->s[0]);
}

/* Cube maps: the axis of the largest coordinate; z has priority over y, and y over x. */
static unsigned
major(const ref_format *f, const ref_lane *x)
{
    uint64_t a[3];
    bool nan[3];
    for (int s = 0; s < 3; s++) {
        a[s] = ref_abs(f, x->s[s]);
        nan[s] = ref_is_nan(f, a[s]);
    }
    bool z_x = !nan[2] && !nan[0] && a[2] >= a[0], z_y = !nan[2] && !nan[1] && a[2] >= a[1];
    if (z_x && z_y)
        return 2;
    return !nan[1] && !nan[0] && a[1] >= a[0] ? 1 : 0;
}

/* Less than zero, which is false for -0 and NaNs. */
static bool
below(const ref_format *f, uint64_t v)
{
    return ref_less(f, v, 0);
}

OP(cubeid)
{
    unsigned axis = major(f, x);
    put(f, x, ref_from_i64(f, axis * 2 + below(f, x->s[axis]), REF_RNE));
    (void)e;
}

OP(cubesc)
{
    unsigned axis = major(f, x);
    bool minus = below(f, x->s[axis]);
    (void)e;
    if (axis == 2)
        put(f, x, minus ? ref_negate(f, x->s[0]) : x->s[0]);
    else if (axis == 1)
        put(f, x, x->s[0]);
    else
        put(f, x, minus ? x->s[2] : ref_negate(f, x->s[2]));
}

OP(cubetc)
{
    unsigned axis = major(f, x);
    (void)e;
    if (axis == 1)
        put(f, x, below(f, x->s[1]) ? ref_negate(f, x->s[2]) : x->s[2]);
    else
        put(f, x, ref_negate(f, x->s[1]));
}

OP(cubema)
{
    put(f, x, ref_scale(f, x->s[major(f, x)], 1, ref_mode(e, f)));
}

OP(mullit)
{
    uint64_t least = ref_inf(f, true) - 1;
    bool low = x->s[1] == least || x->s[1] == least + 1 || ref_is_nan(f, x->s[1]) ||
               ref_is_nan(f, x->s[2]) || below(f, x->s[2]) || ref_is_zero(f, x->s[2]);
    put(f, x, low ? least : ref_mul(f, x->s[0], x->s[1], ref_mode(e, f)));
}

/* Division. In the guides, exponent(v) is the field of the encoding. */

OP(div_fixup)
{
    uint64_t q = x->s[0], den = x->s[1], num = x->s[2];
    bool minus = ref_sign(f, den) != ref_sign(f, num);
    uint64_t invalid = ref_quiet(f, ref_inf(f, true));
    (void)e;
    x->as = f;
    if (ref_is_nan(f, num) || ref_is_nan(f, den)) {
        x->d = ref_quiet(f, ref_is_nan(f, num) ? num : den);
    } else if ((ref_is_zero(f, den) && ref_is_zero(f, num)) ||
               (ref_is_inf(f, den) && ref_is_inf(f, num))) {
        x->d = invalid;
    } else if (ref_is_zero(f, den) || ref_is_inf(f, num)) {
        x->d = ref_inf(f, minus);
    } else if (ref_is_inf(f, den) || ref_is_zero(f, num)) {
        x->d = (uint64_t)minus << (f->bits - 1);
    } else if (f != &ref_f16 &&
               ref_exponent(f, num) - ref_exponent(f, den) < (f == &ref_f32 ? -150 : -1075)) {
        /* UNDERFLOW_F32: its value in the rounding modes is not specified */
        x->d = (uint64_t)minus << (f->bits - 1);
        x->alt = x->d + 1;
        x->has_alt = true;
    } else if (ref_is_nan(f, q)) {
        /* observed hardware (gfx1100) gives infinity; unknown for binary16 */
        x->d = ref_inf(f, minus);
        x->has_alt = f == &ref_f16;
        x->alt = ref_abs(f, q) | (uint64_t)minus << (f->bits - 1);
    } else {
        x->d = ref_abs(f, q) | (uint64_t)minus << (f->bits - 1);
    }
}

/* Is num / den denormal? `slack` allows for the hardware's decision by exponents. */
static bool
quotient_denormal(const ref_format *f, int num, int den, int slack)
{
    return num - den <= -f->bias + 1 - slack;
}

/* V_DIV_SCALE, with the cases that the guides leave open as observed on hardware: vcc is set if num
 * or den is zero. If 1 / den and num / den are both denormal, the guides scale the denominator up,
 * which overflows; 2^-64 makes the division correct. */
static uint64_t
div_scale_by(const ref_format *f, const ref_env *e, const ref_lane *x, int slack, bool *vcc)
{
    uint64_t a = x->s[0], den = x->s[1], num = x->s[2];
    int n = ref_exponent(f, num), d = ref_exponent(f, den), big = f == &ref_f32 ? 64 : 128;
    ref_round r = ref_mode(e, f);
    *vcc = true;
    if (ref_is_zero(f, num) || ref_is_zero(f, den))
        return ref_nan(f);
    if (n - d >= (f == &ref_f32 ? 96 : 768))
        return a == den ? ref_scale(f, a, big, r) : a;
    bool tiny_rcp = quotient_denormal(f, f->bias, d, slack),
         tiny = quotient_denormal(f, n, d, slack);
    if (d == 0) {
        *vcc = false;
        return ref_scale(f, a, big, r);
    }
    if (tiny_rcp && tiny)
        return a == den ? ref_scale(f, a, -big, r) : a;
    if (tiny)
        return a == num ? ref_scale(f, a, big, r) : a;
    *vcc = false;
    if (tiny_rcp)
        return ref_scale(f, a, -big, r);
    return n <= (f == &ref_f32 ? 23 : 53) ? ref_scale(f, a, big, r) : a;
}

OP(div_scale)
{
    bool other;
    put(f, x, div_scale_by(f, e, x, 0, &x->mask_out));
    x->alt = div_scale_by(f, e, x, 1, &other);
    x->has_alt = true;
    x->mask_open = other != x->mask_out;
    if (ref_is_nan(f, x->s[0]))
        put(f, x, x->s[0]);
}

/* V_DIV_FMAS: with vcc scaled by 2^64 (2^128), up if S2 is at least 2, otherwise down: observed on
 * hardware (gfx1100); the guides' 2^32 does not match their V_DIV_SCALE. Rounded once. */
OP(div_fmas)
{
    long by = f == &ref_f32 ? 64 : 128;
    mpfr_t a, b, c, r;
    if (!x->mask_in) {
        fma3(f, e, x);
        return;
    }
    by = ref_exponent(f, x->s[2]) > f->bias ? by : -by;
    mpfr_init2(a, 53);
    mpfr_init2(b, 53);
    mpfr_init2(c, 53);
    mpfr_init2(r, 5000); /* exact */
    ref_load(a, f, x->s[0]);
    ref_load(b, f, x->s[1]);
    ref_load(c, f, x->s[2]);
    mpfr_fma(r, a, b, c, (mpfr_rnd_t)(ref_mode(e, f) == REF_RNI ? MPFR_RNDD : MPFR_RNDN));
    mpfr_mul_2si(r, r, by, MPFR_RNDN);
    put(f, x, ref_store(f, r, ref_mode(e, f)));
    mpfr_clear(a);
    mpfr_clear(b);
    mpfr_clear(c);
    mpfr_clear(r);
}

/* V_TRIG_PREOP_F64: 53 bits of the 1201-bit fraction 2 / pi. */
OP(trig_preop)
{
    int exponent = ref_exponent(f, x->s[0]);
    long shift = (long)(x->s[1] & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
    mpfr_t t;
    (void)e;
    mpfr_init2(t, 1600);
    mpfr_const_pi(t, MPFR_RNDN);
    mpfr_ui_div(t, 2, t, MPFR_RNDN);
    mpfr_mul_2si(t, t, 1201, MPFR_RNDN);
    mpfr_trunc(t, t);
    mpfr_mul_2si(t, t, shift + 53 - 1201 - 53, MPFR_RNDN);
    mpfr_frac(t, t, MPFR_RNDN);
    mpfr_mul_2si(t, t, 53, MPFR_RNDN);
    mpfr_trunc(t, t);
    mpfr_mul_2si(t, t, -53 - shift + (exponent >= 1968 ? 128 : 0), MPFR_RNDN);
    put(f, x, ref_store(f, t, REF_RNE));
    mpfr_clear(t);
}

#define WIDTH(name, width)                                                                         \
    static void name##_##width(const ref_env *e, ref_lane *x)                                      \
    {                                                                                              \
        name(&ref_##width, e, x);                                                                  \
    }
#define WIDTHS(name) WIDTH(name, f16) WIDTH(name, f32) WIDTH(name, f64)
#define TWO(name)    WIDTH(name, f16) WIDTH(name, f32)
#define LONG(name)   WIDTH(name, f32) WIDTH(name, f64)
#define ONE(name)    WIDTH(name, f32)

WIDTHS(add)
TWO(sub)
TWO(subrev)
WIDTHS(mul)
WIDTHS(fma3)
WIDTHS(fmac)
ONE(mul_legacy)
ONE(fma_legacy)
ONE(fmac_legacy)
TWO(mad3)
TWO(mac)
ONE(mad_legacy)
ONE(mac_legacy)
WIDTHS(min)
WIDTHS(max)
TWO(min3)
TWO(max3)
TWO(med3)
WIDTHS(minimum)
WIDTHS(maximum)
TWO(minimum3)
TWO(maximum3)
TWO(minimummaximum)
TWO(maximumminimum)
TWO(minmax)
TWO(maxmin)
WIDTHS(trunc_)
WIDTHS(ceil_)
WIDTHS(floor_)
WIDTHS(rndne)
WIDTHS(fract)
WIDTHS(frexp_mant)
WIDTHS(frexp_exp)
WIDTHS(ldexp_)
WIDTHS(rcp)
WIDTHS(rsq)
WIDTHS(sqrt_)
TWO(log_)
TWO(exp_)
TWO(sin_)
TWO(cos_)
ONE(cubeid)
ONE(cubesc)
ONE(cubetc)
ONE(cubema)
ONE(mullit)
LONG(rcp_clamp)
LONG(rsq_clamp)
ONE(rcp_legacy)
ONE(rsq_legacy)
ONE(log_clamp)
ONE(min_legacy)
ONE(max_legacy)
WIDTHS(div_fixup)
LONG(div_scale)
LONG(div_fmas)
WIDTH(trig_preop, f64)

static const ref_row rows[] = {
    /* clang-format off */
    {AMD_V_ADD_F16, 0, add_f16}, {AMD_V_ADD_F32, 0, add_f32}, {AMD_V_ADD_F64, 0, add_f64},
    {AMD_V_SUB_F16, 0, sub_f16}, {AMD_V_SUB_F32, 0, sub_f32}, {AMD_V_SUBREV_F16, 0, subrev_f16},
    {AMD_V_SUBREV_F32, 0, subrev_f32}, {AMD_V_MUL_F16, 0, mul_f16}, {AMD_V_MUL_F32, 0, mul_f32},
    {AMD_V_MUL_F64, 0, mul_f64}, {AMD_V_MUL_LEGACY_F32, 0, mul_legacy_f32},
    {AMD_V_FMA_F16, 0, fma3_f16}, {AMD_V_FMA_F32, 0, fma3_f32}, {AMD_V_FMA_F64, 0, fma3_f64},
    {AMD_V_FMAC_F16, REF_KEEP, fmac_f16}, {AMD_V_FMAC_F32, 0, fmac_f32},
    {AMD_V_FMAMK_F16, REF_KEEP, fma3_f16}, {AMD_V_FMAAK_F16, REF_KEEP, fma3_f16},
    {AMD_V_FMAMK_F32, 0, fma3_f32}, {AMD_V_FMAAK_F32, 0, fma3_f32},
    {AMD_V_FMA_LEGACY_F32, 0, fma_legacy_f32}, {AMD_V_FMAC_LEGACY_F32, 0, fmac_legacy_f32},
    {AMD_V_FMAC_F64, 0, fmac_f64}, {AMD_V_FMA_LEGACY_F16, 0, fma3_f16},
    {AMD_V_DIV_FIXUP_LEGACY_F16, 0, div_fixup_f16}, {AMD_V_MAD_F16, 0, mad3_f16},
    {AMD_V_MAD_LEGACY_F16, 0, mad3_f16}, {AMD_V_MADMK_F16, REF_KEEP, mad3_f16},
    {AMD_V_MADAK_F16, REF_KEEP, mad3_f16}, {AMD_V_MAC_F16, REF_KEEP, mac_f16},
    {AMD_V_EXP_LEGACY_F32, REF_PLAIN, exp__f32}, {AMD_V_LOG_LEGACY_F32, REF_PLAIN, log__f32},
    {AMD_V_MAD_F32, 0, mad3_f32}, {AMD_V_MADMK_F32, 0, mad3_f32}, {AMD_V_MADAK_F32, 0, mad3_f32},
    {AMD_V_MAC_F32, 0, mac_f32}, {AMD_V_MAD_LEGACY_F32, 0, mad_legacy_f32},
    {AMD_V_RCP_CLAMP_F32, REF_PLAIN, rcp_clamp_f32}, {AMD_V_RCP_CLAMP_F64, REF_PLAIN, rcp_clamp_f64},
    {AMD_V_RSQ_CLAMP_F32, REF_PLAIN, rsq_clamp_f32}, {AMD_V_RSQ_CLAMP_F64, REF_PLAIN, rsq_clamp_f64},
    {AMD_V_RCP_LEGACY_F32, REF_PLAIN, rcp_legacy_f32}, {AMD_V_RSQ_LEGACY_F32, REF_PLAIN, rsq_legacy_f32},
    {AMD_V_LOG_CLAMP_F32, REF_PLAIN, log_clamp_f32}, {AMD_V_MIN_LEGACY_F32, REF_CHOICE, min_legacy_f32},
    {AMD_V_MAX_LEGACY_F32, REF_CHOICE, max_legacy_f32},
    {AMD_V_MAC_LEGACY_F32, 0, mac_legacy_f32}, {AMD_V_MIN_F16, REF_CHOICE, min_f16},
    {AMD_V_MIN_F32, REF_CHOICE, min_f32}, {AMD_V_MIN_F64, REF_CHOICE, min_f64},
    {AMD_V_MAX_F16, REF_CHOICE, max_f16}, {AMD_V_MAX_F32, REF_CHOICE, max_f32},
    {AMD_V_MAX_F64, REF_CHOICE, max_f64}, {AMD_V_MIN3_F16, REF_CHOICE, min3_f16},
    {AMD_V_MIN3_F32, REF_CHOICE, min3_f32}, {AMD_V_MAX3_F16, REF_CHOICE, max3_f16},
    {AMD_V_MAX3_F32, REF_CHOICE, max3_f32}, {AMD_V_MED3_F16, REF_CHOICE, med3_f16},
    {AMD_V_MED3_F32, REF_CHOICE, med3_f32}, {AMD_V_MINIMUM_F16, 0, minimum_f16},
    {AMD_V_MINIMUM_F32, 0, minimum_f32}, {AMD_V_MINIMUM_F64, 0, minimum_f64},
    {AMD_V_MAXIMUM_F16, 0, maximum_f16}, {AMD_V_MAXIMUM_F32, 0, maximum_f32},
    {AMD_V_MAXIMUM_F64, 0, maximum_f64}, {AMD_V_MINIMUM3_F16, 0, minimum3_f16},
    {AMD_V_MINIMUM3_F32, 0, minimum3_f32}, {AMD_V_MAXIMUM3_F16, 0, maximum3_f16},
    {AMD_V_MAXIMUM3_F32, 0, maximum3_f32}, {AMD_V_MINIMUMMAXIMUM_F16, 0, minimummaximum_f16},
    {AMD_V_MINIMUMMAXIMUM_F32, 0, minimummaximum_f32},
    {AMD_V_MAXIMUMMINIMUM_F16, 0, maximumminimum_f16},
    {AMD_V_MAXIMUMMINIMUM_F32, 0, maximumminimum_f32}, {AMD_V_MINMAX_F16, REF_CHOICE, minmax_f16},
    {AMD_V_MINMAX_F32, REF_CHOICE, minmax_f32}, {AMD_V_MAXMIN_F16, REF_CHOICE, maxmin_f16},
    {AMD_V_MAXMIN_F32, REF_CHOICE, maxmin_f32}, {AMD_V_MINMAX_NUM_F16, 0, minmax_f16},
    {AMD_V_MINMAX_NUM_F32, 0, minmax_f32}, {AMD_V_MAXMIN_NUM_F16, 0, maxmin_f16},
    {AMD_V_MAXMIN_NUM_F32, 0, maxmin_f32}, {AMD_V_TRUNC_F16, 0, trunc__f16},
    {AMD_V_TRUNC_F32, 0, trunc__f32}, {AMD_V_TRUNC_F64, 0, trunc__f64},
    {AMD_V_CEIL_F16, 0, ceil__f16}, {AMD_V_CEIL_F32, 0, ceil__f32},
    {AMD_V_CEIL_F64, 0, ceil__f64}, {AMD_V_FLOOR_F16, 0, floor__f16},
    {AMD_V_FLOOR_F32, 0, floor__f32}, {AMD_V_FLOOR_F64, 0, floor__f64},
    {AMD_V_RNDNE_F16, 0, rndne_f16}, {AMD_V_RNDNE_F32, 0, rndne_f32},
    {AMD_V_RNDNE_F64, 0, rndne_f64}, {AMD_V_FRACT_F16, 0, fract_f16},
    {AMD_V_FRACT_F32, 0, fract_f32}, {AMD_V_FRACT_F64, 0, fract_f64},
    {AMD_V_FREXP_MANT_F16, 0, frexp_mant_f16}, {AMD_V_FREXP_MANT_F32, 0, frexp_mant_f32},
    {AMD_V_FREXP_MANT_F64, 0, frexp_mant_f64}, {AMD_V_FREXP_EXP_I16_F16, 0, frexp_exp_f16},
    {AMD_V_FREXP_EXP_I32_F32, 0, frexp_exp_f32}, {AMD_V_FREXP_EXP_I32_F64, 0, frexp_exp_f64},
    {AMD_V_LDEXP_F16, 0, ldexp__f16}, {AMD_V_LDEXP_F32, 0, ldexp__f32},
    {AMD_V_LDEXP_F64, 0, ldexp__f64}, {AMD_V_RCP_F16, REF_PLAIN, rcp_f16},
    {AMD_V_RCP_F32, REF_PLAIN, rcp_f32}, {AMD_V_RCP_IFLAG_F32, REF_PLAIN, rcp_f32},
    {AMD_V_RCP_F64, REF_PLAIN, rcp_f64}, {AMD_V_RSQ_F16, REF_PLAIN, rsq_f16},
    {AMD_V_RSQ_F32, REF_PLAIN, rsq_f32}, {AMD_V_RSQ_F64, REF_PLAIN, rsq_f64},
    {AMD_V_SQRT_F16, REF_PLAIN, sqrt__f16}, {AMD_V_SQRT_F32, REF_PLAIN, sqrt__f32},
    {AMD_V_SQRT_F64, REF_PLAIN, sqrt__f64}, {AMD_V_LOG_F16, REF_PLAIN, log__f16},
    {AMD_V_LOG_F32, REF_PLAIN, log__f32}, {AMD_V_EXP_F16, REF_PLAIN, exp__f16},
    {AMD_V_EXP_F32, REF_PLAIN, exp__f32}, {AMD_V_SIN_F16, REF_PLAIN, sin__f16},
    {AMD_V_SIN_F32, REF_PLAIN, sin__f32}, {AMD_V_COS_F16, REF_PLAIN, cos__f16},
    {AMD_V_COS_F32, REF_PLAIN, cos__f32}, {AMD_V_CUBEID_F32, 0, cubeid_f32},
    {AMD_V_CUBESC_F32, 0, cubesc_f32}, {AMD_V_CUBETC_F32, 0, cubetc_f32},
    {AMD_V_CUBEMA_F32, 0, cubema_f32}, {AMD_V_MULLIT_F32, 0, mullit_f32},
    {AMD_V_DIV_FIXUP_F16, 0, div_fixup_f16}, {AMD_V_DIV_FIXUP_F32, 0, div_fixup_f32},
    {AMD_V_DIV_FIXUP_F64, 0, div_fixup_f64}, {AMD_V_DIV_SCALE_F32, 0, div_scale_f32},
    {AMD_V_DIV_SCALE_F64, 0, div_scale_f64}, {AMD_V_DIV_FMAS_F32, 0, div_fmas_f32},
    {AMD_V_DIV_FMAS_F64, 0, div_fmas_f64}, {AMD_V_TRIG_PREOP_F64, 0, trig_preop_f64},
    /* clang-format on */
};
const ref_table ref_float_table = {rows, sizeof rows / sizeof *rows};
