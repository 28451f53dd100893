/* Integers and bits of 16 and 32 bits: the rows INT, WIDE and SAME of kernels.def. */
#include "adreno/emu/alu/alu.h"

#include "base/bits.h"

/* ---- what the expressions use ---- */

#define S(x)        ((int32_t)base_sext64(x, bits))
/* How two numbers compare, as adreno_operation.truth counts. */
#define order(x, y) ((unsigned)((x) > (y)) | (unsigned)((x) < (y)) << 1)

static inline uint32_t
meets(const adreno_operation *o, unsigned order)
{
    return o->truth >> order & 1;
}

static uint32_t
reverse(uint32_t value, unsigned bits)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < bits; i++)
        r |= (value >> i & 1) << (bits - 1 - i);
    return r;
}

/* Zeros above the highest one; all ones if there is none. */
static uint32_t
count_zeros(uint32_t value, unsigned bits)
{
    return value ? base_clz32(value) - (32 - bits) : UINT32_MAX;
}

/* The low half of the product of signed numbers of `bits` bits. */
static inline uint32_t
product(uint32_t a, uint32_t b, unsigned bits)
{
    return (uint32_t)base_sext64(a, bits) * (uint32_t)base_sext64(b, bits);
}

/* Products of bytes, added up: two of the lower or upper half, or all four. */
static uint32_t
dot(const adreno_operation *o, uint32_t a, uint32_t b, uint32_t c)
{
    const bool is_four = o->in->op == ADRENO_DP4ACC, is_mixed = o->in->f[ADRENO_F_sign];
    const unsigned first = !is_four && o->in->f[ADRENO_F_pack] ? 2 : 0, n = is_four ? 4 : 2;
    const int64_t low = is_mixed ? INT32_MIN : 0, most = is_mixed ? INT32_MAX : UINT32_MAX;
    int64_t sum = is_mixed ? base_sext64(c, 32) : (int64_t)c;
    for (unsigned i = first; i < first + n; i++) {
        const uint32_t x = a >> 8 * i & 0xff, y = b >> 8 * i & 0xff;
        sum += (is_mixed ? base_sext64(x, 8) : (int64_t)x) * (int64_t)y;
    }
    if (o->sat)
        sum = sum < low ? low : sum > most ? most : sum;
    return (uint32_t)sum;
}

/* ---- the rows ---- */

#define ROWS(op, bits)                                                                             \
    static void rows_##bits##_##op(const adreno_operation *o, const uint32_t *const src[],         \
                                   uint32_t *restrict out)                                         \
    {                                                                                              \
        for (unsigned i = 0; i < ADRENO_CHUNK; i++)                                                \
            out[i] = compute_##op(o, (uint32_t[]){src[0][i], src[1][i], src[2][i]}, bits);         \
    }
#define INT(op, expr)                                                                              \
    static inline uint32_t compute_##op(const adreno_operation *o, const uint32_t src[],           \
                                        unsigned bits)                                             \
    {                                                                                              \
        const uint32_t a = src[0], b = src[1], c = src[2];                                         \
        (void)o, (void)a, (void)b, (void)c, (void)bits;                                            \
        return (expr);                                                                             \
    }                                                                                              \
    ROWS(op, 16)                                                                                   \
    ROWS(op, 32)
#define WIDE(op, expr) INT(op, expr)
#define SAME(op, expr) INT(op, expr)
#define FLOAT(op, expr)
#include "adreno/emu/alu/kernels.def"
#undef INT
#undef WIDE
#undef SAME

typedef struct int_row {
    adreno_kernel *of_half, *of_full;
    bool is_wide, is_same;
} int_row;

static const int_row int_rows[ADRENO_OP_COUNT] = {
#define INT(op, expr)  [ADRENO_##op] = {rows_16_##op, rows_32_##op, false, false},
#define WIDE(op, expr) [ADRENO_##op] = {rows_16_##op, rows_32_##op, true, false},
#define SAME(op, expr) [ADRENO_##op] = {rows_16_##op, rows_32_##op, false, true},
#include "adreno/emu/alu/kernels.def"
};

/* ---- sums with (sat) or (ei) ---- */

/* (ei) keeps the carry of add.u and drops the lowest bit. */
static uint32_t
compute_sum(const adreno_operation *o, uint32_t x, uint32_t y)
{
    const bool is_signed = adreno_op_row(o->in->op)->type == ADRENO_T_S;
    const bool is_sub = o->in->op == ADRENO_SUB_U || o->in->op == ADRENO_SUB_S;
    const int64_t a = is_signed ? base_sext64(x, o->bits) : (int64_t)x;
    const int64_t b = is_signed ? base_sext64(y, o->bits) : (int64_t)y;
    const int64_t most = (int64_t)base_mask64(is_signed ? o->bits - 1 : o->bits);
    const int64_t low = is_signed ? -most - 1 : 0;
    int64_t sum = is_sub ? a - b : a + b;
    if (o->in->f[ADRENO_F_ei])
        sum >>= 1;
    if (o->sat)
        sum = sum < low ? low : sum > most ? most : sum;
    return (uint32_t)sum;
}

static void
rows_of_sum(const adreno_operation *o, const uint32_t *const src[], uint32_t *restrict out)
{
    for (unsigned i = 0; i < ADRENO_CHUNK; i++)
        out[i] = compute_sum(o, src[0][i], src[1][i]);
}

static bool
is_sum(adreno_op op)
{
    return op == ADRENO_ADD_U || op == ADRENO_ADD_S || op == ADRENO_SUB_U || op == ADRENO_SUB_S;
}

/* (sat) inverts comparisons, and products of bytes have it. */
static bool
has_saturation(adreno_op op)
{
    return adreno_op_row(op)->format == ADRENO_FMT_CAT2_CMP || op == ADRENO_DP2ACC ||
           op == ADRENO_DP4ACC;
}

adreno_kernel *
adreno_int_kernel(adreno_operation *o)
{
    const adreno_op op = o->in->op;
    const int_row *row = &int_rows[op];
    const bool ei = o->in->f[ADRENO_F_ei] != 0;
    o->is_wide = row->is_wide;
    if (is_sum(op) && (o->sat || ei))
        return ei && op != ADRENO_ADD_U ? NULL : rows_of_sum;
    if (row->is_same && o->dst_bits != o->bits)
        return NULL;
    if ((o->sat && !has_saturation(op)) || (ei && !row->is_wide))
        return NULL;
    return o->bits == 16 ? row->of_half : row->of_full;
}

void
adreno_finish_int(const adreno_operation *o, uint32_t *out, unsigned n)
{
    const bool extends = !o->is_wide && o->dst_bits > o->bits;
    const bool is_signed = adreno_op_row(o->in->op)->type == ADRENO_T_S;
    const unsigned kept = extends ? o->bits : o->dst_bits;
    const uint32_t mask = (uint32_t)base_mask64(kept), sign = 1u << (kept - 1);
    if (o->bits == 32 && o->dst_bits == 32)
        return;
    for (unsigned i = 0; i < n; i++)
        out[i] = extends && is_signed ? ((out[i] & mask) ^ sign) - sign : out[i] & mask;
}
