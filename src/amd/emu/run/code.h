/* Decoding and binding of instructions. */
#ifndef AMD_EMU_CODE_H
#define AMD_EMU_CODE_H

#include "amd/emu/core/wave.h"

/* The decoded instruction at `pc`; NULL, after amd_emu_stop, if there is none. */
emu_inst *
amd_emu_fetch(emu_wave *w, uint64_t pc);

/* Sets the handler of an instruction whose `in` and `row` are set; false if it is not
 * implemented. */
bool
amd_emu_bind(emu_inst *i);

#endif
