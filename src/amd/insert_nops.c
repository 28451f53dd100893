/* insert_NOPs: wait states and other instructions that keep the hardware from its known hazards.
 *
 * A hazard is a row: the chips that have it, what triggers it, what mitigates it. gfx10.3 has none
 * that software must resolve: those of gfx10.1 (VMEMtoScalarWriteHazard, SMEMtoVectorWriteHazard,
 * VcmpxPermlaneHazard, VcmpxExecWARHazard, LdsBranchVmemWARHazard, NSAToVMEMBug, Offset3fBug:
 * isa/errata.md and the documents it cites) were fixed in it (LLVM 19, AMDGPU.td:
 * FeatureISAVersion10_3_0 names none of them). So the phase has its place in the pipeline, and
 * nothing to do until the rows of another generation come.
 */
#include "amd/amd.h"

void
amd_insert_nops(ir_fn *f)
{
    (void)f;
}
