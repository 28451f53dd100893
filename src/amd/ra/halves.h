/* Values of half a VGPR, see find_halves.c. */
#ifndef AMD_RA_HALVES_H
#define AMD_RA_HALVES_H

#include "amd/amd.h"

/* Makes whole registers of all values of half registers; false if there are none. Liveness is not
 * valid afterwards. */
bool
amd_widen_halves(ir_fn *f);

#endif
