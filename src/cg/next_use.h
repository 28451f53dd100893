/* Distances to the next use of live values, for spilling by Belady's rule (Braun and Hack,
 * "Register Spilling and Live-Range Splitting for SSA-Form Programs", 2009, 4.1).
 *
 * A distance is a number of instructions. An edge that leaves a loop has length CG_LOOP_EXIT, so
 * that a use inside the loop is nearer than a use after the loop.
 */
#ifndef CG_NEXT_USE_H
#define CG_NEXT_USE_H

#include "cg/distance_map.h"
#include "ir/ir.h"

enum { CG_LOOP_EXIT = 1 << 20 };

typedef struct cg_next_use {
    cg_maps maps;
    cg_map *in, *out;       /* by block index: distances from its beginning, and from its end */
    const uint32_t *number; /* by value: its number in the maps + 1, 0 if it is in none */
} cg_next_use;

/* Computes the distances of the values whose `number` is not 0; all of them must be live along edge
 * list `list`. Numbers these values; those that are live in a single block get 0. Needs loops. */
cg_next_use
cg_compute_next_use(const ir_fn *f, uint32_t *number, unsigned list, arena *a);

/* Distance to the next use of value `id` from the beginning or end of a block: `at` is an element
 * of `in` or `out`. */
static inline uint32_t
cg_next_use_of(const cg_next_use *n, cg_map at, uint32_t id)
{
    return n->number[id] ? cg_map_get(&n->maps, at, n->number[id] - 1) : CG_NEVER;
}

#endif
