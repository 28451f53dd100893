/* Where copies, spills and reloads of a block go. */
#ifndef CG_PLACE_H
#define CG_PLACE_H

#include "ir/machine.h"

/* An instruction that is inserted before the result is at the end of `b`, as the list of edges sees
 * it. */
static inline ir_instr *
cg_place_at_end(const ir_block *b, unsigned list)
{
    unsigned marker = b->fn->level->machine->ops.logical_end;
    ir_instr *at = b->last;
    while (list == 0 && marker && at->op != marker)
        at = at->prev;
    return at;
}

/* The same for the beginning of `b`, after the phis. */
static inline ir_instr *
cg_place_at_beginning(const ir_block *b, unsigned list)
{
    unsigned marker = b->fn->level->machine->ops.logical_start;
    ir_instr *at = ir_first_non_phi(b);
    if (list || !marker)
        return at;
    while (at->op != marker)
        at = at->next;
    return at->next;
}

#endif
