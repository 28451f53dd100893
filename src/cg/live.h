/* Live variables of machine IR: what cg_find_live leaves for spilling, scheduling and register
 * allocation.
 *
 * A value lives along the list of edges that its class says. A phi's reference is live out of the
 * predecessor it belongs to, not live in the phi's block; a phi's definition is not live into its
 * block. The kill flags of references and definitions are set too: IR_KILL on all references to a
 * value in the instruction that uses it last, IR_FIRST_KILL on the first of these, IR_KILL on a
 * definition that nothing uses. A phi's reference is a kill where its value is not live into the
 * phi's block.
 *
 * Demand counts whole units. The demand of an instruction is the larger of what is live before it
 * (with the copy of a tied operand that lives on) and of what is live behind it (with its
 * definitions and late kills). Values fixed to a special register by their definition are not
 * counted.
 */
#ifndef CG_LIVE_H
#define CG_LIVE_H

#include "cg/id_set.h"
#include "cg/state.h"

typedef struct cg_live {
    uint32_t n_values;   /* f->n_values at that time */
    cg_id_set *in, *out; /* by block index */
    cg_demand *blocks;   /* by block index: the largest demand in the block, its entry included */
    cg_demand *instrs;   /* by ir_instr.index, which the analysis sets (ir_number) */
} cg_live;

static inline bool
cg_live_has(const cg_id_set *s, uint32_t id)
{
    return cg_find_id(s, id) != UINT32_MAX;
}

static inline cg_demand
cg_demand_max(cg_demand a, cg_demand b)
{
    for (unsigned k = 0; k < IR_MAX_BANKS; k++)
        a.units[k] = a.units[k] > b.units[k] ? a.units[k] : b.units[k];
    return a;
}

/* Finds live sets, kill flags and demand, and tells the machine the program's demand. */
void
cg_find_live(ir_fn *f);

/* Only the live sets (`in`, `out`); for HIR, too. */
cg_live *
cg_find_live_sets(ir_fn *f);

/* From where to where in the order of blocks a value lives: from `start` to before `end`, counted
 * in twice the number of an instruction where operands are read, one more where definitions are
 * written. Holes are not seen. A value that does not occur has start UINT32_MAX. */
typedef struct cg_span {
    uint32_t start, end;
} cg_span;

/* By value; needs liveness and the numbers that it gave to instructions. */
cg_span *
cg_find_spans(const ir_fn *f, const cg_live *live, arena *a);

#endif
