/* Draws with shaders in C: what Vulkan 1.3 says of the order of results, samples, depth, stencil,
 * layers and colours. */
#include "machine/raster/draw.h"

#include "base/bits.h"
#include "base/fp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 16, MOST_VERTICES = 64, LAYERS = 3, MOST_BYTES = SIZE * 256 * 16 * LAYERS };

typedef struct scene scene;

/* Vertices of fixed places, fragments by a function. */
struct scene {
    arena a;
    mach_draw draw;
    mach_draw_counts counts;
    mach_shaded_vertex vertex[MOST_VERTICES];
    mach_vertex_id seen[1024];
    unsigned n_seen;
    void (*shade)(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out);
    unsigned calls, helpers;
    uint8_t color[2][MOST_BYTES], depth[MOST_BYTES];
};

static void
out_of_memory(void *user)
{
    (void)user;
    abort();
}

static bool
shade_vertices(void *user, mach_vertex_batch *b)
{
    scene *s = user;
    for (uint32_t k = 0; k < b->n_vertices; k++) {
        s->seen[s->n_seen++ % 1024] = b->vertices[k];
        b->shaded[k] = s->vertex[b->vertices[k].vertex % MOST_VERTICES];
    }
    return true;
}

static bool
shade_fragments(void *user, mach_fragment_batch *b)
{
    scene *s = user;
    for (uint32_t q = 0; q < b->n_quads; q++) {
        for (unsigned k = 0; k < 4; k++) {
            s->calls += b->quads[q].at.samples[k] != 0;
            s->helpers += b->quads[q].at.samples[k] == 0;
            s->shade(s, &b->quads[q], k, &b->fragments[q][k]);
        }
    }
    return true;
}

static void
set_color(mach_fragment *f, unsigned n, float r, float g, float b, float a)
{
    const float c[4] = {r, g, b, a};
    for (unsigned k = 0; k < 4; k++)
        f->color[n][k] = base_f32_bits(c[k]);
}

static void
shade_white(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)q, (void)k;
    set_color(out, 0, 1, 1, 1, 1);
}

/* The primitive's number. */
static void
shade_id(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)k;
    out->color[0][0] = q->primitive->id + 1;
}

static mach_image
make_image(mach_format f, uint32_t samples, uint32_t layers, uint8_t *data)
{
    mach_image m = {.format = f,
                    .dim = MACH_DIM_2D,
                    .width = SIZE,
                    .height = SIZE,
                    .depth = 1,
                    .samples = samples,
                    .levels = 1,
                    .layers = layers,
                    .array = layers > 1};
    m.size = mach_image_layout(&m);
    m.data = data;
    assert_true(m.size && m.size <= MOST_BYTES);
    return m;
}

static scene *
begin(mach_format format, uint32_t samples)
{
    scene *s = calloc(1, sizeof *s);
    mach_draw *d = &s->draw;
    arena_init(&s->a, &base_malloc_allocator, out_of_memory, NULL);
    d->assembly = (mach_assembly){.topology = MACH_TRIANGLE_LIST};
    d->instances = 1;
    d->setup = (mach_setup_rules){.clip_depth = true, .line_width = 1};
    d->n_viewports = 1;
    d->viewports[0] = (mach_viewport){0, 0, SIZE, SIZE, 0, 1};
    d->scissors[0] = d->area = (mach_rect){0, 0, SIZE, SIZE};
    d->layers = 1;
    d->samples = samples;
    d->sample_mask = UINT32_MAX;
    d->n_colors = 1;
    d->colors[0] = (mach_color_target){
        make_image(format, samples, 1, s->color[0]), 15, false, {{0}, {0}, {0}}};
    d->shading = (mach_shading){shade_vertices, shade_fragments, s};
    s->shade = shade_white;
    return s;
}

static void
run(scene *s)
{
    assert_true(mach_draw_run(&s->draw, &s->a, &s->counts));
}

static void
end(scene *s)
{
    arena_free(&s->a);
    free(s);
}

