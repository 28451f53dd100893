/* Binds vector ALU instructions that have a row, to the fastest handler. */
#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/valu.h"
#include "amd/emu/alu/valu_fast.h"

bool
emu_bind_valu(emu_inst *i)
{
    const emu_valu *v = emu_valu_find(i->in.op);
    i->op = v;
    i->run = v && emu_is_plain(i, v) ? emu_run_plain : emu_run_valu;
    emu_bind_quick(i);
    return v != NULL;
}
