/* The scalar ALU: SOP1, SOP2, SOPK, SOPC. (Branches and the rest of SOPP are in sopp.c.)
 *
 * A row has an opcode, the expression that computes its result `d` from `a` and `b`, and the
 * expression of the new scc; rows that do not change scc give `scc`. From the RDNA 2 ISA's
 * descriptions; s_bfe_* write scc (errata of the manuals).
 */
#include "amd/emu/alu/alu.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"

static uint32_t
abs_i32(uint32_t v)
{
    return (int32_t)v < 0 ? 0u - v : v;
}

static uint64_t
bfe_u(uint64_t a, uint32_t b, uint32_t bits)
{
    uint32_t offset = b & (bits - 1), width = b >> 16 & 0x7f;
    return (a & base_mask64(bits)) >> offset & base_mask64(width);
}

static uint64_t
bfe_i(uint64_t a, uint32_t b, uint32_t bits)
{
    uint32_t offset = b & (bits - 1), width = b >> 16 & 0x7f;
    int64_t v = base_sext64(a, bits) >> offset;
    return width == 0 ? 0 : width >= 64 ? (uint64_t)v : (uint64_t)base_sext64((uint64_t)v, width);
}

static uint64_t
whole_quads(uint64_t a)
{
    uint64_t r = 0;
    for (uint32_t s = 0; s < 64; s += 4)
        r |= a >> s & 15 ? UINT64_C(15) << s : 0;
    return r;
}

static uint64_t
quad_mask(uint64_t a)
{
    uint64_t r = 0;
    for (uint32_t q = 0; q < 16; q++)
        r |= (uint64_t)((a >> (4 * q) & 15) != 0) << q;
    return r;
}

static uint64_t
reverse(uint64_t a, uint32_t bits)
{
    uint64_t r = 0;
    for (uint32_t s = 0; s < bits; s++)
        r |= (a >> s & 1) << (bits - 1 - s);
    return r;
}

static uint64_t
replicate(uint32_t a)
{
    uint64_t r = 0;
    for (uint32_t s = 0; s < 32; s++)
        r |= (uint64_t)(a >> s & 1) * 3 << (2 * s);
    return r;
}

static uint32_t
first_one(uint64_t a)
{
    return a ? base_ctz64(a) : UINT32_MAX;
}

/* The position, from the top, of the first bit that differs from the sign. */
static uint32_t
sign_bits(int64_t a, uint32_t bits)
{
    uint64_t x = (uint64_t)(a ^ (a >> 63));
    return x ? base_clz64(x) - (64 - bits) : UINT32_MAX;
}

/* scc of s_max: the guides of CDNA 3 and RDNA 3 say >=, earlier ones >. */
static bool
max_scc(const emu_wave *w, bool greater, bool equal)
{
    amd_gen gen = w->m->d->gen;
    return greater || (equal && (amd_is_cdna3(gen) || gen >= AMD_GFX11));
}

#define A32 uint32_t a = amd_emu_read_s32(w, &i->in, i->in.src[0])
#define B32 uint32_t b = amd_emu_read_s32(w, &i->in, i->in.src[1])
#define A64 uint64_t a = amd_emu_read_s64(w, &i->in, i->in.src[0])
#define B64 uint64_t b = amd_emu_read_s64(w, &i->in, i->in.src[1])

