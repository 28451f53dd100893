/* Spilling to scratch memory. */
#ifndef R600_SPILL_SPILL_H
#define R600_SPILL_SPILL_H

#include "r600/tree/tree.h"

/* Makes a tree in SSA form get by with p->budget components of registers, or as few as its nodes
 * need and some, if that is more; 0: all of them. Sets p->end_scratch. */
void
r600_spill(tree_program *p);

#endif
