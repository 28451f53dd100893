/* The registers that the launcher writes for a draw's fixed functions: those of one state as RADV
 * has them, and random states as the emulator's draws read them. */
#include "amd/emu/desc/texel.h"
#include "amd/emu/draw/state.h"
#include "amd/launch/draw.h"
#include "base/fp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANDOM_STATES = 200 };

static const amd_target *target;

typedef struct scene {
    arena a;
    mach_memory memory;
    amd_hw_registers regs;
    mach_draw state;
    mach_depth_bias bias;
    family_pipeline pipeline;
    family_draw draw;
} scene;

static void
no_memory(void *user)
{
    (void)user;
    abort();
}

static void
scene_begin(scene *s)
{
    assert_true(amd_has(target, has_vertex_stage) || amd_has(target, has_primitive_shaders));
    memset(s, 0, sizeof *s);
    arena_init(&s->a, &base_malloc_allocator, no_memory, NULL);
    mach_memory_init(&s->memory, &s->a);
    amd_hw_registers_init(&s->regs, target->gen, &s->a);
    s->draw.state = &s->state;
    s->draw.pipeline = &s->pipeline;
    s->state.n_viewports = 1;
    s->state.samples = 1;
    s->state.layers = 1;
}

/* An image as the target has it, behind its address. */
static uint64_t
place(scene *s, mach_image *m)
{
    m->dim = MACH_DIM_2D;
    m->depth = m->layers = 1;
    m->size = amd_image_layout(target->gen, m);
    mach_region *r = mach_memory_alloc(&s->memory, MACH_HEAP_LOW, m->size, 65536, "image");
    m->data = r->host;
    return r->base;
}

static const char *
write_all(scene *s)
{
    amd_draw_write_state(&s->regs, target, &s->draw);
    return amd_draw_write_targets(&s->regs, target, &s->draw);
}

/* ---- one state ---- */

/* What RADV 22.3.6 wrote for the state below on POLARIS10, VEGA10, NAVI21 and GFX1100, the same on
 * all four (heddle gpu --trace). */
static const struct {
    amd_hw_reg reg;
    uint32_t value;
} wanted[] = {
    {AMD_HW_PA_SU_SC_MODE_CNTL, 0x3a40},
    {AMD_HW_DB_STENCILREFMASK, 0x10ff012},
    {AMD_HW_DB_STENCILREFMASK_BF, 0x1ffff01},
    {AMD_HW_DB_STENCIL_CONTROL, 0x630781},
    {AMD_HW_PA_CL_VPORT_XSCALE, 0x41800000},
    {AMD_HW_PA_CL_VPORT_XOFFSET, 0x41a00000},
    {AMD_HW_PA_CL_VPORT_YSCALE, 0x41000000},
    {AMD_HW_PA_CL_VPORT_YOFFSET, 0x41200000},
    {AMD_HW_PA_CL_VPORT_ZSCALE, 0x3f000000},
    {AMD_HW_PA_CL_VPORT_ZOFFSET, 0x3e800000},
    {AMD_HW_PA_SC_VPORT_ZMIN_0, 0x3e800000},
    {AMD_HW_PA_SC_VPORT_ZMAX_0, 0x3f400000},
    {AMD_HW_PA_SU_POLY_OFFSET_DB_FMT_CNTL, 0x1e9},
    {AMD_HW_PA_SU_POLY_OFFSET_FRONT_SCALE, 0x41800000},
    {AMD_HW_PA_SU_POLY_OFFSET_FRONT_OFFSET, 0x40000000},
    {AMD_HW_PA_SU_POLY_OFFSET_BACK_SCALE, 0x41800000},
    {AMD_HW_PA_SU_POLY_OFFSET_BACK_OFFSET, 0x40000000},
    {AMD_HW_PA_CL_CLIP_CNTL, 0x1080000},
    {AMD_HW_PA_CL_VTE_CNTL, 0x43f},
    {AMD_HW_VGT_PRIMITIVE_TYPE, 4},
    {AMD_HW_PA_SU_LINE_CNTL, 8},
    {AMD_HW_PA_SU_POINT_SIZE, 0x80008},
    {AMD_HW_PA_SU_POINT_MINMAX, 0xffff0000},
    {AMD_HW_CB_TARGET_MASK, 15},
    {AMD_HW_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffffffff},
    {AMD_HW_PA_SC_AA_CONFIG, 0},
};

