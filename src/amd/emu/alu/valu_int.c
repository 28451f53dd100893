/* Integer operations, from the RDNA 2 ISA's descriptions of VOP1, VOP2 and VOP3. The second
 * expression of a row (`sat`) applies with the clamp bit: the result saturates. */
#include "amd/emu/alu/valu_rows.h"

static uint32_t
add_sat_u32(uint32_t a, uint32_t b)
{
    return a + b < a ? UINT32_MAX : a + b;
}

static uint32_t
sub_sat_u32(uint32_t a, uint32_t b)
{
    return a < b ? 0 : a - b;
}

static int32_t
sat_i32(int64_t v)
{
    return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

static uint32_t
sat_u32(uint64_t v)
{
    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static int32_t
i24(uint32_t v)
{
    return (int32_t)(v << 8) >> 8;
}

static uint32_t
u24(uint32_t v)
{
    return v & 0xffffff;
}

static uint32_t
bit_reverse(uint32_t v)
{
    v = (v & 0x55555555) << 1 | (v >> 1 & 0x55555555);
    v = (v & 0x33333333) << 2 | (v >> 2 & 0x33333333);
    v = (v & 0x0f0f0f0f) << 4 | (v >> 4 & 0x0f0f0f0f);
    v = (v & 0x00ff00ff) << 8 | (v >> 8 & 0x00ff00ff);
    return v << 16 | v >> 16;
}

static uint32_t
ffbh_u32(uint32_t v)
{
    return v ? base_clz32(v) : UINT32_MAX;
}

static uint32_t
ffbh_i32(uint32_t v)
{
    uint32_t x = v ^ (uint32_t)((int32_t)v >> 31);
    return x ? base_clz32(x) : UINT32_MAX;
}

static uint32_t
bfe_u32(uint32_t a, uint32_t offset, uint32_t width)
{
    return a >> (offset & 31) & ((UINT32_C(1) << (width & 31)) - 1);
}

static uint32_t
bfe_i32(uint32_t a, uint32_t offset, uint32_t width)
{
    /* the field's bits beyond bit 31 are copies of the sign, because the shift is arithmetic */
    uint32_t bits = width & 31, v = (uint32_t)((int32_t)a >> (offset & 31));
    return bits ? (uint32_t)((int32_t)(v << (32 - bits)) >> (32 - bits)) : 0;
}

static uint32_t
lerp_u8(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (uint32_t s = 0; s < 32; s += 8)
        r |= ((((a >> s) & 255) + ((b >> s) & 255) + (c >> s & 1)) >> 1 & 255) << s;
    return r;
}

static uint32_t
distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static uint32_t
sad_u8(uint32_t a, uint32_t b)
{
    uint32_t r = 0;
    for (uint32_t s = 0; s < 32; s += 8)
        r += distance(a >> s & 255, b >> s & 255);
    return r;
}

/* bytes whose reference in `b` is 0 do not count */
static uint32_t
msad_u8(uint32_t a, uint32_t b)
{
    uint32_t r = 0;
    for (uint32_t s = 0; s < 32; s += 8)
        r += b >> s & 255 ? distance(a >> s & 255, b >> s & 255) : 0;
    return r;
}

static uint64_t
qsad(uint64_t a, uint32_t b, uint64_t c, bool masked, bool saturate)
{
    uint64_t r = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t part = (uint32_t)(a >> (8 * i));
        uint32_t v = (masked ? msad_u8(part, b) : sad_u8(part, b)) +
                     (uint32_t)(c >> (16 * i) & 0xffff);
        r |= (uint64_t)(saturate && v > 0xffff ? 0xffff : v & 0xffff) << (16 * i);
    }
    return r;
}

static uint32_t
permute_byte(uint64_t data, uint32_t select)
{
    if (select >= 13)
        return 0xff;
    if (select == 12)
        return 0;
    if (select >= 8)
        return data >> ((select - 8) * 16 + 15) & 1 ? 0xff : 0;
    return (uint32_t)(data >> (8 * select)) & 255;
}

/* S0 is the high half of the eight bytes. */
static uint32_t
perm(uint32_t a, uint32_t b, uint32_t select)
{
    uint64_t data = (uint64_t)a << 32 | b;
    uint32_t r = 0;
    for (uint32_t s = 0; s < 32; s += 8)
        r |= permute_byte(data, select >> s & 255) << s;
    return r;
}

static uint32_t
align_bits(uint32_t a, uint32_t b, uint32_t shift)
{
    return (uint32_t)(((uint64_t)a << 32 | b) >> shift);
}

static int32_t
med3_i(int32_t a, int32_t b, int32_t c)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static uint32_t
med3_u(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static uint32_t
sat_u8(uint32_t half)
{
    int32_t v = (int32_t)(half << 16) >> 16;
    return (uint32_t)amd_emu_clamp_i(v, 0, 255);
}

static uint32_t
mbcnt(uint32_t bits, uint32_t lane, uint32_t base)
{
    uint32_t below = lane < base         ? 0
                     : lane >= base + 32 ? UINT32_MAX
                                         : (UINT32_C(1) << (lane - base)) - 1;
    return base_popcount32(bits & below);
}

/* Additions with carry: the sum of up to three terms, with the carry or borrow in k->mask. */
enum { SUM_ADD, SUM_SUB, SUM_SUBREV };

static void
sum_loop(const emu_args *k, int kind, bool carry_in, bool saturate)
{
    const uint32_t *pa = k->a, *pb = k->b, *pc = k->c;
    uint32_t *d = k->d;
    for (uint32_t l = 0; l < k->n; l++) {
        uint64_t a = kind == SUM_SUBREV ? pb[l] : pa[l], b = kind == SUM_SUBREV ? pa[l] : pb[l];
        uint64_t c = carry_in ? pc[l] : 0;
        bool carry = kind == SUM_ADD ? a + b + c > UINT32_MAX : b + c > a;
        uint32_t r = (uint32_t)(kind == SUM_ADD ? a + b + c : a - b - c);
        if (saturate && carry)
            r = kind == SUM_ADD ? UINT32_MAX : 0;
        d[l] = r;
        k->mask[l] = carry;
    }
}

#define SUM(name, kind, carry)                                                                     \
    static void name(const emu_args *k)                                                            \
    {                                                                                              \
        sum_loop(k, kind, carry, false);                                                           \
    }                                                                                              \
    static void name##_sat(const emu_args *k)                                                      \
    {                                                                                              \
        sum_loop(k, kind, carry, true);                                                            \
    }
SUM(add_co, SUM_ADD, false)
SUM(sub_co, SUM_SUB, false)
SUM(subrev_co, SUM_SUBREV, false)
SUM(add_co_ci, SUM_ADD, true)
SUM(sub_co_ci, SUM_SUB, true)
SUM(subrev_co_ci, SUM_SUBREV, true)

static void
mad_u64_u32(const emu_args *k)
{
    const uint32_t *a = k->a, *b = k->b;
    const uint64_t *c = k->c;
    uint64_t *d = k->d;
    for (uint32_t l = 0; l < k->n; l++) {
        d[l] = (uint64_t)a[l] * b[l] + c[l];
        k->mask[l] = d[l] < c[l];
    }
}

static void
mad_i64_i32(const emu_args *k)
{
    const uint32_t *a = k->a, *b = k->b;
    const uint64_t *c = k->c;
    uint64_t *d = k->d;
    for (uint32_t l = 0; l < k->n; l++) {
        int64_t p = (int64_t)(int32_t)a[l] * (int32_t)b[l];
        d[l] = (uint64_t)p + c[l];
        /* bit 64 of the sum of the sign-extended terms */
        bool carry = d[l] < c[l];
        k->mask[l] = (uint32_t)(carry ^ (p < 0) ^ ((int64_t)c[l] < 0));
    }
}

#define NONE 0

/* The screen partitions that a box covers: the "Vega" ISA's table, eight 4-bit entries per word,
 * the first in the lowest bits. */
static uint32_t
screen_partition(uint32_t v)
{
    static const uint64_t table[16] = {
        0xfffffff7fff5f731, 0xffffffbfffafe62f, 0xfffffdfff5ffc4fd, 0xffffefffafff8fb9,
        0xfffefff6fdc4ffff, 0xffdff99fb98fffff, 0xfbfff9ff31f7ffff, 0x7fff6ff62fe6ffff,
        0xfffafb32fffffffb, 0xff5fd91fffffff7f, 0xfaffc8fefffffeff, 0x5fff4f76ffffdfff,
        0xfec8fffffffdfff9, 0x764fffffffeff66f, 0x32fbfffff7fff6ff, 0x1fd9ffffbfff9ff9};
    return (uint32_t)(table[v >> 4 & 15] >> (v & 15) * 4) & 15;
}

/* One, two and three sources; the S variants add a saturating expression. */
/* v_bitop3: bit 4 a + 2 b + c of the table is the result where the sources' bits are a, b and c. */
static uint32_t
bitop3(const emu_args *k, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t table = (uint32_t)k->in->imm, d = 0;
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t where = (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
        d |= table >> n & 1 ? where : 0;
    }
    return d;
}

/* Two numbers, each limited and made a byte. */
static uint32_t
limit_pair(int32_t a, int32_t b, int32_t low, int32_t high)
{
    return ((uint32_t)amd_emu_clamp_i(a, low, high) & 255) |
           ((uint32_t)amd_emu_clamp_i(b, low, high) & 255) << 8;
}

#define ROWS(R1, R2, R3)                                                                           \
    R1(V_NOT_B32, U32, U32, ~a)                                                                    \
    R1(V_SCREEN_PARTITION_4SE_B32, U32, U32, screen_partition(a))                                  \
    R1(V_BFREV_B32, U32, U32, bit_reverse(a))                                                      \
    R1(V_FFBH_U32, U32, U32, ffbh_u32(a))                                                          \
    R1(V_FFBL_B32, U32, U32, a ? base_ctz32(a) : UINT32_MAX)                                       \
    R1(V_FFBH_I32, U32, U32, ffbh_i32(a))                                                          \
    R1(V_SAT_PK_U8_I16, U16, U32, sat_u8(a) | sat_u8(a >> 16) << 8)                                \
    R2(V_MUL_HI_I32_I24, I32, U32, U32, (int64_t)i24(a) * i24(b) >> 32)                            \
    R2(V_MUL_HI_U32_U24, U32, U32, U32, (uint64_t)u24(a) * u24(b) >> 32)                           \
    R2(V_MIN_I32, I32, I32, I32, a < b ? a : b)                                                    \
    R2(V_MAX_I32, I32, I32, I32, a >= b ? a : b)                                                   \
    R2(V_MIN_U32, U32, U32, U32, a < b ? a : b)                                                    \
    R2(V_MAX_U32, U32, U32, U32, a >= b ? a : b)                                                   \
    R2(V_LSHRREV_B32, U32, U32, U32, b >> (a & 31))                                                \
    R2(V_ASHRREV_I32, I32, U32, I32, b >> (a & 31))                                                \
    R2(V_LSHLREV_B32, U32, U32, U32, b << (a & 31))                                                \
    R2(V_LSHR_B32, U32, U32, U32, a >> (b & 31))                                                   \
    R2(V_ASHR_I32, I32, I32, U32, a >> (b & 31))                                                   \
    R2(V_LSHL_B32, U32, U32, U32, a << (b & 31))                                                   \
    R2(V_AND_B32, U32, U32, U32, a &b)                                                             \
    R2(V_OR_B32, U32, U32, U32, a | b)                                                             \
    R2(V_XOR_B32, U32, U32, U32, a ^ b)                                                            \
    R2(V_XNOR_B32, U32, U32, U32, ~(a ^ b))                                                        \
    R3(V_BFE_U32, U32, U32, U32, U32, bfe_u32(a, b, c))                                            \
    R3(V_BFE_I32, U32, U32, U32, U32, bfe_i32(a, b, c))                                            \
    R3(V_BFI_B32, U32, U32, U32, U32, (a & b) | (~a & c))                                          \
    R3(V_LERP_U8, U32, U32, U32, U32, lerp_u8(a, b, c))                                            \
    R3(V_ALIGNBIT_B32, U32, U32, U32, U32, align_bits(a, b, c & 31))                               \
    R3(V_ALIGNBYTE_B32, U32, U32, U32, U32, align_bits(a, b, (c & 3) * 8))                         \
    R3(V_MIN3_I32, I32, I32, I32, I32, a < b ? (a < c ? a : c) : (b < c ? b : c))                  \
    R3(V_MIN3_U32, U32, U32, U32, U32, a < b ? (a < c ? a : c) : (b < c ? b : c))                  \
    R3(V_MAX3_I32, I32, I32, I32, I32, a > b ? (a > c ? a : c) : (b > c ? b : c))                  \
    R3(V_MAX3_U32, U32, U32, U32, U32, a > b ? (a > c ? a : c) : (b > c ? b : c))                  \
    R3(V_MED3_I32, I32, I32, I32, I32, med3_i(a, b, c))                                            \
    R3(V_MED3_U32, U32, U32, U32, U32, med3_u(a, b, c))                                            \
    R2(V_MUL_LO_U32, U32, U32, U32, a *b)                                                          \
    R2(V_MUL_LO_I32, U32, U32, U32, a *b)                                                          \
    R2(V_MUL_HI_U32, U32, U32, U32, (uint64_t)a *b >> 32)                                          \
    R2(V_MUL_HI_I32, I32, I32, I32, (int64_t)a *b >> 32)                                           \
    R3(V_XOR3_B32, U32, U32, U32, U32, a ^ b ^ c)                                                  \
    R2(V_LSHLREV_B64, U64, U32, U64, b << (a & 63))                                                \
    R2(V_LSHRREV_B64, U64, U32, U64, b >> (a & 63))                                                \
    R2(V_ASHRREV_I64, I64, U32, I64, b >> (a & 63))                                                \
    R2(V_LSHL_B64, U64, U64, U32, a << (b & 63))                                                   \
    R2(V_LSHR_B64, U64, U64, U32, a >> (b & 63))                                                   \
    R2(V_ASHR_I64, I64, I64, U32, a >> (b & 63))                                                   \
    R2(V_MUL_LO_U16, U16, U16, U16, a *b)                                                          \
    R2(V_LSHRREV_B16, U16, U16, U16, b >> (a & 15))                                                \
    R2(V_ASHRREV_I16, I16, U16, I16, b >> (a & 15))                                                \
    R2(V_LSHLREV_B16, U16, U16, U16, b << (a & 15))                                                \
    R2(V_MAX_U16, U16, U16, U16, a >= b ? a : b)                                                   \
    R2(V_MAX_I16, I16, I16, I16, a >= b ? a : b)                                                   \
    R2(V_MIN_U16, U16, U16, U16, a < b ? a : b)                                                    \
    R2(V_MIN_I16, I16, I16, I16, a < b ? a : b)                                                    \
    R3(V_MIN3_I16, I16, I16, I16, I16, a < b ? (a < c ? a : c) : (b < c ? b : c))                  \
    R3(V_MIN3_U16, U16, U16, U16, U16, a < b ? (a < c ? a : c) : (b < c ? b : c))                  \
    R3(V_MAX3_I16, I16, I16, I16, I16, a > b ? (a > c ? a : c) : (b > c ? b : c))                  \
    R3(V_MAX3_U16, U16, U16, U16, U16, a > b ? (a > c ? a : c) : (b > c ? b : c))                  \
    R3(V_MED3_I16, I16, I16, I16, I16, med3_i(a, b, c))                                            \
    R3(V_MED3_U16, U16, U16, U16, U16, med3_u(a, b, c))                                            \
    R3(V_PERM_B32, U32, U32, U32, U32, perm(a, b, c))                                              \
    R3(V_XAD_U32, U32, U32, U32, U32, (a ^ b) + c)                                                 \
    R3(V_LSHL_ADD_U32, U32, U32, U32, U32, (a << (b & 31)) + c)                                    \
    R3(V_ADD_LSHL_U32, U32, U32, U32, U32, (a + b) << (c & 31))                                    \
    R2(V_BFM_B32, U32, U32, U32, ((UINT32_C(1) << (a & 31)) - 1) << (b & 31))                      \
    R2(V_BCNT_U32_B32, U32, U32, U32, base_popcount32(a) + b)                                      \
    R2(V_MBCNT_LO_U32_B32, U32, U32, U32, mbcnt(a, l, 0) + b)                                      \
    R2(V_MBCNT_HI_U32_B32, U32, U32, U32, mbcnt(a, l, 32) + b)                                     \
    R3(V_ADD3_U32, U32, U32, U32, U32, a + b + c)                                                  \
    R3(V_LSHL_OR_B32, U32, U32, U32, U32, (a << (b & 31)) | c)                                     \
    R3(V_AND_OR_B32, U32, U32, U32, U32, (a & b) | c)                                              \
    R3(V_OR3_B32, U32, U32, U32, U32, a | b | c)                                                   \
    R1(V_MOV_B16, U16, U16, a)                                                                     \
    R1(V_NOT_B16, U16, U16, ~a)                                                                    \
    R1(V_PRNG_B32, U32, U32, a << 1 ^ (a >> 31 ? 197u : 0))                                        \
    R3(V_BITOP3_B32, U32, U32, U32, U32, bitop3(k, a, b, c))                                       \
    R3(V_BITOP3_B16, U16, U16, U16, U16, bitop3(k, a, b, c))                                       \
    R3(V_ASHR_PK_I8_I32, U16, I32, I32, U32, limit_pair(a >> (c & 31), b >> (c & 31), -128, 127))  \
    R3(V_ASHR_PK_U8_I32, U16, I32, I32, U32, limit_pair(a >> (c & 31), b >> (c & 31), 0, 255))     \
    R2(V_AND_B16, U16, U16, U16, a &b)                                                             \
    R2(V_OR_B16, U16, U16, U16, a | b)                                                             \
    R2(V_XOR_B16, U16, U16, U16, a ^ b)                                                            \
    R3(V_CNDMASK_B16, U16, U16, U16, MASK, c ? b : a)                                              \
    R1(V_CVT_I32_I16, I32, I16, a)                                                                 \
    R1(V_CVT_U32_U16, U32, U16, a)                                                                 \
    R3(V_MAXMIN_I32, I32, I32, I32, I32, (a > b ? a : b) < c ? (a > b ? a : b) : c)                \
    R3(V_MINMAX_I32, I32, I32, I32, I32, (a < b ? a : b) > c ? (a < b ? a : b) : c)                \
    R3(V_MAXMIN_U32, U32, U32, U32, U32, (a > b ? a : b) < c ? (a > b ? a : b) : c)                \
    R3(V_MINMAX_U32, U32, U32, U32, U32, (a < b ? a : b) > c ? (a < b ? a : b) : c)                \
    R1(V_MOV_B64, U64, U64, a)                                                                     \
    R3(V_LSHL_ADD_U64, U64, U64, U32, U64, (a << (b & 7)) + c)

#define ROWS_SAT(R2, R3)                                                                           \
    R2(V_MUL_I32_I24, I32, U32, U32, (int64_t)i24(a) * i24(b), sat_i32((int64_t)i24(a) * i24(b)))  \
    R2(V_MUL_U32_U24, U32, U32, U32, (uint64_t)u24(a) * u24(b),                                    \
       sat_u32((uint64_t)u24(a) * u24(b)))                                                         \
    R2(V_ADD_NC_U32, U32, U32, U32, a + b, add_sat_u32(a, b))                                      \
    R2(V_SUB_NC_U32, U32, U32, U32, a - b, sub_sat_u32(a, b))                                      \
    R2(V_SUBREV_NC_U32, U32, U32, U32, b - a, sub_sat_u32(b, a))                                   \
    R2(V_ADD_NC_I32, I32, I32, I32, (uint32_t)a + (uint32_t)b, sat_i32((int64_t)a + b))            \
    R2(V_SUB_NC_I32, I32, I32, I32, (uint32_t)a - (uint32_t)b, sat_i32((int64_t)a - b))            \
    R2(V_ADD_NC_U16, U16, U16, U16, a + b, a + b > 0xffff ? 0xffff : a + b)                        \
    R2(V_SUB_NC_U16, U16, U16, U16, a - b, a < b ? 0 : a - b)                                      \
    R2(V_ADD_NC_I16, I16, I16, I16, a + b, amd_emu_clamp_i(a + b, INT16_MIN, INT16_MAX))           \
    R2(V_SUB_NC_I16, I16, I16, I16, a - b, amd_emu_clamp_i(a - b, INT16_MIN, INT16_MAX))           \
    R2(V_SUBREV_U16, U16, U16, U16, b - a, b < a ? 0 : b - a)                                      \
    R3(V_MAD_LEGACY_U16, U16, U16, U16, U16, a *b + c, a * b + c > 0xffff ? 0xffff : a * b + c)    \
    R3(V_MAD_LEGACY_I16, I16, I16, I16, I16, a *b + c,                                             \
       amd_emu_clamp_i(a * b + c, INT16_MIN, INT16_MAX))                                           \
    R3(V_MAD_I32_I24, I32, U32, U32, U32, (int64_t)i24(a) * i24(b) + (int32_t)c,                   \
       sat_i32((int64_t)i24(a) * i24(b) + (int32_t)c))                                             \
    R3(V_MAD_U32_U24, U32, U32, U32, U32, (uint64_t)u24(a) * u24(b) + c,                           \
       sat_u32((uint64_t)u24(a) * u24(b) + c))                                                     \
    R3(V_SAD_U8, U32, U32, U32, U32, sad_u8(a, b) + c, add_sat_u32(sad_u8(a, b), c))               \
    R3(V_SAD_HI_U8, U32, U32, U32, U32, (sad_u8(a, b) << 16) + c,                                  \
       add_sat_u32(sad_u8(a, b) << 16, c))                                                         \
    R3(V_SAD_U16, U32, U32, U32, U32,                                                              \
       distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c,                          \
       add_sat_u32(distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16), c))              \
    R3(V_SAD_U32, U32, U32, U32, U32, distance(a, b) + c, add_sat_u32(distance(a, b), c))          \
    R3(V_MSAD_U8, U32, U32, U32, U32, msad_u8(a, b) + c, add_sat_u32(msad_u8(a, b), c))            \
    R3(V_QSAD_PK_U16_U8, U64, U64, U32, U64, qsad(a, b, c, false, false),                          \
       qsad(a, b, c, false, true))                                                                 \
    R3(V_MQSAD_PK_U16_U8, U64, U64, U32, U64, qsad(a, b, c, true, false),                          \
       qsad(a, b, c, true, true))                                                                  \
    R3(V_MAD_U16, U16, U16, U16, U16, a *b + c, a * b + c > 0xffff ? 0xffff : a * b + c)           \
    R3(V_MAD_I16, I16, I16, I16, I16, a *b + c, amd_emu_clamp_i(a * b + c, INT16_MIN, INT16_MAX))  \
    R3(V_MAD_U32_U16, U32, U16, U16, U32, a *b + c, sat_u32((uint64_t)a * b + c))                  \
    R3(V_MAD_I32_I16, I32, I16, I16, I32, (int64_t)a *b + c, sat_i32((int64_t)a * b + c))

#define K1(id, ...) EMU_ROW_KERNEL1(id, NONE, __VA_ARGS__)
#define K2(id, ...) EMU_ROW_KERNEL2(id, NONE, __VA_ARGS__)
#define K3(id, ...) EMU_ROW_KERNEL3(id, NONE, __VA_ARGS__)
#define KS2(id, td, ta, tb, plain, sat)                                                            \
    EMU_KERNEL2(kernel_##id, td, ta, tb, plain)                                                    \
    EMU_KERNEL2(sat_##id, td, ta, tb, sat)
#define KS3(id, td, ta, tb, tc, plain, sat)                                                        \
    EMU_KERNEL3(kernel_##id, td, ta, tb, tc, plain)                                                \
    EMU_KERNEL3(sat_##id, td, ta, tb, tc, sat)
ROWS(K1, K2, K3)
ROWS_SAT(KS2, KS3)

#define E1(id, ...) EMU_ROW_ENTRY1(id, NONE, __VA_ARGS__)
#define E2(id, ...) EMU_ROW_ENTRY2(id, NONE, __VA_ARGS__)
#define E3(id, ...) EMU_ROW_ENTRY3(id, NONE, __VA_ARGS__)
#define ES2(id, td, ta, tb, plain, sat)                                                            \
    {AMD_##id, {kernel_##id, sat_##id, NONE, EMU_T_##td, {EMU_T_##ta, EMU_T_##tb}}},
#define ES3(id, td, ta, tb, tc, plain, sat)                                                        \
    {AMD_##id, {kernel_##id, sat_##id, NONE, EMU_T_##td, {EMU_T_##ta, EMU_T_##tb, EMU_T_##tc}}},
#define SUM_ROW(op, fn, third)                                                                     \
    {AMD_##op, {fn, fn##_sat, EMU_VALU_MASK_OUT, EMU_T_U32, {EMU_T_U32, EMU_T_U32, third}}},

const emu_valu_entry amd_emu_valu_int_rows[] = {
    /* clang-format off */
    ROWS(E1, E2, E3)
    ROWS_SAT(ES2, ES3)
    SUM_ROW(V_ADD_CO_U32, add_co, EMU_T_NONE)
    SUM_ROW(V_SUB_CO_U32, sub_co, EMU_T_NONE)
    SUM_ROW(V_SUBREV_CO_U32, subrev_co, EMU_T_NONE)
    SUM_ROW(V_ADD_CO_CI_U32, add_co_ci, EMU_T_MASK)
    SUM_ROW(V_SUB_CO_CI_U32, sub_co_ci, EMU_T_MASK)
    SUM_ROW(V_SUBREV_CO_CI_U32, subrev_co_ci, EMU_T_MASK)
    {AMD_V_MAD_U64_U32, {mad_u64_u32, NULL, EMU_VALU_MASK_OUT, EMU_T_U64,
      {EMU_T_U32, EMU_T_U32, EMU_T_U64}}},
    {AMD_V_MAD_I64_I32, {mad_i64_i32, NULL, EMU_VALU_MASK_OUT, EMU_T_U64,
      {EMU_T_U32, EMU_T_U32, EMU_T_U64}}},
    /* clang-format on */
};
const size_t amd_emu_valu_int_count = sizeof amd_emu_valu_int_rows / sizeof *amd_emu_valu_int_rows;
