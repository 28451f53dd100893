/* Runs a dispatch: workgroups one after another, the waves of a group in turns.
 *
 * A wave runs for a number of instructions that a generator draws (with seed 0 until it waits or
 * ends), then another wave's turn comes. Waves at a barrier go on when all that have not ended have
 * arrived. The first wave runs the preamble, for all groups. */
#include "adreno/emu/run/run.h"
#include "adreno/emu/alu/alu.h"
#include "adreno/emu/check/races.h"
#include "adreno/emu/check/sync.h"
#include "adreno/emu/core/alias.h"
#include "adreno/emu/flow/flow.h"
#include "adreno/emu/graphics/graphics.h"
#include "adreno/emu/image/image.h"

#include "base/bits.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { TURN = 100000, MAX_GROUP = 1024 };

#define DEFAULT_LIMIT UINT64_C(50000000)
#define PRIVATE_BASE  UINT64_C(0x0000600000000000)

bool
adreno_emu_get_rule(uint32_t index, mach_rule *out)
{
    if (index >= ADRENO_RULE_COUNT)
        return false;
    *out = adreno_rules[index];
    return true;
}

/* ---- a wave ---- */

/* The instruction at the wave's place, or NULL, which ends the run. */
static const adreno_inst *
fetch(adreno_wave *w)
{
    adreno_machine *m = w->m;
    w->at = w->pc;
    if (w->pc >= m->n_insts) {
        adreno_stop(w, MACH_RUN_BAD_CODE, "the wave runs out of the code");
        return NULL;
    }
    adreno_inst *in = &m->insts[w->pc];
    if (in->op == ADRENO_OP_COUNT)
        adreno_decode(m->isa, adreno_read_word(m->code->host + (size_t)w->pc * ADRENO_WORD_BYTES),
                      in);
    if (in->op == ADRENO_RAW) {
        adreno_stop(w, MACH_RUN_BAD_CODE, "the word is no instruction");
        return NULL;
    }
    return in;
}

static void
count(adreno_wave *w)
{
    w->instructions++;
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++)
        w->lane_instructions += base_popcount64(w->active[k]);
}

static bool
is_shared_store(const adreno_inst *in)
{
    switch (in->op) {
    case ADRENO_STG:
    case ADRENO_STG_A:
    case ADRENO_STG_A7:
    case ADRENO_STGB:
    case ADRENO_STGB5:
    case ADRENO_STIB_OLD:
    case ADRENO_STIB5:
    case ADRENO_STIB_B: return true;
    default: return false;
    }
}

static bool
has_effect(const adreno_inst *in)
{
    switch (adreno_op_row(in->op)->format) {
    case ADRENO_FMT_CAT6_ATOMIC_B:
    case ADRENO_FMT_CAT6_ATOMIC_G:
    case ADRENO_FMT_CAT6_ATOMIC_S:
    case ADRENO_FMT_CAT6_ATOMIC_S5: return true;
    default: return is_shared_store(in);
    }
}

/* What atomics return to helpers. */
static void
give_helpers(adreno_wave *w, const adreno_inst *in)
{
    const bool described = adreno_op_row(in->op)->format == ADRENO_FMT_CAT6_ATOMIC_B;
    const unsigned dst = in->f[described ? ADRENO_F_src1 : ADRENO_F_dst];
    for (unsigned f = 0; f < w->n_fibres && !is_shared_store(in); f++) {
        if (!adreno_wave_is_active(w, f) || !(w->helpers.word[f / 64] >> f % 64 & 1))
            continue;
        adreno_give_zeros(w, f, dst, adreno_atomic_words(in->f[ADRENO_F_type]));
    }
}

/* Helpers have no effects on memory that others see. */
static bool
execute_without_helpers(adreno_wave *w, const adreno_inst *in)
{
    uint64_t all[ADRENO_FIBRE_WORDS];
    memcpy(all, w->active, sizeof all);
    if (has_effect(in)) {
        give_helpers(w, in);
        for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++)
            w->active[k] &= ~w->helpers.word[k];
    }
    const bool known = adreno_execute_image(w, in) || adreno_execute_memory(w, in);
    memcpy(w->active, all, sizeof all);
    return known;
}

