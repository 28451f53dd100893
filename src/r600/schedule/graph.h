/* The dependences of a sequence. */
#ifndef R600_SCHEDULE_GRAPH_H
#define R600_SCHEDULE_GRAPH_H

#include "base/bitset.h"
#include "r600/tree/tree.h"

typedef struct graph_edge {
    uint32_t to, next; /* 1 + the next edge of the same item; 0: the last */
    bool is_soft;      /* both may be in one group */
} graph_edge;

typedef struct graph_item {
    tree_node *n;
    uint32_t edges;        /* 1 + the first one */
    uint32_t strict, soft; /* what it still waits for */
    uint32_t height;       /* of what waits for it */
    bool is_done;
} graph_item;

typedef struct graph {
    graph_item *items;
    uint64_t *ready; /* the items that wait for nothing and are not done, as a bit set */
    uint32_t n, n_left;
    graph_edge *edges;
    size_t n_edges, cap_edges;
} graph;

/* By variable, kept from sequence to sequence; entries of other sequences do not count. */
typedef struct graph_access {
    uint32_t sequence;
    uint32_t def;     /* 1 + the last item that defines it */
    uint32_t readers; /* 1 + the first of those that read it since */
} graph_access;

typedef struct graph_reader {
    uint32_t item, next;
} graph_reader;

typedef struct graph_builder {
    tree_program *p;
    graph_access *access;
    size_t cap_access;
    uint32_t sequence;
    bool has_stores; /* the program writes memory that it may fetch from */
    graph_reader *readers;
    size_t n_readers, cap_readers;
    graph *g;
    uint32_t item;
    uint32_t last_effect, last_store, last_fetch; /* 1 + the item */
} graph_builder;

void
r600_graph_open(graph_builder *b, tree_program *p);

/* Fills g->items from the nodes `first` to that before `end`. */
void
r600_graph_build(graph_builder *b, tree_node *first, const tree_node *end, graph *g);

/* The item is done. */
void
r600_graph_finish(graph *g, uint32_t item);

/* The item is scheduled: those behind soft edges, or strict ones, wait no longer. */
void
r600_graph_release(graph *g, uint32_t item, bool is_soft);

#endif
