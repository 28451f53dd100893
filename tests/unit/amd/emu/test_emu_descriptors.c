/* T# and S# of every generation, written by hand from the guides' tables and the register headers,
 * and the places of texels in linear images. Buffers are in test_emu_buffers.c. */
#include "emu_env.h"

#include "amd/emu/desc/texel.h"

#define SEL_XYZW 0xfacu

/* A view of a 300x200 image of 8_8_8_8_UNORM with 5 levels at 0xab12345678_00: levels 1 to 3,
 * layers 2 to 4, min_lod 0x185. */
typedef struct image_case {
    amd_gen gen;
    uint32_t words[8];
    uint32_t layers, max_mip, pitch;
} image_case;

enum { W = 299, H = 199, LOD = 0x185, ARRAY_2D = 13 };

static const image_case image_cases[] = {
    /* data format 10 in 25:20; levels 15:12 and 19:16, TILING_INDEX 8 in 24:20, POW2_PAD 25; DEPTH
     * 12:0 and PITCH 26:13; BASE_ARRAY 12:0, LAST_ARRAY 25:13 */
    {AMD_GFX6,
     {0x12345678, 0xab | LOD << 8 | 10 << 20, W | H << 14,
      SEL_XYZW | 1 << 12 | 3 << 16 | 8 << 20 | 1 << 25 | (uint32_t)ARRAY_2D << 28, 6 | 511 << 13,
      2 | 4 << 13, 0, 0},
     7,
     3,
     512},
    /* MTYPE in 31:30 of word 1 */
    {AMD_GFX8,
     {0x12345678, 0xab | LOD << 8 | 10 << 20 | 3u << 30, W | H << 14,
      SEL_XYZW | 1 << 12 | 3 << 16 | 8 << 20 | 1 << 25 | (uint32_t)ARRAY_2D << 28, 6 | 511 << 13,
      2 | 4 << 13, 0, 0},
     7,
     3,
     512},
    /* SW_MODE 0; PITCH 28:13, in rows if there are several levels; MAX_MIP 31:28 of word 5 */
    {AMD_GFX9,
     {0x12345678, 0xab | LOD << 8 | 10 << 20, W | H << 14,
      SEL_XYZW | 1 << 12 | 3 << 16 | (uint32_t)ARRAY_2D << 28, 4 | 388 << 13, 2 | 4u << 28, 0, 0},
     0,
     4,
     389},
    /* format 28:20, the width's low bits 31:30; RESOURCE_LEVEL; MAX_MIP 7:4 of word 5 */
    {AMD_GFX10,
     {0x12345678, 0xab | LOD << 8 | 56 << 20 | 3u << 30, W >> 2 | H << 14 | 1u << 31,
      SEL_XYZW | 1 << 12 | 3 << 16 | (uint32_t)ARRAY_2D << 28, 4 | 2 << 16, 4 << 4, 0, 0},
     0,
     4,
     0},
    {AMD_GFX10_3,
     {0x12345678, 0xab | LOD << 8 | 56 << 20 | 3u << 30, W >> 2 | H << 14 | 1u << 31,
      SEL_XYZW | 1 << 12 | 3 << 16 | (uint32_t)ARRAY_2D << 28, 4 | 2 << 16, 4 << 4, 0, 0},
     0,
     4,
     0},
    /* MAX_MIP 19:16, format 27:20 (42: 8_8_8_8_UNORM); MIN_LOD in words 5 and 6 */
    {AMD_GFX11,
     {0x12345678, 0xab | 4 << 16 | 42 << 20 | 3u << 30, W >> 2 | H << 14,
      SEL_XYZW | 1 << 12 | 3 << 16 | (uint32_t)ARRAY_2D << 28, 4 | 2 << 16,
      (uint32_t)(LOD & 31) << 27, LOD >> 5, 0},
     0,
     4,
     0},
    {AMD_GFX11_5,
     {0x12345678, 0xab | 4 << 16 | 42 << 20 | 3u << 30, W >> 2 | H << 14,
      SEL_XYZW | 1 << 12 | 3 << 16 | (uint32_t)ARRAY_2D << 28, 4 | 2 << 16,
      (uint32_t)(LOD & 31) << 27, LOD >> 5, 0},
     0,
     4,
     0},
    /* MAX_MIP 16:12, format 24:17, BASE_LEVEL 29:25; LAST_LEVEL 19:15 */
    {AMD_GFX12,
     {0x12345678, 0xab | 4 << 12 | 42 << 17 | 1 << 25 | 3u << 30, W >> 2 | H << 14,
      SEL_XYZW | 3 << 15 | (uint32_t)ARRAY_2D << 28, 4 | 2 << 16, (uint32_t)(LOD & 63) << 26,
      LOD >> 6, 0},
     0,
     4,
     0},
};

