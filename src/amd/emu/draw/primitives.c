/* VGT, GE and PA registers: assembly, clipping, viewports and scissors, faces, points and lines,
 * depth bias, samples. */
#include "amd/emu/draw/state.h"

#include "base/fp.h"

#include <math.h>
#include <string.h>

static float
float_at(const draw_run *r, amd_hw_reg reg, uint32_t dwords)
{
    return base_bits_f32(amd_hw_register_value(r->regs, reg, dwords));
}

/* ---- assembly ---- */

/* VGT_PRIMITIVE_TYPE (enum VGT_DI_PRIM_TYPE). A rectangle is drawn of three corners. */
enum { PRIM_RECTANGLES = 0x11, PRIM_COUNT };

static bool
set_topology(draw_run *r, uint32_t type)
{
    static const struct {
        bool has;
        uint8_t topology;
    } rows[PRIM_COUNT] = {
        [1] = {true, MACH_POINT_LIST},
        [2] = {true, MACH_LINE_LIST},
        [3] = {true, MACH_LINE_STRIP},
        [4] = {true, MACH_TRIANGLE_LIST},
        [5] = {true, MACH_TRIANGLE_FAN},
        [6] = {true, MACH_TRIANGLE_STRIP},
        [10] = {true, MACH_LINE_LIST_ADJACENCY},
        [11] = {true, MACH_LINE_STRIP_ADJACENCY},
        [12] = {true, MACH_TRIANGLE_LIST_ADJACENCY},
        [13] = {true, MACH_TRIANGLE_STRIP_ADJACENCY},
        [PRIM_RECTANGLES] = {true, MACH_TRIANGLE_LIST},
    };
    if (type >= PRIM_COUNT || !rows[type].has)
        return false;
    r->out.assembly.topology = (mach_topology)rows[type].topology;
    r->out.setup.rectangles = type == PRIM_RECTANGLES;
    return true;
}

enum { MOST_INDICES = 1 << 26 }; /* of a draw; more are taken for garbage */

/* Copies the draw's indices; those behind the buffer's end are 0. */
static const uint32_t *
read_indices(draw_run *r)
{
    const amd_draw *d = r->draw;
    if (d->count > MOST_INDICES) {
        r->problem = "more than 2^26 indices";
        return NULL;
    }
    uint32_t *index = ARENA_ARRAY(r->arena, (size_t)d->count + 1, uint32_t), hint = 0;
    uint32_t n = d->count < d->max_indices ? d->count : d->max_indices;
    uint64_t address = mach_canonical(d->index_address);
    const mach_region *m = n ? mach_memory_find(r->memory, &hint, address,
                                                (uint64_t)n * d->index_bytes)
                             : NULL;
    if (n && !m) {
        r->problem = "indices that are not mapped";
        return index;
    }
    amd_draw_tell_read(r, AMD_DRAW_VERTICES, address, (uint64_t)n * d->index_bytes);
    for (uint32_t k = 0; k < n; k++)
        memcpy(&index[k], m->host + (address - m->base) + (uint64_t)k * d->index_bytes,
               d->index_bytes);
    return index;
}

/* The index that restarts is compared in the bits of the indices, unless all are to match. */
static void
set_restart(draw_run *r)
{
    mach_assembly *a = &r->out.assembly;
    bool all_bits = draw_field(r, AMD_HW_VGT_MULTI_PRIM_IB_RESET_EN_MATCH_ALL_BITS) ||
                    draw_field(r, AMD_HW_GE_MULTI_PRIM_IB_RESET_EN_MATCH_ALL_BITS);
    uint32_t mask = all_bits || r->draw->index_bytes == 4 ? UINT32_MAX
                                                          : (1u << 8 * r->draw->index_bytes) - 1;
    a->restart = draw_field(r, AMD_HW_VGT_MULTI_PRIM_IB_RESET_EN_RESET_EN) ||
                 draw_field(r, AMD_HW_GE_MULTI_PRIM_IB_RESET_EN_RESET_EN);
    a->restart_index = draw_value(r, AMD_HW_VGT_MULTI_PRIM_IB_RESET_INDX) & mask;
}

