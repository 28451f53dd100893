/* Formats, layout, texel access and sampling against values computed by hand. */
#include "base/fp.h"
#include "machine/image.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t
f(float x)
{
    return base_f32_bits(x);
}

static float
number(uint64_t pattern)
{
    return base_bits_f32((uint32_t)pattern);
}

static void
check_close(float got, float want)
{
    float near = 1e-6f * (10 + (want < 0 ? -want : want));
    if (!(got >= want - near && got <= want + near))
        fail_msg("%g, want %g", (double)got, (double)want);
}

/* ---- formats ---- */

static void
test_texels_are_written_and_read(void **state)
{
    (void)state;
    static const struct {
        mach_format format;
        float in[4];
        uint8_t bytes[4];
        float out[4];
    } rows[] = {
        {MACH_FORMAT_r8g8b8a8_unorm, {0.5f, 2, -1, 1}, {128, 255, 0, 255}, {128 / 255.f, 1, 0, 1}},
        {MACH_FORMAT_b8g8r8a8_unorm, {1, 0, 0.2f, 0}, {51, 0, 255, 0}, {1, 0, 0.2f, 0}},
        {MACH_FORMAT_r8g8_snorm, {-2, 0.5f}, {0x81, 64}, {-1, 64 / 127.f, 0, 1}},
        {MACH_FORMAT_r5g6b5_unorm, {1, 0, 0}, {0x00, 0xf8}, {1, 0, 0, 1}},
        {MACH_FORMAT_r5g5b5a1_unorm, {0, 1, 0, 1}, {0xc1, 0x07}, {0, 1, 0, 1}},
        {MACH_FORMAT_a1r5g5b5_unorm, {1, 0, 0, 0}, {0x00, 0x7c}, {1, 0, 0, 0}},
        {MACH_FORMAT_b4g4r4a4_unorm, {0, 0, 1, 0.2f}, {0x03, 0xf0}, {0, 0, 1, 0.2f}},
        {MACH_FORMAT_a2b10g10r10_unorm, {1, 0, 0, 1}, {0xff, 0x03, 0, 0xc0}, {1, 0, 0, 1}},
        {MACH_FORMAT_a2r10g10b10_unorm, {0, 0, 1, 0}, {0xff, 0x03, 0, 0}, {0, 0, 1, 0}},
        {MACH_FORMAT_r16g16_sfloat, {1.5f, -2}, {0x00, 0x3e, 0x00, 0xc0}, {1.5f, -2, 0, 1}},
        {MACH_FORMAT_r8_uscaled, {3.5f}, {4}, {4, 0, 0, 1}},
        {MACH_FORMAT_r8_sscaled, {-300}, {0x80}, {-128, 0, 0, 1}},
        /* 11 bits: 5 exponent (bias 15), 6 fraction: 1 = 0x3c0, 0.5 = 0x380; 10 bits: 2 = 0x200 */
        {MACH_FORMAT_b10g11r11_ufloat, {1, 0.5f, 2}, {0xc0, 0x03, 0x1c, 0x80}, {1, 0.5f, 2, 1}},
        {MACH_FORMAT_b10g11r11_ufloat, {-1, 1e9f, 0}, {0x00, 0xf8, 0x3d, 0x00}, {0, 65024, 0, 1}},
        /* exponent 16: 256, 128, 64 times 2^(16 - 24) */
        {MACH_FORMAT_e5b9g9r9_ufloat,
         {1, 0.5f, 0.25f},
         {0x00, 0x01, 0x01, 0x81},
         {1, 0.5f, 0.25f, 1}},
        {MACH_FORMAT_r8g8b8a8_srgb,
         {0.2158605f, 0, 1, 0.5f},
         {128, 0, 255, 128},
         {0.2158605f, 0, 1, 128 / 255.f}},
        {MACH_FORMAT_d16_unorm, {1}, {0xff, 0xff}, {1, 0, 0, 1}},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        uint8_t bytes[16] = {0};
        mach_texel t;
        for (unsigned c = 0; c < 4; c++)
            t.c[c] = f(rows[r].in[c]);
        mach_texel_write(rows[r].format, bytes, &t);
        for (unsigned k = 0; k < mach_format_get(rows[r].format)->bytes; k++) {
            if (bytes[k] != rows[r].bytes[k])
                fail_msg("row %u, byte %u: 0x%x", r, k, bytes[k]);
        }
        t = mach_texel_read(rows[r].format, bytes);
        for (unsigned c = 0; c < 4; c++)
            check_close(number(t.c[c]), rows[r].out[c]);
    }
}

