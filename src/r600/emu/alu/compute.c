/* What operations compute, for one lane.
 *
 * Floats are binary32, rounded to nearest even; denormal operands and results of arithmetic are
 * zero, as with the modes that drivers set. The unit for transcendental functions is modelled by
 * correctly rounded results; FLT_TO_INT and FLT_TO_UINT cut fractions off (see rule
 * convert-rounding). Operations whose result is not known are not here, and a program that uses
 * them is refused. */
#include "r600/emu/alu/compute.h"

#include "base/fp.h"

#include <math.h>

static float
flush(uint32_t bits)
{
    return base_bits_f32((bits & 0x7f800000) ? bits : bits & 0x80000000);
}

static uint32_t
put(double x)
{
    const uint32_t bits = base_f64_to_f32(x, BASE_ROUND_EVEN);
    return (bits & 0x7f800000) ? bits : bits & 0x80000000;
}

/* Products of the operations that are not IEEE: zero times anything is zero. */
static double
multiply(float a, float b)
{
    return a == 0 || b == 0 ? 0.0 : (double)a * (double)b;
}

static uint32_t
truth(bool is_true)
{
    return is_true ? 0xffffffff : 0;
}

static uint32_t
one(bool is_true)
{
    return is_true ? base_f32_bits(1.0f) : 0;
}

/* A float rounded already, as an integer: what does not fit is the nearest that does, NaN is 0. */
static uint32_t
to_int(double x)
{
    return isnan(x)             ? 0
           : x >= 2147483647.0  ? INT32_MAX
           : x <= -2147483648.0 ? 0x80000000
                                : (uint32_t)(int32_t)x;
}

static uint32_t
to_uint(double x)
{
    return !(x > 0) ? 0 : x >= 4294967295.0 ? UINT32_MAX : (uint32_t)x;
}

/* Results that are zero keep the sign. */
static double
round_even(double x)
{
    const double whole = floor(x), rest = x - whole;
    const bool is_up = rest > 0.5 || (rest == 0.5 && fmod(whole, 2.0) != 0);
    return copysign(is_up ? whole + 1 : whole, x);
}

bool
r600_emu_compare(r600_op op, const uint32_t s[3], bool *out)
{
    const float a = flush(s[0]), b = flush(s[1]);
    const int32_t i = (int32_t)s[0], j = (int32_t)s[1];
    switch (op) {
    case R600_PRED_SETE:
    case R600_SETE:
    case R600_SETE_DX10:
    case R600_KILLE: *out = a == b; break;
    case R600_PRED_SETGT:
    case R600_SETGT:
    case R600_SETGT_DX10:
    case R600_KILLGT: *out = a > b; break;
    case R600_PRED_SETGE:
    case R600_SETGE:
    case R600_SETGE_DX10:
    case R600_KILLGE: *out = a >= b; break;
    case R600_PRED_SETNE:
    case R600_SETNE:
    case R600_SETNE_DX10:
    case R600_KILLNE: *out = a != b; break;
    case R600_PRED_SETE_INT:
    case R600_SETE_INT:
    case R600_KILLE_INT: *out = i == j; break;
    case R600_PRED_SETGT_INT:
    case R600_SETGT_INT:
    case R600_KILLGT_INT: *out = i > j; break;
    case R600_PRED_SETGE_INT:
    case R600_SETGE_INT:
    case R600_KILLGE_INT: *out = i >= j; break;
    case R600_PRED_SETNE_INT:
    case R600_SETNE_INT:
    case R600_KILLNE_INT: *out = i != j; break;
    case R600_PRED_SETGT_UINT:
    case R600_SETGT_UINT:
    case R600_KILLGT_UINT: *out = s[0] > s[1]; break;
    case R600_PRED_SETGE_UINT:
    case R600_SETGE_UINT:
    case R600_KILLGE_UINT: *out = s[0] >= s[1]; break;
    default: return false;
    }
    return true;
}

