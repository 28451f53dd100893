/* Moves and conversions.
 *
 * Without a rounding mode floats become integers towards zero, and other results are the nearest
 * (what Mesa's code relies on). Integers that a float does not fit into are the nearest ones, and 0
 * for what is no number; this is not documented. */
#include "adreno/emu/alu/alu.h"

#include "base/bits.h"
#include "base/fp.h"

#include <math.h>
#include <string.h>

static unsigned
bits_of(unsigned type)
{
    return type == ADRENO_U8 || type == ADRENO_U8_32 ? 8 : adreno_is_half_type(type) ? 16 : 32;
}

static bool
is_float(unsigned type)
{
    return type == ADRENO_F16 || type == ADRENO_F32;
}

static bool
is_signed(unsigned type)
{
    return type == ADRENO_S16 || type == ADRENO_S32;
}

static double
round_integer(double x, unsigned round)
{
    const double below = floor(x), rest = x - below;
    switch (round) {
    case 1: return below + (rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0));
    case 2: return ceil(x);
    case 3: return below;
    default: return trunc(x);
    }
}

static int64_t
clamp(double x, int64_t low, int64_t most)
{
    if (isnan(x))
        return 0;
    return x <= (double)low ? low : x >= (double)most ? most : (int64_t)x;
}

static uint32_t
from_float(const adreno_inst *in, double x, unsigned type)
{
    static const base_round rounds[] = {BASE_ROUND_EVEN, BASE_ROUND_EVEN, BASE_ROUND_UP,
                                        BASE_ROUND_DOWN};
    const unsigned bits = bits_of(type), round = in->f[ADRENO_F_round];
    const int64_t most = (int64_t)base_mask64(is_signed(type) ? bits - 1 : bits);
    if (in->f[ADRENO_F_sat] && is_float(type))
        x = x > 0 ? x > 1 ? 1 : x : 0;
    if (is_float(type))
        return (uint32_t)base_fp_encode(x, bits, rounds[round]);
    const int64_t low = is_signed(type) ? -most - 1 : 0;
    return (uint32_t)clamp(round_integer(x, round), low, most);
}

/* 8 bits become signed numbers with their sign. */
static int64_t
read_int(uint32_t bits, unsigned from, unsigned to)
{
    const bool has_sign = is_signed(from) || (bits_of(from) == 8 && is_signed(to));
    return has_sign ? base_sext64(bits, bits_of(from))
                    : (int64_t)(bits & base_mask64(bits_of(from)));
}

static uint32_t
from_int(const adreno_inst *in, int64_t value, unsigned type)
{
    const unsigned bits = bits_of(type);
    const int64_t most = (int64_t)base_mask64(is_signed(type) ? bits - 1 : bits);
    const int64_t low = is_signed(type) ? -most - 1 : 0;
    if (is_float(type))
        return (uint32_t)base_fp_from_i64(value, bits, BASE_ROUND_EVEN);
    if (in->f[ADRENO_F_sat])
        value = value < low ? low : value > most ? most : value;
    return (uint32_t)value;
}

uint32_t
adreno_convert(const adreno_inst *in, uint32_t bits)
{
    const unsigned from = in->f[ADRENO_F_stype], to = in->f[ADRENO_F_dtype];
    const bool is_address = in->op == ADRENO_MOVA || in->op == ADRENO_MOVA1;
    const bool half = is_address || adreno_is_half(in, ADRENO_BY_DTYPE);
    uint32_t r = bits;
    if (!is_address && is_float(from) && (from != to || in->f[ADRENO_F_sat]))
        r = from_float(in, base_fp_decode(bits & base_mask64(bits_of(from)), bits_of(from)), to);
    else if (!is_address && from != to)
        r = from_int(in, read_int(bits, from, to), to);
    return half ? r & 0xffff : r;
}

/* ---- kernels ---- */

static void
copy_rows(const adreno_operation *o, const uint32_t *const src[], uint32_t *restrict out)
{
    (void)o;
    memcpy(out, src[0], ADRENO_CHUNK * sizeof *out);
}

/* Casts round to the nearest. */
static void
rows_to_float(const adreno_operation *o, const uint32_t *const src[], uint32_t *restrict out)
{
    const bool has_sign = is_signed(o->in->f[ADRENO_F_stype]);
    for (unsigned i = 0; i < ADRENO_CHUNK; i++)
        out[i] = base_f32_bits(has_sign ? (float)(int32_t)src[0][i] : (float)src[0][i]);
}

static void
convert_rows(const adreno_operation *o, const uint32_t *const src[], uint32_t *restrict out)
{
    for (unsigned i = 0; i < ADRENO_CHUNK; i++)
        out[i] = adreno_convert(o->in, src[0][i]);
}

adreno_kernel *
adreno_move_kernel(const adreno_inst *in)
{
    const unsigned from = in->f[ADRENO_F_stype], to = in->f[ADRENO_F_dtype];
    const bool is_move = in->op == ADRENO_MOV || in->op == ADRENO_COV;
    if (!is_move)
        return in->op == ADRENO_MOVA || in->op == ADRENO_MOVA1 ? convert_rows : NULL;
    if (from == to && bits_of(from) == 32 && !in->f[ADRENO_F_sat])
        return copy_rows;
    return to == ADRENO_F32 && (from == ADRENO_U32 || from == ADRENO_S32) ? rows_to_float
                                                                          : convert_rows;
}
