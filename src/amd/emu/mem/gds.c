/* Global data share: global wave sync (GWS) and ds_ordered_count. ds.c implements loads, stores and
 * atomics with the gds bit.
 *
 * GWS has 64 resources, semaphores and barriers; an instruction uses number offset 5:0 plus m0
 * 21:16 ("Vega" ISA, "Global Wave Sync"). A wave that has to wait stays at its instruction, in
 * state EMU_WAITING, until an instruction changes a resource; then it executes its instruction
 * again. The emulator runs workgroups one after another, so a barrier between workgroups never
 * completes; it is reported as a hang.
 *
 * ds_ordered_count: groups and waves take turns in the order of their numbers; lane k adds to (or
 * exchanges) dword k after m0 31:16 plus the offset's index. Fields of the offset: 7:2 index, 8
 * releases the next wave, 9 the last one of this wave, 13:12 operation, gfx10: 15:14 dwords less
 * one (LLVM 19, SIISelLowering.cpp, ds_ordered_add).
 */
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/mem/ds.h"
#include "amd/emu/mem/mem.h"

/* Makes the wave wait until a resource changes. */
static void
wait(emu_wave *w, const emu_inst *i)
{
    w->pc = i->pc;
    w->state = EMU_WAITING;
}

/* Makes all waiting waves check again after a resource has changed. The races checker treats this
 * as a barrier: it may miss a race, but reports no false one. */
static void
wake_all(emu_wave *w)
{
    if (w->m->tell.barrier)
        w->m->tell.barrier(w->group);
    for (uint32_t k = 0; k < w->group->n_waves; k++)
        if (w->group->waves[k].state == EMU_WAITING)
            w->group->waves[k].state = EMU_READY;
}

static emu_gws *
resource(emu_wave *w, const emu_inst *i)
{
    return &w->m->gws[((uint32_t)i->in.offset + (w->sgpr[AMD_REG_M0] >> 16)) & 63];
}

/* The value of the first active lane. */
static uint32_t
value(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w);
    uint32_t l = exec ? base_ctz64(exec) : 0, reg = i->vaddr - AMD_REG_VGPR0;
    if (w->shadow)
        amd_emu_shadow_use(w, reg, UINT64_C(1) << l, "GWS count");
    return w->vgpr[reg][l];
}

static void
barrier(emu_wave *w, const emu_inst *i, emu_gws *r)
{
    if (w->at_gws) { /* woken: has the barrier completed? */
        if (r->turn == w->gws_turn)
            wait(w, i);
        else
            w->at_gws = false;
        return;
    }
    if (r->counter == 0) { /* the last wave */
        r->counter = value(w, i) & 0xffff;
        r->turn++;
        wake_all(w);
        return;
    }
    r->counter--;
    w->at_gws = true;
    w->gws_turn = r->turn;
    wait(w, i);
}

/* The number of waves that wait for the semaphore. */
static uint32_t
count_waiting(emu_wave *w, const emu_gws *r)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->group->n_waves; k++) {
        emu_wave *other = &w->group->waves[k];
        n += other->state == EMU_WAITING && other->at->in.op == AMD_DS_GWS_SEMA_P &&
             resource(other, other->at) == r;
    }
    return n;
}

static void
gws(emu_wave *w, const emu_inst *i)
{
    emu_gws *r = resource(w, i);
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "resource of global wave sync");
    switch (i->in.op) {
    case AMD_DS_GWS_INIT: *r = (emu_gws){.counter = value(w, i) & 0xffff, .turn = r->turn}; break;
    case AMD_DS_GWS_SEMA_V: r->counter++; break;
    case AMD_DS_GWS_SEMA_BR: r->counter += value(w, i); break;
    case AMD_DS_GWS_SEMA_RELEASE_ALL: r->counter += count_waiting(w, r); break;
    case AMD_DS_GWS_BARRIER: barrier(w, i, r); return;
    default: /* DS_GWS_SEMA_P */
        if (r->counter)
            r->counter--;
        else
            wait(w, i);
        return;
    }
    wake_all(w);
}

/* Is it this wave's turn? All waves before it must have released it or ended. */
static bool
is_next(const emu_wave *w)
{
    for (uint32_t k = 0; k < w->index; k++) {
        const emu_wave *other = &w->group->waves[k];
        if (!other->ordered_released && other->state != EMU_ENDED)
            return false;
    }
    return true;
}