/* Adds a vertex at a pixel's place. */
static void
add(scene *s, float x, float y, float z)
{
    mach_shaded_vertex *v = &s->vertex[s->draw.assembly.count++];
    *v = (mach_shaded_vertex){
        .place = {.clip = {.position = {x / (SIZE / 2) - 1, y / (SIZE / 2) - 1, z, 1}},
                  .point_size = 1}};
}

/* Two triangles over [x0, x1) x [y0, y1). */
static void
add_rect(scene *s, float x0, float y0, float x1, float y1, float z)
{
    add(s, x0, y0, z);
    add(s, x1, y0, z);
    add(s, x0, y1, z);
    add(s, x1, y0, z);
    add(s, x0, y1, z);
    add(s, x1, y1, z);
}

static mach_texel
texel(const mach_image *m, int32_t x, int32_t y, uint32_t sample)
{
    const int32_t at[3] = {x, y, 0};
    return mach_image_load(m, at, 0, sample);
}

static float
red(const scene *s, int32_t x, int32_t y, uint32_t sample)
{
    return base_bits_f32((uint32_t)texel(&s->draw.colors[0].image, x, y, sample).c[0]);
}

static float
depth_at(const scene *s, int32_t x, int32_t y)
{
    return base_bits_f32((uint32_t)texel(&s->draw.depth, x, y, 0).c[0]);
}

/* ---- vertices ---- */

static void
test_vertices_are_shaded_once_in_a_batch(void **state)
{
    static const uint32_t index[] = {0, 1, 2, 1, 2, 3, 9, 2, 3, 4};
    scene *s = begin(MACH_FORMAT_r32_uint, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    s->draw.assembly.index = index;
    s->draw.assembly.count = 10;
    s->draw.assembly.restart = true;
    s->draw.assembly.restart_index = 9;
    s->draw.vertex_offset = 1;
    s->draw.first_instance = 7;
    s->draw.instances = 2;
    s->shade = shade_id;
    run(s);
    assert_int_equal(s->counts.vertices, 18);
    assert_int_equal(s->counts.primitives, 6);
    assert_int_equal(s->n_seen, 10);
    assert_int_equal(s->seen[0].vertex, 1);
    assert_int_equal(s->seen[4].vertex, 5);
    assert_int_equal(s->seen[0].instance, 7);
    assert_int_equal(s->seen[5].instance, 8);
    end(s);
}

/* More primitives than a batch has: each pixel has the last one's number, in order. */
static void
test_results_are_in_the_order_of_primitives(void **state)
{
    scene *s = begin(MACH_FORMAT_r32_uint, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    s->draw.assembly.count = 6 * 500;
    for (unsigned k = 6; k < 60; k++)
        s->vertex[k] = s->vertex[k % 6];
    uint32_t *index = calloc(3000, sizeof *index);
    for (unsigned k = 0; k < 3000; k++)
        index[k] = k % 6 + 6 * (k / 6 % 10);
    s->draw.assembly.index = index;
    s->shade = shade_id;
    run(s);
    for (int32_t y = 0; y < SIZE; y++) {
        for (int32_t x = 0; x < SIZE; x++)
            assert_int_equal((texel(&s->draw.colors[0].image, x, y, 0).c[0] + 1) / 2, 500);
    }
    assert_int_equal(s->counts.samples_passed, 500 * 256);
    free(index);
    end(s);
}

static void
test_discarded_rasterization_shades_vertices(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    s->draw.discards_all = true;
    run(s);
    assert_int_equal(s->n_seen, 6);
    assert_int_equal(s->calls, 0);
    end(s);
}

/* Positions that no window has, and scissors without a pixel, draw nothing and end. */
static void
test_impossible_places(void **state)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-40f, 0};
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    for (unsigned k = 0; k < 7 * 4 * 3; k++) {
        mach_shaded_vertex keep = s->vertex[k / 28];
        s->vertex[k / 28].place.clip.position[k % 4] = odd[k / 4 % 7];
        run(s);
        s->vertex[k / 28] = keep;
    }
    memset(s->color, 0, sizeof s->color);
    s->draw.scissors[0] = (mach_rect){3, 3, 3, 9};
    run(s);
    s->draw.scissors[0] = (mach_rect){9, 9, 3, 3};
    run(s);
    assert_true(red(s, 3, 3, 0) == 0);
    s->draw.scissors[0] = (mach_rect){-5, 5, 1, 6};
    s->calls = 0;
    run(s);
    assert_int_equal(s->calls, 1);
    assert_true(red(s, 0, 5, 0) == 1);
    end(s);
}

