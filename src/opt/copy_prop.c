/* Copy propagation: movs, components of vectors, and phis that have one value.
 *
 *     32x2 %4 = vec %1, %2          32 %6 = phi b1: %3, b4: %6
 *     32 %5 = fneg %4.y        ->   32 %7 = fneg %6
 *     (32 %5 = fneg %2)             (32 %7 = fneg %3)
 *
 * References are rewritten once, at the end. A phi at the merge block of a loop closes values that
 * leave the loop (LCSSA), so it is only replaced if its value comes from outside the loop.
 */
#include "ir/ssa_repair.h"
#include "opt/opt.h"

typedef struct copies {
    ir_fn *f;
    ir_replacement map;
    uint32_t *loop_end; /* by index of a loop's header: index of its merge block */
    ir_instr **phis;
    size_t n_phis, cap_phis;
    bool has_vec;
    bool changed;
} copies;

/* ---- phis ---- */

/* Returns true if replacing the phi would let a value out of its loop (break LCSSA). */
static bool
closes_loop(const copies *c, const ir_instr *phi, const ir_instr *def)
{
    const ir_block *loop = def->block->loop_header, *at = phi->block;
    if (!loop || def->op == IR_load_const || def->op == IR_undef)
        return false;
    return at->index < loop->index || at->index >= c->loop_end[loop->index];
}

static ir_ref
choose(void *user, const ir_instr *phi, ir_ref only)
{
    const copies *c = user;
    bool stays = ir_is_value(only) && closes_loop(c, phi, c->f->values[only.id].def);
    return stays ? ir_none() : only;
}

/* ---- copies ---- */

/* The value whose components, in order, the vec collects, or none. */
static ir_ref
rebuilt_value(const copies *c, const ir_instr *vec)
{
    ir_ref first = ir_replace_follow(&c->map, vec->refs[0]);
    for (unsigned r = 0; r < vec->n_refs; r++) {
        ir_ref ref = ir_replace_follow(&c->map, vec->refs[r]);
        if (ref.id != first.id || ref.comp != r)
            return ir_none();
    }
    bool all = ir_type_comps(c->f->values[first.id].type) == vec->n_refs;
    return all ? ir_comp(first, IR_WHOLE) : ir_none();
}

/* Replaces a reference to component `comp` of a vec by what the vec reads; returns other references
 * unchanged. */
static ir_ref
through_vec(const copies *c, ir_ref r)
{
    for (;;) {
        r = ir_replace_follow(&c->map, r);
        const ir_instr *def = ir_is_value(r) && r.comp != IR_WHOLE ? c->f->values[r.id].def : NULL;
        if (!def || def->op != IR_vec)
            return r;
        r = def->refs[r.comp];
    }
}

static void
note_phi(copies *c, ir_instr *phi)
{
    c->phis = arena_grow(c->f->ctx->scratch, c->phis, &c->cap_phis, c->n_phis + 1, sizeof *c->phis);
    c->phis[c->n_phis++] = phi;
}

static void
visit_copies(copies *c)
{
    IR_FOREACH_BLOCK(b, c->f) {
        if (b->cont)
            c->loop_end[b->succs[0].at[0]->index] = b->merge->index;
        IR_FOREACH_INSTR(i, b) {
            ir_ref to = ir_none();
            c->has_vec |= i->op == IR_vec;
            if (i->op == IR_phi)
                note_phi(c, i);
            else if (i->op == IR_mov)
                to = through_vec(c, i->refs[0]);
            else if (i->op == IR_vec)
                to = rebuilt_value(c, i);
            if (ir_is_value(to) && ir_may_change(c->f->ctx))
                ir_replace_add(&c->map, i->defs[0].id, to);
        }
    }
}

/* Would through_vec change the reference? */
static bool
is_replaced(const copies *c, const ir_ref *r)
{
    return ir_is_replaced(&c->map, *r) || (r->kind == IR_REF_VALUE && r->comp != IR_WHOLE &&
                                           c->has_vec && c->f->values[r->id].def->op == IR_vec);
}

/* Rewrites references and removes replaced instructions. */
static void
rewrite(copies *c)
{
    IR_FOREACH_INSTR_OF(i, c->f) {
        bool copy = i->op == IR_mov || i->op == IR_vec;
        if (copy && ir_is_replaced(&c->map, i->defs[0])) {
            ir_remove(i);
            c->changed = true;
            continue;
        }
        for (ir_ref *r = i->refs, *end = r + i->n_refs; r < end; r++) {
            if (!is_replaced(c, r))
                continue;
            c->changed = true;
            *r = through_vec(c, *r);
        }
    }
}

bool
opt_copy_prop(ir_fn *f)
{
    copies c = {.f = f, .map = {.f = f}};
    if (!ir_made_op(f, IR_mov) && !ir_made_op(f, IR_vec) && !ir_made_op(f, IR_phi))
        return false;
    c.loop_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t);
    visit_copies(&c);
    c.changed = ir_replace_trivial_phis(&c.map, c.phis, c.n_phis, choose, &c);
    if (c.has_vec || c.map.any)
        rewrite(&c);
    return c.changed;
}
