/* Leaves SSA: phis become parallel copies at the ends of predecessors.
 *
 * The copies of VGPR phis go before the predecessor's p_logical_end, where exec is the block's, or
 * after the reloads that follow it; those of SGPR phis go before its branch. Neither CFG has
 * critical edges at phis, so a predecessor has one successor and the copies affect no other path;
 * for the same reason a linear phi's registers cannot be those of the branch's condition. The
 * logical CFG is then no longer needed: its markers and edges are removed, and predecessors of
 * blocks that only branch skip them.
 */
#include "amd/amd.h"

#include <assert.h>

/* ---- phis ---- */

static bool
needs_copy(const ir_instr *phi, unsigned pred)
{
    ir_ref ref = phi->refs[pred];
    bool same = ir_is_value(ref) && ref.reg == phi->defs[0].reg;
    return ref.kind != IR_REF_UNDEF && !same && !(phi->defs[0].flags & IR_KILL);
}

static bool
is_phi_of(const ir_instr *i, unsigned list)
{
    return i && ir_has_flag(i, IR_OP_PHI) && ir_has_flag(i, IR_OP_LINEAR_PHI) == (list == 1);
}

static bool
writes_exec(const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if ((i->defs[d].flags & IR_FIXED) && i->defs[d].reg == AMD_EXEC)
            return true;
    }
    return false;
}

/* The position of an edge list's copies at the end of `b`: they are inserted before the result.
 * SGPRs that are reloaded for the edge come from linear VGPRs that end there, and a VGPR phi may
 * have got one of these registers: its copy follows the reloads, as long as exec is the block's. */
static ir_instr *
copy_place(const ir_block *b, unsigned list)
{
    ir_instr *at = b->last;
    while (list == 0 && at && at->op != AMD_P_LOGICAL_END)
        at = at->prev;
    assert(at && (list == 0 || ir_has_flag(at, IR_OP_TERMINATOR)));
    for (ir_instr *i = at; list == 0 && i != b->last && !writes_exec(i); i = i->next) {
        if (i->op == AMD_P_RELOAD && i->n_refs && ir_is_value(i->refs[0]))
            at = i->next;
    }
    return at;
}

static void
copy_phis(ir_block *b, uint32_t pred, unsigned list)
{
    unsigned n = 0;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
        n += is_phi_of(i, list) && needs_copy(i, pred);
    if (!n)
        return;
    ir_block *from = b->preds[list].at[pred];
    ir_instr *copy = amd_new(b->fn, AMD_P_PARALLELCOPY, n, n);
    assert(from->succs[list].count == 1);
    n = 0;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (!is_phi_of(i, list) || !needs_copy(i, pred))
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
            copy_phis(b, pred, list);
    }
    while (b->first && ir_has_flag(b->first, IR_OP_PHI))
        ir_unlink(b->first);
}

/* ---- blocks ---- */

static void
remove_markers(ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        if (i->op == AMD_P_LOGICAL_START || i->op == AMD_P_LOGICAL_END)
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

/* A conditional branch whose successors are the same block becomes an unconditional one. */
static void
simplify_branch(ir_block *b, uint32_t *place)
{
    ir_edges *succs = &b->succs[1];
    if (succs->count != 2 || succs->at[0] != succs->at[1])
        return;
    drop_pred(succs->at[0], b, place);
    succs->count = 1;
    ir_unlink(b->last);
    ir_append(b, amd_new(b->fn, AMD_P_BRANCH, 0, 0));
}

/* If `b` contains only its branch, redirects its predecessors to its target. */
static bool
try_skip(ir_block *b, uint32_t *place)
{
    bool only_branch = b->first && b->first == b->last && b->first->op == AMD_P_BRANCH;
    if (b->index == 0 || !only_branch || b->succs[1].count != 1 || b->succs[1].at[0] == b)
        return false;
    ir_block *to = b->succs[1].at[0];
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

void
amd_ssa_elimination(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        eliminate_phis(b);
    }
    IR_FOREACH_BLOCK(b, f) {
        remove_markers(b);
    }
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
    f->ssa = false;
    f->valid = 0;
}
