/* Leaving SSA: phis become variables.
 *
 * A phi and its operands share a variable unless they are live at one place. Where they do not,
 * moves stand before the depart, the repeat or the loop; those of one place are parallel, and are
 * put in an order here, with a further variable where they exchange values. Inputs stay in their
 * registers, and elements of arrays in those of the array (arrays.c): two such never share a
 * variable. */
#include "r600/opt/opt.h"

#include "r600/tree/live.h"

typedef struct leave {
    tree_program *p;
    tree_live live;
    uint32_t *parent;    /* union-find by value */
    uint32_t *sibling;   /* the next value of the same variable, in a circle */
    tree_places *places; /* by variable: where it is live */
    uint32_t *number;    /* by value: what it is a copy of, or itself */
} leave;

static uint32_t
find(leave *l, uint32_t v)
{
    while (l->parent[v] != v)
        v = l->parent[v] = l->parent[l->parent[v]];
    return v;
}

/* Has the variable a register, or is it to be in an array? */
static bool
is_fixed(const tree_value *v)
{
    return v->is_input || v->array;
}

/* Gives a variable a set of its own, with room for words `first` to `end` - 1, and for some more,
 * because a variable joins many values. */
static void
widen_places(leave *l, uint32_t variable, uint32_t first, uint32_t end)
{
    tree_places *p = &l->places[variable];
    const uint32_t slack = (end - first) / 2, behind = l->live.words - end;
    tree_places wide = {.first = first - (first < slack ? first : slack),
                        .end = end + (behind < slack ? behind : slack)};
    wide.bits = ARENA_ARRAY(l->p->arena, wide.end - wide.first, uint64_t);
    for (uint32_t w = p->first; w < p->end; w++)
        wide.bits[w - wide.first] = p->bits[w - p->first];
    *p = wide;
}

static void
add_places(leave *l, uint32_t variable, const tree_places *from)
{
    const tree_places *p = &l->places[variable];
    if (from->first == from->end)
        return;
    const uint32_t first = p->end && p->first < from->first ? p->first : from->first;
    const uint32_t end = p->end > from->end ? p->end : from->end;
    if (p->bits == l->live.at[variable].bits || first < p->first || end > p->end)
        widen_places(l, variable, first, end);
    for (uint32_t w = from->first; w < from->end; w++)
        p->bits[w - p->first] |= from->bits[w - from->first];
}

static void
join(leave *l, uint32_t a, uint32_t b)
{
    tree_value *values = l->p->values;
    const uint32_t from = is_fixed(&values[b]) ? a : b, to = is_fixed(&values[b]) ? b : a;
    const uint32_t next = l->sibling[from];
    if (to != from)
        add_places(l, to, &l->places[from]);
    l->parent[from] = to;
    l->sibling[from] = l->sibling[to];
    l->sibling[to] = next;
    values[to].def = values[from].def = NULL; /* there are several */
}

/* Do values of two variables that differ live at one place? Copies do not: in SSA form both have
 * the same number wherever they live. */
static bool
differs_somewhere(const leave *l, uint32_t a, uint32_t b)
{
    uint32_t x = a;
    do {
        uint32_t y = b;
        do {
            if (l->number[x] != l->number[y] && r600_places_meet(&l->live.at[x], &l->live.at[y]))
                return true;
            y = l->sibling[y];
        } while (y != b);
        x = l->sibling[x];
    } while (x != a);
    return false;
}

static void
try_join(leave *l, uint32_t phi, const tree_operand *o)
{
    const uint32_t a = find(l, phi);
    const tree_value *values = l->p->values;
    if (o->kind != TREE_VALUE || o->mods)
        return;
    const uint32_t b = find(l, o->id);
    if (a == b || (is_fixed(&values[a]) && is_fixed(&values[b])))
        return;
    const bool has_copies = values[a].array || values[b].array;
    if (!r600_places_meet(&l->places[a], &l->places[b]) ||
        (has_copies && !differs_somewhere(l, a, b)))
        join(l, a, b);
}

static void
join_phis(leave *l, tree_phi *phi, unsigned n)
{
    for (; phi; phi = phi->next)
        for (unsigned i = 0; i < n; i++)
            try_join(l, phi->def, &phi->src[i]);
}

