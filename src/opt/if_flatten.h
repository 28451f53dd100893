/* if_flatten for machines whose branches cost more or less than usual. */
#ifndef OPT_IF_FLATTEN_H
#define OPT_IF_FLATTEN_H

#include "ir/ir.h"

/* As opt_if_flatten: an if becomes selections where these and its arms take at most `budget` simple
 * operations. Returns true if it changed `f`. */
bool
opt_flatten_ifs(ir_fn *f, unsigned budget);

#endif
