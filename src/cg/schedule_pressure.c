/* Register pressure while instructions are placed.
 *
 * Kill flags tell which values are live after the graph's instructions: those that none of these
 * kills. Forwards, a value dies in the last of its users that is placed, unless it is live at the
 * end; backwards, it becomes live in the first. Demand at an instruction is counted as in
 * cg/live.c: the larger of the demand before it, with the copies of tied and fixed operands that
 * stay live, and of the demand after it, with unused definitions and late kills.
 */
#include "cg/schedule_graph.h"

enum { KNOWN = 1, ENDS = 2 }; /* cg_graph_tables.end */

/* What value `id` takes of a bank's units. */
static cg_weight
find_weight(const cg_graph *g, uint32_t id)
{
    const ir_machine *m = g->f->level->machine;
    ir_ref def = cg_graph_definition(g->f, id);
    const ir_class *class = &m->classes[def.rc];
    bool special = (def.flags & IR_FIXED) && ir_is_special(m, def.reg);
    bool counts = ir_is_value(def) && !special;
    return (cg_weight){
        .known = true, .bank = class->bank, .units = counts ? (uint8_t) class->units : 0};
}

static inline void
add_value(const cg_graph *g, cg_demand *d, uint32_t id, int sign)
{
    cg_weight *w = &g->tables->weights[id];
    if (!w->known)
        *w = find_weight(g, id);
    d->units[w->bank] += sign * w->units;
}

static cg_demand
sum(cg_demand a, cg_demand b, int sign)
{
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        a.units[k] += sign * b.units[k];
    return a;
}

/* Is reference `r` the first of `i` to its value? */
static bool
is_first(cg_graph_tables *t, const ir_instr *i, unsigned r)
{
    if (!ir_is_value(i->refs[r]) || t->seen[i->refs[r].id] == t->time)
        return false;
    t->seen[i->refs[r].id] = t->time;
    return true;
}

/* ---- the row ---- */

static void
note_value(cg_graph_tables *t, ir_ref r)
{
    if (!ir_is_value(r))
        return;
    if (!t->end[r.id]) {
        t->values = arena_grow(t->a, t->values, &t->cap_values, t->n_values + 1, sizeof *t->values);
        t->values[t->n_values++] = r.id;
    }
    t->end[r.id] |= r.flags & IR_KILL ? KNOWN | ENDS : KNOWN;
}

static void
note_values(cg_graph *g)
{
    cg_graph_tables *t = g->tables;
    while (t->n_values)
        t->end[t->values[--t->n_values]] = 0;
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        const ir_instr *i = g->nodes[k].instr;
        for (unsigned d = 0; d < i->n_defs; d++)
            note_value(t, i->defs[d]);
        for (unsigned r = 0; r < i->n_refs; r++)
            note_value(t, i->refs[r]);
    }
}

/* The demand before `i`, from that after it. */
static void
step_back(const cg_graph *g, const ir_instr *i, cg_demand *d)
{
    for (unsigned k = 0; k < i->n_defs; k++) {
        if (ir_is_value(i->defs[k]) && !(i->defs[k].flags & IR_KILL))
            add_value(g, d, i->defs[k].id, -1);
    }
    for (unsigned k = 0; k < i->n_refs; k++) {
        if (ir_is_value(i->refs[k]) && (i->refs[k].flags & IR_FIRST_KILL))
            add_value(g, d, i->refs[k].id, 1);
    }
}

void
cg_pressure_build(cg_graph *g, ir_instr *end)
{
    cg_graph_tables *t = g->tables;
    const cg_id_set *out = &cg_of(g->f)->live->out[g->block->index];
    cg_demand d = {0};
    note_values(g);
    for (uint32_t k = 0; k < out->count; k++)
        add_value(g, &d, out->ids[k], 1);
    t->out_demand = d;
    for (const ir_instr *i = g->block->last; end && i != end->prev; i = i->prev)
        step_back(g, i, &d);
    t->end_demand = d;
    t->before = arena_grow(t->a, t->before, &t->cap_before, g->n_nodes, sizeof *t->before);
    t->most = arena_grow(t->a, t->most, &t->cap_most, g->n_nodes, sizeof *t->most);
    for (uint32_t k = g->n_nodes; k-- > 0;) {
        step_back(g, g->nodes[k].instr, &d);
        t->before[k] = d;
    }
    t->begin_demand = d;
}

void
cg_pressure_start(cg_graph *g)
{
    cg_graph_tables *t = g->tables;
    bool back = g->direction == CG_BACKWARDS;
    g->demand = back ? t->end_demand : t->begin_demand;
    t->tried = 0;
    for (size_t k = 0; k < t->n_values; k++)
        t->left[t->values[k]] = !(t->end[t->values[k]] & ENDS);
    for (uint32_t k = 0; k < g->n_nodes && !back; k++) {
        const ir_instr *i = g->nodes[k].instr;
        t->time++;
        for (unsigned r = 0; r < i->n_refs; r++) {
            if (is_first(t, i, r))
                t->left[i->refs[r].id]++;
        }
    }
}

/* ---- placing ---- */

/* Does value `id`, an operand of a node, die there if the node is placed next? */
static bool
ends(const cg_graph *g, uint32_t id)
{
    return g->tables->left[id] == (g->direction == CG_FORWARDS);
}

/* Reference `first` is the first to its value, which dies in `i`. Is its register unavailable to
 * the definitions of `i`? `all`: those of all its operands are. */
