/* What an invocation knows of values in the arm of an if that it has taken. */
#ifndef OPT_ARM_FACTS_H
#define OPT_ARM_FACTS_H

#include "ir/builder.h"
#include "ir/replace.h"

typedef struct opt_facts opt_facts;

/* The walk that asks visits blocks in preorder of the dominator tree, and records in `map` the
 * replacements that references still lack. `b` builds constants. In the scratch arena. */
opt_facts *
opt_facts_new(ir_builder *b, const ir_replacement *map);

/* The walk comes to the block: forgets what holds only in arms that it has left, and learns from
 * the condition of the if whose arm begins here. Returns true if anything is known in the block. */
bool
opt_facts_enter(opt_facts *t, const ir_block *b);

/* Replaces the instruction's references to values that are known to be constants. Returns true if
 * it did. */
bool
opt_facts_use(const opt_facts *t, ir_instr *i);

/* The walk has visited the instructions of the block: replaces what the phis behind it take from
 * it. Returns true if it did. */
bool
opt_facts_leave(const opt_facts *t, const ir_block *b);

#endif