static void
test_integers_are_clamped(void **state)
{
    (void)state;
    uint8_t bytes[8];
    mach_texel_write(MACH_FORMAT_r8g8_uint, bytes, &(mach_texel){{300, 7}});
    assert_int_equal(bytes[0], 255);
    mach_texel_write(MACH_FORMAT_r8g8_sint, bytes, &(mach_texel){{(uint32_t)-200, 100}});
    mach_texel t = mach_texel_read(MACH_FORMAT_r8g8_sint, bytes);
    assert_int_equal(t.c[0], (uint32_t)-128);
    assert_int_equal(t.c[1], 100);
    assert_int_equal(t.c[2], 0);
    assert_int_equal(t.c[3], 1);
    mach_texel_write(MACH_FORMAT_r64_uint, bytes, &(mach_texel){{UINT64_C(0x123456789abcdef0)}});
    assert_int_equal(mach_texel_read(MACH_FORMAT_r64_uint, bytes).c[0],
                     UINT64_C(0x123456789abcdef0));
}

/* Writing what was read gives the same bytes, in every format with unique patterns. */
static void
test_formats_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned k = 1; k < MACH_FORMAT_COUNT; k++) {
        const mach_format_info *info = mach_format_get((mach_format)k);
        unsigned bits = 0;
        for (unsigned c = 0; c < info->channels; c++)
            bits += info->bits[c];
        assert_true(info->kind == MACH_NUM_FMASK ||
                    bits <= 8u * info->bytes * info->block_w * info->block_h);
        if (info->vk)
            assert_int_equal(mach_format_from_vk(info->vk), k);
        assert_int_equal(mach_format_from_name(info->name), k);
        if (bits != 8u * info->bytes || info->kind == MACH_NUM_SHARED ||
            info->kind == MACH_NUM_CLAMPED || info->kind == MACH_NUM_FMASK || info->block)
            continue;
        for (unsigned round = 0; round < 200; round++) {
            uint8_t in[16], out[16] = {0};
            for (unsigned b = 0; b < 16; b++)
                in[b] = (uint8_t)base_hash64(seed++);
            mach_texel t = mach_texel_read((mach_format)k, in);
            bool nan = false;
            for (unsigned c = 0; c < 4; c++)
                nan |= info->kind == MACH_NUM_FLOAT && base_fp_is_nan(t.c[c], 32);
            mach_texel_write((mach_format)k, out, &t);
            /* NaNs become quiet, and SNORM has two patterns for -1. */
            if (nan || info->kind == MACH_NUM_SNORM)
                continue;
            assert_memory_equal(in, out, info->bytes);
        }
    }
    assert_int_equal(mach_format_from_vk(37), MACH_FORMAT_r8g8b8a8_unorm);
    assert_int_equal(mach_format_from_vk(50), MACH_FORMAT_b8g8r8a8_srgb);
    assert_int_equal(mach_format_from_vk(64), MACH_FORMAT_a2b10g10r10_unorm);
    assert_int_equal(mach_format_from_vk(97), MACH_FORMAT_r16g16b16a16_sfloat);
    assert_int_equal(mach_format_from_vk(109), MACH_FORMAT_r32g32b32a32_sfloat);
    assert_int_equal(mach_format_from_vk(126), MACH_FORMAT_d32_sfloat);
    assert_int_equal(mach_format_from_ir(IR_FORMAT_r11g11b10_ufloat), MACH_FORMAT_b10g11r11_ufloat);
    assert_int_equal(mach_format_from_ir(IR_FORMAT_r64_sint), MACH_FORMAT_r64_sint);
}

