/* Program flow and the state of the wave: SOPP, branches and calls, waits. */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/flow/flow.h"

static void
jump(emu_wave *w, const emu_inst *i)
{
    w->pc = i->next + (uint64_t)((int64_t)(int16_t)i->in.imm * 4);
}

static void
branch_if(emu_wave *w, const emu_inst *i, bool taken)
{
    if (taken)
        jump(w, i);
}

static void
branch(emu_wave *w, const emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_BRANCH: jump(w, i); break;
    case AMD_S_CBRANCH_SCC0: branch_if(w, i, !w->scc); break;
    case AMD_S_CBRANCH_SCC1: branch_if(w, i, w->scc); break;
    case AMD_S_CBRANCH_VCCZ: branch_if(w, i, amd_emu_read_mask(w, AMD_REG_VCC_LO) == 0); break;
    case AMD_S_CBRANCH_VCCNZ: branch_if(w, i, amd_emu_read_mask(w, AMD_REG_VCC_LO) != 0); break;
    case AMD_S_CBRANCH_EXECZ: branch_if(w, i, amd_emu_exec(w) == 0); break;
    case AMD_S_CBRANCH_EXECNZ: branch_if(w, i, amd_emu_exec(w) != 0); break;
    default: break; /* s_cbranch_cdbg*: the debug flags are never set */
    }
}

static void
getpc(emu_wave *w, const emu_inst *i)
{
    bool is_short = amd_emu_gen_of(w->m->d->gen)->short_pc;
    amd_emu_write_s64(w, i->in.dst[0], is_short ? i->next & base_mask64(48) : i->next);
}

static void
setpc(emu_wave *w, const emu_inst *i)
{
    w->pc = mach_canonical(amd_emu_read_s64(w, &i->in, i->in.src[0]));
}

static void
swappc(emu_wave *w, const emu_inst *i)
{
    uint64_t to = amd_emu_read_s64(w, &i->in, i->in.src[0]);
    amd_emu_write_s64(w, i->in.dst[0], i->next);
    w->pc = mach_canonical(to);
}

static void
call(emu_wave *w, const emu_inst *i)
{
    amd_emu_write_s64(w, i->in.dst[0], i->next);
    jump(w, i);
}

static void
end(emu_wave *w, const emu_inst *i)
{
    (void)i;
    w->state = EMU_ENDED;
    if (w->m->d->gen >= AMD_GFX12)
        amd_emu_barrier_wave_ended(w);
}

static void
barrier(emu_wave *w, const emu_inst *i)
{
    (void)i;
    w->state = EMU_AT_BARRIER;
}

static void
code_end(emu_wave *w, const emu_inst *i)
{
    (void)i;
    amd_emu_stop(w, MACH_RUN_BAD_CODE, "s_code_end is executed: the program ran past its end");
}

static void
nothing(emu_wave *w, const emu_inst *i)
{
    (void)w;
    (void)i;
}

/* Reports to the checkers that the counters are now at most `counts`. */
static void
wait_until(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT])
{
    if (w->m->tell.waited)
        w->m->tell.waited(w, counts);
}

/* s_waitcnt_depctr. */
static void
wait_for_sources(emu_wave *w, const emu_inst *i)
{
    enum { VM_VSRC = 7 << 2 };
    if (!(i->in.imm & VM_VSRC) && w->m->tell.sent)
        w->m->tell.sent(w);
}

/* s_waitcnt: the constant contains all counters. */
static void
waitcnt(emu_wave *w, const emu_inst *i)
{
    uint32_t counts[AMD_WAIT_COUNT];
    memset(counts, 0xff, sizeof counts);
    for (const amd_counter *c = amd_waitcnt_counters(w->m->d->gen); c->name; c++)
        counts[c->wait] = amd_counter_get(c, (uint32_t)i->in.imm);
    wait_until(w, counts);
}

/* s_waitcnt_vscnt and related opcodes: the count is the register plus the constant. */
static void
waitcnt_one(emu_wave *w, const emu_inst *i)
{
    amd_wait which = i->in.op == AMD_S_WAITCNT_VMCNT     ? AMD_WAIT_VM
                     : i->in.op == AMD_S_WAITCNT_LGKMCNT ? AMD_WAIT_LGKM
                     : i->in.op == AMD_S_WAITCNT_VSCNT   ? AMD_WAIT_VS
                                                         : AMD_WAIT_EXP;
    uint32_t counts[AMD_WAIT_COUNT];
    memset(counts, 0xff, sizeof counts);
    counts[which] = amd_counter_get(amd_wait_counter(w->m->d->gen, which),
                                    amd_emu_read_s32(w, &i->in, i->in.src[0]) +
                                        (uint32_t)i->in.imm);
    wait_until(w, counts);
}

