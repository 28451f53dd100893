/* References of the scalar ALU, from the ISA guides' descriptions; s_bfe_* write scc (ACO's
 * README-ISA). */
#include "alu_ref.h"

#include "base/bits.h"

#define I32(v) ((int64_t)(int32_t)(v))
#define K      ((int64_t)(int16_t)e->in->imm)
#define KU     ((uint64_t)(uint16_t)e->in->imm)

static uint64_t
count(uint64_t v, unsigned bits, uint64_t what)
{
    uint64_t n = 0;
    for (unsigned b = 0; b < bits; b++)
        n += (v >> b & 1) == what;
    return n;
}

static uint64_t
find_low(uint64_t v, unsigned bits, uint64_t what)
{
    for (unsigned b = 0; b < bits; b++)
        if ((v >> b & 1) == what)
            return b;
    return UINT32_MAX;
}

/* From the top: the first bit that is 1, or the first that differs from the sign. */
static uint64_t
find_high(uint64_t v, unsigned bits, bool sign)
{
    uint64_t top = sign ? v >> (bits - 1) & 1 : 0;
    for (unsigned b = 0; b < bits; b++)
        if ((v >> (bits - 1 - b) & 1) != top)
            return b;
    return UINT32_MAX;
}

static uint64_t
quads(uint64_t v, bool spread)
{
    uint64_t r = 0;
    for (unsigned q = 0; q < 16; q++)
        if (v >> (4 * q) & 15)
            r |= spread ? UINT64_C(15) << (4 * q) : UINT64_C(1) << q;
    return r;
}

static uint64_t
reverse(uint64_t v, unsigned bits)
{
    uint64_t r = 0;
    for (unsigned b = 0; b < bits; b++)
        r |= (v >> b & 1) << (bits - 1 - b);
    return r;
}

static uint64_t
replicate(uint64_t v)
{
    uint64_t r = 0;
    for (unsigned b = 0; b < 64; b++)
        r |= (v >> (b / 2) & 1) << b;
    return r;
}

/* Bit field: bits beyond the top are 0, or the sign. */
static uint64_t
bfe(uint64_t v, uint64_t how, unsigned bits, bool sign)
{
    uint64_t offset = how & (bits - 1), width = how >> 16 & 127, r = 0;
    if (width > 64)
        width = 64;
    for (uint64_t b = 0; b < width; b++) {
        uint64_t from = offset + b;
        uint64_t bit = from < bits ? v >> from & 1 : sign ? v >> (bits - 1) & 1 : 0;
        r |= bit << b;
    }
    if (sign && width && width < 64 && r >> (width - 1) & 1)
        r |= ~base_mask64((unsigned)width);
    return r;
}

static uint64_t
low32(uint64_t v)
{
    return v & UINT32_MAX;
}

static bool
overflows(int64_t v)
{
    return v != I32(v);
}

/* From CDNA 3 and RDNA 3 on, scc of s_max is >=; before, "1 if S0 is the maximum" means a > b. */
static bool
max_scc(const ref_env *e, bool greater, bool equal)
{
    return greater ||
           ((e->gen == AMD_GFX942 || e->gen == AMD_GFX950 || e->gen >= AMD_GFX11) && equal);
}

