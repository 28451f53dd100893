/* HIR to simpler HIR, before selection: operations that Adreno lacks. */
#ifndef ADRENO_LOWER_LOWER_H
#define ADRENO_LOWER_LOWER_H

#include "ir/builder.h"

/* Replaces operations on numbers. Returns true if it changed `f`. */
bool
adreno_lower_values(ir_fn *f);

/* Moves the reading of varyings to the start of a fragment shader, folds ifs that only demote. */
void
adreno_lower_stage(ir_fn *f);

#endif
