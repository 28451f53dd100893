/* TeraScale's words of textures, samplers and RATs, and the emulator's texture unit: what is written is read back, and programs find the texels. */
#include "base/bits.h"
#include "base/diag.h"
#include "base/fp.h"
#include "r600/emu/desc/format.h"
#include "r600/emu/emu.h"
#include "r600/isa/asm/asm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = 64, OUT_BYTES = LANES * 16, TEXTURE = 20, TEXELS = 21, IMAGE_RAT = 1 };

/* ---- words ---- */

static mach_image
make_image(mach_dim dim, mach_format f, uint32_t levels)
{
    mach_image m = {.format = f, .dim = dim, .width = 37, .height = 21, .depth = 1, .samples = 1};
    m.levels = levels;
    m.layers = dim == MACH_DIM_CUBE ? 12 : dim == MACH_DIM_3D ? 1 : 5;
    m.height = dim == MACH_DIM_1D ? 1 : dim == MACH_DIM_CUBE ? 37 : 21;
    m.depth = dim == MACH_DIM_3D ? 9 : 1;
    m.array = dim != MACH_DIM_3D;
    m.size = r600_layout_image(&m);
    return m;
}

static void
check_views(const mach_image *a, const mach_image *b)
{
    assert_int_equal(a->dim, b->dim);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->base_level, b->base_level);
    assert_int_equal(a->view_levels, b->view_levels);
    assert_int_equal(a->base_layer, b->base_layer);
    assert_int_equal(a->view_layers, b->view_layers);
    assert_int_equal(a->array, b->array);
    for (uint32_t k = 0; k < b->base_level + b->view_levels; k++) {
        assert_int_equal(a->level[k].offset, b->level[k].offset);
        assert_int_equal(a->level[k].row_pitch, b->level[k].row_pitch);
        assert_int_equal(a->level[k].slice_pitch, b->level[k].slice_pitch);
    }
}

static void
test_textures(void **state)
{
    static const r600_gen gens[] = {R600_GEN_R600, R600_GEN_R700, R600_GEN_EG, R600_GEN_CM};
    static const mach_dim dims[] = {MACH_DIM_1D, MACH_DIM_2D, MACH_DIM_3D, MACH_DIM_CUBE};
    (void)state;
    for (unsigned g = 0; g < 4; g++) {
        for (unsigned k = 0; k < 4; k++) {
            uint32_t words[R600_TEXTURE_WORDS];
            uint64_t address;
            mach_image out, m = make_image(dims[k], MACH_FORMAT_r8g8b8a8_unorm, 4);
            m.base_level = 1;
            m.min_lod = 1;
            m.view_levels = 2;
            m.base_layer = dims[k] == MACH_DIM_3D ? 0 : 2;
            m.view_layers = dims[k] == MACH_DIM_3D ? 1 : dims[k] == MACH_DIM_CUBE ? 9 : 3;
            assert_true(r600_encode_texture(gens[g], &m, 0x100 * 77, words));
            assert_true(r600_decode_texture(gens[g], words, &out, &address));
            assert_int_equal(address, 0x100 * 77);
            check_views(&out, &m);
        }
    }
}

/* Each format has words, which name one with the same bits, and a view shows the same components. */
static void
test_formats(void **state)
{
    unsigned n = 0;
    (void)state;
    for (unsigned k = 1; k < MACH_FORMAT_COUNT; k++) {
        uint8_t bytes[16];
        r600_texel_format words;
        mach_image m = {.format = (mach_format)k};
        const mach_format_info *info = mach_format_get(m.format);
        if (!r600_encode_format(m.format, &words))
            continue;
        n++;
        m.format = r600_decode_format(&words);
        assert_true(m.format);
        if (info->block)
            continue;
        r600_decode_selects(m.format, r600_encode_selects((mach_format)k, "bg1r"), m.swizzle);
        for (unsigned i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(37 * i + 11);
        mach_image plain = {.format = (mach_format)k, .swizzle = "bg1r"};
        const mach_texel a = mach_texel_swizzle(&m, mach_texel_read(m.format, bytes));
        const mach_texel b = mach_texel_swizzle(&plain, mach_texel_read(plain.format, bytes));
        for (unsigned c = 0; c < 4; c++)
            if (a.c[c] != b.c[c])
                fail_msg("%s: component %u", info->name, c);
    }
    assert_true(n >= 80);
}

static void
test_samplers(void **state)
{
    static const uint32_t border[4] = {1, 2, 3, 4};
    static const r600_gen gens[] = {R600_GEN_R600, R600_GEN_CM};
    (void)state;
    for (unsigned g = 0; g < 2; g++) {
        for (uint8_t k = 0; k < 8; k++) {
            uint32_t words[R600_SAMPLER_WORDS];
            mach_sampler out,
                s = {.mag_linear = k & 1, .min_linear = k & 2, .mip_linear = k & 4, .compare = k};
            for (unsigned c = 0; c < 3; c++)
                s.address[c] = (uint8_t)((k + c) % 8);
            s.min_aniso = s.mag_aniso = k & 1 ? 8 : 0;
            s.lod_bias = -1.5f;
            s.min_lod = 0.25f;
            s.max_lod = 7;
            s.trunc_layer = true;
            s.seam = g == 1;
            memcpy(s.border, border, sizeof border);
            assert_true(r600_encode_sampler(gens[g], &s, words));
            r600_decode_sampler(gens[g], words, border, &out);
            assert_memory_equal(&out, &s, sizeof s);
        }
    }
}

static void
test_rats(void **state)
{
    static const mach_dim dims[] = {MACH_DIM_1D, MACH_DIM_2D, MACH_DIM_3D};
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        uint32_t words[R600_RAT_WORDS];
        uint64_t address;
        mach_image out, m = make_image(dims[k], MACH_FORMAT_b8g8r8a8_unorm, 3);
        m.base_level = 2;
        assert_true(r600_encode_rat(&m, 0x4000, words));
        assert_true(r600_decode_rat(words, &out, &address));
        assert_int_equal(address, 0x4000 + m.level[2].offset);
        assert_int_equal(out.format, m.format);
        assert_int_equal(out.width, m.width >> 2);
        assert_int_equal(out.level[0].row_pitch, m.level[2].row_pitch);
        assert_int_equal(out.level[0].slice_pitch, m.level[2].slice_pitch);
    }
}

