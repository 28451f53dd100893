/* Lowers subgroup operations on booleans to ballots. */
#ifndef OPT_SUBGROUP_BOOL_H
#define OPT_SUBGROUP_BOOL_H

#include "ir/builder.h"

/* Builds the result of `i`, whose first operand is a boolean, from ballots at the builder's
 * position. Returns none if there is no such form. */
ir_ref
opt_subgroup_bool(ir_builder *b, const ir_instr *i);

#endif
