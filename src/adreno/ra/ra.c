#include "adreno/ra/ra.h"

#include "adreno/adreno.h"
#include "cg/register_allocation.h"

/* Registers are taken in turn, so that they are written again as late as possible: that needs fewer
 * waits for what slow instructions still read. */
void
adreno_register_allocation(ir_fn *f)
{
    adreno_program *p = adreno_prog(f);
    if (p->cg.max_demand.units[ADRENO_BANK_GPR] > (int32_t)p->cg.budget[ADRENO_BANK_GPR])
        diag_fail(f->ctx->diag, ERR_TARGET_SELECT, p->target->chip->name, "so many live registers");
    cg_allocate_registers(f);
}
