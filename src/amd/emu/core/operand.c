/* Scalar operands and lane masks: RDNA 2 ISA, table "SSRC/SRC operands". */
#include "amd/emu/core/operand.h"

#include "amd/isa/table/table.h"

enum { FLOAT_COUNT = AMD_SRC_F_INV_2PI - AMD_SRC_F_0_5 + 1 };

uint64_t
amd_emu_inline_float(uint32_t code, unsigned bits)
{
    static const uint16_t f16[FLOAT_COUNT] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                              0xc000, 0x4400, 0xc400, 0x3118};
    static const uint32_t f32[FLOAT_COUNT] = {0x3f000000, 0xbf000000, 0x3f800000,
                                              0xbf800000, 0x40000000, 0xc0000000,
                                              0x40800000, 0xc0800000, 0x3e22f983};
    uint32_t i = code - AMD_SRC_F_0_5;
    if (bits == 16)
        return f16[i];
    if (bits == 32)
        return f32[i];
    /* the same values as doubles; 1 / (2 pi) has more digits */
    return code == AMD_SRC_F_INV_2PI ? UINT64_C(0x3fc45f306dc9c882)
                                     : base_f64_bits((double)base_bits_f32(f32[i]));
}

static bool
mask_is_zero(const emu_wave *w, uint32_t code)
{
    return amd_emu_read_mask(w, code) == 0;
}

uint32_t
amd_emu_read_s32(const emu_wave *w, const amd_inst *in, uint32_t code)
{
    if (code < EMU_SREGS)
        return w->sgpr[code];
    if (code <= 192)
        return code - AMD_SRC_INT_0;
    if (code <= 208)
        return (uint32_t)(192 - (int)code);
    if (code >= AMD_SRC_F_0_5 && code <= AMD_SRC_F_INV_2PI)
        return (uint32_t)amd_emu_inline_float(code, 32);
    switch (code) {
    case AMD_SRC_LITERAL: return in->literal;
    case AMD_SRC_VCCZ: return mask_is_zero(w, AMD_REG_VCC_LO);
    case AMD_SRC_EXECZ: return mask_is_zero(w, AMD_REG_EXEC_LO);
    case AMD_SRC_SCC: return w->scc;
    default: return (uint32_t)amd_emu_read_s64(w, in, code);
    }
}

/* A literal as 64 bits: sign-extended for signed integers, zero-extended for others (LLVM,
 * AMDGPUOperandSyntax, "Conversion of integer values"). amd_emu_wide_source handles doubles,
 * whose high half is the literal. */
static uint64_t
wide_literal(const amd_inst *in)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    for (unsigned s = 0; row && s < amd_op_src_count(row); s++)
        if (in->src[s] == AMD_SRC_LITERAL && amd_op_src(row, s)->type == AMD_T_I64)
            return (uint64_t)(int64_t)(int32_t)in->literal;
    return in->literal;
}

uint64_t
amd_emu_read_s64(const emu_wave *w, const amd_inst *in, uint32_t code)
{
    if (code == AMD_REG_NULL)
        return 0;
    if (code < EMU_SREGS)
        return w->sgpr[code] | (uint64_t)(code + 1 < EMU_SREGS ? w->sgpr[code + 1] : 0) << 32;
    if (code <= 192)
        return code - AMD_SRC_INT_0;
    if (code <= 208)
        return (uint64_t)(192 - (int64_t)code);
    if (code >= AMD_SRC_F_0_5 && code <= AMD_SRC_F_INV_2PI)
        return amd_emu_inline_float(code, 64);
    switch (code) {
    case AMD_SRC_LITERAL: return wide_literal(in);
    case AMD_SRC_SHARED_BASE: return AMD_EMU_SHARED_BASE;
    case AMD_SRC_SHARED_LIMIT: return AMD_EMU_SHARED_BASE | UINT32_MAX;
    case AMD_SRC_PRIVATE_BASE: return AMD_EMU_PRIVATE_BASE;
    case AMD_SRC_PRIVATE_LIMIT: return AMD_EMU_PRIVATE_BASE | UINT32_MAX;
    case AMD_SRC_VCCZ: return mask_is_zero(w, AMD_REG_VCC_LO);
    case AMD_SRC_EXECZ: return mask_is_zero(w, AMD_REG_EXEC_LO);
    case AMD_SRC_SCC: return w->scc;
    case AMD_SRC_LDS_DIRECT: return w->lds_direct;
    case AMD_SRC_POPS_EXITING_WAVE_ID: return 0; /* pixels.c gives waves their numbers */
    default: return 0;
    }
}

void
amd_emu_spread(uint64_t mask, uint32_t lanes, uint32_t *out)
{
    static const uint32_t bit[16] = {0x1,   0x2,   0x4,   0x8,   0x10,   0x20,   0x40,   0x80,
                                     0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000};
    for (uint32_t first = 0; first < lanes; first += 16) {
        uint32_t part = (uint32_t)(mask >> first);
        for (uint32_t l = 0; l < 16; l++)
            out[first + l] = 0u - (uint32_t)((part & bit[l]) != 0);
    }
}

void
amd_emu_spread_exec(emu_wave *w)
{
    uint64_t exec = amd_emu_exec(w);
    if (exec != w->exec_spread) {
        amd_emu_spread(exec, w->lanes, w->exec_lanes);
        w->exec_spread = exec;
    }
}
