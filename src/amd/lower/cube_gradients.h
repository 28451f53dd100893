/* cube_gradients: gradients of a direction become those of coordinates on the face that the
 * direction points to, which is what instructions take. */
#ifndef AMD_CUBE_GRADIENTS_H
#define AMD_CUBE_GRADIENTS_H

#include "amd/amd.h"

/* Returns true if it changed `f`. Keeps dominance and loops. */
bool
amd_lower_cube_gradients(ir_fn *f);

#endif
