/* Passes over the tree. */
#ifndef R600_OPT_OPT_H
#define R600_OPT_OPT_H

#include "r600/tree/tree.h"

/* Gives each write of a register a value of its own, with phis where control meets. */
void
r600_opt_rename(tree_program *p);

/* The operation that gives all ones where the comparison of the predicate `op` holds; 0: there is
 * none. */
uint16_t
r600_opt_mask_op(unsigned op);

/* Removes what computes nothing that is used. */
void
r600_opt_dce(tree_program *p);

/* Keeps one of equal operations; forwards moves; algebraic rules. */
void
r600_opt_gvn(tree_program *p);

/* Turns small branches into selections. */
void
r600_opt_if_convert(tree_program *p);

/* Gives each element of an array a variable, and each move of one its elements alone. */
void
r600_opt_isolate_elements(tree_program *p);

/* Makes phis and their operands one variable where they can be, and moves where not. */
void
r600_opt_leave_ssa(tree_program *p);

#endif
