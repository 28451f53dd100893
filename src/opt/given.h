/* What the whole dispatch is given: numbers that a preamble computes once. */
#ifndef OPT_GIVEN_H
#define OPT_GIVEN_H

#include "ir/ir.h"

/* By value, in scratch memory: constants, numbers of the draw or dispatch, what is loaded from a
 * known place of a uniform buffer, of the push constants, of a table or of memory that nothing
 * changes, and what is computed from such alone. NULL if the machine has no preamble
 * (ir_ctx.computes_once). HIR only. */
const bool *
opt_find_given(const ir_fn *f);

#endif
