/* Details of sampling, on every generation that supports it: comparisons of all depth formats,
 * border colours, levels of detail and their limits, components of gathers, edges and corners of
 * cubes, rounding of layers, packed gradients, texel coordinates, and bits of S# that have no
 * effect. The expected values are worked out by hand for images with few different values. */
#include "emu_image_env.h"

#include "amd/emu/num/float.h"

#include <math.h>

#define ONE 0x3f800000u

/* format, dim, width, height, depth, layers, levels, array */
#define IMAGE(f, d, w, h, z, n, v, a)                                                              \
    {                                                                                              \
        .format = MACH_FORMAT_##f, .dim = MACH_DIM_##d, .width = w, .height = h, .depth = z,       \
        .layers = n, .levels = v, .samples = 1, .array = a                                         \
    }

static void
set_floats(const setting *s, uint32_t l, const float *v, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        address(s, k)[l] = base_f32_bits(v[k]);
}

static void
set_words(const setting *s, const amd_sampler_desc *d)
{
    amd_sampler_encode(s->gen, d, s->e->w.sgpr + 24);
}

static void
expect(const setting *s, uint32_t reg, uint32_t l, double want, const char *what)
{
    float got = base_bits_f32(s->e->w.vgpr[reg][l]);
    if (!(fabs((double)got - want) <= 1e-5))
        fail_msg("gen %u, %s, lane %u, v%u: %f, not %f", (unsigned)s->gen, what, l, reg,
                 (double)got, want);
}

/* An image whose format from_mach does not give: its number, `unified`, goes into the
 * T#. */
static setting
set_up_raw(amd_gen gen, const mach_image *like, uint32_t unified)
{
    setting s = set_up(gen, like);
    amd_image_desc d;
    amd_image_decode(gen, s.e->w.sgpr + 8, &d);
    d.format = unified;
    d.dst_sel[1] = AMD_SEL_0; /* only the first channel of depth formats matters */
    amd_image_encode(gen, &d, s.e->w.sgpr + 8);
    return s;
}

/* ---- comparisons ---- */

static bool
passes(uint32_t op, double ref, double depth)
{
    switch (op) {
    case 0: return false;
    case 1: return ref < depth;
    case 2: return ref == depth;
    case 3: return ref <= depth;
    case 4: return ref > depth;
    case 5: return ref != depth;
    case 6: return ref >= depth;
    default: return true;
    }
}

/* Depth formats: unified number, bytes, and whether reference values are clamped to [0, 1]. The
 * texels are 0, 1/4 (as near as the format comes), 1/2, 1 and, of floats that are not clamped, 2.
 */