/* ---- images ---- */

static mach_image
make(mach_format format, mach_dim dim, uint32_t w, uint32_t h, uint32_t d, uint32_t layers,
     uint32_t levels)
{
    mach_image m = {.format = format,
                    .dim = dim,
                    .width = w,
                    .height = h,
                    .depth = d,
                    .samples = 1,
                    .layers = layers,
                    .levels = levels};
    m.size = mach_image_layout(&m);
    assert_true(m.size > 0);
    m.data = calloc(1, m.size);
    return m;
}

/* Writes one number to a texel. */
static void
put(mach_image *m, int32_t x, int32_t y, int32_t z, int32_t level, float value)
{
    int32_t at[4] = {x, m->dim == MACH_DIM_1D ? z : y, z, 0};
    bool array = m->array;
    m->array = m->dim == MACH_DIM_1D || m->dim == MACH_DIM_2D; /* z is the layer */
    mach_image_store(m, at, level, 0, &(mach_texel){{f(value)}});
    m->array = array;
}

static void
test_layout(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r8g8b8a8_unorm, MACH_DIM_2D, 20, 10, 1, 2, 3);
    /* rows of 256 bytes; room for 10, 5 and 3 rows, the smallest level first */
    assert_int_equal(m.level[2].offset, 0);
    assert_int_equal(m.level[1].offset, 768);
    assert_int_equal(m.level[0].offset, 768 + 1280);
    assert_int_equal(m.level[0].slice_pitch, 768 + 1280 + 2560);
    assert_int_equal(m.size, 2 * m.level[0].slice_pitch);
    assert_int_equal(mach_texel_offset(&m, 3, 2, 1, 0, 0), 4608 + 2048 + 512 + 12);
    assert_true(mach_texel_offset(&m, 10, 0, 0, 1, 0) == UINT64_MAX);
    assert_true(mach_texel_offset(&m, 0, 0, 2, 0, 0) == UINT64_MAX);
    free(m.data);
    mach_image bad = {.format = MACH_FORMAT_r8_unorm,
                      .width = 4,
                      .height = 4,
                      .depth = 1,
                      .samples = 1,
                      .layers = 1,
                      .levels = 4,
                      .dim = MACH_DIM_2D};
    assert_int_equal(mach_image_layout(&bad), 0); /* 4x4 has three levels */
    bad.levels = 1;
    bad.width = 0x7fffffff;
    bad.height = 0x7fffffff;
    assert_int_equal(mach_image_layout(&bad), 0);
}

static void
test_access_outside_is_harmless(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r32_uint, MACH_DIM_2D, 4, 4, 1, 3, 1);
    m.array = true;
    const int32_t inside[3] = {3, 2, 1}, outside[][3] = {{4, 0, 0}, {0, -1, 0}, {0, 0, 3}};
    mach_image_store(&m, inside, 0, 0, &(mach_texel){{42}});
    for (unsigned k = 0; k < 3; k++) {
        mach_image_store(&m, outside[k], 0, 0, &(mach_texel){{1}});
        assert_int_equal(mach_image_load(&m, outside[k], 0, 0).c[0], 0);
        assert_int_equal(mach_image_load(&m, outside[k], 0, 0).c[3], 0);
        assert_int_equal(mach_image_atomic(&m, IR_ATOMIC_iadd, outside[k], 0, 0, 1), 0);
    }
    assert_int_equal(mach_image_load(&m, inside, 1, 0).c[0], 0);
    assert_int_equal(mach_image_load(&m, inside, 0, 0).c[0], 42);
    assert_int_equal(mach_image_load(&m, inside, 0, 0).c[3], 1);
    assert_int_equal(mach_image_atomic(&m, IR_ATOMIC_iadd, inside, 0, 0, 0xffffffff), 42);
    assert_int_equal(mach_image_atomic(&m, IR_ATOMIC_cmpxchg, inside, 0, 41, 7), 41);
    assert_int_equal(mach_image_load(&m, inside, 0, 0).c[0], 7);
    /* A view of layer 1 only, swizzled. */
    m.base_layer = 1, m.view_layers = 1, m.array = false;
    memcpy(m.swizzle, "0r1g", 5);
    mach_texel t = mach_image_fetch(&m, inside, 0, 0);
    assert_int_equal(t.c[0], 0);
    assert_int_equal(t.c[1], 7);
    assert_int_equal(t.c[2], 1);
    m.size = 8;
    assert_int_equal(mach_image_load(&m, inside, 0, 0).c[0], 0);
    free(m.data);
}

