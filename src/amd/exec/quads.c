/* Helper lanes: whole quads, exact lanes, demotion.
 *
 * If something needs whole quads, a program starts with
 *
 *     exact = exec; exec = s_wqm exec
 *
 * and control flow handles all lanes alike, up to the first block behind the last need that all
 * waves run through once (not in an arm, not in a loop). There
 *
 *     exec = exact
 *
 * and helpers are gone. Between the two, stores, atomics and exports stand between
 *
 *     saved = exec; exec &= exact      (s_and_saveexec)
 *     exec = saved
 *
 * Demotion takes lanes from `exact`, which is an SSA value along the linear CFG. Where no helpers
 * are, exec is the exact mask, and demotion takes lanes from it; but in arms and loops lanes go on
 * as helpers, so that code there never runs without an active lane, and leaves loops as it would:
 * `exact` is kept from before the construct. A wave without exact lanes ends at once.
 */
#include "amd/exec/exec.h"

#include "ir/ssa_repair.h"

#include <assert.h>

/* ---- the exact mask along the CFG ---- */

ir_ref
amd_exec_join_exact(const exec_ctx *c, ir_block *b)
{
    arena *a = c->f->ctx->scratch;
    if (!c->helpers || !b->preds[1].count)
        return ir_none();
    arena_mark mark = arena_save(a);
    ir_ref *refs = ARENA_ARRAY(a, b->preds[1].count, ir_ref);
    for (uint32_t k = 0; k < b->preds[1].count; k++)
        refs[k] = c->at_end[b->preds[1].at[k]->index].exact;
    ir_ref exact = ir_meet(c->f, b, 1, c->p->lane_mask, refs);
    arena_release(a, mark);
    return exact;
}

/* Does a block of the loop demote lanes? Its last block leads back to the header. */
static bool
demotes_in_loop(const exec_ctx *c, const ir_block *header)
{
    uint32_t last = header->index;
    for (uint32_t k = 0; k < header->preds[1].count; k++) {
        uint32_t from = header->preds[1].at[k]->index;
        last = from > last ? from : last;
    }
    bool any = false;
    for (uint32_t k = header->index; k <= last; k++)
        any |= c->quads.demote[k];
    return any;
}

ir_instr *
amd_exec_open_loop(exec_ctx *c, ir_block *header)
{
    if (!c->helpers)
        return NULL;
    c->now.exact = c->at_end[header->preds[1].at[0]->index].exact;
    if (!demotes_in_loop(c, header))
        return NULL;
    ir_instr *phi = ir_new_phi(c->f, header, 1, c->p->lane_mask);
    ir_prepend(header, phi);
    c->now.exact = phi->defs[0];
    return phi;
}

void
amd_exec_close_loop(exec_ctx *c, ir_block *exit, ir_instr *phi)
{
    for (uint32_t k = 0; phi && k < phi->n_refs; k++)
        phi->refs[k] = c->at_end[phi->block->preds[1].at[k]->index].exact;
    if (exit)
        c->now.exact = amd_exec_join_exact(c, exit);
}

/* ---- changes of the mask ---- */

/* The scc that the instruction before `at` has set. */
static ir_ref
scc_before(const ir_instr *at)
{
    return at->prev->defs[1];
}

/* The program ends if the exact mask, which the instruction before `at` has computed, is 0. */
static void
end_without_lanes(const exec_ctx *c, ir_instr *at)
{
    ir_instr *i = amd_new(c->f, AMD_S_CBRANCH_SCC0, 0, 1);
    i->refs[0] = scc_before(at);
    ir_words(i)[0] = AMD_BRANCH_TO_END;
    i->loc = at->loc;
    ir_insert_before(at, i);
}

static void
start_quads(exec_ctx *c, ir_instr *at)
{
    c->now.exact = amd_exec_copy(c, at, amd_exec_ref(c), false);
    amd_exec_emit(c, at, AMD_EXEC_LM(c, S_WQM), amd_exec_ref(c), ir_none(), true);
    c->helpers = true;
}

/* exec loses lanes here, not only for an instruction. */
static void
narrow(exec_ctx *c, const ir_block *b)
{
    c->narrowed = b;
}

static void
end_quads(exec_ctx *c, const ir_block *b, ir_instr *at)
{
    amd_exec_copy(c, at, c->now.exact, true);
    c->now.exact = ir_none();
    c->helpers = false;
    narrow(c, b);
}

/* ---- single instructions ---- */