/* ---- programs ---- */

typedef struct world {
    arena a;
    mach_memory m;
    mach_image image;
    mach_region *out;
    r600_emu_dispatch e;
    mach_report report;
} world;

static const r600_chip *
find_chip(const char *name)
{
    uint32_t i = 0;
    while (strcmp(r600_chips[i].name, name) != 0)
        i++;
    return &r600_chips[i];
}

/* An image of 8 x 8 texels, whose number at x, y is x + 8 y, with two levels; those of the second
 * have 100 more. */
static void
put_image(world *w, mach_format f)
{
    w->image = (mach_image){.format = f,
                            .dim = MACH_DIM_2D,
                            .width = 8,
                            .height = 8,
                            .depth = 1,
                            .samples = 1,
                            .levels = 2,
                            .layers = 1};
    w->image.size = r600_layout_image(&w->image);
    const mach_region *r = mach_memory_alloc(&w->m, MACH_HEAP_LOW, w->image.size, 0, "image");
    w->image.data = r->host;
    for (int32_t level = 0; level < 2; level++)
        for (int32_t y = 0; y < 8 >> level; y++)
            for (int32_t x = 0; x < 8 >> level; x++) {
                const int32_t at[4] = {x, y};
                const uint32_t n = (uint32_t)(100 * level + x + 8 * y);
                const bool is_int = mach_format_is_int(f);
                const mach_texel t = {{is_int ? n : base_f32_bits((float)n)}};
                mach_image_store(&w->image, at, level, 0, &t);
            }
    assert_true(r600_encode_texture(w->e.chip->gen, &w->image, r->base, w->e.resources[TEXTURE]));
    assert_true(r600_encode_rat(&w->image, r->base, w->e.rat_words[IMAGE_RAT]));
    mach_image texels = {.format = f, .dim = MACH_DIM_BUFFER, .width = 8, .swizzle = "grb1"};
    assert_true(r600_encode_texel_buffer(R600_GEN_EG, &texels, r->base, w->e.resources[TEXELS]));
}

