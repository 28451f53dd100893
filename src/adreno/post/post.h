/* Phases after registers have been allocated. */
#ifndef ADRENO_POST_POST_H
#define ADRENO_POST_POST_H

#include "ir/ir.h"

/* Copies, and pseudo instructions with control flow, become instructions. */
void
adreno_lower_pseudo(ir_fn *f);

/* Small ifs switch fibres off instead of branching. */
void
adreno_predicate_ifs(ir_fn *f);

/* Marks the blocks where fibres may wait for others: (jp). Sets the program's branch stack. */
void
adreno_mark_joins(ir_fn *f);

/* Marks the last instruction that reads a varying: (ei). */
void
adreno_mark_inputs(ir_fn *f);

/* Sets (ss), (sy) and (nopN), and inserts nops, so that nothing is read too early. */
void
adreno_insert_sync(ir_fn *f);

/* Joins instructions that can be repetitions of one. */
void
adreno_merge_repeats(ir_fn *f);

/* Gives texture instructions the rows that they read, by alias.tex. */
void
adreno_insert_aliases(ir_fn *f);

#endif
