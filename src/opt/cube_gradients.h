/* cube_gradients: gradients of a direction become those of coordinates on the face that the
 * direction points to, which is what instructions take. */
#ifndef OPT_CUBE_GRADIENTS_H
#define OPT_CUBE_GRADIENTS_H

#include "ir/hir.h"

/* Returns true if it changed `f`. Keeps dominance and loops. */
bool
opt_lower_cube_gradients(ir_fn *f);

#endif
