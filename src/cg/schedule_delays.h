/* A scheduler of code in registers for machines on which a result must not be read before a known
 * number of cycles: nops fill what it leaves. */
#ifndef CG_SCHEDULE_DELAYS_H
#define CG_SCHEDULE_DELAYS_H

#include "cg/schedule_graph.h"

typedef struct cg_delay_rules {
    const void *user;
    cg_latency *latency;
    /* Cycles from its issue to the next one. */
    unsigned (*issue)(const void *user, const ir_instr *i);
    /* Do nops wait for the results of `i`? The machine waits for others itself. */
    bool (*is_exact)(const void *user, const ir_instr *i);
    /* Is `b` cheaper right behind `a`? Such pairs stand together where this costs no cycle. NULL:
     * there are none. */
    bool (*joins)(const void *user, const ir_instr *a, const ir_instr *b);
} cg_delay_rules;

/* Reorders the blocks of `f`, whose operands are in registers. Nothing of liveness stays valid. The
 * time is n log n in the length of a block. */
void
cg_schedule_delays(ir_fn *f, const cg_delay_rules *rules);

#endif
