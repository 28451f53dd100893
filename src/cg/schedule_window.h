/* A scheduler of code in registers: it looks at a few instructions at once, and lets others begin
 * while results are not ready. */
#ifndef CG_SCHEDULE_WINDOW_H
#define CG_SCHEDULE_WINDOW_H

#include "ir/machine.h"

/* What an instruction is to the scheduler. */
typedef struct cg_window_facts {
    uint16_t issue, latency; /* cycles until the next can issue, until a result can be used */
    bool ordered;            /* stays behind the ordered ones before it, as accesses to memory */
    uint8_t lanes;           /* ir_effects.lanes */
    uint8_t group;           /* ordered instructions of one kind, not 0, that stay together */
    bool fence;              /* must not move, and nothing may move across it */
} cg_window_facts;

typedef struct cg_window_rules {
    const void *user;
    cg_window_facts (*facts)(const void *user, const ir_instr *i);
} cg_window_rules;

/* Reorders the blocks of `f`, whose operands are in registers. Nothing of liveness stays valid. The
 * time is linear in the number of operands. */
void
cg_schedule_window(ir_fn *f, const cg_window_rules *rules);

#endif
