/* Binds vector ALU instructions that have a row, to the fastest handler. */
#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/valu.h"
#include "amd/emu/alu/valu_fast.h"

bool
amd_emu_bind_valu(emu_inst *i)
{
    const emu_valu *v = amd_emu_valu_find(i->in.op);
    i->op = v;
    i->run = v && amd_emu_is_plain(i, v) ? amd_emu_run_plain : amd_emu_run_valu;
    amd_emu_bind_quick(i);
    return v != NULL;
}
