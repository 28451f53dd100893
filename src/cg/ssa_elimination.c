/* Leaves SSA: phis become parallel copies at the ends of predecessors.
 *
 * The copies of logical phis go before the predecessor's logical_end, where the lanes of the block
 * are active, or after what follows and still reads pinned values; those of linear phis go before
 * its terminator. Neither CFG has critical edges at phis, so a predecessor has one successor and
 * the copies affect no other path; for the same reason a linear phi's registers cannot be those
 * that a branch reads. The logical CFG is then no longer needed: its markers and edges are removed,
 * and predecessors of blocks that only jump skip them.
 */
#include "cg/ssa_elimination.h"

#include "cg/effects.h"
#include "cg/place.h"

#include <assert.h>

/* ---- phis ---- */

static bool
is_copied(const ir_instr *phi, unsigned list, uint32_t pred)
{
    if (ir_has_flag(phi, IR_OP_LINEAR_PHI) != (list == 1))
        return false; /* its references are those of the other list */
    ir_ref ref = phi->refs[pred];
    bool there = ir_is_value(ref) && ref.reg == phi->defs[0].reg;
    return ref.kind != IR_REF_UNDEF && !there && !(phi->defs[0].flags & IR_KILL);
}

static bool
changes_lanes(const ir_instr *i)
{
    ir_effects e;
    cg_find_effects(i, &e);
    return (e.lanes & IR_LANES_WRITE) != 0;
}

static bool
reads_pinned(const ir_instr *i)
{
    bool any = false;
    for (unsigned r = 0; r < i->n_refs; r++)
        any |= ir_is_pinned(i->block->fn, i->refs[r]);
    return any;
}

/* The copies of a list's phis at the end of `b` are inserted before the result. Pinned values live
 * along linear edges, and one that ends behind the logical part, where uniform values are reloaded
 * for the edge, may have left its register to a logical phi: the copy follows, as long as the
 * lanes are the block's. */
static ir_instr *
copy_place(const ir_block *b, unsigned list)
{
    ir_instr *at = cg_place_at_end(b, list);
    assert(list == 0 || ir_has_flag(at, IR_OP_TERMINATOR));
    for (ir_instr *i = at->next; i && i != b->last && !changes_lanes(i); i = i->next) {
        if (reads_pinned(i))
            at = i->next;
    }
    return at;
}

static void
copy_phis(ir_block *b, unsigned list, uint32_t pred)
{
    unsigned n = 0;
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
        n += is_copied(i, list, pred);
    if (!n)
        return;
    ir_block *from = b->preds[list].at[pred];
    ir_instr *copy = ir_new_instr(b->fn, ir_machine_of(b->fn)->ops.parallel_copy, n, n);
    assert(from->succs[list].count == 1);
    n = 0;
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (!is_copied(i, list, pred))
            continue;
        copy->defs[n] = i->defs[0];
        copy->refs[n++] = i->refs[pred];
    }
    ir_insert_before(copy_place(from, list), copy);
}

static void
eliminate_phis(ir_block *b)
{
    if (!b->first || !ir_has_flag(b->first, IR_OP_PHI))
        return;
    for (unsigned list = 0; list < 2; list++) {
        for (uint32_t pred = 0; pred < b->preds[list].count; pred++)
            copy_phis(b, list, pred);
    }
    while (b->first && ir_has_flag(b->first, IR_OP_PHI))
        ir_unlink(b->first);
}

/* ---- blocks ---- */

static void
remove_logical(ir_block *b)
{
    const ir_machine_ops *ops = &ir_machine_of(b->fn)->ops;
    IR_FOREACH_INSTR(i, b) {
        if (i->op == ops->logical_start || i->op == ops->logical_end)
            ir_unlink(i);
    }
    b->preds[0].count = b->succs[0].count = 0;
}

/* By block: its last known index among a successor's predecessors. A hint only: it may have
 * moved. */
