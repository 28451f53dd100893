/* HIR to simpler HIR, before selection: operations that TeraScale lacks. */
#ifndef R600_LOWER_LOWER_H
#define R600_LOWER_LOWER_H

#include "ir/builder.h"
#include "r600/isa/table/table.h"

/* Replaces operations on numbers. Returns true if it changed `f`. */
bool
r600_lower_values(ir_fn *f);

/* Gives loops one way to a continue region that selection should not copy. Returns true if it
 * changed `f`. */
bool
r600_nest_continues(ir_fn *f);

/* Operations that the chip lacks become others, and questions about helpers know of demotes. */
void
r600_lower_chip(ir_fn *f, const r600_chip *chip);

#endif
