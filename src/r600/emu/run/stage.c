#include "r600/emu/run/stage.h"

#include <string.h>

r600_stage *
r600_stage_open(const r600_emu_dispatch *d, mach_memory *m, arena *a, mach_report *report)
{
    r600_stage *s = ARENA_NEW(a, r600_stage);
    *s = (r600_stage){.dispatch = *d};
    s->dispatch.checks &= ~(uint32_t)MACH_CHECK_RACES; /* waves have no order */
    if (d->n_gprs > EMU_GPRS) {
        report->status = MACH_RUN_BAD_DISPATCH;
        return NULL;
    }
    s->machine = r600_machine_open(a, m, &s->dispatch, report);
    s->group = (emu_group){.machine = s->machine, .n_waves = 1};
    s->group.waves = ARENA_NEW(a, emu_wave);
    s->group.lds = ARENA_ARRAY(a, d->lds_bytes + 1, uint8_t);
    s->group.accesses = ARENA_ARRAY(a, d->lds_bytes / 4 + 1, emu_access);
    return s;
}

emu_wave *
r600_stage_begin(r600_stage *s, const uint32_t id[3], uint64_t lanes)
{
    emu_wave *w = s->group.waves;
    memcpy(s->group.id, id, sizeof s->group.id);
    memset(w, 0, sizeof *w);
    memset(s->group.lds, 0, s->dispatch.lds_bytes);
    w->group = &s->group;
    w->id = id[1];
    w->valid = w->pixels = w->branch = lanes;
    r600_emu_start_stamps(w);
    return w;
}

bool
r600_stage_run(r600_stage *s)
{
    emu_wave *w = s->group.waves;
    if (setjmp(s->machine->stop))
        return false;
    while (w->state == EMU_RUNS)
        r600_emu_step(w);
    if (w->state == EMU_WAITS) {
        r600_emu_find(w, R600_RULE_HANG, -1, "a barrier, but waves of graphics have no group");
        r600_emu_stop(w, MACH_RUN_HANG, "a barrier outside of a group");
    }
    if (s->must_end & ~w->done)
        r600_emu_find(w, R600_RULE_EXPORT_MISSING, -1, "the wave ends");
    return true;
}
