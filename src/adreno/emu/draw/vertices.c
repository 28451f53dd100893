/* Waves of vertices: attributes are fetched into registers, and registers of outputs become words
 * of the vertex, which the fixed functions and fragments read. */
#include "adreno/emu/draw/state.h"

#include "base/fp.h"

#include <math.h>
#include <string.h>

/* ---- attributes ---- */

static uint64_t
element_of(const draw_run *r, const adreno_fetch *f, const mach_vertex_id *id)
{
    const uint32_t first = r->fixed.first_instance;
    if (!f->per_instance)
        return id->vertex;
    return first + (f->divisor ? (id->instance - first) / f->divisor : 0);
}

/* Missing components are 0, 0, 0, 1; what is outside is 0. */
static void
fetch(const draw_run *r, const adreno_fetch *f, const mach_vertex_id *id, uint32_t out[4])
{
    uint32_t hint = 0;
    const uint64_t at = element_of(r, f, id) * f->stride;
    const uint32_t bytes = f->format ? mach_format_get(f->format)->bytes : 16;
    const uint64_t left = at < f->size ? f->size - at : 0;
    memset(out, 0, 4 * sizeof *out);
    if (f->format && left < bytes)
        return;
    const uint64_t size = left < bytes ? left : bytes;
    const mach_region *m = size ? mach_memory_find(r->memory, &hint, f->address + at, size) : NULL;
    if (!m)
        return;
    const uint8_t *host = m->host + (f->address + at - m->base);
    if (!f->format) {
        memcpy(out, host, size);
        return;
    }
    const mach_texel t = mach_texel_read(f->format, host);
    for (unsigned c = 0; c < 4; c++)
        out[c] = (uint32_t)t.c[c];
}

/* From a6xx on the number has the draw's offset (VFD_INDEX_OFFSET); before, shaders of freedreno
 * add it themselves. */
static uint32_t
number_of(const draw_run *r, const adreno_wave *w, const mach_vertex_id *id)
{
    return w->isa->gen >= 6 ? id->vertex : id->vertex - r->fixed.vertex_offset;
}

static void
give_vertex(const draw_run *r, adreno_wave *w, unsigned fibre, const mach_vertex_id *id)
{
    const adreno_vertex_state *s = &r->draw->vs;
    w->active[fibre / 64] |= UINT64_C(1) << fibre % 64;
    if (s->reg[ADRENO_IO_VERTEX_ID] != ADRENO_DRAW_NONE)
        adreno_stage_give(w, fibre, s->reg[ADRENO_IO_VERTEX_ID], false, number_of(r, w, id));
    if (s->reg[ADRENO_IO_INSTANCE_ID] != ADRENO_DRAW_NONE)
        adreno_stage_give(w, fibre, s->reg[ADRENO_IO_INSTANCE_ID], false, id->instance);
    for (uint32_t k = 0; k < s->n_fetches; k++) {
        uint32_t value[4];
        fetch(r, &s->fetches[k], id, value);
        for (unsigned c = 0; c < 4; c++)
            if (s->fetches[k].mask >> c & 1)
                adreno_stage_give(w, fibre, s->fetches[k].reg + c, false, value[c]);
    }
}

/* ---- outputs ---- */

static void
take_words(draw_run *r, adreno_wave *w, unsigned fibre, uint32_t vertex)
{
    const adreno_vertex_state *s = &r->draw->vs;
    for (uint32_t k = 0; k < s->n_words; k++)
        if (s->source[k] != ADRENO_DRAW_NONE)
            r->defined[vertex][k] = adreno_stage_take(w, fibre, s->source[k], "an output",
                                                      &r->words[vertex][k]);
}

static float
word_float(const draw_run *r, uint32_t vertex, unsigned word)
{
    return base_bits_f32(r->words[vertex][word]);
}

static void
place_vertex(const draw_run *r, uint32_t vertex, mach_shaded_vertex *to)
{
    const adreno_vertex_state *s = &r->draw->vs;
    for (unsigned c = 0; c < 4; c++)
        to->place.clip.position[c] = s->position == ADRENO_DRAW_NONE
                                         ? NAN
                                         : word_float(r, vertex, s->position + c);
    to->place.point_size = s->point_size == ADRENO_DRAW_NONE ? 1
                                                             : word_float(r, vertex, s->point_size);
    if (s->layer != ADRENO_DRAW_NONE)
        to->layer = r->words[vertex][s->layer];
    if (s->viewport != ADRENO_DRAW_NONE)
        to->viewport = r->words[vertex][s->viewport];
    for (unsigned k = 0; k < s->n_clip; k++)
        to->place.clip.distance[k] = word_float(r, vertex, s->distances + k);
    for (unsigned k = 0; k < s->n_cull; k++)
        to->place.cull_distance[k] = word_float(r, vertex, s->distances + s->n_clip + k);
}

/* ---- waves ---- */

static bool
run_wave(draw_run *r, mach_vertex_batch *b, uint32_t first, uint32_t n)
{
    const uint32_t id[3] = {r->n_batches, first / r->draw->vertex->wave_size, 0};
    adreno_wave *w = adreno_stage_begin(r->vertex, id);
    for (uint32_t k = 0; k < n; k++)
        give_vertex(r, w, k, &b->vertices[first + k]);
    if (!adreno_stage_run(r->vertex))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        take_words(r, w, k, first + k);
        place_vertex(r, first + k, &b->shaded[first + k]);
    }
    return true;
}

bool
adreno_draw_vertices(void *user, mach_vertex_batch *b)
{
    draw_run *r = user;
    const uint32_t size = r->draw->vertex->wave_size;
    r->batch = b;
    r->n_batches++;
    r->n_waves = 0;
    for (uint32_t first = 0; first < b->n_vertices; first += size) {
        const uint32_t left = b->n_vertices - first;
        if (!run_wave(r, b, first, left < size ? left : size))
            return false;
    }
    adreno_draw_capture(r, b);
    return true;
}
