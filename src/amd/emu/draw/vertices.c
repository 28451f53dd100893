/* Vertex waves of hardware VS, and the exports of vertices of both kinds.
 *
 * Positions: export 12 is the position; the misc vector (point size, edge flag, layer, viewport)
 * and the two vectors of clip and cull distances follow in this order, those that
 * PA_CL_VS_OUT_CNTL has. Parameters go to a cache, from gfx11 on through memory (ngg.c).
 */
#include "amd/emu/draw/state.h"

#include "base/bits.h"
#include "base/fp.h"

#include <math.h>
#include <string.h>

enum { FIRST_POSITION = 12, FIRST_PARAMETER = 32 };

/* ---- exports ---- */

void
amd_draw_clear_vertices(draw_run *r)
{
    draw_vertices *v = r->vertices;
    memset(v->written, 0, sizeof v->written);
    memset(v->has_primitive, 0, sizeof v->has_primitive);
    memset(r->parameters->written, 0, sizeof r->parameters->written);
    v->allocated = false;
    v->done = 0;
}

static void
take_row(const amd_emu_export *e, uint32_t first, uint32_t value[4][DRAW_LANES],
         uint8_t written[DRAW_LANES])
{
    for (uint64_t left = e->lanes; left; left &= left - 1) {
        uint32_t l = base_ctz64(left), at = first + l;
        if (at >= DRAW_LANES)
            return;
        for (unsigned c = 0; c < 4; c++) {
            if (!(e->enabled >> c & 1))
                continue;
            value[c][at] = e->value[c][l];
            if (!(e->undefined[c] >> l & 1))
                written[at] |= (uint8_t)(1u << c);
        }
    }
}

void
amd_draw_take_vertex_export(draw_run *r, const amd_emu_export *e, uint32_t first)
{
    enum { PRIMITIVE = 20 };
    draw_vertices *v = r->vertices;
    draw_parameters *p = r->parameters;
    uint32_t position = e->target - FIRST_POSITION, parameter = e->target - FIRST_PARAMETER;
    if (position < DRAW_POSITIONS)
        take_row(e, first, v->position[position], v->written[position]);
    else if (parameter < DRAW_PARAMETERS)
        take_row(e, first, p->value[parameter], p->written[parameter]);
    if (position < DRAW_POSITIONS && e->done)
        v->done |= UINT64_C(1) << e->wave;
    for (uint64_t left = e->target == PRIMITIVE ? e->lanes : 0; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        if (first + l < MACH_BATCH_PRIMITIVES) {
            v->primitive[first + l] = e->value[0][l];
            v->has_primitive[first + l] = true;
        }
    }
}

/* ---- what the fixed functions take ---- */

static float
exported(const draw_vertices *v, unsigned row, unsigned c, uint32_t at)
{
    return v->written[row][at] >> c & 1 ? base_bits_f32(v->position[row][c][at]) : 0;
}

static void
set_misc(const draw_run *r, unsigned row, uint32_t at, mach_shaded_vertex *s)
{
    enum { LAYER_BITS = 0x7ff, VIEWPORT_SHIFT = 16 };
    const draw_vertices *v = r->vertices;
    uint32_t z = v->written[row][at] >> 2 & 1 ? v->position[row][2][at] : 0;
    uint32_t w = v->written[row][at] >> 3 & 1 ? v->position[row][3][at] : 0;
    if (draw_field(r, AMD_HW_PA_CL_VS_OUT_CNTL_USE_VTX_POINT_SIZE))
        s->place.point_size = exported(v, row, 0, at);
    if (draw_field(r, AMD_HW_PA_CL_VS_OUT_CNTL_USE_VTX_RENDER_TARGET_INDX))
        s->layer = z & LAYER_BITS;
    if (draw_field(r, AMD_HW_PA_CL_VS_OUT_CNTL_USE_VTX_VIEWPORT_INDX))
        s->viewport = (r->is->layer_with_viewport ? z >> VIEWPORT_SHIFT : w) & 15;
}

