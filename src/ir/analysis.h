/* Analyses over any level: dominance, loops, divergence, liveness.
 *
 * Each analysis writes its result into the function (fields of blocks and values) or returns tables
 * in an arena, and sets its IR_HAS_* bit in f->valid. Changing the CFG clears f->valid. Running
 * time is linear or nearly linear in the size of the function.
 */
#ifndef IR_ANALYSIS_H
#define IR_ANALYSIS_H

#include "ir/ir.h"

/* Immediate dominators over the logical edges and, where the level has them, the linear edges
 * (Cooper, Harvey, Kennedy 2001), and interval numbers of the dominator trees. Unreachable blocks
 * and the entry have none. They stand in tables by block (ir/dominance.h). */
void
ir_compute_dominance(ir_fn *f);

/* Returns true if `a` dominates `b` or is `b`, along edge list `list`. Needs dominance. */
bool
ir_dominates(const ir_block *a, const ir_block *b, unsigned list);

/* Computes loop_depth and loop_header of each block, from the structured terminators of HIR or the
 * linear edges of a machine level. */
void
ir_compute_loops(ir_fn *f);

/* The last block from which an edge of the list goes back to `b`; NULL if `b` opens no loop. */
const ir_block *
ir_last_latch(const ir_block *b, unsigned list);

/* By block: one more than the index of the last block from which an edge of the list goes back to
 * it; 0 if it opens no loop. */
uint32_t *
ir_find_loop_ends(const ir_fn *f, unsigned list, arena *a);

/* Sets ir_value.divergent: true if lanes of a wave that execute the definition together may see
 * different values. HIR only. Divergence also comes from phis where divergent control flow merges
 * (sync dependence: Karrenberg and Hack 2012) and from values that leave loops whose exits diverge.
 * Needs loops. */
void
ir_compute_divergence(ir_fn *f);

/* Do the program's waves start with all lanes active? No if the workgroup does not fill its waves,
 * or the wave size is not chosen yet. */
bool
ir_waves_are_full(const ir_fn *f);

/* Returns an array by block index: true if all lanes of the wave are active in the block. HIR only;
 * needs divergence. */
bool *
ir_find_full_blocks(const ir_fn *f, arena *a);

/* Converts to loop-closed SSA: a value used outside the loop that defines it goes through a phi at
 * the loop's exit. HIR only. */
bool
ir_convert_to_lcssa(ir_fn *f);

#endif