static bool
compute_set(r600_op op, const uint32_t s[3], uint32_t *out)
{
    bool is_true;
    if (op < R600_SETE || op > R600_SETGE_UINT || !r600_emu_compare(op, s, &is_true))
        return false;
    const bool is_float = op == R600_SETE || op == R600_SETGT || op == R600_SETGE ||
                          op == R600_SETNE;
    *out = is_float ? one(is_true) : truth(is_true);
    return true;
}

static uint32_t
scaled_muladd(r600_op op, float a, float b, float c)
{
    const double factor = op == R600_MULADD_M2 ? 2 : op == R600_MULADD_M4 ? 4 : 0.5;
    const uint32_t sum = put((double)flush(put(multiply(a, b))) + (double)c);
    return put((double)flush(sum) * factor);
}

static bool
compute_float(r600_op op, const uint32_t s[3], uint32_t *out)
{
    const float a = flush(s[0]), b = flush(s[1]), c = flush(s[2]);
    switch (op) {
    case R600_ADD: *out = put((double)a + (double)b); break;
    case R600_MUL: *out = put(multiply(a, b)); break;
    case R600_MUL_IEEE: *out = put((double)a * (double)b); break;
    case R600_MAX: *out = a >= b ? base_f32_bits(a) : base_f32_bits(b); break;
    case R600_MIN: *out = a < b ? base_f32_bits(a) : base_f32_bits(b); break;
    case R600_MAX_DX10: *out = isnan(b) || a >= b ? base_f32_bits(a) : base_f32_bits(b); break;
    case R600_MIN_DX10: *out = isnan(b) || a < b ? base_f32_bits(a) : base_f32_bits(b); break;
    case R600_FRACT: *out = put((double)a - floor((double)a)); break;
    case R600_TRUNC: *out = put(trunc((double)a)); break;
    case R600_CEIL: *out = put(ceil((double)a)); break;
    case R600_RNDNE: *out = put(round_even((double)a)); break;
    case R600_FLOOR: *out = put(floor((double)a)); break;
    case R600_FMA: *out = put((double)fmaf((float)a, (float)b, (float)c)); break;
    case R600_MULADD: *out = put((double)flush(put(multiply(a, b))) + (double)c); break;
    case R600_MULADD_IEEE: *out = put((double)flush(put((double)a * (double)b)) + (double)c); break;
    case R600_MULADD_M2:
    case R600_MULADD_M4:
    case R600_MULADD_D2: *out = scaled_muladd(op, a, b, c); break;
    case R600_CNDE: *out = a == 0 ? s[1] : s[2]; break;
    case R600_CNDGT: *out = a > 0 ? s[1] : s[2]; break;
    case R600_CNDGE: *out = a >= 0 ? s[1] : s[2]; break;
    default: return false;
    }
    return true;
}

/* Forms for fixed-function programs: infinity is the greatest number, or zero. */
static uint32_t
clamp_infinite(uint32_t bits)
{
    return (bits & 0x7fffffff) == 0x7f800000 ? (bits & 0x80000000) | 0x7f7fffff : bits;
}

static uint32_t
drop_infinite(uint32_t bits)
{
    return (bits & 0x7fffffff) == 0x7f800000 ? bits & 0x80000000 : bits;
}

/* Arguments of sine and cosine are revolutions, on R600 radians. */
static double
angle(r600_gen gen, float a)
{
    return (double)a * (gen == R600_GEN_R600 ? 1.0 : 6.28318530717958647692);
}

