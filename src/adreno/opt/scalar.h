/* The scalar ALU (opt/scalar.c). */
#ifndef ADRENO_OPT_SCALAR_H
#define ADRENO_OPT_SCALAR_H

#include "adreno/adreno.h"

/* Can the instruction, or what becomes of it, have shared registers alone? */
bool
adreno_has_scalar(const ir_instr *i);

/* Makes an instruction with such registers one that the scalar ALU has. */
void
adreno_make_scalar(ir_instr *i);

#endif
