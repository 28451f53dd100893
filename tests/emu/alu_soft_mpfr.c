/* Binary floats through MPFR: operations without a finite exact value, and a check of alu_soft.c.
 *
 * An operation is computed at the format's precision with MPFR's ternary value; mpfr_check_range
 * and mpfr_subnormalize then bring the result into the format's exponent range without double
 * rounding (MPFR manual, "Exception Related Functions": the way to emulate IEEE 754 arithmetic).
 */
#include "alu_ref.h"

#include "base/bits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* MPFR's variables are expensive to create, so operations share these. */
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

/* The value as a double, which represents all formats here exactly. */
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
    uint64_t m = (v & base_mask64(f->mantissa)) | (e ? UINT64_C(1) << f->mantissa : 0);
    d = ldexp((double)m, (e ? e : 1) - f->bias - f->mantissa);
    return ref_sign(f, v) ? -d : d;
}

/* The encoding of a number that is representable in the format. */
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

void
ref_load(mpfr_t x, const ref_format *f, uint64_t v)
{
    if (mpfr_get_prec(x) < 53)
        mpfr_set_prec(x, 53);
    mpfr_set_d(x, value(f, v), MPFR_RNDN);
}

/* Encodes `x`, which was rounded at the format's precision with ternary value `t`. */
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

/* ---- comparing alu_soft.c with MPFR ---- */

static uint64_t
by_mpfr(const ref_format *f, unsigned op, const uint64_t v[3], long by, ref_round r)
{
    static const mpfr_rnd_t *const d = directions;
    ref_load(soft.a, f, v[0]);
    ref_load(soft.b, f, v[1]);
    ref_load(soft.wide, f, v[2]);
    mpfr_set_prec(soft.c, f->mantissa + 1);
    switch (op) {
    case 0: return finish(f, soft.c, mpfr_add(soft.c, soft.a, soft.b, d[r]), r);
    case 1: return finish(f, soft.c, mpfr_mul(soft.c, soft.a, soft.b, d[r]), r);
    case 2: return finish(f, soft.c, mpfr_fma(soft.c, soft.a, soft.b, soft.wide, d[r]), r);
    case 3: mpfr_mul_2si(soft.a, soft.a, by, MPFR_RNDN); return ref_store(f, soft.a, r);
    case 4: mpfr_rint(soft.c, soft.a, d[r]); return encode(f, mpfr_get_d(soft.c, MPFR_RNDN));
    default: break;
    }
    if (mpfr_nan_p(soft.a))
        return 0;
    mpfr_rint(soft.a, soft.a, d[r]);
    if (mpfr_cmp_si(soft.a, INT32_MIN) <= 0)
        return (uint64_t)INT32_MIN;
    return mpfr_cmp_si(soft.a, INT32_MAX) >= 0 ? INT32_MAX
                                               : (uint64_t)mpfr_get_sj(soft.a, MPFR_RNDN);
}

static uint64_t
by_integers(const ref_format *f, unsigned op, const uint64_t v[3], long by, ref_round r)
{
    switch (op) {
    case 0: return ref_add(f, v[0], v[1], r);
    case 1: return ref_mul(f, v[0], v[1], r);
    case 2: return ref_fma(f, v[0], v[1], v[2], r);
    case 3: return ref_scale(f, v[0], by, r);
    case 4: return ref_integral(f, v[0], r);
    default: return (uint64_t)ref_to_int(f, v[0], r, INT32_MIN, INT32_MAX);
    }
}

/* The next value of a sequence: random bits, close to another value, with few bits, or with a close
 * exponent. */
static uint64_t
draw(uint64_t *state, const ref_format *f, uint64_t near)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    uint64_t kind = z >> 60, v = z ^ z >> 31;
    uint64_t exponents = ~base_mask64(f->mantissa);
    switch (kind & 7) {
    case 0: v = near + (v & 7) - 3; break;
    case 1: v = (near & exponents) | (v & ~exponents); break;
    case 2: v = near ^ (v & 3) << (f->bits - 2); break;
    case 3: v &= UINT64_MAX << (z >> 8 & 63); break;
    case 4: v &= base_mask64(f->mantissa) | UINT64_C(1) << (f->bits - 1); break; /* denormal */
    case 5: v = (near + ((z >> 4 & 127) << f->mantissa)) ^ (z & 1); break;
    default: break;
    }
    return v & base_mask64(f->bits);
}

bool
ref_soft_check(uint64_t rounds)
{
    static const ref_format *const formats[] = {&ref_f16, &ref_f32, &ref_f64, &ref_bf16};
    uint64_t state = 1, v[3] = {0};
    for (uint64_t k = 0; k < rounds; k++)
        for (unsigned n = 0; n < 4 * 4 * 6; n++) {
            const ref_format *f = formats[n & 3];
            ref_round r = (ref_round)(n >> 2 & 3);
            unsigned op = n >> 4;
            for (unsigned s = 0; s < 3; s++)
                v[s] = draw(&state, f, v[(s + 1) % 3]);
            long by = (long)(state >> 40 & 511) - 256;
            uint64_t got = by_integers(f, op, v, by, r), want = by_mpfr(f, op, v, by, r);
            if (got == want)
                continue;
            printf("operation %u of %u bits, rounding %d: 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
                   " (%ld): 0x%" PRIx64 ", MPFR 0x%" PRIx64 "\n",
                   op, f->bits, (int)r, v[0], v[1], v[2], by, got, want);
            return false;
        }
    return true;
}