static uint32_t *
find_places(const ir_fn *f)
{
    uint32_t *place = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t);
    IR_FOREACH_BLOCK(b, f) {
        for (uint32_t p = 0; p < b->preds[1].count; p++)
            place[b->preds[1].at[p]->index] = p;
    }
    return place;
}

static void
drop_pred(ir_block *b, const ir_block *pred, uint32_t *place)
{
    ir_edges *e = &b->preds[1];
    uint32_t at = place[pred->index];
    if (at >= e->count || e->at[at] != pred)
        at = ir_pred_index(b, pred, 1);
    e->at[at] = e->at[--e->count];
    place[e->at[at]->index] = at;
}

static void
add_pred(ir_block *b, ir_block *pred, uint32_t *place)
{
    place[pred->index] = b->preds[1].count;
    ir_add_edge(pred, b, 1);
}

static bool
has_succ(const ir_block *b, const ir_block *to)
{
    bool has = false;
    for (uint32_t s = 0; s < b->succs[1].count; s++)
        has |= b->succs[1].at[s] == to;
    return has;
}

/* The block to which `b`, which does nothing else, jumps; NULL if its predecessors cannot jump
 * there: one that has an edge there already needs a terminator that only branches, because it
 * becomes a jump. */
static ir_block *
jumps_to(const ir_block *b)
{
    bool only_jump = b->first && b->first == b->last &&
                     b->first->op == ir_machine_of(b->fn)->ops.jump;
    if (b->index == 0 || !only_jump || b->succs[1].count != 1 || b->succs[1].at[0] == b)
        return NULL;
    ir_block *to = b->succs[1].at[0];
    for (uint32_t p = 0; p < b->preds[1].count; p++) {
        const ir_block *pred = b->preds[1].at[p];
        if (has_succ(pred, to) && changes_lanes(pred->last))
            return NULL;
    }
    return to;
}

/* A branch whose successors are the same block becomes a jump. */
static void
simplify_branch(ir_block *b, uint32_t *place)
{
    ir_edges *succs = &b->succs[1];
    if (succs->count != 2 || succs->at[0] != succs->at[1])
        return;
    drop_pred(succs->at[0], b, place);
    succs->count = 1;
    ir_unlink(b->last);
    ir_append(b, ir_new_instr(b->fn, ir_machine_of(b->fn)->ops.jump, 0, 0));
}

/* If `b` contains only its jump, redirects its predecessors to its target. */
static bool
try_skip(ir_block *b, uint32_t *place)
{
    ir_block *to = jumps_to(b);
    if (!to)
        return false;
    drop_pred(to, b, place);
    for (uint32_t p = 0; p < b->preds[1].count; p++) {
        ir_block *pred = b->preds[1].at[p];
        for (uint32_t s = 0; s < pred->succs[1].count; s++) {
            if (pred->succs[1].at[s] != b)
                continue;
            add_pred(to, pred, place);
            pred->succs[1].at[s] = to; /* in place: the order of a branch's successors matters */
            pred->succs[1].count--;
            break;
        }
        simplify_branch(pred, place);
    }
    b->preds[1].count = b->succs[1].count = 0;
    return true;
}

static void
skip_empty_blocks(ir_fn *f)
{
    uint32_t *place = find_places(f);
    bool removed = false;
    for (size_t k = f->n_blocks; k-- > 0;) {
        ir_block *b = f->blocks[k];
        if (!try_skip(b, place))
            continue;
        b->index = UINT32_MAX;
        removed = true;
    }
    if (removed)
        ir_compact_blocks(f);
}

void
cg_ssa_elimination(ir_fn *f)
{
    uint32_t kills = f->valid & IR_HAS_KILLS; /* edges end analyses, but not this one */
    IR_FOREACH_BLOCK(b, f) {
        eliminate_phis(b);
    }
    IR_FOREACH_BLOCK(b, f) {
        remove_logical(b);
    }
    skip_empty_blocks(f);
    f->ssa = false;
    f->valid = kills;
}
