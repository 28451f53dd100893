/* Integers and bits of 16 and 32 bits. */
#include "adreno/emu/alu/alu.h"

#include "base/bits.h"

static int64_t
extend(uint64_t value, unsigned bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)(((value & base_mask64(bits)) ^ sign) - sign);
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
    for (unsigned n = 0; n < bits; n++)
        if (value >> (bits - 1 - n) & 1)
            return n;
    return UINT32_MAX;
}

static uint32_t
count_ones(uint32_t value)
{
    uint32_t n = 0;
    for (; value; value &= value - 1)
        n++;
    return n;
}

/* Sums, which may saturate; (ei) keeps the carry of add.u and drops the lowest bit. */
static bool
compute_sum(const adreno_operation *o, uint32_t *r)
{
    const bool is_signed = o->in->op == ADRENO_ADD_S || o->in->op == ADRENO_SUB_S;
    const bool is_sub = o->in->op == ADRENO_SUB_U || o->in->op == ADRENO_SUB_S;
    const int64_t a = is_signed ? extend(o->src[0], o->bits) : (int64_t)o->src[0];
    const int64_t b = is_signed ? extend(o->src[1], o->bits) : (int64_t)o->src[1];
    const int64_t most = (int64_t)base_mask64(is_signed ? o->bits - 1 : o->bits);
    const int64_t low = is_signed ? -most - 1 : 0;
    int64_t sum = is_sub ? a - b : a + b;
    if (o->in->f[ADRENO_F_ei] && o->in->op != ADRENO_ADD_U)
        return false;
    if (o->in->f[ADRENO_F_ei])
        sum >>= 1;
    if (o->sat)
        sum = sum < low ? low : sum > most ? most : sum;
    *r = (uint32_t)sum;
    return true;
}

static uint32_t
compare(const adreno_operation *o)
{
    const bool is_signed = adreno_op_row(o->in->op)->type == ADRENO_T_S;
    const int64_t a = is_signed ? extend(o->src[0], o->bits) : (int64_t)o->src[0];
    const int64_t b = is_signed ? extend(o->src[1], o->bits) : (int64_t)o->src[1];
    const uint32_t one = adreno_meets(o->in->f[ADRENO_F_cond], a < b ? -1 : a > b) != o->sat;
    const bool is_mask = o->in->op == ADRENO_CMPV_U || o->in->op == ADRENO_CMPV_S;
    return is_mask ? -one : one;
}

static uint32_t
pick(const adreno_operation *o, bool is_signed, bool greater)
{
    const int64_t a = is_signed ? extend(o->src[0], o->bits) : (int64_t)o->src[0];
    const int64_t b = is_signed ? extend(o->src[1], o->bits) : (int64_t)o->src[1];
    return (a > b) == greater ? o->src[0] : o->src[1];
}

/* Two sources. Shifts count modulo the size. */
static bool
compute_two(const adreno_operation *o, uint32_t *r)
{
    const uint32_t a = o->src[0], b = o->src[1], shift = b & (o->bits - 1);
    switch (o->in->op) {
    case ADRENO_MIN_U: *r = pick(o, false, false); return true;
    case ADRENO_MIN_S: *r = pick(o, true, false); return true;
    case ADRENO_MAX_U: *r = pick(o, false, true); return true;
    case ADRENO_MAX_S: *r = pick(o, true, true); return true;
    case ADRENO_ABSNEG_S: *r = a; return true;
    case ADRENO_AND_B: *r = a & b; return true;
    case ADRENO_OR_B: *r = a | b; return true;
    case ADRENO_XOR_B: *r = a ^ b; return true;
    case ADRENO_NOT_B: *r = ~a; return true;
    case ADRENO_SHL_B: *r = a << shift; return true;
    case ADRENO_SHR_B: *r = a >> shift; return true;
    case ADRENO_ASHR_B: *r = (uint32_t)(extend(a, o->bits) >> shift); return true;
    case ADRENO_GETBIT_B: *r = a >> shift & 1; return true;
    case ADRENO_BFREV_B: *r = reverse(a, o->bits); return true;
    case ADRENO_CBITS_B: *r = count_ones(a); return true;
    case ADRENO_CLZ_B: *r = count_zeros(a, o->bits); return true;
    case ADRENO_CLZ_S:
        *r = count_zeros(extend(a, o->bits) < 0 ? ~a & (uint32_t)base_mask64(o->bits) : a, o->bits);
        return true;
    case ADRENO_MULL_U: /* the lower halves */
        *r = (a & (uint32_t)base_mask64(o->bits / 2)) * (b & (uint32_t)base_mask64(o->bits / 2));
        return true;
    default: return false;
    }
}

/* a * b + c of signed numbers of `bits` bits. */
static uint32_t
mad_signed(const adreno_operation *o, unsigned bits)
{
    return (uint32_t)((uint64_t)(extend(o->src[0], bits) * extend(o->src[1], bits)) + o->src[2]);
}

