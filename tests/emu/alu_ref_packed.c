/* References of VOP3P: packed, mixed-precision and dot product operations. The sources are raw
 * dwords (REF_NO_TYPE); op_sel and neg are read from the instruction. */
#include "alu_ref.h"

#include "base/bits.h"

static const ref_format *const f16 = &ref_f16, *const f32 = &ref_f32;

/* The half of source `s` for the high or the low result. VOP2 forms have no selection. */
static uint64_t
half(const ref_env *e, const ref_lane *x, unsigned s, bool high)
{
    bool vop3p = e->in->fmt == AMD_VOP3P;
    uint64_t v = vop3p || s < 2 ? x->s[s] : x->old; /* v_pk_fmac */
    bool upper = !vop3p ? high : ((high ? e->in->op_sel_hi : e->in->op_sel) >> s & 1);
    return v >> (upper ? 16 : 0) & 0xffff;
}

/* The same as binary16, negated and flushed. */
static uint64_t
float_half(const ref_env *e, const ref_lane *x, unsigned s, bool high)
{
    uint64_t v = half(e, x, s, high);
    if (e->in->fmt == AMD_VOP3P && ((high ? e->in->neg_hi : e->in->neg) >> s & 1))
        v = ref_negate(f16, v);
    return e->denorm16_64 & REF_KEEP_IN ? v : ref_flush(f16, v);
}

static uint64_t
clamp_float(const ref_env *e, const ref_format *f, uint64_t v)
{
    uint64_t one = (uint64_t)f->bias << f->mantissa;
    if (!e->clamp)
        return v;
    if (ref_is_nan(f, v))
        return e->dx10_clamp ? 0 : v;
    if (ref_sign(f, v) || ref_is_zero(f, v))
        return 0;
    return ref_less(f, one, v) ? one : v;
}

/* Half of a result: flushed, clamped; 0x7e00 if it may be any NaN. */
static uint64_t
float_result(const ref_env *e, uint64_t v, bool any_nan)
{
    if (!(e->denorm16_64 & REF_KEEP_OUT))
        v = ref_flush(f16, v);
    v = clamp_float(e, f16, v);
    return any_nan && ref_is_nan(f16, v) ? 0x7e00 : v;
}

#define PACKED_FLOAT(name, arithmetic, ...)                                                        \
    static void name(const ref_env *e, ref_lane *x)                                                \
    {                                                                                              \
        x->d = 0;                                                                                  \
        for (unsigned h = 0; h < 2; h++) {                                                         \
            uint64_t a = float_half(e, x, 0, h), b = float_half(e, x, 1, h);                       \
            uint64_t v = (__VA_ARGS__);                                                            \
            x->d |= float_result(e, v, arithmetic) << (16 * h);                                    \
        }                                                                                          \
        x->halves = arithmetic;                                                                    \
    }
PACKED_FLOAT(pk_add, true, ref_add(f16, a, b, e->round16_64))
PACKED_FLOAT(pk_mul, true, ref_mul(f16, a, b, e->round16_64))
PACKED_FLOAT(pk_fma, true, ref_fma(f16, a, b, float_half(e, x, 2, h), e->round16_64))
PACKED_FLOAT(pk_min, false, ref_min(e, f16, a, b, false))
PACKED_FLOAT(pk_max, false, ref_min(e, f16, a, b, true))

/* A NaN in either source is propagated. */
static uint64_t
nan_or_min(const ref_env *e, uint64_t a, uint64_t b, bool max)
{
    if (ref_is_snan(f16, a) || (ref_is_nan(f16, a) && !ref_is_snan(f16, b)))
        return ref_quiet(f16, a);
    return ref_is_nan(f16, b) ? ref_quiet(f16, b) : ref_min(e, f16, a, b, max);
}
PACKED_FLOAT(pk_minimum, false, nan_or_min(e, a, b, false))
PACKED_FLOAT(pk_maximum, false, nan_or_min(e, a, b, true))

static uint64_t
nan_or_min3(const ref_env *e, const uint64_t v[3], bool max)
{
    return nan_or_min(e, nan_or_min(e, v[0], v[1], max), v[2], max);
}
PACKED_FLOAT(pk_minimum3, true, nan_or_min3(e, (uint64_t[3]){a, b, float_half(e, x, 2, h)}, false))
PACKED_FLOAT(pk_maximum3, true, nan_or_min3(e, (uint64_t[3]){a, b, float_half(e, x, 2, h)}, true))

