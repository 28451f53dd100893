/* Dominator trees over the logical and the linear edges.
 *
 * As in Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001), blocks are visited
 * in reverse postorder, and a block's immediate dominator becomes the nearest common ancestor of
 * the predecessors visited so far. Their walk up the tree takes time linear in its depth, which
 * makes a chain of early exits quadratic, so this tree has jump pointers (base/tree.h). One visit
 * is enough for a reducible graph; for other graphs the original walk is repeated until nothing
 * changes.
 *
 * The blocks of a large function are far apart in memory. They are read once, in order: the edges
 * become an array of block numbers, and all that follows works on arrays.
 *
 * Interval numbers: a dominates b if b's number lies in a's interval.
 */
#include "ir/dominance.h"
#include "base/tree.h"

#include <assert.h>

typedef struct dom {
    uint32_t n;              /* blocks */
    uint32_t *succs, *start; /* the successors of b: succs[start[b]] to before start[b + 1] */
    uint32_t *rpo;           /* reachable blocks in reverse postorder, starting at `first` */
    uint32_t *order;         /* by block: its position in rpo + 1, or 0 */
    uint32_t first;
    base_tree_node *tree; /* by block; `up` is the immediate dominator */
} dom;

static void
pack_edges(dom *d, const ir_fn *f, unsigned list, arena *a)
{
    size_t cap = 2 * (size_t)d->n, n = 0; /* most blocks have one or two */
    d->succs = arena_alloc(a, cap * sizeof *d->succs);
    d->start = arena_alloc(a, ((size_t)d->n + 1) * sizeof *d->start);
    IR_FOREACH_BLOCK(b, f) {
        const ir_edges *succs = &b->succs[list];
        d->start[b->index] = (uint32_t)n;
        d->succs = arena_grow(a, d->succs, &cap, n + succs->count, sizeof *d->succs);
        for (uint32_t s = 0; s < succs->count; s++)
            d->succs[n++] = succs->at[s]->index;
    }
    d->start[d->n] = (uint32_t)n;
}

typedef struct visit {
    uint32_t block, next; /* the next edge to follow */
} visit;

static void
find_order(dom *d, arena *a)
{
    uint32_t top = 0, place = d->n;
    visit *stack = arena_alloc(a, d->n * sizeof *stack);
    d->rpo = arena_alloc(a, d->n * sizeof *d->rpo);
    d->order = ARENA_ARRAY(a, d->n, uint32_t);
    stack[top++] = (visit){0, d->start[0]};
    d->order[0] = 1;
    while (top) {
        visit *v = &stack[top - 1];
        if (v->next == d->start[v->block + 1]) {
            d->rpo[--place] = v->block;
            top--;
            continue;
        }
        uint32_t s = d->succs[v->next++];
        if (!d->order[s]) {
            d->order[s] = 1;
            stack[top++] = (visit){s, d->start[s]};
        }
    }
    d->first = place;
    for (uint32_t i = place; i < d->n; i++)
        d->order[d->rpo[i]] = i + 1;
}

/* Takes an edge into account in the first visit, in which all blocks earlier in reverse postorder
 * are already in the tree. Returns false if it goes back to a block that does not dominate `from`:
 * it is not a loop's back edge. */
static bool
take_edge(const dom *d, uint32_t from, uint32_t to)
{
    if (d->order[to] <= d->order[from])
        return tree_ancestor(d->tree, from, d->tree[to].depth) == to;
    uint32_t *up = &d->tree[to].up;
    *up = *up == IR_NO_BLOCK ? from : tree_common(d->tree, *up, from);
    return true;
}

/* Visits all blocks once. Returns true if the graph is reducible. */
static bool
build_tree(dom *d, arena *a)
{
    bool reducible = true;
    d->tree = ARENA_ARRAY(a, d->n, base_tree_node);
    for (uint32_t b = 1; b < d->n; b++)
        d->tree[b].up = IR_NO_BLOCK;
    for (uint32_t i = d->first; i < d->n; i++) {
        uint32_t b = d->rpo[i];
        if (b != 0)
            tree_put(d->tree, b, d->tree[b].up);
        for (uint32_t s = d->start[b]; s < d->start[b + 1]; s++)
            reducible &= take_edge(d, b, d->succs[s]);
    }
    return reducible;
}

