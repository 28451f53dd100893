/* VGPRs that the halves of a wave64 share (gfx10 to gfx11.5). */
#ifndef AMD_EMU_SHARED_VGPRS_H
#define AMD_EMU_SHARED_VGPRS_H

#include "amd/emu/core/wave.h"

bool
amd_emu_writes_shared_vgprs(const emu_wave *w, const emu_inst *i);

/* Runs the instruction's own handler, i->unshared, and gives what one half wrote to the other. */
void
amd_emu_shared_vgprs(emu_wave *w, const emu_inst *i);

#endif
