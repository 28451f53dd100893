/* Instructions of graphics programs, for the loop.
 *
 * A binder sets `run` and `op` of an instruction whose `in` and `row` are set. It returns false if
 * the instruction is not its own.
 */
#ifndef AMD_EMU_GRAPHICS_H
#define AMD_EMU_GRAPHICS_H

#include "amd/emu/core/inst.h"

bool
amd_emu_bind_interp(emu_inst *i);
bool
amd_emu_bind_vinterp(emu_inst *i);
bool
amd_emu_bind_export(emu_inst *i);

/* Sets the source lds_direct, then runs the instruction's own handler, i->inner (interp.c). */
void
amd_emu_lds_direct(emu_wave *w, const emu_inst *i);

#endif
