/* Matrix instructions, for the loop.
 *
 * A binder sets `run` and `op` of an instruction whose `in` and `row` are set. It returns false if
 * the instruction is not its own.
 */
#ifndef AMD_EMU_MATRIX_H
#define AMD_EMU_MATRIX_H

#include "amd/emu/core/inst.h"

/* mfma.c, wmma.c */
bool
amd_emu_bind_matrix(emu_inst *i);
bool
amd_emu_bind_wave_matrix(emu_inst *i);

#endif
