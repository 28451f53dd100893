/* Value numbering over the dominator tree of a machine level. */
#ifndef CG_VALUE_NUMBERING_H
#define CG_VALUE_NUMBERING_H

#include "ir/machine.h"

/* Keeps one of several equal instructions if it dominates the others along the edges of its
 * results. Needs SSA, dominance and loops, and must run before bundles are made. */
void
cg_number_values(ir_fn *f);

#endif