/* From gfx10 on a group of NGG has so many vertices and primitives. */
static void
set_group_size(draw_run *r)
{
    mach_draw *o = &r->out;
    o->most_vertices = draw_field(r, AMD_HW_GE_CNTL_VERT_GRP_SIZE) +
                       draw_field(r, AMD_HW_GE_CNTL_VERTS_PER_SUBGRP);
    o->most_primitives = r->is->attribute_ring ? draw_field(r, AMD_HW_GE_CNTL_PRIMS_PER_SUBGRP)
                                               : draw_field(r, AMD_HW_GE_CNTL_PRIM_GRP_SIZE);
    if (r->is->always_ngg && !o->most_primitives)
        o->most_primitives = draw_field(r, AMD_HW_VGT_PRIMITIVE_TYPE_PRIMS_PER_SUBGROUP);
    if (o->most_vertices && o->most_vertices < 3)
        o->most_vertices = 3;
}

static void
read_assembly(draw_run *r)
{
    mach_draw *o = &r->out;
    if (!set_topology(r, draw_field(r, AMD_HW_VGT_PRIMITIVE_TYPE_PRIM_TYPE)))
        r->problem = "primitives that are not built";
    o->assembly.last_provokes = draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST);
    o->assembly.count = r->draw->count;
    o->vertex_offset = draw_value(r, AMD_HW_VGT_INDX_OFFSET) + draw_value(r, AMD_HW_GE_INDX_OFFSET);
    o->instances = r->draw->instances;
    if (r->draw->indexed) {
        o->assembly.index = read_indices(r);
        set_restart(r);
    }
    r->ngg = r->is->always_ngg || draw_field(r, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_EN);
    o->provokes_once = r->ngg && draw_field(r, AMD_HW_VGT_PRIMITIVEID_EN_NGG_DISABLE_PROVOK_REUSE);
    if (r->ngg)
        set_group_size(r);
    else
        o->shares_nothing = draw_field(r, AMD_HW_VGT_REUSE_OFF_REUSE_OFF) ||
                            draw_field(r, AMD_HW_VGT_PRIMITIVEID_EN_PRIMITIVEID_EN);
}

/* ---- viewports ---- */

static mach_rect
common(mach_rect a, mach_rect b)
{
    return (mach_rect){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                       a.x1 < b.x1 ? a.x1 : b.x1, a.y1 < b.y1 ? a.y1 : b.y1};
}

/* Registers of the upper left and the lower right corner, which is outside. */
static mach_rect
scissor(const draw_run *r, amd_hw_reg corner, uint32_t dwords)
{
    enum { BITS = 0x7fff };
    int32_t end = r->is->inclusive_scissors ? 1 : 0;
    uint32_t tl = amd_hw_register_value(r->regs, corner, dwords);
    uint32_t br = amd_hw_register_value(r->regs, corner, dwords + 1);
    return (mach_rect){(int32_t)(tl & BITS), (int32_t)(tl >> 16 & BITS), (int32_t)(br & BITS) + end,
                       (int32_t)(br >> 16 & BITS) + end};
}

static void
read_viewports(draw_run *r)
{
    enum { SCISSOR_DWORDS = 2 };
    mach_draw *o = &r->out;
    bool scissors = draw_field(r, AMD_HW_PA_SC_MODE_CNTL_0_VPORT_SCISSOR_ENABLE);
    o->area = common(scissor(r, AMD_HW_PA_SC_SCREEN_SCISSOR_TL, 0),
                     common(scissor(r, AMD_HW_PA_SC_WINDOW_SCISSOR_TL, 0),
                            scissor(r, AMD_HW_PA_SC_GENERIC_SCISSOR_TL, 0)));
    o->n_viewports = MACH_MAX_VIEWPORTS;
    for (uint32_t v = 0; v < MACH_MAX_VIEWPORTS; v++) {
        uint32_t at = v * r->is->viewport_dwords;
        float xs = float_at(r, AMD_HW_PA_CL_VPORT_XSCALE, at);
        float x = float_at(r, AMD_HW_PA_CL_VPORT_XOFFSET, at);
        float ys = float_at(r, AMD_HW_PA_CL_VPORT_YSCALE, at);
        float y = float_at(r, AMD_HW_PA_CL_VPORT_YOFFSET, at);
        float zs = float_at(r, AMD_HW_PA_CL_VPORT_ZSCALE, at);
        float z = float_at(r, AMD_HW_PA_CL_VPORT_ZOFFSET, at);
        o->viewports[v] = (mach_viewport){x - xs, y - ys, 2 * xs, 2 * ys, z, z + zs};
        o->scissors[v] = scissors ? scissor(r, AMD_HW_PA_SC_VPORT_SCISSOR_0_TL, v * SCISSOR_DWORDS)
                                  : o->area;
    }
}

/* ---- clipping and setup ---- */

