/* References of integer and bit operations, from the ISA guides' descriptions; v_sad_u32 and
 * v_bcnt_u32_b32 follow the errata (ACO's README-ISA). Sources are zero-extended. */
#include "alu_ref.h"

#include "base/bits.h"

#define I16(v) ((int64_t)(int16_t)(v))
#define I24(v) ((int64_t)((int32_t)((uint32_t)(v) << 8) >> 8))
#define U24(v) ((uint64_t)(v)&0xffffff)
#define I32(v) ((int64_t)(int32_t)(v))

/* With the clamp bit results saturate: to [0, 2^bits), to [-2^(bits-1), 2^(bits-1)). */
static uint64_t
sat_u(const ref_env *e, int64_t v, unsigned bits)
{
    int64_t top = (INT64_C(1) << bits) - 1;
    return (uint64_t)(!e->clamp ? v : v < 0 ? 0 : v > top ? top : v);
}

static uint64_t
sat_i(const ref_env *e, int64_t v, unsigned bits)
{
    int64_t top = (INT64_C(1) << (bits - 1)) - 1;
    return (uint64_t)(!e->clamp ? v : v < -top - 1 ? -top - 1 : v > top ? top : v);
}

static uint64_t
distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint64_t
field(uint64_t v, unsigned at, unsigned bits)
{
    return v >> at & base_mask64(bits);
}

static uint64_t
reverse32(uint64_t v)
{
    uint64_t r = 0;
    for (unsigned b = 0; b < 32; b++)
        r |= field(v, b, 1) << (31 - b);
    return r;
}

/* The position, from the top, of the first set bit; -1 if there is none. */
static uint64_t
first_from_top(uint64_t v)
{
    for (unsigned b = 0; b < 32; b++)
        if (v >> (31 - b) & 1)
            return b;
    return UINT32_MAX;
}

static uint64_t
first_from_bottom(uint64_t v)
{
    for (unsigned b = 0; b < 32; b++)
        if (v >> b & 1)
            return b;
    return UINT32_MAX;
}

static uint64_t
ones(uint64_t v)
{
    uint64_t n = 0;
    for (; v; v >>= 1)
        n += v & 1;
    return n;
}

static uint64_t
bfe_i(uint64_t a, uint64_t offset, uint64_t width)
{
    /* bits beyond the source's top are copies of its sign, and the field is sign-extended */
    uint64_t v = 0;
    offset &= 31;
    width &= 31;
    for (uint64_t b = 0; b < width; b++)
        v |= field(a, (unsigned)(offset + b > 31 ? 31 : offset + b), 1) << b;
    return width && v >> (width - 1) & 1 ? v | ~base_mask64((unsigned)width) : v;
}

static uint64_t
lerp(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (unsigned s = 0; s < 32; s += 8)
        r |= (field(a, s, 8) + field(b, s, 8) + field(c, s, 1)) / 2 << s;
    return r;
}

/* The sum of absolute differences of bytes; `masked`: skips bytes that are 0 in b. */
static uint64_t
sad8(uint64_t a, uint64_t b, bool masked)
{
    uint64_t r = 0;
    for (unsigned s = 0; s < 32; s += 8)
        if (!masked || field(b, s, 8))
            r += distance(field(a, s, 8), field(b, s, 8));
    return r;
}

static uint64_t
qsad(const ref_env *e, const ref_lane *x, bool masked)
{
    uint64_t r = 0;
    for (unsigned p = 0; p < 4; p++) {
        uint64_t v = sad8(field(x->s[0], 8 * p, 32), x->s[1], masked) + field(x->s[2], 16 * p, 16);
        r |= (sat_u(e, (int64_t)v, 16) & 0xffff) << (16 * p);
    }
    return r;
}

static uint64_t
perm(uint64_t a, uint64_t b, uint64_t select)
{
    uint64_t data = a << 32 | b, r = 0;
    for (unsigned s = 0; s < 32; s += 8) {
        uint64_t sel = field(select, s, 8), v = 0;
        if (sel >= 13)
            v = 255;
        else if (sel >= 8 && sel < 12)
            v = field(data, (unsigned)(sel - 8) * 16 + 15, 1) * 255;
        else if (sel < 8)
            v = field(data, (unsigned)sel * 8, 8);
        r |= v << s;
    }
    return r;
}

