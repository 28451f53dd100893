/* Scalar operands, lane masks, and registers that m0 selects. */
#ifndef AMD_EMU_OPERAND_H
#define AMD_EMU_OPERAND_H

#include "amd/emu/core/wave.h"

static inline uint64_t
amd_emu_exec(const emu_wave *w)
{
    return w->sgpr[AMD_REG_EXEC_LO] |
           (w->lanes > 32 ? (uint64_t)w->sgpr[AMD_REG_EXEC_HI] << 32 : 0);
}

/* A lane mask in the SGPR (pair) `code`, truncated to the wave's lanes. */
static inline uint64_t
amd_emu_read_mask(const emu_wave *w, uint32_t code)
{
    return w->sgpr[code] | (w->lanes > 32 ? (uint64_t)w->sgpr[code + 1] << 32 : 0);
}

static inline void
amd_emu_write_s32(emu_wave *w, uint32_t code, uint32_t v)
{
    if (code < EMU_SREGS && code != AMD_REG_NULL)
        w->sgpr[code] = v;
}

static inline void
amd_emu_write_s64(emu_wave *w, uint32_t code, uint64_t v)
{
    if (code != AMD_REG_NULL) {
        amd_emu_write_s32(w, code, (uint32_t)v);
        amd_emu_write_s32(w, code + 1, (uint32_t)(v >> 32));
    }
}

/* Writes a lane mask: one SGPR in wave32, two in wave64. */
static inline void
amd_emu_write_mask(emu_wave *w, uint32_t code, uint64_t v)
{
    if (w->lanes > 32)
        amd_emu_write_s64(w, code, v);
    else
        amd_emu_write_s32(w, code, (uint32_t)v);
}

/* The value of a 32-bit scalar source (any code below 256). For 64-bit sources, constants are
 * extended as in the ISA's operand table (literals with zeros). operand.c */
uint32_t
amd_emu_read_s32(const emu_wave *w, const amd_inst *in, uint32_t code);
uint64_t
amd_emu_read_s64(const emu_wave *w, const amd_inst *in, uint32_t code);

/* An inline float constant (codes 240 to 248) in a format of 16, 32 or 64 bits. */
uint64_t
amd_emu_inline_float(uint32_t code, unsigned bits);

/* Updates exec_lanes to match exec. */
void
amd_emu_spread_exec(emu_wave *w);
/* Expands each bit of `mask` to 0 or ~0 per lane. */
void
amd_emu_spread(uint64_t mask, uint32_t lanes, uint32_t *out);

/* Registers selected by m0 (index.c). amd_emu_is_relative: is the opcode v_movrel*,
 * v_swaprel_b32 or s_movrel*? Its operands become the selected registers: v0 for VGPRs that are
 * not allocated; an SGPR is unchanged if the index is beyond the last one. amd_emu_resolved does
 * this in a copy, including its ranges, for the checkers. */
bool
amd_emu_is_relative(const amd_inst *in);
void
amd_emu_resolve_relative(const emu_wave *w, amd_inst *in);
const emu_inst *
amd_emu_resolved(const emu_wave *w, const emu_inst *i, emu_inst *room);

#endif
