/* List scheduling under a bound on the register demand.
 *
 * A clock runs forwards through a block. Of the ready instructions, the first of the heap are
 * compared, so few that a choice takes constant time. In this order:
 *
 *   - what uses the vector that was just made, so that no register of it is taken meanwhile;
 *   - what need not wait, else what waits least;
 *   - a memory instruction that continues a group;
 *   - the longest path to the end of the block: what leads to slow instructions comes early, and
 *     what only stores comes late;
 *   - the original order.
 *
 * Constants are not made before something needs them, unless a slow instruction does. If the demand
 * at an instruction would be above the bound, the next best is taken, at last the first instruction
 * in the original order. What ends more values than it makes has the wider bound.
 *
 * So the demand may still come above the bound, where instructions came too early whose results
 * live through a part with a high demand of its own. Two more schedules leave an eighth, then a
 * quarter of the bound free of what leads to slow instructions. The last one looks ahead: as long
 * as the original order is followed, each point of it has its original demand, and the excess of
 * what is live now over what was live here in the original order. The excess must fit at all points
 * of the next instructions. If that fails, too, the block stays as it is.
 *
 * Blocks without slow instructions stay as they are, unless the rules ask for all.
 */
#include "cg/schedule.h"

enum {
    CANDIDATES = 8,     /* ready instructions that are compared */
    TRIES = 4,          /* of these, that are asked whether they fit */
    SEEN = 48,          /* ready instructions that are looked at for these */
    LONGEST_GROUP = 12, /* instructions */
    REACH = 256,        /* instructions come earlier by at most so many */
    CAREFUL_REACH = 64, /* in the last schedule */
    SPAN = 32,          /* nodes with one entry of `peaks` */
    SLOW_TRIES = 3,     /* schedules with less and less room for slow instructions */
    SLOW_PARTS = 8,     /* the room becomes smaller by one of so many parts */
};

typedef struct fact {
    cg_schedule_facts is;
    bool constant;    /* uses no value */
    uint16_t at_most; /* units by which the demand may grow at it */
} fact;

typedef struct scheduler {
    const cg_schedule_rules *rules;
    cg_graph *g; /* NULL until a block needs it */
    arena *a;
    fact *facts; /* by node */
    size_t cap_facts;
    cg_demand *peaks; /* by node / SPAN: the largest demand in the original order */
    size_t cap_peaks;
    cg_demand most, free; /* bounds of the block */
    cg_demand slow;       /* the bound for what leads to slow instructions */
    bool careful;         /* looks ahead */

    uint32_t now;          /* cycle */
    uint32_t first;        /* in the original order, of what is not placed */
    const ir_instr *maker; /* made a vector just now, or NULL */
    uint32_t last;         /* node of the group's last instruction */
    unsigned group, length;
} scheduler;

typedef struct candidate {
    uint32_t node, stall;
    bool late, uses, joins;
} candidate;

/* ---- facts ---- */

/* Units of all banks that results and copies of operands may take. */
static unsigned
growth(const ir_fn *f, const ir_instr *i)
{
    unsigned units = 0;
    for (unsigned d = 0; d < i->n_defs; d++)
        units += 2u * ir_class_of(f, i->defs[d].rc)->units; /* and the copy of a tied operand */
    for (unsigned r = 0; r < i->n_refs; r++)
        units += i->refs[r].flags & (IR_FIXED | IR_LATE_KILL) ? ir_class_of(f, i->refs[r].rc)->units
                                                              : 0u;
    return f->level->machine->kills_late(i->op) ? UINT16_MAX : units;
}

static bool
uses_no_value(const ir_instr *i)
{
    bool none = i->n_defs > 0;
    for (unsigned r = 0; r < i->n_refs; r++)
        none &= !ir_is_value(i->refs[r]);
    return none;
}

/* What the rules say. Returns true if an instruction is slow. */
static bool
ask_rules(scheduler *s, const ir_instr *first)
{
    bool slow = s->rules->all_blocks;
    size_t n = 0;
    for (const ir_instr *i = first; i; i = i->next, n++) {
        s->facts = arena_grow(s->a, s->facts, &s->cap_facts, n + 1, sizeof *s->facts);
        s->facts[n].is = s->rules->facts(s->rules->user, i);
        slow |= s->facts[n].is.slow;
    }
    return slow;
}

