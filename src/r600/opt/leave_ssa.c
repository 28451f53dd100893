/* Leaving SSA: phis become variables.
 *
 * A phi and its operands share a variable unless they are live at one place. Where they do not,
 * moves stand before the depart, the repeat or the loop; those of one place are parallel, and are
 * put in an order here, with a further variable where they exchange values. Inputs stay in their
 * registers: two of them never share a variable. */
#include "r600/opt/opt.h"

#include "r600/tree/live.h"

typedef struct leave {
    tree_program *p;
    tree_live live;
    uint32_t *parent; /* union-find by value */
} leave;

static uint32_t
find(leave *l, uint32_t v)
{
    while (l->parent[v] != v)
        v = l->parent[v] = l->parent[l->parent[v]];
    return v;
}

static void
try_join(leave *l, uint32_t phi, const tree_operand *o)
{
    const uint32_t a = find(l, phi);
    tree_value *values = l->p->values;
    if (o->kind != TREE_VALUE || o->mods)
        return;
    const uint32_t b = find(l, o->id);
    if (a == b || (values[a].is_input && values[b].is_input) || r600_tree_overlap(&l->live, a, b))
        return;
    const uint32_t from = values[b].is_input ? a : b, to = values[b].is_input ? b : a;
    uint64_t *x = r600_tree_live_row(&l->live, to), *y = r600_tree_live_row(&l->live, from);
    for (uint32_t i = 0; i < l->live.words; i++)
        x[i] |= y[i];
    l->parent[from] = to;
    values[to].def = values[from].def = NULL; /* there are several */
}

static void
join_phis(leave *l, tree_phi *phi, unsigned n)
{
    for (; phi; phi = phi->next)
        for (unsigned i = 0; i < n; i++)
            try_join(l, phi->def, &phi->src[i]);
}

/* ---- moves ---- */

typedef struct move {
    uint32_t to;
    tree_operand from;
} move;

static void
insert_move(leave *l, tree_node *before, uint32_t to, const tree_operand *from)
{
    tree_node *n = r600_tree_alu(l->p, R600_MOV);
    n->slots->src[0] = *from;
    n->slots->def = to;
    r600_tree_insert_before(before, n);
}

static bool
reads(const move *m, uint32_t v)
{
    return m->from.kind == TREE_VALUE && m->from.id == v;
}

static bool
is_read(const move *list, unsigned n, uint32_t v, unsigned but)
{
    for (unsigned i = 0; i < n; i++)
        if (i != but && reads(&list[i], v))
            return true;
    return false;
}

static void
insert_moves(leave *l, tree_node *before, move *list, unsigned n)
{
    while (n) {
        unsigned i = 0;
        while (i < n && is_read(list, n, list[i].to, i))
            i++;
        if (i == n) { /* they exchange values: one of them waits in a variable of its own */
            const tree_operand old = r600_tree_use(list[0].to);
            const uint32_t saved = r600_tree_value(l->p);
            insert_move(l, before, saved, &old);
            for (unsigned k = 0; k < n; k++)
                if (reads(&list[k], old.id))
                    list[k].from.id = saved;
            continue;
        }
        insert_move(l, before, list[i].to, &list[i].from);
        list[i] = list[--n];
    }
}

static void
move_phis(leave *l, tree_node *before, const tree_phi *phis, unsigned index)
{
    unsigned n = 0;
    for (const tree_phi *phi = phis; phi; phi = phi->next)
        n++;
    move *list = ARENA_ARRAY(l->p->arena, n + 1, move);
    n = 0;
    for (const tree_phi *phi = phis; phi; phi = phi->next) {
        tree_operand from = phi->src[index];
        const uint32_t to = find(l, phi->def);
        if (from.kind == TREE_VALUE)
            from.id = find(l, from.id);
        if (from.kind == TREE_UNDEF || (!from.mods && reads(&(move){0, from}, to)))
            continue;
        list[n++] = (move){to, from};
    }
    insert_moves(l, before, list, n);
}

static void
use(void *user, tree_node *n, tree_operand *o)
{
    (void)n;
    if (o->kind == TREE_VALUE)
        o->id = find(user, o->id);
}

static void
define(void *user, tree_node *n, uint32_t *def)
{
    (void)n;
    *def = find(user, *def);
}

void
r600_opt_leave_ssa(tree_program *p)
{
    leave l = {.p = p};
    const uint32_t n_values = p->n_values;
    r600_tree_find_live(p, &l.live);
    l.parent = ARENA_ARRAY(p->arena, n_values, uint32_t);
    for (uint32_t i = 0; i < n_values; i++)
        l.parent[i] = i;
    TREE_FOREACH(n, p) {
        if (n->kind != TREE_REGION)
            continue;
        join_phis(&l, n->loop_phis, 1 + n->n_repeats);
        join_phis(&l, n->phis, n->n_departs);
    }
    TREE_FOREACH(n, p) {
        r600_tree_operands(n, use, &l);
        r600_tree_defs(n, define, &l);
    }
    TREE_FOREACH(n, p) {
        if (n->kind == TREE_REGION)
            move_phis(&l, n, n->loop_phis, 0);
        else if (n->kind == TREE_DEPART)
            move_phis(&l, n, n->target->phis, n->id);
        else if (n->kind == TREE_REPEAT)
            move_phis(&l, n, n->target->loop_phis, n->id + 1);
    }
    TREE_FOREACH(n, p)
        n->phis = n->loop_phis = NULL;
    p->is_ssa = false;
}