static bool
is_late(const ir_instr *i, unsigned first, bool all)
{
    uint32_t id = i->refs[first].id;
    bool late = all;
    for (unsigned r = first; r < i->n_refs && !late; r++)
        late = (i->refs[r].flags & IR_LATE_KILL) && ir_is_value(i->refs[r]) && i->refs[r].id == id;
    return late;
}

/* What the copies of operands take that must be in fixed registers. */
static void
add_fixed_copies(const cg_graph *g, const ir_instr *i, cg_demand *d)
{
    const ir_machine *m = g->f->level->machine;
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        bool dies = ir_is_value(ref) && ends(g, ref.id);
        if (ref.flags & IR_FIXED)
            d->units[m->classes[ref.rc].bank] += (int32_t)cg_fixed_copy_if(m, i, r, dies);
    }
}

/* A tied operand that stays live, or is a constant, is copied before. */
static void
add_tied_copy(const cg_graph *g, const ir_instr *i, cg_demand *d)
{
    ir_tied t = g->f->level->machine->tied(i);
    if (t.ref < 0 || t.def < 0 || i->refs[t.ref].kind == IR_REF_UNDEF ||
        !ir_is_value(i->defs[t.def]))
        return;
    if (!ir_is_value(i->refs[t.ref]) || !ends(g, i->refs[t.ref].id))
        add_value(g, d, i->defs[t.def].id, 1);
}

static cg_placing
find_placing(cg_graph *g, uint32_t node)
{
    cg_graph_tables *t = g->tables;
    const ir_instr *i = g->nodes[node].instr;
    bool all_late = g->f->level->machine->kills_late(i->op);
    cg_demand change = {0}, extra = {0}; /* of what is live; counted only at the instruction */
    cg_placing p;
    t->time++;
    for (unsigned r = 0; r < i->n_refs; r++) {
        uint32_t id = i->refs[r].id;
        if (!is_first(t, i, r) || !ends(g, id))
            continue;
        add_value(g, &change, id, -1);
        if (is_late(i, r, all_late))
            add_value(g, &extra, id, 1);
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (ir_is_value(i->defs[d]))
            add_value(g, t->left[i->defs[d].id] ? &change : &extra, i->defs[d].id, 1);
    }
    bool back = g->direction == CG_BACKWARDS;
    cg_demand before = back ? sum(g->demand, change, -1) : g->demand;
    cg_demand after = back ? g->demand : sum(g->demand, change, 1);
    p.change = sum(back ? before : after, g->demand, -1);
    add_tied_copy(g, i, &before);
    add_fixed_copies(g, i, &before);
    p.most = cg_demand_max(before, sum(after, extra, 1));
    return p;
}

/* The answer holds until a node is placed, and mostly it is the one that was asked for. */
cg_placing
cg_graph_try(cg_graph *g, uint32_t node)
{
    cg_graph_tables *t = g->tables;
    if (t->tried != node + 1)
        t->placing = find_placing(g, node);
    t->tried = node + 1;
    return t->placing;
}

/* Counts the uses of `node`, which is placed next. */
static void
count_uses(cg_graph *g, uint32_t node)
{
    cg_graph_tables *t = g->tables;
    const ir_instr *i = g->nodes[node].instr;
    bool back = g->direction == CG_BACKWARDS;
    t->time++;
    for (unsigned d = 0; d < i->n_defs && back; d++) {
        if (ir_is_value(i->defs[d]))
            t->left[i->defs[d].id] = 0;
    }
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (is_first(t, i, r))
            t->left[i->refs[r].id] = back ? 1 : t->left[i->refs[r].id] - 1;
    }
}

cg_demand
cg_pressure_place(cg_graph *g, uint32_t node)
{
    cg_placing p = cg_graph_try(g, node);
    g->demand = sum(g->demand, p.change, 1);
    g->tables->most[node] = p.most;
    g->tables->tried = 0;
    count_uses(g, node);
    return p.most;
}

cg_demand
cg_graph_before(const cg_graph *g, uint32_t node)
{
    return g->tables->before[node];
}

/* ---- the new order ---- */

/* Kill flags of `node`, which is placed next, forwards. */
static void
set_flags(cg_graph *g, uint32_t node)
{
    ir_instr *i = g->nodes[node].instr;
    bool all_late = g->f->level->machine->kills_late(i->op);
    g->tables->time++;
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref *ref = &i->refs[r];
        ref->flags &= (uint8_t) ~(IR_KILL | IR_FIRST_KILL);
        bool first = is_first(g->tables, i, r);
        if (!ir_is_value(*ref) || !ends(g, ref->id))
            continue;
        ref->flags |= (uint8_t)(first ? IR_KILL | IR_FIRST_KILL : IR_KILL);
        bool late = first && is_late(i, r, all_late);
        for (unsigned k = r; late && k < i->n_refs; k++) {
            if (ir_is_value(i->refs[k]) && i->refs[k].id == ref->id)
                i->refs[k].flags |= IR_LATE_KILL;
        }
    }
}

void
cg_pressure_apply(cg_graph *g)
{
    bool back = g->direction == CG_BACKWARDS;
    cg_live *live = cg_of(g->f)->live;
    cg_demand most = g->tables->out_demand;
    g->direction = CG_FORWARDS;
    cg_pressure_start(g);
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        uint32_t node = g->order[back ? g->n_nodes - 1 - k : k];
        live->instrs[g->nodes[node].instr->index] = g->tables->most[node];
        set_flags(g, node);
        count_uses(g, node);
    }
    IR_FOREACH_INSTR(i, g->block)
        most = cg_demand_max(most, live->instrs[i->index]);
    live->blocks[g->block->index] = most;
    cg_of(g->f)->max_demand = cg_demand_max(cg_of(g->f)->max_demand, most);
}
