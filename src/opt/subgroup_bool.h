/* Lowers subgroup operations on booleans to ballots. */
#ifndef OPT_SUBGROUP_BOOL_H
#define OPT_SUBGROUP_BOOL_H

#include "ir/builder.h"

/* The mask of active lanes in which `x` is true. In waves of 32 lanes it is extended from 32 bits,
 * so that what is made of it is found to need only these. */
ir_ref
opt_ballot(ir_builder *b, ir_ref x);

/* Builds the result of `i`, whose first operand is a boolean, from ballots at the builder's
 * position. Returns none if there is no such form. */
ir_ref
opt_subgroup_bool(ir_builder *b, const ir_instr *i);

#endif
