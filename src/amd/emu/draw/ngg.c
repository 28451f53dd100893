/* Waves of NGG: vertices and primitives are threads of one group, which exports both.
 *
 * A wave's registers (Mesa, radv_shader_args.c, ac_nir_lower_ngg.c): s0 and s1
 * USER_DATA_ADDR_GS (from gfx11 on PGM_GS), s2 the group's number (11:0) and those of its vertices
 * (20:12) and primitives (30:22), s3 those of the wave's threads (vertices 7:0, primitives 15:8)
 * with its place (27:24) in the group's number of waves (31:28), s5 the offset of scratch memory or
 * of the group's attributes, s8 on user data; v0 and v1 a primitive's vertices (halves), or v0 all
 * of them as they are exported (PRIMGEN_PASSTHRU_EN), v2 its number, v5 the vertex, v8 the
 * instance. On gfx12 v0 is always all vertices, v1 the number, v3 the vertex, v4 the instance.
 *
 * The shader allocates (gs_alloc_req) and exports as many as it keeps: the batch's vertices and
 * primitives become those.
 */
#include "amd/emu/draw/state.h"

#include "base/bits.h"

#include <string.h>

static uint32_t
threads_of(uint32_t n, uint32_t wave, uint32_t size)
{
    uint32_t first = wave * size;
    return n <= first ? 0 : n - first < size ? n - first : size;
}

/* Which of the fixed functions' vertices, of which the provoking one is the first, is at place `k`
 * of the primitive as threads have it: where the last vertex provokes, it is at the end (as RADV's
 * code takes it). */
static unsigned
place_of(const draw_run *r, const mach_primitive *p, unsigned k)
{
    return r->out.assembly.last_provokes ? (k + 1) % p->n : k;
}

/* As primitives are exported: some bits a vertex, the highest of them for an edge flag. */
static uint32_t
connectivity(const draw_run *r, const mach_primitive *p)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < p->n; k++)
        v |= p->vertex[place_of(r, p, k)] << r->is->index_shift * k;
    return v;
}

static void
set_primitives(const draw_run *r, const mach_vertex_batch *b, uint32_t wave, amd_emu_stage_wave *w)
{
    uint32_t size = r->vertex.launch.wave_size, n = threads_of(b->n_primitives, wave, size);
    bool packed = r->is->always_packed ||
                  draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN);
    for (uint32_t l = 0; l < n; l++) {
        const mach_primitive *p = &b->primitives[wave * size + l];
        uint32_t at[3] = {0};
        for (unsigned k = 0; k < p->n; k++)
            at[k] = p->vertex[place_of(r, p, k)];
        w->vgprs[0][l] = packed ? connectivity(r, p) : at[0] | at[1] << 16;
        w->vgprs[1][l] = at[2];
        for (unsigned v = 2; v < r->is->vertex_vgpr; v++)
            w->vgprs[v][l] = 0; /* further vertices, invocation and edge flags of the primitive */
        w->vgprs[r->is->primitive_vgpr][l] = p->id;
    }
}

static void
set_vertices(const draw_run *r, const mach_vertex_batch *b, uint32_t wave, amd_emu_stage_wave *w)
{
    uint32_t size = r->vertex.launch.wave_size, n = threads_of(b->n_vertices, wave, size);
    for (uint32_t l = 0; l < n; l++) {
        const mach_vertex_id *v = &b->vertices[wave * size + l];
        w->vgprs[r->is->vertex_vgpr][l] = v->vertex;
        w->vgprs[r->is->instance_vgpr][l] = v->instance;
    }
}

static void
set_scalars(const draw_run *r, const mach_vertex_batch *b, uint32_t wave, amd_emu_stage_wave *w)
{
    const draw_shader *s = &r->vertex;
    uint32_t size = s->launch.wave_size, n_waves = r->n_vertex_waves;
    bool program = r->is->data_in_pgm_gs;
    amd_draw_give_scalar(w, draw_value(r, program ? AMD_HW_SPI_SHADER_PGM_LO_GS
                                                  : AMD_HW_SPI_SHADER_USER_DATA_ADDR_LO_GS));
    amd_draw_give_scalar(w, draw_value(r, program ? AMD_HW_SPI_SHADER_PGM_HI_GS
                                                  : AMD_HW_SPI_SHADER_USER_DATA_ADDR_HI_GS));
    amd_draw_give_scalar(w, amd_draw_group_order(r) | b->n_vertices << 12 | b->n_primitives << 22);
    amd_draw_give_scalar(w, threads_of(b->n_vertices, wave, size) |
                                threads_of(b->n_primitives, wave, size) << 8 | wave << 24 |
                                n_waves << 28);
    amd_draw_give_scalar(w, 0);
    if (r->is->scratch_sgpr && s->has_scratch)
        amd_draw_give_scratch(r, s, wave, w);
    else
        amd_draw_give_scalar(w, 0); /* the group's attributes begin where the ring does */
    w->n_sgprs = AMD_DRAW_NGG_FIRST_USER;
    amd_draw_give_user(s, w);
}

