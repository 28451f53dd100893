/* Floats of 16 and 32 bits: the rows FLOAT of kernels.def, and comparisons. */
#include "adreno/emu/alu/alu.h"

#include "base/fp.h"

#include <math.h>

static inline double
decode(uint32_t pattern, unsigned bits)
{
    return bits == 32 ? (double)base_bits_f32(pattern) : base_f16_to_f64((uint16_t)pattern);
}

static inline uint32_t
encode(double x, unsigned bits)
{
    return bits == 32 ? base_f32_bits((float)x) : base_f64_to_f16(x, BASE_ROUND_EVEN);
}

/* ---- what the expressions use ---- */

static inline double
rounded(double x, unsigned bits)
{
    return decode(encode(x, bits), bits);
}

/* Half away from zero. */
static double
round_away(double x)
{
    return copysign(floor(fabs(x) + 0.5), x);
}

static double
round_even(double x)
{
    const double below = floor(x), rest = x - below;
    const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2) != 0);
    return isfinite(x) ? copysign(below + up, x) : x;
}

/* One that is no number does not count. */
static double
least(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static double
greatest(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

/* ---- the rows ---- */

#define ROWS(op, bits)                                                                             \
    static void rows_##bits##_##op(const adreno_operation *o, const uint32_t *const src[],         \
                                   uint32_t *restrict out)                                         \
    {                                                                                              \
        (void)o;                                                                                   \
        for (unsigned i = 0; i < ADRENO_CHUNK; i++)                                                \
            out[i] = encode(compute_##op(decode(src[0][i], bits), decode(src[1][i], bits),         \
                                         decode(src[2][i], bits), bits),                           \
                            bits);                                                                 \
    }
#define INT(op, expr)
#define WIDE(op, expr)
#define SAME(op, expr)
#define FLOAT(op, expr)                                                                            \
    static inline double compute_##op(double a, double b, double c, unsigned bits)                 \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)bits;                                                     \
        return (expr);                                                                             \
    }                                                                                              \
    ROWS(op, 16)                                                                                   \
    ROWS(op, 32)
#include "adreno/emu/alu/kernels.def"
#undef INT
#undef WIDE
#undef SAME
#undef FLOAT

static adreno_kernel *const float_rows[ADRENO_OP_COUNT][2] = {
#define INT(op, expr)
#define WIDE(op, expr)
#define SAME(op, expr)
#define FLOAT(op, expr) [ADRENO_##op] = {rows_16_##op, rows_32_##op},
#include "adreno/emu/alu/kernels.def"
};

/* cmps gives 1 for true, cmpv all ones. */
static inline uint32_t
compare(const adreno_operation *o, double a, double b)
{
    const bool unordered = isnan(a) || isnan(b);
    const unsigned order = unordered ? 3 : (unsigned)(a > b) | (unsigned)(a < b) << 1;
    const uint32_t one = o->truth >> order & 1;
    return o->in->op == ADRENO_CMPS_F ? one : 0 - one;
}

static void
rows_of_comparison(const adreno_operation *o, const uint32_t *const src[], uint32_t *restrict out)
{
    for (unsigned i = 0; i < ADRENO_CHUNK; i++)
        out[i] = compare(o, decode(src[0][i], o->bits), decode(src[1][i], o->bits));
}

adreno_kernel *
adreno_float_kernel(const adreno_operation *o)
{
    const adreno_op op = o->in->op;
    if (op == ADRENO_CMPS_F || op == ADRENO_CMPV_F)
        return rows_of_comparison;
    return float_rows[op][o->bits == 32];
}

void
adreno_finish_float(const adreno_operation *o, uint32_t *out, unsigned n)
{
    const bool compares = o->in->op == ADRENO_CMPS_F || o->in->op == ADRENO_CMPV_F;
    if (compares || (!o->sat && o->bits == o->dst_bits)) {
        for (unsigned i = 0; i < n && o->dst_bits == 16; i++)
            out[i] &= 0xffff;
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        double x = decode(out[i], o->bits);
        if (o->sat)
            x = x > 0 ? x > 1 ? 1 : x : 0;
        out[i] = encode(x, o->dst_bits);
    }
}
