/* VOPD: two operations side by side. Each half is executed as the equivalent 32-bit instruction.
 * Because both read their sources before either writes (RDNA3 ISA, "VOPD"), the first one's result
 * is hidden while the second is executed. */
#include "amd/isa/table/dual.h"
#include "amd/emu/alu/alu.h"
#include "amd/emu/core/wave.h"

#include <string.h>

void
amd_emu_dual(emu_wave *w, const emu_inst *i)
{
    const emu_inst *x = &i->halves[0], *y = &i->halves[1];
    if (!amd_emu_reads(y, x->in.dst[0])) {
        x->run(w, x);
        y->run(w, y);
        return;
    }
    uint32_t *reg = w->vgpr[x->in.dst[0] - AMD_REG_VGPR0], before[EMU_LANES], after[EMU_LANES];
    memcpy(before, reg, sizeof before);
    x->run(w, x);
    memcpy(after, reg, sizeof after);
    memcpy(reg, before, sizeof before);
    y->run(w, y);
    memcpy(reg, after, sizeof after);
}
