/* Parts of lane operations that the undefined checker uses. */
#ifndef AMD_EMU_LANE_H
#define AMD_EMU_LANE_H

#include "amd/emu/core/wave.h"

/* The move that v_movrel* performs, with the registers that m0 selects; v0 replaces those that are
 * not allocated (lane.c). */
void
amd_emu_movrel_move(const emu_wave *w, const emu_inst *i, emu_inst *move);

/* The VGPRs that v_swap_b32 and v_swaprel_b32 exchange (lane.c). */
void
amd_emu_swap_registers(const emu_wave *w, const amd_inst *in, uint32_t reg[2]);

/* v_swap_b16: the first bit of the half that operand `k` is. */
static inline uint32_t
amd_emu_swapped_half(const amd_inst *in, uint32_t k)
{
    return in->op_sel >> (k ? 0 : 3) & 1 ? 16 : 0;
}

/* v_permlane16_swap_b32, v_permlane32_swap_b32: the lane that lane `l` of a register gets; if it is
 * another one, of the other register. `second`: of the second register. */
uint32_t
amd_emu_swapped_lane(const amd_inst *in, uint32_t l, bool second);

/* The lane that v_permlane16_b32 and related opcodes read for lane `l`. */
uint32_t
amd_emu_permlane_source(const emu_wave *w, const amd_inst *in, uint32_t l);

#endif
