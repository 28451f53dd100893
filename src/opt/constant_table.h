/* Small tables of constants. */
#ifndef OPT_CONSTANT_TABLE_H
#define OPT_CONSTANT_TABLE_H

#include "ir/builder.h"

/* For the load from constant data `i`, whose offset is not constant: an expression of the offset
 * that it builds at the builder's position, or none if the table is too large. */
ir_ref
opt_constant_table(ir_builder *b, const ir_instr *i);

#endif
