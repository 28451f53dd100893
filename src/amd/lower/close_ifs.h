/* close_ifs: passes values that leave a divergent if from one arm through phis. */
#ifndef AMD_CLOSE_IFS_H
#define AMD_CLOSE_IFS_H

#include "ir/ir.h"

/* Runs just before selection. Needs dominance and divergence, keeps both. */
void
amd_close_divergent_ifs(ir_fn *f);

#endif
