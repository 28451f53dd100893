/* gfx12's barriers, including named ones, with separate instructions for signal and wait.
 *
 * Barrier -1 belongs to the workgroup, -2 to the trap handler, 0 does not exist; 1 to 16 are named
 * barriers, whose member count s_barrier_init sets. Signals are counted. When all members have
 * signalled, the count starts anew and each of the barrier's waves gets a bit; s_barrier_wait waits
 * for that bit and clears it. m0 holds the barrier number in bits 5:0 and the member count in
 * 21:16. Sources: RDNA 4 ISA, S_BARRIER_SIGNAL and the related opcodes; LLVM 19, SIISelLowering.cpp
 * (s_barrier_init), for what the guide leaves to other chips.
 *
 * A waiting wave (EMU_WAITING) executes its instruction again when a barrier is completed. The
 * races checker treats a completed barrier as one that all waves of the group have passed.
 */
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/flow/flow.h"

enum { WORKGROUP = -1, TRAP = -2, NAMED_BIT = 1, WORKGROUP_BIT = 2, TRAP_BIT = 4 };

static uint32_t
bit_of(int32_t number)
{
    return number >= 0 ? NAMED_BIT : number == WORKGROUP ? WORKGROUP_BIT : TRAP_BIT;
}

static emu_barrier *
state_of(const emu_wave *w, int32_t number)
{
    return &w->group->barriers[(uint32_t)number & 63];
}

/* The number of waves that the barrier waits for: for the workgroup's own, those that have not
 * ended. */
static uint32_t
members(const emu_wave *w, int32_t number)
{
    uint32_t n = 0;
    if (number > 0)
        return state_of(w, number)->members;
    for (uint32_t k = 0; k < w->group->n_waves; k++)
        n += w->group->waves[k].state != EMU_ENDED;
    return n;
}

static void
complete(emu_wave *w, int32_t number)
{
    emu_barrier *b = state_of(w, number);
    if (!b->signals || b->signals < members(w, number))
        return;
    b->signals = 0;
    for (uint32_t k = 0; k < w->group->n_waves; k++) {
        emu_wave *other = &w->group->waves[k];
        if (number > 0 && other->named_barrier != number)
            continue;
        other->barrier_bits |= bit_of(number);
        if (other->state == EMU_WAITING)
            other->state = EMU_READY;
    }
    if (w->m->tell.barrier)
        w->m->tell.barrier(w->group);
}

void
amd_emu_barrier_wave_ended(emu_wave *w)
{
    complete(w, WORKGROUP);
}

/* The barrier that the operand names. 0 if the instruction does nothing: the workgroup has a single
 * wave, or the trap barrier is used outside a trap handler. */
static int32_t
number_of(emu_wave *w, const emu_inst *i)
{
    uint16_t code = i->in.src[0];
    if (w->shadow && (code == AMD_REG_M0 || i->in.op == AMD_S_BARRIER_INIT))
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "a barrier's number or members");
    int32_t n = code == AMD_REG_M0 ? (int32_t)(w->sgpr[AMD_REG_M0] & 63)
                                   : (int32_t)amd_emu_read_s32(w, &i->in, code);
    if (n < TRAP || n > 16 || w->group->n_waves < 2 || (n == TRAP && !w->in_trap))
        return 0;
    return n;
}

static void
signal(emu_wave *w, const emu_inst *i)
{
    int32_t n = number_of(w, i);
    if (i->in.op == AMD_S_BARRIER_SIGNAL_ISFIRST)
        w->scc = n && state_of(w, n)->signals == 0;
    if (!n)
        return;
    state_of(w, n)->signals++;
    complete(w, n);
}

static void
wait(emu_wave *w, const emu_inst *i)
{
    int32_t n = (int16_t)i->in.imm;
    if (w->group->n_waves < 2 || n == 0)
        return;
    if (w->barrier_bits & bit_of(n)) {
        w->barrier_bits &= ~bit_of(n);
        return;
    }
    w->pc = i->pc;
    w->state = EMU_WAITING;
}

static void
init(emu_wave *w, const emu_inst *i)
{
    int32_t n = number_of(w, i);
    if (n > 0)
        *state_of(w, n) = (emu_barrier){.members = w->sgpr[AMD_REG_M0] >> 16 & 63};
}

static void
join(emu_wave *w, const emu_inst *i)
{
    int32_t n = number_of(w, i);
    w->named_barrier = n > 0 ? n : 0;
}

/* Removes the wave from its named barrier; SCC says whether it had joined one. */
static void
leave(emu_wave *w, const emu_inst *i)
{
    int32_t n = w->named_barrier;
    (void)i;
    w->scc = n != 0;
    w->named_barrier = 0;
    if (!n)
        return;
    state_of(w, n)->members -= state_of(w, n)->members > 0;
    complete(w, n);
}

/* {9'0, signals 22:16, 5'0, members 10:4, 3'0, valid} */
static void
get_state(emu_wave *w, const emu_inst *i)
{
    int32_t n = number_of(w, i);
    uint32_t count = n ? members(w, n) : 0;
    amd_emu_write_s32(w, i->in.dst[0],
                      n ? state_of(w, n)->signals << 16 | count << 4 | (count > 0) : 0);
    if (w->shadow)
        amd_emu_shadow_define(w, i->in.dst[0], 1);
}

bool
amd_emu_bind_barrier(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_BARRIER_SIGNAL:
    case AMD_S_BARRIER_SIGNAL_ISFIRST: i->run = signal; return true;
    case AMD_S_BARRIER_WAIT: i->run = wait; return true;
    case AMD_S_BARRIER_INIT: i->run = init; return true;
    case AMD_S_BARRIER_JOIN: i->run = join; return true;
    case AMD_S_BARRIER_LEAVE: i->run = leave; return true;
    case AMD_S_GET_BARRIER_STATE: i->run = get_state; return true;
    default: return false;
    }
}