/* ---- arrays ---- */

/* What stands for elements at one place alone joins their variables in any case. */
static void
join_elements(leave *l, const tree_node *n)
{
    const tree_access *a = n->access;
    const uint32_t *element = l->p->arrays[a->array].element;
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->use[i].kind == TREE_VALUE)
            join(l, find(l, element[i]), find(l, a->use[i].id));
        if (a->is_write)
            join(l, find(l, element[i]), find(l, a->def[i]));
    }
}

static bool
is_copy(const tree_node *n)
{
    const tree_slot *s = n->slots;
    return n->kind == TREE_ALU && !n->is_pack && !n->access && s->op == R600_MOV && s->def &&
           s->src[0].kind == TREE_VALUE && !s->src[0].mods && !s->clamp && !s->omod;
}

/* A plain move to or from an element's variable, which is none if the two share one. */
static void
join_move(leave *l, const tree_node *n)
{
    const tree_slot *s = n->slots;
    if (is_copy(n) &&
        (l->p->values[find(l, s->def)].array || l->p->values[find(l, s->src[0].id)].array))
        try_join(l, s->def, &s->src[0]);
}

static void
join_arrays(leave *l)
{
    TREE_FOREACH(n, l->p)
        if (is_copy(n))
            l->number[n->slots->def] = l->number[n->slots->src[0].id];
    TREE_FOREACH(n, l->p)
        if (n->access)
            join_elements(l, n);
    for (unsigned round = 0; l->p->n_arrays && round < 2; round++) /* stores come before */
        TREE_FOREACH(n, l->p)
            join_move(l, n);
}

static void
remove_void_moves(tree_program *p)
{
    for (tree_node *n = p->body.first, *next; n; n = next) {
        next = r600_tree_next(n);
        if (is_copy(n) && n->slots->src[0].id == n->slots->def)
            r600_tree_remove(n);
    }
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

/* What a fetch for valid pixels leaves to helpers stands in the register of its result: a variable
 * of its own, because what shares one with the result may be read by the fetch. */
static void
keep_for_helpers(leave *l, tree_node *n, uint32_t n_values)
{
    tree_vector *v = &n->vectors[n->n - 1];
    for (unsigned c = 0; c < 4; c++) {
        const tree_operand old = v->index[c];
        v->index[c].kind = TREE_NONE;
        if (!v->def[c] || old.kind == TREE_NONE || old.kind == TREE_UNDEF)
            continue;
        const uint32_t def = v->def[c];
        const bool is_alone = def < n_values && l->sibling[def] == def &&
                              !is_fixed(&l->p->values[def]);
        const uint32_t kept = is_alone ? def : r600_tree_value(l->p);
        l->p->values[kept].reg = l->p->values[def].reg;
        insert_move(l, n, kept, &old);
        v->def[c] = kept;
        v->index[c] = r600_tree_use(kept);
        if (is_alone)
            continue;
        tree_node *copy = r600_tree_alu(l->p, R600_MOV);
        copy->slots->src[0] = v->index[c];
        copy->slots->def = def;
        if (n->next)
            r600_tree_insert_before(n->next, copy);
        else
            r600_tree_append(n->list, copy);
    }
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
    r600_opt_isolate_elements(p);
    const uint32_t n_values = p->n_values;
    r600_tree_find_live(p, &l.live);
    l.parent = ARENA_ARRAY(p->arena, n_values, uint32_t);
    l.sibling = ARENA_ARRAY(p->arena, n_values, uint32_t);
    l.places = ARENA_ARRAY(p->arena, n_values, tree_places);
    l.number = ARENA_ARRAY(p->arena, n_values, uint32_t);
    for (uint32_t i = 0; i < n_values; i++)
        l.parent[i] = l.sibling[i] = l.number[i] = i;
    memcpy(l.places, l.live.at, n_values * sizeof *l.places);
    join_arrays(&l);
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
        if (n->kind == TREE_FETCH && n->bank)
            keep_for_helpers(&l, n, n_values);
    TREE_FOREACH(n, p)
        n->phis = n->loop_phis = NULL;
    remove_void_moves(p);
    p->is_ssa = false;
}
