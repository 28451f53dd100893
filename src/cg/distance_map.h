/* Maps from numbers to distances that share what they have in common.
 *
 * What is ahead of a block is nearly what is ahead of its successor, some instructions farther
 * away. So a map is a tree, and a distance the sum of what stands on the way from the root to its
 * leaf: all distances grow in one step, and a change copies one path. The least of two maps visits
 * only where they differ, as two ways to one subtree leave the shorter.
 *
 * Sums stop at CG_NEVER; what a map does not have is CG_NEVER away.
 */
#ifndef CG_DISTANCE_MAP_H
#define CG_DISTANCE_MAP_H

#include "base/arena.h"

enum {
    /* not used any more, or very far away; nothing is farther */
    CG_NEVER = 1 << 30,
};

/* A map; zero is the empty one. */
typedef struct cg_map {
    struct cg_map_node *root;
    uint32_t by; /* added to all of its distances */
} cg_map;

/* What maps of the same numbers share. */
typedef struct cg_maps {
    arena *a;
    unsigned height; /* of the trees; that of a leaf is 0 */
    uint32_t clock;  /* nodes of this time belong to one map only */
} cg_maps;

static inline uint32_t
cg_farther(uint32_t distance, uint32_t by)
{
    return distance >= CG_NEVER - by ? CG_NEVER : distance + by;
}

/* For maps of the numbers below `n`. */
cg_maps
cg_new_maps(uint32_t n, arena *a);

/* From now on changes of a map leave those alone that it shares nodes with. Without it only one of
 * the maps made since may change. */
void
cg_share_maps(cg_maps *s);

uint32_t
cg_map_get(const cg_maps *s, cg_map m, uint32_t number);

void
cg_map_set(cg_maps *s, cg_map *m, uint32_t number, uint32_t distance);

/* The lesser of two distances for each number. */
cg_map
cg_map_least(cg_maps *s, cg_map a, cg_map b);

/* True if both have the same distances; false perhaps though they have. */
bool
cg_map_same(const cg_maps *s, cg_map a, cg_map b);

#endif