static bool
execute(adreno_wave *w, const adreno_inst *in)
{
    switch (w->isa->value[in->op] >> 61) {
    case 0:
    case 7: return adreno_execute_flow(w, in);
    case 5: return adreno_execute_quad(w, in) || adreno_execute_image(w, in);
    case 6: return adreno_execute_varying(w, in) || execute_without_helpers(w, in);
    default:
        if (adreno_execute_varying(w, in))
            return true;
        return adreno_execute_alu(w, in);
    }
}

static void
run_wave(adreno_wave *w, uint64_t turn)
{
    adreno_machine *m = w->m;
    const uint64_t limit = m->d->max_instructions ? m->d->max_instructions : DEFAULT_LIMIT;
    while (w->state == ADRENO_WAVE_READY && turn-- && !m->stop) {
        const adreno_inst *in = fetch(w);
        if (!in)
            return;
        adreno_flow_arrive(w);
        w->pc++;
        if (w->sync)
            adreno_sync_before(w, in);
        count(w);
        if (!execute(w, in))
            adreno_stop(w, MACH_RUN_UNSUPPORTED, "the emulator does not execute this instruction");
        adreno_alias_end(w, in);
        if (w->instructions >= limit)
            adreno_stop(w, MACH_RUN_HANG, "a wave executed %llu instructions",
                        (unsigned long long)w->instructions);
    }
}

/* ---- a group ---- */

/* Nobody is ready: lets those at the barrier go on. Returns false if there is nobody. */
static bool
release(adreno_machine *m, adreno_group *g)
{
    uint32_t released = 0;
    for (uint32_t k = 0; k < g->n_waves; k++) {
        adreno_wave *w = &g->waves[k];
        const bool goes_on = w->state == ADRENO_WAVE_AT_BARRIER ||
                             (w->state == ADRENO_WAVE_WAITING &&
                              m->preamble == ADRENO_PREAMBLE_DONE);
        if (w->state == ADRENO_WAVE_WAITING && !goes_on)
            adreno_stop(w, MACH_RUN_HANG, "the preamble of another wave does not end");
        if (goes_on)
            w->state = ADRENO_WAVE_READY;
        released += goes_on;
    }
    adreno_races_barrier(m);
    return released > 0;
}

static bool
is_ready(const void *group, uint32_t wave)
{
    return ((const adreno_group *)group)->waves[wave].state == ADRENO_WAVE_READY;
}

void
adreno_group_run(adreno_machine *m, adreno_group *g)
{
    uint32_t k;
    while (!m->stop) {
        if (mach_turns_choose(&m->turns, g->n_waves, is_ready, g, &k))
            run_wave(&g->waves[k], mach_turns_length(&m->turns, TURN));
        else if (!release(m, g))
            return;
    }
}

/* What is in the registers of the fibre that is the item `number` of the group. */
static void
put_inputs(adreno_wave *w, unsigned fibre, uint32_t number)
{
    const adreno_dispatch *d = w->m->d;
    const uint32_t ids[3] = {number % d->group_size[0],
                             number / d->group_size[0] % d->group_size[1],
                             number / d->group_size[0] / d->group_size[1]};
    for (unsigned i = 0; i < 3; i++) {
        if (d->local_id != ADRENO_EMU_NO_REG) {
            adreno_wave_write(w, fibre, d->local_id + i, false, ids[i]);
            adreno_wave_define(w, fibre, d->local_id + i, false, true);
        }
        if (d->workgroup_id != ADRENO_EMU_NO_REG) {
            adreno_wave_write(w, fibre, d->workgroup_id + i, false, w->group->id[i]);
            adreno_wave_define(w, fibre, d->workgroup_id + i, false, true);
        }
    }
}