/* gfx12: one counter, or two in 13:8 and 5:0. */
static void
wait_for(emu_wave *w, const emu_inst *i)
{
    static const struct {
        uint16_t op;
        uint8_t high, low; /* amd_wait; AMD_WAIT_COUNT: none */
    } rows[] = {
        {AMD_S_WAIT_LOADCNT, AMD_WAIT_COUNT, AMD_WAIT_VM},
        {AMD_S_WAIT_STORECNT, AMD_WAIT_COUNT, AMD_WAIT_VS},
        {AMD_S_WAIT_SAMPLECNT, AMD_WAIT_COUNT, AMD_WAIT_SAMPLE},
        {AMD_S_WAIT_BVHCNT, AMD_WAIT_COUNT, AMD_WAIT_BVH},
        {AMD_S_WAIT_EXPCNT, AMD_WAIT_COUNT, AMD_WAIT_EXP},
        {AMD_S_WAIT_DSCNT, AMD_WAIT_COUNT, AMD_WAIT_LGKM},
        {AMD_S_WAIT_KMCNT, AMD_WAIT_COUNT, AMD_WAIT_KM},
        {AMD_S_WAIT_LOADCNT_DSCNT, AMD_WAIT_VM, AMD_WAIT_LGKM},
        {AMD_S_WAIT_STORECNT_DSCNT, AMD_WAIT_VS, AMD_WAIT_LGKM},
    };
    uint32_t counts[AMD_WAIT_COUNT], v = (uint32_t)i->in.imm;
    memset(counts, 0xff, sizeof counts);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].op != i->in.op)
            continue;
        counts[rows[r].low] = amd_counter_get(amd_wait_counter(w->m->d->gen, (amd_wait)rows[r].low),
                                              v);
        if (rows[r].high != AMD_WAIT_COUNT)
            counts[rows[r].high] = v >> 8 & 63;
    }
    wait_until(w, counts);
}

static void
wait_idle(emu_wave *w, const emu_inst *i)
{
    static const uint32_t zeros[AMD_WAIT_COUNT];
    (void)i;
    wait_until(w, zeros);
}

static void
set_mode(emu_wave *w, const emu_inst *i)
{
    uint32_t v = (uint32_t)i->in.imm & 15;
    w->mode = i->in.op == AMD_S_ROUND_MODE ? (w->mode & ~15u) | v : (w->mode & ~0xf0u) | v << 4;
}

static void
send_message(emu_wave *w, const emu_inst *i)
{
    const amd_emu_dispatch *d = w->m->d;
    if (d->on_message)
        d->on_message(d->export_user, (uint32_t)i->in.imm & 0xffff, w->sgpr[AMD_REG_M0]);
}

/* Messages that return a value: handles the pointers and the clock. Values that only a driver knows
 * (doorbell, DDID, the wave's position) are 0. */
static void
message(emu_wave *w, const emu_inst *i)
{
    enum { GET_TMA = 130, GET_REALTIME = 131, GET_TBA = 133 };
    bool wide = i->in.op == AMD_S_SENDMSG_RTN_B64;
    uint64_t v = 0;
    switch (i->in.imm & 255) {
    case GET_TMA: v = w->m->d->trap_memory; break;
    case GET_TBA: v = w->m->d->trap_handler; break;
    case GET_REALTIME: v = w->m->time += 100; break;
    default: break;
    }
    if (wide)
        amd_emu_write_s64(w, i->in.dst[0], v);
    else
        amd_emu_write_s32(w, i->in.dst[0], (uint32_t)v);
    if (w->shadow)
        amd_emu_shadow_define(w, i->in.dst[0], wide ? 2 : 1);
}

/* Runs wave64 code in two halves: RDNA 2 ISA, S_SUBVECTOR_LOOP_BEGIN and _END. */
static void
subvector_begin(emu_wave *w, const emu_inst *i)
{
    uint32_t *low = &w->sgpr[AMD_REG_EXEC_LO], *high = &w->sgpr[AMD_REG_EXEC_HI];
    if (!*low && !*high) {
        jump(w, i);
    } else if (!*low) {
        amd_emu_write_s32(w, i->in.dst[0], *low);
    } else {
        amd_emu_write_s32(w, i->in.dst[0], *high);
        *high = 0;
    }
}

