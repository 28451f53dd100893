/* Registers of tests, blending and attachments, as a driver writes them. Colours are linear.
 *
 * Sources of what fields mean: AMD's register headers; Mesa 24 (ac_descriptors.c,
 * radv_cmd_buffer.c).
 */
#include "amd/launch/draw.h"

#include "amd/emu/desc/descriptor.h"
#include "base/fp.h"

#include <string.h>

#define SET(field, v) amd_draw_set(f, AMD_HW_##field, (v))

/* ---- depth and stencil ---- */

static uint32_t
stencil_ops(const mach_stencil *s)
{
    static const uint8_t ops[] = {[MACH_STENCIL_KEEP] = 0,
                                  [MACH_STENCIL_ZERO] = 1,
                                  [MACH_STENCIL_REPLACE] = 3,
                                  [MACH_STENCIL_INCREMENT_CLAMP] = 5,
                                  [MACH_STENCIL_DECREMENT_CLAMP] = 6,
                                  [MACH_STENCIL_INVERT] = 7,
                                  [MACH_STENCIL_INCREMENT_WRAP] = 8,
                                  [MACH_STENCIL_DECREMENT_WRAP] = 9};
    return ops[s->fail] | (uint32_t)ops[s->pass] << 4 | (uint32_t)ops[s->depth_fail] << 8;
}

static uint32_t
stencil_values(const mach_stencil *s)
{
    enum { ONE_STEP = 1u << 24 };
    return s->reference | (uint32_t)s->compare_mask << 8 | (uint32_t)s->write_mask << 16 | ONE_STEP;
}

static void
write_stencil(amd_hw_registers *f, const mach_stencil s[2])
{
    amd_hw_set_register(f, AMD_HW_DB_STENCIL_CONTROL, 0,
                        stencil_ops(&s[0]) | stencil_ops(&s[1]) << 12);
    amd_hw_set_register(f, AMD_HW_DB_STENCILREFMASK, 0, stencil_values(&s[0]));
    amd_hw_set_register(f, AMD_HW_DB_STENCILREFMASK_BF, 0, stencil_values(&s[1]));
    amd_hw_set_register(f, AMD_HW_DB_STENCIL_REF, 0,
                        s[0].reference | (uint32_t)s[1].reference << 8);
    amd_hw_set_register(f, AMD_HW_DB_STENCIL_READ_MASK, 0,
                        s[0].compare_mask | (uint32_t)s[1].compare_mask << 8);
    amd_hw_set_register(f, AMD_HW_DB_STENCIL_WRITE_MASK, 0,
                        s[0].write_mask | (uint32_t)s[1].write_mask << 8);
    SET(DB_DEPTH_CONTROL_STENCILFUNC, s[0].compare);
    SET(DB_DEPTH_CONTROL_STENCILFUNC_BF, s[1].compare);
}

static void
write_tests(amd_hw_registers *f, const mach_draw *s)
{
    const mach_depth_stencil *t = &s->depth_stencil;
    SET(DB_DEPTH_CONTROL_Z_ENABLE, t->depth_test);
    SET(DB_DEPTH_CONTROL_Z_WRITE_ENABLE, t->depth_write);
    SET(DB_DEPTH_CONTROL_ZFUNC, t->depth_compare);
    SET(DB_DEPTH_CONTROL_STENCIL_ENABLE, t->stencil_test);
    SET(DB_DEPTH_CONTROL_BACKFACE_ENABLE, 1);
    SET(DB_DEPTH_CONTROL_DEPTH_BOUNDS_ENABLE, s->bounds_depth);
    write_stencil(f, t->stencil);
    amd_hw_set_register(f, AMD_HW_DB_DEPTH_BOUNDS_MIN, 0, base_f32_bits(s->depth_bounds[0]));
    amd_hw_set_register(f, AMD_HW_DB_DEPTH_BOUNDS_MAX, 0, base_f32_bits(s->depth_bounds[1]));
    SET(DB_RENDER_OVERRIDE_DISABLE_VIEWPORT_CLAMP, !s->clamps_depth);
    SET(DB_VIEWPORT_CONTROL_DISABLE_VIEWPORT_CLAMP, !s->clamps_depth);
}

