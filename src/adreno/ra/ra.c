#include "adreno/ra/ra.h"

#include "cg/register_allocation.h"

/* Registers are taken in turn, so that they are written again as late as possible: that needs fewer
 * waits for what slow instructions still read. */
void
adreno_register_allocation(ir_fn *f)
{
    cg_allocate_registers(f);
}