static void
start_wave(adreno_wave *w)
{
    const adreno_dispatch *d = w->m->d;
    const uint32_t items = d->group_size[0] * d->group_size[1] * d->group_size[2];
    const uint32_t first = w->index * d->wave_size;
    w->state = ADRENO_WAVE_READY;
    w->pc = w->at = (uint32_t)((d->entry - w->m->code->base) / ADRENO_WORD_BYTES);
    w->instructions = w->lane_instructions = 0;
    memset(w->active, 0, sizeof w->active);
    w->n_waiting = w->n_aliases = 0;
    w->is_predicated = w->in_preamble = false;
    if (w->defined)
        memset(w->defined, 0, ADRENO_UNITS * sizeof *w->defined);
    if (w->sync)
        adreno_sync_start(w);
    for (unsigned f = 0; f < w->n_fibres && first + f < items; f++) {
        w->active[f / 64] |= UINT64_C(1) << f % 64;
        put_inputs(w, f, first + f);
    }
}

void
adreno_group_start(adreno_machine *m, adreno_group *g)
{
    memset(g->local, 0xa5, m->d->local_bytes);
    if (g->local_defined)
        memset(g->local_defined, 0, m->d->local_bytes);
    if (m->private_memory && m->private_memory->defined)
        memset(m->private_memory->defined, 0, (size_t)(m->private_memory->size + 7) / 8);
    adreno_races_group(m);
    for (uint32_t k = 0; k < g->n_waves; k++)
        start_wave(&g->waves[k]);
}

void
adreno_group_make(adreno_machine *m, adreno_group *g)
{
    const adreno_dispatch *d = m->d;
    const uint32_t items = d->group_size[0] * d->group_size[1] * d->group_size[2];
    g->n_waves = (items + d->wave_size - 1) / d->wave_size;
    g->waves = ARENA_ARRAY(m->arena, g->n_waves, adreno_wave);
    g->local = arena_zalloc(m->arena, d->local_bytes + 16);
    if (d->checks & MACH_CHECK_UNDEFINED)
        g->local_defined = arena_zalloc(m->arena, d->local_bytes + 16);
    for (uint32_t k = 0; k < g->n_waves; k++) {
        adreno_wave *w = &g->waves[k];
        w->isa = m->isa;
        w->m = m;
        w->group = g;
        w->index = k;
        w->n_fibres = d->wave_size;
        w->is_merged = d->gen >= 6;
        w->consts = m->consts;
        w->n_consts = ADRENO_EMU_CONSTS;
        w->private_base = (uint64_t)k * d->wave_size * d->private_bytes;
        if (d->checks & MACH_CHECK_UNDEFINED)
            w->defined = ARENA_ARRAY(m->arena, ADRENO_UNITS, adreno_fibres);
        if (d->checks & (MACH_CHECK_WAITS | MACH_CHECK_HAZARDS | MACH_CHECK_MEMORY))
            w->sync = adreno_sync_new(m->arena);
    }
}

/* ---- the dispatch ---- */

static const char *
dispatch_error(const adreno_dispatch *d, const adreno_machine *m)
{
    const uint64_t items = (uint64_t)d->group_size[0] * d->group_size[1] * d->group_size[2];
    if (d->gen < ADRENO_FIRST_GEN || d->gen > ADRENO_LAST_GEN)
        return "there is no such generation";
    if (!d->wave_size || d->wave_size > ADRENO_MAX_FIBRES)
        return "there are no waves of this size";
    if (!items || items > MAX_GROUP)
        return "a workgroup has 1 to 1024 work items";
    if (d->n_consts > ADRENO_EMU_CONSTS)
        return "there are more constants than the file has";
    return m->code ? NULL : "the entry is in no allocation";
}

static bool
map_private(adreno_machine *m)
{
    const adreno_dispatch *d = m->d;
    const uint64_t items = (uint64_t)d->group_size[0] * d->group_size[1] * d->group_size[2];
    const uint64_t waves = (items + d->wave_size - 1) / d->wave_size;
    const uint64_t bytes = waves * d->wave_size * d->private_bytes;
    if (!bytes)
        return true;
    m->private_memory = mach_memory_map(m->memory, PRIVATE_BASE, bytes,
                                        arena_zalloc_sparse(m->arena, bytes), "private memory");
    if (m->private_memory && d->checks & MACH_CHECK_UNDEFINED)
        m->private_memory->defined = arena_zalloc_sparse(m->arena, (bytes + 7) / 8);
    return m->private_memory != NULL;
}

