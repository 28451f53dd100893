/* Answers of is_helper_invocation behind demotes, for back ends whose hardware says which
 * invocations began as helpers. */
#ifndef OPT_LOWER_HELPER_H
#define OPT_LOWER_HELPER_H

#include "ir/ir.h"

/* Makes of each question for helpers one that the hardware answers, or a variable says. Needs
 * dominance, and keeps the CFG. Returns true if it changed `f`. */
bool
opt_lower_helper(ir_fn *f);

#endif