static int64_t
middle(int64_t a, int64_t b, int64_t c)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t
most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static uint64_t
sat_pack(uint64_t v)
{
    uint64_t low = (uint64_t)middle(I16(v), 0, 255), high = (uint64_t)middle(I16(v >> 16), 0, 255);
    return low | high << 8;
}

static uint64_t
mbcnt(const ref_lane *x, unsigned base)
{
    uint64_t n = x->s[1];
    for (unsigned b = 0; b < 32; b++)
        n += base + b < x->lane ? field(x->s[0], b, 1) : 0;
    return n;
}

/* Bit by bit, as a table of eight. */
static uint64_t
by_table(const ref_env *e, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t d = 0;
    for (unsigned k = 0; k < 32; k++) {
        unsigned n = (a >> k & 1 ? 4 : 0) + (b >> k & 1 ? 2 : 0) + (c >> k & 1 ? 1 : 0);
        d |= (uint64_t)(e->in->imm >> n & 1) << k;
    }
    return d;
}

static uint64_t
shifted_bytes(uint64_t a, uint64_t b, uint64_t c, int64_t low, int64_t high)
{
    int64_t by = INT64_C(1) << (c & 31);
    int64_t x = I32(a) / by - (I32(a) % by < 0), y = I32(b) / by - (I32(b) % by < 0);
    return ((uint64_t)middle(x, low, high) & 255) | ((uint64_t)middle(y, low, high) & 255) << 8;
}

