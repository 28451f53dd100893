/* lower_missing: operations that the target's instructions do not compute, by others. */
#ifndef AMD_LOWER_MISSING_H
#define AMD_LOWER_MISSING_H

#include "amd/amd.h"

/* Returns true if it changed `f`. Keeps dominance and loops. */
bool
amd_lower_missing(ir_fn *f);

#endif