static bool
compute_scalar(r600_gen gen, r600_op op, const uint32_t s[3], uint32_t *out)
{
    const double a = (double)flush(s[0]);
    switch (op) {
    case R600_EXP_IEEE: *out = put(exp2(a)); break;
    case R600_LOG_IEEE: *out = put(log2(a)); break;
    case R600_RECIP_IEEE: *out = put(1.0 / a); break;
    case R600_RECIPSQRT_IEEE: *out = put(1.0 / sqrt(a)); break;
    case R600_RECIP_CLAMPED: *out = clamp_infinite(put(1.0 / a)); break;
    case R600_RECIPSQRT_CLAMPED: *out = clamp_infinite(put(1.0 / sqrt(a))); break;
    case R600_LOG_CLAMPED: *out = clamp_infinite(put(log2(a))); break;
    case R600_RECIP_FF: *out = drop_infinite(put(1.0 / a)); break;
    case R600_RECIPSQRT_FF: *out = drop_infinite(put(1.0 / sqrt(a))); break;
    case R600_SQRT_IEEE: *out = put(sqrt(a)); break;
    case R600_SIN: *out = put(sin(angle(gen, (float)a))); break;
    case R600_COS: *out = put(cos(angle(gen, (float)a))); break;
    case R600_RECIP_UINT:
        *out = s[0] ? (uint32_t)(UINT64_C(0x100000000) / s[0] - (s[0] == 1)) : UINT32_MAX;
        break;
    default: return false;
    }
    return true;
}

static bool
compute_convert(r600_op op, const uint32_t s[3], uint32_t *out)
{
    const double a = (double)flush(s[0]);
    switch (op) {
    case R600_FLT_TO_INT:
    case R600_FLT_TO_INT_TRUNC: *out = to_int(trunc(a)); break;
    case R600_FLT_TO_INT_FLOOR: *out = to_int(floor(a)); break;
    case R600_FLT_TO_INT_RPI: *out = to_int(floor(a + 0.5)); break;
    case R600_FLT_TO_UINT: *out = to_uint(trunc(a)); break;
    case R600_INT_TO_FLT: *out = put((double)(int32_t)s[0]); break;
    case R600_UINT_TO_FLT: *out = put((double)s[0]); break;
    case R600_FLT32_TO_FLT16: *out = base_f64_to_f16(a, BASE_ROUND_EVEN); break;
    case R600_FLT16_TO_FLT32: *out = base_f32_bits(base_f16_to_f32((uint16_t)s[0])); break;
    case R600_UBYTE0_FLT:
    case R600_UBYTE1_FLT:
    case R600_UBYTE2_FLT:
    case R600_UBYTE3_FLT: *out = put((double)(s[0] >> 8 * (op - R600_UBYTE0_FLT) & 0xff)); break;
    default: return false;
    }
    return true;
}

static bool
compute_int(r600_op op, const uint32_t s[3], uint32_t *out)
{
    const uint32_t a = s[0], b = s[1];
    const int32_t i = (int32_t)a, j = (int32_t)b;
    switch (op) {
    case R600_MOV: *out = a; break;
    case R600_ASHR_INT: *out = (uint32_t)((int64_t)i >> (b & 31)); break;
    case R600_LSHR_INT: *out = a >> (b & 31); break;
    case R600_LSHL_INT: *out = a << (b & 31); break;
    case R600_AND_INT: *out = a & b; break;
    case R600_OR_INT: *out = a | b; break;
    case R600_XOR_INT: *out = a ^ b; break;
    case R600_NOT_INT: *out = ~a; break;
    case R600_ADD_INT: *out = a + b; break;
    case R600_SUB_INT: *out = a - b; break;
    case R600_MAX_INT: *out = i > j ? a : b; break;
    case R600_MIN_INT: *out = i < j ? a : b; break;
    case R600_MAX_UINT: *out = a > b ? a : b; break;
    case R600_MIN_UINT: *out = a < b ? a : b; break;
    case R600_ADDC_UINT: *out = a + b < a; break;
    case R600_SUBB_UINT: *out = a < b; break;
    case R600_CNDE_INT: *out = i == 0 ? b : s[2]; break;
    case R600_CNDGT_INT: *out = i > 0 ? b : s[2]; break;
    case R600_CNDGE_INT: *out = i >= 0 ? b : s[2]; break;
    default: return false;
    }
    return true;
}

