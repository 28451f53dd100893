/* The initial state of waves. */
#ifndef AMD_EMU_ENTRY_H
#define AMD_EMU_ENTRY_H

#include "amd/emu/core/wave.h"
#include "amd/emu/run/stage.h"

/* Sets a wave's state at the start of its group. Its storage (registers, checkers) is already
 * allocated. */
void
amd_emu_start_wave(emu_wave *w);

/* The same for a wave of a stage of graphics, whose registers the caller gives. */
void
amd_emu_start_stage_wave(emu_wave *w, const amd_emu_stage_wave *s);

#endif