/* ---- fragments ---- */

/* A pixel's quad has three helpers, of which nothing is stored. */
static void
test_helpers(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
    (void)state;
    add_rect(s, 5, 5, 6, 6, 0);
    run(s);
    assert_int_equal(s->calls, 1);
    assert_int_equal(s->helpers, 3);
    assert_true(red(s, 5, 5, 0) == 1 && red(s, 4, 5, 0) == 0 && red(s, 4, 4, 0) == 0);
    assert_int_equal(s->counts.fragment_invocations, 1);
    end(s);
}

static void
shade_kills_even_columns(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    shade_white(s, q, k, out);
    out->dead = k % 2 == 0;
}

static void
add_depth(scene *s, mach_format f)
{
    s->draw.depth = make_image(f, s->draw.samples, 1, s->depth);
    s->draw.depth_stencil = (mach_depth_stencil){
        .depth_test = true, .depth_write = true, .depth_compare = MACH_COMPARE_ALWAYS};
}

/* Depths of discarded fragments are stored if they are tested early alone ("Early Fragment
 * Tests"). */
static void
test_early_and_late_depth(void **state)
{
    (void)state;
    for (unsigned early = 0; early < 2; early++) {
        scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
        add_rect(s, 0, 0, 16, 16, 0.5f);
        add_depth(s, MACH_FORMAT_d32_sfloat);
        s->draw.tests_early = early;
        s->shade = shade_kills_even_columns;
        run(s);
        assert_true(depth_at(s, 2, 2) == (early ? 0.5f : 0));
        assert_true(depth_at(s, 3, 2) == 0.5f);
        assert_true(red(s, 2, 2, 0) == 0 && red(s, 3, 2, 0) == 1);
        assert_int_equal(s->counts.samples_passed, early ? 256 : 128);
        end(s);
    }
}

static void
shade_depth(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    shade_white(s, q, k, out);
    out->depth = 0.75f;
}

/* A fragment that is behind is not shaded early; shaders' depths are clamped to the viewport's. */
static void
test_depths_of_shaders(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0.5f);
    add_depth(s, MACH_FORMAT_d16_unorm);
    s->draw.writes_depth = true;
    s->draw.clamps_depth = true;
    s->draw.viewports[0].max_depth = 0.6f;
    s->draw.depth_ranges[0] = (mach_depth_range){0, 0.6f};
    s->shade = shade_depth;
    run(s);
    assert_true(fabsf(depth_at(s, 4, 4) - 0.6f) < 1.0f / 65535);
    s->draw.depth_stencil.depth_compare = MACH_COMPARE_LESS;
    s->draw.tests_early = true; /* the surface's depth, 0.3, is nearer */
    run(s);
    assert_true(fabsf(depth_at(s, 4, 4) - 0.3f) < 1.0f / 65535);
    s->calls = 0;
    run(s);
    assert_int_equal(s->calls, 0);
    end(s);
}

/* Depths that round to the same step are equal. */
static void
test_depths_are_rounded_before_they_are_compared(void **state)
{
    static const mach_format formats[] = {MACH_FORMAT_d16_unorm, MACH_FORMAT_x8_d24_unorm,
                                          MACH_FORMAT_d24_unorm_s8_uint, MACH_FORMAT_d32_sfloat};
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
        add_rect(s, 0, 0, 16, 16, 0.2f); /* of 24 bits, 0.05 above a step */
        add_depth(s, formats[k]);
        run(s);
        s->draw.depth_stencil.depth_compare = MACH_COMPARE_LESS;
        for (unsigned v = 0; v < 6; v++)
            s->vertex[v].place.clip.position[2] = nextafterf(0.2f, 0);
        s->calls = 0;
        s->draw.tests_early = true;
        run(s);
        assert_int_equal(s->calls, formats[k] == MACH_FORMAT_d32_sfloat ? 256 : 0);
        end(s);
    }
}