static bool
has_memory(const emu_wave *w, uint64_t address)
{
    uint32_t hint = 0;
    return mach_memory_find(w->m->memory, &hint, address, 4) != NULL;
}

static void
ordered_count(emu_wave *w, const emu_inst *i)
{
    uint32_t offset = (uint32_t)i->in.offset & 0xffff, exchange = offset >> 12 & 3;
    uint32_t dwords = w->m->d->gen >= AMD_GFX10 ? (offset >> 14) + 1 : 1, n = 0;
    uint32_t reg = i->vaddr - AMD_REG_VGPR0, result = i->result - AMD_REG_VGPR0;
    if (!is_next(w)) {
        wait(w, i);
        return;
    }
    if (w->shadow)
        amd_emu_shadow_use(w, reg, amd_emu_exec(w), "ordered count");
    for (uint64_t left = amd_emu_exec(w); left && n < dwords; left &= left - 1, n++) {
        uint32_t l = base_ctz64(left), old = 0, add = w->vgpr[reg][l];
        uint64_t at = AMD_EMU_GDS_BASE + (w->sgpr[AMD_REG_M0] >> 16) + (offset & 0xfc) + 4 * n;
        if (!exchange && !add && !has_memory(w, at)) { /* it takes its turn alone, as RADV does */
            w->vgpr[result][l] = 0;
            continue;
        }
        amd_emu_load_bytes(w, at, 4, (int)l, &old, NULL);
        uint32_t new = exchange ? add : old + add;
        amd_emu_store_bytes(w, at, 4, (int)l, &new, 0);
        w->vgpr[result][l] = old;
    }
    if (w->shadow)
        amd_emu_shadow_set(w, result, EMU_BYTES_ALL, amd_emu_exec(w), 0);
    if (offset & 0x300) {
        w->ordered_released = true;
        wake_all(w);
    }
}

static uint32_t
gs_index(const emu_inst *i)
{
    return (uint32_t)i->in.offset >> 2 & 15;
}

static bool
is_wide_gs(const emu_inst *i)
{
    return gs_index(i) > 7;
}

/* ds_add_gs_reg_rtn, ds_sub_gs_reg_rtn: the first active lane adds to a register that all waves
 * share, and gets the old value. The offset's bits 5:2 choose one of 8 32-bit or one of 8 64-bit
 * registers (RDNA 3 ISA, "GS NGG Streamout Instructions"). */
static void
gs_register(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w), old;
    uint32_t index = gs_index(i), result = i->result - AMD_REG_VGPR0;
    bool wide = is_wide_gs(i);
    uint32_t *at = &w->m->gs_registers[wide ? (index - 8) * 2 + 8 : index];
    if (!exec)
        return;
    uint32_t l = base_ctz64(exec), by = w->vgpr[i->data0 - AMD_REG_VGPR0][l];
    if (w->shadow) {
        amd_emu_shadow_use(w, i->data0 - AMD_REG_VGPR0, UINT64_C(1) << l, "operand of an atomic");
        for (uint32_t k = 0; k <= wide; k++)
            amd_emu_shadow_set(w, result + k, EMU_BYTES_ALL, UINT64_C(1) << l, 0);
    }
    old = at[0] | (wide ? (uint64_t)at[1] << 32 : 0);
    uint64_t new = i->in.op == AMD_DS_ADD_GS_REG_RTN ? old + by : old - by;
    for (uint32_t k = 0; k <= wide; k++) {
        w->vgpr[result + k][l] = at[k];
        at[k] = (uint32_t)(new >> 32 * k);
    }
}

bool
amd_emu_bind_gds(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_DS_GWS_INIT:
    case AMD_DS_GWS_SEMA_V:
    case AMD_DS_GWS_SEMA_BR:
    case AMD_DS_GWS_SEMA_P:
    case AMD_DS_GWS_SEMA_RELEASE_ALL:
    case AMD_DS_GWS_BARRIER: i->run = gws; return true;
    case AMD_DS_ADD_GS_REG_RTN:
    case AMD_DS_SUB_GS_REG_RTN:
        i->run = gs_register;
        for (uint32_t k = 0; k < i->n_ranges; k++)
            if (i->ranges[k].write)
                i->ranges[k].count = is_wide_gs(i) ? 2 : 1;
        return true;
    case AMD_DS_ORDERED_COUNT: i->run = ordered_count; return true;
    default: return false;
    }
}
