/* The data that code generation keeps for a function at a machine level: the first member of what
 * f->backend points to. */
#ifndef CG_STATE_H
#define CG_STATE_H

#include "ir/machine.h"

/* Registers in use at once, in units, by bank. */
typedef struct cg_demand {
    int32_t units[IR_MAX_BANKS];
} cg_demand;

typedef struct cg_state {
    struct cg_live *live; /* analysis "liveness": see live.h */
    cg_demand max_demand; /* of the program */
    /* By bank, in units: the registers that allocation may use; those that it may use without cost;
     * the end of the pinned values. ir_machine.demand_known sets them. */
    uint16_t budget[IR_MAX_BANKS], cheap[IR_MAX_BANKS], pinned_end[IR_MAX_BANKS];
    uint16_t limit[IR_MAX_BANKS]; /* by bank, in units: the program's maximum */
    /* By bank: registers are taken in turn, so that one is written again as late as possible. */
    bool in_turn[IR_MAX_BANKS];
    uint64_t used[IR_MAX_UNITS / 64]; /* units that allocation has used */
    /* By value: the one that is better right behind it, or 0. NULL: there are no such wishes. */
    const uint32_t *behind;
    bool validate; /* check the allocation */
} cg_state;

static inline cg_state *
cg_of(const ir_fn *f)
{
    return f->backend;
}

#endif