static void
test_comparisons(void **state)
{
    static const struct {
        const char *name;
        uint32_t format, bytes;
        bool clamped, is_float;
        uint32_t texels[5];
    } formats[] = {
        {"16_UNORM", 7, 2, true, false, {0, 0x4000, 0x8000, 0xffff, 0xffff}},
        {"32_FLOAT", 22, 4, false, true, {0, 0x3e800000, 0x3f000000, ONE, 0x40000000}},
        {"32_FLOAT_CLAMP", 140, 4, true, true, {0, 0x3e800000, 0x3f000000, ONE, 0x40000000}},
        {"8_24_UNORM",
         141,
         4,
         true,
         false,
         {0xab000000, 0xcd400000, 0xef800000, 0x12ffffff, 0x34ffffff}},
        {"X24_8_32_FLOAT", 146, 8, false, true, {0, 0x3e800000, 0x3f000000, ONE, 0x40000000}},
    };
    static const float refs[] = {-0.5f, 0, 0.1f, 0.25f, 0.5f, 0.75f, 1, 1.5f, 2, 3};
    static const mach_image like[2] = {IMAGE(r32_uint, 2D, 5, 1, 1, 1, 1, false),
                                       IMAGE(r32g32_uint, 2D, 5, 1, 1, 1, 1, false)};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < 5 * 8; k++) {
            unsigned f = k % 5, op = k / 5;
            if (formats[f].format == 140 && targets[t].gen < AMD_GFX10)
                continue;
            setting s = set_up_raw(targets[t].gen, &like[formats[f].bytes == 8], formats[f].format);
            double depth[5];
            for (uint32_t x = 0; x < 5; x++) {
                uint32_t v = formats[f].texels[x];
                memcpy(s.m.data + x * formats[f].bytes, &v, formats[f].bytes < 4 ? 2 : 4);
                depth[x] = formats[f].is_float     ? base_bits_f32(v)
                           : formats[f].bytes == 2 ? (float)(v / 65535.0)
                                                   : (float)((v & 0xffffff) / 16777215.0);
                if (formats[f].clamped && depth[x] > 1)
                    depth[x] = 1;
            }
            set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2}, .compare = op});
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l, (float[]){refs[l / 5 % 10], ((float)(l % 5) + 0.5f) / 5, 0.5f},
                           3);
            run_op(&s, "image_sample_c_lz", 1, 1, 3, true, "");
            for (uint32_t l = 0; l < LANES; l++) {
                double ref = refs[l / 5 % 10];
                if (formats[f].clamped)
                    ref = ref < 0 ? 0 : ref > 1 ? 1 : ref;
                expect(&s, 0, l, passes(op, ref, depth[l % 5]), formats[f].name);
            }
            emu_env_free(s.e);
        }
}

/* ---- border colours ---- */

static void
test_borders(void **state)
{
    static const mach_image images[2] = {IMAGE(r8g8b8a8_unorm, 2D, 4, 4, 1, 1, 1, false),
                                         IMAGE(r32_uint, 2D, 4, 4, 1, 1, 1, false)};
    static const uint32_t indices[] = {0, 1, 255, 4095};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < 2 * (3 + 4); k++) {
            bool is_int = k & 1;
            uint32_t type = k / 2 < 3 ? k / 2 : AMD_BORDER_TABLE, one = is_int ? 1 : ONE;
            uint32_t index = type == AMD_BORDER_TABLE ? indices[k / 2 - 3] : 0;
            setting s = set_up(targets[t].gen, &images[is_int]);
            mach_region *r = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, 65536, 256, "borders");
            for (uint32_t c = 0; c < 16384; c++)
                memcpy(r->host + 4 * c, &(uint32_t){ONE + c}, 4);
            s.e->d.border_colors = r->base;
            set_words(&s, &(amd_sampler_desc){
                              .clamp = {6, 6, 6}, .border_type = type, .border_index = index});
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l, (float[]){l & 1 ? -0.2f : 1.1f, l & 2 ? 0.5f : 7}, 2);
            run_op(&s, "image_sample_lz", is_int ? 1 : 15, is_int ? 1 : 4, 2, true, "");
            for (uint32_t c = 0; c < (is_int ? 1u : 4u); c++) {
                uint32_t want = type == AMD_BORDER_TABLE        ? ONE + 4 * index + c
                                : type == 2 || (type && c == 3) ? one
                                                                : 0;
                for (uint32_t l = 0; l < LANES; l++)
                    assert_int_equal(s.e->w.vgpr[c][l], want);
            }
            emu_env_free(s.e);
        }
}

/* ---- levels of detail ---- */

/* A level is a number: level n has n + 1 in all texels. */
static setting
set_up_levels(amd_gen gen, uint32_t base, uint32_t last, uint32_t min_lod)
{
    static const mach_image like = IMAGE(r32_sfloat, 2D, 16, 16, 1, 1, 5, false);
    setting s = set_up(gen, &like);
    amd_image_desc d;
    for (uint32_t level = 0; level < 5; level++)
        for (uint32_t k = 0; k < 256u >> 2 * level; k++) {
            uint32_t w = 16u >> level;
            uint64_t at = mach_texel_offset(&s.m, k % w, k / w, 0, level, 0);
            memcpy(s.m.data + at, &(float){(float)level + 1}, 4);
        }
    s.m.base_level = base;
    s.m.view_levels = last - base + 1;
    s.m.min_lod = (float)min_lod / 256;
    amd_image_decode(gen, s.e->w.sgpr + 8, &d);
    d.base_level = base;
    d.last_level = last;
    d.min_lod = min_lod;
    amd_image_encode(gen, &d, s.e->w.sgpr + 8);
    return s;
}

