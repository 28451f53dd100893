/* Trees of numbered nodes, built from the root downwards. Jump pointers (Myers, "An applicative
 * random-access stack", 1983) find ancestors and common ancestors in logarithmic time, however deep
 * the tree is. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* A node: its parent, an ancestor further up, and its distance from the root. The root is its own
 * parent and jump target at depth 0, so zeroed nodes already describe node 0 as the root. */
typedef struct base_tree_node {
    uint32_t up, jump, depth;
} base_tree_node;

/* Adds `node` below `parent`, which is already in the tree. */
static inline void
tree_put(base_tree_node *t, uint32_t node, uint32_t parent)
{
    const base_tree_node *p = &t[parent], *j = &t[p->jump];
    bool equal = p->depth - j->depth == j->depth - t[j->jump].depth;
    /* combines two jumps of equal length */
    t[node] = (base_tree_node){parent, equal ? j->jump : parent, p->depth + 1};
}

/* The ancestor of `node` at `depth`, or `node` itself if it is not deeper than that. */
static inline uint32_t
tree_ancestor(const base_tree_node *t, uint32_t node, uint32_t depth)
{
    while (t[node].depth > depth)
        node = t[t[node].jump].depth >= depth ? t[node].jump : t[node].up;
    return node;
}

/* The lowest common ancestor of both nodes; a node counts as its own ancestor. */
static inline uint32_t
tree_common(const base_tree_node *t, uint32_t a, uint32_t b)
{
    a = tree_ancestor(t, a, t[b].depth);
    b = tree_ancestor(t, b, t[a].depth);
    while (a != b) {
        bool jump = t[a].jump != t[b].jump;
        a = jump ? t[a].jump : t[a].up;
        b = jump ? t[b].jump : t[b].up;
    }
    return a;
}

#endif
