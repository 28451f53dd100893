/* List scheduling by exact latencies, after register allocation. A clock runs forwards through a
 * block. Of the first ready instructions of the heap the one is next that need not wait, or waits
 * least; of these the one with the longest path to the end of the block; of these the first in the
 * original order. A second order also lets instructions follow that are cheaper right behind the
 * last one. The shortest of the two and the original is taken; of equally short ones that with the
 * fewest nops, which may fall into a time that the machine waits anyway; of these that with most
 * such pairs; the original before others. */
#include "cg/schedule_delays.h"

enum { SEEN = 32 }; /* ready instructions that are compared */

static uint32_t
stall_of(const cg_graph *g, uint32_t node, uint32_t now)
{
    return g->nodes[node].cycle > now ? g->nodes[node].cycle - now : 0;
}

/* A schedule that is being made, or was. */
typedef struct schedule {
    cg_graph *g;
    const cg_delay_rules *rules;
    const ir_instr *last; /* placed */
    uint32_t now;         /* the cycle */
    uint32_t issued;      /* cycles without those that the machine waits */
    uint32_t nops;        /* of these */
    uint32_t *ready;      /* by node: the first of these cycles in which it may be issued */
    uint32_t n_joins;     /* pairs that stand together */
} schedule;

static bool
joins(const schedule *s, uint32_t node)
{
    const cg_delay_rules *r = s->rules;
    return r->joins && s->last && r->joins(r->user, s->last, s->g->nodes[node].instr);
}

static bool
is_better(const schedule *s, uint32_t a, uint32_t b)
{
    const cg_graph *g = s->g;
    const uint32_t x = stall_of(g, a, s->now), y = stall_of(g, b, s->now);
    if (x != y)
        return x < y;
    if (g->nodes[a].height != g->nodes[b].height)
        return g->nodes[a].height > g->nodes[b].height;
    return a < b;
}

static uint32_t
choose(const schedule *s, bool together)
{
    const cg_graph *g = s->g;
    uint32_t best = g->ready[0];
    for (uint32_t k = 1; k < g->n_ready && k < SEEN; k++)
        best = is_better(s, g->ready[k], best) ? g->ready[k] : best;
    for (uint32_t k = 0; together && k < g->n_ready && k < SEEN; k++)
        if (!stall_of(g, g->ready[k], s->now) && joins(s, g->ready[k]))
            return g->ready[k];
    return best;
}

typedef enum order { ORIGINAL, SHORTEST, TOGETHER } order;

/* Counts the nops before the node, and when those that read its results may be issued. */
static void
count_nops(schedule *s, uint32_t node)
{
    const cg_graph *g = s->g;
    const cg_node *n = &g->nodes[node];
    const uint32_t nops = s->ready[node] > s->issued ? s->ready[node] - s->issued : 0;
    s->nops += nops;
    s->issued += nops;
    for (uint32_t k = n->succs; k < n[1].succs && s->rules->is_exact(s->rules->user, n->instr);
         k++) {
        const cg_dep *d = &g->succs[k];
        const uint32_t when = s->issued + d->latency;
        s->ready[d->node] = when > s->ready[d->node] ? when : s->ready[d->node];
    }
    s->issued += s->rules->issue(s->rules->user, n->instr);
}

static schedule
make_schedule(cg_graph *g, const cg_delay_rules *rules, order how)
{
    schedule s = {.g = g, .rules = rules};
    arena *a = g->f->ctx->scratch;
    const arena_mark mark = arena_save(a);
    s.ready = ARENA_ARRAY(a, g->n_nodes, uint32_t);
    cg_graph_start(g, CG_FORWARDS);
    for (uint32_t n = 0; g->n_ready; n++) {
        const uint32_t node = how == ORIGINAL ? n : choose(&s, how == TOGETHER);
        s.now += stall_of(g, node, s.now);
        s.n_joins += joins(&s, node);
        s.last = g->nodes[node].instr;
        cg_graph_place(g, node, s.now);
        s.now += rules->issue(rules->user, s.last);
        count_nops(&s, node);
    }
    arena_release(a, mark);
    return s;
}

static bool
is_shorter(const schedule *a, const schedule *b)
{
    if (a->now != b->now)
        return a->now < b->now;
    return a->nops != b->nops ? a->nops < b->nops : a->n_joins > b->n_joins;
}

/* Gives the block the best of three orders. */
static void
schedule_block(const ir_fn *f, cg_graph *g, const cg_delay_rules *rules)
{
    const schedule before = make_schedule(g, rules, ORIGINAL);
    const schedule shortest = make_schedule(g, rules, SHORTEST);
    schedule s = shortest;
    if (rules->joins) {
        s = make_schedule(g, rules, TOGETHER);
        if (is_shorter(&shortest, &s))
            s = make_schedule(g, rules, SHORTEST);
    }
    if (is_shorter(&s, &before) && ir_may_change(f->ctx))
        cg_graph_apply(g);
}

void
cg_schedule_delays(ir_fn *f, const cg_delay_rules *rules)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    cg_graph *g = cg_graph_new(f, rules->latency, rules->user, a);
    IR_FOREACH_BLOCK(b, f) {
        ir_instr *first = ir_first_non_phi(b);
        if (!first || !first->next)
            continue;
        cg_graph_build(g, first, NULL);
        schedule_block(f, g, rules);
    }
    arena_release(a, mark);
}
