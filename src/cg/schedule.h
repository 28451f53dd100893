/* Schedulers of blocks before register allocation: one hides latencies, and keeps the register
 * demand within a bound, the other lowers the demand. */
#ifndef CG_SCHEDULE_H
#define CG_SCHEDULE_H

#include "cg/schedule_graph.h"

/* What an instruction is to the scheduler. */
typedef struct cg_schedule_facts {
    uint16_t issue; /* cycles from its issue to the next one */
    uint8_t group;  /* instructions of one kind, not 0, that should stand together */
    bool slow;      /* its result takes so long that others should be done meanwhile */
} cg_schedule_facts;

/* What the scheduler asks of a machine; `user` is the machine's data. */
typedef struct cg_schedule_rules {
    const void *user;
    cg_latency *latency;
    cg_schedule_facts (*facts)(const void *user, const ir_instr *i);
    /* Should `b` follow `a`, which is in the same group? Not asked where there are no groups. */
    bool (*follows)(const void *user, const ir_instr *a, const ir_instr *b);
    bool all_blocks; /* also those without slow instructions */
    uint32_t far;    /* a path of at least so many cycles has a slow instruction */
    /* Bounds of a block's demand, unless it has more before: for the results of slow instructions
     * and what leads to them, for all others. */
    cg_demand most, free;
} cg_schedule_rules;

/* Reorders the instructions of the blocks of `f`, which is in SSA form; liveness stays valid. The
 * time is n log n in the length of a block. */
void
cg_schedule(ir_fn *f, const cg_schedule_rules *rules);

/* What lowering the demand is to reach. */
typedef struct cg_lower_rules {
    unsigned bank;  /* whose demand is to be lower */
    cg_demand most; /* bounds of all banks */
    bool partly;    /* is a lower demand of use if it is still above the bounds? */
    /* Should the instruction stand early, whatever its result takes? May be NULL. */
    bool (*is_early)(const void *user, const ir_instr *i);
    const void *user;
} cg_lower_rules;

/* Reorders the blocks of `f` whose demand is above the bounds, so that none is above them; liveness
 * stays valid. Returns false if it finds no such order of a block, and changes nothing then, or
 * only the blocks whose demand falls (`partly`). */
bool
cg_lower_demand(ir_fn *f, const cg_lower_rules *rules);

/* The same before spilling, with the program's budgets as bounds, but for `spare` units of a bank.
 * If it returns true nothing has to be spilled, else perhaps less. */
bool
cg_lower_to_budgets(ir_fn *f, unsigned bank, cg_demand spare);

#endif