/* opcode, result, scc; 32-bit and 64-bit */
#define SOP1_ROWS(R32, R64)                                                                        \
    R32(S_MOV_B32, a, scc)                                                                         \
    R64(S_MOV_B64, a, scc)                                                                         \
    R32(S_NOT_B32, ~a, d != 0)                                                                     \
    R64(S_NOT_B64, ~a, d != 0)                                                                     \
    R32(S_WQM_B32, (uint32_t)whole_quads(a), d != 0)                                               \
    R64(S_WQM_B64, whole_quads(a), d != 0)                                                         \
    R32(S_BREV_B32, (uint32_t)reverse(a, 32), scc)                                                 \
    R64(S_BREV_B64, reverse(a, 64), scc)                                                           \
    R32(S_BCNT0_I32_B32, 32 - base_popcount32(a), d != 0)                                          \
    R32(S_BCNT1_I32_B32, base_popcount32(a), d != 0)                                               \
    R32(S_FF0_I32_B32, first_one((uint32_t)~a), scc)                                               \
    R32(S_FF1_I32_B32, first_one(a), scc)                                                          \
    R32(S_FLBIT_I32_B32, a ? base_clz32(a) : UINT32_MAX, scc)                                      \
    R32(S_FLBIT_I32, sign_bits((int32_t)a, 32), scc)                                               \
    R32(S_SEXT_I32_I8, (uint32_t)base_sext64(a, 8), scc)                                           \
    R32(S_SEXT_I32_I16, (uint32_t)base_sext64(a, 16), scc)                                         \
    R32(S_QUADMASK_B32, (uint32_t)quad_mask(a), d != 0)                                            \
    R64(S_QUADMASK_B64, quad_mask(a), d != 0)                                                      \
    R32(S_ABS_I32, abs_i32(a), d != 0)

/* a 64-bit source with a 32-bit result, and vice versa */
#define SOP1_MIXED(R)                                                                              \
    R(S_BCNT0_I32_B64, 32, A64, 64 - base_popcount64(a), d != 0)                                   \
    R(S_BCNT1_I32_B64, 32, A64, base_popcount64(a), d != 0)                                        \
    R(S_FF0_I32_B64, 32, A64, first_one(~a), scc)                                                  \
    R(S_FF1_I32_B64, 32, A64, first_one(a), scc)                                                   \
    R(S_FLBIT_I32_B64, 32, A64, a ? base_clz64(a) : UINT32_MAX, scc)                               \
    R(S_FLBIT_I32_I64, 32, A64, sign_bits((int64_t)a, 64), scc)                                    \
    R(S_BITREPLICATE_B64_B32, 64, A32, replicate(a), scc)

#define SOP2_ROWS(R32, R64)                                                                        \
    R32(S_ADD_U32, a + b, d < a)                                                                   \
    R32(S_SUB_U32, a - b, b > a)                                                                   \
    R32(S_ADD_I32, a + b, (~(a ^ b) & (a ^ d)) >> 31)                                              \
    R32(S_SUB_I32, a - b, ((a ^ b) & (a ^ d)) >> 31)                                               \
    R32(S_ADDC_U32, a + b + scc, (uint64_t)a + b + scc > UINT32_MAX)                               \
    R32(S_SUBB_U32, a - b - scc, (uint64_t)b + scc > a)                                            \
    R32(S_MIN_I32, (int32_t)a < (int32_t)b ? a : b, (int32_t)a < (int32_t)b)                       \
    R32(S_MIN_U32, a < b ? a : b, a < b)                                                           \
    R32(S_MAX_I32, (int32_t)a > (int32_t)b ? a : b, max_scc(w, (int32_t)a > (int32_t)b, a == b))   \
    R32(S_MAX_U32, a > b ? a : b, max_scc(w, a > b, a == b))                                       \
    R32(S_CSELECT_B32, scc ? a : b, scc)                                                           \
    R64(S_ADD_NC_U64, a + b, scc)                                                                  \
    R64(S_SUB_NC_U64, a - b, scc)                                                                  \
    R64(S_MUL_U64, a *b, scc)                                                                      \
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
    R32(S_LSHR_B32, a >> (b & 31), d != 0)                                                         \
    R32(S_ASHR_I32, (uint32_t)((int32_t)a >> (b & 31)), d != 0)                                    \
    R32(S_BFM_B32, ((UINT32_C(1) << (a & 31)) - 1) << (b & 31), scc)                               \
    R32(S_MUL_I32, a *b, scc)                                                                      \
    R32(S_BFE_U32, (uint32_t)bfe_u(a, b, 32), d != 0)                                              \
    R32(S_BFE_I32, (uint32_t)bfe_i(a, b, 32), d != 0)                                              \
    R32(S_ABSDIFF_I32, abs_i32(a - b), d != 0)                                                     \
    R32(S_LSHL1_ADD_U32, (a << 1) + b, ((uint64_t)a << 1) + b > UINT32_MAX)                        \
    R32(S_LSHL2_ADD_U32, (a << 2) + b, ((uint64_t)a << 2) + b > UINT32_MAX)                        \
    R32(S_LSHL3_ADD_U32, (a << 3) + b, ((uint64_t)a << 3) + b > UINT32_MAX)                        \
    R32(S_LSHL4_ADD_U32, (a << 4) + b, ((uint64_t)a << 4) + b > UINT32_MAX)                        \
    R32(S_PACK_LL_B32_B16, (a & 0xffff) | b << 16, scc)                                            \
    R32(S_PACK_LH_B32_B16, (a & 0xffff) | (b & 0xffff0000), scc)                                   \
    R32(S_PACK_HL_B32_B16, a >> 16 | b << 16, scc)                                                 \
    R32(S_PACK_HH_B32_B16, a >> 16 | (b & 0xffff0000), scc)                                        \
    R32(S_MUL_HI_U32, (uint32_t)((uint64_t)a * b >> 32), scc)                                      \
    R32(S_MUL_HI_I32, (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32), scc)

