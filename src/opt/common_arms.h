/* What both arms of an if compute. */
#ifndef OPT_COMMON_ARMS_H
#define OPT_COMMON_ARMS_H

#include "ir/replace.h"

/* Moves operations that the first blocks of both arms of the if at the end of `a` compute to before
 * it, and adds the replacements of the second ones to `map`. Returns true if there were any. */
bool
opt_hoist_common(ir_replacement *map, ir_block *a);

#endif