static unsigned
count_bits(uint32_t v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

/* The vertices of distances that are enabled follow each other (amd_draw_finish_vertices). */
static void
read_clipping(draw_run *r)
{
    uint32_t out = draw_value(r, AMD_HW_PA_CL_VS_OUT_CNTL);
    mach_setup_rules *s = &r->out.setup;
    s->clip_depth = !draw_field(r, AMD_HW_PA_CL_CLIP_CNTL_ZCLIP_NEAR_DISABLE) &&
                    !draw_field(r, AMD_HW_PA_CL_CLIP_CNTL_CLIP_DISABLE);
    s->clip_distances = count_bits(out & 0xff);
    s->cull_distances = count_bits(out >> 8 & 0xff);
    r->out.discards_all = draw_field(r, AMD_HW_PA_CL_CLIP_CNTL_DX_RASTERIZATION_KILL);
}

static void
read_faces(draw_run *r)
{
    static const uint8_t modes[8] = {MACH_POLYGON_POINT, MACH_POLYGON_LINE, MACH_POLYGON_FILL};
    mach_setup_rules *s = &r->out.setup;
    s->cull_front = draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_CULL_FRONT);
    s->cull_back = draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_CULL_BACK);
    s->front_is_clockwise = draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_FACE);
    if (draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_POLY_MODE))
        s->mode = (mach_polygon_mode)
            modes[draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_POLYMODE_FRONT_PTYPE)];
    if (draw_field(r, AMD_HW_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_OVER_RAST_ENABLE))
        s->conservative = MACH_OVERESTIMATE;
    else if (draw_field(r, AMD_HW_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_UNDER_RAST_ENABLE))
        s->conservative = MACH_UNDERESTIMATE;
    /* an eighth of a pixel on both sides of the line */
    s->line_width = (float)draw_field(r, AMD_HW_PA_SU_LINE_CNTL_WIDTH) / 8;
}

/* The slope is in sixteenths of a pixel. */
static void
read_bias(draw_run *r)
{
    int8_t bits = (int8_t)draw_field(
        r, AMD_HW_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_NEG_NUM_DB_BITS);
    bool is_float = draw_field(r, AMD_HW_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_DB_IS_FLOAT_FMT);
    if (!draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_POLY_OFFSET_FRONT_ENABLE) &&
        !draw_field(r, AMD_HW_PA_SU_SC_MODE_CNTL_POLY_OFFSET_BACK_ENABLE))
        return;
    r->bias = (mach_depth_bias){
        .constant = float_at(r, AMD_HW_PA_SU_POLY_OFFSET_FRONT_OFFSET, 0),
        .clamp = float_at(r, AMD_HW_PA_SU_POLY_OFFSET_CLAMP, 0),
        .slope = float_at(r, AMD_HW_PA_SU_POLY_OFFSET_FRONT_SCALE, 0) / 16,
        .unit = is_float ? 0 : ldexp(1, bits),
    };
    r->out.setup.bias = &r->bias;
}

void
amd_draw_read_primitives(draw_run *r)
{
    enum { VPORT_ALL = 0x3f };
    uint32_t vte = draw_value(r, AMD_HW_PA_CL_VTE_CNTL);
    if ((vte & VPORT_ALL) != VPORT_ALL || draw_field(r, AMD_HW_PA_CL_VTE_CNTL_VTX_XY_FMT))
        r->problem = "positions that are not in clip space";
    read_assembly(r);
    read_viewports(r);
    read_clipping(r);
    read_faces(r);
    read_bias(r);
}

/* ---- samples ---- */

void
amd_draw_read_samples(draw_run *r)
{
    mach_draw *o = &r->out;
    uint32_t log = draw_field(r, AMD_HW_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES);
    o->samples = 1u << (log < 4 ? log : 4);
    o->sample_mask = draw_value(r, AMD_HW_PA_SC_AA_MASK_X0Y0_X1Y0) & 0xffff;
    bool iterates = (draw_field(r, AMD_HW_DB_EQAA_PS_ITER_SAMPLES) &&
                     draw_field(r, AMD_HW_PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE)) ||
                    draw_field(r, AMD_HW_PA_SC_AA_CONFIG_PS_ITER_SAMPLES);
    o->shades_samples = o->samples > 1 && iterates;
    o->alpha_to_coverage = draw_field(r, AMD_HW_DB_ALPHA_TO_MASK_ALPHA_TO_MASK_ENABLE) &&
                           !draw_field(r, AMD_HW_DB_SHADER_CONTROL_ALPHA_TO_MASK_DISABLE);
    o->in_order = draw_field(r, AMD_HW_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER);
}