static void
test_levels(void **state)
{
    /* in 1/256: the T#'s min_lod counts from the resource's first level, the others from the view's
     */
    static const struct {
        uint32_t base, last, view_min, min, max;
        int32_t bias;
    } cases[] = {
        {0, 4, 0, 0, 4095, 0},      {0, 4, 0, 384, 4095, 0}, {0, 4, 0, 0, 640, 0},
        {1, 3, 0, 0, 4095, 0},      {0, 4, 0, 0, 4095, 192}, {0, 4, 0, 0, 4095, -320},
        {0, 4, 512, 0, 4095, 0},    {1, 4, 512, 0, 4095, 0}, {2, 4, 300, 0, 4095, 64},
        {0, 4, 0, 256, 700, -1000}, {1, 2, 0, 128, 4095, 0},
    };
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < sizeof cases / sizeof *cases; k++) {
            double q = cases[k].last - cases[k].base,
                   least = cases[k].view_min / 256.0 - cases[k].base;
            /* before gfx9 a T# has the last level, not the number of levels */
            if (targets[t].gen <= AMD_GFX8 && cases[k].last < 4)
                continue;
            setting s = set_up_levels(targets[t].gen, cases[k].base, cases[k].last,
                                      cases[k].view_min);
            set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2},
                                              .min_lod = cases[k].min,
                                              .max_lod = cases[k].max,
                                              .lod_bias = cases[k].bias,
                                              .min_filter = 1,
                                              .mag_filter = 1,
                                              .mip_filter = 2});
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l, (float[]){0.5f, 0.5f, (float)l / 8 - 2}, 3);
            run_op(&s, "image_sample_l", 1, 1, 3, true, "");
            for (uint32_t l = 0; l < LANES; l++) {
                double lod = l / 8.0 - 2 + cases[k].bias / 256.0;
                lod = fmin(fmax(lod, cases[k].min / 256.0), cases[k].max / 256.0);
                lod = fmin(fmax(fmin(fmax(lod, 0), q), least), q);
                expect(&s, 0, l, cases[k].base + 1 + lod, "image_sample_l");
            }
            emu_env_free(s.e);
        }
}

/* mip_filter 0: only the first level, with any lod. */
static void
test_no_mips(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (!targets[t].samples)
            continue;
        setting s = set_up_levels(targets[t].gen, 1, 4, 0);
        set_words(&s, &(amd_sampler_desc){.max_lod = 4095});
        for (uint32_t l = 0; l < LANES; l++)
            set_floats(&s, l, (float[]){0.5f, 0.5f, (float)l / 8}, 3);
        run_op(&s, "image_sample_l", 1, 1, 3, true, "");
        for (uint32_t l = 0; l < LANES; l++)
            expect(&s, 0, l, 2, "image_sample_l without mips");
        emu_env_free(s.e);
    }
}

/* image_get_lod: the selected level, and the lod before limits, for gradients of 4 texels. */
static void
test_get_lod(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (!targets[t].samples)
            continue;
        setting s = set_up_levels(targets[t].gen, 0, 4, 0);
        set_words(&s, &(amd_sampler_desc){.max_lod = 256, .mip_filter = 2, .lod_bias = 128});
        for (uint32_t l = 0; l < LANES; l++)
            set_floats(&s, l, (float[]){(float)(l & 1) / 4, (float)(l >> 1 & 1) / 8}, 2);
        run_op(&s, "image_get_lod", 3, 2, 2, true, "");
        for (uint32_t l = 0; l < LANES; l++) {
            expect(&s, 0, l, 1, "image_get_lod, level");
            expect(&s, 1, l, 2.5, "image_get_lod, lod");
        }
        emu_env_free(s.e);
    }
}