/* 64-bit results with sources that are not both 64 bits wide */
#define SOP2_MIXED(R)                                                                              \
    R(S_LSHL_B64, A64, B32, a << (b & 63), d != 0)                                                 \
    R(S_LSHR_B64, A64, B32, a >> (b & 63), d != 0)                                                 \
    R(S_ASHR_I64, A64, B32, (uint64_t)((int64_t)a >> (b & 63)), d != 0)                            \
    R(S_BFM_B64, A32, B32, ((UINT64_C(1) << (a & 63)) - 1) << (b & 63), scc)                       \
    R(S_BFE_U64, A64, B32, bfe_u(a, b, 64), d != 0)                                                \
    R(S_BFE_I64, A64, B32, bfe_i(a, b, 64), d != 0)

/* comparisons: sources, condition */
#define SOPC_ROWS(R)                                                                               \
    R(S_CMP_EQ_I32, A32, B32, a == b)                                                              \
    R(S_CMP_LG_I32, A32, B32, a != b)                                                              \
    R(S_CMP_GT_I32, A32, B32, (int32_t)a > (int32_t)b)                                             \
    R(S_CMP_GE_I32, A32, B32, (int32_t)a >= (int32_t)b)                                            \
    R(S_CMP_LT_I32, A32, B32, (int32_t)a < (int32_t)b)                                             \
    R(S_CMP_LE_I32, A32, B32, (int32_t)a <= (int32_t)b)                                            \
    R(S_CMP_EQ_U32, A32, B32, a == b)                                                              \
    R(S_CMP_LG_U32, A32, B32, a != b)                                                              \
    R(S_CMP_GT_U32, A32, B32, a > b)                                                               \
    R(S_CMP_GE_U32, A32, B32, a >= b)                                                              \
    R(S_CMP_LT_U32, A32, B32, a < b)                                                               \
    R(S_CMP_LE_U32, A32, B32, a <= b)                                                              \
    R(S_BITCMP0_B32, A32, B32, !(a >> (b & 31) & 1))                                               \
    R(S_BITCMP1_B32, A32, B32, a >> (b & 31) & 1)                                                  \
    R(S_BITCMP0_B64, A64, B32, !(a >> (b & 63) & 1))                                               \
    R(S_BITCMP1_B64, A64, B32, a >> (b & 63) & 1)                                                  \
    R(S_CMP_EQ_U64, A64, B64, a == b)                                                              \
    R(S_CMP_LG_U64, A64, B64, a != b)

