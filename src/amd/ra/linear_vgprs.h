/* The ends of linear VGPRs. */
#ifndef AMD_RA_LINEAR_VGPRS_H
#define AMD_RA_LINEAR_VGPRS_H

#include "ir/ir.h"

/* Inserts p_end_linear_vgpr where a linear VGPR would else end too early. Those that are there
 * count as uses. */
void
amd_end_linear_vgprs(ir_fn *f);

#endif