static void
test_sizes(void **state)
{
    (void)state;
    uint32_t size[3];
    mach_image m = make(MACH_FORMAT_r8_unorm, MACH_DIM_CUBE, 16, 16, 1, 12, 4);
    m.array = true;
    assert_int_equal(mach_image_query_size(&m, 1, size), 3);
    assert_int_equal(size[0], 8);
    assert_int_equal(size[2], 2);
    assert_int_equal(mach_image_query_size(&m, 4, size), 3);
    assert_int_equal(size[0], 0);
    m.base_level = 2, m.view_levels = 2, m.array = false;
    assert_int_equal(mach_image_query_size(&m, 1, size), 2);
    assert_int_equal(size[1], 2);
    free(m.data);
}

/* ---- sampling ---- */

static const mach_sampler nearest = {.max_lod = 1000,
                                     .address = {MACH_ADDRESS_CLAMP_TO_EDGE,
                                                 MACH_ADDRESS_CLAMP_TO_EDGE,
                                                 MACH_ADDRESS_CLAMP_TO_EDGE}};

static float
sample1(const mach_image *m, const mach_sampler *s, float x, float y, float z, float lod)
{
    mach_sample p = {.coord = {x, y, z}, .lod_mode = MACH_LOD_EXPLICIT, .lod = lod};
    return number(mach_image_sample(m, s, &p).c[0]);
}

/* Texels 0 1 2 3: the texel read at -5 ... 8; 9 is the border. */
static void
test_address_modes(void **state)
{
    (void)state;
    static const char *const want[] = {
        [MACH_ADDRESS_REPEAT] = "30123012301230",
        [MACH_ADDRESS_MIRRORED_REPEAT] = "33210012332100",
        [MACH_ADDRESS_CLAMP_TO_EDGE] = "00000012333333",
        [MACH_ADDRESS_CLAMP_TO_BORDER] = "99999012399999",
        [MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE] = "33210012333333",
    };
    mach_image m = make(MACH_FORMAT_r32_sfloat, MACH_DIM_1D, 4, 1, 1, 1, 1);
    for (int k = 0; k < 4; k++)
        put(&m, k, 0, 0, 0, (float)k);
    for (unsigned mode = 0; mode < 5; mode++) {
        mach_sampler s = nearest;
        s.address[0] = (uint8_t)mode;
        s.border[0] = (uint32_t)f(9);
        for (int i = -5; i <= 8; i++) {
            float got = sample1(&m, &s, ((float)i + 0.5f) / 4, 0, 0, 0);
            if (got != (float)(want[mode][i + 5] - '0'))
                fail_msg("mode %u, texel %d: %g", mode, i, (double)got);
        }
    }
    free(m.data);
}