#define CMPK_ROWS(R)                                                                               \
    R(S_CMPK_EQ_I32, (int32_t)a == k)                                                              \
    R(S_CMPK_LG_I32, (int32_t)a != k)                                                              \
    R(S_CMPK_GT_I32, (int32_t)a > k)                                                               \
    R(S_CMPK_GE_I32, (int32_t)a >= k)                                                              \
    R(S_CMPK_LT_I32, (int32_t)a < k)                                                               \
    R(S_CMPK_LE_I32, (int32_t)a <= k)                                                              \
    R(S_CMPK_EQ_U32, a == u)                                                                       \
    R(S_CMPK_LG_U32, a != u)                                                                       \
    R(S_CMPK_GT_U32, a > u)                                                                        \
    R(S_CMPK_GE_U32, a >= u)                                                                       \
    R(S_CMPK_LT_U32, a < u)                                                                        \
    R(S_CMPK_LE_U32, a <= u)

/* exec mask operations: the mask computed from `s` and exec; scc tells whether it is not empty */
#define EXEC_ROWS(R)                                                                               \
    R(S_AND_SAVEEXEC, s &exec)                                                                     \
    R(S_OR_SAVEEXEC, s | exec)                                                                     \
    R(S_XOR_SAVEEXEC, s ^ exec)                                                                    \
    R(S_ANDN2_SAVEEXEC, s & ~exec)                                                                 \
    R(S_ORN2_SAVEEXEC, s | ~exec)                                                                  \
    R(S_NAND_SAVEEXEC, ~(s & exec))                                                                \
    R(S_NOR_SAVEEXEC, ~(s | exec))                                                                 \
    R(S_XNOR_SAVEEXEC, ~(s ^ exec))                                                                \
    R(S_ANDN1_SAVEEXEC, ~s &exec)                                                                  \
    R(S_ORN1_SAVEEXEC, ~s | exec)                                                                  \
    R(S_ANDN1_WREXEC, ~s &exec)                                                                    \
    R(S_ANDN2_WREXEC, s & ~exec)

#define HANDLER(id) static void do_##id(emu_wave *w, const emu_inst *i)
#define FINISH(bits, cond)                                                                         \
    w->scc = (cond) != 0;                                                                          \
    amd_emu_write_s##bits(w, i->in.dst[0], d);

#define H1_32(id, expr, cond)                                                                      \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        bool scc = w->scc;                                                                         \
        A32;                                                                                       \
        uint32_t d = (expr);                                                                       \
        (void)scc;                                                                                 \
        FINISH(32, cond)                                                                           \
    }
#define H1_64(id, expr, cond)                                                                      \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        bool scc = w->scc;                                                                         \
        A64;                                                                                       \
        uint64_t d = (expr);                                                                       \
        (void)scc;                                                                                 \
        FINISH(64, cond)                                                                           \
    }
#define H1_MIXED(id, bits, load_a, expr, cond)                                                     \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        bool scc = w->scc;                                                                         \
        load_a;                                                                                    \
        uint##bits##_t d = (expr);                                                                 \
        (void)scc;                                                                                 \
        FINISH(bits, cond)                                                                         \
    }
#define H2_32(id, expr, cond)                                                                      \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        bool scc = w->scc;                                                                         \
        A32;                                                                                       \
        B32;                                                                                       \
        uint32_t d = (expr);                                                                       \
        (void)scc;                                                                                 \
        FINISH(32, cond)                                                                           \
    }
#define H2_64(id, expr, cond)                                                                      \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        bool scc = w->scc;                                                                         \
        A64;                                                                                       \
        B64;                                                                                       \
        uint64_t d = (expr);                                                                       \
        (void)scc;                                                                                 \
        FINISH(64, cond)                                                                           \
    }
