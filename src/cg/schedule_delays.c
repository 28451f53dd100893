/* List scheduling by exact latencies, after register allocation. A clock runs forwards through a
 * block. Of the first ready instructions of the heap the one is next that need not wait, or waits
 * least; of these the one with the longest path to the end of the block; of these the first in the
 * original order. A block whose order does not become shorter by that stays as it is. */
#include "cg/schedule_delays.h"

enum { SEEN = 32 }; /* ready instructions that are compared */

static uint32_t
stall_of(const cg_graph *g, uint32_t node, uint32_t now)
{
    return g->nodes[node].cycle > now ? g->nodes[node].cycle - now : 0;
}

static bool
is_better(const cg_graph *g, uint32_t a, uint32_t b, uint32_t now)
{
    const uint32_t x = stall_of(g, a, now), y = stall_of(g, b, now);
    if (x != y)
        return x < y;
    if (g->nodes[a].height != g->nodes[b].height)
        return g->nodes[a].height > g->nodes[b].height;
    return a < b;
}

static uint32_t
choose(const cg_graph *g, uint32_t now)
{
    uint32_t best = g->ready[0];
    for (uint32_t k = 1; k < g->n_ready && k < SEEN; k++)
        best = is_better(g, g->ready[k], best, now) ? g->ready[k] : best;
    return best;
}

/* The cycles of a schedule: of the best choices, or in the original order. */
static uint32_t
make_schedule(cg_graph *g, const cg_delay_rules *rules, bool original)
{
    uint32_t now = 0;
    cg_graph_start(g, CG_FORWARDS);
    for (uint32_t n = 0; g->n_ready; n++) {
        const uint32_t node = original ? n : choose(g, now);
        now += stall_of(g, node, now);
        const ir_instr *i = g->nodes[node].instr;
        cg_graph_place(g, node, now);
        now += rules->issue(rules->user, i);
    }
    return now;
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
        const uint32_t before = make_schedule(g, rules, true);
        if (make_schedule(g, rules, false) < before && ir_may_change(f->ctx))
            cg_graph_apply(g);
    }
    arena_release(a, mark);
}
