/* Decides which instructions may be speculated, that is, run where the program does not run them.
 */
#ifndef OPT_SPECULATE_H
#define OPT_SPECULATE_H

#include "ir/hir.h"

/* Returns true if the instruction (in a block) has one result and no effect, does not depend on the
 * active lanes, reads nothing that may change, and is harmless with operands that the program would
 * not give it: it makes no access outside memory that is bounds-checked or known to exist. */
bool
opt_may_speculate(const ir_instr *i);

#endif