/* ---- gathers ---- */

static void
test_gather_components(void **state)
{
    static const mach_image like = IMAGE(r8g8b8a8_unorm, 2D, 8, 4, 1, 1, 1, false);
    static const int corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (uint32_t c = 0; targets[t].samples && c < 4; c++) {
            setting s = set_up(targets[t].gen, &like);
            set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2}});
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l, (float[]){((float)(l % 7) + 1) / 8, ((float)(l / 7 % 3) + 1) / 4},
                           2);
            run_op(&s, "image_gather4_lz", 1u << c, 4, 2, true, "");
            for (uint32_t l = 0; l < LANES; l++)
                for (uint32_t k = 0; k < 4; k++)
                    expect(&s, k, l,
                           channel(0, l % 7 + (uint32_t)corner[k][0],
                                   l / 7 % 3 + (uint32_t)corner[k][1], 0, 0, c) /
                               255.0,
                           "image_gather4_lz");
            /* each red value is compared */
            set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2}, .compare = 1});
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l,
                           (float[]){0.5f, ((float)(l % 7) + 1) / 8, ((float)(l / 7 % 3) + 1) / 4},
                           3);
            run_op(&s, "image_gather4_c_lz", 1, 4, 3, true, "");
            for (uint32_t l = 0; l < LANES; l++)
                for (uint32_t k = 0; k < 4; k++)
                    expect(&s, k, l,
                           channel(0, l % 7 + (uint32_t)corner[k][0],
                                   l / 7 % 3 + (uint32_t)corner[k][1], 0, 0, 0) > 127,
                           "image_gather4_c_lz");
            emu_env_free(s.e);
        }
}

/* Gathers read only the nearest level, from a given lod or a bias (gradients are 1 texel). */
static void
test_gather_levels(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned bias = 0; targets[t].samples && bias < 2; bias++) {
            setting s = set_up_levels(targets[t].gen, 0, 4, 0);
            set_words(&s, &(amd_sampler_desc){.max_lod = 4095, .mip_filter = 2});
            for (uint32_t l = 0; l < LANES; l++) {
                float lod = (float)(l / 4) / 5;
                float at[2] = {(float)(l & 1) / 16, (float)(l >> 1 & 1) / 16};
                set_floats(&s, l,
                           bias ? (float[]){lod, at[0], at[1]} : (float[]){at[0], at[1], lod}, 3);
            }
            run_op(&s, bias ? "image_gather4_b" : "image_gather4_l", 1, 4, 3, true, "");
            for (uint32_t l = 0; l < LANES; l++)
                for (uint32_t k = 0; k < 4; k++)
                    expect(&s, k, l, 1 + floor((double)(l / 4) / 5 + 0.4999), "a gather's level");
            emu_env_free(s.e);
        }
}

/* ---- cubes ---- */

/* Face f contains f + 1. The axis and sign of a face, and the directions of its s and t, are those
 * of the ISA guides' v_cubeid, v_cubesc, v_cubetc. */
static const struct face {
    int major, sign, s_axis, s_sign, t_axis, t_sign;
} faces[6] = {
    {0, 1, 2, -1, 1, -1}, {0, -1, 2, 1, 1, -1}, {1, 1, 0, 1, 2, 1},
    {1, -1, 0, 1, 2, -1}, {2, 1, 0, 1, 1, -1},  {2, -1, 0, -1, 1, -1},
};

static uint32_t
face_along(int axis, int sign)
{
    return (uint32_t)(2 * axis + (sign < 0));
}

