#include "adreno/ra/ra.h"

#include "adreno/adreno.h"
#include "cg/register_allocation.h"

/* Registers are taken in turn, so that they are written again as late as possible: that needs fewer
 * waits for what slow instructions still read. */
void
adreno_register_allocation(ir_fn *f)
{
    cg_state *s = cg_of(f);
    if (!(adreno_prog(f)->debug & ADRENO_DEBUG_NO_OPT))
        s->behind = adreno_find_repeat_groups(f, f->arena);
    cg_allocate_registers(f);
    s->behind = NULL;
}
