/* Distances to the next use of live values, for spilling by Belady's rule (Braun and Hack,
 * "Register Spilling and Live-Range Splitting for SSA-Form Programs", 2009, 4.1).
 *
 * A distance is a number of instructions. An edge that leaves a loop is CG_LOOP_EXIT long, so that
 * what is used in the loop is nearer than what is used behind it.
 */
#ifndef CG_NEXT_USE_H
#define CG_NEXT_USE_H

#include "ir/ir.h"

/* Values in ascending order. */
typedef struct cg_id_set {
    uint32_t *ids;
    uint32_t count, cap;
} cg_id_set;

enum {
    CG_LOOP_EXIT = 1 << 20,
    /* not used any more, or very far away; nothing is farther */
    CG_NEVER = 1 << 30,
};

/* Position of `id` in `s`, or UINT32_MAX. */
uint32_t
cg_find_id(const cg_id_set *s, uint32_t id);

/* Live sets by block index, and along which edge list values of a type live. */
typedef struct cg_liveness {
    const cg_id_set *in, *out;
    unsigned (*edges)(unsigned type);
} cg_liveness;

typedef struct cg_next_use {
    uint32_t **in, **out; /* by block index: distances from its beginning, its end, by place in the
                             live set */
} cg_next_use;

/* Number of loops around each block, by block index: natural loops of the linear edges, each of
 * which is a run of f->blocks from its header to its last latch. */
uint32_t *
cg_loop_depths(const ir_fn *f, arena *a);

cg_next_use
cg_compute_next_use(const ir_fn *f, const cg_liveness *live, const uint32_t *loop_depth, arena *a);

#endif