/* Pairs of binary32: op_sel and op_sel_hi select the dwords. */
static uint64_t
single(const ref_env *e, const ref_lane *x, unsigned s, bool high)
{
    uint64_t v = x->s[s] >> ((high ? e->in->op_sel_hi : e->in->op_sel) >> s & 1 ? 32 : 0);
    v &= UINT32_MAX;
    if ((high ? e->in->neg_hi : e->in->neg) >> s & 1)
        v = ref_negate(f32, v);
    return e->denorm32 & REF_KEEP_IN ? v : ref_flush(f32, v);
}

#define PACKED_SINGLE(name, ...)                                                                   \
    static void name(const ref_env *e, ref_lane *x)                                                \
    {                                                                                              \
        x->d = 0;                                                                                  \
        for (unsigned h = 0; h < 2; h++) {                                                         \
            uint64_t a = single(e, x, 0, h), b = single(e, x, 1, h), v = (__VA_ARGS__);            \
            v = e->denorm32 & REF_KEEP_OUT ? v : ref_flush(f32, v);                                \
            v = clamp_float(e, f32, v);                                                            \
            x->d |= (ref_is_nan(f32, v) ? 0x7fc00000 : v) << (32 * h);                             \
        }                                                                                          \
        x->singles = true;                                                                         \
    }
PACKED_SINGLE(pk_add_f32, ref_add(f32, a, b, e->round32))
PACKED_SINGLE(pk_mul_f32, ref_mul(f32, a, b, e->round32))
PACKED_SINGLE(pk_fma_f32, ref_fma(f32, a, b, single(e, x, 2, h), e->round32))

static void
pk_mov(const ref_env *e, ref_lane *x)
{
    uint64_t low = x->s[0] >> (e->in->op_sel & 1 ? 32 : 0);
    uint64_t high = x->s[1] >> (e->in->op_sel & 2 ? 32 : 0);
    x->d = (low & UINT32_MAX) | high << 32;
}

#define S(v) ((int64_t)(int16_t)(v))

static uint64_t
sat(const ref_env *e, int64_t v, int64_t low, int64_t high)
{
    return (uint64_t)(!e->clamp ? v : v < low ? low : v > high ? high : v) & 0xffff;
}

#define SAT_I(v) sat(e, v, INT16_MIN, INT16_MAX)
#define SAT_U(v) sat(e, (int64_t)(v), 0, UINT16_MAX)

#define PACKED_INT(name, ...)                                                                      \
    static void name(const ref_env *e, ref_lane *x)                                                \
    {                                                                                              \
        x->d = 0;                                                                                  \
        for (unsigned h = 0; h < 2; h++) {                                                         \
            uint64_t a = half(e, x, 0, h), b = half(e, x, 1, h), c = half(e, x, 2, h);             \
            (void)c;                                                                               \
            x->d |= ((uint64_t)(__VA_ARGS__)&0xffff) << (16 * h);                                  \
        }                                                                                          \
    }
PACKED_INT(pk_mad_i16, SAT_I(S(a) * S(b) + S(c)))
PACKED_INT(pk_mad_u16, SAT_U(a *b + c))
PACKED_INT(pk_mul_lo, a *b)
PACKED_INT(pk_add_i16, SAT_I(S(a) + S(b)))
PACKED_INT(pk_sub_i16, SAT_I(S(a) - S(b)))
PACKED_INT(pk_add_u16, SAT_U(a + b))
PACKED_INT(pk_sub_u16, SAT_U((int64_t)a - (int64_t)b))
PACKED_INT(pk_lshl, b << (a & 15))
PACKED_INT(pk_lshr, b >> (a & 15))
PACKED_INT(pk_ashr, S(b) >> (a & 15))
PACKED_INT(pk_max_i16, S(a) > S(b) ? a : b)
PACKED_INT(pk_min_i16, S(a) < S(b) ? a : b)
PACKED_INT(pk_max_u16, a > b ? a : b)
PACKED_INT(pk_min_u16, a < b ? a : b)

/* v_mad_mix also rounds the product, and flushes all denormals (LLVM uses it only if they are
 * flushed). */
static bool
is_mad_mix(const ref_env *e)
{
    return e->op == AMD_V_MAD_MIX_F32 || e->op == AMD_V_MAD_MIXLO_F16 ||
           e->op == AMD_V_MAD_MIXHI_F16;
}

/* Mixed precision: each source is binary32, or a half, selected by op_sel_hi and op_sel; neg_hi
 * means abs. */
