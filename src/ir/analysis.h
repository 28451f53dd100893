/* Analyses over any level: dominance, loops, divergence, liveness.
 *
 * Each writes into the function (block and value fields) or returns tables in an arena, and sets
 * its IR_HAS_* bit in f->valid; a change of the CFG clears f->valid. Linear or nearly so in the
 * size of the function.
 */
#ifndef IR_ANALYSIS_H
#define IR_ANALYSIS_H

#include "ir/ir.h"

/* Immediate dominators over the logical edges and, where the level has them, the linear edges
 * (Cooper, Harvey, Kennedy 2001), and interval numbers of the dominator trees. Unreachable blocks
 * have idom NULL, as the entry has. */
void
ir_compute_dominance(ir_fn *f);

/* True if `a` dominates `b` (or is `b`) along list `list`. Needs dominance. */
bool
ir_dominates(const ir_block *a, const ir_block *b, unsigned list);

/* loop_depth and loop_header of each block, from the structured terminators of HIR or the block
 * kinds of a machine level. */
void
ir_compute_loops(ir_fn *f);

/* Sets ir_value.divergent: may the lanes of a wave that execute the definition together see
 * different values? HIR only. Phis merge divergent control flow (sync dependence: Karrenberg and
 * Hack 2012) and values that leave loops whose exits diverge. Needs loops. */
void
ir_compute_divergence(ir_fn *f);

/* By block index: are all lanes of the wave active in the block? Nowhere, if the workgroup does not
 * fill its waves or the wave's size is not chosen yet. HIR only; needs divergence. */
bool *
ir_find_full_blocks(const ir_fn *f, arena *a);

/* Puts values that are used outside the loop that defines them through phis at the loop's exit
 * (loop-closed SSA). HIR. */
bool
ir_convert_to_lcssa(ir_fn *f);

/* Live-in sets of HIR: live_in[b->index] is a bitset over value ids. */
typedef struct ir_liveness {
    uint64_t **live_in, **live_out;
    size_t n_values;
} ir_liveness;

ir_liveness
ir_compute_liveness(ir_fn *f, arena *a);

#endif
