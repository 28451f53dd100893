/* Loop-invariant code motion: moves computations that are the same in each iteration before the
 * loop.
 *
 * It moves operations that do not depend on the active lanes, have no effect, read nothing that may
 * change, and have operands from outside the loop. Only blocks at the top level of the loop are
 * considered, because code in an if may rarely run. If the block before the loop is at the top
 * level of another loop, the operations move on. Loads from global addresses are not moved: an
 * address may be valid only inside the loop.
 *
 * One walk in structured order is enough, because operands are moved before their users are
 * visited.
 */
#include "opt/opt.h"
#include "opt/speculate.h"

typedef struct licm {
    ir_fn *f;
    ir_block **open; /* openers of the enclosing constructs */
    uint32_t depth;
    ir_block **loop; /* by block index: the opener of the loop at whose top level the block is */
    bool changed;
} licm;

static bool
is_invariant(const licm *l, const ir_instr *i, const ir_block *opener)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]))
            continue;
        const ir_instr *def = l->f->values[i->refs[r].id].def;
        if (def->block->index > opener->index && def->op != IR_load_const)
            return false;
    }
    return true;
}

/* Moves constants that are inside the loop along with their user. */
static void
move_constants(licm *l, const ir_instr *i, ir_block *opener)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_instr *def = ir_def_of(l->f, i->refs[r]);
        if (!def || def->op != IR_load_const || def->block->index <= opener->index)
            continue;
        ir_unlink(def);
        ir_insert_before(ir_terminator(opener), def);
    }
}

static void
visit(licm *l, ir_instr *i)
{
    if (i->op == IR_load_const || i->op == IR_undef || !opt_may_speculate(i))
        return;
    ir_block *opener = l->loop[i->block->index];
    while (opener && is_invariant(l, i, opener) && ir_may_change(l->f->ctx)) {
        move_constants(l, i, opener);
        ir_unlink(i);
        ir_insert_before(ir_terminator(opener), i);
        l->changed = true;
        opener = l->loop[opener->index];
    }
}

bool
opt_licm(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    if (!ir_made_op(f, IR_loop))
        return false;
    licm l = {.f = f, .open = ARENA_ARRAY(a, f->n_blocks + 1, ir_block *)};
    l.loop = ARENA_ARRAY(a, f->n_blocks, ir_block *);
    IR_FOREACH_BLOCK(b, f) {
        if (l.depth && l.open[l.depth - 1]->merge == b)
            l.depth--;
        ir_block *around = l.depth ? l.open[l.depth - 1] : NULL;
        bool repeats = around && around->cont && around->cont->preds[0].count;
        l.loop[b->index] = repeats ? around : NULL;
        if (l.loop[b->index]) {
            IR_FOREACH_INSTR(i, b)
                visit(&l, i);
        }
        if (b->merge)
            l.open[l.depth++] = b;
    }
    return l.changed;
}
