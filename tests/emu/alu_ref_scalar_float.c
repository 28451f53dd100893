/* References of the scalar ALU's floats (RDNA 3.5 and later) and of V_S_*, from the descriptions of
 * SOP1, SOP2, SOPC and VOP3 in the RDNA 3.5 and RDNA 4 ISA guides.
 *
 * Each opcode's arithmetic is written out here. The emulator maps these opcodes to rows of the
 * vector ALU; nothing is mapped here, so that an error in that mapping is not repeated.
 */
#include "alu_ref.h"

#include "base/bits.h"

static const ref_format *const f16 = &ref_f16, *const f32 = &ref_f32;

/* A source after MODE's flushing; a result after MODE's flushing. */
static uint64_t
in(const ref_env *e, const ref_format *f, uint64_t v)
{
    v &= base_mask64(f->bits);
    return ref_denorm(e, f) & REF_KEEP_IN ? v : ref_flush(f, v);
}

static uint64_t
out(const ref_env *e, const ref_format *f, uint64_t v)
{
    return ref_denorm(e, f) & REF_KEEP_OUT ? v : ref_flush(f, v);
}

static void
result(const ref_env *e, const ref_format *f, ref_scalar *x, uint64_t v)
{
    x->d = out(e, f, v);
    x->writes = true;
    x->new_scc = x->scc;
}

/* The smaller or larger number; with `nans` a NaN in either source is propagated, the first before
 * the second, a signalling one before a quiet one. */
static uint64_t
extreme(const ref_env *e, const ref_format *f, uint64_t a, uint64_t b, bool max, bool nans)
{
    bool second = ref_is_snan(f, b) || !ref_is_nan(f, a);
    if (!nans)
        return ref_min(e, f, a, b, max);
    if (ref_is_nan(f, a) && (ref_is_snan(f, a) || !ref_is_snan(f, b)))
        return ref_quiet(f, a);
    if (ref_is_nan(f, b) && second)
        return ref_quiet(f, b);
    if (ref_is_zero(f, a) && ref_is_zero(f, b))
        return ref_sign(f, a) != max ? a : b;
    return ref_less(f, a, b) != max ? a : b;
}

/* Arithmetic: `a`, `b`, the old destination as `c`, MODE's rounding as `r`. */
#define ARITHMETIC(R)                                                                              \
    R(S_ADD, true, ref_add(f, a, b, r))                                                            \
    R(S_SUB, true, ref_add(f, a, ref_negate(f, b), r))                                             \
    R(S_MUL, true, ref_mul(f, a, b, r))                                                            \
    R(S_FMAC, true, ref_fma(f, a, b, c, r))                                                        \
    R(S_MIN, false, extreme(e, f, a, b, false, false))                                             \
    R(S_MAX, false, extreme(e, f, a, b, true, false))                                              \
    R(S_MIN_NUM, false, extreme(e, f, a, b, false, false))                                         \
    R(S_MAX_NUM, false, extreme(e, f, a, b, true, false))                                          \
    R(S_MINIMUM, false, extreme(e, f, a, b, false, true))                                          \
    R(S_MAXIMUM, false, extreme(e, f, a, b, true, true))                                           \
    R(S_CEIL, true, ref_integral(f, a, REF_RPI))                                                   \
    R(S_FLOOR, true, ref_integral(f, a, REF_RNI))                                                  \
    R(S_TRUNC, true, ref_integral(f, a, REF_RTZ))                                                  \
    R(S_RNDNE, true, ref_integral(f, a, REF_RNE))

#define DO_ARITHMETIC(id, format, makes_nans, ...)                                                 \
    static void ref_##id(const ref_env *e, ref_scalar *x)                                          \
    {                                                                                              \
        const ref_format *f = format;                                                              \
        uint64_t a = in(e, f, x->s[0]), b = in(e, f, x->s[1]), c = in(e, f, x->old);               \
        ref_round r = ref_mode(e, f);                                                              \
        (void)b, (void)c, (void)r;                                                                 \
        result(e, f, x, (__VA_ARGS__));                                                            \
        x->any_nan = (makes_nans) && ref_is_nan(f, x->d);                                          \
    }