static void
test_linear_filter(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r32_sfloat, MACH_DIM_2D, 2, 2, 1, 1, 1);
    for (int k = 0; k < 4; k++)
        put(&m, k & 1, k >> 1, 0, 0, (float)(k * k)); /* 0 1 / 4 9 */
    mach_sampler s = nearest;
    s.mag_linear = s.min_linear = true;
    check_close(sample1(&m, &s, 0.5f, 0.5f, 0, 0), 3.5f);
    check_close(sample1(&m, &s, 0.25f, 0.5f, 0, 0), 2);
    check_close(sample1(&m, &s, 0.375f, 0.25f, 0, 0), 0.25f);
    check_close(sample1(&m, &s, 0, 0, 0, 0), 0);
    s.address[0] = MACH_ADDRESS_REPEAT;
    check_close(sample1(&m, &s, 0, 0.25f, 0, 0), 0.5f);
    s.address[0] = MACH_ADDRESS_CLAMP_TO_BORDER;
    s.border[0] = (uint32_t)f(10);
    check_close(sample1(&m, &s, 0, 0.25f, 0, 0), 5);
    s.reduction = MACH_REDUCTION_MAX;
    check_close(sample1(&m, &s, 0.5f, 0.5f, 0, 0), 9);
    check_close(sample1(&m, &s, 0.25f, 0.25f, 0, 0), 0); /* weights of the others are 0 */
    s.reduction = MACH_REDUCTION_MIN;
    check_close(sample1(&m, &s, 0.5f, 0.75f, 0, 0), 4);
    s.reduction = MACH_REDUCTION_AVERAGE;
    s.unnormalized = true;
    check_close(sample1(&m, &s, 1, 1, 0, 0), 3.5f);
    free(m.data);
}

static void
test_offsets_and_gather(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r32_sfloat, MACH_DIM_2D, 4, 4, 1, 1, 1);
    for (int k = 0; k < 16; k++)
        put(&m, k & 3, k >> 2, 0, 0, (float)k);
    mach_sample p = {.coord = {0.375f, 0.375f}, .offset = {1, -1}};
    assert_true(number(mach_image_sample(&m, &nearest, &p).c[0]) == 2);
    /* The footprint of (0.5, 0.5): 5 6 / 9 10; gather begins at the lower left. */
    static const float want[] = {9, 10, 6, 5};
    p = (mach_sample){.coord = {0.5f, 0.5f}, .gather = true};
    for (unsigned c = 0; c < 4; c++)
        assert_true(number(mach_image_sample(&m, &nearest, &p).c[c]) == want[c]);
    static const int32_t offsets[4][2] = {{0, 0}, {1, 1}, {-1, 0}, {2, 2}};
    static const float want_offsets[] = {5, 10, 4, 15};
    p.offsets = offsets;
    for (unsigned c = 0; c < 4; c++)
        assert_true(number(mach_image_sample(&m, &nearest, &p).c[c]) == want_offsets[c]);
    p.component = 3;
    assert_true(number(mach_image_sample(&m, &nearest, &p).c[0]) == 1);
    free(m.data);
}

static void
test_levels_of_detail(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r32_sfloat, MACH_DIM_2D, 8, 8, 1, 1, 4);
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 64; k++)
            put(&m, k & 7, k >> 3, 0, l, (float)(l * 10));
    mach_sampler s = nearest;
    assert_true(sample1(&m, &s, 0.5f, 0.5f, 0, 1.5f) == 10); /* ties go down: ceil(d + .5) - 1 */
    assert_true(sample1(&m, &s, 0.5f, 0.5f, 0, 1.6f) == 20);
    s.mip_linear = true;
    check_close(sample1(&m, &s, 0.5f, 0.5f, 0, 1.25f), 12.5f);
    check_close(sample1(&m, &s, 0.5f, 0.5f, 0, 99), 30);
    s.lod_bias = 0.5f;
    check_close(sample1(&m, &s, 0.5f, 0.5f, 0, 1), 15);
    s.max_lod = 0.75f;
    check_close(sample1(&m, &s, 0.5f, 0.5f, 0, 1), 7.5f);
    s = nearest;
    s.min_lod = 2;
    assert_true(sample1(&m, &s, 0.5f, 0.5f, 0, 0) == 20);
    /* A step of 4 texels along x: level 2; the view begins at level 1. */
    s = nearest;
    s.mip_linear = true;
    mach_sample p = {
        .coord = {0.5f, 0.5f}, .lod_mode = MACH_LOD_GRADIENT, .ddx = {0.5f}, .ddy = {0.1f}};
    check_close(number(mach_image_sample(&m, &s, &p).c[0]), 20);
    m.base_level = 1, m.view_levels = 2;
    check_close(number(mach_image_sample(&m, &s, &p).c[0]), 20); /* 2 texels of level 1 */
    p.ddx[0] = 8;
    check_close(number(mach_image_sample(&m, &s, &p).c[0]), 20);
    mach_texel lod = mach_image_query_lod(&m, &s, &p);
    check_close(number(lod.c[0]), 1);
    check_close(number(lod.c[1]), 5);
    /* a NaN does not clamp */
    p = (mach_sample){.lod_mode = MACH_LOD_EXPLICIT, .lod = NAN, .min_lod = NAN};
    check_close(number(mach_image_query_lod(&m, &s, &p).c[0]), 0);
    free(m.data);
}

