/* What allocation needs that only this family has; the passes are in src/cg. */
#ifndef ADRENO_RA_RA_H
#define ADRENO_RA_RA_H

#include "ir/ir.h"

void
adreno_spill(ir_fn *f);
void
adreno_register_allocation(ir_fn *f);

#endif
