/* Makes conditional instructions of ifs that only demote or end their invocations. */
#ifndef OPT_FOLD_DEMOTES_H
#define OPT_FOLD_DEMOTES_H

#include "ir/ir.h"

/* `demote_if` is the opcode of the back end's own level that demotes where its operand is true.
 * Returns true if it changed the CFG. */
bool
opt_fold_demotes(ir_fn *f, unsigned demote_if);

#endif