static bool
compute_three(const adreno_operation *o, uint32_t *r)
{
    const uint32_t a = o->src[0], b = o->src[1], c = o->src[2], shift = a & (o->bits - 1);
    switch (o->in->op) {
    case ADRENO_MAD_U16: *r = a * b + c; return o->dst_bits == o->bits;
    case ADRENO_MAD_S16: *r = mad_signed(o, 16); return o->dst_bits == o->bits;
    case ADRENO_MADSH_U16:
    case ADRENO_MADSH_M16: *r = ((a >> 16) * (b & 0xffff) << 16) + c; return true;
    case ADRENO_MAD_U24: *r = (a & 0xffffff) * (b & 0xffffff) + c; return true;
    case ADRENO_MAD_S24: *r = mad_signed(o, 24); return true;
    case ADRENO_SAD_S16:
    case ADRENO_SAD_S32: *r = a + b + c; return true; /* the drivers use it as a sum */
    case ADRENO_SEL_B16:
    case ADRENO_SEL_B32: *r = b ? a : c; return true;
    case ADRENO_SEL_S16:
    case ADRENO_SEL_S32: *r = extend(b, o->bits) >= 0 ? a : c; return true;
    case ADRENO_SHRM: *r = b >> shift & c; return true;
    case ADRENO_SHLM: *r = b << shift & c; return true;
    case ADRENO_SHRG: *r = b >> shift | c; return true;
    case ADRENO_SHLG: *r = b << shift | c; return true;
    case ADRENO_ANDG: *r = (b & a) | c; return true;
    default: return false;
    }
}

/* Products of bytes, added up: two of the lower or upper half, or all four. */
static uint32_t
compute_dot(const adreno_operation *o)
{
    const bool is_four = o->in->op == ADRENO_DP4ACC, is_mixed = o->in->f[ADRENO_F_sign];
    const unsigned first = !is_four && o->in->f[ADRENO_F_pack] ? 2 : 0, n = is_four ? 4 : 2;
    const int64_t low = is_mixed ? INT32_MIN : 0, most = is_mixed ? INT32_MAX : UINT32_MAX;
    int64_t sum = is_mixed ? extend(o->src[2], 32) : (int64_t)o->src[2];
    for (unsigned i = first; i < first + n; i++) {
        const uint32_t a = o->src[0] >> 8 * i & 0xff, b = o->src[1] >> 8 * i & 0xff;
        sum += (is_mixed ? extend(a, 8) : (int64_t)a) * (int64_t)b;
    }
    if (o->sat)
        sum = sum < low ? low : sum > most ? most : sum;
    return (uint32_t)sum;
}

/* The product of 24 bits is as wide as the result. */
static uint32_t
compute_product(const adreno_operation *o)
{
    const unsigned bits = o->bits == 16 ? 16 : 24;
    if (o->in->op == ADRENO_MUL_S24)
        return (uint32_t)(extend(o->src[0], bits) * extend(o->src[1], bits));
    return (uint32_t)((o->src[0] & base_mask64(bits)) * (o->src[1] & base_mask64(bits)));
}

/* A result of the sources' size in the result's: cut, or extended with the type's sign. */
static uint32_t
resize(const adreno_operation *o, uint32_t r)
{
    const bool is_signed = adreno_op_row(o->in->op)->type == ADRENO_T_S;
    if (o->dst_bits > o->bits)
        r = is_signed ? (uint32_t)extend(r, o->bits) : r & (uint32_t)base_mask64(o->bits);
    return r & (uint32_t)base_mask64(o->dst_bits);
}

bool
adreno_compute_int(const adreno_operation *o, uint32_t *dst)
{
    uint32_t r;
    switch (o->in->op) {
    case ADRENO_ADD_U:
    case ADRENO_ADD_S:
    case ADRENO_SUB_U:
    case ADRENO_SUB_S:
        if (!compute_sum(o, &r))
            return false;
        break;
    case ADRENO_CMPS_U:
    case ADRENO_CMPS_S:
    case ADRENO_CMPV_U:
    case ADRENO_CMPV_S: *dst = compare(o) & (uint32_t)base_mask64(o->dst_bits); return true;
    case ADRENO_MUL_U24:
    case ADRENO_MUL_S24:
        *dst = compute_product(o) & (uint32_t)base_mask64(o->dst_bits);
        return !o->sat;
    case ADRENO_DP2ACC:
    case ADRENO_DP4ACC: *dst = compute_dot(o); return true;
    default:
        if (o->sat || o->in->f[ADRENO_F_ei] || (!compute_two(o, &r) && !compute_three(o, &r)))
            return false;
        break;
    }
    *dst = resize(o, r);
    return true;
}
