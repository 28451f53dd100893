/* Register allocation on SSA, and the check of what it did. */
#ifndef CG_REGISTER_ALLOCATION_H
#define CG_REGISTER_ALLOCATION_H

#include "ir/ir.h"

/* Gives every value a register of its class; needs liveness, and a demand that keeps to the
 * budgets of cg_state. Fails with ERR_INTERNAL where it does not. */
void
cg_allocate_registers(ir_fn *f);

/* Independent check of an allocation; fails with IR_VERIFY. */
void
cg_validate_registers(ir_fn *f);

#endif
