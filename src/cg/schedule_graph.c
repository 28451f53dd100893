/* Edges, the ready list, and the new order.
 *
 * One walk over the instructions finds the edges: from a value's definition; and, for each register
 * unit, for the set of active lanes and for each class of memory, from the last writer and the
 * readers since. A write empties the list of readers, so the number of edges is linear in that of
 * operands. An instruction that must not move comes after all instructions since the previous such
 * one, and before all that follow. On SSA only fixed operands are in registers; after allocation
 * all are, and values do not matter. A new version of a pinned value comes after the readers of the
 * version that it overwrites, and the next value of a loop's phi after the readers of the phi.
 */
#include "cg/schedule_graph.h"

#include "base/bitset.h"
#include "cg/effects.h"
#include "ir/bundle.h"

#include <assert.h>

enum { MEMORY_CLASSES = 16 };

/* ---- edges ---- */

static unsigned
latency_of(const cg_graph *g, uint32_t from, uint32_t to, cg_dep_kind kind, unsigned ref)
{
    const cg_graph_tables *t = g->tables;
    if (!t->latency)
        return kind == CG_DEP_VALUE;
    return t->latency(t->user, g->nodes[from].instr, g->nodes[to].instr, kind, ref);
}

/* `to` is the node whose edges are being made. */
static void
add_edge(cg_graph *g, uint32_t from, uint32_t to, cg_dep_kind kind, unsigned ref)
{
    cg_graph_tables *t = g->tables;
    if (from == to)
        return;
    unsigned latency = latency_of(g, from, to, kind, ref);
    uint32_t slot = t->slots[from];
    if (slot > g->nodes[to].preds && slot <= t->n_preds && g->preds[slot - 1].node == from) {
        cg_dep *dep = &g->preds[slot - 1];
        if (latency > dep->latency)
            *dep = (cg_dep){from, (uint16_t)latency, (uint8_t)kind};
        return;
    }
    g->preds = arena_grow(t->a, g->preds, &t->cap_preds, t->n_preds + 1, sizeof *g->preds);
    g->preds[t->n_preds++] = (cg_dep){from, (uint16_t)latency, (uint8_t)kind};
    t->slots[from] = t->n_preds;
}

static void
touch(cg_graph_tables *t, uint32_t what)
{
    if (bitset_has(t->known, what))
        return;
    bitset_add(t->known, what);
    t->writer[what] = t->reader[what] = 0;
    t->touched[t->n_touched++] = what;
}

static void
add_reader(cg_graph_tables *t, uint32_t node, uint32_t *list)
{
    t->readers = arena_grow(t->a, t->readers, &t->cap_readers, t->n_readers + 1,
                            sizeof *t->readers);
    t->readers[t->n_readers++] = (cg_reader){node, *list};
    *list = t->n_readers;
}

/* `node` comes after all of the list. */
static void
follow_readers(cg_graph *g, uint32_t node, uint32_t list, cg_dep_kind kind)
{
    for (uint32_t r = list; r; r = g->tables->readers[r - 1].next)
        add_edge(g, g->tables->readers[r - 1].node, node, kind, 0);
}

static void
read_what(cg_graph *g, uint32_t node, uint32_t what, cg_dep_kind kind, unsigned ref)
{
    cg_graph_tables *t = g->tables;
    touch(t, what);
    if (t->writer[what])
        add_edge(g, t->writer[what] - 1, node, kind, ref);
    add_reader(t, node, &t->reader[what]);
}

static void
write_what(cg_graph *g, uint32_t node, uint32_t what, bool memory)
{
    cg_graph_tables *t = g->tables;
    touch(t, what);
    if (t->writer[what])
        add_edge(g, t->writer[what] - 1, node, memory ? CG_DEP_MEMORY : CG_DEP_WRITE, 0);
    follow_readers(g, node, t->reader[what], memory ? CG_DEP_MEMORY : CG_DEP_READ);
    t->reader[what] = 0;
    t->writer[what] = node + 1;
}

/* ---- operands ---- */

/* Is `r` a phi of the header of a loop? */
static bool
is_carried(const ir_fn *f, ir_ref r)
{
    const ir_instr *def = ir_def_of(f, r);
    return def && ir_has_flag(def, IR_OP_PHI) && def->block->kind & IR_BLOCK_LOOP_HEADER;
}

