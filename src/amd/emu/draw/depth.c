/* DB registers: the depth and stencil attachment, tests, when they happen, clears. */
#include "amd/emu/draw/state.h"

#include "amd/emu/desc/texel.h"
#include "base/fp.h"

/* ---- tests ---- */

/* Values are replaced by the reference in both kinds of replacement. */
static uint8_t
stencil_op(uint32_t op)
{
    static const uint8_t ops[16] = {[0] = MACH_STENCIL_KEEP,
                                    [1] = MACH_STENCIL_ZERO,
                                    [3] = MACH_STENCIL_REPLACE,
                                    [4] = MACH_STENCIL_REPLACE,
                                    [5] = MACH_STENCIL_INCREMENT_CLAMP,
                                    [6] = MACH_STENCIL_DECREMENT_CLAMP,
                                    [7] = MACH_STENCIL_INVERT,
                                    [8] = MACH_STENCIL_INCREMENT_WRAP,
                                    [9] = MACH_STENCIL_DECREMENT_WRAP};
    return ops[op & 15];
}

/* The reference and the masks of comparison and writing, a byte each: of one register, or from
 * gfx12 on of three, which have both faces'. */
static uint32_t
stencil_values(const draw_run *r, bool back)
{
    static const amd_hw_reg regs[3] = {AMD_HW_DB_STENCIL_REF, AMD_HW_DB_STENCIL_READ_MASK,
                                       AMD_HW_DB_STENCIL_WRITE_MASK};
    uint32_t v = draw_value(r, back ? AMD_HW_DB_STENCILREFMASK_BF : AMD_HW_DB_STENCILREFMASK);
    for (unsigned k = 0; k < 3; k++)
        v |= (draw_value(r, regs[k]) >> (back ? 8 : 0) & 0xff) << 8 * k;
    return v;
}

static mach_stencil
read_stencil(const draw_run *r, bool back)
{
    uint32_t control = draw_value(r, AMD_HW_DB_STENCIL_CONTROL) >> (back ? 12 : 0);
    uint32_t masks = stencil_values(r, back);
    return (mach_stencil){
        .fail = stencil_op(control),
        .pass = stencil_op(control >> 4),
        .depth_fail = stencil_op(control >> 8),
        .compare = (uint8_t)draw_field(r, back ? AMD_HW_DB_DEPTH_CONTROL_STENCILFUNC_BF
                                               : AMD_HW_DB_DEPTH_CONTROL_STENCILFUNC),
        .reference = (uint8_t)masks,
        .compare_mask = (uint8_t)(masks >> 8),
        .write_mask = (uint8_t)(masks >> 16),
    };
}

static void
read_tests(draw_run *r)
{
    mach_draw *o = &r->out;
    mach_depth_stencil *t = &o->depth_stencil;
    bool two_faced = draw_field(r, AMD_HW_DB_DEPTH_CONTROL_BACKFACE_ENABLE);
    t->depth_test = draw_field(r, AMD_HW_DB_DEPTH_CONTROL_Z_ENABLE);
    t->depth_write = draw_field(r, AMD_HW_DB_DEPTH_CONTROL_Z_WRITE_ENABLE) &&
                     !draw_field(r, AMD_HW_DB_DEPTH_VIEW_Z_READ_ONLY) &&
                     !draw_field(r, AMD_HW_DB_DEPTH_VIEW1_Z_READ_ONLY);
    t->depth_compare = (uint8_t)draw_field(r, AMD_HW_DB_DEPTH_CONTROL_ZFUNC);
    t->stencil_test = draw_field(r, AMD_HW_DB_DEPTH_CONTROL_STENCIL_ENABLE);
    t->stencil[0] = read_stencil(r, false);
    t->stencil[1] = read_stencil(r, two_faced);
    if (draw_field(r, AMD_HW_DB_DEPTH_VIEW_STENCIL_READ_ONLY) ||
        draw_field(r, AMD_HW_DB_DEPTH_VIEW1_STENCIL_READ_ONLY))
        t->stencil[0].write_mask = t->stencil[1].write_mask = 0;
    o->bounds_depth = draw_field(r, AMD_HW_DB_DEPTH_CONTROL_DEPTH_BOUNDS_ENABLE);
    o->depth_bounds[0] = base_bits_f32(draw_value(r, AMD_HW_DB_DEPTH_BOUNDS_MIN));
    o->depth_bounds[1] = base_bits_f32(draw_value(r, AMD_HW_DB_DEPTH_BOUNDS_MAX));
    o->clamps_depth = !draw_field(r, AMD_HW_DB_RENDER_OVERRIDE_DISABLE_VIEWPORT_CLAMP) &&
                      !draw_field(r, AMD_HW_DB_VIEWPORT_CONTROL_DISABLE_VIEWPORT_CLAMP);
}

