/* Upper bounds of unsigned integers: what an operation cannot exceed, whatever the shader reads. */
#ifndef IR_BOUNDS_H
#define IR_BOUNDS_H

#include "ir/hir.h"

/* The largest number that the scalar integer `r` can be, all bits if nothing is known. Looks at a
 * few levels of operands, so the time is bounded. */
uint64_t
ir_upper_bound(const ir_fn *f, ir_ref r);

#endif
