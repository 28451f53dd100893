/* Live variables of machine IR: what amd_live_var_analysis leaves for spilling, scheduling and
 * register allocation.
 *
 * VGPRs live along logical edges, SGPRs and linear VGPRs along linear edges (amd_rc_edges). A phi's
 * reference is live out of the predecessor it belongs to, not live in the phi's block; a phi's
 * definition is not live into its block. The kill flags of references and definitions are set too:
 * IR_KILL on all references to a value in the instruction that uses it last, IR_FIRST_KILL on the
 * first of these, IR_KILL on a definition that nothing uses. A phi's reference is a kill where its
 * value is not live into the phi's block.
 *
 * Demand counts whole registers. The demand of an instruction is the larger of what is live before
 * it (with the copy of a tied operand that lives on) and of what is live behind it (with its
 * definitions and late kills). Values fixed to scc or exec by their definition are not counted.
 */
#ifndef AMD_LIVE_H
#define AMD_LIVE_H

#include "amd/amd.h"
#include "cg/id_set.h"

typedef struct amd_live {
    uint32_t n_values;   /* f->n_values at that time */
    cg_id_set *in, *out; /* by block index */
    amd_demand *blocks;  /* by block index: the largest demand in the block, its entry included */
    amd_demand *instrs;  /* by ir_instr.index, which the analysis sets (ir_number) */
} amd_live;

/* The edge list along which values of class `rc` live. */
static inline unsigned
amd_rc_edges(unsigned rc)
{
    return amd_rc_is_linear(rc) ? 1 : 0;
}

static inline bool
amd_live_has(const cg_id_set *s, uint32_t id)
{
    return cg_find_id(s, id) != UINT32_MAX;
}

static inline amd_demand
amd_demand_max(amd_demand a, amd_demand b)
{
    return (amd_demand){.sgpr = a.sgpr > b.sgpr ? a.sgpr : b.sgpr,
                        .vgpr = a.vgpr > b.vgpr ? a.vgpr : b.vgpr};
}

/* True for instructions whose operands may not share registers with their definitions: they write
 * results before they have read all operands. */
bool
amd_kills_late(unsigned op);

/* From where to where in the order of blocks a value lives: from `start` to before `end`, counted
 * in twice the number of an instruction where operands are read, one more where definitions are
 * written. Holes are not seen. A value that does not occur has start UINT32_MAX. */
typedef struct amd_span {
    uint32_t start, end;
} amd_span;

/* By value; needs liveness and the numbers that it gave to instructions. */
amd_span *
amd_find_spans(const ir_fn *f, const amd_live *live, arena *a);

/* Sets max_waves and the budgets of the program from its demand, LDS and workgroup size; see
 * occupancy.c. */
void
amd_set_budgets(amd_program *p, amd_demand demand);

/* The most VGPRs a wave may use, as a workgroup must fit as a whole, or as a test bounds them. */
unsigned
amd_vgpr_bound(const amd_program *p);

/* Registers a wave may use so that `waves` of them fit on a SIMD. */
unsigned
amd_vgprs_for_waves(const amd_program *p, unsigned waves);

#endif
