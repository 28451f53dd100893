/* Subgroup operations on booleans, by ballots. */
#ifndef OPT_SUBGROUP_BOOL_H
#define OPT_SUBGROUP_BOOL_H

#include "ir/builder.h"

/* The result of `i`, whose first operand is a boolean, made of ballots where the builder stands;
 * none if it has no such form. */
ir_ref
opt_subgroup_bool(ir_builder *b, const ir_instr *i);

#endif