static void
read_ref(cg_graph *g, uint32_t node, unsigned n)
{
    ir_ref r = g->nodes[node].instr->refs[n];
    unsigned unit;
    if (ir_is_value(r) && g->f->ssa && !g->f->allocated) {
        const ir_instr *def = g->f->values[r.id].def;
        uint32_t from = def ? def->index - g->first_index : node;
        if (from < node && g->nodes[from].instr == def)
            add_edge(g, from, node, CG_DEP_VALUE, n);
        if (ir_is_pinned(g->f, r) || is_carried(g->f, r))
            add_reader(g->tables, node, &g->tables->pinned[r.id]);
        r = cg_graph_definition(g->f, r.id);
    }
    for (unsigned k = cg_graph_units(g->f, r, &unit); k; k--)
        read_what(g, node, unit + k - 1, CG_DEP_VALUE, n);
    for (unsigned k = cg_graph_units(g->f, g->nodes[node].instr->refs[n], &unit); k; k--)
        read_what(g, node, unit + k - 1, CG_DEP_VALUE, n);
}

/* Is what `i` defines the value of the phi in the next iteration? */
static bool
is_next_of(const ir_instr *i, const ir_instr *phi)
{
    bool is = false;
    for (unsigned r = 1; r < phi->n_refs; r++)
        is |= ir_is_value(phi->refs[r]) && phi->refs[r].id == i->defs[0].id;
    return is;
}

/* The version of a pinned value that `node` overwrites is not read any more, nor is a phi of a
 * loop's header behind its next value, so that both can have one register. */
static void
end_version(cg_graph *g, uint32_t node)
{
    const ir_instr *i = g->nodes[node].instr;
    for (unsigned r = 0; g->f->ssa && i->n_defs && r < i->n_refs; r++) {
        if (is_carried(g->f, i->refs[r]) && is_next_of(i, g->f->values[i->refs[r].id].def))
            follow_readers(g, node, g->tables->pinned[i->refs[r].id], CG_DEP_READ);
    }
    ir_tied tied = g->f->level->machine->tied(i);
    if (tied.ref >= 0 && ir_is_pinned(g->f, i->refs[tied.ref]))
        follow_readers(g, node, g->tables->pinned[i->refs[tied.ref].id], CG_DEP_READ);
}

static void
add_effects(cg_graph *g, uint32_t node, const ir_effects *e)
{
    uint32_t lanes = g->f->level->machine->n_units;
    if (e->lanes & (IR_LANES_MASK | IR_LANES_READ))
        read_what(g, node, lanes, CG_DEP_MEMORY, 0);
    for (uint32_t reads = e->reads; reads; reads &= reads - 1)
        read_what(g, node, lanes + 1 + base_ctz32(reads), CG_DEP_MEMORY, 0);
    if (e->lanes & IR_LANES_WRITE)
        write_what(g, node, lanes, true);
    for (uint32_t writes = e->writes; writes; writes &= writes - 1)
        write_what(g, node, lanes + 1 + base_ctz32(writes), true);
}

static void
add_fence(cg_graph *g, uint32_t node, bool fence)
{
    cg_graph_tables *t = g->tables;
    if (t->fence)
        add_edge(g, t->fence - 1, node, CG_DEP_ORDER, 0);
    if (!fence)
        return;
    for (uint32_t k = t->behind_fence; k < node; k++)
        add_edge(g, k, node, CG_DEP_ORDER, 0);
    t->fence = node + 1;
    t->behind_fence = node + 1;
}

static void
add_node(cg_graph *g, uint32_t node)
{
    const ir_instr *i = g->nodes[node].instr;
    ir_effects e;
    cg_find_effects(i, &e);
    unsigned unit;
    g->nodes[node].preds = g->tables->n_preds;
    for (unsigned r = 0; r < i->n_refs; r++)
        read_ref(g, node, r);
    end_version(g, node);
    for (unsigned d = 0; d < i->n_defs; d++) {
        for (unsigned k = cg_graph_units(g->f, i->defs[d], &unit); k; k--)
            write_what(g, node, unit + k - 1, false);
    }
    add_effects(g, node, &e);
    add_fence(g, node, e.fence);
}

/* ---- the graph ---- */

