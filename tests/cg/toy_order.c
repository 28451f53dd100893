#include "toy_order.h"

#include "base/bits.h"
#include "cg/live.h"
#include "ir/bundle.h"

unsigned
toy_latency(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind,
            unsigned ref)
{
    (void)user, (void)from, (void)to, (void)ref;
    return kind != CG_DEP_READ;
}

static uint32_t
draw(const ir_fn *f, uint32_t below)
{
    toy_program *p = toy_prog(f);
    p->random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(base_hash64(p->random) % below);
}

_Noreturn static void
fail(const ir_fn *f, const char *what)
{
    diag_fail(f->ctx->diag, ERR_INTERNAL, what);
}

/* ---- demand, counted again ---- */

enum { KILLS = IR_KILL | IR_FIRST_KILL | IR_LATE_KILL };

/* What liveness says of an instruction. */
typedef struct facts {
    cg_demand demand;
    uint64_t kills; /* hash of the flags */
} facts;

static facts
facts_of(const ir_instr *i)
{
    facts s = {.demand = cg_of(i->block->fn)->live->instrs[i->index]};
    for (unsigned d = 0; d < i->n_defs; d++)
        s.kills = base_hash64(s.kills * 8 + (i->defs[d].flags & KILLS));
    for (unsigned r = 0; r < i->n_refs; r++)
        s.kills = base_hash64(s.kills * 8 + (i->refs[r].flags & KILLS));
    return s;
}

static bool
same_demand(cg_demand a, cg_demand b)
{
    bool same = true;
    for (unsigned k = 0; k < TOY_BANKS; k++)
        same &= a.units[k] == b.units[k];
    return same;
}

/* The blocks' demand, then that of the instructions, as the graph has left it. */
static facts *
note_facts(const ir_fn *f)
{
    size_t n = f->n_blocks;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            n++;
        }
    }
    facts *all = ARENA_ARRAY(f->arena, n, facts);
    n = 0;
    IR_FOREACH_BLOCK(b, f) {
        all[n++].demand = cg_of(f)->live->blocks[b->index];
        IR_FOREACH_INSTR(i, b) {
            all[n++] = facts_of(i);
        }
    }
    return all;
}

void
toy_check_demand(ir_fn *f)
{
    const facts *have = note_facts(f);
    cg_find_live(f);
    const facts *want = note_facts(f);
    size_t n = 0;
    IR_FOREACH_BLOCK(b, f) {
        if (!same_demand(have[n].demand, want[n].demand))
            fail(f, "the graph's demand of a block differs from that of liveness");
        n++;
        IR_FOREACH_INSTR(i, b) {
            if (!same_demand(have[n].demand, want[n].demand))
                fail(f, "the graph's demand at an instruction differs from that of liveness");
            if (have[n].kills != want[n].kills)
                fail(f, "the graph's kill flags differ from those of liveness");
            n++;
        }
    }
}

/* ---- random orders ---- */

/* Places a node; what it was said to change must be what it changes. Returns its demand. */
static cg_demand
place(cg_graph *g, uint32_t node, bool tracks)
{
    cg_demand before = g->demand, most = {0};
    cg_placing p = {0};
    if (tracks)
        p = cg_graph_try(g, node);
    cg_graph_place(g, node, g->nodes[node].cycle);
    for (unsigned k = 0; k < TOY_BANKS; k++) {
        before.units[k] += p.change.units[k];
        most.units[k] = p.most.units[k];
    }
    if (tracks && !same_demand(before, g->demand))
        fail(g->f, "placing an instruction has another effect on demand than cg_graph_try said");
    return most;
}

