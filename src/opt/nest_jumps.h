/* Loops without early jumps: the end of the body becomes the only way to the continue region, so
 * that the body can be copied (unroll); or to the merge block of a loop that runs once, so that it
 * is no loop any more (dead_cf). */
#ifndef OPT_NEST_JUMPS_H
#define OPT_NEST_JUMPS_H

#include "ir/hir.h"

/* Rewrites the body of the loop that `opener` opens, for jumps to `target`: its continue block, or
 * its merge block if the continue block is not reached. Returns false and changes nothing if some
 * of them are not reached, or there are more than the code should be nested for. Otherwise
 * f->blocks is in order again afterwards. */
bool
opt_nest_jumps(ir_fn *f, ir_block *opener, ir_block *target);

#endif