static void
subvector_end(emu_wave *w, const emu_inst *i)
{
    uint32_t *low = &w->sgpr[AMD_REG_EXEC_LO], *high = &w->sgpr[AMD_REG_EXEC_HI];
    uint32_t saved = w->sgpr[i->in.dst[0]];
    if (*high) {
        *low = saved;
    } else if (saved) {
        *high = saved;
        amd_emu_write_s32(w, i->in.dst[0], *low);
        *low = 0;
        jump(w, i);
    }
}

bool
amd_emu_bind_sopp(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_BRANCH:
    case AMD_S_CBRANCH_SCC0:
    case AMD_S_CBRANCH_SCC1:
    case AMD_S_CBRANCH_VCCZ:
    case AMD_S_CBRANCH_VCCNZ:
    case AMD_S_CBRANCH_EXECZ:
    case AMD_S_CBRANCH_EXECNZ:
    case AMD_S_CBRANCH_CDBGSYS:
    case AMD_S_CBRANCH_CDBGUSER:
    case AMD_S_CBRANCH_CDBGSYS_OR_USER:
    case AMD_S_CBRANCH_CDBGSYS_AND_USER: i->run = branch; return true;
    case AMD_S_GETPC_B64: i->run = getpc; return true;
    case AMD_S_SETPC_B64: i->run = setpc; return true;
    case AMD_S_SWAPPC_B64: i->run = swappc; return true;
    case AMD_S_CALL_B64: i->run = call; return true;
    case AMD_S_ENDPGM:
    case AMD_S_ENDPGM_SAVED:
    case AMD_S_ENDPGM_ORDERED_PS_DONE: i->run = end; return true;
    case AMD_S_BARRIER: i->run = barrier; return true;
    case AMD_S_CODE_END: i->run = code_end; return true;
    case AMD_S_WAITCNT: i->run = waitcnt; return true;
    case AMD_S_WAITCNT_VMCNT:
    case AMD_S_WAITCNT_LGKMCNT:
    case AMD_S_WAITCNT_VSCNT:
    case AMD_S_WAITCNT_EXPCNT: i->run = waitcnt_one; return true;
    case AMD_S_ROUND_MODE:
    case AMD_S_DENORM_MODE: i->run = set_mode; return true;
    case AMD_S_SUBVECTOR_LOOP_BEGIN: i->run = subvector_begin; return true;
    case AMD_S_SUBVECTOR_LOOP_END: i->run = subvector_end; return true;
    case AMD_S_NOP:
    case AMD_S_VERSION:
    case AMD_S_WAKEUP:
    case AMD_S_SETKILL:
    case AMD_S_SLEEP:
    case AMD_S_SLEEP_VAR:
    case AMD_S_WAIT_EVENT:
    case AMD_S_DELAY_ALU:
    case AMD_S_WAKEUP_BARRIER:
    case AMD_S_SETPRIO:
    case AMD_S_ICACHE_INV:
    case AMD_S_INCPERFLEVEL:
    case AMD_S_DECPERFLEVEL:
    case AMD_S_TTRACEDATA:
    case AMD_S_TTRACEDATA_IMM:
    case AMD_S_INST_PREFETCH:
    case AMD_S_CLAUSE:
    case AMD_S_SINGLEUSE_VDST: i->run = nothing; return true;
    case AMD_S_WAITCNT_DEPCTR: i->run = wait_for_sources; return true;
    case AMD_S_WAIT_IDLE: i->run = wait_idle; return true;
    case AMD_S_SENDMSG: i->run = send_message; return true;
    case AMD_S_SENDMSG_RTN_B32:
    case AMD_S_SENDMSG_RTN_B64: i->run = message; return true;
    case AMD_S_WAIT_LOADCNT:
    case AMD_S_WAIT_STORECNT:
    case AMD_S_WAIT_SAMPLECNT:
    case AMD_S_WAIT_BVHCNT:
    case AMD_S_WAIT_EXPCNT:
    case AMD_S_WAIT_DSCNT:
    case AMD_S_WAIT_KMCNT:
    case AMD_S_WAIT_LOADCNT_DSCNT:
    case AMD_S_WAIT_STORECNT_DSCNT: i->run = wait_for; return true;
    default: return false;
    }
}
