/* Phases on machine IR before registers are allocated. */
#ifndef ADRENO_OPT_OPT_H
#define ADRENO_OPT_OPT_H

#include "ir/ir.h"

/* Moves what is the same for the whole dispatch to the preamble. */
void
adreno_hoist_uniform(ir_fn *f);

enum { ADRENO_PREAMBLE_BLOCKS = 5 }; /* before the program's first block */

/* The end of the preamble, before which code may be added; there is one afterwards. */
ir_instr *
adreno_preamble(ir_fn *f);

/* Combines instructions on SSA; the results stay the same. */
void
adreno_optimize(ir_fn *f);

/* Components of colours that are constants are given in the preamble. */
void
adreno_alias_outputs(ir_fn *f);

/* Textures that are sampled at once are sampled before the wave starts. */
void
adreno_prefetch_textures(ir_fn *f);

/* Numbers become operands where an instruction can hold them: themselves, or by a place in the
 * constant file; else registers. */
void
adreno_place_constants(ir_fn *f);

/* Texture instructions read numbers, constants and what is not in a row where it is. */
void
adreno_alias_textures(ir_fn *f);

#endif
