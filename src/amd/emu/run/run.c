/* Runs a dispatch: workgroups one after another, the waves of a group in turns.
 *
 * A wave runs for a number of instructions given by the scheduler's generator (with seed 0 a fixed
 * number), then another wave's turn comes; its turn also ends at a barrier and at its end. Waves at
 * a barrier continue when all waves that have not ended have arrived. The order depends only on the
 * seed and the group's number, not on the groups before or on the thread that runs them (share.h).
 */
#include "amd/emu/check/check.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/flow/flow.h"
#include "amd/emu/run/code.h"
#include "amd/emu/run/entry.h"
#include "amd/emu/run/share.h"
#include "amd/emu/watch/watching.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    TURN = 10000,     /* instructions per turn with seed 0 */
    RANDOM_TURN = 64, /* maximum with other seeds */
    MAX_GROUP = 1024, /* work items per group */
};

#define DEFAULT_LIMIT UINT64_C(50000000)
#define MAX_GROUPS    (UINT64_C(1) << 32)

/* The scheduler's next random number (xorshift64*, Vigna 2016). */
static uint64_t
next_random(emu_machine *m)
{
    uint64_t x = m->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    m->random = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

/* Reports a hang with the most frequently executed instruction, which shows the loop. */
static void
report_hang(emu_wave *w)
{
    const emu_machine *m = w->m;
    const emu_inst *first = NULL, *last = NULL;
    uint64_t most = 0;
    size_t n = m->code ? (size_t)(m->code->size / 4) : 0;
    for (size_t k = 0; k < n; k++)
        if (m->insts[k] && m->insts[k]->visits > most)
            most = m->insts[k]->visits;
    for (size_t k = 0; k < n; k++) {
        const emu_inst *i = m->insts[k];
        if (i && i->visits > most / 2) {
            first = first ? first : i;
            last = i;
        }
    }
    amd_emu_stop(
        w, MACH_RUN_HANG, "a wave executed %llu instructions; it loops from 0x%llx to 0x%llx",
        (unsigned long long)w->instructions, (unsigned long long)(first ? first->pc : w->pc),
        (unsigned long long)(last ? last->pc : w->pc));
}

/* The instruction at the wave's program counter. Same as amd_emu_fetch, which it calls for a new
 * instruction. */
static inline emu_inst *
next_inst(emu_wave *w)
{
    const emu_machine *m = w->m;
    uint64_t at = m->code ? w->pc - m->code->base : 0;
    emu_inst *i = m->code && at < m->code->size && at % 4 == 0 ? m->insts[at / 4] : NULL;
    return i ? i : amd_emu_fetch(w, w->pc);
}

/* Runs a wave for at most `turn` instructions. */
static void
run_wave(emu_wave *w, uint64_t turn)
{
    emu_machine *m = w->m;
    uint64_t limit = m->d->max_instructions ? m->d->max_instructions : DEFAULT_LIMIT;
    while (w->state == EMU_READY && turn-- && !m->stop) {
        emu_inst *i = next_inst(w);
        if (!i)
            break;
        const emu_inst *run = i, *seen;
        emu_inst changed, resolved;
        w->at = i;
        w->pc = i->next;
        i->visits++;
        if (m->watching)
            amd_emu_poison(w, i);
        if (w->mode & m->special_modes && !(run = amd_emu_mode_apply(w, i, &changed))) {
            if (++w->instructions >= limit)
                report_hang(w);
            continue;
        }
        seen = run;
        if (i->relative && (w->pending || w->hazards))
            seen = amd_emu_resolved(w, run, &resolved);
        if (w->pending)
            amd_emu_waits_before(w, seen);
        if (w->hazards)
            amd_emu_hazards_before(w, seen);
        if (w->race)
            amd_emu_races_before(w, i);
        if (w->shadow)
            amd_emu_shadow_before(w, run);
        if (m->watching)
            amd_emu_watch_before(w, i);
        run->run(w, run);
        if (m->watching)
            amd_emu_watch_after(w, i);
        if (++w->instructions >= limit)
            report_hang(w);
    }
    if (w->race && w->state == EMU_ENDED)
        amd_emu_races_end(w);
    if (m->watching && m->stop)
        amd_emu_watch_stop(w);
}

/* Releases the waves at a barrier if all waves that have not ended have arrived. */
static bool
release_barrier(emu_group *g)
{
    uint32_t waiting = 0;
    for (uint32_t k = 0; k < g->n_waves; k++) {
        if (g->waves[k].state == EMU_READY)
            return false;
        if (g->waves[k].state == EMU_WAITING) {
            amd_emu_stop(&g->waves[k], MACH_RUN_HANG,
                         "a wave waits for a resource that no wave of its group can give it");
            return false;
        }
        waiting += g->waves[k].state == EMU_AT_BARRIER;
    }
    for (uint32_t k = 0; k < g->n_waves; k++)
        if (g->waves[k].state == EMU_AT_BARRIER)
            g->waves[k].state = EMU_READY;
    if (g->waves[0].m->tell.barrier)
        g->waves[0].m->tell.barrier(g);
    return waiting > 0;
}

static void
run_group(emu_machine *m, emu_group *g)
{
    uint32_t k = 0;
    while (!m->stop) {
        uint32_t tried = 0;
        if (m->d->seed)
            k = (uint32_t)(next_random(m) % g->n_waves);
        while (tried < g->n_waves && g->waves[k].state != EMU_READY) {
            k = (k + 1) % g->n_waves;
            tried++;
        }
        if (tried == g->n_waves) {
            if (!release_barrier(g))
                return;
            continue;
        }
        run_wave(&g->waves[k], m->d->seed ? 1 + next_random(m) % RANDOM_TURN : TURN);
        k = (k + 1) % g->n_waves;
    }
}

/* Allocates the group's state, which the dispatch's groups use one after another. */
static void
make_group(emu_machine *m, emu_group *g)
{
    const amd_emu_dispatch *d = m->d;
    uint32_t items = d->group_size[0] * d->group_size[1] * d->group_size[2];
    g->n_waves = (items + d->wave_size - 1) / d->wave_size;
    g->waves = ARENA_ARRAY(m->arena, g->n_waves, emu_wave);
    g->lds = arena_zalloc(m->arena, d->lds_bytes + 16);
    if (d->checks & MACH_CHECK_RACES &&
        (g->n_waves > 1 || (uint64_t)d->grid_groups[0] * d->grid_groups[1] * d->grid_groups[2] > 1))
        m->races = amd_emu_races_new(m->arena, g->n_waves);
    if (d->checks & MACH_CHECK_UNDEFINED)
        g->lds_defined = arena_zalloc(m->arena, d->lds_bytes + 16);
    for (uint32_t k = 0; k < g->n_waves; k++) {
        emu_wave *w = &g->waves[k];
        *w = (emu_wave){.group = g, .m = m, .index = k};
        /* rows beyond the allocated registers, so that a wrong number cannot corrupt other
         * memory */
        w->vgpr = arena_zalloc(m->arena, (EMU_MAX_VGPRS + 16) * sizeof *w->vgpr);
        if (d->checks & MACH_CHECK_WAITS)
            w->pending = amd_emu_waits_new(m->arena);
        if (d->checks & MACH_CHECK_UNDEFINED)
            w->shadow = arena_zalloc(m->arena, sizeof *w->shadow);
        if (m->hazards)
            w->hazards = amd_emu_hazards_new(m->arena, m->hazards);
        if (m->races)
            w->race = amd_emu_races_wave(m->races);
    }
}

/* Makes scratch memory undefined again where the group before has stored to it. */
static void
forget_scratch(const emu_machine *m)
{
    const mach_region *r = m->scratch;
    for (uint64_t at = 0; m->scratch_stored && at < r->size; at += EMU_SCRATCH_PAGE) {
        uint8_t *stored = &m->scratch_stored[at / EMU_SCRATCH_PAGE];
        uint64_t left = r->size - at;
        if (*stored)
            memset(r->defined + at / 8, 0,
                   (size_t)((left < EMU_SCRATCH_PAGE ? left : EMU_SCRATCH_PAGE) + 7) / 8);
        *stored = 0;
    }
}

static void
start_group(emu_machine *m, emu_group *g)
{
    memset(g->lds, 0xa5, m->d->lds_bytes);
    if (g->lds_defined)
        memset(g->lds_defined, 0, m->d->lds_bytes);
    forget_scratch(m);
    for (uint32_t k = 0; k < g->n_waves; k++)
        amd_emu_start_wave(&g->waves[k]);
    if (m->races)
        amd_emu_races_start(g);
}

/* The maximum bytes of scratch per wave: COMPUTE_TMPRING_SIZE.WAVESIZE counts 256 dwords in 13
 * bits; from gfx11 on 64 dwords in 15 bits, on gfx12 in 18 bits (LLVM 19, GCNSubtarget.h,
 * getMaxWaveScratchSize). */
static uint64_t
max_scratch(amd_gen gen)
{
    return gen < AMD_GFX11   ? UINT64_C(1024) * ((1 << 13) - 1)
           : gen < AMD_GFX12 ? UINT64_C(256) * ((1 << 15) - 1)
                             : UINT64_C(256) * ((1 << 18) - 1);
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
    if ((uint64_t)d->scratch_bytes * d->wave_size > max_scratch(d->gen))
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
    const amd_emu_dispatch *d = m->d;
    uint32_t items = d->group_size[0] * d->group_size[1] * d->group_size[2];
    uint64_t waves = (items + d->wave_size - 1) / d->wave_size;
    uint64_t bytes = (uint64_t)((d->scratch_bytes + 3) & ~3u) * d->wave_size * waves;
    if (!bytes)
        return true;
    m->scratch = mach_memory_map(m->memory, AMD_EMU_SCRATCH_BASE, bytes,
                                 arena_zalloc_sparse(a, bytes), "scratch");
    if (m->scratch && d->checks & MACH_CHECK_UNDEFINED) {
        m->scratch->defined = arena_zalloc_sparse(a, (bytes + 7) / 8);
        m->scratch_stored = arena_zalloc(a, bytes / EMU_SCRATCH_PAGE + 1);
    }
    return m->scratch != NULL;
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
        m->hazards = amd_emu_hazards_rules(m->arena, d->gen, d->wave_size, d->rules_off);
    if (d->watch)
        amd_emu_watch_open(m);
    make_group(m, &g);
    amd_emu_listen(m);
    while (take_group(m, n, &next)) {
        uint64_t k = m->group;
        g.id[0] = d->first_group[0] + (uint32_t)(k % d->grid_groups[0]);
        g.id[1] = d->first_group[1] + (uint32_t)(k / d->grid_groups[0] % d->grid_groups[1]);
        g.id[2] = d->first_group[2] + (uint32_t)(k / d->grid_groups[0] / d->grid_groups[1]);
        m->random = d->seed ^ k * UINT64_C(0x9e3779b97f4a7c15);
        m->random = m->random ? m->random : 1;
        m->time = k << 24;
        start_group(m, &g);
        run_group(m, &g);
        for (uint32_t w = 0; w < g.n_waves; w++) {
            m->report->instructions += g.waves[w].instructions;
            m->report->lane_instructions += g.waves[w].lane_instructions;
            m->report->exports += g.waves[w].exports;
        }
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
}

static void
run(const amd_emu_dispatch *d, mach_memory *memory, amd_emu_share *share, arena *scratch,
    mach_report *report)
{
    arena_mark mark = arena_save(scratch);
    emu_machine m = {.d = d,
                     .memory = memory,
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
    if (m.scratch)
        mach_memory_unmap(memory, m.scratch);
    if (m.gds)
        mach_memory_unmap(memory, m.gds);
    arena_release(scratch, mark);
}

void
amd_emu_run_part(const amd_emu_dispatch *d, const mach_memory *m, amd_emu_share *share,
                 arena *scratch, mach_report *report)
{
    arena_mark mark = arena_save(scratch);
    mach_memory own = *m; /* for the thread's own scratch memory */
    own.arena = scratch;
    own.cap = m->count + 2;
    own.regions = ARENA_ARRAY(scratch, own.cap, mach_region *);
    memcpy(own.regions, m->regions, m->count * sizeof *own.regions);
    run(d, &own, share, scratch, report);
    arena_release(scratch, mark);
}

bool
amd_emu_run(const amd_emu_dispatch *d, mach_memory *memory, arena *scratch, mach_report *report)
{
    run(d, memory, NULL, scratch, report);
    return report->status == MACH_RUN_DONE && report->total == 0;
}