static void
test_image_words(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof image_cases / sizeof *image_cases; k++) {
        const image_case *c = &image_cases[k];
        uint32_t again[8];
        amd_image_desc d;
        amd_image_decode(c->gen, c->words, &d);
        assert_null(d.unbuilt);
        assert_true(d.base == UINT64_C(0xffffab1234567800));
        assert_int_equal(d.format, AMD_FORMAT_8_8_8_8_UNORM);
        assert_int_equal(d.width, 300);
        assert_int_equal(d.height, 200);
        assert_int_equal(d.min_lod, LOD);
        assert_int_equal(d.base_level, 1);
        assert_int_equal(d.last_level, 3);
        assert_int_equal(d.max_mip, c->max_mip);
        assert_int_equal(d.base_array, 2);
        assert_int_equal(d.depth, 5);
        assert_int_equal(d.layers, c->layers);
        assert_int_equal(d.type, AMD_IMG_2D_ARRAY);
        assert_int_equal(d.pitch, c->pitch);
        for (uint32_t s = 0; s < 4; s++)
            assert_int_equal(d.dst_sel[s], AMD_SEL_X + s);
        amd_image_encode(c->gen, &d, again);
        for (uint32_t w = 0; w < 8; w++) /* except MTYPE, which has no meaning here */
            assert_int_equal(again[w],
                             w == 1 && c->gen == AMD_GFX8 ? c->words[w] & 0x3fffffff : c->words[w]);
    }
}

/* Formats by number: 5_6_5, 32_32_32_32 SINT, 8_8_8_8 SRGB, 5_9_9_9. */
static void
test_format_numbers(void **state)
{
    static const uint16_t unified[4] = {133, 76, 130, 132}, gfx11[4] = {68, 62, 66, 67},
                          gcn[4] = {16, 14 | 5 << 6, 10 | 9 << 6, 34 | 7 << 6};
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        for (amd_gen g = AMD_GFX6; g < AMD_GFX10; g++)
            assert_int_equal(amd_format_of_image(g, gcn[k]), unified[k]);
        assert_int_equal(amd_format_of_image(AMD_GFX10, unified[k]), unified[k]);
        for (amd_gen g = AMD_GFX11; g <= AMD_GFX12; g++)
            assert_int_equal(amd_format_of_image(g, gfx11[k]), unified[k]);
    }
    for (amd_gen g = AMD_GFX6; g <= AMD_GFX12; g++) {
        for (uint32_t f = 1; f <= 77; f++) {
            uint32_t raw = amd_format_to_buffer(g, f);
            assert_true(raw ? amd_format_of_buffer(g, raw) == f : g >= AMD_GFX11);
        }
        assert_int_equal(amd_format_to_buffer(g, 0), 0);
    }
    assert_int_equal(amd_format_of_image(AMD_GFX9, 10 | 7 << 6), AMD_FORMAT_UNKNOWN | 10 | 7 << 6);
    assert_int_equal(amd_format_of_buffer(AMD_GFX12, 64), AMD_FORMAT_UNKNOWN | 64);
}

/* From gfx10.3 on the depth field of a 2D image holds the pitch. */
static void
test_pitch(void **state)
{
    static const struct {
        amd_gen gen;
        uint32_t word4, pitch;
    } cases[] = {
        {AMD_GFX7, 127u << 13, 128}, {AMD_GFX9, 127u << 13, 128},   {AMD_GFX10, 127, 0},
        {AMD_GFX10_3, 127, 128},     {AMD_GFX11, 8192 + 127, 8320}, {AMD_GFX12, 127, 128},
        {AMD_GFX12, 0xffff, 65536},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        amd_image_desc d = {.format = 22,
                            .width = 100,
                            .height = 2,
                            .depth = 1,
                            .layers = 1,
                            .type = AMD_IMG_2D,
                            .sw_mode = cases[k].gen <= AMD_GFX8 ? AMD_TILING_LINEAR : 0};
        uint32_t words[8];
        amd_image_encode(cases[k].gen, &d, words);
        words[4] = cases[k].word4;
        amd_image_decode(cases[k].gen, words, &d);
        assert_int_equal(d.pitch, cases[k].pitch);
        mach_image m;
        assert_true(amd_image_to_mach(cases[k].gen, &d, &m));
        assert_int_equal(m.level[0].row_pitch, d.pitch ? d.pitch * 4 : 512);
    }
}