/* opcode, result from a, b, c; e and x are available too */
#define ROWS(R)                                                                                    \
    R(V_PRNG_B32, (a * 2 & UINT32_MAX) ^ (a >> 31 & 1) * 197)                                      \
    R(V_BITOP3_B32, by_table(e, a, b, c))                                                          \
    R(V_BITOP3_B16, by_table(e, a, b, c) & 0xffff)                                                 \
    R(V_ASHR_PK_I8_I32, shifted_bytes(a, b, c, -128, 127))                                         \
    R(V_ASHR_PK_U8_I32, shifted_bytes(a, b, c, 0, 255))                                            \
    R(V_MOV_B32, a)                                                                                \
    R(V_MOV_B16, a)                                                                                \
    R(V_NOT_B16, ~a)                                                                               \
    R(V_AND_B16, a &b)                                                                             \
    R(V_OR_B16, a | b)                                                                             \
    R(V_XOR_B16, a ^ b)                                                                            \
    R(V_CNDMASK_B16, x->mask_in ? b : a)                                                           \
    R(V_CVT_I32_I16, I16(a))                                                                       \
    R(V_CVT_U32_U16, a)                                                                            \
    R(V_MAXMIN_I32, least(most(I32(a), I32(b)), I32(c)))                                           \
    R(V_MINMAX_I32, most(least(I32(a), I32(b)), I32(c)))                                           \
    R(V_MAXMIN_U32, least(most((int64_t)a, (int64_t)b), (int64_t)c))                               \
    R(V_MINMAX_U32, most(least((int64_t)a, (int64_t)b), (int64_t)c))                               \
    R(V_MOV_B64, a)                                                                                \
    R(V_LSHL_ADD_U64, (a << (b & 7)) + c)                                                          \
    R(V_SUBREV_U16, sat_u(e, (int64_t)b - (int64_t)a, 16))                                         \
    R(V_MAD_LEGACY_U16, sat_u(e, (int64_t)(a * b + c), 16))                                        \
    R(V_MAD_LEGACY_I16, sat_i(e, I16(a) * I16(b) + I16(c), 16))                                    \
    R(V_CNDMASK_B32, x->mask_in ? b : a)                                                           \
    R(V_NOT_B32, ~a)                                                                               \
    R(V_BFREV_B32, reverse32(a))                                                                   \
    R(V_FFBH_U32, first_from_top(a))                                                               \
    R(V_FFBL_B32, first_from_bottom(a))                                                            \
    R(V_FFBH_I32, first_from_top(a >> 31 ? ~a & UINT32_MAX : a))                                   \
    R(V_SAT_PK_U8_I16, sat_pack(a))                                                                \
    R(V_MUL_I32_I24, sat_i(e, I24(a) * I24(b), 32))                                                \
    R(V_MUL_U32_U24, sat_u(e, (int64_t)(U24(a) * U24(b)), 32))                                     \
    R(V_MUL_HI_I32_I24, I24(a) * I24(b) >> 32)                                                     \
    R(V_MUL_HI_U32_U24, U24(a) * U24(b) >> 32)                                                     \
    R(V_MAD_I32_I24, sat_i(e, I24(a) * I24(b) + I32(c), 32))                                       \
    R(V_MAD_U32_U24, sat_u(e, (int64_t)(U24(a) * U24(b) + c), 32))                                 \
    R(V_MIN_I32, least(I32(a), I32(b)))                                                            \
    R(V_MAX_I32, most(I32(a), I32(b)))                                                             \
    R(V_MIN_U32, a < b ? a : b)                                                                    \
    R(V_MAX_U32, a < b ? b : a)                                                                    \
    R(V_LSHRREV_B32, b >> (a & 31))                                                                \
    R(V_ASHRREV_I32, I32(b) >> (a & 31))                                                           \
    R(V_LSHLREV_B32, b << (a & 31))                                                                \
    R(V_LSHR_B32, a >> (b & 31))                                                                   \
    R(V_ASHR_I32, I32(a) >> (b & 31))                                                              \
    R(V_LSHL_B32, a << (b & 31))                                                                   \
    R(V_LSHR_B64, a >> (b & 63))                                                                   \
    R(V_ASHR_I64, (int64_t)a >> (b & 63))                                                          \
    R(V_LSHL_B64, a << (b & 63))                                                                   \
    R(V_LSHRREV_B64, b >> (a & 63))                                                                \
    R(V_ASHRREV_I64, (int64_t)b >> (a & 63))                                                       \
    R(V_LSHLREV_B64, b << (a & 63))                                                                \
    R(V_AND_B32, a &b)                                                                             \
    R(V_OR_B32, a | b)                                                                             \
    R(V_XOR_B32, a ^ b)                                                                            \
    R(V_XNOR_B32, ~(a ^ b))                                                                        \
    R(V_ADD_NC_U32, sat_u(e, (int64_t)(a + b), 32))                                                \
    R(V_SUB_NC_U32, sat_u(e, (int64_t)a - (int64_t)b, 32))                                         \
    R(V_SUBREV_NC_U32, sat_u(e, (int64_t)b - (int64_t)a, 32))                                      \
    R(V_ADD_NC_I32, sat_i(e, I32(a) + I32(b), 32))                                                 \
    R(V_SUB_NC_I32, sat_i(e, I32(a) - I32(b), 32))                                                 \
    R(V_BFE_U32, field(a, b & 31, c & 31))                                                         \
    R(V_BFE_I32, bfe_i(a, b, c))                                                                   \
    R(V_BFI_B32, (a & b) | (~a & c))                                                               \
    R(V_BFM_B32, base_mask64(a & 31) << (b & 31))                                                  \
    R(V_LERP_U8, lerp(a, b, c))                                                                    \
    R(V_ALIGNBIT_B32, (a << 32 | b) >> (c & 31))                                                   \
    R(V_ALIGNBYTE_B32, (a << 32 | b) >> (c & 3) * 8)                                               \
    R(V_MIN3_I32, least(least(I32(a), I32(b)), I32(c)))                                            \
    R(V_MAX3_I32, most(most(I32(a), I32(b)), I32(c)))                                              \
    R(V_MED3_I32, middle(I32(a), I32(b), I32(c)))                                                  \
    R(V_MIN3_U32, least(least((int64_t)a, (int64_t)b), (int64_t)c))                                \
    R(V_MAX3_U32, most(most((int64_t)a, (int64_t)b), (int64_t)c))                                  \
    R(V_MED3_U32, middle((int64_t)a, (int64_t)b, (int64_t)c))                                      \
    R(V_MIN3_I16, least(least(I16(a), I16(b)), I16(c)))                                            \
    R(V_MAX3_I16, most(most(I16(a), I16(b)), I16(c)))                                              \
    R(V_MED3_I16, middle(I16(a), I16(b), I16(c)))                                                  \
    R(V_MIN3_U16, least(least((int64_t)a, (int64_t)b), (int64_t)c))                                \
    R(V_MAX3_U16, most(most((int64_t)a, (int64_t)b), (int64_t)c))                                  \
    R(V_MED3_U16, middle((int64_t)a, (int64_t)b, (int64_t)c))                                      \
    R(V_SAD_U8, sat_u(e, (int64_t)(sad8(a, b, false) + c), 32))                                    \
    R(V_SAD_HI_U8, sat_u(e, (int64_t)((sad8(a, b, false) << 16) + c), 32))                         \
    R(V_SAD_U16,                                                                                   \
      sat_u(e, (int64_t)(distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c), 32))  \
    R(V_SAD_U32, sat_u(e, (int64_t)(distance(a, b) + c), 32))                                      \
    R(V_MSAD_U8, sat_u(e, (int64_t)(sad8(a, b, true) + c), 32))                                    \
    R(V_QSAD_PK_U16_U8, qsad(e, x, false))                                                         \
    R(V_MQSAD_PK_U16_U8, qsad(e, x, true))                                                         \
    R(V_MUL_LO_U32, a *b)                                                                          \
    R(V_MUL_LO_I32, a *b)                                                                          \
    R(V_MUL_HI_U32, a *b >> 32)                                                                    \
    R(V_MUL_HI_I32, I32(a) * I32(b) >> 32)                                                         \
    R(V_XOR3_B32, a ^ b ^ c)                                                                       \
    R(V_ADD_NC_U16, sat_u(e, (int64_t)(a + b), 16))                                                \
    R(V_SUB_NC_U16, sat_u(e, (int64_t)a - (int64_t)b, 16))                                         \
    R(V_ADD_NC_I16, sat_i(e, I16(a) + I16(b), 16))                                                 \
    R(V_SUB_NC_I16, sat_i(e, I16(a) - I16(b), 16))                                                 \
    R(V_MUL_LO_U16, a *b)                                                                          \
    R(V_LSHRREV_B16, b >> (a & 15))                                                                \
    R(V_ASHRREV_I16, I16(b) >> (a & 15))                                                           \
    R(V_LSHLREV_B16, b << (a & 15))                                                                \
    R(V_MAX_U16, a < b ? b : a)                                                                    \
    R(V_MIN_U16, a < b ? a : b)                                                                    \
    R(V_MAX_I16, most(I16(a), I16(b)))                                                             \
    R(V_MIN_I16, least(I16(a), I16(b)))                                                            \
    R(V_MAD_U16, sat_u(e, (int64_t)(a * b + c), 16))                                               \
    R(V_MAD_I16, sat_i(e, I16(a) * I16(b) + I16(c), 16))                                           \
    R(V_MAD_U32_U16, sat_u(e, (int64_t)(a * b + c), 32))                                           \
    R(V_MAD_I32_I16, sat_i(e, I16(a) * I16(b) + I32(c), 32))                                       \
    R(V_PERM_B32, perm(a, b, c))                                                                   \
    R(V_XAD_U32, (a ^ b) + c)                                                                      \
    R(V_LSHL_ADD_U32, (a << (b & 31)) + c)                                                         \
    R(V_ADD_LSHL_U32, (a + b) << (c & 31))                                                         \
    R(V_LSHL_OR_B32, a << (b & 31) | c)                                                            \
    R(V_AND_OR_B32, (a & b) | c)                                                                   \
    R(V_OR3_B32, a | b | c)                                                                        \
    R(V_ADD3_U32, a + b + c)                                                                       \
    R(V_BCNT_U32_B32, ones(a) + b)                                                                 \
    R(V_MBCNT_LO_U32_B32, mbcnt(x, 0))                                                             \
    R(V_MBCNT_HI_U32_B32, mbcnt(x, 32))

