/* Binary floats of any format through MPFR.
 *
 * An operation is done at the format's precision with MPFR's ternary value; mpfr_check_range and
 * mpfr_subnormalize then bring the result into the format's exponent range without rounding twice
 * (MPFR manual, "Exception Related Functions": the way to emulate IEEE 754 arithmetic).
 */
#include "alu_ref.h"

#include "base/bits.h"

#include <math.h>
#include <stdint.h>

const ref_format ref_f16 = {16, 10, false, 15}, ref_f32 = {32, 23, false, 127},
                 ref_f64 = {64, 52, false, 1023}, ref_bf16 = {16, 7, false, 127},
                 ref_fp8 = {8, 3, true, 7}, ref_bf8 = {8, 2, false, 15};

/* MPFR's variables are costly to make: these are used by one operation after another. */
static struct {
    mpfr_t a, b, c, wide, exact;
    mpfr_exp_t emin, emax;
} soft;

static const mpfr_rnd_t directions[4] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};

void
ref_soft_begin(void)
{
    mpfr_init2(soft.a, 53);
    mpfr_init2(soft.b, 53);
    mpfr_init2(soft.c, 53);
    mpfr_init2(soft.wide, 53);
    mpfr_init2(soft.exact, 100);
    soft.emin = mpfr_get_emin();
    soft.emax = mpfr_get_emax();
}

void
ref_soft_end(void)
{
    mpfr_clear(soft.a);
    mpfr_clear(soft.b);
    mpfr_clear(soft.c);
    mpfr_clear(soft.wide);
    mpfr_clear(soft.exact);
    mpfr_free_cache();
}

static uint64_t
mantissa(const ref_format *f, uint64_t v)
{
    return v & base_mask64(f->mantissa);
}

static int
top_exponent(const ref_format *f)
{
    return (1 << (f->bits - 1 - f->mantissa)) - 1;
}

int
ref_exponent(const ref_format *f, uint64_t v)
{
    return (int)(v >> f->mantissa) & top_exponent(f);
}

bool
ref_sign(const ref_format *f, uint64_t v)
{
    return v >> (f->bits - 1) & 1;
}

bool
ref_is_nan(const ref_format *f, uint64_t v)
{
    if (f->finite)
        return (v & base_mask64(f->bits - 1u)) == base_mask64(f->bits - 1u);
    return ref_exponent(f, v) == top_exponent(f) && mantissa(f, v);
}

bool
ref_is_snan(const ref_format *f, uint64_t v)
{
    return ref_is_nan(f, v) && !(v >> (f->mantissa - 1) & 1);
}

bool
ref_is_inf(const ref_format *f, uint64_t v)
{
    return !f->finite && ref_exponent(f, v) == top_exponent(f) && !mantissa(f, v);
}

bool
ref_is_zero(const ref_format *f, uint64_t v)
{
    return !(v & base_mask64(f->bits - 1u));
}

bool
ref_is_denormal(const ref_format *f, uint64_t v)
{
    return ref_exponent(f, v) == 0 && mantissa(f, v);
}

uint64_t
ref_quiet(const ref_format *f, uint64_t v)
{
    return v | UINT64_C(1) << (f->mantissa - 1);
}

uint64_t
ref_inf(const ref_format *f, bool negative)
{
    return (uint64_t)top_exponent(f) << f->mantissa | (uint64_t)negative << (f->bits - 1);
}

uint64_t
ref_nan(const ref_format *f)
{
    return f->finite ? base_mask64(f->bits - 1u) : ref_quiet(f, ref_inf(f, false));
}

uint64_t
ref_negate(const ref_format *f, uint64_t v)
{
    return v ^ UINT64_C(1) << (f->bits - 1);
}

uint64_t
ref_abs(const ref_format *f, uint64_t v)
{
    return v & base_mask64(f->bits - 1u);
}

uint64_t
ref_flush(const ref_format *f, uint64_t v)
{
    return ref_exponent(f, v) ? v : v & ~base_mask64(f->bits - 1u) & base_mask64(f->bits);
}

ref_round
ref_mode(const ref_env *e, const ref_format *f)
{
    return f == &ref_f32 ? e->round32 : e->round16_64;
}

unsigned
ref_denorm(const ref_env *e, const ref_format *f)
{
    return f == &ref_f32 ? e->denorm32 : e->denorm16_64;
}

/* The value as a double, which holds all formats here exactly. */
static double
value(const ref_format *f, uint64_t v)
{
    double d;
    if (ref_is_nan(f, v))
        return NAN;
    if (ref_is_inf(f, v))
        return ref_sign(f, v) ? -INFINITY : INFINITY;
    if (f->bits == 64) {
        memcpy(&d, &v, sizeof d);
        return d;
    }
    int e = ref_exponent(f, v);
    uint64_t m = mantissa(f, v) | (e ? UINT64_C(1) << f->mantissa : 0);
    d = ldexp((double)m, (e ? e : 1) - f->bias - f->mantissa);
    return ref_sign(f, v) ? -d : d;
}

/* The encoding of a number that the format has. */
static uint64_t
encode(const ref_format *f, double d)
{
    uint64_t sign = (uint64_t)(signbit(d) != 0) << (f->bits - 1);
    if (isnan(d))
        return ref_nan(f);
    if (isinf(d))
        return ref_inf(f, signbit(d) != 0);
    if (d == 0)
        return sign;
    int e;
    double m = frexp(fabs(d), &e);
    e += f->bias - 1;
    if (e <= 0)
        return sign | (uint64_t)ldexp(fabs(d), f->bias - 1 + f->mantissa);
    return sign | ((uint64_t)ldexp(m, f->mantissa + 1) & base_mask64(f->mantissa)) |
           (uint64_t)e << f->mantissa;
}

