/* Waves of vertices: R0 has the numbers of vertex, primitive and instance; positions and parameters
 * are what lanes export. */
#include "base/fp.h"
#include "r600/emu/draw/state.h"

#include <math.h>
#include <string.h>

enum { VERTEX_ID = 0, PRIMITIVE_ID = 2, INSTANCE_ID = 3 }; /* R0.x, R0.z, R0.w */

void
r600_draw_take_vertices(void *user, const r600_export *e)
{
    draw_run *r = user;
    const r600_vertex_state *s = &r->draw->vs;
    const uint32_t positions = 1u + s->has_misc + s->has_distances[0] + s->has_distances[1];
    const bool is_position = e->type == DRAW_POSITION;
    const uint32_t at = e->base - (is_position ? DRAW_FIRST_POSITION : 0);
    if (e->type == DRAW_PIXEL || at >= (is_position ? positions : s->n_parameters)) {
        r600_emu_find(r->wave, R600_RULE_EXPORT_PLACE, -1, "the vertex has no such vector");
        return;
    }
    EMU_FOREACH_LANE(lane, e->lanes)
        r600_draw_take(e, lane,
                       is_position ? &r->position[r->first + lane][at]
                                   : &r->parameter[r->first + lane][at]);
}

/* ---- the fixed functions ---- */

static float
float_of(const draw_vector *v, unsigned c)
{
    return v->defined >> c & 1 ? base_bits_f32(v->c[c]) : NAN;
}

static void
place_distances(const draw_run *r, const draw_vector *vectors, mach_shaded_vertex *to)
{
    const r600_vertex_state *s = &r->draw->vs;
    for (unsigned k = 0; k < s->n_clip; k++)
        to->place.clip.distance[k] = float_of(&vectors[k / 4], k % 4);
    for (unsigned k = 0; k < s->n_cull; k++)
        to->place.cull_distance[k] = float_of(&vectors[(s->n_clip + k) / 4], (s->n_clip + k) % 4);
}

static void
place_vertex(const draw_run *r, uint32_t vertex, mach_shaded_vertex *to)
{
    const r600_vertex_state *s = &r->draw->vs;
    const draw_vector *v = r->position[vertex], *misc = &v[1];
    for (unsigned c = 0; c < 4; c++)
        to->place.clip.position[c] = float_of(v, c);
    to->place.point_size = s->uses_point_size ? float_of(misc, 0) : 1;
    to->layer = s->uses_layer ? misc->c[2] : 0;
    to->viewport = s->uses_viewport ? misc->c[3] : 0;
    place_distances(r, v + (s->has_misc ? 2 : 1), to);
}

/* ---- waves ---- */

/* The number of the primitive that has a vertex which no other has. */
static void
give_primitives(emu_wave *w, const mach_vertex_batch *b, uint32_t first, uint32_t n)
{
    for (uint32_t k = 0; k < b->n_primitives; k++) {
        const mach_primitive *p = &b->primitives[k];
        for (unsigned v = 0; v < p->n; v++)
            if (p->vertex[v] >= first && p->vertex[v] - first < n)
                r600_stage_give(w, p->vertex[v] - first, PRIMITIVE_ID, p->id);
    }
}

/* ---- streamout ---- */

void
r600_draw_open_streams(draw_run *r)
{
    r->stream_room = UINT32_MAX;
    r->streamout.buffer = r->draw->vs.streams;
    for (unsigned k = 0; k < R600_STREAMS; k++) {
        const r600_stream *s = &r->draw->vs.streams[k];
        const uint64_t room = s->stride ? s->size / s->stride : UINT32_MAX;
        r->captures |= s->stride != 0;
        r->stream_room = room < r->stream_room ? (uint32_t)room : r->stream_room;
    }
    r->fixed.shares_nothing |= r->captures;
}

/* Primitives of which a buffer has no room for all vertices are not captured. */
static void
give_streams(draw_run *r, emu_wave *w, uint32_t first, uint32_t n)
{
    const uint32_t of = r->batch->primitives[0].n, end = r->stream_room - r->stream_room % of;
    const uint32_t at = r->streamed + first, left = at < end ? end - at : 0;
    r->streamout.first = at;
    r->streamout.n = left < n ? left : n;
    w->streamout = r->captures ? &r->streamout : NULL;
}

static bool
run_wave(draw_run *r, mach_vertex_batch *b, uint32_t first, uint32_t n)
{
    const uint32_t id[3] = {r->n_batches, first / r->draw->vertex->chip->wave_size, 0};
    const uint64_t lanes = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
    emu_wave *w = r600_stage_begin(r->vertex, id, lanes);
    r->wave = w;
    r->first = first;
    for (uint32_t k = 0; k < n; k++) {
        const mach_vertex_id *v = &b->vertices[first + k];
        r600_stage_give(w, k, VERTEX_ID, v->vertex);
        r600_stage_give(w, k, INSTANCE_ID, v->instance - r->fixed.first_instance);
    }
    give_streams(r, w, first, n);
    if (r->draw->vs.gives_primitive)
        give_primitives(w, b, first, n);
    memset(r->position[first], 0, n * sizeof r->position[0]);
    memset(r->parameter[first], 0, n * sizeof r->parameter[0]);
    if (!r600_stage_run(r->vertex))
        return false;
    for (uint32_t k = 0; k < n; k++)
        place_vertex(r, first + k, &b->shaded[first + k]);
    return true;
}

bool
r600_draw_vertices(void *user, mach_vertex_batch *b)
{
    draw_run *r = user;
    const uint32_t size = r->draw->vertex->chip->wave_size;
    r->batch = b;
    r->n_batches++;
    r->n_waves = 0;
    for (uint32_t first = 0; first < b->n_vertices; first += size) {
        const uint32_t left = b->n_vertices - first;
        if (!run_wave(r, b, first, left < size ? left : size))
            return false;
    }
    r->streamed += b->n_vertices;
    return true;
}
