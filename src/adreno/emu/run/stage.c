#include "adreno/emu/run/stage.h"

#include "adreno/emu/check/sync.h"
#include "adreno/emu/run/run.h"

#include <string.h>

struct adreno_stage {
    adreno_dispatch dispatch;
    adreno_machine *machine;
    adreno_group group;
};

adreno_stage *
adreno_stage_open(const adreno_dispatch *d, const mach_memory *m, arena *a, mach_report *report)
{
    adreno_stage *s = ARENA_NEW(a, adreno_stage);
    s->dispatch = *d;
    for (unsigned k = 0; k < 3; k++) {
        s->dispatch.group_size[k] = k ? 1 : d->wave_size;
        s->dispatch.groups[k] = 1;
    }
    s->dispatch.local_id = s->dispatch.workgroup_id = ADRENO_EMU_NO_REG;
    s->dispatch.checks &= ~(uint32_t)MACH_CHECK_RACES; /* waves have no order */
    s->machine = adreno_machine_open(&s->dispatch, m, a, report);
    if (!s->machine)
        return NULL;
    adreno_group_make(s->machine, &s->group);
    return s;
}

adreno_wave *
adreno_stage_begin(adreno_stage *s, const uint32_t id[3])
{
    adreno_wave *w = s->group.waves;
    memcpy(s->group.id, id, sizeof s->group.id);
    s->group.number++;
    mach_turns_begin(&s->machine->turns, s->dispatch.seed, s->group.number);
    adreno_group_start(s->machine, &s->group);
    memset(w->active, 0, sizeof w->active);
    memset(&w->helpers, 0, sizeof w->helpers);
    memset(&w->killed, 0, sizeof w->killed);
    w->inputs_ended = false;
    return w;
}

void
adreno_stage_give(adreno_wave *w, unsigned fibre, unsigned reg, bool half, uint32_t value)
{
    w->active[fibre / 64] |= UINT64_C(1) << fibre % 64;
    adreno_wave_write(w, fibre, reg, half, value);
    adreno_wave_define(w, fibre, reg, half, true);
}

bool
adreno_stage_run(adreno_stage *s)
{
    adreno_wave *w = s->group.waves;
    adreno_machine *m = s->machine;
    adreno_group_run(m, &s->group);
    m->report->instructions += w->instructions;
    m->report->lane_instructions += w->lane_instructions;
    if (!m->stop && w->varyings && w->has_inputs && !w->inputs_ended)
        adreno_find(w, ADRENO_RULE_INPUT_OPEN, -1, "the wave ends");
    return !m->stop;
}

bool
adreno_stage_take(adreno_wave *w, unsigned fibre, unsigned reg, const char *output, uint32_t *value)
{
    *value = adreno_wave_read(w, fibre, reg, false);
    if (w->sync)
        adreno_sync_output(w, reg, output);
    if (adreno_wave_is_defined(w, fibre, reg, false))
        return true;
    adreno_find(w, ADRENO_RULE_UNDEFINED_OUTPUT, (int)fibre, "%s, in r%u.%c", output, reg / 4,
                "xyzw"[reg % 4]);
    return false;
}
