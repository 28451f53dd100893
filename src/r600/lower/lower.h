/* HIR to simpler HIR, before selection: operations that TeraScale lacks. */
#ifndef R600_LOWER_LOWER_H
#define R600_LOWER_LOWER_H

#include "ir/builder.h"

/* Replaces operations on numbers. Returns true if it changed `f`. */
bool
r600_lower_values(ir_fn *f);

/* Gives loops one way to a continue region that selection should not copy. Returns true if it
 * changed `f`. */
bool
r600_nest_continues(ir_fn *f);

#endif
