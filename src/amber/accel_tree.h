/* Hierarchies of boxes over leaves, as base/ray.h has them (internal to accel.c and its test).
 */
#ifndef AMBER_ACCEL_TREE_H
#define AMBER_ACCEL_TREE_H

#include "base/arena.h"
#include "base/ray.h"

enum { AMBER_NODE_WORDS = BASE_NODE_BYTES / 4, AMBER_NODE_CHILDREN = 8 };

typedef struct amber_box {
    float lower[3], upper[3];
} amber_box;

/* The box of nothing, which becomes that of what is added. */
amber_box
amber_box_empty(void);
void
amber_box_add(amber_box *b, const amber_box *other);

typedef struct amber_leaf {
    amber_box box; /* without NaN and infinities */
    uint32_t words[AMBER_NODE_WORDS];
} amber_leaf;

typedef struct amber_tree {
    uint32_t (*nodes)[AMBER_NODE_WORDS];
    uint32_t *parents; /* of each node */
    uint32_t count;
} amber_tree;

/* Builds the hierarchy of `n` leaves, at least one, in `a`: node 0 is an inner node, with `flags`
 * (BASE_NODE_*) as all inner nodes. What lies farther from the origin than 2^126 is taken to be
 * there. */
void
amber_tree_build(arena *a, const amber_leaf *leaves, uint32_t n, uint32_t flags, amber_tree *out);

#endif
