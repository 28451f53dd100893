/* Dominator trees over the logical and the linear edges.
 *
 * As in Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001), blocks are visited
 * in reverse postorder, and a block's immediate dominator becomes the nearest common ancestor of
 * the predecessors visited so far. Their walk up the tree takes time linear in its depth, which
 * makes a chain of early exits quadratic, so this tree has jump pointers (base/tree.h). One visit
 * is enough for a reducible graph; for other graphs the original walk is repeated until nothing
 * changes.
 *
 * Interval numbers: a dominates b if b's number lies in a's interval.
 */
#include "ir/dominance.h"
#include "base/tree.h"

typedef struct dom {
    const ir_fn *f;
    unsigned list;
    uint32_t *rpo;   /* reachable blocks in reverse postorder, starting at `first` */
    uint32_t *order; /* by block: its position in rpo + 1, or 0 */
    uint32_t first;
    base_tree tree; /* `up` is the immediate dominator */
} dom;

static void
postorder(dom *d, arena *a)
{
    uint32_t n = (uint32_t)d->f->n_blocks, top = 0, place = n;
    uint32_t *stack = ARENA_ARRAY(a, n, uint32_t), *child = ARENA_ARRAY(a, n, uint32_t);
    stack[top++] = 0;
    d->order[0] = 1;
    while (top) {
        uint32_t b = stack[top - 1];
        const ir_edges *succs = &d->f->blocks[b]->succs[d->list];
        if (child[b] == succs->count) {
            d->rpo[--place] = b;
            top--;
            continue;
        }
        uint32_t s = succs->at[child[b]++]->index;
        if (!d->order[s]) {
            d->order[s] = 1;
            stack[top++] = s;
        }
    }
    d->first = place;
    for (uint32_t i = place; i < n; i++)
        d->order[d->rpo[i]] = i + 1;
}

static uint32_t
common_ancestor(const dom *d, uint32_t a, uint32_t b)
{
    return tree_common(&d->tree, a, b);
}

/* The same by position in reverse postorder, without using depths. */
static uint32_t
common_ancestor_walking(const dom *d, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (d->order[a] > d->order[b])
            a = d->tree.up[a];
        else
            b = d->tree.up[b];
    }
    return a;
}

/* Visits all blocks once. Returns true if anything changed. */
static bool
visit(dom *d, uint32_t (*common)(const dom *d, uint32_t a, uint32_t b))
{
    bool changed = false;
    for (uint32_t i = d->first + 1; i < d->f->n_blocks; i++) {
        uint32_t b = d->rpo[i], to = IR_NO_BLOCK;
        const ir_edges *preds = &d->f->blocks[b]->preds[d->list];
        for (uint32_t p = 0; p < preds->count; p++) {
            uint32_t from = preds->at[p]->index;
            if (!d->order[from] || (from != 0 && d->tree.up[from] == IR_NO_BLOCK))
                continue;
            to = to == IR_NO_BLOCK ? from : common(d, to, from);
        }
        changed |= d->tree.up[b] != to;
        tree_put(&d->tree, b, to);
    }
    return changed;
}

/* Returns true if an edge comes from a block that is not earlier in reverse postorder and that is
 * not dominated by the target (so it is not a loop's back edge). */
static bool
is_irreducible(const dom *d)
{
    for (uint32_t i = d->first + 1; i < d->f->n_blocks; i++) {
        uint32_t b = d->rpo[i];
        const ir_edges *preds = &d->f->blocks[b]->preds[d->list];
        for (uint32_t p = 0; p < preds->count; p++) {
            uint32_t from = preds->at[p]->index;
            if (d->order[from] > i + 1 && tree_ancestor(&d->tree, from, d->tree.depth[b]) != b)
                return true;
        }
    }
    return false;
}

static void
number_tree(const dom *d, arena *a, ir_dom_tree *t)
{
    uint32_t n = (uint32_t)d->f->n_blocks;
    uint32_t *size = ARENA_ARRAY(a, n, uint32_t), *used = ARENA_ARRAY(a, n, uint32_t);
    for (uint32_t i = n; i-- > d->first;) {
        size[d->rpo[i]]++;
        if (d->rpo[i] != 0)
            size[d->tree.up[d->rpo[i]]] += size[d->rpo[i]];
    }
    for (uint32_t b = 0; b < n; b++)
        t->pre[b] = t->post[b] = IR_NO_BLOCK;
    for (uint32_t i = d->first; i < n; i++) {
        uint32_t b = d->rpo[i], up = d->tree.up[b];
        t->pre[b] = b == 0 ? 0 : t->pre[up] + 1 + used[up];
        t->post[b] = t->pre[b] + size[b] - 1;
        if (b != 0)
            used[up] += size[b];
    }
}

ir_dom_tree
ir_dominators(const ir_fn *f, unsigned list, arena *a)
{
    uint32_t n = (uint32_t)f->n_blocks;
    dom d = {.f = f, .list = list};
    ir_dom_tree t = {ARENA_ARRAY(a, n, uint32_t), ARENA_ARRAY(a, n, uint32_t),
                     ARENA_ARRAY(a, n, uint32_t)};
    if (n == 0)
        return t;
    d.rpo = ARENA_ARRAY(a, n, uint32_t);
    d.order = ARENA_ARRAY(a, n, uint32_t);
    d.tree = (base_tree){t.idom, ARENA_ARRAY(a, n, uint32_t), ARENA_ARRAY(a, n, uint32_t)};
    for (uint32_t b = 0; b < n; b++)
        d.tree.up[b] = IR_NO_BLOCK;
    postorder(&d, a);
    visit(&d, common_ancestor);
    if (is_irreducible(&d)) {
        while (visit(&d, common_ancestor_walking))
            continue;
    }
    number_tree(&d, a, &t);
    return t;
}

void
ir_compute_dominance(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    for (unsigned list = 0; list < (f->level->machine ? 2u : 1u); list++) {
        arena_mark m = arena_save(a);
        ir_dom_tree t = ir_dominators(f, list, a);
        IR_FOREACH_BLOCK(b, f) {
            uint32_t up = t.idom[b->index];
            b->idom[list] = up == IR_NO_BLOCK ? NULL : f->blocks[up];
            b->dom_pre[list] = t.pre[b->index];
            b->dom_post[list] = t.post[b->index];
        }
        arena_release(a, m);
    }
    f->valid |= IR_HAS_DOMINANCE;
}

bool
ir_dominates(const ir_block *a, const ir_block *b, unsigned list)
{
    if (a == b)
        return true;
    return a->dom_pre[list] != IR_NO_BLOCK && b->dom_pre[list] != IR_NO_BLOCK &&
           a->dom_pre[list] <= b->dom_pre[list] && b->dom_pre[list] <= a->dom_post[list];
}