/* Texels from one row of the level to the next one. */
static uint32_t
pitch_of(const mach_image *m)
{
    return m->level[m->base_level].row_pitch / mach_format_get(m->format)->bytes;
}

/* Up to gfx8 a view's first byte is that of its level. */
static uint64_t
address_of(const amd_hw_registers *f, const mach_image *m, uint64_t address)
{
    return f->gen <= AMD_GFX8 ? address + m->level[m->base_level].offset : address;
}

/* Up to gfx8 depths are always in tiles: GB_TILE_MODE4 of gfx6 has them in those of 8 x 8 (AMD's
 * addrlib, SiLib), from gfx7 on ARRAY_MODE says so. The emulator's tiles are rows of texels. */
static void
write_depth_size(amd_hw_registers *f, const mach_image *m)
{
    enum { THIN_1D = 2, MODE_1D_DEPTH = 4, TILE = 8 };
    uint32_t rows = (mach_level_size(m->height, m->base_level) + TILE - 1) / TILE;
    SET(DB_Z_INFO_NUM_SAMPLES, base_log2_up(m->samples));
    SET(DB_Z_INFO_MAXMIP, m->levels - 1);
    SET(DB_Z_INFO_TILE_MODE_INDEX, MODE_1D_DEPTH);
    SET(DB_STENCIL_INFO_TILE_MODE_INDEX, MODE_1D_DEPTH);
    SET(DB_DEPTH_INFO_ARRAY_MODE, THIN_1D);
    SET(DB_DEPTH_SIZE_PITCH_TILE_MAX, pitch_of(m) / TILE - 1);
    SET(DB_DEPTH_SIZE_HEIGHT_TILE_MAX, rows - 1);
    SET(DB_DEPTH_SIZE_X_MAX, m->width - 1);
    SET(DB_DEPTH_SIZE_Y_MAX, m->height - 1);
    SET(DB_DEPTH_SIZE_XY_X_MAX, m->width - 1);
    SET(DB_DEPTH_SIZE_XY_Y_MAX, m->height - 1);
    SET(DB_DEPTH_VIEW_MIPID, m->base_level);
    SET(DB_DEPTH_VIEW1_MIPID, m->base_level);
}

static const char *
write_depth(amd_hw_registers *f, const family_draw *d)
{
    const mach_image *z = &d->state->depth, *s = &d->state->stencil;
    uint32_t format = z->format == MACH_FORMAT_d16_unorm      ? 1
                      : z->format == MACH_FORMAT_x8_d24_unorm ? 2
                      : z->format == MACH_FORMAT_d32_sfloat   ? 3
                                                              : 0;
    if (z->data && !format)
        return "a depth attachment of this format";
    if (z->data || s->data)
        write_depth_size(f, z->data ? z : s);
    if (z->data) {
        uint64_t at = address_of(f, z, d->depth) >> 8;
        SET(DB_Z_INFO_FORMAT, format);
        amd_hw_set_register(f, AMD_HW_DB_Z_READ_BASE, 0, (uint32_t)at);
        amd_hw_set_register(f, AMD_HW_DB_Z_WRITE_BASE, 0, (uint32_t)at);
        SET(DB_Z_READ_BASE_HI_BASE_HI, (uint32_t)(at >> 32));
        SET(DB_Z_WRITE_BASE_HI_BASE_HI, (uint32_t)(at >> 32));
        SET(DB_Z_INFO2_EPITCH, pitch_of(z) - 1);
    }
    if (s->data) {
        uint64_t at = address_of(f, s, d->stencil) >> 8;
        SET(DB_STENCIL_INFO_FORMAT, 1);
        amd_hw_set_register(f, AMD_HW_DB_STENCIL_READ_BASE, 0, (uint32_t)at);
        amd_hw_set_register(f, AMD_HW_DB_STENCIL_WRITE_BASE, 0, (uint32_t)at);
        SET(DB_STENCIL_READ_BASE_HI_BASE_HI, (uint32_t)(at >> 32));
        SET(DB_STENCIL_WRITE_BASE_HI_BASE_HI, (uint32_t)(at >> 32));
        SET(DB_STENCIL_INFO2_EPITCH, pitch_of(s) - 1);
    }
    return NULL;
}

