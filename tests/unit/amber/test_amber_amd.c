/* Compares descriptors that the AMD device writes with what the emulator reads from them, and a few
 * words with the positions in the manual. */
#include "amd/emu/desc/texel.h"
#include "amd/launch/descriptors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_buffer(void **state)
{
    uint32_t w[4];
    amd_buffer_desc d;
    (void)state;
    amd_desc_buffer(AMD_GFX10_3, w, UINT64_C(0x123456789abc), 1000);
    assert_int_equal(w[0], 0x56789abc);
    assert_int_equal(w[1], 0x1234); /* stride 0, no swizzle */
    assert_int_equal(w[2], 1000);
    /* OOB_SELECT 3 in 29:28, RESOURCE_LEVEL in 24, FORMAT 32_FLOAT (22) in 18:12, DST_SEL xyzw. */
    assert_int_equal(w[3], 3u << 28 | 1u << 24 | 22u << 12 | 07654);
    amd_buffer_decode(AMD_GFX10_3, w, &d);
    assert_true(d.base == UINT64_C(0x123456789abc) && d.num_records == 1000 && !d.stride);
    assert_int_equal(d.oob, AMD_OOB_RAW);
    amd_desc_buffer(AMD_GFX10_3, w, 0, UINT64_C(1) << 33);
    assert_int_equal(w[2], UINT32_MAX);
}

static void
test_texel_buffer(void **state)
{
    uint32_t w[4];
    amd_buffer_desc d;
    char swizzle[5];
    mach_image m = {.format = MACH_FORMAT_b8g8r8a8_unorm, .width = 77};
    (void)state;
    assert_true(amd_desc_texel_buffer(AMD_GFX10_3, w, 4096, &m));
    amd_buffer_decode(AMD_GFX10_3, w, &d);
    assert_int_equal(d.stride, 4);
    assert_int_equal(d.num_records, 77);
    assert_int_equal(d.oob, AMD_OOB_INDEX);
    assert_int_equal(amd_format_to_mach(d.format, d.dst_sel, swizzle), m.format);
    m.format = MACH_FORMAT_r8g8b8_unorm;
    assert_false(amd_desc_texel_buffer(AMD_GFX10_3, w, 4096, &m));
}

static void
test_images(void **state)
{
    static const mach_image images[] = {
        {.format = MACH_FORMAT_r8g8b8a8_unorm, .dim = MACH_DIM_2D, .width = 257, .height = 31},
        {.format = MACH_FORMAT_r32_uint, .dim = MACH_DIM_1D, .width = 4, .height = 1},
        {.format = MACH_FORMAT_r16g16b16a16_sfloat,
         .dim = MACH_DIM_3D,
         .width = 6,
         .height = 5,
         .depth = 9,
         .levels = 4},
        {.format = MACH_FORMAT_r8_uint, .dim = MACH_DIM_2D, .width = 16384, .height = 16384},
        {.format = MACH_FORMAT_r32g32b32a32_sint,
         .dim = MACH_DIM_2D,
         .width = 8,
         .height = 8,
         .samples = 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        mach_image m = images[i], read;
        amd_image_desc d;
        uint32_t w[8];
        m.depth += !m.depth;
        m.samples += !m.samples;
        m.levels += !m.levels;
        m.layers = 1;
        assert_true(mach_image_layout(&m) != 0);
        if (m.levels > 1) {
            m.base_level = 1;
            m.view_levels = 2;
        }
        assert_true(amd_desc_image(AMD_GFX10_3, w, UINT64_C(0x7fff12345600), &m));
        amd_image_decode(AMD_GFX10_3, w, &d);
        assert_true(d.base == UINT64_C(0x7fff12345600));
        assert_true(amd_image_to_mach(AMD_GFX10_3, &d, &read));
        assert_int_equal(read.format, m.format);
        assert_int_equal(read.dim, m.dim);
        assert_int_equal(read.width, m.width);
        assert_int_equal(read.height, m.height);
        assert_int_equal(read.depth, m.depth);
        assert_int_equal(read.samples, m.samples);
        assert_int_equal(read.levels, m.levels);
        assert_int_equal(read.base_level, m.base_level);
        assert_int_equal(read.view_levels, m.view_levels);
        assert_true(read.level[0].slice_pitch == m.level[0].slice_pitch);
    }
}

static void
test_wide_image(void **state)
{
    mach_image m = {.format = MACH_FORMAT_r64_uint,
                    .dim = MACH_DIM_2D,
                    .width = 4,
                    .height = 4,
                    .depth = 1,
                    .samples = 1,
                    .levels = 1,
                    .layers = 1};
    amd_image_desc d;
    uint32_t w[8];
    (void)state;
    mach_image_layout(&m);
    assert_true(amd_desc_image(AMD_GFX10_3, w, 256, &m));
    amd_image_decode(AMD_GFX10_3, w, &d);
    assert_int_equal(d.format, 62); /* 32_32_UINT */
}

static void
test_sampler(void **state)
{
    mach_sampler s = {.mag_linear = true,
                      .address = {MACH_ADDRESS_CLAMP_TO_EDGE, MACH_ADDRESS_CLAMP_TO_BORDER,
                                  MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE},
                      .compare_enable = true,
                      .compare = MACH_COMPARE_GREATER,
                      .lod_bias = -1.5f,
                      .min_lod = 0.25f,
                      .max_lod = 3.0f,
                      .border = {0, 0, 0, 0x3f800000}},
                 read;
    amd_sampler_desc d;
    uint32_t w[4];
    (void)state;
    amd_desc_sampler(AMD_GFX10_3, w, &s);
    assert_int_equal(w[1], 64 | 768 << 12); /* MIN_LOD, MAX_LOD in 1/256 */
    amd_sampler_decode(AMD_GFX10_3, w, &d);
    amd_sampler_to_mach(&d, false, true, &read);
    assert_true(read.mag_linear && !read.min_linear && !read.mip_linear && !read.unnormalized);
    assert_memory_equal(read.address, s.address, sizeof s.address);
    assert_memory_equal(read.border, s.border, sizeof s.border);
    assert_int_equal(read.compare, s.compare);
    assert_true(read.lod_bias == -1.5f && read.min_lod == 0.25f && read.max_lod == 3.0f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffer),  cmocka_unit_test(test_texel_buffer),
        cmocka_unit_test(test_images),  cmocka_unit_test(test_wide_image),
        cmocka_unit_test(test_sampler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
