/* References of conversions, from the ISA guides' descriptions of VOP1 and VOP3. */
#include "alu_ref.h"

#include "base/bits.h"

static void
put(const ref_format *f, ref_lane *x, uint64_t v)
{
    x->d = v;
    x->any_nan = ref_is_nan(f, v);
    x->as = f;
}

#define OP(name) static void name(const ref_env *e, ref_lane *x)

/* Float to integer: towards zero, saturating, NaN to 0. */
#define TO_INT(name, format, low, high)                                                            \
    OP(name)                                                                                       \
    {                                                                                              \
        (void)e;                                                                                   \
        x->d = (uint64_t)ref_to_int(&ref_##format, x->s[0], REF_RTZ, low, high);                   \
    }
TO_INT(i32_f64, f64, INT32_MIN, INT32_MAX)
TO_INT(u32_f64, f64, 0, UINT32_MAX)
TO_INT(i32_f32, f32, INT32_MIN, INT32_MAX)
TO_INT(u32_f32, f32, 0, UINT32_MAX)
TO_INT(i16_f16, f16, INT16_MIN, INT16_MAX)
TO_INT(u16_f16, f16, 0, UINT16_MAX)

#define FROM_INT(name, format, value)                                                              \
    OP(name)                                                                                       \
    {                                                                                              \
        put(&ref_##format, x,                                                                      \
            ref_from_i64(&ref_##format, (int64_t)(value), ref_mode(e, &ref_##format)));            \
    }
FROM_INT(f64_i32, f64, (int32_t)x->s[0])
FROM_INT(f64_u32, f64, x->s[0])
FROM_INT(f32_i32, f32, (int32_t)x->s[0])
FROM_INT(f32_u32, f32, x->s[0])
FROM_INT(f16_i16, f16, (int16_t)x->s[0])
FROM_INT(f16_u16, f16, x->s[0])
FROM_INT(ubyte0, f32, x->s[0] & 255)
FROM_INT(ubyte1, f32, x->s[0] >> 8 & 255)
FROM_INT(ubyte2, f32, x->s[0] >> 16 & 255)
FROM_INT(ubyte3, f32, x->s[0] >> 24 & 255)

#define FLOATS(name, to, from)                                                                     \
    OP(name)                                                                                       \
    {                                                                                              \
        put(&ref_##to, x, ref_convert(&ref_##to, &ref_##from, x->s[0], ref_mode(e, &ref_##to)));   \
    }
FLOATS(f16_f32, f16, f32)
FLOATS(f32_f16, f32, f16)
FLOATS(f32_f64, f32, f64)
FLOATS(f64_f32, f64, f32)

/* floor(a + 0.5): the guides do not specify whether the sum is rounded. */
OP(rpi)
{
    const ref_format *f = &ref_f32;
    uint64_t half = 0x3f000000;
    mpfr_t v;
    (void)e;
    mpfr_init2(v, 400);
    ref_load(v, f, x->s[0]);
    if (!mpfr_nan_p(v)) {
        mpfr_add_d(v, v, 0.5, MPFR_RNDN);
        mpfr_floor(v, v);
    }
    x->d = mpfr_nan_p(v)                    ? 0
           : mpfr_cmp_si(v, INT32_MIN) <= 0 ? (uint64_t)INT32_MIN
           : mpfr_cmp_si(v, INT32_MAX) >= 0 ? (uint64_t)INT32_MAX
                                            : (uint64_t)mpfr_get_si(v, MPFR_RNDN);
    x->alt = (uint64_t)ref_to_int(f, ref_add(f, x->s[0], half, REF_RNE), REF_RNI, INT32_MIN,
                                  INT32_MAX);
    x->has_alt = true;
    mpfr_clear(v);
}

OP(flr)
{
    (void)e;
    x->d = (uint64_t)ref_to_int(&ref_f32, x->s[0], REF_RNI, INT32_MIN, INT32_MAX);
}

/* 4 bits, signed, in sixteenths: -0.5 to 0.4375. */
OP(off_i4)
{
    int v = (int)(x->s[0] & 15);
    (void)e;
    put(&ref_f32, x,
        ref_scale(&ref_f32, ref_from_i64(&ref_f32, v < 8 ? v : v - 16, REF_RNE), -4, REF_RNE));
}

/* Normalised integers: clamped, scaled by 32767 or 65535, rounded to nearest even; NaN gives 0. */
static uint64_t
normalised(const ref_format *f, uint64_t v, int64_t low, int64_t high)
{
    int64_t r = 0;
    mpfr_t m;
    mpfr_init2(m, 400);
    ref_load(m, f, v);
    if (!mpfr_nan_p(m)) {
        mpfr_mul_si(m, m, (long)high, MPFR_RNDN);
        mpfr_rint(m, m, MPFR_RNDN);
        r = mpfr_cmp_si(m, (long)low) <= 0    ? low
            : mpfr_cmp_si(m, (long)high) >= 0 ? high
                                              : mpfr_get_si(m, MPFR_RNDN);
    }
    mpfr_clear(m);
    return (uint64_t)r & 0xffff;
}

#define NORM(name, format, low, high)                                                              \
    OP(name)                                                                                       \
    {                                                                                              \
        (void)e;                                                                                   \
        x->d = normalised(&ref_##format, x->s[0], low, high);                                      \
    }
#define PKNORM(name, format, low, high)                                                            \
    OP(name)                                                                                       \
    {                                                                                              \
        (void)e;                                                                                   \
        x->d = normalised(&ref_##format, x->s[0], low, high) |                                     \
               normalised(&ref_##format, x->s[1], low, high) << 16;                                \
    }
NORM(norm_i16_f16, f16, -32767, 32767)
NORM(norm_u16_f16, f16, 0, 65535)
PKNORM(pknorm_i16_f16, f16, -32767, 32767)
PKNORM(pknorm_u16_f16, f16, 0, 65535)
PKNORM(pknorm_i16_f32, f32, -32767, 32767)
PKNORM(pknorm_u16_f32, f32, 0, 65535)

static uint64_t
cut(int64_t v, int64_t low, int64_t high)
{
    return (uint64_t)(v < low ? low : v > high ? high : v) & 0xffff;
}

OP(pk_i16_f32)
{
    (void)e;
    x->d = 0;
    for (unsigned s = 0; s < 2; s++)
        x->d |= ((uint64_t)ref_to_int(&ref_f32, x->s[s], REF_RTZ, INT16_MIN, INT16_MAX) & 0xffff)
                << (16 * s);
}

OP(pk_u16_f32)
{
    (void)e;
    x->d = 0;
    for (unsigned s = 0; s < 2; s++)
        x->d |= (uint64_t)ref_to_int(&ref_f32, x->s[s], REF_RTZ, 0, UINT16_MAX) << (16 * s);
}

OP(pk_u16_u32)
{
    (void)e;
    x->d = cut((int64_t)x->s[0], 0, 65535) | cut((int64_t)x->s[1], 0, 65535) << 16;
}

OP(pk_i16_i32)
{
    (void)e;
    x->d = cut((int32_t)x->s[0], INT16_MIN, INT16_MAX) | cut((int32_t)x->s[1], INT16_MIN, INT16_MAX)
                                                             << 16;
}

/* Two halves, each of which may be any NaN. */
static uint64_t
half_of(uint64_t v)
{
    return ref_is_nan(&ref_f16, v) ? 0x7e00 : v;
}

/* It is not specified whether the mode's flushing applies to the results. */
OP(pkrtz)
{
    x->d = x->alt = 0;
    for (unsigned s = 0; s < 2; s++) {
        uint64_t h = ref_convert(&ref_f16, &ref_f32, x->s[s], REF_RTZ);
        x->alt |= half_of(h) << (16 * s);
        if (!(e->denorm16_64 & REF_KEEP_OUT))
            h = ref_flush(&ref_f16, h);
        x->d |= half_of(h) << (16 * s);
    }
    x->halves = true;
    x->has_alt = true;
}

/* The byte is rounded to nearest even, as in conversions to normalised integers. */
OP(pk_u8)
{
    unsigned at = (unsigned)(x->s[1] & 3) * 8;
    uint64_t v = (uint64_t)ref_to_int(&ref_f32, x->s[0], REF_RNE, 0, 255);
    (void)e;
    x->d = (x->s[2] & ~(UINT64_C(255) << at)) | v << at;
}

OP(pkaccum_u8)
{
    x->s[2] = x->old;
    pk_u8(e, x);
}

OP(pack_f16)
{
    (void)e;
    x->d = x->s[0] | x->s[1] << 16;
}

static const ref_row rows[] = {
    {AMD_V_CVT_I32_F64, 0, i32_f64},
    {AMD_V_CVT_U32_F64, 0, u32_f64},
    {AMD_V_CVT_I32_F32, 0, i32_f32},
    {AMD_V_CVT_U32_F32, 0, u32_f32},
    {AMD_V_CVT_I16_F16, 0, i16_f16},
    {AMD_V_CVT_U16_F16, 0, u16_f16},
    {AMD_V_CVT_F64_I32, 0, f64_i32},
    {AMD_V_CVT_F64_U32, 0, f64_u32},
    {AMD_V_CVT_F32_I32, 0, f32_i32},
    {AMD_V_CVT_F32_U32, 0, f32_u32},
    {AMD_V_CVT_F16_I16, 0, f16_i16},
    {AMD_V_CVT_F16_U16, 0, f16_u16},
    {AMD_V_CVT_F32_UBYTE0, 0, ubyte0},
    {AMD_V_CVT_F32_UBYTE1, 0, ubyte1},
    {AMD_V_CVT_F32_UBYTE2, 0, ubyte2},
    {AMD_V_CVT_F32_UBYTE3, 0, ubyte3},
    {AMD_V_CVT_F16_F32, 0, f16_f32},
    {AMD_V_CVT_F32_F16, 0, f32_f16},
    {AMD_V_CVT_F32_F64, 0, f32_f64},
    {AMD_V_CVT_F64_F32, 0, f64_f32},
    {AMD_V_CVT_RPI_I32_F32, 0, rpi},
    {AMD_V_CVT_FLR_I32_F32, 0, flr},
    {AMD_V_CVT_OFF_F32_I4, 0, off_i4},
    {AMD_V_CVT_NORM_I16_F16, 0, norm_i16_f16},
    {AMD_V_CVT_NORM_U16_F16, 0, norm_u16_f16},
    {AMD_V_CVT_PKNORM_I16_F16, 0, pknorm_i16_f16},
    {AMD_V_CVT_PKNORM_U16_F16, 0, pknorm_u16_f16},
    {AMD_V_CVT_PKNORM_I16_F32, 0, pknorm_i16_f32},
    {AMD_V_CVT_PKNORM_U16_F32, 0, pknorm_u16_f32},
    {AMD_V_CVT_PK_I16_F32, 0, pk_i16_f32},
    {AMD_V_CVT_PK_U16_F32, 0, pk_u16_f32},
    {AMD_V_CVT_PK_U16_U32, 0, pk_u16_u32},
    {AMD_V_CVT_PK_I16_I32, 0, pk_i16_i32},
    {AMD_V_CVT_PKRTZ_F16_F32, REF_WHOLE | REF_PLAIN, pkrtz},
    {AMD_V_CVT_PK_U8_F32, REF_PLAIN, pk_u8},
    {AMD_V_CVT_PKACCUM_U8_F32, REF_PLAIN, pkaccum_u8},
    {AMD_V_PACK_B32_F16, REF_RAW | REF_WHOLE | REF_PLAIN, pack_f16},
};
const ref_table ref_cvt_table = {rows, sizeof rows / sizeof *rows};
