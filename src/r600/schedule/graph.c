/* Dependences: of variables, of effects in their order, of memory.
 *
 * A node that writes what another one reads may share its group, because a group reads first. All
 * else needs an earlier group, and between nodes of different kinds an earlier clause. */
#include "r600/schedule/graph.h"

enum { ALU_LATENCY = 1, FETCH_LATENCY = 30 };

void
r600_graph_open(graph_builder *b, tree_program *p)
{
    *b = (graph_builder){.p = p};
    TREE_FOREACH(n, p)
        b->has_stores |= n->kind == TREE_FLOW && r600_tree_is_memory(n);
}

static void
add_edge(graph_builder *b, uint32_t from, uint32_t to, bool is_soft)
{
    graph *g = b->g;
    if (from == to)
        return;
    g->edges = (graph_edge *)arena_grow(b->p->arena, g->edges, &g->cap_edges, g->n_edges + 1,
                                        sizeof *g->edges);
    g->edges[g->n_edges++] = (graph_edge){to, g->items[from].edges, is_soft};
    g->items[from].edges = (uint32_t)g->n_edges;
    if (is_soft)
        g->items[to].soft++;
    else
        g->items[to].strict++;
}

static graph_access *
access_of(graph_builder *b, uint32_t v)
{
    b->access = (graph_access *)arena_grow_zeroed(b->p->arena, b->access, &b->cap_access, v + 1,
                                                  sizeof *b->access);
    if (b->access[v].sequence != b->sequence)
        b->access[v] = (graph_access){.sequence = b->sequence};
    return &b->access[v];
}

static void
read_value(void *user, tree_node *n, tree_operand *o)
{
    graph_builder *b = user;
    (void)n;
    if (o->kind != TREE_VALUE)
        return;
    graph_access *a = access_of(b, o->id);
    if (a->def)
        add_edge(b, a->def - 1, b->item, false);
    b->readers = (graph_reader *)arena_grow(b->p->arena, b->readers, &b->cap_readers,
                                            b->n_readers + 1, sizeof *b->readers);
    b->readers[b->n_readers++] = (graph_reader){b->item, a->readers};
    a->readers = (uint32_t)b->n_readers;
}

static void
define_value(void *user, tree_node *n, uint32_t *def)
{
    graph_builder *b = user;
    graph_access *a = access_of(b, *def);
    for (uint32_t r = a->readers; r; r = b->readers[r - 1].next) {
        const uint32_t reader = b->readers[r - 1].item;
        const bool is_alu = n->kind == TREE_ALU && b->g->items[reader].n->kind == TREE_ALU;
        add_edge(b, reader, b->item, is_alu);
    }
    if (a->def)
        add_edge(b, a->def - 1, b->item, false);
    a->def = b->item + 1;
    a->readers = 0;
}

static void
order_effects(graph_builder *b, const tree_node *n)
{
    if (r600_tree_has_effect(n)) {
        if (b->last_effect)
            add_edge(b, b->last_effect - 1, b->item, false);
        b->last_effect = b->item + 1;
    }
    if (!b->has_stores)
        return;
    if (n->kind == TREE_FETCH) {
        if (b->last_store)
            add_edge(b, b->last_store - 1, b->item, false);
        /* fetches wait for each other here so that the next store waits for all */
        if (b->last_fetch && b->last_fetch > b->last_store)
            add_edge(b, b->last_fetch - 1, b->item, true);
        b->last_fetch = b->item + 1;
    } else if (r600_tree_is_memory(n)) {
        if (b->last_fetch)
            add_edge(b, b->last_fetch - 1, b->item, false);
        b->last_store = b->item + 1;
    }
}

static void
find_heights(graph *g)
{
    for (uint32_t i = g->n; i-- > 0;) {
        graph_item *it = &g->items[i];
        const uint32_t own = it->n->kind == TREE_FETCH ? FETCH_LATENCY : ALU_LATENCY;
        for (uint32_t e = it->edges; e; e = g->edges[e - 1].next) {
            const uint32_t h = g->items[g->edges[e - 1].to].height +
                               (g->edges[e - 1].is_soft ? 0 : own);
            it->height = h > it->height ? h : it->height;
        }
    }
}

static void
note_ready(graph *g, uint32_t item)
{
    if (!g->items[item].strict && !g->items[item].soft)
        bitset_add(g->ready, item);
}

void
r600_graph_build(graph_builder *b, tree_node *first, const tree_node *end, graph *g)
{
    uint32_t n = 0;
    for (tree_node *k = first; k != end; k = k->next)
        n++;
    *g = (graph){.n = n, .n_left = n};
    g->items = ARENA_ARRAY(b->p->arena, n + 1, graph_item);
    b->g = g;
    b->sequence++;
    b->n_readers = 0;
    b->last_effect = b->last_store = b->last_fetch = 0;
    b->item = 0;
    for (tree_node *k = first; k != end; k = k->next, b->item++) {
        g->items[b->item].n = k;
        r600_tree_operands(k, read_value, b);
        r600_tree_defs(k, define_value, b);
        order_effects(b, k);
    }
    find_heights(g);
    g->ready = bitset_new(b->p->arena, n);
    for (uint32_t i = 0; i < n; i++)
        note_ready(g, i);
}

void
r600_graph_finish(graph *g, uint32_t item)
{
    g->items[item].is_done = true;
    g->n_left--;
    bitset_remove(g->ready, item);
}

void
r600_graph_release(graph *g, uint32_t item, bool is_soft)
{
    for (uint32_t e = g->items[item].edges; e; e = g->edges[e - 1].next) {
        graph_item *to = &g->items[g->edges[e - 1].to];
        if (g->edges[e - 1].is_soft == is_soft) {
            if (is_soft)
                to->soft--;
            else
                to->strict--;
            note_ready(g, g->edges[e - 1].to);
        }
    }
}
