/* Changes to HIR's structured control flow. Removed blocks get the index UINT32_MAX;
 * ir_compact_blocks, which the pass calls at its end, takes them out of f->blocks. Until then the
 * other blocks keep their indices. */
#ifndef OPT_CFG_H
#define OPT_CFG_H

#include "ir/hir.h"
#include "ir/replace.h"

static inline bool
opt_cfg_is_removed(const ir_block *b)
{
    return b->index == UINT32_MAX;
}

/* Is the block the function's first one, or has it predecessors? An if's merge block that no arm
 * reaches stays without, and jumps on (dead_cf). */
static inline bool
opt_cfg_is_reached(const ir_block *b)
{
    return !b->index || b->preds[0].count;
}

/* Removes the blocks with indices in [first, end) and all their edges. */
void
opt_cfg_remove(ir_fn *f, uint32_t first, uint32_t end);

/* Removes `b` alone; its neighbours keep their edges to it, which the pass replaces. */
void
opt_cfg_forget(ir_fn *f, ir_block *b);

/* Has the block nothing but phis and a jump to `to`? */
bool
opt_cfg_only_joins(const ir_block *b, const ir_block *to);

/* Removes `a`'s terminator and its edges. If it opened a construct, it no longer does. */
void
opt_cfg_cut(ir_block *a);

/* Appends `b` to `a`: `a` loses its terminator and ends as `b` did, and `b` is removed. `b` has no
 * predecessor other than `a`. If `a` is its predecessor, `b`'s phis are replaced by the values from
 * there; otherwise the pass has already replaced them. */
void
opt_cfg_join(ir_replacement *map, ir_block *a, ir_block *b);

#endif
