/* What the rules for 16-bit numbers share. */
#ifndef AMD_OPTIMIZE_HALF_H
#define AMD_OPTIMIZE_HALF_H

#include "amd/opt/combine.h"

/* Is `r` the high half of a register, shifted down, that `i` may read instead? `*from` is the
 * register. */
bool
amd_opt_half_of(const mopt_ctx *c, const ir_instr *i, ir_ref r, ir_ref *from);

#endif
