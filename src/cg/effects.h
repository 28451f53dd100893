/* The effects of instructions of a machine level other than computing values, for passes that merge
 * or move instructions. */
#ifndef CG_EFFECTS_H
#define CG_EFFECTS_H

#include "ir/machine.h"

/* Finds the effects of `i`, from the flags of its row and ir_machine.refine_effects. Registers are
 * not included: references and definitions name those that `i` uses. */
void
cg_find_effects(const ir_instr *i, ir_effects *e);

/* Does `i` only compute its definitions, so that an equal instruction may replace it, or it may be
 * removed if they are not used? */
static inline bool
cg_is_pure(const ir_effects *e)
{
    return !e->fence && !e->unique && !e->writes && !e->reads && !(e->lanes & IR_LANES_WRITE);
}

#endif