cg_graph *
cg_graph_new(ir_fn *f, cg_latency *latency, const void *user, arena *a)
{
    cg_graph *g = ARENA_NEW(a, cg_graph);
    uint32_t n = f->level->machine->n_units + 1u + MEMORY_CLASSES;
    g->f = f;
    g->tables = ARENA_NEW(a, cg_graph_tables);
    *g->tables = (cg_graph_tables){.a = a, .latency = latency, .user = user};
    g->tables->writer = arena_alloc(a, n * sizeof *g->tables->writer);
    g->tables->reader = arena_alloc(a, n * sizeof *g->tables->reader);
    g->tables->known = bitset_new(a, n);
    g->tables->touched = arena_alloc(a, n * sizeof *g->tables->touched);
    g->tables->pinned = ARENA_ARRAY(a, f->n_values, uint32_t);
    g->tables->left = ARENA_ARRAY(a, f->n_values, uint32_t);
    g->tables->seen = ARENA_ARRAY(a, f->n_values, uint32_t);
    g->tables->end = ARENA_ARRAY(a, f->n_values, uint8_t);
    g->tables->weights = ARENA_ARRAY(a, f->n_values, cg_weight);
    return g;
}

static void
forget(cg_graph *g)
{
    cg_graph_tables *t = g->tables;
    while (t->n_touched)
        bitset_remove(t->known, t->touched[--t->n_touched]);
    t->n_readers = t->n_preds = t->fence = t->behind_fence = 0;
    g->n_nodes = 0;
}

#ifndef NDEBUG
static bool
has_bundles(const cg_graph *g, const ir_instr *first, const ir_instr *end)
{
    unsigned joins = 0;
    for (const ir_instr *i = first; i != end; i = i->next)
        joins |= i->form;
    joins |= end ? end->form : 0u;
    return joins & ir_bundle_bits(g->f->level);
}
#endif

static void
list_nodes(cg_graph *g, ir_instr *first, const ir_instr *end)
{
    cg_graph_tables *t = g->tables;
    assert(!has_bundles(g, first, end));
    g->first_index = first && first != end ? first->index : 0;
    for (ir_instr *i = first; i != end; i = i->next) {
        for (unsigned r = 0; r < i->n_refs; r++)
            t->pinned[ir_is_value(i->refs[r]) ? i->refs[r].id : 0] = 0;
        g->nodes = arena_grow(t->a, g->nodes, &t->cap_nodes, g->n_nodes + 2, sizeof *g->nodes);
        i->index = g->first_index + g->n_nodes; /* as it is, if they are numbered */
        g->nodes[g->n_nodes++] = (cg_node){.instr = i};
    }
    size_t n = g->n_nodes;
    g->ready = arena_grow(t->a, g->ready, &t->cap_ready, n, sizeof *g->ready);
    g->order = arena_grow(t->a, g->order, &t->cap_order, n, sizeof *g->order);
    t->slots = arena_grow(t->a, t->slots, &t->cap_slots, n, sizeof *t->slots);
    memset(t->slots, 0, n * sizeof *t->slots);
}

