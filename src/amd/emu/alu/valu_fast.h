/* Faster handlers of vector ALU instructions. */
#ifndef AMD_EMU_VALU_FAST_H
#define AMD_EMU_VALU_FAST_H

#include "amd/emu/alu/valu_rows.h"

/* The handler of instructions without modifiers (valu_plain.c). amd_emu_is_plain tells which
 * ones these are, and sets i->keep. */
emu_handler amd_emu_run_plain;
bool
amd_emu_is_plain(emu_inst *i, const emu_valu *v);

/* Replaces the general handler of a bound instruction by a faster one, if there is one
 * (valu_quick.c). */
void
amd_emu_bind_quick(emu_inst *i);

#endif