/* The tiles' own layout: texels without gaps, by layers from gfx9 on, otherwise by levels. */
static void
test_tiles(void **state)
{
    (void)state;
    static const struct {
        amd_gen gen;
        uint32_t sw_mode, dim_type, depth, layers;
        uint64_t offset[3], slice[3], base;
        uint32_t row[3];
    } cases[] = {
        /* up to gfx8 tiles of 8 x 8 texels are filled; later levels have half the blocks, rounded up */
        {AMD_GFX8,
         14,
         AMD_IMG_2D_ARRAY,
         3,
         3,
         {0, 1024, 2048},
         {256, 256, 256},
         0x120000,
         {32, 32, 32}},
        {AMD_GFX8,
         13,
         AMD_IMG_2D_ARRAY,
         3,
         3,
         {0, 1024, 2048},
         {256, 256, 256},
         0x127f00,
         {32, 32, 32}},
        {AMD_GFX6, 14, AMD_IMG_2D, 1, 1, {0, 256, 512}, {256, 256, 256}, 0x120000, {32, 32, 32}},
        {AMD_GFX10_3,
         27,
         AMD_IMG_2D_ARRAY,
         3,
         0,
         {0, 80, 112},
         {128, 128, 128},
         0x120000,
         {20, 12, 8}},
        {AMD_GFX11, 31, AMD_IMG_3D, 4, 0, {0, 320, 384}, {80, 32, 16}, 0x100000, {20, 12, 8}},
        {AMD_GFX12,
         2,
         AMD_IMG_2D_ARRAY,
         3,
         0,
         {0, 80, 112},
         {128, 128, 128},
         0x127000,
         {20, 12, 8}},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        const amd_image_desc d = {.base = 0x127f00,
                                  .format = 20, /* 32_UINT */
                                  .width = 5,
                                  .height = 4,
                                  .depth = cases[k].depth,
                                  .layers = cases[k].layers,
                                  .last_level = 2,
                                  .max_mip = 2,
                                  .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W},
                                  .sw_mode = cases[k].sw_mode,
                                  .tiled = true,
                                  .type = cases[k].dim_type};
        mach_image m;
        assert_true(amd_image_to_mach(cases[k].gen, &d, &m));
        for (unsigned l = 0; l < 3; l++) {
            assert_int_equal(m.level[l].offset, cases[k].offset[l]);
            assert_int_equal(m.level[l].slice_pitch, cases[k].slice[l]);
            assert_int_equal(m.level[l].row_pitch, cases[k].row[l]);
        }
        assert_int_equal(amd_image_tiles_base(cases[k].gen, &d), cases[k].base);
    }
}

/* Up to gfx8 levels begin where addrlib puts them: in macro tiles while they are as large as one. */
static void
test_tiled_levels(void **state)
{
    static const struct {
        amd_gen gen;
        uint32_t sw_mode, format;
        uint64_t offset[4];
    } cases[] = {
        {AMD_GFX7, 14, 20 /* 32_UINT */, {0, 524288, 655360, 688128}},
        {AMD_GFX8, 13, 20, {0, 524288, 655360, 688128}},
        {AMD_GFX6, 14, 20, {0, 524288, 655360, 688128}},
        {AMD_GFX7, 14, 75 /* 32_32_32_32_UINT */, {0, 2097152, 2621440, 2752512}},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        const amd_image_desc d = {.format = cases[k].format,
                                  .width = 400,
                                  .height = 200,
                                  .depth = 1,
                                  .layers = 1,
                                  .last_level = 3,
                                  .max_mip = 3,
                                  .pitch = 512,
                                  .sw_mode = cases[k].sw_mode,
                                  .tiled = true,
                                  .type = AMD_IMG_2D};
        mach_image m;
        assert_true(amd_image_to_mach(cases[k].gen, &d, &m));
        for (unsigned l = 0; l < 4; l++)
            assert_int_equal(m.level[l].offset, cases[k].offset[l]);
    }
}

/* Messages name unsupported features. */
static void
test_unbuilt(void **state)
{
    static const struct {
        amd_gen gen;
        unsigned word;
        uint32_t bits;
        const char *name;
    } cases[] = {
        {AMD_GFX8, 6, 1 << 21, "COMPRESSION_EN"},  {AMD_GFX9, 5, 1 << 13, "ARRAY_PITCH"},
        {AMD_GFX10_3, 5, 1, "ARRAY_PITCH"},        {AMD_GFX11, 5, 1 << 23, "CORNER_SAMPLES"},
        {AMD_GFX11, 6, 1 << 21, "COMPRESSION_EN"}, {AMD_GFX12, 5, 1 << 24, "LINKED_RESOURCE"},
        {AMD_GFX12, 5, 1 << 4, "UAV3D"},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t words[8] = {0};
        amd_image_desc d;
        words[3] = (uint32_t)AMD_IMG_2D << 28;
        if (cases[k].gen <= AMD_GFX8 && cases[k].word != 3)
            words[3] |= AMD_TILING_LINEAR << 20;
        words[cases[k].word] |= cases[k].bits;
        amd_image_decode(cases[k].gen, words, &d);
        if (!d.unbuilt || !strstr(d.unbuilt, cases[k].name))
            fail_msg("%s: %s", cases[k].name, d.unbuilt ? d.unbuilt : "nothing");
    }
}