/* The lanes that a demotion takes, as a mask that may be wrong in lanes which are not exact. */
static ir_ref
demoted(exec_ctx *c, ir_instr *i)
{
    if (!i->n_refs)
        return amd_exec_ref(c);
    ir_ref cond = i->refs[0];
    if (c->quads.top[i->block->index])
        return cond; /* other lanes are not there at all */
    return amd_exec_emit(c, i, AMD_EXEC_LM(c, S_AND), cond, amd_exec_ref(c), false);
}

static void
demote(exec_ctx *c, ir_instr *i)
{
    ir_ref lanes = demoted(c, i);
    if (c->helpers) {
        c->now.exact = amd_exec_emit(c, i, AMD_EXEC_LM(c, S_ANDN2), c->now.exact, lanes, false);
    } else {
        assert(c->quads.top[i->block->index]);
        amd_exec_emit(c, i, AMD_EXEC_LM(c, S_ANDN2), amd_exec_ref(c), lanes, true);
        narrow(c, i->block);
    }
    end_without_lanes(c, i);
    ir_unlink(i);
}

/* Gives the definition of `i` to the instruction before it, and removes `i`. */
static void
hand_over(const exec_ctx *c, ir_instr *i)
{
    ir_instr *made = i->prev;
    made->defs[0] = i->defs[0];
    c->f->values[i->defs[0].id].def = made;
    ir_unlink(i);
}

static void
is_helper(exec_ctx *c, ir_instr *i)
{
    if (c->helpers)
        amd_exec_emit(c, i, AMD_EXEC_LM(c, S_NOT), c->now.exact, ir_none(), false);
    else
        amd_exec_copy(c, i, c->p->wave_size == 64 ? amd_const64(0) : amd_const(0), false);
    hand_over(c, i);
}

/* Lets the instruction run in exact lanes. Returns the last one that belongs to it. */
static ir_instr *
run_exact(exec_ctx *c, ir_instr *i)
{
    ir_ref saved = c->now.held;
    if (ir_is_value(saved))
        amd_exec_emit(c, i, AMD_EXEC_LM(c, S_AND), amd_exec_ref(c), c->now.exact, true);
    else
        saved = amd_exec_save(c, i, c->now.exact);
    amd_exec_copy(c, i->next, saved, true);
    return i->next;
}

/* ---- blocks ---- */

/* Do lanes become helpers in the constructs behind `b`, before the next top block? */
static bool
demotes_behind(const exec_ctx *c, const ir_block *b)
{
    uint32_t k = b->index + 1;
    bool any = false;
    for (; k < c->f->n_blocks && !c->quads.top[k]; k++)
        any |= c->quads.demote[k];
    return any;
}

static bool
ends_quads(const exec_ctx *c, const ir_block *b)
{
    return c->helpers && c->quads.top[b->index] && !c->quads.behind[b->index];
}

bool
amd_exec_starts_exact(const exec_ctx *c, const ir_block *b)
{
    return ends_quads(c, b) && !amd_last_quad_need(b);
}

/* The first instruction behind the masks at the block's start, and the arguments. */
static ir_instr *
first_of_body(const ir_block *b)
{
    ir_instr *i = ir_first_non_phi(b);
    IR_FOREACH_INSTR(n, b) {
        if (n->op == AMD_P_LOGICAL_START || n->op == AMD_P_STARTPGM)
            i = n->next;
    }
    return i;
}

void
amd_exec_visit_quads(exec_ctx *c, ir_block *b)
{
    ir_instr *first = first_of_body(b);
    if (b->index == 0 && c->quads.any)
        start_quads(c, first);
    bool ends = ends_quads(c, b);
    ir_instr *end = ends ? amd_last_quad_need(b) : NULL;
    if (ends && !end) /* in place of the mask that the block would restore: phis may be stored */
        end_quads(c, b, ir_first_non_phi(b));
    for (ir_instr *i = first, *next; i; i = next) {
        next = i->next;
        if (i == end && amd_needs_exact(i)) {
            end_quads(c, b, i);
            end = NULL;
        }
        if (i->op == AMD_P_DEMOTE)
            demote(c, i);
        else if (i->op == AMD_P_IS_HELPER)
            is_helper(c, i);
        else if (c->helpers && amd_needs_exact(i))
            next = run_exact(c, i)->next;
        if (i == end)
            end_quads(c, b, next);
    }
    if (!c->helpers && c->quads.top[b->index] && demotes_behind(c, b)) {
        c->now.exact = ir_is_value(c->now.held)
                           ? c->now.held
                           : amd_exec_copy(c, ir_terminator(b), amd_exec_ref(c), false);
        c->now.held = c->now.exact;
        c->helpers = true;
    }
}
