/* Changing HIR's structured control flow. Blocks that go get the index UINT32_MAX and are taken out
 * of f->blocks by ir_compact_blocks, which the pass calls at its end; until then the others keep
 * their indices. */
#ifndef OPT_CFG_H
#define OPT_CFG_H

#include "opt/replace.h"

static inline bool
opt_cfg_is_removed(const ir_block *b)
{
    return b->index == UINT32_MAX;
}

/* Removes the blocks with the indices from `first` up to `end` and all edges into and out of them.
 */
void
opt_cfg_remove(ir_fn *f, uint32_t first, uint32_t end);

/* Takes out `a`'s terminator and its edges: what opened a construct does no more. */
void
opt_cfg_cut(ir_block *a);

/* Puts `b` behind `a`: `a` loses its terminator and ends as `b` did, `b` is removed. `b` has no
 * predecessor other than `a`. If it has `a`, its phis are replaced by what comes from there, else
 * the pass has replaced them. */
void
opt_cfg_join(opt_replace *map, ir_block *a, ir_block *b);

/* Makes `to` stand for `from` as a predecessor of `from`'s successors. `to` has none itself. */
void
opt_cfg_move_succs(ir_block *from, ir_block *to);

#endif
