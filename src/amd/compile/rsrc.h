/* The RSRC words of a finished program. */
#ifndef AMD_COMPILE_RSRC_H
#define AMD_COMPILE_RSRC_H

#include "amd/amd.h"

/* COMPUTE_PGM_RSRC1 to 3, or those of the hardware stage that runs the program. May set registers
 * of the program (amd_program.set_regs). */
void
amd_make_rsrc(amd_program *p, uint32_t rsrc[3]);

#endif
