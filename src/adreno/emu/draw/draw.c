#include "adreno/emu/draw/state.h"

#include <stddef.h>
#include <string.h>

static bool
open_stages(draw_run *r, arena *a)
{
    const adreno_draw *d = r->draw;
    r->vertex = adreno_stage_open(d->vertex, r->memory, a, r->report);
    if (!r->vertex || !d->fragment || d->fixed.discards_all)
        return r->vertex != NULL;
    r->fragment = adreno_stage_open(d->fragment, r->memory, a, r->report);
    return r->fragment != NULL;
}

static void
set_places(draw_run *r)
{
    const adreno_fragment_state *s = &r->draw->fs;
    adreno_varyings *v = &r->varyings;
    v->n = s->n_places;
    v->samples = r->fixed.samples;
    for (uint32_t k = 0; k < v->n; k++)
        v->kind[k] = s->source[k] == ADRENO_FROM_POINT_X   ? ADRENO_PLACE_POINT_X
                     : s->source[k] == ADRENO_FROM_POINT_Y ? ADRENO_PLACE_POINT_Y
                     : s->flat[k]                          ? ADRENO_PLACE_PROVOKING
                                                           : ADRENO_PLACE_VERTICES;
}

bool
adreno_draw_run(const adreno_draw *d, const mach_memory *m, arena *scratch, mach_report *report)
{
    const arena_mark mark = arena_save(scratch);
    mach_draw_counts counts = {0};
    memset(report, 0, offsetof(mach_report, findings) + sizeof report->findings[0]);
    draw_run *r = ARENA_NEW(scratch, draw_run);
    r->draw = d;
    r->memory = m;
    r->report = report;
    r->fixed = d->fixed;
    if (open_stages(r, scratch)) {
        set_places(r);
        r->fixed.shading = (mach_shading){.vertices = adreno_draw_vertices,
                                          .fragments = r->fragment ? adreno_draw_fragments : NULL,
                                          .user = r};
        mach_draw_run(&r->fixed, scratch, &counts);
    }
    arena_release(scratch, mark);
    return report->status == MACH_RUN_DONE && report->total == 0;
}