#define FUNCTION(id, ...)                                                                          \
    static void ref_##id(const ref_env *e, ref_lane *x)                                            \
    {                                                                                              \
        uint64_t a = x->s[0], b = x->s[1], c = x->s[2];                                            \
        (void)a;                                                                                   \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        (void)e;                                                                                   \
        x->d = (uint64_t)(__VA_ARGS__);                                                            \
    }
ROWS(FUNCTION)

/* Sums with carry or borrow out. */
static void
carry_add(const ref_env *e, ref_lane *x)
{
    uint64_t sum = x->s[0] + x->s[1] + x->mask_in;
    x->mask_out = sum >> 32 != 0;
    x->d = sat_u(e, (int64_t)sum, 32);
}

static void
borrow(const ref_env *e, ref_lane *x, uint64_t from, uint64_t what)
{
    int64_t d = (int64_t)from - (int64_t)what - x->mask_in;
    x->mask_out = d < 0;
    x->d = sat_u(e, d, 32);
}

static void
carry_sub(const ref_env *e, ref_lane *x)
{
    borrow(e, x, x->s[0], x->s[1]);
}

static void
carry_subrev(const ref_env *e, ref_lane *x)
{
    borrow(e, x, x->s[1], x->s[0]);
}

/* The 65-bit sums of V_MAD_U64_U32 and V_MAD_I64_I32, computed in halves. */
static void
mad_u64(const ref_env *e, ref_lane *x)
{
    uint64_t p = x->s[0] * x->s[1];
    uint64_t low = (p & UINT32_MAX) + (x->s[2] & UINT32_MAX);
    uint64_t high = (p >> 32) + (x->s[2] >> 32) + (low >> 32);
    (void)e;
    x->d = high << 32 | (low & UINT32_MAX);
    x->mask_out = high >> 32 & 1;
}