static void
test_layers_round_to_even(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r32_sfloat, MACH_DIM_2D, 1, 1, 1, 4, 1);
    m.array = true;
    for (int k = 0; k < 4; k++)
        put(&m, 0, 0, k, 0, (float)k);
    assert_true(sample1(&m, &nearest, 0.5f, 0.5f, 0.5f, 0) == 0);
    assert_true(sample1(&m, &nearest, 0.5f, 0.5f, 1.5f, 0) == 2);
    assert_true(sample1(&m, &nearest, 0.5f, 0.5f, -7, 0) == 0);
    assert_true(sample1(&m, &nearest, 0.5f, 0.5f, 99, 0) == 3);
    free(m.data);
}

static void
test_depth_comparison(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_d16_unorm, MACH_DIM_2D, 2, 1, 1, 1, 1);
    put(&m, 0, 0, 0, 0, 0.25f);
    put(&m, 1, 0, 0, 0, 0.75f);
    mach_sampler s = nearest;
    s.compare_enable = true;
    s.compare = MACH_COMPARE_LESS;
    mach_sample p = {.coord = {0.25f, 0.5f}, .has_dref = true, .dref = 0.5f};
    assert_true(number(mach_image_sample(&m, &s, &p).c[0]) == 0);
    p.coord[0] = 0.75f;
    assert_true(number(mach_image_sample(&m, &s, &p).c[0]) == 1);
    s.mag_linear = true;
    p.coord[0] = 0.5f;
    check_close(number(mach_image_sample(&m, &s, &p).c[0]), 0.5f);
    p.dref = 7; /* clamped to 1 */
    s.compare = MACH_COMPARE_EQUAL;
    put(&m, 0, 0, 0, 0, 1);
    check_close(number(mach_image_sample(&m, &s, &p).c[0]), 0.5f);
    free(m.data);
}