static void
mix_source(const ref_env *e, const ref_lane *x, unsigned s, mpfr_t out)
{
    bool is_half = e->in->op_sel_hi >> s & 1;
    const ref_format *f = is_half ? f16 : f32;
    uint64_t v = is_half && (e->in->op_sel >> s & 1) ? x->s[s] >> 16 : x->s[s];
    v &= base_mask64(f->bits);
    if (e->in->neg_hi >> s & 1)
        v = ref_abs(f, v);
    if (e->in->neg >> s & 1)
        v = ref_negate(f, v);
    if (is_mad_mix(e) || !(ref_denorm(e, f) & REF_KEEP_IN))
        v = ref_flush(f, v);
    ref_load(out, f, v);
}

/* a * b + c, exact except for the sign of a zero, which follows rounding mode `r`. */
static void
mix_sum(const ref_env *e, const ref_lane *x, mpfr_t sum)
{
    mpfr_t a, b, c;
    mpfr_init2(a, 53);
    mpfr_init2(b, 53);
    mpfr_init2(c, 53);
    mix_source(e, x, 0, a);
    mix_source(e, x, 1, b);
    mix_source(e, x, 2, c);
    if (is_mad_mix(e)) {
        mpfr_mul(sum, a, b, MPFR_RNDN);
        ref_load(a, f32, ref_flush(f32, ref_store(f32, sum, e->round32)));
        mpfr_add(sum, a, c, e->round32 == REF_RNI ? MPFR_RNDD : MPFR_RNDN);
    } else {
        mpfr_fma(sum, a, b, c, e->round32 == REF_RNI ? MPFR_RNDD : MPFR_RNDN);
    }
    mpfr_clear(a);
    mpfr_clear(b);
    mpfr_clear(c);
}

static uint64_t
mix_f32(const ref_env *e, mpfr_t sum)
{
    uint64_t v = ref_store(f32, sum, e->round32);
    if (is_mad_mix(e) || !(e->denorm32 & REF_KEEP_OUT))
        v = ref_flush(f32, v);
    return clamp_float(e, f32, v);
}

static void
fma_mix_f32(const ref_env *e, ref_lane *x)
{
    mpfr_t sum;
    mpfr_init2(sum, 700);
    mix_sum(e, x, sum);
    x->d = mix_f32(e, sum);
    x->any_nan = ref_is_nan(f32, x->d);
    x->as = f32;
    mpfr_clear(sum);
}

/* The sum is rounded to binary32 and then to binary16; as it is not specified whether hardware
 * rounds twice, a single rounding is correct too. */
static uint64_t
mix_half(const ref_env *e, uint64_t v)
{
    if (!(e->denorm16_64 & REF_KEEP_OUT))
        v = ref_flush(f16, v);
    return ref_is_nan(f16, v) ? 0x7e00 : v;
}

static void
mix_f16(const ref_env *e, ref_lane *x, bool high)
{
    uint64_t keep = high ? x->old & 0xffff : x->old & 0xffff0000, once, twice;
    mpfr_t sum;
    mpfr_init2(sum, 700);
    mix_sum(e, x, sum);
    twice = ref_convert(f16, f32, mix_f32(e, sum), e->round16_64);
    once = clamp_float(e, f16, ref_store(f16, sum, e->round16_64));
    x->d = keep | mix_half(e, twice) << (high ? 16 : 0);
    x->alt = keep | mix_half(e, once) << (high ? 16 : 0);
    x->has_alt = true;
    x->halves = true;
    x->open_half = high ? 2 : 1;
    mpfr_clear(sum);
}

static void
fma_mixlo(const ref_env *e, ref_lane *x)
{
    mix_f16(e, x, false);
}

static void
fma_mixhi(const ref_env *e, ref_lane *x)
{
    mix_f16(e, x, true);
}

/* Dot products of integer fields with `bits` bits. */
static void
dot(const ref_env *e, ref_lane *x, unsigned bits, bool a_signed, bool b_signed)
{
    bool acc = amd_op_row(e->op)->fmt == AMD_VOP2;
    bool mixed = e->op == AMD_V_DOT4_I32_IU8 || e->op == AMD_V_DOT8_I32_IU4;
    bool is_signed = a_signed || b_signed || mixed;
    uint64_t c = acc ? x->old : x->s[2];
    int64_t sum = is_signed ? (int64_t)(int32_t)c : (int64_t)c;
    for (unsigned k = 0; k < 32 / bits; k++) {
        uint64_t a = x->s[0] >> (k * bits) & base_mask64(bits);
        uint64_t b = x->s[1] >> (k * bits) & base_mask64(bits);
        if (bits == 16) {
            a = half(e, x, 0, k);
            b = half(e, x, 1, k);
        }
        int64_t top = INT64_C(1) << (bits - 1);
        int64_t sa = a_signed && (int64_t)a >= top ? (int64_t)a - 2 * top : (int64_t)a;
        int64_t sb = b_signed && (int64_t)b >= top ? (int64_t)b - 2 * top : (int64_t)b;
        sum += sa * sb;
    }
    if (e->clamp && is_signed)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    if (e->clamp && !is_signed && sum > UINT32_MAX)
        sum = UINT32_MAX;
    x->d = (uint64_t)sum & UINT32_MAX;
}

