/* What instructions of a machine level do besides computing values, for passes that merge or move
 * them. */
#ifndef CG_EFFECTS_H
#define CG_EFFECTS_H

#include "ir/machine.h"

/* The effects of `i`, as the flags of its row give them and ir_machine.refine_effects sharpens
 * them. Registers are not among them: references and definitions name those that `i` uses. */
ir_effects
cg_effects_of(const ir_instr *i);

/* Does `i` only compute its definitions: may an equal instruction stand for it, or it be left out?
 */
static inline bool
cg_is_pure(const ir_effects *e)
{
    return !e->fence && !e->unique && !e->writes && !e->reads && !(e->lanes & IR_LANES_WRITE);
}

#endif