static void
set_wave(const draw_run *r, const mach_vertex_batch *b, uint32_t wave, amd_emu_stage_wave *w)
{
    w->exec = w->defined = base_mask64(r->vertex.launch.wave_size);
    w->n_sgprs = 0;
    w->sgprs_set = 0;
    w->n_vgprs = r->is->instance_vgpr + 1u;
    w->vgprs_set = base_mask64(r->is->vertex_vgpr + 1u) | UINT64_C(1) << r->is->instance_vgpr;
    set_primitives(r, b, wave, w);
    set_vertices(r, b, wave, w);
    set_scalars(r, b, wave, w);
}

/* ---- results ---- */

uint64_t
amd_draw_attribute_ring(const draw_run *r)
{
    return mach_canonical((uint64_t)draw_value(r, AMD_HW_SPI_ATTRIBUTE_RING_BASE) << 16);
}

/* Reads parameters from the ring: for 32 vertices, and primitives, at a time, a row of 16 bytes
 * each for every parameter, of primitives behind those of vertices. */
static void
read_attributes(draw_run *r, uint32_t n_lanes)
{
    enum { VERTICES = 32, BYTES = 16 };
    draw_parameters *p = r->parameters;
    uint32_t n = draw_field(r, AMD_HW_SPI_VS_OUT_CONFIG_VS_EXPORT_COUNT) +
                 draw_field(r, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_VS_EXPORT_COUNT) + 1 +
                 draw_field(r, AMD_HW_SPI_VS_OUT_CONFIG_PRIM_EXPORT_COUNT) +
                 draw_field(r, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_PRIM_EXPORT_COUNT);
    uint32_t hint = 0;
    uint64_t ring = amd_draw_attribute_ring(r);
    if (draw_field(r, AMD_HW_SPI_VS_OUT_CONFIG_NO_PC_EXPORT) ||
        draw_field(r, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_NO_PC_EXPORT))
        return;
    for (uint32_t v = 0; v < n_lanes; v++) {
        for (uint32_t a = 0; a < n; a++) {
            uint64_t at = ring + ((uint64_t)(v / VERTICES) * n + a) * VERTICES * BYTES +
                          v % VERTICES * BYTES;
            const mach_region *m = mach_memory_find(r->memory, &hint, at, BYTES);
            uint32_t value[4];
            if (!m)
                return;
            memcpy(value, m->host + (at - m->base), BYTES);
            for (unsigned c = 0; c < 4; c++)
                p->value[a][c][v] = value[c];
            p->written[a][v] = 15;
        }
    }
}

static void
take_primitives(const draw_run *r, mach_vertex_batch *b)
{
    const uint32_t index_bits = (1u << (r->is->index_shift - 1)) - 1;
    const uint32_t none = 1u << 31;
    const draw_vertices *v = r->vertices;
    for (uint32_t k = 0; k < b->n_primitives; k++) {
        mach_primitive *p = &b->primitives[k];
        if (!v->has_primitive[k] || v->primitive[k] & none || k >= v->n_primitives) {
            p->n = 0;
            continue;
        }
        bool missing = false;
        for (unsigned n = 0; n < p->n; n++) {
            uint32_t index = v->primitive[k] >> r->is->index_shift * n & index_bits;
            p->vertex[place_of(r, p, n)] = index;
            missing |= index >= v->n_vertices || index >= b->n_vertices;
        }
        if (missing)
            p->n = 0;
    }
}

bool
amd_draw_shade_ngg(void *user, mach_vertex_batch *b)
{
    draw_run *r = user;
    draw_vertices *v = r->vertices;
    uint32_t size = r->vertex.launch.wave_size;
    uint32_t threads = b->n_vertices > b->n_primitives ? b->n_vertices : b->n_primitives;
    r->n_vertex_waves = (threads + size - 1) / size;
    amd_draw_clear_vertices(r);
    for (uint32_t k = 0; k < r->n_vertex_waves; k++)
        set_wave(r, b, k, &v->waves[k]);
    const amd_emu_stage_group g = {
        .id = {r->batch++, 0, 0}, .n_waves = r->n_vertex_waves, .waves = v->waves};
    if (!amd_emu_stage_run(r->vertex.stage, &g))
        return false;
    /* gfx10.3's passthrough without a message keeps all */
    if (!v->allocated) {
        v->n_vertices = b->n_vertices;
        v->n_primitives = b->n_primitives;
        if (!draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG))
            amd_emu_stage_missing_export(r->vertex.stage, 0, "the message gs_alloc_req");
    }
    take_primitives(r, b);
    uint32_t n = v->n_vertices < b->n_vertices ? v->n_vertices : b->n_vertices;
    if (r->is->attribute_ring)
        read_attributes(r, n > b->n_primitives ? n : b->n_primitives);
    amd_draw_finish_vertices(r, b, n);
    return true;
}
