/* A walk over the blocks that carries a state along the linear edges, and settles loops.
 *
 * A pass that inserts instructions wherever something may be pending (waits for memory,
 * synchronisation) must know first what arrives on back edges. It keeps a state for the end of each
 * block, and for each loop's header all that has entered it so far, so that this only grows. A loop
 * is walked again until what its back edges bring is known at its header; one more walk of the
 * outermost loop is the final one. So blocks outside loops are visited once.
 */
#ifndef CG_SETTLE_H
#define CG_SETTLE_H

#include "ir/ir.h"

typedef struct cg_settling {
    void *user;
    /* Goes through `b`. `header`: edges lead back to it. `final`: what was found holds, and
     * instructions may be inserted. */
    void (*visit)(void *user, ir_block *b, bool header, bool final);
    /* Is the state at the end of `from`, which leads back to `header`, known there? */
    bool (*is_known)(void *user, const ir_block *header, const ir_block *from);
} cg_settling;

void
cg_walk_settled(ir_fn *f, const cg_settling *s);

#endif