#define BOTH_ARITHMETIC(id, makes_nans, ...)                                                       \
    DO_ARITHMETIC(id##_F32, f32, makes_nans, __VA_ARGS__)                                          \
    DO_ARITHMETIC(id##_F16, f16, makes_nans, __VA_ARGS__)
ARITHMETIC(BOTH_ARITHMETIC)

/* The relation of a pair: less, equal, greater, or unordered for a NaN. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static unsigned
relation(const ref_format *f, uint64_t a, uint64_t b)
{
    if (ref_is_nan(f, a) || ref_is_nan(f, b))
        return UNORDERED;
    return ref_less(f, a, b) ? LESS : ref_less(f, b, a) ? GREATER : EQUAL;
}

#define COMPARISONS(R)                                                                             \
    R(S_CMP_LT, LESS)                                                                              \
    R(S_CMP_EQ, EQUAL)                                                                             \
    R(S_CMP_LE, LESS | EQUAL)                                                                      \
    R(S_CMP_GT, GREATER)                                                                           \
    R(S_CMP_LG, LESS | GREATER)                                                                    \
    R(S_CMP_GE, GREATER | EQUAL)                                                                   \
    R(S_CMP_O, LESS | EQUAL | GREATER)                                                             \
    R(S_CMP_U, UNORDERED)                                                                          \
    R(S_CMP_NGE, LESS | UNORDERED)                                                                 \
    R(S_CMP_NLG, EQUAL | UNORDERED)                                                                \
    R(S_CMP_NGT, LESS | EQUAL | UNORDERED)                                                         \
    R(S_CMP_NLE, GREATER | UNORDERED)                                                              \
    R(S_CMP_NEQ, LESS | GREATER | UNORDERED)                                                       \
    R(S_CMP_NLT, EQUAL | GREATER | UNORDERED)

#define COMPARISON(id, format, what)                                                               \
    static void ref_##id(const ref_env *e, ref_scalar *x)                                          \
    {                                                                                              \
        const ref_format *f = format;                                                              \
        x->new_scc = (relation(f, in(e, f, x->s[0]), in(e, f, x->s[1])) & (what)) != 0;            \
    }
#define BOTH_COMPARISON(id, what)                                                                  \
    COMPARISON(id##_F32, f32, what)                                                                \
    COMPARISON(id##_F16, f16, what)
COMPARISONS(BOTH_COMPARISON)

/* Transcendentals: denormals of binary32 are flushed regardless of the mode. The bounds are those
 * of alu_ref_float.c. */
typedef int
mpfr_unary(mpfr_t, const mpfr_t, mpfr_rnd_t);

static int
inverse(mpfr_t r, const mpfr_t a, mpfr_rnd_t d)
{
    return mpfr_ui_div(r, 1, a, d);
}

/* MPFR's function does not give infinity the zero's sign. */
static int
inverse_root(mpfr_t r, const mpfr_t a, mpfr_rnd_t d)
{
    return mpfr_zero_p(a) ? inverse(r, a, d) : mpfr_rec_sqrt(r, a, d);
}

static void
estimate(const ref_env *e, const ref_format *f, ref_scalar *x, mpfr_unary *fn)
{
    mpfr_t a, r;
    uint64_t s = in(e, f, x->s[0]);
    mpfr_init2(a, 53);
    mpfr_init2(r, 120);
    ref_load(a, f, f == f32 ? ref_flush(f, s) : s);
    fn(r, a, MPFR_RNDN);
    uint64_t v = ref_store(f, r, REF_RNE);
    ref_keep_exact(r);
    x->ulp = mpfr_regular_p(r) ? (f == f32 ? 1 : 0.51) : 0;
    if (f == f32 && v << 1 == UINT64_C(0x01000000)) { /* a value just below would be flushed */
        x->has_alt = true;
        x->alt = 0;
    }
    result(e, f, x, f == f32 ? ref_flush(f, v) : v);
    if (ref_is_zero(f, x->d))
        x->ulp = 0;
    x->any_nan = ref_is_nan(f, x->d);
    mpfr_clear(a);
    mpfr_clear(r);
}

#define ESTIMATES(R)                                                                               \
    R(V_S_EXP, mpfr_exp2)                                                                          \
    R(V_S_LOG, mpfr_log2)                                                                          \
    R(V_S_RCP, inverse)                                                                            \
    R(V_S_RSQ, inverse_root)                                                                       \
    R(V_S_SQRT, mpfr_sqrt)

#define ESTIMATE(id, format, fn)                                                                   \
    static void ref_##id(const ref_env *e, ref_scalar *x)                                          \
    {                                                                                              \
        estimate(e, format, x, fn);                                                                \
    }
#define BOTH_ESTIMATE(id, fn)                                                                      \
    ESTIMATE(id##_F32, f32, fn)                                                                    \
    ESTIMATE(id##_F16, f16, fn)
ESTIMATES(BOTH_ESTIMATE)

/* D = S0 * S1 + K, with the literal third; D = S0 * K + S1, with the literal second. */
static void
ref_S_FMAAK_F32(const ref_env *e, ref_scalar *x)
{
    uint64_t a = in(e, f32, x->s[0]), b = in(e, f32, x->s[1]), k = in(e, f32, x->s[2]);
    result(e, f32, x, ref_fma(f32, a, b, k, e->round32));
    x->any_nan = ref_is_nan(f32, x->d);
}

static void
ref_S_FMAMK_F32(const ref_env *e, ref_scalar *x)
{
    uint64_t a = in(e, f32, x->s[0]), k = in(e, f32, x->s[1]), b = in(e, f32, x->s[2]);
    result(e, f32, x, ref_fma(f32, a, k, b, e->round32));
    x->any_nan = ref_is_nan(f32, x->d);
}

static void
ref_S_CVT_F32_I32(const ref_env *e, ref_scalar *x)
{
    result(e, f32, x, ref_from_i64(f32, (int32_t)x->s[0], e->round32));
}

static void
ref_S_CVT_F32_U32(const ref_env *e, ref_scalar *x)
{
    result(e, f32, x, ref_from_i64(f32, (int64_t)x->s[0], e->round32));
}

static void
to_integer(const ref_env *e, ref_scalar *x, int64_t low, int64_t high)
{
    x->d = (uint64_t)ref_to_int(f32, in(e, f32, x->s[0]), REF_RTZ, low, high) & UINT32_MAX;
    x->writes = true;
    x->new_scc = x->scc;
}

static void
ref_S_CVT_I32_F32(const ref_env *e, ref_scalar *x)
{
    to_integer(e, x, INT32_MIN, INT32_MAX);
}

static void
ref_S_CVT_U32_F32(const ref_env *e, ref_scalar *x)
{
    to_integer(e, x, 0, UINT32_MAX);
}

static void
ref_S_CVT_F16_F32(const ref_env *e, ref_scalar *x)
{
    result(e, f16, x, ref_convert(f16, f32, in(e, f32, x->s[0]), e->round16_64));
    x->any_nan = ref_is_nan(f16, x->d);
}

static void
widen(const ref_env *e, ref_scalar *x, uint64_t half)
{
    result(e, f32, x, ref_convert(f32, f16, in(e, f16, half), REF_RNE));
    x->any_nan = ref_is_nan(f32, x->d);
}

static void
ref_S_CVT_F32_F16(const ref_env *e, ref_scalar *x)
{
    widen(e, x, x->s[0] & 0xffff);
}

static void
ref_S_CVT_HI_F32_F16(const ref_env *e, ref_scalar *x)
{
    widen(e, x, x->s[0] >> 16);
}

/* It is not specified whether the mode's flushing applies to the results. */
static void
ref_S_CVT_PK_RTZ_F16_F32(const ref_env *e, ref_scalar *x)
{
    x->d = x->alt = 0;
    for (unsigned s = 0; s < 2; s++) {
        uint64_t h = ref_convert(f16, f32, in(e, f32, x->s[s]), REF_RTZ);
        h = ref_is_nan(f16, h) ? 0x7e00 : h;
        x->alt |= h << (16 * s);
        x->d |= out(e, f16, h) << (16 * s);
    }
    x->halves = x->has_alt = x->writes = true;
    x->new_scc = x->scc;
}

#define ENTRY(id, ...) {AMD_##id##_F32, ref_##id##_F32}, {AMD_##id##_F16, ref_##id##_F16},
#define ALONE(id)      {AMD_##id, ref_##id},

static const ref_scalar_row rows[] = {
    /* clang-format off */
    ARITHMETIC(ENTRY)
    COMPARISONS(ENTRY)
    ESTIMATES(ENTRY)
    ALONE(S_FMAAK_F32)
    ALONE(S_FMAMK_F32)
    ALONE(S_CVT_F32_I32)
    ALONE(S_CVT_F32_U32)
    ALONE(S_CVT_I32_F32)
    ALONE(S_CVT_U32_F32)
    ALONE(S_CVT_F16_F32)
    ALONE(S_CVT_F32_F16)
    ALONE(S_CVT_HI_F32_F16)
    ALONE(S_CVT_PK_RTZ_F16_F32)
    /* clang-format on */
};

ref_scalar_fn *
ref_find_scalar_float(amd_op op)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].op == op)
            return rows[k].fn;
    return NULL;
}
