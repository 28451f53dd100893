/* Program flow and the wave's state, for the loop.
 *
 * A binder sets `run` and `op` of an instruction whose `in` and `row` are set. It returns false if
 * the instruction is not its own.
 */
#ifndef AMD_EMU_FLOW_H
#define AMD_EMU_FLOW_H

#include "amd/emu/core/wave.h"

bool
amd_emu_bind_sopp(emu_inst *i);
bool
amd_emu_bind_hwreg(emu_inst *i);
bool
amd_emu_bind_trap(emu_inst *i);
bool
amd_emu_bind_barrier(emu_inst *i);
bool
amd_emu_bind_mode(emu_inst *i);

/* gfx6 to gfx942 (mode_gcn.c). amd_emu_mode_special: the MODE bits that change how instructions
 * run. amd_emu_mode_apply: the instruction to execute for `i` while one is set: `i` itself, a
 * copy in `room` with other registers, or NULL for none. */
uint32_t
amd_emu_mode_special(amd_gen gen);
const emu_inst *
amd_emu_mode_apply(emu_wave *w, const emu_inst *i, emu_inst *room);

/* gfx12: removes a wave that has ended from the barriers of its group (barrier.c). */
void
amd_emu_barrier_wave_ended(emu_wave *w);

#endif