static void
test_stencil(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
    mach_depth_stencil *ds = &s->draw.depth_stencil;
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0.5f);
    add_depth(s, MACH_FORMAT_d24_unorm_s8_uint);
    s->draw.stencil = s->draw.depth;
    ds->stencil_test = true;
    ds->depth_compare = MACH_COMPARE_NEVER;
    ds->stencil[0] = (mach_stencil){.compare = MACH_COMPARE_ALWAYS,
                                    .compare_mask = 255,
                                    .write_mask = 0x0f,
                                    .depth_fail = MACH_STENCIL_DECREMENT_WRAP};
    ds->stencil[1] = ds->stencil[0];
    run(s);
    assert_int_equal(s->depth[3], 0x0f);
    assert_true(depth_at(s, 0, 0) == 0 && red(s, 0, 0, 0) == 0);
    ds->depth_compare = MACH_COMPARE_ALWAYS;
    ds->stencil[0].pass = ds->stencil[1].pass = MACH_STENCIL_REPLACE;
    ds->stencil[0].reference = ds->stencil[1].reference = 0xf5;
    run(s);
    assert_int_equal(s->depth[3], 0x05);
    assert_true(fabsf(depth_at(s, 0, 0) - 0.5f) < 1e-6f && red(s, 0, 0, 0) == 1);
    end(s);
}

static void
test_depth_bounds(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
    (void)state;
    add_rect(s, 0, 0, 8, 16, 0.5f);
    add_depth(s, MACH_FORMAT_d16_unorm);
    run(s);
    memset(s->color, 0, sizeof s->color);
    s->draw.assembly.count = 0;
    add_rect(s, 0, 0, 16, 16, 0.9f);
    s->draw.bounds_depth = true; /* of what is stored */
    s->draw.depth_bounds[0] = 0.25f;
    s->draw.depth_bounds[1] = 0.75f;
    run(s);
    assert_true(red(s, 7, 3, 0) == 1 && red(s, 8, 3, 0) == 0);
    end(s);
}

/* ---- samples ---- */

/* Half a pixel covers those samples of the standard places that lie in it. */
static void
test_edges_cover_samples(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 4);
    (void)state;
    add_rect(s, 0, 0, 4.5f, 16, 0);
    run(s);
    const float want[4] = {1, 0, 1, 0}; /* x: 6, 14, 2, 10 sixteenths; 10 > 8 */
    for (unsigned n = 0; n < 4; n++)
        assert_true(red(s, 4, 3, n) == want[n]);
    assert_int_equal(s->counts.samples_passed, 16 * (4 * 4 + 2));
    uint8_t out[SIZE * 256];
    mach_image to = make_image(MACH_FORMAT_r8g8b8a8_unorm, 1, 1, out);
    mach_resolve(&s->draw.colors[0].image, &to);
    assert_int_equal(out[3 * 256 + 4 * 4], 128); /* 0.5 rounded to even */
    end(s);
}

static void
shade_sample(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)k;
    set_color(out, 0, (float)(q->sample + 1), 0, 0, 0);
}

static void
test_samples_are_shaded(void **state)
{
    scene *s = begin(MACH_FORMAT_r32_sfloat, 4);
    (void)state;
    add_rect(s, 4, 4, 6, 6, 0);
    s->draw.shades_samples = true;
    s->draw.sample_mask = 0xb;
    s->shade = shade_sample;
    run(s);
    const float want[4] = {1, 2, 0, 4};
    for (unsigned n = 0; n < 4; n++)
        assert_true(red(s, 5, 4, n) == want[n]);
    assert_int_equal(s->calls, 4 * 3);
    end(s);
}

