/* Decoding and binding of instructions. */
#ifndef AMD_EMU_CODE_H
#define AMD_EMU_CODE_H

#include "amd/emu/core/wave.h"

/* The decoded instruction at `pc`; NULL, after amd_emu_stop, if there is none. */
emu_inst *
amd_emu_fetch(emu_wave *w, uint64_t pc);

#endif