static void
test_cube_edges(void **state)
{
    static const mach_image like = IMAGE(r32_sfloat, CUBE, 4, 4, 1, 6, 1, false);
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned seam = 0; targets[t].samples && seam < 2; seam++) {
            setting s = set_up(targets[t].gen, &like);
            for (uint32_t k = 0; k < 96; k++) {
                uint64_t at = mach_texel_offset(&s.m, k % 4, k / 4 % 4, k / 16, 0, 0);
                memcpy(s.m.data + at, &(float){(float)(k / 16) + 1}, 4);
            }
            set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2},
                                              .mag_filter = 1,
                                              .min_filter = 1,
                                              .disable_cube_wrap = seam});
            /* on each face left, right, upper, lower edge, then the four corners */
            static const int places[8][2] = {{-1, 0},  {1, 0},  {0, -1}, {0, 1},
                                             {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
            for (uint32_t l = 0; l < LANES; l++) {
                const int *p = places[l % 8];
                set_floats(
                    &s, l,
                    (float[]){1.5f + (float)p[0] / 2, 1.5f + (float)p[1] / 2, (float)(l / 8 % 6)},
                    3);
            }
            run_op(&s, "image_sample_lz", 1, 1, 3, true, "");
            for (uint32_t l = 0; l < LANES; l++) {
                uint32_t f = l / 8 % 6, n = 1;
                const struct face *g = &faces[f];
                const int *p = places[l % 8];
                double sum = f + 1;
                if (p[0] && ++n)
                    sum += face_along(g->s_axis, p[0] * g->s_sign) + 1;
                if (p[1] && ++n)
                    sum += face_along(g->t_axis, p[1] * g->t_sign) + 1;
                expect(&s, 0, l, seam ? f + 1 : sum / n, "a cube's edge");
            }
            emu_env_free(s.e);
        }
}

/* ---- layers, coordinates, gradients ---- */

static void
test_layer_rounding(void **state)
{
    static const mach_image like = IMAGE(r8g8b8a8_unorm, 2D, 4, 4, 1, 5, 1, true);
    static const struct {
        float layer;
        uint32_t want;
    } cases[] = {{0.5f, 0}, {0.51f, 1}, {1.5f, 2}, {2.5f, 2},  {3.49f, 3},
                 {-3, 0},   {4.4f, 4},  {9, 4},    {1e20f, 4}, {-0.4f, 0}};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        if (!targets[t].samples)
            continue;
        setting s = set_up(targets[t].gen, &like);
        set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2}});
        for (uint32_t l = 0; l < LANES; l++)
            set_floats(&s, l, (float[]){0.4f, 0.6f, cases[l % 10].layer}, 3);
        run_op(&s, "image_sample_lz", 1, 1, 3, true, "");
        for (uint32_t l = 0; l < LANES; l++)
            expect(&s, 0, l, channel(0, 1, 2, cases[l % 10].want, 0, 0) / 255.0, "a layer");
        /* TRUNC_COORD, which gfx11's texture unit can be configured not to apply to layers */
        set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2}, .trunc_coord = true});
        run_op(&s, "image_sample_lz", 1, 1, 3, true, "");
        for (uint32_t l = 0; l < LANES; l++) {
            float layer = floorf(cases[l % 10].layer);
            uint32_t cut = layer < 0 ? 0 : layer > 4 ? 4 : (uint32_t)layer;
            expect(&s, 0, l,
                   channel(0, 1, 2, s.gen < AMD_GFX11 ? cut : cases[l % 10].want, 0, 0) / 255.0,
                   "a layer with TRUNC_COORD");
        }
        emu_env_free(s.e);
    }
}

