/* An order of a block that needs few registers: a list schedule backwards.
 *
 *     a, b, c, d made; a + b; c + d; ...        a, b made; a + b; c, d made; c + d; ...
 *
 * Placed from the block's end, an instruction ends the lives of its results and begins those of its
 * operands. Of the ready ones the first of this order is taken:
 *
 *   - one that lets the other banks stay within their bounds;
 *   - none that the caller wants early, as loads;
 *   - what makes the demand grow least: what makes it shrink comes as late as it can;
 *   - whose result was asked for last, so that one expression is finished before the next begins;
 *   - the last in the original order.
 *
 * This is a heuristic: the smallest demand is NP-hard to find (Sethi, "Complete register allocation
 * problems", 1975). Latencies do not matter here; cg/schedule.c may move what fits afterwards.
 */
#include "cg/schedule.h"

enum { SEEN = 16 }; /* ready instructions that are compared */

typedef struct lowering {
    cg_graph *g;
    arena *a;
    const cg_lower_rules *rules;
    uint8_t *early; /* by node */
    size_t cap_early;
} lowering;

/* The new order of a block. */
typedef struct lower_order {
    struct lower_order *next;
    ir_block *block;
    uint32_t *nodes; /* backwards */
} lower_order;

typedef struct choice {
    uint32_t node;
    bool exceeds; /* the bound of another bank */
    bool early;
    int32_t growth;
} choice;

static choice
judge(const lowering *l, uint32_t node)
{
    const cg_lower_rules *rules = l->rules;
    cg_placing p = cg_graph_try(l->g, node);
    choice c = {.node = node, .early = l->early[node], .growth = p.change.units[rules->bank]};
    for (unsigned k = 0; k < IR_MAX_BANKS; k++) {
        c.exceeds |= k != rules->bank && p.change.units[k] > 0 &&
                     p.most.units[k] > rules->most.units[k];
    }
    return c;
}

static bool
is_better(const lowering *l, choice a, choice b)
{
    const cg_node *x = &l->g->nodes[a.node], *y = &l->g->nodes[b.node];
    if (a.exceeds != b.exceeds)
        return b.exceeds;
    if (a.early != b.early)
        return b.early;
    if (a.growth != b.growth)
        return a.growth < b.growth;
    if (x->cycle != y->cycle)
        return x->cycle > y->cycle;
    return a.node > b.node;
}

static uint32_t
choose(const lowering *l)
{
    const cg_graph *g = l->g;
    choice best = judge(l, g->ready[0]);
    for (uint32_t k = 1; k < g->n_ready && k < SEEN; k++) {
        choice c = judge(l, g->ready[k]);
        best = is_better(l, c, best) ? c : best;
    }
    return best.node;
}

static void
note_early(lowering *l)
{
    const cg_graph *g = l->g;
    const cg_lower_rules *rules = l->rules;
    l->early = arena_grow(l->a, l->early, &l->cap_early, g->n_nodes, sizeof *l->early);
    for (uint32_t k = 0; k < g->n_nodes; k++)
        l->early[k] = rules->is_early && rules->is_early(rules->user, g->nodes[k].instr);
}

static bool
is_within(cg_demand d, const cg_lower_rules *rules)
{
    bool ok = true;
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        ok &= d.units[k] <= rules->most.units[k];
    return ok;
}

/* Is what no order changes within the bounds: the demand at the first phi and at the end? */
static bool
ends_fit(const lowering *l, const ir_block *b)
{
    const cg_live *live = cg_of(l->g->f)->live;
    const ir_instr *phi = ir_has_flag(b->first, IR_OP_PHI) ? b->first : NULL;
    return is_within(live->instrs[b->last->index], l->rules) &&
           (!phi || is_within(live->instrs[phi->index], l->rules));
}

/* Finds an order of `b`, and its demand, or stops where that exceeds the bounds. A node's cycle is
 * the number of the placing that made it ready. */
static cg_demand
find_order(lowering *l, ir_block *b)
{
    cg_demand most = cg_of(l->g->f)->live->instrs[b->last->index];
    cg_graph_build(l->g, ir_first_non_phi(b), NULL);
    note_early(l);
    cg_graph_start(l->g, CG_BACKWARDS);
    while (l->g->n_ready && (l->rules->partly || is_within(most, l->rules)))
        most = cg_demand_max(most, cg_graph_place(l->g, choose(l), l->g->n_placed));
    return most;
}

/* Is the demand of the bank lower, and that of no other one higher than it may be? */
static bool
is_lower(cg_demand a, cg_demand than, const cg_lower_rules *rules)
{
    bool lower = a.units[rules->bank] < than.units[rules->bank];
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        lower &= a.units[k] <= than.units[k] || a.units[k] <= rules->most.units[k];
    return lower;
}

static lower_order *
keep_order(const lowering *l, lower_order *next)
{
    lower_order *o = ARENA_NEW(l->a, lower_order);
    size_t bytes = l->g->n_nodes * sizeof *o->nodes;
    *o = (lower_order){.next = next, .block = l->g->block, .nodes = arena_alloc(l->a, bytes)};
    memcpy(o->nodes, l->g->order, bytes);
    return o;
}

static void
apply_order(const lowering *l, const lower_order *o)
{
    cg_graph_build(l->g, ir_first_non_phi(o->block), NULL);
    cg_graph_start(l->g, CG_BACKWARDS);
    for (uint32_t k = 0; k < l->g->n_nodes; k++)
        cg_graph_place(l->g, o->nodes[k], 0);
    cg_graph_apply(l->g);
}

static void
find_largest(ir_fn *f)
{
    cg_demand most = {0};
    IR_FOREACH_BLOCK(b, f)
        most = cg_demand_max(most, cg_of(f)->live->blocks[b->index]);
    cg_of(f)->max_demand = most;
}

bool
cg_lower_demand(ir_fn *f, const cg_lower_rules *rules)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    lowering l = {.g = cg_graph_new(f, NULL, NULL, a), .a = a, .rules = rules};
    lower_order *orders = NULL;
    bool ok = true;
    IR_FOREACH_BLOCK(b, f) {
        const cg_demand *now = &cg_of(f)->live->blocks[b->index];
        if (is_within(*now, rules) || !(ok || rules->partly))
            continue;
        bool may_fit = ends_fit(&l, b);
        cg_demand found = may_fit || rules->partly ? find_order(&l, b) : *now;
        ok &= may_fit && is_within(found, rules);
        orders = ok || is_lower(found, *now, rules) ? keep_order(&l, orders) : orders;
    }
    for (const lower_order *o = orders; (ok || rules->partly) && o; o = o->next)
        apply_order(&l, o);
    if (ok || rules->partly)
        find_largest(f);
    arena_release(a, mark);
    return ok;
}

bool
cg_lower_to_budgets(ir_fn *f, unsigned bank, cg_demand spare)
{
    cg_lower_rules rules = {.bank = bank, .partly = true};
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        rules.most.units[k] = cg_of(f)->budget[k] - spare.units[k];
    return cg_lower_demand(f, &rules);
}
