/* Use counts that a pass keeps while it combines instructions, on SSA.
 *
 * Instructions are changed in place: one takes the references of another, whose result it does not
 * need any more. What is unused in the end is removed by dead code elimination. A value that
 * another replaces is renamed where the walk comes by, and at the end in phis.
 */
#ifndef CG_USES_H
#define CG_USES_H

#include "ir/machine.h"
#include "ir/replace.h"

typedef struct cg_uses {
    ir_fn *f;
    uint32_t *count; /* by value */
    ir_replacement replaced;
} cg_uses;

/* Counts the uses; memory from `a`. No values may be added. */
cg_uses
cg_count_uses(ir_fn *f, arena *a);

/* The instruction that defines `r`, or NULL. */
static inline ir_instr *
cg_def_of(const cg_uses *u, ir_ref r)
{
    return ir_def_of(u->f, r);
}

/* The same, but NULL unless `r` is the only use of all that the instruction defines. */
ir_instr *
cg_single_def(const cg_uses *u, ir_ref r);

/* Can operands of `def` be read at `i` instead? Fixed registers cannot. Values that live along
 * linear edges may be gone where an instruction of another block reads a result that lives along
 * logical ones. */
bool
cg_can_move_refs(const ir_instr *def, const ir_instr *i);

/* Makes room for one more reference: an instruction has as many as it was created with. */
void
cg_add_ref(const cg_uses *u, ir_instr *i);

/* Replaces the references of `i`, CG_MAX_CHANGED at most, by `refs`, of which it has room for `n`.
 * Here and below: definitions that nothing uses any more lose their references. */
enum { CG_MAX_CHANGED = 4 };
void
cg_set_refs(cg_uses *u, ir_instr *i, unsigned n, const ir_ref *refs);

/* The same for one reference. */
void
cg_set_ref(cg_uses *u, ir_instr *i, unsigned n, ir_ref r);

/* From now on `to` stands for value `id`. */
void
cg_replace_value(cg_uses *u, uint32_t id, uint32_t to);

/* The walk comes by `i`: its references become what stands for them. */
static inline void
cg_rename_refs(const cg_uses *u, ir_instr *i)
{
    if (u->replaced.any)
        ir_replace_in(&u->replaced, i);
}

/* The walk has been everywhere; the phis are left. */
void
cg_rename_phis(const cg_uses *u);

#endif
