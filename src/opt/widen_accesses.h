/* widen_accesses: loads and stores of small numbers in storage buffers. */
#ifndef OPT_WIDEN_ACCESSES_H
#define OPT_WIDEN_ACCESSES_H

#include "ir/ir.h"

/* For machines whose loads and stores of storage buffers have at least `least` bits, 16 or 32:
 * those of fewer bits become accesses of dwords. Leaves what is not a multiple of its own size.
 * Keeps dominance and loops. Returns true if it changed `f`. */
bool
opt_widen_accesses(ir_fn *f, unsigned least);

#endif