static void
reorder_row(cg_graph *g, ir_instr *first, ir_instr *end)
{
    ir_fn *f = g->f;
    cg_graph_build(g, first, end);
    bool tracks = f->ssa && !f->allocated;
    cg_demand *most = ARENA_ARRAY(f->arena, g->n_nodes, cg_demand);
    cg_graph_start(g, draw(f, 2) ? CG_FORWARDS : CG_BACKWARDS);
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        if (!g->n_ready)
            fail(f, "the scheduling graph has a cycle");
        uint32_t node = g->ready[draw(f, g->n_ready)];
        most[node] = place(g, node, tracks);
    }
    cg_graph_apply(g);
    for (uint32_t k = 0; k < g->n_nodes && tracks; k++) {
        if (!same_demand(most[k], cg_of(f)->live->instrs[g->nodes[k].instr->index]))
            fail(f, "cg_graph_try finds another demand while placing than in the final order");
    }
}

/* The whole block, or a part of it. */
static void
reorder_block(cg_graph *g, ir_block *b)
{
    ir_instr *first = ir_first_non_phi(b), *end = NULL;
    if (!first)
        return;
    while (first->next && !draw(g->f, 4))
        first = first->next;
    for (ir_instr *i = first; i && !end && draw(g->f, 2); i = i->next)
        end = draw(g->f, 8) ? NULL : i->next;
    reorder_row(g, first, end);
}

void
toy_reorder(ir_fn *f)
{
    bool tracks = f->ssa && !f->allocated;
    cg_graph *g = cg_graph_new(f, toy_latency, NULL, f->arena);
    IR_FOREACH_BLOCK(b, f) {
        reorder_block(g, b);
    }
    if (tracks)
        toy_check_demand(f);
}

/* ---- bundles ---- */

/* One of the ready nodes that may be at the cycle, preferably; UINT32_MAX: there is none. */
static uint32_t
draw_ready(const cg_graph *g, uint32_t cycle)
{
    uint32_t first = draw(g->f, g->n_ready);
    for (uint32_t k = 0; k < g->n_ready; k++) {
        uint32_t node = g->ready[(first + k) % g->n_ready];
        if (g->nodes[node].cycle <= cycle)
            return node;
    }
    return UINT32_MAX;
}

static bool
is_constant(ir_ref r)
{
    return r.kind == IR_REF_CONST;
}

/* Different constants of the instruction that are not among the first `n` of `known`; adds them. */
static unsigned
add_constants(const ir_instr *i, uint32_t known[], unsigned n)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        unsigned k = 0;
        while (k < n && known[k] != i->refs[r].id)
            k++;
        if (is_constant(i->refs[r]) && k == n)
            known[n++] = i->refs[r].id;
    }
    return n;
}

/* Fills one bundle, of cycle `cycle`; marks those which join. */
static void
fill_bundle(cg_graph *g, uint32_t cycle)
{
    uint32_t constants[64];
    unsigned n_constants = 0, slots = 0, most = 1 + draw(g->f, TOY_BUNDLE_SLOTS);
    while (slots < most && g->n_ready) {
        uint32_t node = draw_ready(g, cycle);
        if (node == UINT32_MAX)
            return;
        ir_instr *i = g->nodes[node].instr;
        if (i->n_refs > 32)
            fail(g->f, "an instruction has too many operands for a bundle");
        n_constants = add_constants(i, constants, n_constants);
        if (slots && n_constants > TOY_BUNDLE_CONSTANTS)
            return;
        i->form |= slots ? TOY_JOINS : 0;
        slots++;
        cg_graph_place(g, node, cycle);
    }
}

void
toy_make_bundles(ir_fn *f)
{
    cg_graph *g = cg_graph_new(f, toy_latency, NULL, f->arena);
    IR_FOREACH_BLOCK(b, f) {
        if (!ir_first_non_phi(b))
            continue;
        cg_graph_build(g, ir_first_non_phi(b), NULL);
        cg_graph_start(g, CG_FORWARDS);
        for (uint32_t cycle = 0; g->n_ready; cycle++)
            fill_bundle(g, cycle);
        cg_graph_apply(g);
    }
}
