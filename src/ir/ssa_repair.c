/* Variables. Phis are placed sparsely: only blocks where the variable changes have entries, and the
 * value at the end of any block is that of the last change that dominates it. A variable with k
 * changes takes time in O(k log k) and the size of their frontiers, independent of the function's
 * size.
 *
 * Blocks are visited in their order, which is reverse postorder apart from back edges, so a phi is
 * made only where the values of the predecessors differ. A loop's header cannot know: it gets a phi
 * if the loop changes the variable.
 */
#include "ir/ssa_repair.h"

#include "ir/dominance.h"
#include "ir/hir.h"
#include "ir/machine.h"

/* ---- phis ---- */

ir_instr *
ir_new_phi(ir_fn *f, const ir_block *b, unsigned list, ir_type type)
{
    unsigned op = f->level->machine ? f->level->machine->ops.phi[list] : (unsigned)IR_phi;
    ir_instr *phi = ir_new_instr(f, op, 1, b->preds[list].count);
    ir_define(f, phi, 0, type);
    return phi;
}

static ir_ref
or_undef(const ir_fn *f, ir_ref r, ir_type type)
{
    if (r.kind != IR_REF_NONE || !f->level->machine)
        return r;
    return ir_pack_ref(IR_REF_UNDEF, 0, IR_REG_NONE, (uint8_t)type, 0);
}

ir_ref
ir_meet(ir_fn *f, ir_block *b, unsigned list, ir_type type, const ir_ref *refs)
{
    uint32_t n = b->preds[list].count, same = 1;
    while (same < n && ir_same_ref(refs[same], refs[0]))
        same++;
    if (same >= n)
        return n ? refs[0] : ir_none();
    ir_instr *phi = ir_new_phi(f, b, list, type);
    for (uint32_t k = 0; k < n; k++)
        phi->refs[k] = or_undef(f, refs[k], type);
    ir_prepend(b, phi);
    return phi->defs[0];
}

/* ---- frontiers ---- */

/* Every block that dominates a predecessor of `b`, but not `b`, has `b` in its list. */
static void
walk_frontiers(ir_ssa_var *v, bool fill)
{
    IR_FOREACH_BLOCK(b, v->f) {
        const ir_edges *preds = &b->preds[v->list];
        v->clock++;
        for (uint32_t i = 0; preds->count > 1 && i < preds->count; i++) {
            const ir_block *r = preds->at[i];
            for (; r && r != ir_idom(b, v->list) && v->seen[r->index] != v->clock;
                 r = ir_idom(r, v->list)) {
                uint32_t at = v->frontier_end[r->index]++;
                v->seen[r->index] = v->clock;
                if (fill)
                    v->frontier[at] = b;
            }
        }
    }
}

ir_ssa_var
ir_ssa_open(ir_fn *f, unsigned list, arena *a)
{
    size_t n = f->n_blocks;
    uint32_t total = 0, most = 0;
    ir_ssa_var v = {.f = f, .list = list};
    v.seen = ARENA_ARRAY(a, n, uint32_t);
    v.entered = ARENA_ARRAY(a, n, uint32_t);
    v.at_start = ARENA_ARRAY(a, n, ir_ref);
    v.at_end = ARENA_ARRAY(a, n, ir_ref);
    v.by_index = ARENA_ARRAY(a, n, ir_block *);
    v.by_tree = ARENA_ARRAY(a, n, ir_block *);
    v.around = ARENA_ARRAY(a, n, uint32_t);
    v.open = ARENA_ARRAY(a, n, ir_instr *);
    v.frontier_end = ARENA_ARRAY(a, n, uint32_t);
    for (size_t k = 0; k < n; k++)
        most = f->blocks[k]->preds[list].count > most ? f->blocks[k]->preds[list].count : most;
    v.refs = ARENA_ARRAY(a, most, ir_ref);
    walk_frontiers(&v, false);
    for (size_t k = 0; k < n; k++) {
        uint32_t count = v.frontier_end[k];
        v.frontier_end[k] = total;
        total += count;
    }
    v.frontier = ARENA_ARRAY(a, total, ir_block *);
    walk_frontiers(&v, true); /* leaves frontier_end[k] at the end of k's list */
    return v;
}

/* ---- changes ---- */

void
ir_ssa_begin(ir_ssa_var *v, ir_type type, const ir_block *first, const ir_block *end)
{
    v->type = type;
    v->first = first;
    v->end = end;
    v->initial = ir_none();
    v->n = 0;
    v->n_open = 0;
    v->clock++;
}

static void
add_change(ir_ssa_var *v, ir_block *b)
{
    bool outside = b->index < v->first->index || (v->end && b->index >= v->end->index);
    if (outside || v->seen[b->index] == v->clock)
        return;
    v->seen[b->index] = v->clock;
    v->at_end[b->index] = ir_none();
    v->by_index[v->n++] = b;
}

