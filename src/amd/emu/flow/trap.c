/* Traps and halting.
 *
 * s_trap saves {trap number, address} in ttmp[0:1] and enters the trap handler, if the dispatch has
 * one; s_rfe_b64 leaves it. Without one the run ends with MACH_RUN_TRAPPED. Hardware would
 * continue, but a trap should not go unnoticed. The meaning of the numbers follows the amdhsa ABI
 * (LLVM 19, AMDGPUUsage, "Trap Handler ABI"). A wave that halts itself ends the run too, because
 * nothing would resume it.
 */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/flow/flow.h"

/* ttmp1: the address's bits 47:32, and the trap number in 23:16 (RDNA 2 ISA, S_TRAP). */
static void
enter(emu_wave *w, const emu_inst *i, uint32_t number)
{
    w->sgpr[AMD_REG_TTMP0] = (uint32_t)i->pc;
    w->sgpr[AMD_REG_TTMP0 + 1] = ((uint32_t)(i->pc >> 32) & 0xffff) | number << 16;
    w->pc = w->m->d->trap_handler;
    w->in_trap = true;
    if (w->shadow)
        amd_emu_shadow_define(w, AMD_REG_TTMP0, 2);
}

static void
trap(emu_wave *w, const emu_inst *i)
{
    static const char *const meanings[] = {"reserved", "debugger", "llvm.trap", "llvm.debugtrap"};
    uint32_t number = (uint32_t)i->in.imm & 255;
    if (w->m->d->trap_handler)
        enter(w, i, number);
    else
        amd_emu_stop(w, MACH_RUN_TRAPPED, "trap %u (%s), and there is no trap handler", number,
                     number < 4 ? meanings[number] : "user");
}

static void
rfe(emu_wave *w, const emu_inst *i)
{
    uint64_t to = amd_emu_read_s64(w, &i->in, i->in.src[0]) & UINT64_C(0xffffffffffff);
    if (!w->in_trap) {
        amd_emu_stop(w, MACH_RUN_TRAPPED, "s_rfe outside of a trap handler");
        return;
    }
    w->pc = mach_canonical(to);
    w->in_trap = false;
}

static void
halt(emu_wave *w, const emu_inst *i)
{
    bool halts = i->in.op == AMD_S_SENDMSGHALT || i->in.imm & 1;
    if (halts && !w->in_trap)
        amd_emu_stop(w, MACH_RUN_HANG, "the wave halts itself, and nobody resumes it");
}

bool
amd_emu_bind_trap(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_TRAP: i->run = trap; return true;
    case AMD_S_RFE_B64:
    case AMD_S_RFE_RESTORE_B64: i->run = rfe; return true;
    case AMD_S_SETHALT:
    case AMD_S_SENDMSGHALT: i->run = halt; return true;
    default: return false;
    }
}
