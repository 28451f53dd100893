/* Conventional SSA: a phi and its operands are never live at the same time. */
#ifndef CG_CSSA_H
#define CG_CSSA_H

#include "ir/ir.h"

/* Classes of values that may share a spill slot, because no two of them are live at the same time:
 * a phi and its operands. parent[v] leads to the representative of v's class (union-find). */
typedef struct cg_cssa {
    uint32_t *parent;
    size_t n_values;
} cg_cssa;

/* Representative of `id`'s class; of `id` itself if it is newer than the classes. */
uint32_t
cg_cssa_class(const cg_cssa *c, uint32_t id);

/* Inserts copies so that each phi and its operands form a class. Needs liveness, and computes it
 * again if copies were made. Classes are allocated in `a`. */
cg_cssa
cg_lower_to_cssa(ir_fn *f, arena *a);

#endif