static void
test_sampler_words(void **state)
{
    (void)state;
    for (amd_gen g = AMD_GFX6; g <= AMD_GFX12; g++) {
        /* clamps 2, 6, 1; aniso 2; LESS_EQUAL; FORCE_UNNORMALIZED, TRUNC_COORD, DISABLE_CUBE_WRAP;
         * minimum; bias -1, filters 1 and 3, mip linear; border colour 5 of the table */
        uint32_t words[4] = {2 | 6 << 3 | 1 << 6 | 2 << 9 | 3 << 12 | 1 << 15 | 3 << 27 | 1 << 29,
                             g < AMD_GFX12 ? 0x123 | 0xfed << 12 : 0x123 | 0x1fed << 13,
                             0x3f00 | 1 << 20 | 3 << 22 | 1 << 24 | 2 << 26,
                             (g < AMD_GFX11 ? 5 : 5 << 18) | 3u << 30},
                 again[4];
        amd_sampler_desc d;
        amd_sampler_decode(g, words, &d);
        assert_null(d.unbuilt);
        assert_true(d.clamp[0] == 2 && d.clamp[1] == 6 && d.clamp[2] == 1);
        assert_true(d.max_aniso == 2 && d.compare == 3 && d.unnormalized && d.trunc_coord);
        assert_true(d.disable_cube_wrap && d.reduction == 1);
        assert_int_equal(d.min_lod, 0x123);
        assert_int_equal(d.max_lod, g < AMD_GFX12 ? 0xfed : 0x1fed);
        assert_int_equal(d.lod_bias, -256);
        assert_true(d.mag_filter == 1 && d.min_filter == 3 && d.z_filter == 1);
        assert_true(d.mip_filter == 2 && d.border_index == 5 && d.border_type == AMD_BORDER_TABLE);
        amd_sampler_encode(g, &d, again);
        assert_memory_equal(again, words, sizeof again);
        words[0] |= 3 << 29; /* FILTER_MODE */
        amd_sampler_decode(g, words, &d);
        assert_non_null(d.unbuilt);
    }
}

/* Two layers of 20x10 texels of 4 bytes, in three levels. */
static void
test_layouts(void **state)
{
    static const struct {
        amd_gen gen;
        uint32_t row[3], offset[3], slice[3], size;
    } cases[] = {
        /* 32x16, 16x8, 8x4 texels in rows of at least 16, level after level */
        {AMD_GFX6, {128, 64, 64}, {0, 4096, 5120}, {2048, 512, 256}, 5632},
        {AMD_GFX8, {128, 64, 64}, {0, 4096, 5120}, {2048, 512, 256}, 5632},
        /* 10, 5 and 3 rows of 256 bytes */
        {AMD_GFX9, {256, 256, 256}, {0, 2560, 3840}, {4608, 4608, 4608}, 9216},
        /* the smallest first: 3, 5, 10 rows */
        {AMD_GFX10, {256, 256, 256}, {2048, 768, 0}, {4608, 4608, 4608}, 9216},
        {AMD_GFX11, {256, 256, 256}, {2048, 768, 0}, {4608, 4608, 4608}, 9216},
        {AMD_GFX12, {128, 128, 128}, {2048, 768, 0}, {4608, 4608, 4608}, 9216},
    };
    (void)state;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        mach_image m = {.format = MACH_FORMAT_r8g8b8a8_unorm,
                        .dim = MACH_DIM_2D,
                        .array = true,
                        .width = 20,
                        .height = 10,
                        .depth = 1,
                        .samples = 1,
                        .levels = 3,
                        .layers = 2};
        assert_int_equal(amd_image_layout(cases[k].gen, &m), cases[k].size);
        for (uint32_t l = 0; l < 3; l++) {
            assert_int_equal(m.level[l].offset, cases[k].offset[l]);
            assert_int_equal(m.level[l].row_pitch, cases[k].row[l]);
            assert_int_equal(m.level[l].slice_pitch, cases[k].slice[l]);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_image_words),   cmocka_unit_test(test_format_numbers),
        cmocka_unit_test(test_pitch),         cmocka_unit_test(test_unbuilt),
        cmocka_unit_test(test_tiles),         cmocka_unit_test(test_tiled_levels),
        cmocka_unit_test(test_sampler_words), cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
