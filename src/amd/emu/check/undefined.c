/* The *undefined* checker: tracks values that were never written.
 *
 * The shadow of an ALU instruction's result is computed from the shadows of its sources, before the
 * instruction is executed: per bit in scalar instructions (undefined_salu.c), per byte and lane in
 * vector instructions (undefined_valu.c). Memory instructions copy the shadow along with the bytes
 * (access.c). Copying an undefined value is allowed. A finding is made where such a value takes
 * effect: in a branch, exec, an address, or a store to memory other than scratch and LDS.
 */
#include "amd/emu/check/undefined.h"

#include "amd/emu/check/check.h"

void
amd_emu_shadow_before(emu_wave *w, const emu_inst *i)
{
    switch (i->in.fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC:
    case AMD_SOPP: amd_emu_shadow_scalar(w, i); break;
    case AMD_VOP1:
    case AMD_VOP2:
    case AMD_VOPC:
    case AMD_VOP3:
    case AMD_VOP3P: amd_emu_shadow_vector(w, i); break;
    case AMD_VOPD: amd_emu_shadow_dual(w, i); break;
    default: break; /* memory instructions update the shadow themselves */
    }
}
