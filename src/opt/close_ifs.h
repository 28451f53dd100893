/* close_ifs: passes values that leave a divergent if from one arm through phis. */
#ifndef OPT_CLOSE_IFS_H
#define OPT_CLOSE_IFS_H

#include "ir/ir.h"

/* Does the machine keep value `id` where it must survive on the linear way, in a register that all
 * lanes share? */
typedef bool (*opt_is_linear)(const ir_fn *f, uint32_t id);

/* Runs just before selection. Needs dominance and divergence, keeps both. */
void
opt_close_divergent_ifs(ir_fn *f, opt_is_linear is_linear);

#endif
