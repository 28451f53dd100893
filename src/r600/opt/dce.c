/* Dead code: nodes without an effect whose values nothing uses, and phis of such.
 *
 * Marks what is used, from effects and comparisons on, and removes the rest. Operations of packs
 * and components of fetches whose values are not used stay without a definition. */
#include "r600/opt/opt.h"

typedef struct dce {
    tree_program *p;
    uint8_t *is_live;  /* by value */
    tree_phi **phi_of; /* by value */
    uint32_t *n_src;   /* by value of a phi */
    uint32_t *todo, n_todo;
} dce;

static void
use(void *user, tree_node *n, tree_operand *o)
{
    dce *d = user;
    (void)n;
    if (o->kind != TREE_VALUE || d->is_live[o->id])
        return;
    d->is_live[o->id] = 1;
    d->todo[d->n_todo++] = o->id;
}

static void
mark_value(dce *d, uint32_t v)
{
    tree_phi *phi = d->phi_of[v];
    tree_node *def = d->p->values[v].def;
    for (unsigned i = 0; phi && i < d->n_src[v]; i++)
        use(d, NULL, &phi->src[i]);
    if (def && !def->mark) {
        def->mark = 1;
        r600_tree_operands(def, use, d);
    }
}

static void
note_phis(dce *d, tree_phi *phi, uint32_t n)
{
    for (; phi; phi = phi->next) {
        d->phi_of[phi->def] = phi;
        d->n_src[phi->def] = n;
    }
}

static void
find_roots(dce *d)
{
    TREE_FOREACH(n, d->p) {
        n->mark = 0;
        if (n->kind == TREE_REGION) {
            note_phis(d, n->phis, n->n_departs);
            note_phis(d, n->loop_phis, 1 + n->n_repeats);
        }
    }
    TREE_FOREACH(n, d->p) {
        if (!r600_tree_has_effect(n))
            continue;
        n->mark = 1;
        r600_tree_operands(n, use, d);
    }
}

/* Operations with three sources cannot but write a register, and reads of scratch memory by control
 * flow cannot but write a whole one: their definitions stay. */
static void
drop_def(void *user, tree_node *n, uint32_t *def)
{
    const dce *d = user;
    const bool is_triple = n->kind == TREE_ALU && n->is_pack &&
                           r600_op_row((r600_op)n->slots->op)->format == R600_FMT_OP3;
    const bool writes = is_triple || n->kind == TREE_FLOW;
    if (!d->is_live[*def] && !writes)
        *def = 0;
}

static void
drop_phis(const dce *d, tree_phi **at)
{
    while (*at) {
        if (d->is_live[(*at)->def])
            at = &(*at)->next;
        else
            *at = (*at)->next;
    }
}

/* What an element was matters only if what it may have become is used. */
static void
drop_elements(const tree_node *n)
{
    const tree_access *a = n->access;
    for (uint32_t i = 0; a && a->def && i < a->n; i++)
        if (!a->def[i])
            a->use[i] = (tree_operand){.kind = TREE_UNDEF};
}

void
r600_opt_dce(tree_program *p)
{
    dce d = {.p = p};
    d.is_live = ARENA_ARRAY(p->arena, p->n_values, uint8_t);
    d.phi_of = ARENA_ARRAY(p->arena, p->n_values, tree_phi *);
    d.n_src = ARENA_ARRAY(p->arena, p->n_values, uint32_t);
    d.todo = ARENA_ARRAY(p->arena, p->n_values, uint32_t);
    find_roots(&d);
    while (d.n_todo)
        mark_value(&d, d.todo[--d.n_todo]);
    for (tree_node *n = p->body.first, *next; n; n = next) {
        next = r600_tree_next(n);
        r600_tree_defs(n, drop_def, &d);
        drop_elements(n);
        drop_phis(&d, &n->phis);
        drop_phis(&d, &n->loop_phis);
        if (!n->mark)
            r600_tree_remove(n);
    }
}
