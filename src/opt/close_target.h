/* Loops whose continue region reads no value of an arm of the body. */
#ifndef OPT_CLOSE_TARGET_H
#define OPT_CLOSE_TARGET_H

#include "ir/hir.h"

/* Gives phis in the continue block to values that are defined in an if (or a loop) of the body of
 * the loop that `opener` opens, and used in the continue region or the next iteration. Constants
 * move before the loop. */
void
opt_close_target(ir_fn *f, ir_block *opener);

#endif
