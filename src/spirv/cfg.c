/* The control flow graph of a function: successors, reachability, and the structural dominator
 * tree (SPIR-V 1.6, 2.11.1: the graph with edges from each header to its merge block and continue
 * target added).
 *
 * The depth-first walk visits merge blocks first, then continue targets, then successors from last
 * to first. Reverse post-order therefore puts one arm completely before the other, a body before
 * its continue construct, a whole construct before its merge block, and fall-through cases in
 * order. Dominators follow Cooper, Harvey and Kennedy 2001, with jump pointers (base/tree.h) as
 * long as the graph is reducible; walks in irreducible graphs are charged to the budget.
 */
#include "base/tree.h"
#include "spirv/reader.h"

#include <stdlib.h>

/* ---- successors ---- */

static uint32_t
block_of(spirv_reader *r, const spirv_func *f, uint32_t label)
{
    const spirv_id *id = spirv_id_of(r, label);
    if (id->kind != SPIRV_ID_LABEL || !id->label || id->label->func != f)
        spirv_invalid(r, "id %u is not a label of this function", label);
    return id->label->index;
}

static void
add_succ(spirv_reader *r, spirv_block *b, uint32_t label)
{
    b->succs[b->n_succs++] = block_of(r, b->func, label);
}

static int
compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Removes duplicate successors. More than two are sorted in block order first. */
static void
drop_doubles(spirv_block *b)
{
    uint32_t n = 0;
    if (b->n_succs > 2)
        qsort(b->succs, b->n_succs, sizeof *b->succs, compare_u32);
    for (uint32_t k = 0; k < b->n_succs; k++) {
        if (!n || b->succs[n - 1] != b->succs[k])
            b->succs[n++] = b->succs[k];
    }
    b->n_succs = n;
}

/* Number of words of a literal of OpSwitch, whose selector's id is in word 1. */
unsigned
spirv_switch_literal_words(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_ref(r, i, 1)->type;
    if (!t || t->kind != SPIRV_INT)
        spirv_invalid(r, "the selector is not an integer scalar");
    return t->bits == 64 ? 2 : 1;
}

static void
read_switch(spirv_reader *r, spirv_block *b, const spirv_insn *i)
{
    unsigned words = spirv_switch_literal_words(r, i) + 1;
    if ((i->n - 3u) % words)
        spirv_invalid(r, "literals and labels do not come in pairs");
    b->succs = ARENA_ARRAY(r->a, (i->n - 3u) / words + 1, uint32_t);
    add_succ(r, b, i->w[2]);
    for (unsigned k = 3 + words - 1; k < i->n; k += words)
        add_succ(r, b, i->w[k]);
}

static void
read_terminator(spirv_reader *r, spirv_block *b)
{
    spirv_insn i = spirv_insn_at(r, b->end);
    switch (i.op) {
    case SPIRV_OpBranch:
        b->succs = ARENA_NEW(r->a, uint32_t);
        add_succ(r, b, i.w[1]);
        break;
    case SPIRV_OpBranchConditional:
        b->succs = ARENA_ARRAY(r->a, 2, uint32_t);
        add_succ(r, b, i.w[2]);
        add_succ(r, b, i.w[3]);
        break;
    case SPIRV_OpSwitch: read_switch(r, b, &i); break;
    default: b->func->n_returns += spirv_returns(b); break;
    }
    drop_doubles(b);
}

static void
read_merge(spirv_reader *r, spirv_block *b)
{
    b->merge = b->cont = UINT32_MAX;
    if (!b->merge_at)
        return;
    spirv_insn i = spirv_insn_at(r, b->merge_at);
    b->merge = block_of(r, b->func, i.w[1]);
    if (i.op == SPIRV_OpLoopMerge)
        b->cont = block_of(r, b->func, i.w[2]);
    if (b->merge == b->index || b->merge == b->cont)
        spirv_invalid(r, "a merge block is its own header or continue target");
}

/* ---- reachability and order ---- */

typedef struct visit {
    uint32_t block, next;
} visit;

static void
mark_reachable(spirv_reader *r, spirv_func *f)
{
    uint32_t *stack = ARENA_ARRAY(r->a, f->n_blocks, uint32_t), n = 0;
    f->blocks[0].reachable = true;
    stack[n++] = 0;
    while (n) {
        const spirv_block *b = &f->blocks[stack[--n]];
        f->n_reachable++;
        for (uint32_t k = 0; k < b->n_succs; k++) {
            spirv_block *s = &f->blocks[b->succs[k]];
            if (!s->reachable)
                stack[n++] = s->index;
            s->reachable = true;
            s->n_preds++;
        }
    }
    if (f->blocks[0].n_preds)
        spirv_invalid(r, "the first block of function id %u is branched to", f->id);
}

