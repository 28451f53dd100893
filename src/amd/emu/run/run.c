/* Runs a dispatch: workgroups one after another, the waves of a group in turns (group.c). Their
 * order depends only on the seed and the group's number, not on the groups before or on the thread
 * that runs them (share.h). */
#include "amd/emu/check/check.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/flow/flow.h"
#include "amd/emu/run/entry.h"
#include "amd/emu/run/group.h"
#include "amd/emu/run/share.h"
#include "amd/emu/watch/watching.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_GROUP = 1024 /* work items per group */ };

#define MAX_GROUPS (UINT64_C(1) << 32)

static uint32_t
waves_of(const amd_emu_dispatch *d)
{
    uint32_t items = d->group_size[0] * d->group_size[1] * d->group_size[2];
    return (items + d->wave_size - 1) / d->wave_size;
}

static void
start_group(emu_machine *m, emu_group *g)
{
    amd_emu_clear_group(m, g);
    for (uint32_t k = 0; k < g->n_waves; k++)
        amd_emu_start_wave(&g->waves[k]);
    if (m->races)
        amd_emu_races_start(g);
}

/* The reason why a dispatch cannot be run; NULL if it can. */
static const char *
dispatch_error(const amd_emu_dispatch *d)
{
    uint64_t items = (uint64_t)d->group_size[0] * d->group_size[1] * d->group_size[2];
    const emu_gen *gen = amd_emu_gen_of(d->gen);
    if (d->wave_size != 64 && (d->wave_size != 32 || !gen->wave32))
        return gen->wave32 ? "the wave size is neither 32 nor 64" : "the wave size is not 64";
    if (items == 0 || items > MAX_GROUP || d->group_size[0] > MAX_GROUP ||
        d->group_size[1] > MAX_GROUP)
        return "a workgroup has 1 to 1024 work items";
    if (d->n_user_sgprs > AMD_EMU_MAX_USER_SGPRS || d->workitem_ids > 2 || d->n_vgprs > EMU_AGPR0 ||
        d->n_shared_vgprs > (d->n_vgprs ? EMU_AGPR0 - d->n_vgprs : 0) ||
        d->n_agprs > EMU_MAX_VGPRS - EMU_AGPR0)
        return "more registers are asked for than there are";
    if (d->lds_bytes > gen->max_lds)
        return "more LDS is asked for than a workgroup can have";
    if ((uint64_t)d->scratch_bytes * d->wave_size > amd_emu_max_scratch(d->gen))
        return "more scratch memory is asked for than a wave can have";
    for (uint64_t k = 0, n = 1; k < 3; k++) {
        n *= d->grid_groups[k];
        if (n > MAX_GROUPS)
            return "the grid has more than 2^32 workgroups";
    }
    return NULL;
}

/* Maps the scratch memory of all waves in a group. */
static bool
map_scratch(emu_machine *m, arena *a)
{
    uint64_t bytes = amd_emu_scratch_bytes(m->d) * waves_of(m->d);
    if (bytes)
        amd_emu_use_scratch(
            m, amd_emu_map_scratch(m->memory, a, bytes, m->d->checks & MACH_CHECK_UNDEFINED));
    return !bytes || m->scratch;
}

/* Maps global data share; succeeds if the dispatch has none. */
static bool
map_gds(emu_machine *m, arena *a)
{
    const amd_emu_dispatch *d = m->d;
    if (!d->gds_bytes)
        return true;
    m->gds = mach_memory_map(m->memory, AMD_EMU_GDS_BASE, d->gds_bytes,
                             d->gds ? d->gds : arena_zalloc(a, d->gds_bytes), "GDS");
    return m->gds != NULL;
}

/* The number of the next group to run; false if there is none. */
static bool
take_group(emu_machine *m, uint64_t count, uint64_t *k)
{
    if (m->stop)
        return false;
    if (!m->share) {
        m->group = (*k)++;
        return m->group < count;
    }
    m->group = atomic_fetch_add(&m->share->next, 1);
    return m->group < count && m->group <= atomic_load(&m->share->stop_at);
}

