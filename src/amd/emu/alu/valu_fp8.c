/* Conversions from and to the 8-bit floats of CDNA 3 and RDNA 4.
 *
 * CDNA 3 uses the formats without infinities and negative zero, whose only NaN is 0x80 ("FNUZ").
 * RDNA 4 uses those of the OCP: fp8 (E4M3) has no infinities, and its NaN is all ones; bf8 (E5M2)
 * follows IEEE 754. Results are rounded to nearest even, or with the random bits that are an
 * operand of V_CVT_SR_*. Overflow gives NaN, or infinity for bf8 on RDNA 4; with MODE.FP16_OVFL it
 * saturates.
 */
#include "amd/emu/alu/valu_rows.h"

enum { FP16_OVFL = 1 << 23 };

typedef struct small_format {
    int mantissa, bias;
    uint32_t max;      /* the largest finite number */
    uint32_t nan, inf; /* encodings for NaN and for overflow, without the sign */
    bool fnuz;
} small_format;

static small_format
format_of(amd_gen gen, bool bf8)
{
    if (gen == AMD_GFX942)
        return bf8 ? (small_format){2, 16, 0x7f, 0x80, 0x80, true}
                   : (small_format){3, 8, 0x7f, 0x80, 0x80, true};
    return bf8 ? (small_format){2, 15, 0x7b, 0x7e, 0x7c, false}
               : (small_format){3, 7, 0x7e, 0x7f, 0x7f, false};
}

float
amd_emu_from_small_float(amd_gen gen, uint32_t v, bool bf8)
{
    small_format f = format_of(gen, bf8);
    uint32_t m = v & ((1u << f.mantissa) - 1), e = (v & 0x7f) >> f.mantissa;
    float r = ldexpf((float)(m + (e ? 1u << f.mantissa : 0)),
                     (int)(e ? e : 1) - f.bias - f.mantissa);
    if (f.fnuz ? v == 0x80 : (v & 0x7f) > f.max)
        r = !f.fnuz && bf8 && (v & 0x7f) == 0x7c ? INFINITY : NAN;
    return v & 0x80 && !(f.fnuz && v == 0x80) ? -r : r;
}

/* The encoding of `x`. `random` bits are added below the last place before truncation; UINT32_MAX:
 * rounds to nearest even. */
static uint32_t
narrow(const emu_args *k, float x, bool bf8, uint32_t random)
{
    small_format f = format_of(k->gen, bf8);
    uint32_t u = base_f32_bits(x), a = u & 0x7fffffff, sign = u >> 24 & 0x80;
    int e = (int)(a >> 23) - 127 + f.bias, shift = 23 - f.mantissa + (e < 1 ? 1 - e : 0);
    uint64_t m = (uint64_t)(a & 0x7fffff) | (a >> 23 ? 0x800000 : 0);
    if (a > 0x7f800000)
        return f.fnuz ? f.nan : sign | f.nan;
    if (a == 0x7f800000)
        return f.fnuz ? f.inf : sign | f.inf;
    if (shift > 60)
        shift = 60; /* the random bits fit, and the result is 0 */
    uint64_t half = UINT64_C(1) << (shift - 1), low = m & base_mask64((unsigned)shift);
    uint64_t kept = m >> shift;
    if (random == UINT32_MAX)
        kept += low > half || (low == half && (kept & 1));
    else
        kept = (m + ((uint64_t)random << (shift - (23 - f.mantissa)))) >> shift;
    /* the leading bit adds one to the exponent field */
    uint64_t r = (e < 1 ? 0 : (uint64_t)(e - 1) << f.mantissa) + kept;
    if (r > f.max)
        return k->mode & FP16_OVFL ? sign | f.max : f.fnuz ? f.inf : sign | f.inf;
    return r == 0 && f.fnuz ? 0 : sign | (uint32_t)r;
}

/* The byte that a conversion reads: the lowest one (selected by SDWA); on RDNA 4 the one that
 * op_sel selects, with its two bits reversed. */
static uint32_t
byte_of(const emu_args *k, uint32_t v)
{
    uint32_t select = k->in->fmt == AMD_VOP3 ? k->in->op_sel : 0;
    return v >> ((select & 1 ? 16 : 0) + (select & 2 ? 8 : 0)) & 0xff;
}