/* ---- colour formats ---- */

typedef struct color_format {
    uint8_t bits[4];
    uint8_t number;
} color_format;

/* CB_COLOR_INFO.FORMAT: enum ColorFormat. */
static const color_format color_formats[] = {
    {{8}, 1},
    {{16}, 2},
    {{8, 8}, 3},
    {{32}, 4},
    {{16, 16}, 5},
    {{11, 11, 10}, 6},
    {{10, 11, 11}, 7},
    {{2, 10, 10, 10}, 8},
    {{10, 10, 10, 2}, 9},
    {{8, 8, 8, 8}, 10},
    {{32, 32}, 11},
    {{16, 16, 16, 16}, 12},
    {{32, 32, 32, 32}, 14},
    {{5, 6, 5}, 16},
    {{5, 5, 5, 1}, 17},
    {{1, 5, 5, 5}, 18},
    {{4, 4, 4, 4}, 19},
};

/* CB_COLOR_INFO.COMP_SWAP: the components that the channels are, by the number of channels. */
static bool
find_swap(const mach_format_info *i, uint32_t *swap)
{
    static const char *const swaps[4][4] = {
        {"x001", "0x01", "00x1", "000x"},
        {"xy01", "x00y", "yx01", "y00x"},
        {"xyz1", "xy0z", "zyx1", "zy0x"},
        {"xyzw", "zyxw", "wzyx", "yzwx"},
    };
    for (*swap = 0; *swap < 4; ++*swap) {
        if (memcmp(swaps[i->channels - 1][*swap], i->swizzle, 4) == 0)
            return true;
    }
    return false;
}

/* CB_COLOR_INFO.NUMBER_TYPE; UINT32_MAX: it has no such numbers. */
static uint32_t
number_type(mach_numeric kind)
{
    switch (kind) {
    case MACH_NUM_UNORM: return 0;
    case MACH_NUM_SNORM: return 1;
    case MACH_NUM_UINT: return 4;
    case MACH_NUM_SINT: return 5;
    case MACH_NUM_SRGB: return 6;
    case MACH_NUM_FLOAT: return 7;
    default: return UINT32_MAX;
    }
}

/* ---- colours ---- */

/* How far registers of targets are apart: those of a target's block, those with an array each. */
static void
set_own(amd_hw_registers *f, const amd_target *t, amd_hw_field field, uint32_t target, uint32_t v)
{
    amd_hw_set_register_field(f, field, amd_has(t, target_dwords) * target, v);
}

static void
set_attribute(amd_hw_registers *f, const amd_target *t, amd_hw_field field, uint32_t target,
              uint32_t v)
{
    uint32_t step = amd_has(t, target_arrays) & 2 ? 1 : amd_has(t, target_dwords);
    amd_hw_set_register_field(f, field, step * target, v);
}

static void
write_surface(amd_hw_registers *f, const amd_target *t, uint32_t k, const mach_image *m)
{
    enum { TILE = 8, TWO_DIMENSIONS = 1 };
    uint64_t slice = m->level[m->base_level].slice_pitch / mach_format_get(m->format)->bytes;
    uint32_t log = base_log2_up(m->samples);
    set_own(f, t, AMD_HW_CB_COLOR0_PITCH_TILE_MAX, k, pitch_of(m) / TILE - 1);
    set_own(f, t, AMD_HW_CB_COLOR0_SLICE_TILE_MAX, k, (uint32_t)(slice / (TILE * TILE)) - 1);
    set_own(f, t, AMD_HW_CB_COLOR0_ATTRIB_TILE_MODE_INDEX, k, AMD_TILING_LINEAR);
    set_own(f, t, AMD_HW_CB_COLOR0_ATTRIB_NUM_SAMPLES, k, log);
    set_own(f, t, AMD_HW_CB_COLOR0_ATTRIB_NUM_FRAGMENTS, k, log);
    set_own(f, t, AMD_HW_CB_COLOR0_ATTRIB_RESOURCE_TYPE, k, TWO_DIMENSIONS);
    set_own(f, t, AMD_HW_CB_COLOR0_VIEW_MIP_LEVEL, k, m->base_level);
    set_own(f, t, AMD_HW_CB_COLOR0_VIEW2_MIP_LEVEL, k, m->base_level);
    set_attribute(f, t, AMD_HW_CB_COLOR0_ATTRIB2_MIP0_WIDTH, k, m->width - 1);
    set_attribute(f, t, AMD_HW_CB_COLOR0_ATTRIB2_MIP0_HEIGHT, k, m->height - 1);
    set_attribute(f, t, AMD_HW_CB_COLOR0_ATTRIB2_MAX_MIP, k, m->levels - 1);
    set_attribute(f, t, AMD_HW_CB_COLOR0_ATTRIB3_MAX_MIP, k, m->levels - 1);
    set_attribute(f, t, AMD_HW_CB_COLOR0_ATTRIB3_RESOURCE_TYPE, k, TWO_DIMENSIONS);
    amd_hw_set_register_field(f, AMD_HW_CB_MRT0_EPITCH_EPITCH, k, pitch_of(m) - 1);
}