/* The k-th structural successor in the order of the walk, or UINT32_MAX after the last. For an
 * unreachable block it is UINT32_MAX - 1. */
static uint32_t
structural_succ(const spirv_func *f, const spirv_block *b, uint32_t k)
{
    uint32_t s;
    if (k == 0)
        s = b->merge;
    else if (k == 1)
        s = b->cont;
    else if (k - 2 < b->n_succs)
        s = b->succs[b->n_succs - 1 - (k - 2)];
    else
        return UINT32_MAX;
    return s != UINT32_MAX && f->blocks[s].reachable ? s : UINT32_MAX - 1;
}

static void
order_blocks(spirv_reader *r, spirv_func *f)
{
    visit *stack = ARENA_ARRAY(r->a, f->n_blocks, visit);
    uint32_t n = 0, left = f->n_reachable;
    f->by_rpo = ARENA_ARRAY(r->a, f->n_reachable, uint32_t);
    for (uint32_t k = 0; k < f->n_blocks; k++)
        f->blocks[k].rpo = UINT32_MAX;
    f->blocks[0].rpo = 0;
    stack[n++] = (visit){0, 0};
    while (n) {
        visit *v = &stack[n - 1];
        uint32_t s = structural_succ(f, &f->blocks[v->block], v->next++);
        if (s == UINT32_MAX) {
            f->by_rpo[--left] = v->block;
            f->blocks[v->block].rpo = left;
            n--;
        } else if (s != UINT32_MAX - 1 && f->blocks[s].rpo == UINT32_MAX) {
            f->blocks[s].rpo = 0; /* visited */
            stack[n++] = (visit){s, 0};
        }
    }
}

static void
collect_preds(spirv_reader *r, spirv_func *f)
{
    f->pred_at = ARENA_ARRAY(r->a, f->n_blocks + 1u, uint32_t);
    for (uint32_t k = 0; k < f->n_blocks; k++)
        f->pred_at[k + 1] = f->pred_at[k] + f->blocks[k].n_preds;
    uint32_t *fill = ARENA_ARRAY(r->a, f->n_blocks, uint32_t);
    f->preds = ARENA_ARRAY(r->a, f->pred_at[f->n_blocks], uint32_t);
    for (uint32_t k = 0; k < f->n_reachable; k++) {
        const spirv_block *b = &f->blocks[f->by_rpo[k]];
        for (uint32_t s = 0; s < b->n_succs; s++) {
            uint32_t to = b->succs[s];
            f->preds[f->pred_at[to] + fill[to]++] = b->index;
        }
    }
}

/* ---- dominators ---- */

static uint32_t
common_dominator(spirv_reader *r, const spirv_func *f, uint32_t a, uint32_t b)
{
    uint32_t steps = 0;
    while (a != b) {
        while (f->blocks[a].rpo > f->blocks[b].rpo)
            a = f->blocks[a].idom, steps++;
        while (f->blocks[b].rpo > f->blocks[a].rpo)
            b = f->blocks[b].idom, steps++;
    }
    spirv_charge(r, steps / 16);
    return a;
}

/* Handles an edge in the tree's first round, in which all blocks earlier in reverse post-order are
 * already in the tree. Returns false if the edge goes back to a block that does not dominate
 * `from`. */
static bool
take_edge(spirv_func *f, const base_tree_node *t, const spirv_block *from, uint32_t to)
{
    if (to == UINT32_MAX || !f->blocks[to].reachable || !to)
        return true;
    spirv_block *b = &f->blocks[to];
    if (b->rpo <= from->rpo)
        return tree_ancestor(t, from->index, t[to].depth) == to;
    b->idom = b->idom == UINT32_MAX ? from->index : tree_common(t, b->idom, from->index);
    return true;
}

/* Does one round, which is enough if all back edges go to dominators. Returns true if they do. */
static bool
build_dominators(spirv_reader *r, spirv_func *f)
{
    bool reducible = true;
    uint32_t n = f->n_blocks;
    base_tree_node *t = ARENA_ARRAY(r->a, n, base_tree_node);
    spirv_charge(r, f->n_reachable);
    for (uint32_t k = 0; k < f->n_reachable; k++) {
        const spirv_block *b = &f->blocks[f->by_rpo[k]];
        if (k)
            tree_put(t, b->index, b->idom);
        reducible &= take_edge(f, t, b, b->merge);
        reducible &= take_edge(f, t, b, b->cont);
        for (uint32_t s = 0; s < b->n_succs; s++)
            reducible &= take_edge(f, t, b, b->succs[s]);
    }
    return reducible;
}

