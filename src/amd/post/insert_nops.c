/* insert_NOPs: inserts wait states and other instructions that avoid known hardware hazards.
 *
 * A hazard is a row: the affected chips, the trigger, the mitigation. gfx10.3 has no hazard that
 * software must resolve: those of gfx10.1 (VMEMtoScalarWriteHazard, SMEMtoVectorWriteHazard,
 * VcmpxPermlaneHazard, VcmpxExecWARHazard, LdsBranchVmemWARHazard, NSAToVMEMBug, Offset3fBug:
 * isa/errata.md and the documents it cites) were fixed in it (LLVM 19, AMDGPU.td:
 * FeatureISAVersion10_3_0 names none of them). So the phase has its place in the pipeline, but
 * nothing to do until there are rows for other generations.
 *
 * The debug switch force-waitdeps inserts s_waitcnt_depctr 0 before every instruction. It waits
 * until everything in flight has finished (its fields are the counts to wait for: LLVM 19,
 * SIDefines.h, DepCtr). A failure that disappears with it is caused by an unresolved hazard.
 */
#include "amd/amd.h"

static void
wait_before_each(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
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