static void
test_cubes(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r32_sfloat, MACH_DIM_CUBE, 4, 4, 1, 6, 1);
    for (int face = 0; face < 6; face++)
        for (int k = 0; k < 16; k++)
            put(&m, k & 3, k >> 2, face, 0, (float)(face * 100 + k));
    static const float axes[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    for (int face = 0; face < 6; face++) {
        float got = sample1(&m, &nearest, axes[face][0], axes[face][1], axes[face][2], 0);
        assert_int_equal((int)got / 100, face);
        assert_int_equal((int)got % 100, 10);
    }
    /* +X: s = 0 at z = +1, t = 0 at y = +1. */
    assert_true(sample1(&m, &nearest, 1, 0.9f, 0.9f, 0) == 0);
    assert_true(sample1(&m, &nearest, 1, 0.9f, -0.9f, 0) == 3);
    assert_true(sample1(&m, &nearest, 1, -0.9f, 0.9f, 0) == 12);
    mach_sampler s = nearest;
    s.mag_linear = true;
    /* On the edge of +Z and +X, in row 1: the last texel of +Z (407) and the first of +X (4). */
    check_close(sample1(&m, &s, 1, 0.25f, 1, 0), (407 + 4) / 2.f);
    /* In the middle of the edge of +X and +Y, column 1.5 of +X: +Y's column 3, upside down. */
    check_close(sample1(&m, &s, 1, 1, 0, 0), (1 + 2 + 207 + 211) / 4.f);
    /* The corner of +X, +Y, +Z: the mean of the three counts for the missing texel. */
    check_close(sample1(&m, &s, 1, 1, 1, 0), (0 + 215 + 403) / 3.f);
    /* -Y below -Z: bottom row of -Z (512 ...) at x = 0: 513, 514 and row 3 of -Y: 313, 314. */
    check_close(sample1(&m, &s, 0, -1, -1, 0), (513 + 514 + 313 + 314) / 4.f);
    free(m.data);
}

static void
test_operations_of_the_interpreter(void **state)
{
    (void)state;
    mach_image m = make(MACH_FORMAT_r32_sfloat, MACH_DIM_2D, 4, 4, 1, 1, 1);
    ir_eval_image_op op = {.op = IR_image_store,
                           .dim = IR_DIM_2D,
                           .n_coord = 2,
                           .coord = {1, 2},
                           .n_data = 4,
                           .data = {f(5)}};
    assert_true(mach_image_op(&m, NULL, &op));
    op = (ir_eval_image_op){.op = IR_tex,
                            .tex_op = IR_TEX_txf,
                            .dim = IR_DIM_2D,
                            .n_coord = 2,
                            .coord = {2, 2},
                            .offset = {(uint32_t)-1, 0},
                            .has = IR_EVAL_HAS_OFFSET};
    assert_true(mach_image_op(&m, NULL, &op));
    assert_true(number(op.result[0]) == 5 && number(op.result[3]) == 1);
    op = (ir_eval_image_op){.op = IR_tex,
                            .tex_op = IR_TEX_txl,
                            .dim = IR_DIM_2D,
                            .n_coord = 2,
                            .coord = {(uint32_t)f(0.375f), (uint32_t)f(0.625f)}};
    assert_false(mach_image_op(&m, NULL, &op));
    assert_true(mach_image_op(&m, &nearest, &op));
    assert_true(number(op.result[0]) == 5);
    op = (ir_eval_image_op){.op = IR_image_size, .dim = IR_DIM_2D};
    assert_true(mach_image_op(&m, NULL, &op));
    assert_int_equal(op.result[1], 4);
    op.dim = IR_DIM_buf;
    assert_false(mach_image_op(&m, NULL, &op));
    free(m.data);
    m = make(MACH_FORMAT_r32_uint, MACH_DIM_BUFFER, 100, 1, 1, 1, 1);
    assert_int_equal(m.size, 400);
    op = (ir_eval_image_op){.op = IR_image_atomic,
                            .dim = IR_DIM_buf,
                            .n_coord = 1,
                            .coord = {99},
                            .atomic = IR_ATOMIC_iadd,
                            .data = {3}};
    assert_true(mach_image_op(&m, NULL, &op) && mach_image_op(&m, NULL, &op));
    assert_int_equal(op.result[0], 3);
    assert_int_equal(m.data[396], 6);
    free(m.data);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texels_are_written_and_read),
        cmocka_unit_test(test_integers_are_clamped),
        cmocka_unit_test(test_formats_round_trip),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_access_outside_is_harmless),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_address_modes),
        cmocka_unit_test(test_linear_filter),
        cmocka_unit_test(test_offsets_and_gather),
        cmocka_unit_test(test_levels_of_detail),
        cmocka_unit_test(test_layers_round_to_even),
        cmocka_unit_test(test_depth_comparison),
        cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_operations_of_the_interpreter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