static void
open_code(adreno_machine *m)
{
    uint32_t hint = 0;
    m->code = mach_memory_find(m->memory, &hint, m->d->entry, ADRENO_WORD_BYTES);
    if (!m->code)
        return;
    m->n_insts = (uint32_t)(m->code->size / ADRENO_WORD_BYTES);
    m->insts = ARENA_ARRAY(m->arena, m->n_insts, adreno_inst);
    m->plans = ARENA_ARRAY(m->arena, m->n_insts, struct adreno_plan *);
    m->sync_plans = ARENA_ARRAY(m->arena, m->n_insts, struct adreno_sync_plan *);
    for (uint32_t i = 0; i < m->n_insts; i++)
        m->insts[i].op = ADRENO_OP_COUNT;
}

static void
run_groups(adreno_machine *m)
{
    const adreno_dispatch *d = m->d;
    const uint64_t n = (uint64_t)d->groups[0] * d->groups[1] * d->groups[2];
    adreno_group g = {0};
    adreno_group_make(m, &g);
    for (uint64_t k = 0; k < n && !m->stop; k++) {
        g.number = k;
        g.id[0] = (uint32_t)(k % d->groups[0]);
        g.id[1] = (uint32_t)(k / d->groups[0] % d->groups[1]);
        g.id[2] = (uint32_t)(k / d->groups[0] / d->groups[1]);
        mach_turns_begin(&m->turns, d->seed, k);
        adreno_group_start(m, &g);
        adreno_group_run(m, &g);
        for (uint32_t w = 0; w < g.n_waves; w++) {
            m->report->instructions += g.waves[w].instructions;
            m->report->lane_instructions += g.waves[w].lane_instructions;
        }
    }
}

static void
refuse(mach_report *r, const char *why)
{
    r->status = MACH_RUN_BAD_DISPATCH;
    r->n_findings = 1;
    r->total = 1;
    r->findings[0] = (mach_finding){.lane = -1, .count = 1};
    snprintf(r->findings[0].message, sizeof r->findings[0].message, "%s", why);
}

adreno_machine *
adreno_machine_open(const adreno_dispatch *d, const mach_memory *memory, arena *a,
                    mach_report *report)
{
    adreno_machine *m = ARENA_NEW(a, adreno_machine);
    *m = (adreno_machine){
        .d = d,
        .isa = adreno_isa_open(a, d->gen),
        .memory = ARENA_NEW(a, mach_memory),
        .arena = a,
        .report = report,
        .rules_off = mach_find_rules(d->rules_off, adreno_rules, ADRENO_RULE_COUNT)};
    mach_memory_view(m->memory, memory, a);
    open_code(m);
    const char *error = dispatch_error(d, m);
    if (!error && !map_private(m))
        error = "the place of private memory is taken";
    if (error) {
        refuse(report, error);
        return NULL;
    }
    for (uint32_t i = 0; i < d->n_consts; i++) {
        m->consts[i] = d->consts[i];
        m->const_state[i] = d->consts_given ? d->consts_given[i] : 1;
    }
    if (d->checks & MACH_CHECK_RACES) {
        m->races = adreno_races_new(a);
        m->note_access = adreno_races_note;
    }
    return m;
}

bool
adreno_emu_run(const adreno_dispatch *d, const mach_memory *memory, arena *scratch,
               mach_report *report)
{
    const arena_mark mark = arena_save(scratch);
    memset(report, 0, offsetof(mach_report, findings) + sizeof report->findings[0]);
    adreno_machine *m = adreno_machine_open(d, memory, scratch, report);
    if (m)
        run_groups(m);
    arena_release(scratch, mark);
    return report->status == MACH_RUN_DONE && report->total == 0;
}