#define DOT(name, bits, is_signed)                                                                 \
    static void name(const ref_env *e, ref_lane *x)                                                \
    {                                                                                              \
        dot(e, x, bits, is_signed, is_signed);                                                     \
    }
DOT(dot2_i16, 16, true)
DOT(dot2_u16, 16, false)
DOT(dot4_i8, 8, true)
DOT(dot4_u8, 8, false)
DOT(dot8_i4, 4, true)
DOT(dot8_u4, 4, false)

/* neg says which factors are signed. */
static void
dot4_iu8(const ref_env *e, ref_lane *x)
{
    dot(e, x, 8, e->in->neg & 1, e->in->neg & 2);
}

static void
dot8_iu4(const ref_env *e, ref_lane *x)
{
    dot(e, x, 4, e->in->neg & 1, e->in->neg & 2);
}

/* Sums of two products and an addend in the formats `in` and `out`, within one unit of the last
 * place: the hardware's intermediate rounding is not documented. The sources have no modifiers. */
static void
dot2_of(const ref_format *in, const ref_format *out, ref_lane *x)
{
    mpfr_t a, b, sum;
    mpfr_init2(a, 53);
    mpfr_init2(b, 53);
    mpfr_init2(sum, 700);
    ref_load(sum, out, x->s[2]);
    for (unsigned h = 0; h < 32; h += 16) {
        ref_load(a, in, x->s[0] >> h & 0xffff);
        ref_load(b, in, x->s[1] >> h & 0xffff);
        mpfr_fma(sum, a, b, sum, MPFR_RNDN);
    }
    ref_keep_exact(sum);
    x->d = ref_store(out, sum, REF_RNE);
    x->any_nan = ref_is_nan(out, x->d);
    x->any_zero = true;
    x->ulp = mpfr_number_p(sum) ? 1 : 0;
    x->as = out;
    mpfr_clear(a);
    mpfr_clear(b);
    mpfr_clear(sum);
}

static void
dot2_f16_f16(const ref_env *e, ref_lane *x)
{
    (void)e;
    dot2_of(f16, f16, x);
}

static void
dot2_bf16_bf16(const ref_env *e, ref_lane *x)
{
    (void)e;
    dot2_of(&ref_bf16, &ref_bf16, x);
}

static void
dot2_f32_bf16(const ref_env *e, ref_lane *x)
{
    (void)e;
    dot2_of(&ref_bf16, f32, x);
}

static void
dot2c_f32_bf16(const ref_env *e, ref_lane *x)
{
    (void)e;
    x->s[2] = x->old;
    dot2_of(&ref_bf16, f32, x);
}

/* The dot product of binary16 pairs with a binary32 addend: denormals are flushed and results
 * rounded to nearest regardless of the mode (LLVM's notes on these instructions). The intermediate
 * rounding is not documented: within one unit of the last place. */