static const char *
write_color(amd_hw_registers *f, const amd_target *t, uint32_t k, const family_draw *d)
{
    const mach_image *m = &d->state->colors[k].image;
    const mach_format_info *i = mach_format_get(m->format);
    uint32_t swap, number = number_type((mach_numeric)i->kind), n = 0;
    uint32_t info = amd_has(t, target_arrays) & 4 ? 1 : amd_has(t, target_dwords);
    uint32_t base_ext = amd_has(t, target_arrays) & 1 ? 1 : amd_has(t, target_dwords);
    enum { COUNT = sizeof color_formats / sizeof *color_formats };
    while (n < COUNT && memcmp(color_formats[n].bits, i->bits, 4) != 0)
        n++;
    if (n == COUNT || number == UINT32_MAX || !find_swap(i, &swap))
        return "a colour attachment of this format";
    uint64_t at = address_of(f, m, d->colors[k]) >> 8;
    bool is_int = number == 4 || number == 5;
    amd_hw_set_register_field(f, AMD_HW_CB_COLOR0_INFO_FORMAT, info * k, color_formats[n].number);
    amd_hw_set_register_field(f, AMD_HW_CB_COLOR0_INFO_NUMBER_TYPE, info * k, number);
    amd_hw_set_register_field(f, AMD_HW_CB_COLOR0_INFO_COMP_SWAP, info * k, swap);
    amd_hw_set_register_field(f, AMD_HW_CB_COLOR0_INFO_BLEND_BYPASS, info * k, is_int);
    amd_hw_set_register(f, AMD_HW_CB_COLOR0_BASE, amd_has(t, target_dwords) * k, (uint32_t)at);
    amd_hw_set_register_field(f, AMD_HW_CB_COLOR0_BASE_EXT_BASE_256B, base_ext * k,
                              (uint32_t)(at >> 32));
    write_surface(f, t, k, m);
    return NULL;
}

/* ---- blending ---- */

/* enum BlendOp; from gfx11 on without numbers 11 and 12. */
static uint32_t
factor(const amd_hw_registers *f, uint8_t v)
{
    static const uint8_t numbers[] = {
        [MACH_BLEND_ZERO] = 0,
        [MACH_BLEND_ONE] = 1,
        [MACH_BLEND_SRC_COLOR] = 2,
        [MACH_BLEND_ONE_MINUS_SRC_COLOR] = 3,
        [MACH_BLEND_SRC_ALPHA] = 4,
        [MACH_BLEND_ONE_MINUS_SRC_ALPHA] = 5,
        [MACH_BLEND_DST_ALPHA] = 6,
        [MACH_BLEND_ONE_MINUS_DST_ALPHA] = 7,
        [MACH_BLEND_DST_COLOR] = 8,
        [MACH_BLEND_ONE_MINUS_DST_COLOR] = 9,
        [MACH_BLEND_SRC_ALPHA_SATURATE] = 10,
        [MACH_BLEND_CONSTANT_COLOR] = 13,
        [MACH_BLEND_ONE_MINUS_CONSTANT_COLOR] = 14,
        [MACH_BLEND_SRC1_COLOR] = 15,
        [MACH_BLEND_ONE_MINUS_SRC1_COLOR] = 16,
        [MACH_BLEND_SRC1_ALPHA] = 17,
        [MACH_BLEND_ONE_MINUS_SRC1_ALPHA] = 18,
        [MACH_BLEND_CONSTANT_ALPHA] = 19,
        [MACH_BLEND_ONE_MINUS_CONSTANT_ALPHA] = 20,
    };
    enum { GAP = 11, SKIPPED = 2 };
    return numbers[v] - (f->gen >= AMD_GFX11 && numbers[v] > GAP ? SKIPPED : 0u);
}

