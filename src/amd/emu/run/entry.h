/* The initial state of waves. */
#ifndef AMD_EMU_ENTRY_H
#define AMD_EMU_ENTRY_H

#include "amd/emu/core/wave.h"

/* Sets a wave's state at the start of its group. Its storage (registers, checkers) is already
 * allocated. */
void
amd_emu_start_wave(emu_wave *w);

#endif