bool
ref_less(const ref_format *f, uint64_t a, uint64_t b)
{
    return value(f, a) < value(f, b);
}

void
ref_load(mpfr_t x, const ref_format *f, uint64_t v)
{
    if (mpfr_get_prec(x) < 53)
        mpfr_set_prec(x, 53);
    mpfr_set_d(x, value(f, v), MPFR_RNDN);
}

/* `x`, rounded at the format's precision with ternary value `t`, as an encoding. */
static uint64_t
finish(const ref_format *f, mpfr_t x, int t, ref_round r)
{
    mpfr_set_emin(2 - f->bias - f->mantissa);
    mpfr_set_emax(f->bias + 1);
    t = mpfr_check_range(x, t, directions[r]);
    mpfr_subnormalize(x, t, directions[r]);
    mpfr_set_emin(soft.emin);
    mpfr_set_emax(soft.emax);
    return encode(f, mpfr_get_d(x, MPFR_RNDN));
}

uint64_t
ref_store(const ref_format *f, mpfr_t x, ref_round r)
{
    mpfr_set_prec(soft.c, f->mantissa + 1);
    int t = mpfr_set(soft.c, x, directions[r]);
    return finish(f, soft.c, t, r);
}

uint64_t
ref_add(const ref_format *f, uint64_t a, uint64_t b, ref_round r)
{
    ref_load(soft.a, f, a);
    ref_load(soft.b, f, b);
    mpfr_set_prec(soft.c, f->mantissa + 1);
    return finish(f, soft.c, mpfr_add(soft.c, soft.a, soft.b, directions[r]), r);
}

uint64_t
ref_mul(const ref_format *f, uint64_t a, uint64_t b, ref_round r)
{
    ref_load(soft.a, f, a);
    ref_load(soft.b, f, b);
    mpfr_set_prec(soft.c, f->mantissa + 1);
    return finish(f, soft.c, mpfr_mul(soft.c, soft.a, soft.b, directions[r]), r);
}

uint64_t
ref_fma(const ref_format *f, uint64_t a, uint64_t b, uint64_t c, ref_round r)
{
    ref_load(soft.a, f, a);
    ref_load(soft.b, f, b);
    ref_load(soft.wide, f, c);
    mpfr_set_prec(soft.c, f->mantissa + 1);
    return finish(f, soft.c, mpfr_fma(soft.c, soft.a, soft.b, soft.wide, directions[r]), r);
}

uint64_t
ref_scale(const ref_format *f, uint64_t a, long e, ref_round r)
{
    ref_load(soft.a, f, a);
    e = e > 100000 ? 100000 : e < -100000 ? -100000 : e; /* MPFR's range ends too */
    mpfr_mul_2si(soft.a, soft.a, e, MPFR_RNDN);
    return ref_store(f, soft.a, r);
}

uint64_t
ref_convert(const ref_format *to, const ref_format *from, uint64_t v, ref_round r)
{
    ref_load(soft.a, from, v);
    return ref_store(to, soft.a, r);
}

uint64_t
ref_from_i64(const ref_format *f, int64_t v, ref_round r)
{
    mpfr_set_prec(soft.wide, 64);
    mpfr_set_sj(soft.wide, v, MPFR_RNDN);
    uint64_t d = ref_store(f, soft.wide, r);
    mpfr_set_prec(soft.wide, 53);
    return d;
}

int64_t
ref_to_int(const ref_format *f, uint64_t v, mpfr_rnd_t r, int64_t low, int64_t high)
{
    if (ref_is_nan(f, v))
        return 0;
    ref_load(soft.a, f, v);
    mpfr_rint(soft.a, soft.a, r);
    if (mpfr_cmp_si(soft.a, low) <= 0)
        return low;
    return mpfr_cmp_si(soft.a, high) >= 0 ? high : mpfr_get_sj(soft.a, MPFR_RNDN);
}

uint64_t
ref_integral(const ref_format *f, uint64_t v, mpfr_rnd_t r)
{
    ref_load(soft.a, f, v);
    mpfr_set_prec(soft.c, f->mantissa + 1);
    mpfr_rint(soft.c, soft.a, r);
    return encode(f, mpfr_get_d(soft.c, MPFR_RNDN));
}

void
ref_keep_exact(const mpfr_t x)
{
    mpfr_set(soft.exact, x, MPFR_RNDN);
}

bool
ref_within(const ref_format *f, double ulp, uint64_t got)
{
    ref_load(soft.a, f, got);
    if (!mpfr_number_p(soft.a) || !mpfr_number_p(soft.exact))
        return false;
    mpfr_exp_t e = mpfr_zero_p(soft.exact) ? 2 - f->bias : mpfr_get_exp(soft.exact),
               least = 2 - f->bias;
    mpfr_set_prec(soft.c, 120);
    mpfr_sub(soft.c, soft.a, soft.exact, MPFR_RNDA);
    mpfr_mul_2si(soft.c, soft.c, f->mantissa + 1 - (e > least ? e : least), MPFR_RNDA);
    return fabs(mpfr_get_d(soft.c, MPFR_RNDA)) <= ulp;
}
