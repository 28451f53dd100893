/* lower_shuffle: values of any lane of a wave64, through LDS. */
#ifndef AMD_LOWER_SHUFFLE_H
#define AMD_LOWER_SHUFFLE_H

#include "amd/amd.h"

/* Gives the program the LDS that it takes. Needs divergence, and keeps it right for the results;
 * true if it changed the function. */
bool
amd_lower_shuffles(ir_fn *f, amd_program *p);

#endif
