/* The dispatch: groups one after another, their waves in an order that the seed draws. */
#include "r600/emu/run/stage.h"

#include "base/bits.h"
#include "r600/isa/text/text.h"

#include <string.h>

static uint32_t
next_random(emu_machine *m)
{
    m->random = base_hash64(m->random + UINT64_C(0x9e3779b97f4a7c15));
    return (uint32_t)(m->random >> 32);
}

static uint32_t
group_items(const r600_emu_dispatch *d)
{
    return d->group_size[0] * d->group_size[1] * d->group_size[2];
}

/* R0 holds the local, R1 the group index: what the driver's and clang's programs expect. */
static void
set_registers(emu_wave *w)
{
    const r600_emu_dispatch *d = emu_machine_of(w)->d;
    const uint32_t x = d->group_size[0], y = d->group_size[1];
    for (uint32_t lane = 0; lane < d->chip->wave_size; lane++) {
        const uint32_t item = w->id * d->chip->wave_size + lane;
        if (item >= group_items(d))
            continue;
        const uint32_t local[3] = {item % x, item / x % y, item / x / y};
        w->valid |= UINT64_C(1) << lane;
        for (unsigned c = 0; c < 3; c++) {
            w->gpr[0][c].v[lane] = local[c];
            w->gpr[1][c].v[lane] = w->group->id[c];
        }
    }
    for (unsigned c = 0; c < 3; c++)
        w->gpr[0][c].defined = w->gpr[1][c].defined = w->valid;
    w->branch = w->pixels = w->valid;
    for (uint32_t i = 0; d->fill && i < EMU_GPRS * 4; i++) {
        d->fill(d->user, w->id, i / 4, i % 4, w->gpr[i / 4][i % 4].v);
        w->gpr[i / 4][i % 4].defined = i / 4 < R600_FIRST_TEMP ? w->valid : 0;
    }
}

static void
start_group(emu_machine *m, emu_group *g, uint32_t number)
{
    const r600_emu_dispatch *d = m->d;
    g->id[0] = number % d->groups[0];
    g->id[1] = number / d->groups[0] % d->groups[1];
    g->id[2] = number / d->groups[0] / d->groups[1];
    g->epoch++;
    memset(g->waves, 0, g->n_waves * sizeof *g->waves);
    memset(g->lds, 0, d->lds_bytes);
    for (uint32_t i = 0; i < g->n_waves; i++) {
        g->waves[i].group = g;
        g->waves[i].id = i;
        r600_emu_start_stamps(&g->waves[i]);
        set_registers(&g->waves[i]);
    }
}

static uint32_t
count_waves(const emu_group *g, emu_state state)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_waves; i++)
        n += g->waves[i].state == state;
    return n;
}

/* Opens a barrier that all waves have reached. */
static void
open_barrier(emu_group *g)
{
    if (count_waves(g, EMU_ENDED)) {
        const emu_wave *w = &g->waves[0];
        for (uint32_t i = 0; i < g->n_waves; i++)
            w = g->waves[i].state == EMU_WAITS ? &g->waves[i] : w;
        r600_emu_find(w, R600_RULE_HANG, -1, "other waves have ended before this barrier");
        r600_emu_stop(w, MACH_RUN_HANG, "a barrier that not all waves reach");
    }
    g->epoch++;
    for (uint32_t i = 0; i < g->n_waves; i++)
        g->waves[i].state = EMU_RUNS;
}

static void
run_group(emu_machine *m, emu_group *g)
{
    enum { STEPS = 64 };
    while (count_waves(g, EMU_ENDED) < g->n_waves) {
        if (!count_waves(g, EMU_RUNS)) {
            open_barrier(g);
            continue;
        }
        emu_wave *w = &g->waves[next_random(m) % g->n_waves];
        for (uint32_t i = next_random(m) % STEPS + 1; i && w->state == EMU_RUNS; i--)
            r600_emu_step(w);
    }
}

static emu_group *
make_group(emu_machine *m)
{
    const r600_emu_dispatch *d = m->d;
    emu_group *g = ARENA_NEW(m->arena, emu_group);
    *g = (emu_group){.machine = m};
    g->n_waves = (group_items(d) + d->chip->wave_size - 1) / d->chip->wave_size;
    g->waves = ARENA_ARRAY(m->arena, g->n_waves, emu_wave);
    g->lds = ARENA_ARRAY(m->arena, d->lds_bytes + 1, uint8_t);
    g->accesses = ARENA_ARRAY(m->arena, d->lds_bytes / 4 + 1, emu_access);
    memset(g->accesses, 0, (d->lds_bytes / 4 + 1) * sizeof *g->accesses);
    return g;
}

emu_machine *
r600_machine_open(arena *a, mach_memory *memory, const r600_emu_dispatch *d, mach_report *report)
{
    emu_machine *m = ARENA_NEW(a, emu_machine);
    static const r600_inst none = {.op = R600_RAW};
    *m = (emu_machine){
        .d = d, .arena = a, .memory = memory, .report = report, .random = d->seed, .inst = &none};
    m->isa = r600_isa_open(a, d->chip->gen);
    m->text = buf_make(a);
    m->stores = map_make(a);
    m->checked = ARENA_ARRAY(a, d->size / 4 + 1, uint8_t);
    memset(m->checked, 0, d->size / 4 + 1);
    return m;
}

void
r600_emu_run(arena *a, mach_memory *memory, const r600_emu_dispatch *d, mach_report *report)
{
    memset(report, 0, sizeof *report);
    emu_machine *m = r600_machine_open(a, memory, d, report);
    if (!group_items(d) || d->n_gprs > EMU_GPRS) {
        report->status = MACH_RUN_BAD_DISPATCH;
        return;
    }
    emu_group *g = make_group(m);
    const uint32_t groups = d->groups[0] * d->groups[1] * d->groups[2];
    if (setjmp(m->stop))
        return;
    for (uint32_t i = 0; i < groups; i++) {
        report->stopped_at = i;
        start_group(m, g, i);
        run_group(m, g);
    }
}