#define H2_MIXED(id, load_a, load_b, expr, cond)                                                   \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        bool scc = w->scc;                                                                         \
        load_a;                                                                                    \
        load_b;                                                                                    \
        uint64_t d = (expr);                                                                       \
        (void)scc;                                                                                 \
        FINISH(64, cond)                                                                           \
    }
#define HC(id, load_a, load_b, cond)                                                               \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        load_a;                                                                                    \
        load_b;                                                                                    \
        w->scc = (cond) != 0;                                                                      \
    }
#define HK(id, cond)                                                                               \
    HANDLER(id)                                                                                    \
    {                                                                                              \
        A32;                                                                                       \
        int32_t k = (int16_t)i->in.imm;                                                            \
        uint32_t u = (uint16_t)i->in.imm;                                                          \
        (void)k;                                                                                   \
        (void)u;                                                                                   \
        w->scc = (cond);                                                                           \
    }
SOP1_ROWS(H1_32, H1_64)
SOP1_MIXED(H1_MIXED)
SOP2_ROWS(H2_32, H2_64)
SOP2_MIXED(H2_MIXED)
SOPC_ROWS(HC)
CMPK_ROWS(HK)

/* Sets exec to the new mask, for 64-bit and 32-bit forms. `write` forms put the new mask into the
 * destination, the others the old one. */
static void
combine_exec(emu_wave *w, const emu_inst *i, uint64_t mask, uint64_t old, bool wide, bool write)
{
    uint64_t d = write ? mask : old;
    if (wide) {
        amd_emu_write_s64(w, i->in.dst[0], d);
        amd_emu_write_s64(w, AMD_REG_EXEC_LO, mask);
        w->scc = mask != 0;
    } else {
        amd_emu_write_s32(w, i->in.dst[0], (uint32_t)d);
        amd_emu_write_s32(w, AMD_REG_EXEC_LO, (uint32_t)mask);
        w->scc = (uint32_t)mask != 0;
    }
}

static bool
is_wrexec(uint32_t op)
{
    return op == AMD_S_ANDN1_WREXEC_B32 || op == AMD_S_ANDN2_WREXEC_B32 ||
           op == AMD_S_ANDN1_WREXEC_B64 || op == AMD_S_ANDN2_WREXEC_B64;
}