static void
shade_mask(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)q, (void)k;
    set_color(out, 0, 1, 1, 1, 0.5f);
    out->mask = 0x6;
}

static void
test_masks_of_shaders_and_alpha_to_coverage(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 4);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    s->shade = shade_mask;
    s->draw.alpha_to_one = true;
    run(s);
    assert_true(red(s, 1, 1, 1) == 1 && red(s, 1, 1, 2) == 1);
    assert_true(red(s, 1, 1, 0) == 0 && red(s, 1, 1, 3) == 0);
    assert_int_equal(texel(&s->draw.colors[0].image, 1, 1, 1).c[3], base_f32_bits(1));
    s->draw.alpha_to_coverage = true;
    s->counts.samples_passed = 0;
    run(s);
    assert_int_equal(s->counts.samples_passed, 256); /* of two, the mask leaves one */
    end(s);
}

/* ---- colours ---- */

static void
shade_half(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)k;
    set_color(out, 0, q->primitive->id < 2 ? 1 : 0, 0, 0, 0.5f);
}

/* The second rectangle is blended over the first, in a batch with it. */
static void
test_overlapping_quads_blend_in_order(void **state)
{
    scene *s = begin(MACH_FORMAT_r32g32b32a32_sfloat, 1);
    (void)state;
    add_rect(s, 2, 2, 4, 4, 0);
    add_rect(s, 2, 2, 4, 4, 0);
    s->shade = shade_half;
    s->draw.colors[0].blends = true;
    s->draw.colors[0].blend.color = (mach_blend_equation){
        MACH_BLEND_SRC_ALPHA, MACH_BLEND_ONE_MINUS_SRC_ALPHA, MACH_BLEND_ADD};
    s->draw.colors[0].blend.alpha = (mach_blend_equation){MACH_BLEND_ONE, MACH_BLEND_ZERO,
                                                          MACH_BLEND_ADD};
    run(s);
    for (int32_t k = 0; k < 4; k++)
        assert_true(red(s, 2 + k % 2, 2 + k / 2, 0) == 0.25f);
    end(s);
}

static void
shade_second(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)q, (void)k;
    set_color(out, 0, 0.5f, 0.5f, 0.5f, 0.5f);
    out->second[0] = base_f32_bits(0.25f);
}

static void
test_second_source_and_write_mask(void **state)
{
    scene *s = begin(MACH_FORMAT_r32g32b32a32_sfloat, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    s->shade = shade_second;
    s->draw.colors[0].blends = true;
    s->draw.colors[0].write_mask = 9;
    s->draw.colors[0].blend.color = (mach_blend_equation){MACH_BLEND_SRC1_COLOR, MACH_BLEND_ONE,
                                                          MACH_BLEND_ADD};
    s->draw.colors[0].blend.alpha = s->draw.colors[0].blend.color;
    run(s);
    mach_texel t = texel(&s->draw.colors[0].image, 3, 3, 0);
    assert_int_equal(t.c[0], base_f32_bits(0.125f));
    assert_int_equal(t.c[1], 0);
    assert_int_equal(t.c[3], 0); /* alpha of source 1 is 0 */
    end(s);
}

/* sRGB is blended in linear numbers. */
static void
test_srgb_blends_linear(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_srgb, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    memset(s->color[0], 188, sizeof s->color[0]); /* 0.5029 */
    s->shade = shade_second;
    s->draw.colors[0].blends = true;
    s->draw.colors[0].blend.color = (mach_blend_equation){MACH_BLEND_DST_COLOR, MACH_BLEND_ZERO,
                                                          MACH_BLEND_ADD};
    s->draw.colors[0].blend.alpha = s->draw.colors[0].blend.color;
    run(s);
    assert_int_equal(s->color[0][0], 137); /* of 0.2514 */
    end(s);
}

static void
shade_bits(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)q, (void)k;
    out->color[0][0] = 0x0f;
    out->color[0][1] = 0xff;
}

