/* Value numbering over the dominator tree of a machine level. */
#ifndef CG_VALUE_NUMBERING_H
#define CG_VALUE_NUMBERING_H

#include "ir/machine.h"

/* Keeps one of equal instructions, where it dominates the others along the edges of its results.
 * Needs SSA, dominance and loops, and that there are no bundles. Returns true if it removed any. */
bool
cg_number_values(ir_fn *f);

#endif