static void
dot2_f16(const ref_env *e, ref_lane *x)
{
    bool acc = amd_op_row(e->op)->fmt == AMD_VOP2;
    uint64_t c = acc ? x->old : x->s[2];
    mpfr_t a, b, sum, term;
    mpfr_init2(a, 53);
    mpfr_init2(b, 53);
    mpfr_init2(term, 53);
    mpfr_init2(sum, 700);
    if (!acc && (e->in->neg >> 2 & 1))
        c = ref_negate(f32, c);
    ref_load(sum, f32, ref_flush(f32, c));
    for (unsigned h = 0; h < 2; h++) {
        ref_env keep = *e;
        keep.denorm16_64 |= REF_KEEP_IN;
        ref_load(a, f16, float_half(&keep, x, 0, h));
        ref_load(b, f16, float_half(&keep, x, 1, h));
        mpfr_mul(term, a, b, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    ref_keep_exact(sum);
    x->d = clamp_float(e, f32, ref_flush(f32, ref_store(f32, sum, REF_RNE)));
    x->any_nan = ref_is_nan(f32, x->d);
    bool inside = !e->clamp || (mpfr_sgn(sum) > 0 && mpfr_cmp_ui(sum, 1) < 0);
    x->ulp = mpfr_number_p(sum) && inside ? 1 : 0;
    x->any_zero = true;
    x->as = f32;
    mpfr_clear(a);
    mpfr_clear(b);
    mpfr_clear(term);
    mpfr_clear(sum);
}

enum { PACKED = REF_RAW | REF_WHOLE | REF_NO_TYPE };

static const ref_row rows[] = {
    {AMD_V_PK_ADD_F16, PACKED, pk_add},
    {AMD_V_PK_MUL_F16, PACKED, pk_mul},
    {AMD_V_PK_FMA_F16, PACKED, pk_fma},
    {AMD_V_PK_FMAC_F16, PACKED, pk_fma},
    {AMD_V_PK_MIN_F16, PACKED, pk_min},
    {AMD_V_PK_MAX_F16, PACKED, pk_max},
    {AMD_V_PK_MINIMUM_F16, PACKED, pk_minimum},
    {AMD_V_PK_MAXIMUM_F16, PACKED, pk_maximum},
    {AMD_V_PK_MINIMUM3_F16, PACKED, pk_minimum3},
    {AMD_V_PK_MAXIMUM3_F16, PACKED, pk_maximum3},
    {AMD_V_PK_ADD_F32, PACKED, pk_add_f32},
    {AMD_V_PK_MUL_F32, PACKED, pk_mul_f32},
    {AMD_V_PK_FMA_F32, PACKED, pk_fma_f32},
    {AMD_V_PK_MOV_B32, PACKED, pk_mov},
    {AMD_V_PK_MAD_I16, PACKED, pk_mad_i16},
    {AMD_V_PK_MAD_U16, PACKED, pk_mad_u16},
    {AMD_V_PK_MUL_LO_U16, PACKED, pk_mul_lo},
    {AMD_V_PK_ADD_I16, PACKED, pk_add_i16},
    {AMD_V_PK_SUB_I16, PACKED, pk_sub_i16},
    {AMD_V_PK_ADD_U16, PACKED, pk_add_u16},
    {AMD_V_PK_SUB_U16, PACKED, pk_sub_u16},
    {AMD_V_PK_LSHLREV_B16, PACKED, pk_lshl},
    {AMD_V_PK_LSHRREV_B16, PACKED, pk_lshr},
    {AMD_V_PK_ASHRREV_I16, PACKED, pk_ashr},
    {AMD_V_PK_MAX_I16, PACKED, pk_max_i16},
    {AMD_V_PK_MIN_I16, PACKED, pk_min_i16},
    {AMD_V_PK_MAX_U16, PACKED, pk_max_u16},
    {AMD_V_PK_MIN_U16, PACKED, pk_min_u16},
    {AMD_V_FMA_MIX_F32, PACKED, fma_mix_f32},
    {AMD_V_FMA_MIXLO_F16, PACKED, fma_mixlo},
    {AMD_V_FMA_MIXHI_F16, PACKED, fma_mixhi},
    {AMD_V_MAD_MIX_F32, PACKED, fma_mix_f32},
    {AMD_V_MAD_MIXLO_F16, PACKED, fma_mixlo},
    {AMD_V_MAD_MIXHI_F16, PACKED, fma_mixhi},
    {AMD_V_DOT2C_I32_I16, PACKED, dot2_i16},
    {AMD_V_DOT8C_I32_I4, PACKED, dot8_i4},
    {AMD_V_DOT4_I32_IU8, PACKED, dot4_iu8},
    {AMD_V_DOT8_I32_IU4, PACKED, dot8_iu4},
    {AMD_V_DOT2_F16_F16, REF_PLAIN, dot2_f16_f16},
    {AMD_V_DOT2_BF16_BF16, REF_PLAIN | REF_NO_IN | REF_NO_OUT, dot2_bf16_bf16},
    {AMD_V_DOT2_F32_BF16, REF_PLAIN, dot2_f32_bf16},
    {AMD_V_DOT2C_F32_BF16, REF_PLAIN, dot2c_f32_bf16},
    {AMD_V_DOT2_F32_F16, PACKED, dot2_f16},
    {AMD_V_DOT2C_F32_F16, PACKED, dot2_f16},
    {AMD_V_DOT2_I32_I16, PACKED, dot2_i16},
    {AMD_V_DOT2_U32_U16, PACKED, dot2_u16},
    {AMD_V_DOT4_I32_I8, PACKED, dot4_i8},
    {AMD_V_DOT4C_I32_I8, PACKED, dot4_i8},
    {AMD_V_DOT4_U32_U8, PACKED, dot4_u8},
    {AMD_V_DOT8_I32_I4, PACKED, dot8_i4},
    {AMD_V_DOT8_U32_U4, PACKED, dot8_u4},
};
const ref_table ref_packed_table = {rows, sizeof rows / sizeof *rows};
