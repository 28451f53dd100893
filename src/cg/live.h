/* Live variables of machine IR: the results of cg_find_live for spilling, scheduling and register
 * allocation.
 *
 * A value is live along the list of edges that its class states. A phi's reference is live out of
 * the predecessor it belongs to, and not live in the phi's block; a phi's definition is not live
 * into its block. The kill flags of references and definitions are set too: IR_KILL on all
 * references to a value in the instruction that uses it last, IR_FIRST_KILL on the first of these,
 * IR_KILL on a definition that is never used. A phi's reference is a kill if its value is not live
 * into the phi's block.
 *
 * Demand counts whole units. The demand of an instruction is the maximum of the demand before it
 * (with the copies of tied and fixed operands that stay live) and of the demand after it (with its
 * definitions and late kills). Values whose definition fixes them to a special register are not
 * counted.
 */
#ifndef CG_LIVE_H
#define CG_LIVE_H

#include "cg/id_set.h"
#include "cg/state.h"

typedef struct cg_live {
    uint32_t n_values;   /* f->n_values at that time */
    cg_id_set *in, *out; /* by block index */
    uint32_t *back;      /* indices of the n_back blocks with an edge to themselves or back */
    uint32_t n_back;
    cg_demand *blocks; /* by block index: the largest demand in the block, its entry included */
    cg_demand *instrs; /* by ir_instr.index, which the analysis sets */
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

/* Units that the copy of reference `r` takes, which is fixed to a register: none if the value can
 * move there because this is its last use (`dies`), or if allocation does not hand out the
 * register. */
unsigned
cg_fixed_copy_if(const ir_machine *m, const ir_instr *i, unsigned r, bool dies);

/* The same; the kill flags say whether this is the last use. */
static inline unsigned
cg_fixed_copy(const ir_machine *m, const ir_instr *i, unsigned r)
{
    return cg_fixed_copy_if(m, i, r, ir_is_value(i->refs[r]) && (i->refs[r].flags & IR_KILL));
}

/* Finds live sets, kill flags and demand, and tells the machine the program's demand. */
void
cg_find_live(ir_fn *f);

/* Only the live sets (`in`, `out`) and the numbers of instructions; for HIR, too. */
cg_live *
cg_find_live_sets(ir_fn *f);

/* The live range of a value as one interval in the order of blocks: from `start` to before `end`.
 * The unit is half an instruction: operands are read at twice the instruction's number, and
 * definitions are written at that + 1. Holes in the live range are ignored. A value that does not
 * occur has start UINT32_MAX. */
typedef struct cg_span {
    uint32_t start, end;
} cg_span;

/* The spans, by value. Needs liveness, and the instruction numbers that it sets. */
cg_span *
cg_find_spans(const ir_fn *f, const cg_live *live, arena *a);

#endif