/* ZMIN and ZMAX of a viewport follow each other, among its other registers from gfx12 on. Depths of
 * pixel shaders are clamped, too. */
static void
read_ranges(draw_run *r)
{
    enum { RANGE_DWORDS = 2 };
    uint32_t step = r->is->depths_in_viewport ? r->is->viewport_dwords : RANGE_DWORDS;
    for (uint32_t v = 0; v < MACH_MAX_VIEWPORTS; v++) {
        uint32_t least = amd_hw_register_value(r->regs, AMD_HW_PA_SC_VPORT_ZMIN_0, v * step);
        uint32_t most = amd_hw_register_value(r->regs, AMD_HW_PA_SC_VPORT_ZMAX_0, v * step);
        r->out.depth_ranges[v] = (mach_depth_range){base_bits_f32(least), base_bits_f32(most)};
    }
}

/* Tests come before the shader where it is told so, or where nothing that it does can change their
 * outcome and Z_ORDER does not put them behind. */
static void
read_order(draw_run *r)
{
    enum { LATE_Z, EARLY_Z_THEN_LATE_Z, RE_Z, EARLY_Z_THEN_RE_Z };
    mach_draw *o = &r->out;
    uint32_t order = draw_field(r, AMD_HW_DB_SHADER_CONTROL_Z_ORDER);
    bool mask = draw_field(r, AMD_HW_DB_SHADER_CONTROL_MASK_EXPORT_ENABLE);
    o->writes_depth = draw_field(r, AMD_HW_DB_SHADER_CONTROL_Z_EXPORT_ENABLE);
    o->writes_stencil = draw_field(r, AMD_HW_DB_SHADER_CONTROL_STENCIL_TEST_VAL_EXPORT_ENABLE);
    bool changes = draw_field(r, AMD_HW_DB_SHADER_CONTROL_KILL_ENABLE) || o->writes_depth ||
                   o->writes_stencil || mask || o->alpha_to_coverage;
    o->tests_early = draw_field(r, AMD_HW_DB_SHADER_CONTROL_DEPTH_BEFORE_SHADER) ||
                     ((order == EARLY_Z_THEN_LATE_Z || order == EARLY_Z_THEN_RE_Z) && !changes);
}

/* ---- attachments ---- */

static mach_format
depth_format(uint32_t number)
{
    switch (number) {
    case 1: return MACH_FORMAT_d16_unorm;
    case 2: return MACH_FORMAT_x8_d24_unorm;
    case 3: return MACH_FORMAT_d32_sfloat;
    default: return MACH_FORMAT_none;
    }
}

static uint32_t
first_layer(const draw_run *r)
{
    return draw_field(r, AMD_HW_DB_DEPTH_VIEW_SLICE_START) |
           draw_field(r, AMD_HW_DB_DEPTH_VIEW_SLICE_START_HI) << 11;
}

static uint32_t
last_layer(const draw_run *r)
{
    return draw_field(r, AMD_HW_DB_DEPTH_VIEW_SLICE_MAX) |
           draw_field(r, AMD_HW_DB_DEPTH_VIEW_SLICE_MAX_HI) << 11;
}

/* What the registers of depth and of stencil have of their own. */
typedef struct plane {
    mach_format format;
    uint64_t address;
    uint32_t tiling, pitch;
} plane;

static bool
place_plane(draw_run *r, const plane *p, mach_image *out)
{
    uint32_t samples = 1u << draw_field(r, AMD_HW_DB_Z_INFO_NUM_SAMPLES);
    if (r->is->mip0_registers) {
        const draw_surface s = {.address = p->address,
                                .format = p->format,
                                .width = draw_field(r, AMD_HW_DB_DEPTH_SIZE_X_MAX) +
                                         draw_field(r, AMD_HW_DB_DEPTH_SIZE_XY_X_MAX) + 1,
                                .height = draw_field(r, AMD_HW_DB_DEPTH_SIZE_Y_MAX) +
                                          draw_field(r, AMD_HW_DB_DEPTH_SIZE_XY_Y_MAX) + 1,
                                .depth = 1,
                                .levels = samples > 1 ? 1
                                                      : draw_field(r, AMD_HW_DB_Z_INFO_MAXMIP) + 1,
                                .samples = samples,
                                .resource = 1,
                                .sw_mode = p->tiling,
                                .pitch = p->pitch,
                                .level = draw_field(r, AMD_HW_DB_DEPTH_VIEW_MIPID) +
                                         draw_field(r, AMD_HW_DB_DEPTH_VIEW1_MIPID),
                                .first_layer = first_layer(r),
                                .last_layer = last_layer(r)};
        return amd_draw_place_surface(r, &s, out);
    }
    const draw_level l = {.address = p->address,
                          .format = p->format,
                          .pitch = 8 * (draw_field(r, AMD_HW_DB_DEPTH_SIZE_PITCH_TILE_MAX) + 1),
                          .height = 8 * (draw_field(r, AMD_HW_DB_DEPTH_SIZE_HEIGHT_TILE_MAX) + 1),
                          .samples = samples,
                          .tile_mode = p->tiling,
                          .first_layer = first_layer(r),
                          .last_layer = last_layer(r)};
    return amd_draw_place_level(r, &l, out);
}

