/* Draws of TeraScale's emulator: what fragments get and export, quads and killed pixels, and a program that breaks each rule of exports. */
#include "base/bits.h"
#include "base/diag.h"
#include "base/fp.h"
#include "r600/emu/draw/draw.h"
#include "r600/isa/asm/asm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 4, TEXEL = 16 };

typedef struct drawn {
    mach_report report;
    float color[SIZE][SIZE][4];
} drawn;

/* The programs of a draw for a chip. */
typedef struct programs {
    const char *chip, *vertex, *fragment;
} programs;

typedef struct shop {
    arena a;
    diag d;
    mach_memory memory;
    const r600_chip *chip;
} shop;

static r600_emu_dispatch *
make_dispatch(shop *s, const char *text)
{
    const asm_options o = {.is_code = true};
    asm_unit *u = r600_assemble_unit(&s->d, &s->a, r600_isa_open(&s->a, s->chip->gen), &o,
                                     (asm_text){text, strlen(text)});
    asm_resolve(u);
    r600_emu_dispatch *e = ARENA_NEW(&s->a, r600_emu_dispatch);
    e->chip = s->chip;
    e->code = u->sections[0].data.data;
    e->size = u->sections[0].data.size;
    e->n_gprs = 8;
    e->stack_entries = 1;
    e->checks = MACH_CHECK_ALL;
    e->max_instructions = 10000;
    return e;
}

/* Vertices of a triangle over the whole window, whose x and y are those of the clip space. */
static void
put_vertices(shop *s, r600_emu_dispatch *e)
{
    static const float vertices[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
    mach_region *r = mach_memory_alloc(&s->memory, MACH_HEAP_LOW, sizeof vertices, 0, "vertices");
    memcpy(r->host, vertices, sizeof vertices);
    e->resources[1][0] = (uint32_t)r->base;
    e->resources[1][1] = sizeof vertices - 1;
    e->resources[1][2] = (uint32_t)(r->base >> 32) | TEXEL << 8;
}

static void
set_fixed(mach_draw *f, uint8_t *bytes)
{
    *f = (mach_draw){.assembly = {.topology = MACH_TRIANGLE_LIST, .count = 3},
                     .instances = 1,
                     .setup = {.line_width = 1},
                     .n_viewports = 1,
                     .viewports = {{0, 0, SIZE, SIZE, 0, 1}},
                     .scissors = {{0, 0, SIZE, SIZE}},
                     .area = {0, 0, SIZE, SIZE},
                     .layers = 1,
                     .samples = 1,
                     .sample_mask = UINT32_MAX,
                     .n_colors = 1};
    mach_image *m = &f->colors[0].image;
    *m = (mach_image){.format = MACH_FORMAT_r32g32b32a32_sfloat,
                      .dim = MACH_DIM_2D,
                      .width = SIZE,
                      .height = SIZE,
                      .depth = 1,
                      .layers = 1,
                      .levels = 1,
                      .samples = 1,
                      .view_layers = 1,
                      .view_levels = 1};
    m->size = mach_image_layout(m);
    m->data = bytes;
    f->colors[0].write_mask = 15;
}

/* What fragments get: weights in R0 from Evergreen on, the place in R1, the face in R2. */
static void
set_inputs(r600_draw *d)
{
    d->vs.n_parameters = 1;
    memset(&d->fs.in, 0xff, sizeof d->fs.in);
    d->fs.n_parameters = 1;
    d->fs.colors = 1;
    d->fs.in.position = 4;
    d->fs.in.face = 8;
    if (d->vertex->chip->gen >= R600_GEN_EG)
        d->fs.in.weights[0][MACH_AT_CENTER] = 0;
}

static void
draw(drawn *out, programs p)
{
    static shop s;
    static uint8_t bytes[SIZE * 256];
    memset(out, 0, sizeof *out);
    memset(bytes, 0, sizeof bytes);
    diag_init(&s.d);
    arena_init(&s.a, &base_malloc_allocator, diag_out_of_memory, &s.d);
    if (!DIAG_TRY(&s.d))
        fail_msg("%u:%u: %s", s.d.loc.line, s.d.loc.column, s.d.message);
    mach_memory_init(&s.memory, &s.a);
    uint32_t chip = 0;
    while (strcmp(r600_chips[chip].name, p.chip) != 0)
        chip++;
    s.chip = &r600_chips[chip];
    r600_emu_dispatch *vertex = make_dispatch(&s, p.vertex);
    put_vertices(&s, vertex);
    r600_draw d = {.vertex = vertex, .fragment = make_dispatch(&s, p.fragment)};
    set_inputs(&d);
    set_fixed(&d.fixed, bytes);
    r600_draw_run(&d, &s.memory, &s.a, &out->report);
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++)
            memcpy(out->color[y][x],
                   bytes + y * d.fixed.colors[0].image.level[0].row_pitch + x * TEXEL, TEXEL);
    arena_free(&s.a);
}

#define FETCH "v:\nVFETCH R1.xyzw, R0.x, b1 TYPE(NO_INDEX) FMT(32_32_32_32_FLOAT) NUM(SCALED)\n"
#define VERTEX                                                                                     \
    "VTX v CNT(1)\nEXPORT_DONE POS[60], R1.xyzw\n"                                                 \
    "EXPORT_DONE PARAM[0], R1.xyzw END_OF_PROGRAM\n" FETCH