/* Runs a text: texture 20 and RAT 1 are the image, RAT 0 is the output, sampler 0 filters. */
static void
run_text(world *w, const char *chip, const char *text, mach_format f)
{
    static diag d;
    const mach_sampler s = {
        .mag_linear = true, .min_linear = true, .max_lod = 10, .address = {2, 2, 2}};
    diag_init(&d);
    memset(w, 0, sizeof *w);
    arena_init(&w->a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (!DIAG_TRY(&d))
        fail_msg("%u:%u: %s", d.loc.line, d.loc.column, d.message);
    const asm_options o = {.is_code = true};
    w->e = (r600_emu_dispatch){.chip = find_chip(chip),
                               .n_gprs = 8,
                               .group_size = {LANES, 1, 1},
                               .groups = {1, 1, 1},
                               .checks = MACH_CHECK_ALL,
                               .max_instructions = 10000};
    asm_unit *u = r600_assemble_unit(&d, &w->a, r600_isa_open(&w->a, w->e.chip->gen), &o,
                                     (asm_text){text, strlen(text)});
    asm_resolve(u);
    w->e.code = u->sections[0].data.data;
    w->e.size = u->sections[0].data.size;
    mach_memory_init(&w->m, &w->a);
    w->out = mach_memory_alloc(&w->m, MACH_HEAP_LOW, OUT_BYTES, 0, "output");
    w->e.rats[0] = (r600_range){w->out->base, OUT_BYTES};
    put_image(w, f);
    assert_true(r600_encode_sampler(w->e.chip->gen, &s, w->e.samplers[0]));
    r600_emu_run(&w->a, &w->m, &w->e, &w->report);
}

static void
run_clean(world *w, const char *chip, const char *text, mach_format f)
{
    run_text(w, chip, text, f);
    if (w->report.n_findings)
        fail_msg("%s: `%s` %s", chip, w->report.findings[0].text, w->report.findings[0].message);
    assert_int_equal(w->report.status, MACH_RUN_DONE);
}

static uint32_t
result(const world *w, unsigned lane, unsigned component)
{
    return r600_read_dword(w->out->host + lane * 16 + component * 4);
}

/* Lane k is at x = k & 7, y = k >> 3 in R1, with 0 in z and w; floats with halves are in R2. Four
 * times the lane is in R3.x. */
#define PLACE                                                                                      \
    "c:\nx: AND_INT R1.x, R0.x, 7\ny: LSHR_INT R1.y, R0.x, 3\nz: MOV R1.z, 0\nw: MOV R1.w, 0 ;\n"  \
    "x: LSHL_INT R3.x, R0.x, 2 ;\n"
#define HEAD     "ALU c CNT(7)\nTEX tex CNT(1)\n"
#define STORE    "MEM_RAT_CACHELESS STORE_RAW RAT0, R4.xyzw, R3 TYPE(WRITE_IND)\n"
#define STORE_CM "MEM_RAT_CACHELESS STORE_DWORD RAT0, R4.xyzw, R3 TYPE(WRITE_IND)\n"

static void
test_loads(void **state)
{
    static world w;
    (void)state;
    run_clean(&w, "cypress",
              HEAD STORE "NOP END_OF_PROGRAM\n" PLACE "tex:\nLD R4.xyzw, R1.xyzw, t20, s0\n",
              MACH_FORMAT_r32_uint);
    for (unsigned lane = 0; lane < LANES; lane++) {
        assert_int_equal(result(&w, lane, 0), lane);
        assert_int_equal(result(&w, lane, 3), 1);
    }
    arena_free(&w.a);
    run_clean(&w, "cayman", HEAD STORE_CM "END\n" PLACE "tex:\nLD R4.xyzw, R1.xyz1, t20, s0\n",
              MACH_FORMAT_r32_sfloat);
    arena_free(&w.a);
}

/* Offsets are in halves of texels; a resource says its sizes. */
static void
test_offsets_and_sizes(void **state)
{
    static world w;
    (void)state;
    run_clean(&w, "cypress",
              HEAD STORE "NOP END_OF_PROGRAM\n" PLACE
                         "tex:\nLD R4.xyzw, R1.xyzw, t20, s0 XOFF(2) YOFF(-2)\n",
              MACH_FORMAT_r32_uint);
    assert_int_equal(result(&w, 9, 0), 2);
    assert_int_equal(result(&w, 0, 0), 0);
    arena_free(&w.a);
    run_clean(&w, "cypress",
              HEAD STORE "NOP END_OF_PROGRAM\n" PLACE
                         "tex:\nGET_TEXTURE_RESINFO R4.xyzw, R1.zzzz, t20, s0\n",
              MACH_FORMAT_r32_uint);
    assert_int_equal(result(&w, 0, 0), 8);
    assert_int_equal(result(&w, 0, 1), 8);
    assert_int_equal(result(&w, 0, 3), 2);
    arena_free(&w.a);
}

/* Between four texels; of the second level, by w or by gradients of two texels a lane. */
static void
test_samples(void **state)
{
    static world w;
    (void)state;
    run_clean(&w, "cypress",
              "ALU c CNT(6)\nTEX tex CNT(1)\n" STORE "NOP END_OF_PROGRAM\n"
              "c:\nx: MOV R1.x, 0.5\ny: MOV R1.y, 0.5\nz: MOV R1.z, 0\nw: MOV R1.w, 1.0 ;\n"
              "x: LSHL_INT R3.x, R0.x, 2 ;\ntex:\nSAMPLE_LZ R4.xyzw, R1.xyzw, t20, s0\n",
              MACH_FORMAT_r32_sfloat);
    assert_int_equal(result(&w, 5, 0), base_f32_bits((27 + 28 + 35 + 36) / 4.0f));
    arena_free(&w.a);
    run_clean(&w, "cypress",
              "ALU c CNT(6)\nTEX tex CNT(1)\n" STORE "NOP END_OF_PROGRAM\n"
              "c:\nx: MOV R1.x, 0.5\ny: MOV R1.y, 0.5\nz: MOV R1.z, 0\nw: MOV R1.w, 1.0 ;\n"
              "x: LSHL_INT R3.x, R0.x, 2 ;\ntex:\nSAMPLE_L R4.xyzw, R1.xyzw, t20, s0\n",
              MACH_FORMAT_r32_sfloat);
    assert_int_equal(result(&w, 5, 0), base_f32_bits(100 + (9 + 10 + 17 + 18) / 4.0f));
    arena_free(&w.a);
    run_clean(&w, "cypress",
              "ALU c CNT(7)\nTEX tex CNT(3)\n" STORE "NOP END_OF_PROGRAM\n"
              "c:\nx: MOV R1.x, 0.5\ny: MOV R1.y, 0.5\nz: MOV R1.z, 0\nw: MOV R1.w, L.x ;\n"
              "LIT 0.25, 0\nx: LSHL_INT R3.x, R0.x, 2 ;\ntex:\n"
              "SET_GRADIENTS_H R0.____, R1.wzz0, t20, s0\n"
              "SET_GRADIENTS_V R0.____, R1.zwz0, t20, s0\n"
              "SAMPLE_G R4.xyzw, R1.xyzw, t20, s0\n",
              MACH_FORMAT_r32_sfloat);
    assert_int_equal(result(&w, 5, 0), base_f32_bits(100 + (9 + 10 + 17 + 18) / 4.0f));
    arena_free(&w.a);
}

/* The four texels around a place; on Evergreen they are read as y z x w, on Cayman in order. */
static void
test_gathers(void **state)
{
    static world w;
    static const float texels[4] = {35, 36, 28, 27};
    static const unsigned places[2][4] = {{1, 2, 0, 3}, {0, 1, 2, 3}};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        run_clean(&w, k ? "cayman" : "cypress",
                  k ? "ALU c CNT(6)\nTEX tex CNT(1)\n" STORE_CM "END\n"
                      "c:\nx: MOV R1.x, 0.5\ny: MOV R1.y, 0.5\nz: MOV R1.z, 0\nw: MOV R1.w, 1.0 ;\n"
                      "x: LSHL_INT R3.x, R0.x, 2 ;\ntex:\nGATHER4 R4.xyzw, R1.xyzw, t20, s0\n"
                    : "ALU c CNT(6)\nTEX tex CNT(1)\n" STORE "NOP END_OF_PROGRAM\n"
                      "c:\nx: MOV R1.x, 0.5\ny: MOV R1.y, 0.5\nz: MOV R1.z, 0\nw: MOV R1.w, 1.0 ;\n"
                      "x: LSHL_INT R3.x, R0.x, 2 ;\ntex:\nGATHER4 R4.xyzw, R1.xyzw, t20, s0\n",
                  MACH_FORMAT_r32_sfloat);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(result(&w, 3, places[k][c]), base_f32_bits(texels[c]));
        arena_free(&w.a);
    }
}

