/* insert_NOPs: wait states and other instructions that keep the hardware from its known hazards.
 *
 * A hazard is a row: the chips that have it, what triggers it, what mitigates it. gfx10.3 has none
 * that software must resolve: those of gfx10.1 (VMEMtoScalarWriteHazard, SMEMtoVectorWriteHazard,
 * VcmpxPermlaneHazard, VcmpxExecWARHazard, LdsBranchVmemWARHazard, NSAToVMEMBug, Offset3fBug:
 * isa/errata.md and the documents it cites) were fixed in it (LLVM 19, AMDGPU.td:
 * FeatureISAVersion10_3_0 names none of them). So the phase has its place in the pipeline, and
 * nothing to do until the rows of another generation come.
 *
 * The debug switch force-waitdeps puts s_waitcnt_depctr 0 before every instruction: it waits until
 * all that is in flight has finished (its fields are the counts waited for: LLVM 19, SIDefines.h,
 * DepCtr), so that a hazard that the hardware does not resolve shows by going away.
 */
#include "amd/amd.h"

static void
wait_before_each(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f)
    {
        for (ir_instr *i = b->first; i; i = i->next) {
            if (amd_is_pseudo(i->op))
                continue;
            ir_instr *wait = amd_new(f, AMD_S_WAITCNT_DEPCTR, 0, 0);
            wait->loc = i->loc;
            ir_insert_before(i, wait);
        }
    }
}

void
amd_insert_nops(ir_fn *f)
{
    if (amd_prog(f)->debug & AMD_DEBUG_FORCE_WAITDEPS)
        wait_before_each(f);
}
