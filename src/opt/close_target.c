/* Values reach the continue region through phis of its first block.
 *
 * A value defined in an arm of the body may be used in the continue region, or in the next
 * iteration, if all jumps to the region are in that arm:
 *
 *     loop b1 merge b9 continue b8            loop b1 merge b9 continue b8
 *         b1: %2 = phi b0: %1, b8: %3             b1: %2 = phi b0: %1, b8: %7
 *         if c then b2 else b3 merge b4           if c then b2 else b3 merge b4
 *             b2: %3 = ...  jump b8       ->          b2: %3 = ...  jump b8
 *             b3: jump b4                             b3: jump b4
 *         b4: jump b9 (break)                     b4: jump b9 (break)
 *         b8: jump b1                             b8: %7 = phi b2: %3
 *                                                 jump b1
 *
 * When the ends of both arms meet before the region, the arm does not dominate it any more. What is
 * defined at the top level of the body before the first such if still does.
 */
#include "opt/close_target.h"

#include "base/map.h"
#include "ir/ssa_repair.h"

typedef struct close_ctx {
    ir_fn *f;
    const ir_block *opener;
    ir_block *cont;
    bool *top;       /* by block of the function: at the top level of the body */
    base_map closed; /* by value: its phi's value */
} close_ctx;

/* Finds the blocks that all ways through the body have in common. */
static void
find_top(close_ctx *c, const ir_block *header)
{
    const ir_block *b = header;
    c->top[b->index] = true;
    while (b->merge && b->merge->index < c->cont->index) {
        b = b->merge;
        c->top[b->index] = true;
    }
}

static bool
is_inside(const close_ctx *c, const ir_block *b)
{
    return b->index > c->opener->index && b->index < c->cont->index && !c->top[b->index];
}

static uint32_t
close_value(close_ctx *c, uint32_t id)
{
    uint64_t made;
    if (map_get(&c->closed, id, &made))
        return (uint32_t)made;
    ir_instr *phi = ir_new_phi(c->f, c->cont, 0, c->f->values[id].type);
    for (uint32_t p = 0; p < c->cont->preds[0].count; p++)
        phi->refs[p] = ir_use(c->f, id);
    phi->loc = c->f->values[id].def->loc;
    ir_prepend(c->cont, phi);
    map_put(&c->closed, id, phi->defs[0].id);
    return phi->defs[0].id;
}

static void
close_ref(close_ctx *c, ir_ref *r)
{
    if (!ir_is_value(*r) || !is_inside(c, c->f->values[r->id].def->block))
        return;
    ir_instr *def = c->f->values[r->id].def;
    if (def->op == IR_load_const || def->op == IR_undef) {
        ir_unlink(def);
        ir_insert_before(ir_terminator(c->opener), def);
    } else {
        r->id = close_value(c, r->id);
    }
}

void
opt_close_target(ir_fn *f, ir_block *opener)
{
    close_ctx c = {.f = f, .opener = opener, .cont = opener->cont};
    const ir_block *header = opener->succs[0].at[0];
    c.top = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, bool);
    c.closed = map_make(f->ctx->scratch);
    find_top(&c, header);
    for (uint32_t n = c.cont->index; n < opener->merge->index; n++) {
        IR_FOREACH_INSTR(i, f->blocks[n]) {
            for (unsigned r = 0; (i->op != IR_phi || n != c.cont->index) && r < i->n_refs; r++)
                close_ref(&c, &i->refs[r]);
        }
    }
    for (ir_instr *i = header->first; i->op == IR_phi; i = i->next) {
        for (uint32_t p = 0; p < header->preds[0].count; p++) {
            if (header->preds[0].at[p] != opener)
                close_ref(&c, &i->refs[p]);
        }
    }
}