/* A texel buffer over the image's first row: the resource says format and order. */
static void
test_texel_buffer(void **state)
{
    static world w;
    (void)state;
    run_clean(&w, "cypress",
              HEAD STORE "NOP END_OF_PROGRAM\n" PLACE
                         "tex:\nVFETCH R4.xyzw, R1.x, b21 TYPE(NO_INDEX) CONST_FIELDS\n",
              MACH_FORMAT_r8g8b8a8_uint);
    assert_int_equal(result(&w, 3, 0), 0);
    assert_int_equal(result(&w, 3, 1), 3);
    assert_int_equal(result(&w, 3, 3), 1);
    arena_free(&w.a);
}

/* Stores and atomics of texels. */
static void
test_image_rat(void **state)
{
    static world w;
    (void)state;
    run_clean(&w, "cypress",
              "ALU c CNT(7)\nMEM_RAT STORE_TYPED RAT1, R0.xyz_, R1 TYPE(WRITE_IND)\n"
              "MEM_RAT ADD RAT1, R3.xyzw, R1 TYPE(WRITE_IND) END_OF_PROGRAM\n" PLACE,
              MACH_FORMAT_r32_uint);
    for (unsigned lane = 0; lane < LANES; lane++) {
        const int32_t at[4] = {(int32_t)lane & 7, (int32_t)lane >> 3};
        assert_int_equal(mach_image_load(&w.image, at, 0, 0).c[0], 5 * lane);
    }
    arena_free(&w.a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_textures),     cmocka_unit_test(test_formats),
        cmocka_unit_test(test_samplers),     cmocka_unit_test(test_rats),
        cmocka_unit_test(test_loads),        cmocka_unit_test(test_offsets_and_sizes),
        cmocka_unit_test(test_samples),      cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_texel_buffer), cmocka_unit_test(test_image_rat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
