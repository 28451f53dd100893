/* The time of waves by the machine model: each wave of the group that runs has a clock, which its
 * instructions go through as they are executed. Waits at barriers, and the effect of waves on each
 * other, are left to the sum: a dispatch takes as long as its busiest unit, or as its waves one
 * after the other, as many at a time as a SIMD holds (docs/machine-model.md).
 */
#include "amd/emu/watch/watching.h"
#include "amd/isa/table/clock.h"

#include <string.h>

_Static_assert((int)AMD_UNIT_COUNT <= MACH_MAX_UNITS, "there is a sum for each unit");

typedef struct emu_times {
    amd_pace pace;
    uint64_t waves, wave_cycles, busy[AMD_UNIT_COUNT];
    uint64_t *group; /* by wave: 1 + the group's number that its clock is for */
    amd_clock *clocks;
} emu_times;

emu_times *
amd_emu_times_open(emu_machine *m, uint32_t n_waves)
{
    emu_times *t = ARENA_NEW(m->arena, emu_times);
    t->pace = amd_pace_of(m->d->gen, m->d->processor, m->d->wave_size == 64);
    t->group = ARENA_ARRAY(m->arena, n_waves, uint64_t);
    t->clocks = ARENA_ARRAY(m->arena, n_waves, amd_clock);
    return t;
}

static amd_clock *
clock_of(emu_times *t, const emu_wave *w)
{
    amd_clock *clock = &t->clocks[w->index];
    if (t->group[w->index] != w->m->group + 1) {
        t->group[w->index] = w->m->group + 1;
        t->waves++;
        memset(clock, 0, sizeof *clock);
        amd_clock_start(clock, t->pace);
    }
    return clock;
}

void
amd_emu_times_note(emu_wave *w, const emu_inst *i, uint64_t lines[2], uint64_t conflicts)
{
    emu_times *t = w->m->watching->times;
    const amd_event event = {.taken = w->pc != i->next,
                             .lines = (uint32_t)lines[t->pace.line_shift == 7],
                             .conflicts = (uint32_t)conflicts};
    amd_spent spent = amd_clock_run(clock_of(t, w), &i->in, &event);
    t->wave_cycles += spent.wave;
    t->busy[spent.unit] += spent.busy;
}

uint64_t
amd_emu_times_now(const emu_wave *w)
{
    return w->m->watching->times->clocks[w->index].now;
}

void
amd_emu_times_close(emu_machine *m)
{
    const emu_times *t = m->watching->times;
    mach_time *out = &m->watching->watch->time;
    uint64_t resident = m->d->resident_waves ? m->d->resident_waves : 1;
    resident = t->waves && t->waves < resident ? t->waves : resident;
    uint64_t cycles = t->wave_cycles / resident;
    for (unsigned u = AMD_UNIT_NONE + 1; u < AMD_UNIT_COUNT; u++) {
        out->busy[u] += t->busy[u];
        cycles = t->busy[u] > cycles ? t->busy[u] : cycles;
    }
    out->waves += t->waves;
    out->wave_cycles += t->wave_cycles;
    out->cycles += cycles;
}