/* Texel coordinates (unorm, and FORCE_UNNORMALIZED) with a filter. */
static void
test_texel_coordinates(void **state)
{
    static const mach_image like = IMAGE(r8g8b8a8_unorm, 2D, 9, 5, 1, 1, 1, false);
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned forced = 0; targets[t].samples && forced < 2; forced++) {
            setting s = set_up(targets[t].gen, &like);
            set_words(&s, &(amd_sampler_desc){.clamp = {2, 2, 2},
                                              .mag_filter = 1,
                                              .min_filter = 1,
                                              .unnormalized = forced});
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l, (float[]){(float)(l % 8) + 0.75f, (float)(l / 8 % 4) + 1.25f}, 2);
            run_op(&s, "image_sample_lz", 1, 1, 2, true, forced ? "" : " unorm");
            for (uint32_t l = 0; l < LANES; l++) {
                uint32_t x = l % 8, y = l / 8 % 4, next = y + 1 < 5 ? y + 1 : 4;
                double up = 0.75 * channel(0, x, y, 0, 0, 0) + 0.25 * channel(0, x + 1, y, 0, 0, 0),
                       down = 0.75 * channel(0, x, next, 0, 0, 0) +
                              0.25 * channel(0, x + 1, next, 0, 0, 0);
                expect(&s, 0, l, (0.25 * up + 0.75 * down) / 255, "texel coordinates");
            }
            emu_env_free(s.e);
        }
}

/* Explicit gradients of 2 and 4 texels: as floats, as halves, coarse. */
static void
test_gradients(void **state)
{
    static const struct {
        const char *op, *more;
        amd_gen first, last;
        bool half, coords_half, clamp;
    } ways[] = {
        {"image_sample_d", "", AMD_GFX6, AMD_GFX12, false, false, false},
        {"image_sample_d_cl", "", AMD_GFX6, AMD_GFX12, false, false, true},
        {"image_sample_cd", "", AMD_GFX6, AMD_GFX10_3, false, false, false},
        {"image_sample_cd_cl", "", AMD_GFX6, AMD_GFX10_3, false, false, true},
        {"image_sample_d", " a16", AMD_GFX9, AMD_GFX908, true, true, false},
        {"image_sample_d", " a16", AMD_GFX10, AMD_GFX12, false, true, false},
        {"image_sample_d_g16", "", AMD_GFX10, AMD_GFX12, true, false, false},
        {"image_sample_d_g16", " a16", AMD_GFX10, AMD_GFX12, true, true, false},
        {"image_sample_d_cl_g16", "", AMD_GFX10, AMD_GFX12, true, false, true},
        {"image_sample_cd_g16", "", AMD_GFX10, AMD_GFX10_3, true, false, false},
    };
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < sizeof ways / sizeof *ways; k++) {
            amd_gen gen = targets[t].gen;
            if (gen < ways[k].first || gen > ways[k].last)
                continue;
            setting s = set_up_levels(gen, 0, 4, 0);
            set_words(&s, &(amd_sampler_desc){
                              .max_lod = 4095, .mip_filter = 2, .min_filter = 1, .mag_filter = 1});
            uint32_t n = 0;
            for (uint32_t l = 0; l < LANES; l++) {
                float g[4] = {0.125f, 0, 0, l & 1 ? 0.25f : 0.0625f};
                n = 0;
                for (uint32_t d = 0; d < 4; d += ways[k].half ? 2 : 1)
                    address(&s, n++)[l] = ways[k].half
                                              ? (uint32_t)(amd_emu_to_half_rne(g[d]) |
                                                           (uint32_t)amd_emu_to_half_rne(g[d + 1])
                                                               << 16)
                                              : base_f32_bits(g[d]);
                if (ways[k].coords_half)
                    address(&s, n++)[l] = 0x38003800;
                for (uint32_t c = 0; !ways[k].coords_half && c < 2; c++)
                    address(&s, n++)[l] = base_f32_bits(0.5f);
                if (ways[k].clamp)
                    address(&s, n++)[l] = base_f32_bits(1.5f);
            }
            run_op(&s, ways[k].op, 1, 1, n, true, ways[k].more);
            for (uint32_t l = 0; l < LANES; l++) {
                double lod = l & 1 ? 2 : 1;
                expect(&s, 0, l, 1 + (ways[k].clamp && lod < 1.5 ? 1.5 : lod), ways[k].op);
            }
            emu_env_free(s.e);
        }
}

