/* Textures and samplers before a6xx: words by the fields of freedreno's descriptions, worked out by
 * hand, and that decoding them gives the image back. */
#include "adreno/emu/desc/old.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ADDRESS = 0x10000 };

static mach_image
make(unsigned gen, mach_dim dim, mach_format format)
{
    mach_image m = {.format = format,
                    .dim = dim,
                    .width = 16,
                    .height = dim == MACH_DIM_CUBE ? 16 : 8,
                    .depth = dim == MACH_DIM_3D ? 4 : 1,
                    .samples = 1,
                    .levels = 3,
                    .layers = dim == MACH_DIM_CUBE ? 6 : 1,
                    .view_levels = 3,
                    .view_layers = dim == MACH_DIM_CUBE ? 6 : 1};
    m.size = adreno_layout_image(gen, &m);
    return m;
}

static void
check_words(unsigned gen, const uint32_t wanted[6])
{
    mach_image m = make(gen, MACH_DIM_2D, MACH_FORMAT_r8g8b8a8_unorm);
    adreno_old_texture t;
    m.view_levels = 1;
    assert_true(adreno_encode_old_image(gen, &m, ADDRESS, &t));
    for (unsigned k = 0; k < 6; k++)
        assert_int_equal(t.word[k], wanted[k]);
    assert_int_equal(t.level[0], gen < 4 ? ADDRESS : 0);
}

static void
words_have_the_fields(void **state)
{
    (void)state;
    check_words(3, (const uint32_t[6]){0x4cc06880, 0x20040008, 0x00040000, 0x00000001});
    check_words(4, (const uint32_t[6]){0x27006880, 0x00080008, 0x00008001, 0x00040001, ADDRESS});
    check_words(5, (const uint32_t[6]){0x0c006880, 0x00040010, 0x20002000, 0x00000001, ADDRESS,
                                       0x00020000});
}

/* Where each level and slice is, and what the words lack, is the same behind decoding. */
static void
check_image(unsigned gen, mach_dim dim, mach_format format)
{
    mach_image m = make(gen, dim, format), out;
    adreno_old_texture t;
    uint64_t address;
    assert_true(adreno_encode_old_image(gen, &m, ADDRESS, &t));
    assert_true(adreno_decode_old_texture(gen, &t, 0, &out, &address));
    assert_int_equal(address, ADDRESS);
    assert_int_equal(out.format, m.format);
    assert_int_equal(out.dim, m.dim);
    assert_int_equal(out.width, m.width);
    assert_int_equal(out.height, m.height);
    assert_int_equal(out.depth, m.depth);
    assert_int_equal(out.layers, m.layers);
    assert_int_equal(out.levels, m.levels);
    assert_true(out.size <= m.size);
    for (uint32_t l = 0; l < m.levels; l++) {
        assert_int_equal(out.level[l].offset, m.level[l].offset);
        assert_int_equal(out.level[l].row_pitch, m.level[l].row_pitch);
        if (m.layers > 1 || m.depth > 1)
            assert_int_equal(out.level[l].slice_pitch, m.level[l].slice_pitch);
    }
}

static void
images_are_read_back(void **state)
{
    static const mach_dim dims[] = {MACH_DIM_2D, MACH_DIM_3D, MACH_DIM_CUBE};
    static const mach_format formats[] = {MACH_FORMAT_r8g8b8a8_unorm, MACH_FORMAT_r32_sfloat,
                                          MACH_FORMAT_r16g16b16a16_uint, MACH_FORMAT_r8_sint,
                                          MACH_FORMAT_r32g32b32a32_sfloat};
    (void)state;
    for (unsigned gen = 3; gen <= 5; gen++)
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
            for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
                check_image(gen, dims[d], formats[f]);
}

/* A format that a generation lacks, and samples where no field counts them. */
static void
what_is_missing_is_refused(void **state)
{
    adreno_old_texture t;
    mach_image m = make(3, MACH_DIM_2D, MACH_FORMAT_r32g32b32_sfloat);
    (void)state;
    assert_false(adreno_encode_old_image(3, &m, ADDRESS, &t));
    assert_true(adreno_encode_old_image(4, &m, ADDRESS, &t));
    m = make(4, MACH_DIM_2D, MACH_FORMAT_r8g8b8a8_unorm);
    m.samples = 4;
    assert_false(adreno_encode_old_image(4, &m, ADDRESS, &t));
    assert_true(adreno_encode_old_image(5, &m, ADDRESS, &t));
}

/* a3xx counts 1/64 of a level, others 1/256. */
static void
samplers_are_read_back(void **state)
{
    const mach_sampler s = {.mip_linear = true,
                            .mag_linear = true,
                            .min_linear = true,
                            .address = {MACH_ADDRESS_CLAMP_TO_EDGE, MACH_ADDRESS_CLAMP_TO_EDGE,
                                        MACH_ADDRESS_CLAMP_TO_EDGE},
                            .lod_bias = -1,
                            .min_lod = 0.5f,
                            .max_lod = 2.5f,
                            .border = {1, 2, 3, 4}};
    adreno_old_sampler w;
    mach_sampler out;
    (void)state;
    assert_true(adreno_encode_old_sampler(3, &s, &w));
    assert_int_equal(w.word[0], 0x1256);
    assert_int_equal(w.word[1], 0x080a07c0);
    for (unsigned gen = 3; gen <= 5; gen++) {
        assert_true(adreno_encode_old_sampler(gen, &s, &w));
        adreno_decode_old_sampler(gen, &w, false, &out);
        assert_true(out.mip_linear && out.mag_linear && out.min_linear);
        assert_int_equal(out.address[2], MACH_ADDRESS_CLAMP_TO_EDGE);
        assert_true(out.lod_bias == s.lod_bias && out.min_lod == s.min_lod &&
                    out.max_lod == s.max_lod);
        assert_memory_equal(out.border, s.border, sizeof s.border);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_the_fields),
        cmocka_unit_test(images_are_read_back),
        cmocka_unit_test(what_is_missing_is_refused),
        cmocka_unit_test(samplers_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
