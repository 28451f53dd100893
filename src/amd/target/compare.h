/* Relations between comparisons. */
#ifndef AMD_COMPARE_H
#define AMD_COMPARE_H

#include "amd/amd.h"

/* The comparison that is true where `op`, of the scalar or the vector unit, is false;
 * AMD_OP_INVALID if there is none. */
unsigned
amd_inverse_compare(unsigned op);

/* The form of the vector comparison `op` that writes exec; AMD_OP_INVALID if the target has
 * none. */
unsigned
amd_exec_compare(const amd_target *t, unsigned op);

/* Does such a comparison write its mask as well as exec? */
bool
amd_exec_compare_has_mask(const amd_target *t, unsigned op);

#endif
