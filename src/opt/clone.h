/* Copies of regions: of blocks that stand together in structured order. */
#ifndef OPT_CLONE_H
#define OPT_CLONE_H

#include "ir/hir.h"

/* One copy. Both maps are given by the caller, who may fill in what the region's outside stands for
 * in the copy (for example a loop's header phis). */
typedef struct opt_copy {
    ir_block **blocks; /* by index of the original */
    ir_ref *values;    /* by value: what it is in the copy; kind NONE: itself */
} opt_copy;

/* Copies the blocks with indices from `first` up to `end`; new ones get the index UINT32_MAX and
 * stand in no order yet. Edges between copied blocks are copied, in the same order of predecessors;
 * an edge out of the region is copied if its target is in c->blocks. Phis at such targets are left
 * to the caller. Values that the copy defines are entered in c->values. Instructions for which
 * `skip` is true are not copied. */
void
opt_clone_region(ir_fn *f, uint32_t first, uint32_t end, opt_copy *c,
                 bool (*skip)(const ir_instr *i, const void *user), const void *user);

/* What `r` is in the copy. */
ir_ref
opt_copy_ref(const opt_copy *c, ir_ref r);

#endif