/* Opcode, result, scc. In 32-bit rows `d` is truncated to 32 bits before scc is computed. */
#define ROWS(R32, R64)                                                                             \
    R32(S_MOV_B32, a, scc)                                                                         \
    R64(S_MOV_B64, a, scc)                                                                         \
    R32(S_CMOV_B32, scc ? a : old, scc)                                                            \
    R64(S_CMOV_B64, scc ? a : old, scc)                                                            \
    R32(S_NOT_B32, ~a, d != 0)                                                                     \
    R64(S_NOT_B64, ~a, d != 0)                                                                     \
    R32(S_WQM_B32, quads(a, true), d != 0)                                                         \
    R64(S_WQM_B64, quads(a, true), d != 0)                                                         \
    R32(S_QUADMASK_B32, quads(a, false), d != 0)                                                   \
    R64(S_QUADMASK_B64, quads(a, false), d != 0)                                                   \
    R32(S_BREV_B32, reverse(a, 32), scc)                                                           \
    R64(S_BREV_B64, reverse(a, 64), scc)                                                           \
    R32(S_BCNT0_I32_B32, count(a, 32, 0), d != 0)                                                  \
    R32(S_BCNT0_I32_B64, count(a, 64, 0), d != 0)                                                  \
    R32(S_BCNT1_I32_B32, count(a, 32, 1), d != 0)                                                  \
    R32(S_BCNT1_I32_B64, count(a, 64, 1), d != 0)                                                  \
    R32(S_FF0_I32_B32, find_low(a, 32, 0), scc)                                                    \
    R32(S_FF0_I32_B64, find_low(a, 64, 0), scc)                                                    \
    R32(S_FF1_I32_B32, find_low(a, 32, 1), scc)                                                    \
    R32(S_FF1_I32_B64, find_low(a, 64, 1), scc)                                                    \
    R32(S_FLBIT_I32_B32, find_high(a, 32, false), scc)                                             \
    R32(S_FLBIT_I32_B64, find_high(a, 64, false), scc)                                             \
    R32(S_FLBIT_I32, find_high(a, 32, true), scc)                                                  \
    R32(S_FLBIT_I32_I64, find_high(a, 64, true), scc)                                              \
    R32(S_SEXT_I32_I8, (int8_t)a, scc)                                                             \
    R32(S_SEXT_I32_I16, (int16_t)a, scc)                                                           \
    R32(S_BITSET0_B32, old & ~(UINT64_C(1) << (a & 31)), scc)                                      \
    R32(S_BITSET1_B32, old | UINT64_C(1) << (a & 31), scc)                                         \
    R64(S_BITSET0_B64, old & ~(UINT64_C(1) << (a & 63)), scc)                                      \
    R64(S_BITSET1_B64, old | UINT64_C(1) << (a & 63), scc)                                         \
    R32(S_ABS_I32, I32(a) < 0 ? -I32(a) : I32(a), d != 0)                                          \
    R64(S_BITREPLICATE_B64_B32, replicate(a), scc)                                                 \
    R32(S_ADD_U32, a + b, (a + b) >> 32 != 0)                                                      \
    R32(S_SUB_U32, a - b, a < b)                                                                   \
    R32(S_ADD_I32, a + b, overflows(I32(a) + I32(b)))                                              \
    R32(S_SUB_I32, a - b, overflows(I32(a) - I32(b)))                                              \
    R32(S_ADDC_U32, a + b + scc, (a + b + scc) >> 32 != 0)                                         \
    R32(S_SUBB_U32, a - b - scc, a < b + scc)                                                      \
    R32(S_MIN_I32, I32(a) < I32(b) ? a : b, I32(a) < I32(b))                                       \
    R32(S_MIN_U32, a < b ? a : b, a < b)                                                           \
    R32(S_MAX_I32, I32(a) > I32(b) ? a : b, max_scc(e, I32(a) > I32(b), a == b))                   \
    R32(S_MAX_U32, a > b ? a : b, max_scc(e, a > b, a == b))                                       \
    R64(S_ADD_NC_U64, a + b, scc)                                                                  \
    R64(S_SUB_NC_U64, a - b, scc)                                                                  \
    R64(S_MUL_U64, a *b, scc)                                                                      \
    R32(S_CSELECT_B32, scc ? a : b, scc)                                                           \
    R64(S_CSELECT_B64, scc ? a : b, scc)                                                           \
    R32(S_AND_B32, a &b, d != 0)                                                                   \
    R64(S_AND_B64, a &b, d != 0)                                                                   \
    R32(S_OR_B32, a | b, d != 0)                                                                   \
    R64(S_OR_B64, a | b, d != 0)                                                                   \
    R32(S_XOR_B32, a ^ b, d != 0)                                                                  \
    R64(S_XOR_B64, a ^ b, d != 0)                                                                  \
    R32(S_ANDN2_B32, a & ~b, d != 0)                                                               \
    R64(S_ANDN2_B64, a & ~b, d != 0)                                                               \
    R32(S_ORN2_B32, a | ~b, d != 0)                                                                \
    R64(S_ORN2_B64, a | ~b, d != 0)                                                                \
    R32(S_NAND_B32, ~(a & b), d != 0)                                                              \
    R64(S_NAND_B64, ~(a & b), d != 0)                                                              \
    R32(S_NOR_B32, ~(a | b), d != 0)                                                               \
    R64(S_NOR_B64, ~(a | b), d != 0)                                                               \
    R32(S_XNOR_B32, ~(a ^ b), d != 0)                                                              \
    R64(S_XNOR_B64, ~(a ^ b), d != 0)                                                              \
    R32(S_LSHL_B32, a << (b & 31), d != 0)                                                         \
    R64(S_LSHL_B64, a << (b & 63), d != 0)                                                         \
    R32(S_LSHR_B32, a >> (b & 31), d != 0)                                                         \
    R64(S_LSHR_B64, a >> (b & 63), d != 0)                                                         \
    R32(S_ASHR_I32, I32(a) >> (b & 31), d != 0)                                                    \
    R64(S_ASHR_I64, (int64_t)a >> (b & 63), d != 0)                                                \
    R32(S_BFM_B32, base_mask64(a & 31) << (b & 31), scc)                                           \
    R64(S_BFM_B64, base_mask64(a & 63) << (b & 63), scc)                                           \
    R32(S_MUL_I32, a *b, scc)                                                                      \
    R32(S_MUL_HI_U32, a *b >> 32, scc)                                                             \
    R32(S_MUL_HI_I32, I32(a) * I32(b) >> 32, scc)                                                  \
    R32(S_BFE_U32, bfe(a, b, 32, false), d != 0)                                                   \
    R32(S_BFE_I32, bfe(a, b, 32, true), d != 0)                                                    \
    R64(S_BFE_U64, bfe(a, b, 64, false), d != 0)                                                   \
    R64(S_BFE_I64, bfe(a, b, 64, true), d != 0)                                                    \
    R32(S_ABSDIFF_I32, I32(a - b) < 0 ? b - a : a - b, d != 0)                                     \
    R32(S_LSHL1_ADD_U32, (a << 1) + b, ((a << 1) + b) >> 32 != 0)                                  \
    R32(S_LSHL2_ADD_U32, (a << 2) + b, ((a << 2) + b) >> 32 != 0)                                  \
    R32(S_LSHL3_ADD_U32, (a << 3) + b, ((a << 3) + b) >> 32 != 0)                                  \
    R32(S_LSHL4_ADD_U32, (a << 4) + b, ((a << 4) + b) >> 32 != 0)                                  \
    R32(S_PACK_LL_B32_B16, (a & 0xffff) | b << 16, scc)                                            \
    R32(S_PACK_LH_B32_B16, (a & 0xffff) | (b & 0xffff0000), scc)                                   \
    R32(S_PACK_HL_B32_B16, a >> 16 | b << 16, scc)                                                 \
    R32(S_PACK_HH_B32_B16, a >> 16 | (b & 0xffff0000), scc)                                        \
    R32(S_MOVK_I32, K, scc)                                                                        \
    R32(S_CMOVK_I32, scc ? (uint64_t)K : old, scc)                                                 \
    R32(S_ADDK_I32, old + (uint64_t)K, overflows(I32(old) + K))                                    \
    R32(S_MULK_I32, old *(uint64_t)K, scc)

