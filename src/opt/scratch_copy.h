/* Scratch memory that is a copy of memory which does not change. */
#ifndef OPT_SCRATCH_COPY_H
#define OPT_SCRATCH_COPY_H

#include "ir/hir.h"

/* Lets loads of scratch memory read where its contents were copied from, if all of it was copied
 * from one place. Returns true if so; nothing accesses scratch memory then. */
bool
opt_forward_scratch_copy(ir_fn *f);

#endif
