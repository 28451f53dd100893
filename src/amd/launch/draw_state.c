/* Registers of assembly, viewports, clipping, faces and samples, as a driver writes them.
 *
 * Sources of what fields mean: AMD's register headers; Mesa 24 (radv_cmd_buffer.c).
 */
#include "amd/launch/draw.h"

#include "base/fp.h"

#define SET(field, v) amd_draw_set(f, AMD_HW_##field, (v))

static void
set_float(amd_hw_registers *f, amd_hw_reg reg, uint32_t dwords, float v)
{
    amd_hw_set_register(f, reg, dwords, base_f32_bits(v));
}

/* ---- assembly ---- */

static void
write_assembly(amd_hw_registers *f, const mach_draw *s)
{
    static const uint8_t types[] = {
        [MACH_POINT_LIST] = 1,
        [MACH_LINE_LIST] = 2,
        [MACH_LINE_STRIP] = 3,
        [MACH_TRIANGLE_LIST] = 4,
        [MACH_TRIANGLE_STRIP] = 6,
        [MACH_TRIANGLE_FAN] = 5,
        [MACH_LINE_LIST_ADJACENCY] = 10,
        [MACH_LINE_STRIP_ADJACENCY] = 11,
        [MACH_TRIANGLE_LIST_ADJACENCY] = 12,
        [MACH_TRIANGLE_STRIP_ADJACENCY] = 13,
        [MACH_PATCH_LIST] = 9,
    };
    enum { GROUP = 128 };
    SET(VGT_PRIMITIVE_TYPE_PRIM_TYPE, types[s->assembly.topology]);
    SET(PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST, s->assembly.last_provokes);
    SET(VGT_MULTI_PRIM_IB_RESET_EN_RESET_EN, s->assembly.restart);
    SET(GE_MULTI_PRIM_IB_RESET_EN_RESET_EN, s->assembly.restart);
    amd_hw_set_register(f, AMD_HW_VGT_MULTI_PRIM_IB_RESET_INDX, 0, s->assembly.restart_index);
    SET(GE_CNTL_VERT_GRP_SIZE, GROUP);
    SET(GE_CNTL_PRIM_GRP_SIZE, GROUP);
    SET(GE_CNTL_VERTS_PER_SUBGRP, GROUP);
    SET(GE_CNTL_PRIMS_PER_SUBGRP, GROUP);
    SET(VGT_PRIMITIVE_TYPE_PRIMS_PER_SUBGROUP, GROUP);
}

/* ---- viewports ---- */

/* Two registers of a corner each; the lower right one is outside, or (gfx12) inside. */
static void
write_scissor(amd_hw_registers *f, amd_hw_reg corner, uint32_t dwords, const mach_rect *r)
{
    int32_t last = f->gen >= AMD_GFX12 ? 1 : 0;
    uint32_t end = (uint32_t)(r->x1 - last) | (uint32_t)(r->y1 - last) << 16;
    amd_hw_set_register(f, corner, dwords, (uint32_t)r->x0 | (uint32_t)r->y0 << 16);
    amd_hw_set_register(f, corner, dwords + 1, end);
}

static void
write_viewport(amd_hw_registers *f, const mach_viewport *v, uint32_t at)
{
    set_float(f, AMD_HW_PA_CL_VPORT_XSCALE, at, v->width / 2);
    set_float(f, AMD_HW_PA_CL_VPORT_XOFFSET, at, v->x + v->width / 2);
    set_float(f, AMD_HW_PA_CL_VPORT_YSCALE, at, v->height / 2);
    set_float(f, AMD_HW_PA_CL_VPORT_YOFFSET, at, v->y + v->height / 2);
    set_float(f, AMD_HW_PA_CL_VPORT_ZSCALE, at, v->max_depth - v->min_depth);
    set_float(f, AMD_HW_PA_CL_VPORT_ZOFFSET, at, v->min_depth);
}

static void
write_viewports(amd_hw_registers *f, const amd_target *t, const mach_draw *s)
{
    enum { SCISSOR_DWORDS = 2, RANGE_DWORDS = 2, SIX_SCALES = 0x3f, W0_FMT = 1 << 10 };
    uint32_t step = amd_has(t, viewport_dwords);
    amd_hw_set_register(f, AMD_HW_PA_CL_VTE_CNTL, 0, SIX_SCALES | W0_FMT);
    for (uint32_t v = 0; v < s->n_viewports; v++) {
        /* the range of depths is among the viewport's registers, or in an array of its own */
        uint32_t range = v * (step > 6 ? step : RANGE_DWORDS);
        write_viewport(f, &s->viewports[v], v * step);
        set_float(f, AMD_HW_PA_SC_VPORT_ZMIN_0, range, s->depth_ranges[v].least);
        set_float(f, AMD_HW_PA_SC_VPORT_ZMAX_0, range, s->depth_ranges[v].most);
        write_scissor(f, AMD_HW_PA_SC_VPORT_SCISSOR_0_TL, v * SCISSOR_DWORDS, &s->scissors[v]);
    }
    write_scissor(f, AMD_HW_PA_SC_SCREEN_SCISSOR_TL, 0, &s->area);
    write_scissor(f, AMD_HW_PA_SC_WINDOW_SCISSOR_TL, 0, &s->area);
    write_scissor(f, AMD_HW_PA_SC_GENERIC_SCISSOR_TL, 0, &s->area);
    SET(PA_SC_MODE_CNTL_0_VPORT_SCISSOR_ENABLE, 1);
}

/* ---- clipping, faces, points and lines ---- */