static void
find_facts(scheduler *s)
{
    const cg_graph *g = s->g;
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        const ir_instr *i = g->nodes[k].instr;
        s->facts[k].constant = uses_no_value(i) || i->op == g->f->level->machine->ops.create_vector;
        s->facts[k].at_most = (uint16_t)growth(g->f, i);
    }
}

static void
find_peaks(scheduler *s)
{
    const cg_graph *g = s->g;
    const cg_demand *demand = cg_of(g->f)->live->instrs;
    uint32_t n = g->n_nodes / SPAN + 1;
    s->peaks = arena_grow(s->a, s->peaks, &s->cap_peaks, n, sizeof *s->peaks);
    for (uint32_t k = 0; k < n; k++)
        s->peaks[k] = (cg_demand){0};
    for (uint32_t k = 0; k < g->n_nodes; k++)
        s->peaks[k / SPAN] = cg_demand_max(s->peaks[k / SPAN], demand[g->first_index + k]);
}

/* ---- demand ---- */

static bool
is_within(const cg_demand *d, unsigned more, const cg_demand *bound)
{
    bool ok = true;
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        ok &= d->units[k] + (int32_t)more <= bound->units[k];
    return ok;
}

static const cg_demand *
bound_of(const scheduler *s, uint32_t node)
{
    bool leads = s->facts[node].is.slow || s->g->nodes[node].height >= s->rules->far;
    return leads ? &s->slow : &s->free;
}

/* Does the excess over the original order, with that of `change`, fit into what comes next there?
 */
static bool
excess_fits(const scheduler *s, const cg_demand *change, const cg_demand *bound)
{
    cg_demand original = cg_graph_before(s->g, s->first), most = {0};
    uint32_t end = s->first + CAREFUL_REACH;
    end = end < s->g->n_nodes ? end : s->g->n_nodes - 1;
    for (uint32_t k = s->first / SPAN; k <= end / SPAN; k++)
        most = cg_demand_max(most, s->peaks[k]);
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        most.units[k] += s->g->demand.units[k] + change->units[k] - original.units[k];
    return is_within(&most, 0, bound);
}

static bool
fits(const scheduler *s, uint32_t node)
{
    const cg_demand *bound = bound_of(s, node);
    if (node == s->first)
        return true;
    if (!s->careful && is_within(&s->g->demand, s->facts[node].at_most, bound))
        return true;
    cg_placing p = cg_graph_try(s->g, node);
    if (is_within(&p.change, 0, &(cg_demand){{0}}))
        return is_within(&p.most, 0, &s->most);
    return is_within(&p.most, 0, bound) && (!s->careful || excess_fits(s, &p.change, bound));
}

/* ---- choice ---- */

static bool
joins_group(const scheduler *s, uint32_t node)
{
    const cg_node *nodes = s->g->nodes;
    return s->group && s->facts[node].is.group == s->group && s->length < LONGEST_GROUP &&
           s->rules->follows(s->rules->user, nodes[s->last].instr, nodes[node].instr);
}

static bool
uses_vector(const scheduler *s, const ir_instr *i)
{
    bool uses = false;
    for (unsigned r = 0; s->maker && r < i->n_refs; r++)
        uses |= ir_is_value(i->refs[r]) && i->refs[r].id == s->maker->defs[0].id;
    return uses;
}

static candidate
judge(const scheduler *s, uint32_t node)
{
    const cg_node *n = &s->g->nodes[node];
    return (candidate){
        .node = node,
        .stall = n->cycle > s->now ? n->cycle - s->now : 0,
        .late = s->facts[node].constant && n->height < s->rules->far,
        .uses = uses_vector(s, n->instr),
        .joins = joins_group(s, node),
    };
}

