/* The parts of the *undefined* checker: rules for the shadow of an ALU instruction's results, which
 * is computed before the instruction is executed. */
#ifndef AMD_EMU_UNDEFINED_H
#define AMD_EMU_UNDEFINED_H

#include "amd/emu/core/shadow.h"

/* SOP1 to SOPP (undefined_salu.c). */
void
amd_emu_shadow_scalar(emu_wave *w, const emu_inst *i);

/* VOP1 to VOP3P (undefined_valu.c). */
void
amd_emu_shadow_vector(emu_wave *w, const emu_inst *i);

/* Changes `u`, the lanes where each byte of the result is undefined, if the instruction is a step
 * of an exchange by exclusive or (undefined_exchange.c). */
void
amd_emu_shadow_exchange(emu_wave *w, const emu_inst *i, uint64_t u[4]);

/* VOPD. */
void
amd_emu_shadow_dual(emu_wave *w, const emu_inst *i);

#endif