static void
write_clipping(amd_hw_registers *f, const mach_draw *s)
{
    SET(PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF, 1);
    SET(PA_CL_CLIP_CNTL_DX_LINEAR_ATTR_CLIP_ENA, 1);
    SET(PA_CL_CLIP_CNTL_ZCLIP_NEAR_DISABLE, !s->setup.clip_depth);
    SET(PA_CL_CLIP_CNTL_ZCLIP_FAR_DISABLE, !s->setup.clip_depth);
    SET(PA_CL_CLIP_CNTL_DX_RASTERIZATION_KILL, s->discards_all);
}

static void
write_bias(amd_hw_registers *f, const mach_draw *s)
{
    const mach_depth_bias *b = s->setup.bias;
    mach_format format = s->depth.format;
    bool is_float = mach_format_get(format)->kind != MACH_NUM_UNORM;
    int bits = is_float ? -23 : -(int)mach_format_get(format)->bits[0];
    SET(PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_NEG_NUM_DB_BITS, (uint32_t)bits);
    SET(PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_DB_IS_FLOAT_FMT, is_float);
    SET(PA_SU_SC_MODE_CNTL_POLY_OFFSET_FRONT_ENABLE, b != NULL);
    SET(PA_SU_SC_MODE_CNTL_POLY_OFFSET_BACK_ENABLE, b != NULL);
    SET(PA_SU_SC_MODE_CNTL_POLY_OFFSET_PARA_ENABLE, b != NULL);
    if (!b)
        return;
    set_float(f, AMD_HW_PA_SU_POLY_OFFSET_CLAMP, 0, b->clamp);
    set_float(f, AMD_HW_PA_SU_POLY_OFFSET_FRONT_SCALE, 0, b->slope * 16);
    set_float(f, AMD_HW_PA_SU_POLY_OFFSET_FRONT_OFFSET, 0, b->constant);
    set_float(f, AMD_HW_PA_SU_POLY_OFFSET_BACK_SCALE, 0, b->slope * 16);
    set_float(f, AMD_HW_PA_SU_POLY_OFFSET_BACK_OFFSET, 0, b->constant);
}

static void
write_faces(amd_hw_registers *f, const mach_draw *s)
{
    enum { POINTS, LINES, TRIANGLES };
    static const uint8_t types[] = {[MACH_POLYGON_FILL] = TRIANGLES,
                                    [MACH_POLYGON_LINE] = LINES,
                                    [MACH_POLYGON_POINT] = POINTS};
    enum { EIGHTHS = 8, LARGEST = 0xffff };
    SET(PA_SU_SC_MODE_CNTL_CULL_FRONT, s->setup.cull_front);
    SET(PA_SU_SC_MODE_CNTL_CULL_BACK, s->setup.cull_back);
    SET(PA_SU_SC_MODE_CNTL_FACE, s->setup.front_is_clockwise);
    SET(PA_SU_SC_MODE_CNTL_POLY_MODE, s->setup.mode != MACH_POLYGON_FILL);
    SET(PA_SU_SC_MODE_CNTL_POLYMODE_FRONT_PTYPE, types[s->setup.mode]);
    SET(PA_SU_SC_MODE_CNTL_POLYMODE_BACK_PTYPE, types[s->setup.mode]);
    SET(PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_OVER_RAST_ENABLE,
        s->setup.conservative == MACH_OVERESTIMATE);
    SET(PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_UNDER_RAST_ENABLE,
        s->setup.conservative == MACH_UNDERESTIMATE);
    SET(PA_SU_LINE_CNTL_WIDTH, (uint32_t)(s->setup.line_width * EIGHTHS));
    SET(PA_SU_POINT_SIZE_WIDTH, EIGHTHS);
    SET(PA_SU_POINT_SIZE_HEIGHT, EIGHTHS);
    SET(PA_SU_POINT_MINMAX_MAX_SIZE, LARGEST);
}

/* Inputs of points with PT_SPRITE_TEX are the place in the point: s to the right, t down. */
static void
write_interpolation(amd_hw_registers *f)
{
    enum { SEL_0, SEL_1, SEL_S, SEL_T };
    SET(SPI_INTERP_CONTROL_0_FLAT_SHADE_ENA, 1);
    SET(SPI_INTERP_CONTROL_0_PNT_SPRITE_ENA, 1);
    SET(SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_X, SEL_S);
    SET(SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_Y, SEL_T);
    SET(SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_Z, SEL_0);
    SET(SPI_INTERP_CONTROL_0_PNT_SPRITE_OVRD_W, SEL_1);
}

/* ---- samples ---- */

static void
write_samples(amd_hw_registers *f, const family_draw *d)
{
    const mach_draw *s = d->state;
    uint32_t log = base_log2_up(s->samples), mask = s->sample_mask & 0xffff;
    bool each = s->shades_samples || d->pipeline->sample_shading;
    amd_hw_set_register(f, AMD_HW_PA_SC_AA_MASK_X0Y0_X1Y0, 0, mask | mask << 16);
    amd_hw_set_register(f, AMD_HW_PA_SC_AA_MASK_X0Y1_X1Y1, 0, mask | mask << 16);
    SET(PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES, log);
    SET(PA_SC_MODE_CNTL_0_MSAA_ENABLE, log != 0);
    SET(PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE, each && log);
    SET(PA_SC_AA_CONFIG_PS_ITER_SAMPLES, each ? log : 0);
    SET(DB_EQAA_PS_ITER_SAMPLES, each ? log : 0);
    SET(DB_ALPHA_TO_MASK_ALPHA_TO_MASK_ENABLE, s->alpha_to_coverage);
}

void
amd_draw_write_state(amd_hw_registers *f, const amd_target *t, const family_draw *d)
{
    write_assembly(f, d->state);
    write_viewports(f, t, d->state);
    write_clipping(f, d->state);
    write_faces(f, d->state);
    write_interpolation(f);
    write_bias(f, d->state);
    write_samples(f, d);
}
