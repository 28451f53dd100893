/* Copies of regions. A region is a run of blocks that are contiguous in structured order. */
#ifndef OPT_CLONE_H
#define OPT_CLONE_H

#include "ir/hir.h"

/* One copy. The caller provides both maps and may fill in what values and blocks outside the region
 * become in the copy (for example a loop's header phis). */
typedef struct opt_copy {
    ir_block **blocks; /* by index of the original block */
    ir_ref *values;    /* by value: its counterpart in the copy; kind NONE: the value itself */
} opt_copy;

/* Copies the blocks with indices in [first, end). The copies get the index UINT32_MAX and are not
 * placed yet. Edges between copied blocks are copied, in the same order of predecessors; an edge
 * out of the region is copied if its target is in c->blocks. The caller handles phis at such
 * targets. Values that the copy defines are entered in c->values. Instructions for which `skip`
 * returns true are not copied. */
void
opt_clone_region(ir_fn *f, uint32_t first, uint32_t end, opt_copy *c,
                 bool (*skip)(const ir_instr *i, const void *user), const void *user);

/* The counterpart of `r` in the copy. */
ir_ref
opt_copy_ref(const opt_copy *c, ir_ref r);

#endif
