/* What may run where the program does not ask for it. */
#ifndef OPT_SPECULATE_H
#define OPT_SPECULATE_H

#include "ir/hir.h"

/* True if the instruction (in a block) has one result, no effect, does not depend on the active
 * lanes, reads nothing that may change, and can do no harm when it is run with operands that the
 * program would not give it: no access outside of what is bounds-checked or known to be there. */
bool
opt_may_speculate(const ir_instr *i);

#endif