/* FORCE_DEGAMMA reads UNORM as sRGB, SKIP_DEGAMMA sRGB as UNORM; gfx6 to gfx8 have the first alone.
 */
static void
test_degamma(void **state)
{
    static const mach_image images[2] = {IMAGE(r8g8b8a8_unorm, 2D, 8, 8, 1, 1, 1, false),
                                         IMAGE(r8g8b8a8_srgb, 2D, 8, 8, 1, 1, 1, false)};
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; targets[t].samples && k < 8; k++) {
            bool srgb = k & 1, force = k & 2, skip = k & 4;
            setting s = set_up(targets[t].gen, &images[srgb]);
            for (uint32_t n = 0; n < s.m.size; n++)
                s.m.data[n] = (uint8_t)base_hash64(n);
            set_words(&s, &(amd_sampler_desc){
                              .clamp = {2, 2, 2}, .force_degamma = force, .skip_degamma = skip});
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l, (float[]){((float)(l % 8) + 0.5f) / 8, (float)(l / 8) / 8}, 2);
            run_op(&s, "image_sample_lz", 15, 4, 2, true, "");
            skip &= s.gen >= AMD_GFX9;
            for (uint32_t l = 0; l < LANES; l++)
                for (uint32_t c = 0; c < 4; c++) {
                    uint64_t at = mach_texel_offset(&s.m, l % 8, l / 8, 0, 0, 0) + c;
                    double v = s.m.data[at] / 255.0;
                    if (c < 3 && (srgb || force) && !skip)
                        v = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
                    expect(&s, c, l, v, "degamma");
                }
            emu_env_free(s.e);
        }
}

/* ---- bits that change nothing ---- */

/* ANISO_THRESHOLD, MC_COORD_TRUNC, ANISO_BIAS; PERF_MIP and PERF_Z; LOD_BIAS_SEC;
 * MIP_POINT_PRECLAMP, DISABLE_LSB_CEIL, FILTER_PREC_FIX, ANISO_OVERRIDE. */
static void
test_ignored_bits(void **state)
{
    static const mach_image like = IMAGE(r8g8b8a8_unorm, 2D, 8, 8, 1, 1, 3, false);
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++) {
        uint32_t plain[2][LANES];
        for (unsigned more = 0; targets[t].samples && more < 2; more++) {
            setting s = set_up(targets[t].gen, &like);
            set_words(&s, &(amd_sampler_desc){.max_lod = 4095,
                                              .mip_filter = 2,
                                              .min_filter = 1,
                                              .mag_filter = 1,
                                              .lod_bias = 100});
            s.e->w.sgpr[24] |= more ? 5u << 16 | 1u << 19 | 9u << 21 : 0;
            s.e->w.sgpr[25] |= more && s.gen < AMD_GFX12 ? 0xa5u << 24 : 0;
            s.e->w.sgpr[26] |= more ? 0xfu << 28 : 0;
            for (uint32_t l = 0; l < LANES; l++)
                set_floats(&s, l, (float[]){(float)(l % 8) / 7, (float)(l / 8) / 6}, 2);
            run_op(&s, "image_sample", 1, 1, 2, true, "");
            memcpy(plain[more], s.e->w.vgpr[0], sizeof plain[more]);
            emu_env_free(s.e);
        }
        if (targets[t].samples)
            assert_memory_equal(plain[0], plain[1], sizeof plain[0]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparisons),    cmocka_unit_test(test_borders),
        cmocka_unit_test(test_levels),         cmocka_unit_test(test_no_mips),
        cmocka_unit_test(test_get_lod),        cmocka_unit_test(test_gather_components),
        cmocka_unit_test(test_gather_levels),  cmocka_unit_test(test_cube_edges),
        cmocka_unit_test(test_layer_rounding), cmocka_unit_test(test_texel_coordinates),
        cmocka_unit_test(test_gradients),      cmocka_unit_test(test_degamma),
        cmocka_unit_test(test_ignored_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
