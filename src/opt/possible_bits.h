/* The bits of an integer that may be 1, from the operations that compute it. */
#ifndef OPT_POSSIBLE_BITS_H
#define OPT_POSSIBLE_BITS_H

#include "ir/hir.h"

/* Returns a mask: the bits of `r`, one component of up to 64 bits, not known to be 0. It is
 * also an upper bound of the number. Looks at a limited number of operations. */
uint64_t
opt_possible_bits(const ir_fn *f, ir_ref r);

#endif