/* The same edges by their source nodes, and the longest paths. */
static void
turn_edges(cg_graph *g)
{
    cg_graph_tables *t = g->tables;
    uint32_t n = g->n_nodes, at = 0;
    g->succs = arena_grow(t->a, g->succs, &t->cap_succs, t->n_preds, sizeof *g->succs);
    for (uint32_t k = 0; k < t->n_preds; k++)
        g->nodes[g->preds[k].node].succs++;
    for (uint32_t k = 0; k < n; k++) {
        at += g->nodes[k].succs;
        g->nodes[k].succs = at;
    }
    g->nodes[n].succs = at;
    for (uint32_t k = n; k-- > 0;) {
        cg_node *node = &g->nodes[k];
        for (uint32_t p = node->preds; p < node[1].preds; p++) {
            cg_dep dep = g->preds[p];
            cg_node *from = &g->nodes[dep.node];
            uint32_t way = node->height + dep.latency;
            g->succs[--from->succs] = (cg_dep){k, dep.latency, dep.kind};
            from->height = way > from->height ? way : from->height;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        cg_node *node = &g->nodes[k];
        for (uint32_t p = node->preds; p < node[1].preds; p++) {
            uint32_t way = g->nodes[g->preds[p].node].depth + g->preds[p].latency;
            node->depth = way > node->depth ? way : node->depth;
        }
    }
}

void
cg_graph_build(cg_graph *g, ir_instr *first, ir_instr *end)
{
    forget(g);
    g->block = first->block;
    list_nodes(g, first, end);
    for (uint32_t k = 0; k < g->n_nodes; k++)
        add_node(g, k);
    g->nodes[g->n_nodes] = (cg_node){.preds = g->tables->n_preds};
    turn_edges(g);
    g->tables->tracks = g->f->ssa && !g->f->allocated && (g->f->valid & IR_HAS_LIVENESS);
    if (g->tables->tracks)
        cg_pressure_build(g, end);
}

/* ---- the ready list ---- */

static bool
comes_first(const cg_graph *g, uint32_t a, uint32_t b)
{
    bool back = g->direction == CG_BACKWARDS;
    uint32_t x = back ? g->nodes[a].depth : g->nodes[a].height;
    uint32_t y = back ? g->nodes[b].depth : g->nodes[b].height;
    return x != y ? x > y : (back ? a > b : a < b);
}

static void
put_ready(cg_graph *g, uint32_t at, uint32_t node)
{
    g->ready[at] = node;
    g->nodes[node].heap = at;
}

static void
sift_up(cg_graph *g, uint32_t at, uint32_t node)
{
    while (at && comes_first(g, node, g->ready[(at - 1) / 2])) {
        put_ready(g, at, g->ready[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put_ready(g, at, node);
}

static void
sift_down(cg_graph *g, uint32_t at, uint32_t node)
{
    for (uint32_t child; (child = 2 * at + 1) < g->n_ready; at = child) {
        if (child + 1 < g->n_ready && comes_first(g, g->ready[child + 1], g->ready[child]))
            child++;
        if (!comes_first(g, g->ready[child], node))
            break;
        put_ready(g, at, g->ready[child]);
    }
    put_ready(g, at, node);
}

static void
remove_ready(cg_graph *g, uint32_t node)
{
    uint32_t at = g->nodes[node].heap, last = g->ready[--g->n_ready];
    if (last == node)
        return;
    if (at && comes_first(g, last, g->ready[(at - 1) / 2]))
        sift_up(g, at, last);
    else
        sift_down(g, at, last);
}

void
cg_graph_start(cg_graph *g, cg_direction d)
{
    g->direction = d;
    g->n_ready = g->n_placed = 0;
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        cg_node *node = &g->nodes[k];
        node->cycle = node->heap = 0;
        node->waits = d == CG_FORWARDS ? node[1].preds - node->preds : node[1].succs - node->succs;
        if (!node->waits)
            sift_up(g, g->n_ready++, k);
    }
    if (g->tables->tracks)
        cg_pressure_start(g);
}

cg_demand
cg_graph_place(cg_graph *g, uint32_t node, uint32_t cycle)
{
    cg_demand most = {0};
    const cg_node *n = &g->nodes[node];
    bool back = g->direction == CG_BACKWARDS;
    const cg_dep *dep = back ? g->preds + n->preds : g->succs + n->succs;
    const cg_dep *end = back ? g->preds + n[1].preds : g->succs + n[1].succs;
    remove_ready(g, node);
    g->nodes[node].heap = CG_PLACED;
    if (g->tables->tracks)
        most = cg_pressure_place(g, node);
    g->order[g->n_placed++] = node;
    for (; dep < end; dep++) {
        cg_node *to = &g->nodes[dep->node];
        uint32_t earliest = cycle + dep->latency;
        to->cycle = earliest > to->cycle ? earliest : to->cycle;
        if (!--to->waits)
            sift_up(g, g->n_ready++, dep->node);
    }
    return most;
}

void
cg_graph_apply(cg_graph *g)
{
    uint32_t n = g->n_nodes;
    ir_instr *before = n ? g->nodes[n - 1].instr->next : NULL;
    for (uint32_t k = 0; k < n; k++)
        ir_unlink(g->nodes[k].instr);
    for (uint32_t k = 0; k < n; k++) {
        ir_instr *i = g->nodes[g->order[g->direction == CG_FORWARDS ? k : n - 1 - k]].instr;
        i->index = g->first_index + k;
        if (before)
            ir_insert_before(before, i);
        else
            ir_append(g->block, i);
    }
    if (g->tables->tracks)
        cg_pressure_apply(g);
}
