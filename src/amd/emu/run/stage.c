/* Stages of graphics; see stage.h. */
#include "amd/emu/run/stage.h"

#include "amd/emu/check/check.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/flow/flow.h"
#include "amd/emu/run/entry.h"
#include "amd/emu/run/group.h"
#include "amd/emu/watch/watching.h"

struct amd_emu_stage {
    emu_machine machine;
    emu_group group;
    uint32_t n_waves; /* for which there is room */
};

const char *
amd_emu_stage_error(const amd_emu_dispatch *d)
{
    const emu_gen *gen = amd_emu_gen_of(d->gen);
    if (d->wave_size != 64 && (d->wave_size != 32 || !gen->wave32))
        return "the wave size is neither 32 nor 64";
    if (d->lds_bytes > gen->max_lds)
        return "more LDS is asked for than a group can have";
    if (amd_emu_scratch_bytes(d) > amd_emu_max_scratch(d->gen))
        return "more scratch memory is asked for than a wave can have";
    return NULL;
}

amd_emu_stage *
amd_emu_stage_open(const amd_emu_dispatch *d, const amd_emu_stage_place *place, uint32_t n_waves)
{
    amd_emu_stage *s = ARENA_NEW(place->arena, amd_emu_stage);
    emu_machine *m = &s->machine;
    m->d = d;
    m->memory = place->memory;
    m->arena = place->arena;
    m->report = place->report;
    m->rules_off = amd_emu_rules_off(d->rules_off);
    m->special_modes = amd_emu_mode_special(d->gen);
    s->n_waves = n_waves;
    amd_emu_use_scratch(m, place->scratch);
    if (d->checks & MACH_CHECK_HAZARDS)
        m->hazards = amd_emu_hazards_rules(m->arena, d);
    if (d->watch)
        amd_emu_watch_open(m);
    if (d->touched)
        m->races = amd_emu_races_record(place->touches, n_waves);
    amd_emu_make_group(m, &s->group, n_waves);
    amd_emu_listen(m);
    return s;
}

void
amd_emu_stage_close(amd_emu_stage *s)
{
    const emu_machine *m = &s->machine;
    if (m->watching)
        amd_emu_watch_close(&s->machine);
    if (m->races)
        amd_emu_races_tell(m->races, m->d->touched, m->d->touched_user);
}

uint32_t *
amd_emu_stage_counters(amd_emu_stage *s)
{
    return s->machine.gs_registers;
}

static void
set_lds(emu_group *g, const amd_emu_stage_group *from)
{
    if (!from->lds)
        return;
    memcpy(g->lds, from->lds, from->lds_bytes);
    if (g->lds_defined)
        memcpy(g->lds_defined, from->lds_defined, from->lds_bytes);
}

bool
amd_emu_stage_run(amd_emu_stage *s, const amd_emu_stage_group *from)
{
    emu_machine *m = &s->machine;
    emu_group *g = &s->group;
    const amd_emu_dispatch *d = m->d;
    g->n_waves = from->n_waves < s->n_waves ? from->n_waves : s->n_waves;
    memcpy(g->id, from->id, sizeof g->id);
    mach_turns_begin(&m->turns, d->seed, m->group);
    m->time = m->group++ << 24;
    amd_emu_clear_group(m, g);
    set_lds(g, from);
    for (uint32_t k = 0; k < g->n_waves; k++)
        amd_emu_start_stage_wave(&g->waves[k], &from->waves[k]);
    if (m->races)
        amd_emu_races_start(g);
    amd_emu_run_group(m, g);
    amd_emu_count_group(m, g);
    if (d->max_total && m->report->instructions >= d->max_total)
        amd_emu_stop(&g->waves[0], MACH_RUN_HANG,
                     "the waves of a draw executed %llu instructions, which is the limit",
                     (unsigned long long)m->report->instructions);
    return !m->stop;
}

void
amd_emu_stage_missing_export(amd_emu_stage *s, uint32_t wave, const char *what)
{
    amd_emu_find(&s->group.waves[wave], EMU_RULE_EXPORT_MISSING, -1,
                 "the wave ends without %s, which the pipeline waits for", what);
}
