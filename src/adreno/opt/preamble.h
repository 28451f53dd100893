/* The preamble: code that one fibre of the first wave runs for all (opt/preamble.c). */
#ifndef ADRENO_OPT_PREAMBLE_H
#define ADRENO_OPT_PREAMBLE_H

#include "ir/ir.h"

/* Does the instruction of category 6 name its descriptor by a number? */
bool
adreno_has_fixed_descriptor(const ir_instr *i);

enum { ADRENO_PREAMBLE_BLOCKS = 5 }; /* before the program's first block */

/* Is there a preamble? */
bool
adreno_has_preamble(const ir_fn *f);

/* The end of the preamble, before which code may be added; there is one afterwards. */
ir_instr *
adreno_preamble(ir_fn *f);

/* Moves the program's inputs, with which its first block begins. */
void
adreno_move_inputs(ir_block *from, ir_block *to);

/* scalar.c: can the instruction, or what becomes of it, have shared registers alone? */
bool
adreno_has_scalar(const ir_instr *i);

/* Makes an instruction with such registers one that the scalar ALU has. */
void
adreno_make_scalar(ir_instr *i);

#endif
