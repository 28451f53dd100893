/* Register allocation on SSA, and a check of its result. */
#ifndef CG_REGISTER_ALLOCATION_H
#define CG_REGISTER_ALLOCATION_H

#include "ir/ir.h"

/* Gives every value a register of its class. Needs liveness, and a demand within the budgets of
 * cg_state; otherwise it fails with ERR_INTERNAL. */
void
cg_allocate_registers(ir_fn *f);

/* Independent check of an allocation; fails with IR_VERIFY. */
void
cg_validate_registers(ir_fn *f);

#endif