/* Those of the eight distances that are enabled in `mask`, packed. */
static void
set_distances(const draw_run *r, unsigned row, uint32_t mask, uint32_t at,
              float out[MACH_CLIP_DISTANCES])
{
    uint32_t vectors = draw_value(r, AMD_HW_PA_CL_VS_OUT_CNTL) >> 22 & 3;
    unsigned n = 0;
    for (unsigned d = 0; d < MACH_CLIP_DISTANCES; d++) {
        unsigned second = d >= 4 && (vectors & 1); /* behind the first vector, if there is one */
        if (mask >> d & 1)
            out[n++] = exported(r->vertices, row + second, d & 3, at);
    }
}

static float
default_point_size(const draw_run *r)
{
    return (float)draw_field(r, AMD_HW_PA_SU_POINT_SIZE_WIDTH) / 8;
}

void
amd_draw_finish_vertices(draw_run *r, mach_vertex_batch *b, uint32_t n)
{
    const draw_vertices *v = r->vertices;
    uint32_t out = draw_value(r, AMD_HW_PA_CL_VS_OUT_CNTL);
    bool misc = draw_field(r, AMD_HW_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_VEC_ENA);
    unsigned distances = misc ? 2 : 1;
    float size = default_point_size(r);
    r->of = b;
    for (uint32_t k = 0; k < n; k++) {
        mach_shaded_vertex *s = &b->shaded[k];
        s->place.point_size = size;
        for (unsigned c = 0; c < 4; c++)
            s->place.clip.position[c] = v->written[0][k] ? exported(v, 0, c, k) : NAN;
        if (misc)
            set_misc(r, 1, k, s);
        set_distances(r, distances, out & 0xff, k, s->place.clip.distance);
        set_distances(r, distances, out >> 8 & 0xff, k, s->place.cull_distance);
    }
}

/* ---- waves ---- */

/* The primitive of each vertex; vertices are not shared if a shader asks for it. */
static void
set_primitive_ids(const mach_vertex_batch *b, amd_emu_stage_wave *waves, uint32_t wave_size,
                  unsigned reg)
{
    for (uint32_t p = 0; p < b->n_primitives; p++) {
        for (unsigned k = 0; k < b->primitives[p].n; k++) {
            uint32_t at = b->primitives[p].vertex[k];
            waves[at / wave_size].vgprs[reg][at % wave_size] = b->primitives[p].id;
        }
    }
}

static void
set_wave(const draw_run *r, const mach_vertex_batch *b, uint32_t wave, amd_emu_stage_wave *w)
{
    enum { VGPRS = 4 };
    const draw_shader *s = &r->vertex;
    uint32_t size = s->launch.wave_size, first = wave * size;
    uint32_t n = b->n_vertices - first < size ? b->n_vertices - first : size;
    unsigned instance = r->is->instance_in_v3 ? 3 : 1, primitive = 2;
    w->exec = w->defined = base_mask64(n);
    w->n_sgprs = 0;
    w->sgprs_set = 0;
    w->n_vgprs = VGPRS;
    w->vgprs_set = 1u | 1u << instance | 1u << primitive;
    for (uint32_t l = 0; l < n; l++) {
        w->vgprs[0][l] = b->vertices[first + l].vertex;
        w->vgprs[instance][l] = b->vertices[first + l].instance;
        w->vgprs[primitive][l] = 0;
    }
    amd_draw_give_user(s, w);
    amd_draw_give_streamout(r, first, n, w);
    amd_draw_give_scratch(r, s, wave, w);
}

bool
amd_draw_shade_vertices(void *user, mach_vertex_batch *b)
{
    draw_run *r = user;
    draw_vertices *v = r->vertices;
    uint32_t size = r->vertex.launch.wave_size, n = (b->n_vertices + size - 1) / size;
    amd_draw_clear_vertices(r);
    r->streamed_of = b->primitives[0].n;
    for (uint32_t k = 0; k < n; k++)
        set_wave(r, b, k, &v->waves[k]);
    set_primitive_ids(b, v->waves, size, 2);
    const amd_emu_stage_group g = {.id = {r->batch++, 0, 0}, .n_waves = n, .waves = v->waves};
    if (!amd_emu_stage_run(r->vertex.stage, &g))
        return false;
    r->streamed += b->n_vertices;
    for (uint32_t k = 0; k < n; k++) {
        if (!(v->done >> k & 1))
            amd_emu_stage_missing_export(r->vertex.stage, k, "its last export of a position");
    }
    amd_draw_finish_vertices(r, b, b->n_vertices);
    return true;
}
