/* The scalar and vector ALU, for the loop.
 *
 * A binder sets `run` and `op` of an instruction whose `in` and `row` are set. It returns false if
 * the instruction is not its own.
 */
#ifndef AMD_EMU_ALU_H
#define AMD_EMU_ALU_H

#include "amd/emu/core/inst.h"

bool
amd_emu_bind_salu(emu_inst *i);
bool
amd_emu_bind_scalar_row(emu_inst *i);
bool
amd_emu_bind_valu(emu_inst *i);
bool
amd_emu_bind_lane(emu_inst *i);
bool
amd_emu_bind_scale(emu_inst *i);
bool
amd_emu_bind_vop3p(emu_inst *i);
bool
amd_emu_bind_vop3p_wide(emu_inst *i);

/* The handler of VOPD (dual.c); the halves are already bound. */
void
amd_emu_dual(emu_wave *w, const emu_inst *i);

#endif
