/* Phases on machine IR before registers are allocated. */
#ifndef ADRENO_OPT_OPT_H
#define ADRENO_OPT_OPT_H

#include "ir/ir.h"

/* Moves what is the same for the whole dispatch to the preamble. */
void
adreno_hoist_uniform(ir_fn *f);

/* Combines instructions on SSA; the results stay the same. */
void
adreno_optimize(ir_fn *f);

/* Textures that are sampled at once are sampled before the wave starts. */
void
adreno_prefetch_textures(ir_fn *f);

/* Numbers become operands where an instruction can hold them: themselves, or by a place in the
 * constant file; else registers. */
void
adreno_place_constants(ir_fn *f);

#endif