#define INTERPOLATE                                                                                \
    "x: INTERP_XY R3.x, R0.y, PARAM[0].x VEC_210\ny: INTERP_XY R3.y, R0.x, PARAM[0].y VEC_210\n"   \
    "z: INTERP_XY __.z, R0.y, PARAM[0].z VEC_210\nw: INTERP_XY __.w, R0.x, PARAM[0].w VEC_210 ;\n"
#define EXPORT "EXPORT_DONE PIX[0], R3.xy00 END_OF_PROGRAM\n"

static float
ndc(unsigned pixel)
{
    return ((float)pixel + 0.5f) * 2 / SIZE - 1;
}

static void
expect_places(const drawn *r)
{
    assert_int_equal(r->report.status, MACH_RUN_DONE);
    assert_int_equal(r->report.n_findings, 0);
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            assert_float_equal(r->color[y][x][0], ndc(x), 1e-6);
            assert_float_equal(r->color[y][x][1], ndc(y), 1e-6);
        }
    }
}

/* From Evergreen on the program interpolates, before that the hardware does. */
static void
test_parameters(void **state)
{
    drawn r;
    (void)state;
    draw(&r, (programs){"cypress", VERTEX, "ALU c CNT(4)\n" EXPORT "c:\n" INTERPOLATE});
    expect_places(&r);
    draw(&r, (programs){"rv770", VERTEX, "EXPORT_DONE PIX[0], R0.xy00 END_OF_PROGRAM\n"});
    expect_places(&r);
}

/* The place has w, not 1 / w; the face is 1.0 in front. */
static void
test_inputs(void **state)
{
    drawn r;
    (void)state;
    draw(&r, (programs){"cypress", VERTEX, "EXPORT_DONE PIX[0], R1.xyzw END_OF_PROGRAM\n"});
    assert_float_equal(r.color[1][2][0], 2.5f, 0);
    assert_float_equal(r.color[1][2][1], 1.5f, 0);
    assert_float_equal(r.color[1][2][3], 1, 0);
    draw(&r, (programs){"cypress", VERTEX, "EXPORT_DONE PIX[0], R2.x000 END_OF_PROGRAM\n"});
    assert_float_equal(r.color[0][0][0], -1, 0);
}

/* A killed pixel exports nothing, and its neighbours' gradients know its value. */
static void
test_kill(void **state)
{
    drawn r;
    (void)state;
    draw(&r, (programs){"cypress", VERTEX,
                        "ALU c CNT(5)\nTEX g CNT(1)\n" EXPORT "c:\n" INTERPOLATE
                        "x: KILLGT __.x, R3.x, 0.5 ;\n"
                        "g:\nGET_GRADIENTS_H R3._x__, R3.x___, t0, s0\n"});
    assert_int_equal(r.report.n_findings, 0);
    for (unsigned x = 0; x < SIZE; x++) {
        const bool dead = ndc(x) > 0.5f;
        assert_float_equal(r.color[1][x][0], dead ? 0 : ndc(x), 1e-6);
        assert_float_equal(r.color[1][x][1], dead ? 0 : 0.5f, 1e-6);
    }
}

/* Programs that break one rule: the only finding. */
static const struct {
    const char *rule, *vertex, *fragment;
} broken[] = {
    {"export-missing", VERTEX, "EXPORT PIX[0], R1.xyzw END_OF_PROGRAM\n"},
    {"export-missing", "VTX v CNT(1)\nEXPORT_DONE POS[60], R1.xyzw END_OF_PROGRAM\n" FETCH,
     "EXPORT_DONE PIX[0], R1.xyzw END_OF_PROGRAM\n"},
    {"export-after-done", VERTEX,
     "EXPORT_DONE PIX[0], R1.xyzw\nEXPORT PIX[0], R1.xyzw END_OF_PROGRAM\n"},
    {"export-place", VERTEX,
     "EXPORT PIX[3], R1.xyzw\nEXPORT_DONE PIX[0], R1.xyzw END_OF_PROGRAM\n"},
    {"export-place",
     "VTX v CNT(1)\nEXPORT_DONE POS[60], R1.xyzw\nEXPORT PARAM[1], R1.xyzw\n"
     "EXPORT_DONE PARAM[0], R1.xyzw END_OF_PROGRAM\n" FETCH,
     "EXPORT_DONE PIX[0], R1.xyzw END_OF_PROGRAM\n"},
    {"undefined-store", VERTEX, "EXPORT_DONE PIX[0], R7.xyzw END_OF_PROGRAM\n"},
    {"parameter", VERTEX,
     "ALU c CNT(1)\nEXPORT_DONE PIX[0], R1.xyzw END_OF_PROGRAM\n"
     "c:\nx: INTERP_LOAD_P0 R3.x, PARAM[1].x ;\n"},
};

static void
test_rules(void **state)
{
    drawn r;
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        draw(&r, (programs){"cypress", broken[i].vertex, broken[i].fragment});
        if (!r.report.n_findings)
            fail_msg("%zu: no finding of %s", i, broken[i].rule);
        for (uint32_t k = 0; k < r.report.n_findings; k++)
            assert_string_equal(r.report.findings[k].rule, broken[i].rule);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_kill),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