static uint64_t
widen_pair(const emu_args *k, uint32_t v, bool bf8)
{
    uint32_t pair = k->in->ext != AMD_EXT_SDWA && (k->in->op_sel & 1) ? v >> 16 : v;
    return base_f32_bits(amd_emu_from_small_float(k->gen, pair & 0xff, bf8)) |
           (uint64_t)base_f32_bits(amd_emu_from_small_float(k->gen, pair >> 8 & 0xff, bf8)) << 32;
}

/* Writes two results to the half of the destination that op_sel's bit 3 selects. */
static uint32_t
narrow_pair(const emu_args *k, float a, float b, uint32_t old, bool bf8)
{
    uint32_t v = narrow(k, a, bf8, UINT32_MAX) | narrow(k, b, bf8, UINT32_MAX) << 8;
    return k->in->op_sel & 8 ? (old & 0xffff) | v << 16 : (old & 0xffff0000) | v;
}

/* Writes one result, rounded by the upper bits of `random`, to the byte that op_sel's bits 3:2
 * select. */
static uint32_t
narrow_random(const emu_args *k, float a, uint32_t random, uint32_t old, bool bf8)
{
    uint32_t at = (k->in->op_sel >> 2 & 3) * 8;
    return (old & ~(UINT32_C(0xff) << at)) | narrow(k, a, bf8, random >> (bf8 ? 11 : 12)) << at;
}

/* The sum of four products and the addend, rounded once: the hardware's rounding is not
 * documented. */
static float
dot4(const emu_args *k, uint32_t a, uint32_t b, float c, bool a_bf8, bool b_bf8)
{
    double sum = 0;
    for (uint32_t s = 0; s < 32; s += 8) {
        double product = (double)amd_emu_from_small_float(k->gen, a >> s & 0xff, a_bf8) *
                         (double)amd_emu_from_small_float(k->gen, b >> s & 0xff, b_bf8);
        sum = s ? sum + product : product; /* exact */
    }
    return (float)(sum + (double)c);
}

#define RNE EMU_VALU_RNE
#define ACC (EMU_VALU_RNE | EMU_VALU_ACC)

#define ROWS(R1, R3)                                                                               \
    R1(V_CVT_F32_FP8, RNE, F32, U32, amd_emu_from_small_float(k->gen, byte_of(k, a), false))       \
    R1(V_CVT_F32_BF8, RNE, F32, U32, amd_emu_from_small_float(k->gen, byte_of(k, a), true))        \
    R1(V_CVT_PK_F32_FP8, RNE, U64, U32, widen_pair(k, a, false))                                   \
    R1(V_CVT_PK_F32_BF8, RNE, U64, U32, widen_pair(k, a, true))                                    \
    R3(V_CVT_PK_FP8_F32, ACC, U32, F32, F32, U32, narrow_pair(k, a, b, c, false))                  \
    R3(V_CVT_PK_BF8_F32, ACC, U32, F32, F32, U32, narrow_pair(k, a, b, c, true))                   \
    R3(V_CVT_SR_FP8_F32, ACC, U32, F32, U32, U32, narrow_random(k, a, b, c, false))                \
    R3(V_CVT_SR_BF8_F32, ACC, U32, F32, U32, U32, narrow_random(k, a, b, c, true))                 \
    R3(V_DOT4_F32_FP8_FP8, RNE, F32, U32, U32, F32, dot4(k, a, b, c, false, false))                \
    R3(V_DOT4_F32_FP8_BF8, RNE, F32, U32, U32, F32, dot4(k, a, b, c, false, true))                 \
    R3(V_DOT4_F32_BF8_FP8, RNE, F32, U32, U32, F32, dot4(k, a, b, c, true, false))                 \
    R3(V_DOT4_F32_BF8_BF8, RNE, F32, U32, U32, F32, dot4(k, a, b, c, true, true))

ROWS(EMU_ROW_KERNEL1, EMU_ROW_KERNEL3)

const emu_valu_entry amd_emu_valu_fp8_rows[] = {
    /* clang-format off */
    ROWS(EMU_ROW_ENTRY1, EMU_ROW_ENTRY3)
    /* clang-format on */
};
const size_t amd_emu_valu_fp8_count = sizeof amd_emu_valu_fp8_rows / sizeof *amd_emu_valu_fp8_rows;