static void
mad_i64(const ref_env *e, ref_lane *x)
{
    int64_t p = I32(x->s[0]) * I32(x->s[1]);
    uint64_t low = ((uint64_t)p & UINT32_MAX) + (x->s[2] & UINT32_MAX);
    int64_t high = (p >> 32) + ((int64_t)x->s[2] >> 32) + (int64_t)(low >> 32);
    (void)e;
    x->d = (uint64_t)high << 32 | (low & UINT32_MAX);
    x->mask_out = high < 0;
}

static void
mqsad_u32(const ref_env *e, ref_lane *x)
{
    uint64_t r[4];
    for (unsigned p = 0; p < 4; p++) {
        uint64_t c = field(p < 2 ? x->s[2] : x->high[2], 32 * (p & 1), 32);
        r[p] = sat_u(e, (int64_t)(sad8(field(x->s[0], 8 * p, 32), x->s[1], true) + c), 32) &
               UINT32_MAX;
    }
    x->d = r[0] | r[1] << 32;
    x->d_high = r[2] | r[3] << 32;
}

#define ENTRY(id, ...) {AMD_##id, REF_RAW, ref_##id},

static const ref_row rows[] = {
    /* clang-format off */
    ROWS(ENTRY)
    {AMD_V_ADD_CO_U32, REF_RAW, carry_add},
    {AMD_V_SUB_CO_U32, REF_RAW, carry_sub},
    {AMD_V_SUBREV_CO_U32, REF_RAW, carry_subrev},
    {AMD_V_ADD_CO_CI_U32, REF_RAW, carry_add},
    {AMD_V_SUB_CO_CI_U32, REF_RAW, carry_sub},
    {AMD_V_SUBREV_CO_CI_U32, REF_RAW, carry_subrev},
    {AMD_V_MAD_U64_U32, REF_RAW | REF_PLAIN, mad_u64},
    {AMD_V_MAD_I64_I32, REF_RAW | REF_PLAIN, mad_i64},
    {AMD_V_MQSAD_U32_U8, REF_RAW, mqsad_u32},
    /* clang-format on */
};
const ref_table ref_int_table = {rows, sizeof rows / sizeof *rows};
