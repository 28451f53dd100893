/* What allocation needs that only this family has; the passes are in src/cg. */
#ifndef ADRENO_RA_RA_H
#define ADRENO_RA_RA_H

#include "ir/ir.h"

/* By value: the one that should be in the register behind it, so that both can be results of one
 * instruction, or 0. In `a`. */
const uint32_t *
adreno_find_repeat_groups(const ir_fn *f, arena *a);

#endif
