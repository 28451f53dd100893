/* Moves loads next to earlier ones of places nearby: the first half of vectorize_mem. */
#ifndef OPT_GATHER_LOADS_H
#define OPT_GATHER_LOADS_H

#include "ir/replace.h"

/* The most bytes that one scalar load reads, and between two parts of one load that nothing asked
 * for. */
enum { OPT_SCALAR_BYTES = 64, OPT_SCALAR_HOLE = 8 };

/* Moves uniform loads of unchanging buffers behind loads nearby that dominate them; `map` replaces
 * nothing yet. Returns "changed". Needs dominance and divergence. */
bool
opt_gather_loads(const ir_replacement *map);

#endif
