/* Which memory instructions may stand in one clause: for the phase that marks clauses, and for the
 * scheduler that makes room for them. */
#ifndef AMD_CLAUSE_H
#define AMD_CLAUSE_H

#include "amd/amd.h"

/* What the instructions of a clause have in common; 0: never in a clause. */
typedef unsigned amd_clause_kind;

/* The kind of `i` on the target. */
amd_clause_kind
amd_clause_kind_of(const amd_target *t, const ir_instr *i);

/* Do two instructions of one kind probably access memory that is close together: through the same
 * descriptor, or by addresses without one? */
bool
amd_clause_is_worth(const ir_instr *a, const ir_instr *b);

#endif
