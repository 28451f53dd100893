/* lower_values: HIR operations that selection does not know, by others that it does.
 *
 * Sizes and levels of images come from the descriptor's words; reductions of booleans and of 8- and
 * 16-bit numbers go through 32 bits; inverse ballots of masks that differ between lanes are shifts.
 */
#ifndef AMD_LOWER_VALUES_H
#define AMD_LOWER_VALUES_H

#include "ir/builder.h"

/* The replacement of `i`, built at the builder's place, or ir_none(). Image queries must have their
 * descriptor as operand already. */
ir_ref
amd_lower_value(ir_builder *b, const ir_instr *i);

#endif
