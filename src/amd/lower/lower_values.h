/* lower_values: expresses HIR operations that selection does not support by others that it does.
 *
 * Sizes and levels of images are read from the descriptor's words; reductions of booleans and of 8-
 * and 16-bit numbers use 32 bits; inverse ballots of divergent masks become shifts.
 */
#ifndef AMD_LOWER_VALUES_H
#define AMD_LOWER_VALUES_H

#include "ir/builder.h"

/* Builds the replacement of `i` at the builder's position; returns it, or ir_none(). Image queries
 * must already have their descriptor as operand. */
ir_ref
amd_lower_value(ir_builder *b, const ir_instr *i);

#endif
