#include "r600/emu/draw/state.h"

#include <stddef.h>
#include <string.h>

static r600_stage *
open_stage(draw_run *r, const r600_emu_dispatch *d, mach_memory *m, arena *a, uint8_t must_end)
{
    r600_stage *s = r600_stage_open(d, m, a, r->report);
    if (!s)
        return NULL;
    s->must_end = must_end;
    s->dispatch.export_user = r;
    s->dispatch.exported = must_end & 1 << DRAW_PIXEL ? r600_draw_take_pixels
                                                      : r600_draw_take_vertices;
    return s;
}

static bool
open_stages(draw_run *r, mach_memory *m, arena *a)
{
    const r600_draw *d = r->draw;
    r->vertex = open_stage(r, d->vertex, m, a, 1 << DRAW_POSITION | 1 << DRAW_PARAMETER);
    if (!r->vertex || !d->fragment || d->fixed.discards_all)
        return r->vertex != NULL;
    r->fragment = open_stage(r, d->fragment, m, a, 1 << DRAW_PIXEL);
    return r->fragment != NULL;
}

bool
r600_draw_run(const r600_draw *d, mach_memory *m, arena *scratch, mach_report *report)
{
    const arena_mark mark = arena_save(scratch);
    mach_draw_counts counts = {0};
    memset(report, 0, offsetof(mach_report, findings) + sizeof report->findings[0]);
    draw_run *r = ARENA_NEW(scratch, draw_run);
    r->draw = d;
    r->report = report;
    r->fixed = d->fixed;
    r->n_batches = r->n_waves = 0;
    r600_draw_open_streams(r);
    if (open_stages(r, m, scratch)) {
        r->fixed.shading = (mach_shading){.vertices = r600_draw_vertices,
                                          .fragments = r->fragment ? r600_draw_fragments : NULL,
                                          .user = r};
        mach_draw_run(&r->fixed, scratch, &counts);
    }
    arena_release(scratch, mark);
    return report->status == MACH_RUN_DONE && report->total == 0;
}
