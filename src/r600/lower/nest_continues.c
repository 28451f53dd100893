/* Loops with one way to their continue region.
 *
 * Selection makes a copy of the continue region for each jump to it. A region of more than a few
 * operations would make much code, and one in which lanes work together would find only those of
 * one jump. So the rest of the body is nested into branches instead, as far as that is possible;
 * selection refuses what remains. */
#include "r600/lower/lower.h"

#include "opt/nest_jumps.h"

enum { MOST_OPERATIONS = 8 };

/* Is the continue region of the loop worth one way to it? */
static bool
needs_one_way(const ir_fn *f, const ir_block *loop)
{
    unsigned n = 0;
    for (uint32_t k = loop->cont->index; k < f->n_blocks && f->blocks[k] != loop->merge; k++) {
        for (const ir_instr *i = f->blocks[k]->first; i; i = i->next, n++)
            if (ir_has_flag(i, IR_OP_CONVERGENT) || ir_has_flag(i, IR_OP_BARRIER))
                return true;
    }
    return n > MOST_OPERATIONS;
}

bool
r600_nest_continues(ir_fn *f)
{
    bool changed = false;
    for (size_t k = 0; k < f->n_blocks; k++) {
        ir_block *b = f->blocks[k];
        if (b->cont && b->cont->preds[0].count > 1 && needs_one_way(f, b))
            changed |= opt_nest_jumps(f, b, b->cont);
    }
    return changed;
}