#define HX(id, expr)                                                                               \
    HANDLER(id##_B32)                                                                              \
    {                                                                                              \
        uint64_t s = amd_emu_read_s32(w, &i->in, i->in.src[0]), exec = w->sgpr[AMD_REG_EXEC_LO];   \
        combine_exec(w, i, (expr), exec, false, is_wrexec(i->in.op));                              \
    }                                                                                              \
    HANDLER(id##_B64)                                                                              \
    {                                                                                              \
        uint64_t s = amd_emu_read_s64(w, &i->in, i->in.src[0]);                                    \
        uint64_t exec = amd_emu_read_s64(w, &i->in, AMD_REG_EXEC_LO);                              \
        combine_exec(w, i, (expr), exec, true, is_wrexec(i->in.op));                               \
    }
EXEC_ROWS(HX)

/* Rows that are not pure functions of their sources. */

HANDLER(S_CMOV_B32)
{
    if (w->scc)
        amd_emu_write_s32(w, i->in.dst[0], amd_emu_read_s32(w, &i->in, i->in.src[0]));
}

HANDLER(S_CMOV_B64)
{
    if (w->scc)
        amd_emu_write_s64(w, i->in.dst[0], amd_emu_read_s64(w, &i->in, i->in.src[0]));
}

/* s_bitset0/1: sets a bit of the destination */
static void
set_bit(emu_wave *w, const emu_inst *i, bool wide, bool value)
{
    uint64_t bit = UINT64_C(1) << (amd_emu_read_s32(w, &i->in, i->in.src[0]) & (wide ? 63 : 31));
    uint64_t d = amd_emu_read_s64(w, &i->in, i->in.dst[0]);
    d = value ? d | bit : d & ~bit;
    if (wide)
        amd_emu_write_s64(w, i->in.dst[0], d);
    else
        amd_emu_write_s32(w, i->in.dst[0], (uint32_t)d);
}

HANDLER(S_BITSET0_B32)
{
    set_bit(w, i, false, false);
}

HANDLER(S_BITSET1_B32)
{
    set_bit(w, i, false, true);
}

HANDLER(S_BITSET0_B64)
{
    set_bit(w, i, true, false);
}

HANDLER(S_BITSET1_B64)
{
    set_bit(w, i, true, true);
}

/* s_movrel*: an index beyond the registers is a finding, and is not added. */
static void
movrel(emu_wave *w, const emu_inst *i)
{
    amd_inst in = i->in;
    uint32_t m0 = w->sgpr[AMD_REG_M0];
    amd_emu_resolve_relative(w, &in);
    if (m0 && in.src[0] == i->in.src[0] && in.dst[0] == i->in.dst[0])
        amd_emu_find(w, EMU_RULE_REGISTER_BOUNDS, -1, "m0, 0x%x, leads beyond the scalar registers",
                     m0);
    if (in.op == AMD_S_MOVRELS_B64 || in.op == AMD_S_MOVRELD_B64)
        amd_emu_write_s64(w, in.dst[0], amd_emu_read_s64(w, &in, in.src[0]));
    else
        amd_emu_write_s32(w, in.dst[0], amd_emu_read_s32(w, &in, in.src[0]));
}

HANDLER(S_MOVK_I32)
{
    amd_emu_write_s32(w, i->in.dst[0], (uint32_t)(int16_t)i->in.imm);
}

HANDLER(S_CMOVK_I32)
{
    if (w->scc)
        amd_emu_write_s32(w, i->in.dst[0], (uint32_t)(int16_t)i->in.imm);
}

HANDLER(S_ADDK_I32)
{
    uint32_t a = w->sgpr[i->in.dst[0]], b = (uint32_t)(int16_t)i->in.imm, d = a + b;
    w->scc = (~(a ^ b) & (a ^ d)) >> 31;
    amd_emu_write_s32(w, i->in.dst[0], d);
}

HANDLER(S_MULK_I32)
{
    amd_emu_write_s32(w, i->in.dst[0], w->sgpr[i->in.dst[0]] * (uint32_t)(int16_t)i->in.imm);
}

typedef struct salu_entry {
    uint16_t op;
    emu_handler *run;
} salu_entry;

#define E(id, ...)  {AMD_##id, do_##id},
#define E0(id)      {AMD_##id, do_##id},
#define EX(id, ...) {AMD_##id##_B32, do_##id##_B32}, {AMD_##id##_B64, do_##id##_B64},

static const salu_entry entries[] = {
    /* clang-format off */
    SOP1_ROWS(E, E)
    SOP1_MIXED(E)
    SOP2_ROWS(E, E)
    SOP2_MIXED(E)
    SOPC_ROWS(E)
    CMPK_ROWS(E)
    EXEC_ROWS(EX)
    E0(S_CMOV_B32) E0(S_CMOV_B64)
    E0(S_BITSET0_B32) E0(S_BITSET1_B32) E0(S_BITSET0_B64) E0(S_BITSET1_B64)
    E0(S_MOVK_I32) E0(S_CMOVK_I32) E0(S_ADDK_I32) E0(S_MULK_I32)
    {AMD_S_MOVRELS_B32, movrel}, {AMD_S_MOVRELS_B64, movrel}, {AMD_S_MOVRELD_B32, movrel},
    {AMD_S_MOVRELD_B64, movrel}, {AMD_S_MOVRELSD_2_B32, movrel},
    /* clang-format on */
};

bool
amd_emu_bind_salu(emu_inst *i)
{
    for (size_t e = 0; e < sizeof entries / sizeof *entries; e++) {
        if (entries[e].op == i->in.op) {
            i->run = entries[e].run;
            return true;
        }
    }
    return false;
}
