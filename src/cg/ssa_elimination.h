/* Leaves SSA after register allocation. */
#ifndef CG_SSA_ELIMINATION_H
#define CG_SSA_ELIMINATION_H

#include "ir/ir.h"

/* Turns phis into parallel copies of registers, removes the logical edges and their markers, and
 * blocks that only jump. Afterwards the function is not in SSA form (f->ssa), and its CFG is the
 * linear one. */
void
cg_ssa_elimination(ir_fn *f);

#endif