/* Comparisons: scc only. s_cmpk's first operand is a register that is read: src[0]. */
#define TESTS(R)                                                                                   \
    R(S_CMP_EQ_I32, a == b)                                                                        \
    R(S_CMP_LG_I32, a != b)                                                                        \
    R(S_CMP_GT_I32, I32(a) > I32(b))                                                               \
    R(S_CMP_GE_I32, I32(a) >= I32(b))                                                              \
    R(S_CMP_LT_I32, I32(a) < I32(b))                                                               \
    R(S_CMP_LE_I32, I32(a) <= I32(b))                                                              \
    R(S_CMP_EQ_U32, a == b)                                                                        \
    R(S_CMP_LG_U32, a != b)                                                                        \
    R(S_CMP_GT_U32, a > b)                                                                         \
    R(S_CMP_GE_U32, a >= b)                                                                        \
    R(S_CMP_LT_U32, a < b)                                                                         \
    R(S_CMP_LE_U32, a <= b)                                                                        \
    R(S_CMP_EQ_U64, a == b)                                                                        \
    R(S_CMP_LG_U64, a != b)                                                                        \
    R(S_BITCMP0_B32, !(a >> (b & 31) & 1))                                                         \
    R(S_BITCMP1_B32, a >> (b & 31) & 1)                                                            \
    R(S_BITCMP0_B64, !(a >> (b & 63) & 1))                                                         \
    R(S_BITCMP1_B64, a >> (b & 63) & 1)                                                            \
    R(S_CMPK_EQ_I32, I32(a) == K)                                                                  \
    R(S_CMPK_LG_I32, I32(a) != K)                                                                  \
    R(S_CMPK_GT_I32, I32(a) > K)                                                                   \
    R(S_CMPK_GE_I32, I32(a) >= K)                                                                  \
    R(S_CMPK_LT_I32, I32(a) < K)                                                                   \
    R(S_CMPK_LE_I32, I32(a) <= K)                                                                  \
    R(S_CMPK_EQ_U32, a == KU)                                                                      \
    R(S_CMPK_LG_U32, a != KU)                                                                      \
    R(S_CMPK_GT_U32, a > KU)                                                                       \
    R(S_CMPK_GE_U32, a >= KU)                                                                      \
    R(S_CMPK_LT_U32, a < KU)                                                                       \
    R(S_CMPK_LE_U32, a <= KU)