static bool
is_better(const scheduler *s, candidate a, candidate b)
{
    const cg_node *nodes = s->g->nodes;
    if (a.late != b.late)
        return b.late;
    if (a.uses != b.uses)
        return a.uses;
    if (a.stall != b.stall)
        return a.stall < b.stall;
    if (a.joins != b.joins)
        return a.joins;
    if (nodes[a.node].height != nodes[b.node].height)
        return nodes[a.node].height > nodes[b.node].height;
    return a.node < b.node;
}

static uint32_t
choose(const scheduler *s)
{
    const cg_graph *g = s->g;
    candidate c[CANDIDATES];
    uint32_t n = 0, end = s->first + (s->careful ? CAREFUL_REACH : REACH);
    for (uint32_t k = 0; k < g->n_ready && k < SEEN && n < CANDIDATES; k++) {
        if (g->ready[k] < end)
            c[n++] = judge(s, g->ready[k]);
    }
    for (unsigned tries = 0; n && tries < TRIES; tries++) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < n; k++)
            best = is_better(s, c[k], c[best]) ? k : best;
        if (fits(s, c[best].node))
            return c[best].node;
        c[best] = c[--n];
    }
    return s->first;
}

/* ---- a schedule ---- */

static void
note_group(scheduler *s, uint32_t node)
{
    unsigned group = s->facts[node].is.group;
    s->length = joins_group(s, node) ? s->length + 1 : 1;
    s->group = group;
    s->last = node;
}

/* Returns false if the demand comes above the bound. */
static bool
place(scheduler *s, uint32_t node)
{
    cg_graph *g = s->g;
    const ir_instr *i = g->nodes[node].instr;
    bool vector = i->op == g->f->level->machine->ops.create_vector;
    s->now = g->nodes[node].cycle > s->now ? g->nodes[node].cycle : s->now;
    cg_demand most = cg_graph_place(g, node, s->now);
    s->now += s->facts[node].is.issue;
    s->maker = vector ? i : NULL;
    if (!vector) /* it may have no code */
        note_group(s, node);
    while (s->first < g->n_nodes && g->nodes[s->first].heap == CG_PLACED)
        s->first++;
    return is_within(&most, 0, &s->most);
}

static bool
make_schedule(scheduler *s, bool careful)
{
    s->careful = careful;
    s->now = s->first = s->group = s->length = 0;
    s->maker = NULL;
    cg_graph_start(s->g, CG_FORWARDS);
    bool ok = true;
    while (ok && s->g->n_ready)
        ok = place(s, choose(s));
    return ok;
}

static bool
is_new_order(const cg_graph *g)
{
    uint32_t k = 0;
    while (k < g->n_nodes && g->order[k] == k)
        k++;
    return k < g->n_nodes;
}

/* Slow instructions leave `part` of SLOW_PARTS to what uses their results. */
static void
set_slow_bound(scheduler *s, unsigned part)
{
    s->slow = s->most;
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        s->slow.units[k] -= s->most.units[k] * (int32_t)part / SLOW_PARTS;
}

static void
schedule_block(scheduler *s, ir_block *b)
{
    ir_instr *first = ir_first_non_phi(b);
    const cg_demand *now = &cg_of(b->fn)->live->blocks[b->index];
    if (!ask_rules(s, first))
        return;
    if (!s->g)
        s->g = cg_graph_new(b->fn, s->rules->latency, s->rules->user, s->a);
    cg_graph_build(s->g, first, NULL);
    find_facts(s);
    s->most = cg_demand_max(s->rules->most, *now);
    s->free = cg_demand_max(s->rules->free, (cg_demand){0});
    bool ok = false;
    for (unsigned part = 0; part < SLOW_TRIES && !ok; part++) {
        set_slow_bound(s, part);
        ok = make_schedule(s, false);
    }
    if (!ok) {
        set_slow_bound(s, 0);
        find_peaks(s);
        ok = make_schedule(s, true);
    }
    if (ok && is_new_order(s->g) && ir_may_change(s->g->f->ctx))
        cg_graph_apply(s->g);
}

void
cg_schedule(ir_fn *f, const cg_schedule_rules *rules)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    scheduler s = {.rules = rules, .a = a};
    IR_FOREACH_BLOCK(b, f)
        schedule_block(&s, b);
    arena_release(a, mark);
}