/* The common ancestor by position in reverse postorder, without using depths. */
static uint32_t
common_ancestor(const dom *d, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (d->order[a] > d->order[b])
            a = d->tree[a].up;
        else
            b = d->tree[b].up;
    }
    return a;
}

/* Takes every edge into account again. Returns true if anything changed. */
static bool
correct_tree(const dom *d)
{
    bool changed = false;
    for (uint32_t i = d->first; i < d->n; i++) {
        for (uint32_t s = d->start[d->rpo[i]]; s < d->start[d->rpo[i] + 1]; s++) {
            uint32_t *up = &d->tree[d->succs[s]].up, common = common_ancestor(d, *up, d->rpo[i]);
            changed |= *up != common;
            *up = common;
        }
    }
    return changed;
}

/* Intervals: first `post` is the number of blocks that a block dominates, then the last number that
 * was given to one of them. */
static void
number_tree(const dom *d, ir_dom_node *t)
{
    for (uint32_t b = 0; b < d->n; b++)
        t[b] = d->order[b] ? (ir_dom_node){d->tree[b].up, 0, 1}
                           : (ir_dom_node){IR_NO_BLOCK, IR_NO_BLOCK, IR_NO_BLOCK};
    for (uint32_t i = d->n; i-- > d->first + 1;)
        t[t[d->rpo[i]].idom].post += t[d->rpo[i]].post;
    t[0] = (ir_dom_node){IR_NO_BLOCK, 0, 0};
    for (uint32_t i = d->first + 1; i < d->n; i++) {
        ir_dom_node *b = &t[d->rpo[i]], *up = &t[b->idom];
        uint32_t size = b->post;
        b->pre = b->post = up->post + 1;
        up->post += size;
    }
}

/* Does each block lead to the next one only? */
static bool
is_chain(const ir_fn *f, unsigned list)
{
    size_t k = 0;
    while (k + 1 < f->n_blocks && f->blocks[k]->succs[list].count == 1 &&
           f->blocks[k]->succs[list].at[0]->index == k + 1)
        k++;
    return k + 1 == f->n_blocks && !f->blocks[k]->succs[list].count;
}

static void
number_chain(ir_dom_node *t, uint32_t n)
{
    for (uint32_t b = 0; b < n; b++)
        t[b] = (ir_dom_node){.idom = b ? b - 1 : IR_NO_BLOCK, .pre = b, .post = n - 1};
}

/* Writes the tree to `t`, an element a block. */
static void
find_dominators(const ir_fn *f, unsigned list, ir_dom_node *t, arena *a)
{
    dom d = {.n = (uint32_t)f->n_blocks};
    if (d.n == 0)
        return;
    if (is_chain(f, list)) {
        number_chain(t, d.n);
        return;
    }
    pack_edges(&d, f, list, a);
    find_order(&d, a);
    if (!build_tree(&d, a)) {
        while (correct_tree(&d))
            continue;
    }
    number_tree(&d, t);
}

ir_dom_node *
ir_dominators(const ir_fn *f, unsigned list, arena *a)
{
    ir_dom_node *t = arena_alloc(a, f->n_blocks * sizeof *t);
    find_dominators(f, list, t, a);
    return t;
}

void
ir_compute_dominance(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    for (unsigned list = 0; list < (f->level->machine ? 2u : 1u); list++) {
        f->dom[list] = arena_grow(f->arena, f->dom[list], &f->cap_dom[list], f->n_blocks,
                                  sizeof *f->dom[list]);
        arena_mark m = arena_save(a); /* may be the function's arena, too */
        find_dominators(f, list, f->dom[list], a);
        arena_release(a, m);
    }
    f->valid |= IR_HAS_DOMINANCE;
}

bool
ir_dominates(const ir_block *a, const ir_block *b, unsigned list)
{
    assert(a->fn->blocks[a->index] == a && b->fn->blocks[b->index] == b);
    return ir_dom_tree_has(a->fn->dom[list], a->index, b->index);
}
