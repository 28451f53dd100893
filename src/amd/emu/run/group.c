/* Groups of waves: their state, and the loop that runs a group's waves in turns.
 *
 * A wave runs for a number of instructions given by the scheduler's generator (with seed 0 a fixed
 * number), then another wave's turn comes; its turn also ends at a barrier and at its end. Waves at
 * a barrier continue when all waves that have not ended have arrived.
 */
#include "amd/emu/run/group.h"

#include "amd/emu/check/check.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/flow/flow.h"
#include "amd/emu/run/code.h"
#include "amd/emu/watch/watching.h"

enum { TURN = 10000 }; /* instructions per turn with seed 0 */

#define DEFAULT_LIMIT UINT64_C(50000000)

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

static bool
is_ready(const void *group, uint32_t wave)
{
    return ((const emu_group *)group)->waves[wave].state == EMU_READY;
}

void
amd_emu_run_group(emu_machine *m, emu_group *g)
{
    uint32_t k;
    while (!m->stop) {
        if (mach_turns_choose(&m->turns, g->n_waves, is_ready, g, &k))
            run_wave(&g->waves[k], mach_turns_length(&m->turns, TURN));
        else if (!release_barrier(g))
            return;
    }
}

/* ---- state ---- */

void
amd_emu_make_group(emu_machine *m, emu_group *g, uint32_t n_waves)
{
    const amd_emu_dispatch *d = m->d;
    g->n_waves = n_waves;
    g->waves = ARENA_ARRAY(m->arena, g->n_waves, emu_wave);
    g->lds = arena_zalloc(m->arena, d->lds_bytes + 16);
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

void
amd_emu_clear_group(emu_machine *m, emu_group *g)
{
    memset(g->lds, 0xa5, m->d->lds_bytes);
    if (g->lds_defined)
        memset(g->lds_defined, 0, m->d->lds_bytes);
    forget_scratch(m);
}

void
amd_emu_count_group(emu_machine *m, const emu_group *g)
{
    for (uint32_t w = 0; w < g->n_waves; w++) {
        m->report->instructions += g->waves[w].instructions;
        m->report->lane_instructions += g->waves[w].lane_instructions;
        m->report->exports += g->waves[w].exports;
    }
}

/* ---- scratch memory ---- */

/* COMPUTE_TMPRING_SIZE.WAVESIZE counts 256 dwords in 13
 * bits; from gfx11 on 64 dwords in 15 bits, on gfx12 in 18 bits (LLVM 19, GCNSubtarget.h,
 * getMaxWaveScratchSize). */
uint64_t
amd_emu_max_scratch(amd_gen gen)
{
    return gen < AMD_GFX11   ? UINT64_C(1024) * ((1 << 13) - 1)
           : gen < AMD_GFX12 ? UINT64_C(256) * ((1 << 15) - 1)
                             : UINT64_C(256) * ((1 << 18) - 1);
}

uint64_t
amd_emu_scratch_bytes(const amd_emu_dispatch *d)
{
    return (uint64_t)((d->scratch_bytes + 3) & ~3u) * d->wave_size;
}

mach_region *
amd_emu_map_scratch(mach_memory *m, arena *a, uint64_t bytes, bool tracked)
{
    mach_region *r = mach_memory_map(m, AMD_EMU_SCRATCH_BASE, bytes, arena_zalloc_sparse(a, bytes),
                                     "scratch");
    if (r && tracked)
        r->defined = arena_zalloc_sparse(a, (bytes + 7) / 8);
    return r;
}

void
amd_emu_use_scratch(emu_machine *m, mach_region *r)
{
    m->scratch = r;
    if (r && r->defined)
        m->scratch_stored = arena_zalloc(m->arena, r->size / EMU_SCRATCH_PAGE + 1);
}