/* The number of a plane's tiling: SW_MODE; on gfx6 TILE_MODE_INDEX, whose first numbers are modes
 * of depth; on gfx7 and gfx8 DB_DEPTH_INFO has the mode's parts, of which ARRAY_MODE decides. */
static uint32_t
tiling(const draw_run *r, amd_hw_field sw_mode, amd_hw_field index)
{
    enum { LINEAR = 1, THIN_1D = 2, MODE_2D_DEPTH = 0, MODE_1D_DEPTH = 5 };
    uint32_t array_mode = draw_field(r, AMD_HW_DB_DEPTH_INFO_ARRAY_MODE);
    if (r->is->mip0_registers)
        return draw_field(r, sw_mode);
    if (r->gen == AMD_GFX6)
        return draw_field(r, index);
    return array_mode <= LINEAR    ? AMD_TILING_LINEAR
           : array_mode == THIN_1D ? MODE_1D_DEPTH
                                   : MODE_2D_DEPTH;
}

static void
read_attachments(draw_run *r)
{
    mach_draw *o = &r->out;
    plane z = {.format = depth_format(draw_field(r, AMD_HW_DB_Z_INFO_FORMAT)),
               .address = ((uint64_t)draw_value(r, AMD_HW_DB_Z_READ_BASE) |
                           (uint64_t)draw_field(r, AMD_HW_DB_Z_READ_BASE_HI_BASE_HI) << 32)
                          << 8,
               .tiling = tiling(r, AMD_HW_DB_Z_INFO_SW_MODE, AMD_HW_DB_Z_INFO_TILE_MODE_INDEX),
               .pitch = draw_field(r, AMD_HW_DB_Z_INFO2_EPITCH) + 1};
    plane s = {
        .format = draw_field(r, AMD_HW_DB_STENCIL_INFO_FORMAT) ? MACH_FORMAT_s8_uint
                                                               : MACH_FORMAT_none,
        .address = ((uint64_t)draw_value(r, AMD_HW_DB_STENCIL_READ_BASE) |
                    (uint64_t)draw_field(r, AMD_HW_DB_STENCIL_READ_BASE_HI_BASE_HI) << 32)
                   << 8,
        .tiling = tiling(r, AMD_HW_DB_STENCIL_INFO_SW_MODE, AMD_HW_DB_STENCIL_INFO_TILE_MODE_INDEX),
        .pitch = draw_field(r, AMD_HW_DB_STENCIL_INFO2_EPITCH) + 1};
    if (r->gen != AMD_GFX9)
        z.pitch = s.pitch = 0;
    if (z.format)
        place_plane(r, &z, &o->depth);
    if (s.format)
        place_plane(r, &s, &o->stencil);
    if ((z.format || s.format) && last_layer(r) - first_layer(r) + 1 > o->layers)
        o->layers = last_layer(r) - first_layer(r) + 1;
}

/* ---- clears ---- */

/* A clear by a draw stores DB_DEPTH_CLEAR and DB_STENCIL_CLEAR to what it covers. */
static void
read_clear(draw_run *r)
{
    mach_draw *o = &r->out;
    mach_depth_stencil *t = &o->depth_stencil;
    float z = base_bits_f32(draw_value(r, AMD_HW_DB_DEPTH_CLEAR));
    if (draw_field(r, AMD_HW_DB_RENDER_CONTROL_DEPTH_CLEAR_ENABLE) && t->depth_test) {
        o->clamps_depth = true;
        t->depth_compare = MACH_COMPARE_ALWAYS;
        for (unsigned v = 0; v < MACH_MAX_VIEWPORTS; v++)
            o->depth_ranges[v] = (mach_depth_range){z, z};
    }
    if (draw_field(r, AMD_HW_DB_RENDER_CONTROL_STENCIL_CLEAR_ENABLE) && t->stencil_test) {
        t->stencil[0].compare = MACH_COMPARE_ALWAYS;
        t->stencil[0].pass = t->stencil[0].depth_fail = MACH_STENCIL_REPLACE;
        t->stencil[0].reference = (uint8_t)draw_field(r, AMD_HW_DB_STENCIL_CLEAR_CLEAR);
        t->stencil[1] = t->stencil[0];
    }
}

void
amd_draw_read_depth(draw_run *r)
{
    read_tests(r);
    read_ranges(r);
    read_order(r);
    read_attachments(r);
    read_clear(r);
}
