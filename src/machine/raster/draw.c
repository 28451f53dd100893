/* Batches of a draw: primitives are collected, with the vertices that they share, until one more
 * would not fit. A vertex that was shaded lately in the batch is found by its index in a small
 * table; one that has lost its place there is shaded again. */
#include "machine/raster/draw_run.h"

#include <assert.h>

enum { RECENT = 256 /* places of the table, a power of two */ };

typedef struct recent_vertex {
    uint32_t vertex, place; /* place + 1 in the batch, 0: none */
} recent_vertex;

typedef struct draw_run {
    const mach_draw *draw;
    mach_draw_counts *counts;
    uint32_t instance;
    mach_vertex_batch batch;
    recent_vertex recent[RECENT];
    mach_vertex_id vertices[MACH_BATCH_VERTICES];
    mach_shaded_vertex shaded[MACH_BATCH_VERTICES];
    mach_primitive primitives[MACH_BATCH_PRIMITIVES];
    mach_quad_stage quads;
} draw_run;

/* ---- batches ---- */

static bool
draw_primitives(draw_run *r)
{
    if (r->draw->discards_all)
        return true;
    for (uint32_t k = 0; k < r->batch.n_primitives; k++) {
        const mach_primitive *p = &r->primitives[k];
        if (p->n && !mach_quad_stage_primitive(&r->quads, p, r->shaded))
            return false;
    }
    return mach_quad_stage_flush(&r->quads);
}

static bool
flush(draw_run *r)
{
    mach_vertex_batch *b = &r->batch;
    if (!b->n_primitives)
        return true;
    memset(r->shaded, 0, b->n_vertices * sizeof *r->shaded);
    r->counts->vertex_invocations += b->n_vertices;
    const mach_shading *s = &r->draw->shading;
    bool ok = s->vertices(s->user, b) && draw_primitives(r);
    b->n_vertices = b->n_primitives = 0;
    memset(r->recent, 0, sizeof r->recent);
    return ok;
}

/* The place in the batch of a vertex of the draw's sequence; `own`: it is shared with no primitive
 * before. */
static uint32_t
place_of(draw_run *r, uint32_t at, bool own)
{
    const mach_draw *d = r->draw;
    uint32_t vertex = (d->assembly.index ? d->assembly.index[at] : at) + d->vertex_offset;
    recent_vertex *recent = &r->recent[vertex % RECENT];
    if (!own && recent->place && recent->vertex == vertex)
        return recent->place - 1;
    uint32_t place = r->batch.n_vertices++;
    r->vertices[place] = (mach_vertex_id){vertex, r->instance};
    *recent = (recent_vertex){vertex, place + 1};
    return place;
}

/* The lower of a draw's own limit and that of the batch's arrays. */
static uint32_t
limit(uint32_t own, uint32_t room)
{
    return own && own < room ? own : room;
}

static bool
add_primitive(void *user, const mach_primitive *p)
{
    draw_run *r = user;
    mach_vertex_batch *b = &r->batch;
    bool full = b->n_primitives == limit(r->draw->most_primitives, MACH_BATCH_PRIMITIVES) ||
                b->n_vertices + p->n > limit(r->draw->most_vertices, MACH_BATCH_VERTICES);
    if (full && b->n_primitives && !flush(r))
        return false;
    mach_primitive *to = &r->primitives[b->n_primitives++];
    *to = *p;
    for (unsigned k = 0; k < p->n; k++)
        to->vertex[k] = place_of(r, p->vertex[k],
                                 r->draw->shares_nothing || (!k && r->draw->provokes_once));
    r->counts->primitives++;
    return true;
}

/* ---- draws ---- */

static uint64_t
count_vertices(const mach_assembly *a)
{
    uint64_t n = a->count;
    for (uint32_t k = 0; a->index && a->restart && k < a->count; k++)
        n -= a->index[k] == a->restart_index;
    return n;
}

static bool
draw_instances(draw_run *r)
{
    const mach_draw *d = r->draw;
    for (uint32_t k = 0; k < d->instances; k++) {
        r->instance = d->first_instance + k;
        memset(r->recent, 0, sizeof r->recent);
        if (!mach_assemble(&d->assembly, add_primitive, r))
            return false;
    }
    return flush(r);
}

bool
mach_draw_run(const mach_draw *draw, arena *scratch, mach_draw_counts *counts)
{
    assert(draw->n_viewports <= MACH_MAX_VIEWPORTS && draw->n_colors <= MACH_MAX_COLORS);
    arena_mark mark = arena_save(scratch);
    draw_run *r = ARENA_NEW(scratch, draw_run);
    r->draw = draw;
    r->counts = counts;
    r->batch = (mach_vertex_batch){
        .vertices = r->vertices, .primitives = r->primitives, .shaded = r->shaded};
    counts->vertices += count_vertices(&draw->assembly) * draw->instances;
    mach_quad_stage_begin(&r->quads, draw, counts);
    bool ok = draw_instances(r);
    arena_release(scratch, mark);
    return ok;
}
