/* Decides which instructions may stand elsewhere, and which may be speculated, that is, run where
 * the program does not run them. */
#ifndef OPT_SPECULATE_H
#define OPT_SPECULATE_H

#include "ir/hir.h"

/* Returns true if the instruction (in a block) has one result and no effect, does not depend on the
 * active lanes, and reads nothing that may change: an equal one has the same value wherever both
 * may stand. A phi is pure where it is. */
bool
opt_is_pure(const ir_instr *i);

/* Returns true if the instruction is pure, neither a phi nor a terminator, and harmless with
 * operands that the program would not give it: it makes no access outside memory that is
 * bounds-checked or known to exist. */
bool
opt_may_speculate(const ir_instr *i);

#endif
