/* Copy propagation: movs, components of vectors, and phis that have one value.
 *
 *     32x2 %4 = vec %1, %2          32 %6 = phi b1: %3, b4: %6
 *     32 %5 = fneg %4.y        ->   32 %7 = fneg %6
 *     (32 %5 = fneg %2)             (32 %7 = fneg %3)
 *
 * A phi is trivial if all its references other than itself are the same value (Braun et al.,
 * "Simple and Efficient Construction of Static Single Assignment Form", 2013). When a phi becomes
 * trivial, phis that use it may become trivial too, so a worklist is used. References are rewritten
 * once, at the end. A phi at the merge block of a loop closes values that leave the loop (LCSSA),
 * so it is only replaced if its value comes from outside the loop.
 */
#include "ir/replace.h"
#include "opt/opt.h"

typedef struct copies {
    ir_fn *f;
    ir_replacement map;
    uint32_t *loop_end; /* by index of a loop's header: index of its merge block */
    ir_instr **phis;
    size_t n_phis, cap_phis, n_phi_refs;
    bool has_vec;
    uint32_t *first_use; /* by value: start of its phi users in `users` */
    ir_instr **users;
    ir_instr **work;
    size_t n_work;
    bool changed;
} copies;

/* ---- phis ---- */

static void
find_phi_users(copies *c)
{
    arena *a = c->f->ctx->scratch;
    uint32_t *fill = ARENA_ARRAY(a, c->f->n_values + 1, uint32_t);
    c->first_use = ARENA_ARRAY(a, c->f->n_values + 2, uint32_t);
    c->users = ARENA_ARRAY(a, c->n_phi_refs, ir_instr *);
    for (unsigned round = 0; round < 2; round++) {
        for (size_t p = 0; p < c->n_phis; p++) {
            ir_instr *i = c->phis[p];
            for (unsigned r = 0; r < i->n_refs; r++) {
                uint32_t id = i->refs[r].id;
                if (!round)
                    c->first_use[id + 1]++;
                else
                    c->users[c->first_use[id] + fill[id]++] = i;
            }
        }
        for (size_t id = 0; id < c->f->n_values && !round; id++)
            c->first_use[id + 1] += c->first_use[id];
    }
}

/* Returns true if replacing the phi would let a value out of its loop (break LCSSA). */
static bool
closes_loop(const copies *c, const ir_instr *phi, const ir_instr *def)
{
    const ir_block *loop = def->block->loop_header, *at = phi->block;
    if (!loop || def->op == IR_load_const || def->op == IR_undef)
        return false;
    return at->index < loop->index || at->index >= c->loop_end[loop->index];
}

/* The value that the phi is equal to, or none. */
static ir_ref
only_value(const copies *c, const ir_instr *phi)
{
    ir_ref only = ir_none();
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = ir_replace_follow(&c->map, phi->refs[r]);
        if (ref.id == phi->defs[0].id)
            continue;
        if (ir_is_value(only) && !ir_same_ref(only, ref))
            return ir_none();
        only = ref;
    }
    if (ir_is_value(only) && closes_loop(c, phi, c->f->values[only.id].def))
        return ir_none();
    return only;
}

static bool
replace_phi(copies *c, const ir_instr *phi)
{
    uint32_t id = phi->defs[0].id;
    if (ir_replace_follow(&c->map, phi->defs[0]).id != id)
        return false;
    ir_ref only = only_value(c, phi);
    if (!ir_is_value(only))
        return false;
    ir_replace_add(&c->map, id, only);
    c->changed = true;
    return true;
}

static void
push_users(copies *c, const ir_instr *phi)
{
    uint32_t id = phi->defs[0].id;
    for (uint32_t u = c->first_use[id]; u < c->first_use[id + 1]; u++)
        c->work[c->n_work++] = c->users[u];
}

/* Usually no phi is trivial, so the users are only determined once one is found. */
static void
replace_phis(copies *c)
{
    bool *replaced = ARENA_ARRAY(c->f->ctx->scratch, c->n_phis, bool), any = false;
    for (size_t p = 0; p < c->n_phis; p++)
        any |= replaced[p] = replace_phi(c, c->phis[p]);
    if (!any)
        return;
    find_phi_users(c);
    c->work = ARENA_ARRAY(c->f->ctx->scratch, c->n_phi_refs, ir_instr *);
    for (size_t p = 0; p < c->n_phis; p++) {
        if (replaced[p])
            push_users(c, c->phis[p]);
    }
    while (c->n_work) {
        const ir_instr *phi = c->work[--c->n_work];
        if (replace_phi(c, phi))
            push_users(c, phi);
    }
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
    c->n_phi_refs += phi->n_refs;
}

static void
visit_copies(copies *c)
{
    IR_FOREACH_BLOCK(b, c->f)
    {
        if (b->cont)
            c->loop_end[b->succs[0].at[0]->index] = b->merge->index;
        IR_FOREACH_INSTR(i, b)
        {
            ir_ref to = ir_none();
            c->has_vec |= i->op == IR_vec;
            if (i->op == IR_phi)
                note_phi(c, i);
            else if (i->op == IR_mov)
                to = through_vec(c, i->refs[0]);
            else if (i->op == IR_vec)
                to = rebuilt_value(c, i);
            if (ir_is_value(to))
                ir_replace_add(&c->map, i->defs[0].id, to);
        }
    }
}

/* Rewrites references and removes replaced instructions. */
static void
rewrite(copies *c)
{
    IR_FOREACH_BLOCK(b, c->f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            bool copy = i->op == IR_mov || i->op == IR_phi || i->op == IR_vec;
            if (copy && ir_replace_follow(&c->map, i->defs[0]).id != i->defs[0].id) {
                ir_remove(i);
                c->changed = true;
                continue;
            }
            for (unsigned r = 0; r < i->n_refs; r++) {
                ir_ref now = through_vec(c, i->refs[r]);
                if (now.id == i->refs[r].id)
                    continue;
                c->changed = true;
                i->refs[r] = now;
            }
        }
    }
}

bool
opt_copy_prop(ir_fn *f)
{
    copies c = {.f = f, .map = {.f = f}};
    c.loop_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t);
    visit_copies(&c);
    replace_phis(&c);
    if (c.has_vec || c.map.any)
        rewrite(&c);
    return c.changed;
}
