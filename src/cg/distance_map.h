/* Maps from numbers to distances, which share their common parts.
 *
 * The next uses after a block are nearly those after its successor, some instructions farther away.
 * So a map is a tree, and a distance is the sum of the numbers on the path from the root to its
 * leaf: all distances grow in one step, and a change copies one path. The minimum of two maps
 * visits only the parts in which they differ; where both maps have the same subtree, the shorter
 * path to it gives the minimum.
 *
 * Sums saturate at CG_NEVER, which is also the distance of a number that is not in the map.
 */
#ifndef CG_DISTANCE_MAP_H
#define CG_DISTANCE_MAP_H

#include "base/arena.h"

enum {
    /* not used any more, or so far away that it makes no difference */
    CG_NEVER = 1 << 30,
};

/* A map; all zeros is the empty map. */
typedef struct cg_map {
    struct cg_map_node *root;
    uint32_t by; /* added to all of its distances */
} cg_map;

/* The data that maps over the same numbers share. */
typedef struct cg_maps {
    arena *a;
    unsigned height; /* of the trees; that of a leaf is 0 */
    uint32_t clock;  /* a node made at this time belongs to a single map */
} cg_maps;

static inline uint32_t
cg_farther(uint32_t distance, uint32_t by)
{
    return distance >= CG_NEVER - by ? CG_NEVER : distance + by;
}

/* For maps of the numbers below `n`. */
cg_maps
cg_new_maps(uint32_t n, arena *a);

/* From now on a change of a map copies the nodes that it shares with maps made earlier. Without
 * this call only one of the maps made since the last call may be changed. */
void
cg_share_maps(cg_maps *s);

uint32_t
cg_map_get(const cg_maps *s, cg_map m, uint32_t number);

void
cg_map_set(cg_maps *s, cg_map *m, uint32_t number, uint32_t distance);

/* For each number the smaller of its two distances. */
cg_map
cg_map_least(cg_maps *s, cg_map a, cg_map b);

/* True only if both have the same distances. May be false although they have. */
bool
cg_map_same(const cg_maps *s, cg_map a, cg_map b);

#endif