static uint32_t
equation(const amd_hw_registers *f, const mach_blend_equation *e)
{
    static const uint8_t ops[] = {[MACH_BLEND_ADD] = 0,
                                  [MACH_BLEND_SUBTRACT] = 1,
                                  [MACH_BLEND_REVERSE_SUBTRACT] = 4,
                                  [MACH_BLEND_MIN] = 2,
                                  [MACH_BLEND_MAX] = 3};
    return factor(f, e->src) | (uint32_t)ops[e->op] << 5 | factor(f, e->dst) << 8;
}

static void
write_blending(amd_hw_registers *f, uint32_t k, const mach_color_target *c)
{
    enum { SEPARATE = 1 << 29, ENABLE = 1 << 30 };
    uint32_t control = equation(f, &c->blend.color) | equation(f, &c->blend.alpha) << 16 | SEPARATE;
    amd_hw_set_register(f, AMD_HW_CB_BLEND0_CONTROL, k, c->blends ? control | ENABLE : 0);
    for (uint32_t n = 0; n < 4 && k == 0; n++)
        amd_hw_set_register(f, AMD_HW_CB_BLEND_RED, n, base_f32_bits(c->blend.constant[n]));
}

/* ROP3 has the operation's four bits twice. */
static uint32_t
logic_op(const mach_draw *s)
{
    static const uint8_t rops[] = {[MACH_LOGIC_CLEAR] = 0x0,         [MACH_LOGIC_AND] = 0x8,
                                   [MACH_LOGIC_AND_REVERSE] = 0x4,   [MACH_LOGIC_COPY] = 0xc,
                                   [MACH_LOGIC_AND_INVERTED] = 0x2,  [MACH_LOGIC_NO_OP] = 0xa,
                                   [MACH_LOGIC_XOR] = 0x6,           [MACH_LOGIC_OR] = 0xe,
                                   [MACH_LOGIC_NOR] = 0x1,           [MACH_LOGIC_EQUIVALENT] = 0x9,
                                   [MACH_LOGIC_INVERT] = 0x5,        [MACH_LOGIC_OR_REVERSE] = 0xd,
                                   [MACH_LOGIC_COPY_INVERTED] = 0x3, [MACH_LOGIC_OR_INVERTED] = 0xb,
                                   [MACH_LOGIC_NAND] = 0x7,          [MACH_LOGIC_SET] = 0xf};
    uint32_t op = rops[s->has_logic_op ? s->logic_op : MACH_LOGIC_COPY];
    return op | op << 4;
}

const char *
amd_draw_write_targets(amd_hw_registers *f, const amd_target *t, const family_draw *d)
{
    enum { NORMAL = 1 };
    const mach_draw *s = d->state;
    uint32_t mask = 0;
    write_tests(f, s);
    const char *problem = write_depth(f, d);
    SET(CB_COLOR_CONTROL_MODE, s->n_colors ? NORMAL : 0);
    SET(CB_COLOR_CONTROL_ROP3, logic_op(s));
    for (uint32_t k = 0; k < s->n_colors && !problem; k++) {
        if (!s->colors[k].image.data)
            continue;
        problem = write_color(f, t, k, d);
        write_blending(f, k, &s->colors[k]);
        mask |= (uint32_t)s->colors[k].write_mask << 4 * k;
    }
    amd_hw_set_register(f, AMD_HW_CB_TARGET_MASK, 0, mask);
    return problem;
}
