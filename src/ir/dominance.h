/* Dominator trees as separate tables, for code that may not write into blocks (the verifier).
 * Passes use ir/analysis.h. */
#ifndef IR_DOMINANCE_H
#define IR_DOMINANCE_H

#include "ir/analysis.h"

#define IR_NO_BLOCK UINT32_MAX

/* Arrays by block index. `idom` is IR_NO_BLOCK for unreachable blocks and for the entry. */
typedef struct ir_dom_tree {
    uint32_t *idom, *pre, *post;
} ir_dom_tree;

/* Computes the tree along edge list `list`, allocated in `a`. */
ir_dom_tree
ir_dominators(const ir_fn *f, unsigned list, arena *a);

static inline bool
ir_dom_tree_has(const ir_dom_tree *t, uint32_t above, uint32_t below)
{
    if (above == below)
        return true;
    return t->pre[above] != IR_NO_BLOCK && t->pre[below] != IR_NO_BLOCK &&
           t->pre[above] <= t->pre[below] && t->pre[below] <= t->post[above];
}

#endif
