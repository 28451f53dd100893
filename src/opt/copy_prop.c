/* Copy propagation: movs, components of vectors, and phis that have one value.
 *
 *     32x2 %4 = vec %1, %2          32 %6 = phi b1: %3, b4: %6
 *     32 %5 = fneg %4.y        ->   32 %7 = fneg %6
 *     (32 %5 = fneg %2)             (32 %7 = fneg %3)
 *
 * A phi is trivial if its references other than itself are one value (Braun et al., "Simple and
 * Efficient Construction of Static Single Assignment Form", 2013). When a phi becomes trivial, the
 * phis that use it may become so: a worklist. References are rewritten once, at the end. A phi at
 * the merge block of a loop keeps what leaves the loop apart (LCSSA), so only phis of values from
 * outside their loop are replaced there.
 */
#include "opt/opt.h"
#include "opt/replace.h"

typedef struct copies {
    ir_fn *f;
    opt_replace map;
    uint32_t *loop_end;  /* by index of a loop's header: index of its merge block */
    uint32_t *first_use; /* by value: place of its phi users in `users` */
    ir_instr **users;
    ir_instr **work;
    size_t n_work;
    bool changed;
} copies;

/* ---- phis ---- */

static void
find_phi_users(copies *c, size_t n_refs)
{
    arena *a = c->f->ctx->scratch;
    uint32_t *fill = ARENA_ARRAY(a, c->f->n_values + 1, uint32_t);
    c->first_use = ARENA_ARRAY(a, c->f->n_values + 2, uint32_t);
    c->users = ARENA_ARRAY(a, n_refs, ir_instr *);
    for (unsigned round = 0; round < 2; round++) {
        IR_FOREACH_BLOCK(b, c->f)
        {
            for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next) {
                for (unsigned r = 0; r < i->n_refs; r++) {
                    uint32_t id = i->refs[r].id;
                    if (!round)
                        c->first_use[id + 1]++;
                    else
                        c->users[c->first_use[id] + fill[id]++] = i;
                }
            }
        }
        for (size_t id = 0; id < c->f->n_values && !round; id++)
            c->first_use[id + 1] += c->first_use[id];
    }
}

/* Would replacing the phi let a value out of its loop? */
static bool
closes_loop(const copies *c, const ir_instr *phi, const ir_instr *def)
{
    const ir_block *loop = def->block->loop_header, *at = phi->block;
    if (!loop || def->op == IR_load_const || def->op == IR_undef)
        return false;
    return at->index < loop->index || at->index >= c->loop_end[loop->index];
}

/* The value that the phi stands for, or none. */
static ir_ref
only_value(const copies *c, const ir_instr *phi)
{
    ir_ref only = ir_none();
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = opt_replace_follow(&c->map, phi->refs[r]);
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

static void
visit_phi(copies *c, ir_instr *phi)
{
    uint32_t id = phi->defs[0].id;
    if (opt_replace_follow(&c->map, phi->defs[0]).id != id)
        return;
    ir_ref only = only_value(c, phi);
    if (!ir_is_value(only))
        return;
    opt_replace_add(&c->map, id, only);
    c->changed = true;
    for (uint32_t u = c->first_use[id]; u < c->first_use[id + 1]; u++)
        c->work[c->n_work++] = c->users[u];
}

static void
visit_phis(copies *c)
{
    IR_FOREACH_BLOCK(b, c->f)
    {
        for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next)
            visit_phi(c, i);
    }
    while (c->n_work)
        visit_phi(c, c->work[--c->n_work]);
}

/* ---- copies ---- */

/* The value whose components in order a vec puts together, or none. */
static ir_ref
rebuilt_value(const copies *c, const ir_instr *vec)
{
    ir_ref first = opt_replace_follow(&c->map, vec->refs[0]);
    for (unsigned r = 0; r < vec->n_refs; r++) {
        ir_ref ref = opt_replace_follow(&c->map, vec->refs[r]);
        if (ref.id != first.id || ref.comp != r)
            return ir_none();
    }
    bool all = ir_type_comps(c->f->values[first.id].type) == vec->n_refs;
    return all ? ir_comp(first, IR_WHOLE) : ir_none();
}

/* What reads of component `comp` of a vec become; other references stay. */
static ir_ref
through_vec(const copies *c, ir_ref r)
{
    for (;;) {
        r = opt_replace_follow(&c->map, r);
        const ir_instr *def = ir_is_value(r) && r.comp != IR_WHOLE ? c->f->values[r.id].def : NULL;
        if (!def || def->op != IR_vec)
            return r;
        r = def->refs[r.comp];
    }
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
            if (i->op == IR_mov)
                to = through_vec(c, i->refs[0]);
            else if (i->op == IR_vec)
                to = rebuilt_value(c, i);
            if (ir_is_value(to))
                opt_replace_add(&c->map, i->defs[0].id, to);
        }
    }
}

/* Rewrites references, and removes what was replaced. */
static void
rewrite(copies *c)
{
    IR_FOREACH_BLOCK(b, c->f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            bool copy = i->op == IR_mov || i->op == IR_phi || i->op == IR_vec;
            if (copy && opt_replace_follow(&c->map, i->defs[0]).id != i->defs[0].id) {
                opt_remove(i);
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
    arena *a = f->ctx->scratch;
    copies c = {.f = f, .map = opt_replace_begin(f)};
    size_t n_refs = 0;
    IR_FOREACH_BLOCK(b, f)
    {
        for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next)
            n_refs += i->n_refs;
    }
    c.work = ARENA_ARRAY(a, n_refs + 1, ir_instr *);
    c.loop_end = ARENA_ARRAY(a, f->n_blocks, uint32_t);
    visit_copies(&c);
    if (n_refs) {
        find_phi_users(&c, n_refs);
        visit_phis(&c);
    }
    rewrite(&c);
    return c.changed;
}