void
ir_ssa_define(ir_ssa_var *v, ir_block *b)
{
    add_change(v, b);
}

static void
set_start(ir_ssa_var *v, const ir_block *b, ir_ref r)
{
    v->entered[b->index] = v->clock;
    v->at_start[b->index] = v->at_end[b->index] = r;
}

/* A phi whose operands ir_ssa_finish sets. */
static ir_instr *
open_phi(ir_ssa_var *v, ir_block *b)
{
    ir_instr *phi = ir_new_phi(v->f, b, v->list, v->type);
    ir_prepend(b, phi);
    set_start(v, b, phi->defs[0]);
    v->open[v->n_open++] = phi;
    return phi;
}

ir_instr *
ir_ssa_force_phi(ir_ssa_var *v, ir_block *b)
{
    add_change(v, b);
    return open_phi(v, b);
}

static void
sort_blocks(ir_block **list, uint32_t n, bool by_tree, unsigned edges)
{
    for (uint32_t gap = n / 2; gap; gap /= 2) {
        for (uint32_t k = gap; k < n; k++) {
            ir_block *b = list[k];
            uint32_t at = k, key = by_tree ? ir_dom(b, edges)->pre : b->index;
            for (; at >= gap; at -= gap) {
                const ir_block *other = list[at - gap];
                if ((by_tree ? ir_dom(other, edges)->pre : other->index) < key)
                    break;
                list[at] = list[at - gap];
            }
            list[at] = b;
        }
    }
}

void
ir_ssa_place(ir_ssa_var *v)
{
    for (uint32_t k = 0; k < v->n; k++) {
        uint32_t b = v->by_index[k]->index;
        for (uint32_t i = b ? v->frontier_end[b - 1] : 0; i < v->frontier_end[b]; i++)
            add_change(v, v->frontier[i]);
    }
    for (uint32_t k = 0; k < v->n; k++)
        v->by_tree[k] = v->by_index[k];
    sort_blocks(v->by_index, v->n, false, v->list);
    sort_blocks(v->by_tree, v->n, true, v->list);
    for (uint32_t k = 0; k < v->n; k++) {
        uint32_t at = k;
        while (at && !ir_dominates(v->by_tree[at - 1], v->by_tree[k], v->list))
            at = v->around[at - 1];
        v->around[k] = at;
    }
}

/* ---- values ---- */

/* What the variable is at the end of `b`. */
static ir_ref
at_end(const ir_ssa_var *v, const ir_block *b)
{
    uint32_t lo = 0, hi = v->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (ir_dom(v->by_tree[mid], v->list)->pre <= ir_dom(b, v->list)->pre)
            lo = mid + 1;
        else
            hi = mid;
    }
    while (lo && !ir_dominates(v->by_tree[lo - 1], b, v->list))
        lo = v->around[lo - 1];
    return lo ? v->at_end[v->by_tree[lo - 1]->index] : v->initial;
}

static bool
is_header(const ir_block *b, unsigned list)
{
    for (uint32_t i = 0; i < b->preds[list].count; i++) {
        if (b->preds[list].at[i]->index >= b->index)
            return true;
    }
    return false;
}

static ir_ref
meet_at(ir_ssa_var *v, ir_block *b)
{
    const ir_edges *preds = &b->preds[v->list];
    for (uint32_t i = 0; i < preds->count; i++)
        v->refs[i] = at_end(v, preds->at[i]);
    return ir_meet(v->f, b, v->list, v->type, v->refs);
}

ir_ref
ir_ssa_at_start(ir_ssa_var *v, ir_block *b)
{
    if (v->entered[b->index] == v->clock)
        return v->at_start[b->index];
    if (v->seen[b->index] != v->clock && b != v->end)
        return ir_idom(b, v->list) ? at_end(v, ir_idom(b, v->list)) : v->initial;
    if (b != v->first && b != v->end && is_header(b, v->list))
        return open_phi(v, b)->defs[0];
    ir_ref r = b == v->first ? v->initial : meet_at(v, b);
    set_start(v, b, r);
    return r;
}

void
ir_ssa_set_end(ir_ssa_var *v, const ir_block *b, ir_ref r)
{
    v->at_end[b->index] = r;
}

void
ir_ssa_finish(ir_ssa_var *v)
{
    for (size_t k = 0; k < v->n_open; k++) {
        ir_instr *phi = v->open[k];
        const ir_edges *preds = &phi->block->preds[v->list];
        for (uint32_t i = 0; i < preds->count; i++)
            phi->refs[i] = or_undef(v->f, at_end(v, preds->at[i]), v->type);
    }
}
