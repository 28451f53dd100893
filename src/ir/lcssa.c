/* Loop-closed SSA: a value that is used outside the loop that defines it goes through a phi at the
 * loop's merge block, and so on for each loop that it leaves.
 *
 *     loop b1 merge b5 ...              loop b1 merge b5 ...
 *         32 %3 = iadd %2, %1               32 %3 = iadd %2, %1
 *     block b5: // preds: b2 b4   ->    block b5: // preds: b2 b4
 *     32 %9 = fneg %3                   32 %10 = phi b2: %3, b4: %3
 *                                       32 %9 = fneg %10
 *
 * Constants are left alone: they are the same in every iteration. One walk over all references is
 * enough: loops have no other exit, so the merge block of each loop on the way out dominates the
 * use.
 */
#include "ir/analysis.h"
#include "ir/hir.h"
#include "ir/ssa_repair.h"

typedef struct lcssa {
    ir_fn *f;
    ir_block **opener; /* by index of a loop's header: the block that opens the loop */
    uint32_t *closed;  /* by value: the phi that carries the value out of its loop, or 0 */
    size_t cap_closed;
    bool changed;
} lcssa;

static ir_block *
loop_of(const lcssa *l, const ir_block *b)
{
    return b->loop_header ? l->opener[b->loop_header->index] : NULL;
}

static bool
in_loop(const ir_block *b, const ir_block *opener)
{
    return b->index > opener->index && b->index < opener->merge->index;
}

/* The phi for `id` at the merge block of the loop that `opener` opens. */
static uint32_t
close_value(lcssa *l, uint32_t id, const ir_block *opener)
{
    ir_fn *f = l->f;
    l->closed = arena_grow_zeroed(f->ctx->scratch, l->closed, &l->cap_closed, f->n_values,
                                  sizeof *l->closed);
    if (l->closed[id])
        return l->closed[id];
    ir_block *merge = opener->merge;
    ir_instr *phi = ir_new_phi(f, merge, 0, f->values[id].type);
    for (unsigned r = 0; r < phi->n_refs; r++)
        phi->refs[r] = ir_use(f, id);
    uint32_t out = phi->defs[0].id;
    ir_prepend(merge, phi);
    l->closed[id] = out;
    l->changed = true;
    return out;
}

/* The reference that a use in block `at` must read. */
static ir_ref
close_ref(lcssa *l, ir_ref r, const ir_block *at)
{
    const ir_instr *def = ir_def_of(l->f, r);
    if (!def || def->op == IR_load_const || def->op == IR_undef)
        return r;
    const ir_block *home = def->block, *loop;
    while ((loop = loop_of(l, home)) && !in_loop(at, loop) && loop->merge->preds[0].count) {
        r.id = close_value(l, r.id, loop);
        home = loop->merge;
    }
    return r;
}

bool
ir_convert_to_lcssa(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    if (!ir_made_op(f, IR_loop))
        return false;
    arena_mark m = arena_save(a);
    lcssa l = {.f = f, .opener = ARENA_ARRAY(a, f->n_blocks, ir_block *)};
    if (!(f->valid & IR_HAS_LOOPS))
        ir_compute_loops(f);
    bool loops = false;
    IR_FOREACH_BLOCK(b, f) {
        if (b->cont)
            l.opener[b->succs[0].at[0]->index] = b;
        loops |= b->cont != NULL;
    }
    for (size_t n = 0; loops && n < f->n_blocks; n++) {
        ir_block *b = f->blocks[n];
        IR_FOREACH_INSTR(i, b) {
            for (unsigned r = 0; r < i->n_refs; r++)
                i->refs[r] = close_ref(&l, i->refs[r], i->op == IR_phi ? b->preds[0].at[r] : b);
        }
    }
    arena_release(a, m);
    return l.changed;
}