/* exec combined with the source; the destination gets the old mask, or (WREXEC) the new one. */
#define EXECS(R)                                                                                   \
    R(S_AND_SAVEEXEC, a &exec, exec)                                                               \
    R(S_OR_SAVEEXEC, a | exec, exec)                                                               \
    R(S_XOR_SAVEEXEC, a ^ exec, exec)                                                              \
    R(S_ANDN2_SAVEEXEC, a & ~exec, exec)                                                           \
    R(S_ORN2_SAVEEXEC, a | ~exec, exec)                                                            \
    R(S_NAND_SAVEEXEC, ~(a & exec), exec)                                                          \
    R(S_NOR_SAVEEXEC, ~(a | exec), exec)                                                           \
    R(S_XNOR_SAVEEXEC, ~(a ^ exec), exec)                                                          \
    R(S_ANDN1_SAVEEXEC, ~a &exec, exec)                                                            \
    R(S_ORN1_SAVEEXEC, ~a | exec, exec)                                                            \
    R(S_ANDN1_WREXEC, ~a &exec, x->new_exec)                                                       \
    R(S_ANDN2_WREXEC, a & ~exec, x->new_exec)

#define NAMES                                                                                      \
    uint64_t a = x->s[0], b = x->s[1], old = x->old, scc = x->scc;                                 \
    (void)a;                                                                                       \
    (void)b;                                                                                       \
    (void)old;                                                                                     \
    (void)scc;                                                                                     \
    (void)e;

#define VALUE(id, cut, expr, cond)                                                                 \
    static void ref_##id(const ref_env *e, ref_scalar *x)                                          \
    {                                                                                              \
        NAMES                                                                                      \
        uint64_t d = cut((uint64_t)(expr));                                                        \
        x->d = d;                                                                                  \
        x->writes = true;                                                                          \
        x->new_scc = (cond) != 0;                                                                  \
    }
#define VALUE32(id, expr, cond) VALUE(id, low32, expr, cond)
#define VALUE64(id, expr, cond) VALUE(id, , expr, cond)
#define TEST(id, cond)                                                                             \
    static void ref_##id(const ref_env *e, ref_scalar *x)                                          \
    {                                                                                              \
        NAMES                                                                                      \
        x->new_scc = (cond) != 0;                                                                  \
    }
#define EXEC(id, mask, value)                                                                      \
    static void ref_##id##_B64(const ref_env *e, ref_scalar *x)                                    \
    {                                                                                              \
        uint64_t a = x->s[0], exec = x->exec;                                                      \
        (void)e;                                                                                   \
        x->new_exec = (mask);                                                                      \
        x->d = (value);                                                                            \
        x->writes = true;                                                                          \
        x->new_scc = x->new_exec != 0;                                                             \
    }                                                                                              \
    static void ref_##id##_B32(const ref_env *e, ref_scalar *x)                                    \
    {                                                                                              \
        uint64_t a = x->s[0], exec = low32(x->exec);                                               \
        (void)e;                                                                                   \
        x->new_exec = low32(mask);                                                                 \
        x->d = (value);                                                                            \
        x->writes = true;                                                                          \
        x->new_scc = x->new_exec != 0;                                                             \
        x->new_exec |= x->exec & ~(uint64_t)UINT32_MAX;                                            \
    }
ROWS(VALUE32, VALUE64)
TESTS(TEST)
EXECS(EXEC)

#define ENTRY(id, ...)      {AMD_##id, ref_##id},
#define EXEC_ENTRY(id, ...) {AMD_##id##_B32, ref_##id##_B32}, {AMD_##id##_B64, ref_##id##_B64},

static const ref_scalar_row rows[] = {
    /* clang-format off */
    ROWS(ENTRY, ENTRY)
    TESTS(ENTRY)
    EXECS(EXEC_ENTRY)
    /* clang-format on */
};

ref_scalar_fn *
ref_find_scalar(amd_op op)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].op == op)
            return rows[k].fn;
    return ref_find_scalar_float(op);
}
