/* Decoding and binding of instructions. */
#ifndef AMD_EMU_CODE_H
#define AMD_EMU_CODE_H

#include "amd/emu/core/wave.h"

/* The decoded instruction at `pc`; NULL, after emu_stop, if there is none. */
emu_inst *
emu_fetch(emu_wave *w, uint64_t pc);

/* Sets the handler of an instruction whose `in` and `row` are set; false if it is not
 * implemented. */
bool
emu_bind(emu_inst *i);

#endif