static void
test_logic_operations(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_uint, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    memset(s->color[0], 0x3c, sizeof s->color[0]);
    s->shade = shade_bits;
    s->draw.has_logic_op = true;
    s->draw.logic_op = MACH_LOGIC_XOR;
    s->draw.colors[0].write_mask = 1;
    run(s);
    assert_int_equal(s->color[0][0], 0x33);
    assert_int_equal(s->color[0][1], 0x3c);
    end(s);
}

/* Several attachments, of different formats. */
static void
shade_two(scene *s, const mach_fragment_quad *q, unsigned k, mach_fragment *out)
{
    (void)s, (void)q, (void)k;
    set_color(out, 0, 0.2f, 0.4f, 0.6f, 0.8f);
    for (unsigned c = 0; c < 4; c++)
        out->color[1][c] = 1000 + c;
}

static void
test_attachments_have_their_formats(void **state)
{
    scene *s = begin(MACH_FORMAT_b8g8r8a8_unorm, 1);
    (void)state;
    add_rect(s, 0, 0, 16, 16, 0);
    s->shade = shade_two;
    s->draw.n_colors = 2;
    s->draw.colors[1] = s->draw.colors[0];
    s->draw.colors[1].image = make_image(MACH_FORMAT_r16g16b16a16_sint, 1, 1, s->color[1]);
    run(s);
    static const uint8_t want[4] = {153, 102, 51, 204};
    assert_memory_equal(s->color[0], want, 4);
    assert_int_equal(texel(&s->draw.colors[1].image, 9, 9, 0).c[2], 1002);
    end(s);
}

/* ---- layers and viewports ---- */

static void
test_layers_and_viewports(void **state)
{
    scene *s = begin(MACH_FORMAT_r8g8b8a8_unorm, 1);
    mach_image *m = &s->draw.colors[0].image;
    (void)state;
    *m = make_image(MACH_FORMAT_r8g8b8a8_unorm, 1, LAYERS, s->color[0]);
    add_rect(s, 0, 0, 16, 16, 0);
    s->draw.layers = LAYERS;
    s->draw.n_viewports = 2;
    s->draw.viewports[1] = (mach_viewport){8, 16, 8, -16, 0, 1};
    s->draw.scissors[1] = s->draw.area;
    for (unsigned v = 0; v < 6; v++) {
        s->vertex[v].layer = v < 3 ? 1 : LAYERS; /* the second triangle has no layer */
        s->vertex[v].viewport = 1;
    }
    run(s);
    const int32_t in[3] = {8, 15, 1}, above[3] = {8, 15, 0}, outside[3] = {3, 15, 1};
    assert_int_equal(mach_image_load(m, in, 0, 0).c[0], base_f32_bits(1));
    assert_int_equal(mach_image_load(m, above, 0, 0).c[0], 0);
    assert_int_equal(mach_image_load(m, outside, 0, 0).c[0], 0);
    assert_int_equal(s->counts.samples_passed, 64);
    end(s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices_are_shaded_once_in_a_batch),
        cmocka_unit_test(test_results_are_in_the_order_of_primitives),
        cmocka_unit_test(test_discarded_rasterization_shades_vertices),
        cmocka_unit_test(test_impossible_places),
        cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_early_and_late_depth),
        cmocka_unit_test(test_depths_of_shaders),
        cmocka_unit_test(test_depths_are_rounded_before_they_are_compared),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_depth_bounds),
        cmocka_unit_test(test_edges_cover_samples),
        cmocka_unit_test(test_samples_are_shaded),
        cmocka_unit_test(test_masks_of_shaders_and_alpha_to_coverage),
        cmocka_unit_test(test_overlapping_quads_blend_in_order),
        cmocka_unit_test(test_second_source_and_write_mask),
        cmocka_unit_test(test_srgb_blends_linear),
        cmocka_unit_test(test_logic_operations),
        cmocka_unit_test(test_attachments_have_their_formats),
        cmocka_unit_test(test_layers_and_viewports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