static void
set_state(scene *s)
{
    mach_draw *d = &s->state;
    d->assembly.topology = MACH_TRIANGLE_LIST;
    d->viewports[0] = (mach_viewport){4, 2, 32, 16, 0.25f, 0.75f};
    d->depth_ranges[0] = (mach_depth_range){0.25f, 0.75f};
    d->scissors[0] = d->area = (mach_rect){0, 0, 64, 32};
    d->setup.clip_depth = true;
    d->setup.line_width = 1;
    d->sample_mask = UINT32_MAX;
    s->bias = (mach_depth_bias){.constant = 2, .slope = 1};
    d->setup.bias = &s->bias;
    d->depth_stencil = (mach_depth_stencil){
        .depth_test = true,
        .depth_write = true,
        .stencil_test = true,
        .depth_compare = MACH_COMPARE_LESS_OR_EQUAL,
        .stencil = {{MACH_STENCIL_ZERO, MACH_STENCIL_INVERT, MACH_STENCIL_INCREMENT_WRAP,
                     MACH_COMPARE_NOT_EQUAL, 240, 15, 18},
                    {MACH_STENCIL_KEEP, MACH_STENCIL_DECREMENT_CLAMP, MACH_STENCIL_REPLACE,
                     MACH_COMPARE_ALWAYS, 255, 255, 1}}};
    d->depth = (mach_image){
        .format = MACH_FORMAT_d32_sfloat, .width = 64, .height = 32, .levels = 1, .samples = 1};
    s->draw.depth = place(s, &d->depth);
    d->n_colors = 1;
    d->colors[0] = (mach_color_target){
        .write_mask = 15,
        .blends = true,
        .blend = {{MACH_BLEND_SRC_ALPHA, MACH_BLEND_ONE_MINUS_SRC_ALPHA, MACH_BLEND_ADD},
                  {MACH_BLEND_CONSTANT_ALPHA, MACH_BLEND_ONE, MACH_BLEND_REVERSE_SUBTRACT},
                  {0}}};
    d->colors[0].image = d->depth;
    d->colors[0].image.format = MACH_FORMAT_r8g8b8a8_unorm;
    s->draw.colors[0] = place(s, &d->colors[0].image);
}

static void
test_one_state(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    set_state(&s);
    assert_null(write_all(&s));
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        bool groups = target->gen >= AMD_GFX12 && wanted[k].reg == AMD_HW_VGT_PRIMITIVE_TYPE;
        uint32_t value = amd_hw_register_value(&s.regs, wanted[k].reg, 0);
        uint32_t address = amd_hw_reg_address(wanted[k].reg, target->gen);
        if (address && !groups && value != wanted[k].value)
            fail_msg("%s: %#x, not %#x", amd_hw_reg_name(address, target->gen), value,
                     wanted[k].value);
    }
    uint32_t blend = amd_hw_register_value(&s.regs, AMD_HW_CB_BLEND0_CONTROL, 0);
    assert_int_equal(blend, target->gen >= AMD_GFX11 ? 0x61910504 : 0x61930504);
    arena_free(&s.a);
}

/* ---- random states ---- */