static bool
compute_multiply(r600_op op, const uint32_t s[3], uint32_t *out)
{
    const uint64_t u24 = (uint64_t)(s[0] & 0xffffff) * (s[1] & 0xffffff);
    const int64_t i24 = base_sext64(s[0], 24) * base_sext64(s[1], 24);
    switch (op) {
    case R600_MULLO_INT:
    case R600_MULLO_UINT: *out = s[0] * s[1]; break;
    case R600_MULHI_INT:
        *out = (uint32_t)((uint64_t)((int64_t)(int32_t)s[0] * (int32_t)s[1]) >> 32);
        break;
    case R600_MULHI_UINT: *out = (uint32_t)((uint64_t)s[0] * s[1] >> 32); break;
    case R600_MUL_UINT24: *out = (uint32_t)u24; break;
    case R600_MULHI_UINT24: *out = (uint32_t)(u24 >> 32); break;
    case R600_MULADD_UINT24: *out = (uint32_t)u24 + s[2]; break;
    case R600_MUL_INT24: *out = (uint32_t)(uint64_t)i24; break;
    case R600_MULHI_INT24: *out = (uint32_t)((uint64_t)i24 >> 32); break;
    case R600_MULADD_INT24: *out = (uint32_t)(uint64_t)i24 + s[2]; break;
    default: return false;
    }
    return true;
}

static uint32_t
reverse(uint32_t x)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

static bool
compute_bits(r600_op op, const uint32_t s[3], uint32_t *out)
{
    const uint32_t a = s[0], offset = s[1] & 31, width = s[2] & 31;
    const uint64_t pair = (uint64_t)a << 32 | s[1];
    const uint32_t other = a ^ (uint32_t)((int64_t)(int32_t)a >> 31);
    switch (op) {
    case R600_BFREV_INT: *out = reverse(a); break;
    case R600_BCNT_INT: *out = base_popcount32(a); break;
    case R600_FFBH_UINT: *out = a ? base_clz32(a) : UINT32_MAX; break;
    case R600_FFBL_INT: *out = a ? base_ctz32(a) : UINT32_MAX; break;
    case R600_FFBH_INT: *out = other ? base_clz32(other) : UINT32_MAX; break;
    case R600_BFM_INT: *out = ((1u << (a & 31)) - 1) << offset; break;
    case R600_BFE_UINT: *out = a >> offset & (uint32_t)base_mask64(width); break;
    case R600_BFE_INT: *out = width ? (uint32_t)base_sext64(a >> offset, width) : 0; break;
    case R600_BFI_INT: *out = (a & s[1]) | (~a & s[2]); break;
    case R600_BIT_ALIGN_INT: *out = (uint32_t)(pair >> width); break;
    case R600_BYTE_ALIGN_INT: *out = (uint32_t)(pair >> 8 * (s[2] & 3)); break;
    default: return false;
    }
    return true;
}

bool
r600_emu_compute(r600_gen gen, r600_op op, const uint32_t s[3], uint32_t *out)
{
    return compute_int(op, s, out) || compute_float(op, s, out) || compute_set(op, s, out) ||
           compute_multiply(op, s, out) || compute_bits(op, s, out) ||
           compute_convert(op, s, out) || compute_scalar(gen, op, s, out);
}

uint32_t
r600_emu_modify(const r600_inst *in, uint32_t bits, bool is_mask_op)
{
    static const double factors[] = {1, 2, 4, 0.5};
    const uint32_t omod = is_mask_op ? 0 : in->f[R600_F_omod];
    if (omod)
        bits = put((double)flush(bits) * factors[omod]);
    if (in->f[R600_F_clamp]) {
        const float x = flush(bits);
        bits = x > 1 ? base_f32_bits(1.0f) : x > 0 ? bits : 0;
    }
    return bits;
}

uint32_t
r600_emu_dot(r600_op op, const uint32_t a[4], const uint32_t b[4])
{
    double sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        const float x = flush(a[i]), y = flush(b[i]);
        sum += (double)flush(put(op == R600_DOT4 ? multiply(x, y) : (double)x * (double)y));
    }
    return put(sum);
}