static bool
merge_idom(spirv_reader *r, spirv_func *f, const spirv_block *from, uint32_t to)
{
    if (to == UINT32_MAX || !f->blocks[to].reachable || !to)
        return false;
    spirv_block *b = &f->blocks[to];
    uint32_t d = common_dominator(r, f, b->idom, from->index);
    bool changed = d != b->idom;
    b->idom = d;
    return changed;
}

static void
compute_dominators(spirv_reader *r, spirv_func *f)
{
    for (uint32_t k = 0; k < f->n_blocks; k++)
        f->blocks[k].idom = UINT32_MAX;
    f->blocks[0].idom = 0;
    bool changed = !build_dominators(r, f);
    while (changed) {
        changed = false;
        spirv_charge(r, f->n_reachable);
        for (uint32_t k = 0; k < f->n_reachable; k++) {
            const spirv_block *b = &f->blocks[f->by_rpo[k]];
            changed |= merge_idom(r, f, b, b->merge);
            changed |= merge_idom(r, f, b, b->cont);
            for (uint32_t s = 0; s < b->n_succs; s++)
                changed |= merge_idom(r, f, b, b->succs[s]);
        }
    }
}

/* Sets the children in reverse post-order and the pre and post numbers. */
static void
build_tree(spirv_reader *r, spirv_func *f)
{
    uint32_t *size = ARENA_ARRAY(r->a, f->n_blocks, uint32_t);
    for (uint32_t k = 0; k < f->n_blocks; k++)
        f->blocks[k].child = f->blocks[k].sibling = UINT32_MAX;
    for (uint32_t k = f->n_reachable; k-- > 0;) {
        spirv_block *b = &f->blocks[f->by_rpo[k]];
        size[b->index]++;
        if (!b->index)
            continue;
        spirv_block *parent = &f->blocks[b->idom];
        b->sibling = parent->child;
        parent->child = b->index;
        size[parent->index] += size[b->index];
    }
    f->by_pre = ARENA_ARRAY(r->a, f->n_reachable, uint32_t);
    for (uint32_t k = 0; k < f->n_reachable; k++) {
        spirv_block *b = &f->blocks[f->by_rpo[k]];
        f->by_pre[b->pre] = b->index;
        b->post = b->pre + size[b->index];
        uint32_t pre = b->pre + 1;
        for (uint32_t c = b->child; c != UINT32_MAX; c = f->blocks[c].sibling) {
            f->blocks[c].pre = pre;
            pre += size[c];
        }
    }
}

/* The only block that branches to `b`, ignoring back edges; NULL if there are several. */
static const spirv_block *
only_pred(const spirv_func *f, const spirv_block *b)
{
    const spirv_block *only = NULL;
    for (uint32_t p = f->pred_at[b->index]; p < f->pred_at[b->index + 1]; p++) {
        const spirv_block *pred = &f->blocks[f->preds[p]];
        if (spirv_dominates(b, pred))
            continue;
        if (only)
            return NULL;
        only = pred;
    }
    return only;
}

/* Marks joins: blocks that are not just an arm of their dominator. */
static void
mark_joins(spirv_func *f)
{
    for (uint32_t k = 0; k < f->n_blocks; k++) {
        spirv_block *b = &f->blocks[k];
        if (!b->reachable)
            continue;
        const spirv_block *pred = only_pred(f, b);
        b->is_join |= !pred || pred->index != b->idom;
        if (b->merge != UINT32_MAX)
            f->blocks[b->merge].is_join = true;
        if (b->cont != UINT32_MAX && b->cont != b->index)
            f->blocks[b->cont].is_join = true;
    }
}

void
spirv_build_cfg(spirv_reader *r, spirv_func *f)
{
    if (f->by_rpo || !f->n_blocks)
        return;
    for (uint32_t k = 0; k < f->n_blocks; k++) {
        read_terminator(r, &f->blocks[k]);
        read_merge(r, &f->blocks[k]);
    }
    mark_reachable(r, f);
    order_blocks(r, f);
    collect_preds(r, f);
    compute_dominators(r, f);
    build_tree(r, f);
    mark_joins(f);
}