static uint32_t
pick(uint32_t *seed, uint32_t n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

static float
fraction(uint32_t *seed)
{
    return (float)pick(seed, 257) / 256;
}

static mach_stencil
any_stencil(uint32_t *seed)
{
    return (mach_stencil){
        .fail = (uint8_t)pick(seed, MACH_STENCIL_DECREMENT_WRAP + 1),
        .depth_fail = (uint8_t)pick(seed, MACH_STENCIL_DECREMENT_WRAP + 1),
        .pass = (uint8_t)pick(seed, MACH_STENCIL_DECREMENT_WRAP + 1),
        .compare = (uint8_t)pick(seed, 8),
        .compare_mask = (uint8_t)pick(seed, 256),
        .write_mask = (uint8_t)pick(seed, 256),
        .reference = (uint8_t)pick(seed, 256),
    };
}

static mach_blend_equation
any_equation(uint32_t *seed)
{
    return (mach_blend_equation){
        .src = (uint8_t)pick(seed, MACH_BLEND_ONE_MINUS_SRC1_ALPHA + 1),
        .dst = (uint8_t)pick(seed, MACH_BLEND_ONE_MINUS_SRC1_ALPHA + 1),
        .op = (uint8_t)pick(seed, MACH_BLEND_MAX + 1),
    };
}

static void
set_any_primitives(scene *s, uint32_t *seed)
{
    mach_draw *d = &s->state;
    d->assembly.topology = (mach_topology)pick(seed, MACH_PATCH_LIST);
    d->assembly.last_provokes = pick(seed, 2);
    d->setup = (mach_setup_rules){
        .clip_depth = pick(seed, 2),
        .cull_front = pick(seed, 2),
        .cull_back = pick(seed, 2),
        .front_is_clockwise = pick(seed, 2),
        .mode = (mach_polygon_mode)pick(seed, 3),
        .line_width = (float)(1 + pick(seed, 64)) / 8,
    };
    if (pick(seed, 2)) {
        s->bias = (mach_depth_bias){.constant = (float)pick(seed, 9) - 4,
                                    .clamp = fraction(seed),
                                    .slope = (float)pick(seed, 9) - 4};
        d->setup.bias = &s->bias;
    }
    d->n_viewports = 1 + pick(seed, MACH_MAX_VIEWPORTS);
    d->area = (mach_rect){0, 0, 512, 256};
    for (uint32_t v = 0; v < d->n_viewports; v++) {
        int32_t x = (int32_t)pick(seed, 100), y = (int32_t)pick(seed, 100);
        d->viewports[v] = (mach_viewport){
            (float)pick(seed, 64),        (float)pick(seed, 64), (float)(1 + pick(seed, 256)),
            (float)pick(seed, 256) - 128, fraction(seed),        fraction(seed)};
        d->depth_ranges[v] = (mach_depth_range){fraction(seed) / 2, fraction(seed) / 2 + 0.5f};
        d->scissors[v] = (mach_rect){x, y, x + 1 + (int32_t)pick(seed, 300), y + 100};
    }
    d->discards_all = pick(seed, 2);
}

static void
set_any_color(scene *s, uint32_t *seed, uint32_t k)
{
    static const mach_format formats[] = {MACH_FORMAT_r8g8b8a8_unorm,    MACH_FORMAT_b8g8r8a8_srgb,
                                          MACH_FORMAT_r16g16_sfloat,     MACH_FORMAT_r32_uint,
                                          MACH_FORMAT_r16g16b16a16_sint, MACH_FORMAT_r8_snorm,
                                          MACH_FORMAT_r5g6b5_unorm};
    mach_color_target *c = &s->state.colors[k];
    c->image = (mach_image){.format = formats[pick(seed, sizeof formats / sizeof *formats)],
                            .width = 1 + pick(seed, 200),
                            .height = 1 + pick(seed, 100),
                            .samples = s->state.samples};
    c->image.levels = s->state.samples > 1 ? 1 : 1 + pick(seed, 4);
    s->draw.colors[k] = place(s, &c->image);
    c->image.base_level = pick(seed, c->image.levels);
    c->write_mask = (uint8_t)(1 + pick(seed, 15));
    c->blends = pick(seed, 2) && !mach_format_is_int(c->image.format);
    c->blend.color = any_equation(seed);
    c->blend.alpha = any_equation(seed);
    for (unsigned n = 0; n < 4; n++)
        c->blend.constant[n] = k ? s->state.colors[0].blend.constant[n] : fraction(seed);
}

static void
set_any_targets(scene *s, uint32_t *seed)
{
    static const mach_format depths[] = {MACH_FORMAT_d16_unorm, MACH_FORMAT_d32_sfloat};
    mach_draw *d = &s->state;
    d->samples = 1u << pick(seed, 4);
    d->sample_mask = pick(seed, 65536);
    d->shades_samples = d->samples > 1 && pick(seed, 2);
    d->alpha_to_coverage = pick(seed, 2);
    d->depth_stencil = (mach_depth_stencil){
        .depth_test = pick(seed, 2),
        .depth_write = pick(seed, 2),
        .stencil_test = pick(seed, 2),
        .depth_compare = (uint8_t)pick(seed, 8),
        .stencil = {any_stencil(seed), any_stencil(seed)},
    };
    d->bounds_depth = pick(seed, 2);
    d->depth_bounds[0] = fraction(seed);
    d->depth_bounds[1] = fraction(seed);
    d->clamps_depth = pick(seed, 2);
    d->has_logic_op = pick(seed, 2);
    d->logic_op = d->has_logic_op ? (mach_logic_op)pick(seed, MACH_LOGIC_SET + 1) : MACH_LOGIC_COPY;
    d->depth = (mach_image){.format = depths[pick(seed, 2)],
                            .width = 1 + pick(seed, 200),
                            .height = 1 + pick(seed, 100),
                            .levels = 1,
                            .samples = d->samples};
    s->draw.depth = place(s, &d->depth);
    d->stencil = d->depth;
    d->stencil.format = MACH_FORMAT_s8_uint;
    s->draw.stencil = place(s, &d->stencil);
    d->n_colors = 1 + pick(seed, MACH_MAX_COLORS);
    for (uint32_t k = 0; k < d->n_colors; k++)
        set_any_color(s, seed, k);
}

/* Both views have the same bytes for a texel of each sample. */
static void
expect_image(const mach_image *a, const mach_image *b)
{
    uint32_t x = mach_level_size(a->width, a->base_level) - 1;
    uint32_t y = mach_level_size(a->height, a->base_level) - 1;
    assert_int_equal(a->format, b->format);
    assert_int_equal(a->samples, b->samples);
    for (uint32_t n = 0; n < a->samples; n++)
        assert_ptr_equal(a->data + mach_texel_offset(a, x, y, 0, a->base_level, n),
                         b->data + mach_texel_offset(b, x, y, 0, b->base_level, n));
}

static void
expect_primitives(const mach_draw *a, const mach_draw *b)
{
    const mach_setup_rules *s = &a->setup, *t = &b->setup;
    assert_int_equal(a->assembly.topology, b->assembly.topology);
    assert_int_equal(a->assembly.last_provokes, b->assembly.last_provokes);
    assert_int_equal(a->discards_all, b->discards_all);
    assert_int_equal(s->clip_depth, t->clip_depth);
    assert_int_equal(s->cull_front, t->cull_front);
    assert_int_equal(s->cull_back, t->cull_back);
    assert_int_equal(s->front_is_clockwise, t->front_is_clockwise);
    assert_int_equal(s->mode, t->mode);
    assert_true(s->line_width == t->line_width);
    assert_int_equal(s->bias != NULL, t->bias != NULL);
    if (s->bias) {
        assert_true(s->bias->constant == t->bias->constant && s->bias->clamp == t->bias->clamp &&
                    s->bias->slope == t->bias->slope);
    }
    assert_memory_equal(&a->area, &b->area, sizeof a->area);
    for (uint32_t v = 0; v < a->n_viewports; v++) {
        const mach_viewport *p = &a->viewports[v], *q = &b->viewports[v];
        assert_true(p->x == q->x && p->y == q->y && p->width == q->width && p->height == q->height);
        assert_true(p->min_depth == q->min_depth && p->max_depth == q->max_depth);
        assert_memory_equal(&a->depth_ranges[v], &b->depth_ranges[v], sizeof a->depth_ranges[v]);
        assert_memory_equal(&a->scissors[v], &b->scissors[v], sizeof a->scissors[v]);
    }
}

static void
expect_tests(const mach_draw *a, const mach_draw *b)
{
    const mach_depth_stencil *s = &a->depth_stencil, *t = &b->depth_stencil;
    assert_int_equal(s->depth_test, t->depth_test);
    assert_int_equal(s->depth_write, t->depth_write);
    assert_int_equal(s->stencil_test, t->stencil_test);
    assert_int_equal(s->depth_compare, t->depth_compare);
    assert_memory_equal(s->stencil, t->stencil, sizeof s->stencil);
    assert_int_equal(a->bounds_depth, b->bounds_depth);
    assert_memory_equal(a->depth_bounds, b->depth_bounds, sizeof a->depth_bounds);
    assert_int_equal(a->clamps_depth, b->clamps_depth);
    expect_image(&a->depth, &b->depth);
    expect_image(&a->stencil, &b->stencil);
}

static void
expect_colors(const mach_draw *a, const mach_draw *b)
{
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->sample_mask, b->sample_mask);
    assert_int_equal(a->shades_samples, b->shades_samples);
    assert_int_equal(a->alpha_to_coverage, b->alpha_to_coverage);
    assert_int_equal(a->logic_op, b->logic_op);
    assert_int_equal(a->n_colors, b->n_colors);
    for (uint32_t k = 0; k < a->n_colors; k++) {
        const mach_color_target *c = &a->colors[k], *d = &b->colors[k];
        expect_image(&c->image, &d->image);
        assert_int_equal(c->write_mask, d->write_mask);
        assert_int_equal(c->blends, d->blends);
        if (c->blends)
            assert_memory_equal(&c->blend, &d->blend, sizeof c->blend);
    }
}

static void
test_random_states(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < RANDOM_STATES; n++) {
        uint32_t seed = n;
        scene s;
        scene_begin(&s);
        set_any_primitives(&s, &seed);
        set_any_targets(&s, &seed);
        assert_null(write_all(&s));
        amd_hw_set_register(&s.regs, AMD_HW_CB_SHADER_MASK, 0, UINT32_MAX);
        const amd_draw draw = {.count = 3, .instances = 1, .packs_tiles = true};
        draw_run r = {.draw = &draw,
                      .regs = &s.regs,
                      .is = amd_draw_gen_of(target->gen),
                      .gen = target->gen,
                      .memory = &s.memory,
                      .arena = &s.a};
        amd_draw_read_primitives(&r);
        amd_draw_read_samples(&r);
        amd_draw_read_depth(&r);
        amd_draw_read_colors(&r);
        if (r.problem)
            fail_msg("state %u: %s", n, r.problem);
        expect_primitives(&s.state, &r.out);
        expect_tests(&s.state, &r.out);
        expect_colors(&s.state, &r.out);
        arena_free(&s.a);
    }
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_state),
                                       cmocka_unit_test(test_random_states)};
    target = amd_find_target(argc > 1 ? argv[1] : "gfx1030");
    if (!target)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
