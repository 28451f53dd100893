/* Trees of numbered nodes, built from the root downwards. Jump pointers (Myers, "An applicative
 * random-access stack", 1983) find ancestors and common ancestors in logarithmic time, however deep
 * the tree is. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* For each node: its parent, an ancestor further up, and its distance from the root. The root is
 * its own parent and jump target at depth 0, so zeroed arrays already describe node 0 as the root.
 */
typedef struct base_tree {
    uint32_t *up, *jump, *depth;
} base_tree;

/* Adds `node` below `parent`, which is already in the tree. */
static inline void
tree_put(base_tree *t, uint32_t node, uint32_t parent)
{
    uint32_t j = t->jump[parent];
    bool equal = t->depth[parent] - t->depth[j] == t->depth[j] - t->depth[t->jump[j]];
    t->up[node] = parent;
    t->depth[node] = t->depth[parent] + 1;
    t->jump[node] = equal ? t->jump[j] : parent; /* combines two jumps of equal length */
}

/* The ancestor of `node` at `depth`, or `node` itself if it is not deeper than that. */
static inline uint32_t
tree_ancestor(const base_tree *t, uint32_t node, uint32_t depth)
{
    while (t->depth[node] > depth)
        node = t->depth[t->jump[node]] >= depth ? t->jump[node] : t->up[node];
    return node;
}

/* The lowest common ancestor of both nodes; a node counts as its own ancestor. */
static inline uint32_t
tree_common(const base_tree *t, uint32_t a, uint32_t b)
{
    a = tree_ancestor(t, a, t->depth[b]);
    b = tree_ancestor(t, b, t->depth[a]);
    while (a != b) {
        bool jump = t->jump[a] != t->jump[b];
        a = jump ? t->jump[a] : t->up[a];
        b = jump ? t->jump[b] : t->up[b];
    }
    return a;
}

#endif
