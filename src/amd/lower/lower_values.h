/* lower_values: expresses HIR operations that selection, or the target, does not support by others
 * that it does.
 *
 * Sizes and levels of images are read from the descriptor's words; what is the same for all
 * machines that lack an operation is in opt/expand.h.
 */
#ifndef AMD_LOWER_VALUES_H
#define AMD_LOWER_VALUES_H

#include "amd/amd.h"
#include "ir/builder.h"

/* Builds the replacement of `i` at the builder's position; returns it, or ir_none(). Image queries
 * must already have their descriptor as operand. */
ir_ref
amd_lower_value(ir_builder *b, const amd_target *t, const ir_instr *i);

/* Is `i` an addition, minimum or maximum of floats in memory that the target lacks? Of additions,
 * those of 32 bits in LDS are used. */
bool
amd_lacks_float_atomic(const ir_fn *f, const ir_instr *i);

#endif