/* Tells the other threads that groups after this one need not run. */
static void
stop_others(emu_machine *m)
{
    uint64_t old = m->share ? atomic_load(&m->share->stop_at) : 0;
    while (m->share && m->group < old &&
           !atomic_compare_exchange_weak(&m->share->stop_at, &old, m->group))
        ;
}

static void
run_groups(emu_machine *m)
{
    const amd_emu_dispatch *d = m->d;
    uint64_t n = (uint64_t)d->grid_groups[0] * d->grid_groups[1] * d->grid_groups[2], next = 0;
    emu_group g = {0};
    if (d->checks & MACH_CHECK_HAZARDS)
        m->hazards = amd_emu_hazards_rules(m->arena, d);
    if (d->watch)
        amd_emu_watch_open(m);
    if (d->checks & MACH_CHECK_RACES && (waves_of(d) > 1 || n > 1 || d->touched))
        m->races = amd_emu_races_new(m->arena, waves_of(d));
    amd_emu_make_group(m, &g, waves_of(d));
    amd_emu_listen(m);
    while (take_group(m, n, &next)) {
        uint64_t k = m->group;
        g.id[0] = d->first_group[0] + (uint32_t)(k % d->grid_groups[0]);
        g.id[1] = d->first_group[1] + (uint32_t)(k / d->grid_groups[0] % d->grid_groups[1]);
        g.id[2] = d->first_group[2] + (uint32_t)(k / d->grid_groups[0] / d->grid_groups[1]);
        mach_turns_begin(&m->turns, d->seed, k);
        m->time = k << 24;
        start_group(m, &g);
        amd_emu_run_group(m, &g);
        amd_emu_count_group(m, &g);
        if (d->max_total && m->report->instructions >= d->max_total && k + 1 < n)
            amd_emu_stop(&g.waves[0], MACH_RUN_HANG,
                         "the waves of %llu of %llu groups executed %llu instructions, which is "
                         "the limit",
                         (unsigned long long)(k + 1), (unsigned long long)n,
                         (unsigned long long)m->report->instructions);
        if (m->stop)
            stop_others(m);
    }
    if (m->watching)
        amd_emu_watch_close(m);
    if (m->races && d->touched)
        amd_emu_races_tell(m->races, d->touched, d->touched_user);
}

static void
run(const amd_emu_dispatch *d, const mach_memory *memory, amd_emu_share *share, arena *scratch,
    mach_report *report)
{
    arena_mark mark = arena_save(scratch);
    mach_memory view; /* with the run's own scratch memory */
    mach_memory_view(&view, memory, scratch);
    emu_machine m = {.d = d,
                     .memory = &view,
                     .arena = scratch,
                     .report = report,
                     .share = share,
                     .locks = share ? &share->locks : NULL,
                     .rules_off = amd_emu_rules_off(d->rules_off),
                     .special_modes = amd_emu_mode_special(d->gen)};
    const char *error = dispatch_error(d);
    /* the other findings are set when they occur */
    memset(report, 0, offsetof(mach_report, findings) + sizeof report->findings[0]);
    if (!error && !map_scratch(&m, scratch))
        error = "the place of the scratch memory is taken";
    if (!error && !map_gds(&m, scratch))
        error = "the place of the global data share is taken";
    if (error) {
        report->status = MACH_RUN_BAD_DISPATCH;
        report->n_findings = 1;
        report->total = 1;
        report->findings[0] = (mach_finding){.lane = -1, .count = 1};
        snprintf(report->findings[0].message, sizeof report->findings[0].message, "%s", error);
    } else {
        run_groups(&m);
    }
    arena_release(scratch, mark);
}

void
amd_emu_run_part(const amd_emu_dispatch *d, const mach_memory *m, amd_emu_share *share,
                 arena *scratch, mach_report *report)
{
    run(d, m, share, scratch, report);
}

bool
amd_emu_run(const amd_emu_dispatch *d, const mach_memory *memory, arena *scratch,
            mach_report *report)
{
    run(d, memory, NULL, scratch, report);
    return report->status == MACH_RUN_DONE && report->total == 0;
}
