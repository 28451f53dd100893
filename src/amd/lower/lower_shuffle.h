/* lower_shuffle: reads values of any lane of a wave64, through LDS. */
#ifndef AMD_LOWER_SHUFFLE_H
#define AMD_LOWER_SHUFFLE_H

#include "amd/amd.h"

/* Allocates LDS in the program. Needs divergence, and keeps it correct for the new values; returns
 * true if it changed the function. */
bool
amd_lower_shuffles(ir_fn *f, amd_program *p);

#endif
