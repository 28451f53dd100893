/* Dominator trees: tables by block. Passes use those of the function, which ir_compute_dominance
 * (ir/analysis.h) makes; the verifier, which may not write into the function, makes its own. */
#ifndef IR_DOMINANCE_H
#define IR_DOMINANCE_H

#include "ir/analysis.h"

#define IR_NO_BLOCK UINT32_MAX

/* A block's immediate dominator, IR_NO_BLOCK for the entry, and its interval; all are IR_NO_BLOCK
 * for unreachable blocks. */
typedef struct ir_dom_node {
    uint32_t idom, pre, post;
} ir_dom_node;

/* Computes the tree along edge list `list`: an array by block index, allocated in `a`. */
ir_dom_node *
ir_dominators(const ir_fn *f, unsigned list, arena *a);

/* The function's own entry for `b`, and the block's immediate dominator or NULL. Need dominance. */
static inline const ir_dom_node *
ir_dom(const ir_block *b, unsigned list)
{
    return &b->fn->dom[list][b->index];
}

static inline ir_block *
ir_idom(const ir_block *b, unsigned list)
{
    uint32_t up = ir_dom(b, list)->idom;
    return up == IR_NO_BLOCK ? NULL : b->fn->blocks[up];
}

static inline bool
ir_dom_tree_has(const ir_dom_node *t, uint32_t above, uint32_t below)
{
    if (above == below)
        return true;
    return t[above].pre != IR_NO_BLOCK && t[below].pre != IR_NO_BLOCK &&
           t[above].pre <= t[below].pre && t[below].pre <= t[above].post;
}

#endif
