/* Waves of fragments: varyings at places of a primitive, differences in quads, killed fibres, and
 * what the checkers say of inputs and outputs. */
#include "adreno/emu/graphics/graphics.h"
#include "adreno/emu/run/stage.h"
#include "adreno/isa/asm/asm.h"
#include "base/diag.h"
#include "base/fp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { FIBRES = 4, IJ = 0, FIRST = 4 };

typedef struct fixture {
    diag diag;
    arena arena;
    mach_memory memory;
    mach_report report;
    adreno_varyings varyings;
    adreno_stage *stage;
    adreno_wave *wave;
} fixture;

static int
set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    diag_init(&f.diag);
    arena_init(&f.arena, &base_malloc_allocator, diag_out_of_memory, &f.diag);
    mach_memory_init(&f.memory, &f.arena);
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    arena_free(&f->arena);
    return 0;
}

/* Opens a stage for the text, and begins its wave. */
static void
begin(fixture *f, const char *text)
{
    const asm_options o = {.is_code = true};
    const adreno_isa *isa = adreno_isa_open(&f->arena, 6);
    if (!DIAG_TRY(&f->diag))
        fail_msg("%s: %s", text, f->diag.message);
    adreno_asm_unit *u = adreno_assemble_unit(&f->diag, &f->arena, isa, &o,
                                              (asm_text){text, strlen(text)});
    asm_resolve(u->text);
    const base_buf *code = &u->text->sections[0].data;
    mach_region *r = mach_memory_alloc(&f->memory, MACH_HEAP_LOW, code->size, 0, "code");
    memcpy(r->host, code->data, code->size);
    static adreno_dispatch d;
    d = (adreno_dispatch){
        .gen = 6, .wave_size = 64, .entry = r->base, .checks = MACH_CHECK_ALL & ~MACH_CHECK_RACES};
    f->stage = adreno_stage_open(&d, &f->memory, &f->arena, &f->report);
    assert_non_null(f->stage);
    f->wave = adreno_stage_begin(f->stage, (const uint32_t[3]){0});
    f->wave->varyings = &f->varyings;
    f->wave->has_inputs = f->varyings.n != 0;
}

/* Weights of the four fibres: (0, 0), (1, 0), (0, 1), (1/4, 1/2), and a number of each. */
static void
give_weights(fixture *f)
{
    static const float ij[FIBRES][2] = {{0, 0}, {1, 0}, {0, 1}, {0.25f, 0.5f}};
    static const float number[FIBRES] = {1, 3, 6, 10};
    for (unsigned k = 0; k < FIBRES; k++) {
        adreno_stage_give(f->wave, k, IJ, false, base_f32_bits(ij[k][0]));
        adreno_stage_give(f->wave, k, IJ + 1, false, base_f32_bits(ij[k][1]));
        adreno_stage_give(f->wave, k, FIRST, false, base_f32_bits(number[k]));
    }
}

static void
run(fixture *f, const char *text)
{
    begin(f, text);
    give_weights(f);
    assert_true(adreno_stage_run(f->stage));
}

static void
expect(fixture *f, unsigned reg, const float values[FIBRES])
{
    for (unsigned k = 0; k < FIBRES; k++) {
        uint32_t bits;
        assert_true(adreno_stage_take(f->wave, k, reg, "a value", &bits));
        assert_true(base_bits_f32(bits) == values[k]);
    }
}

static void
expect_finding(const fixture *f, adreno_rule rule)
{
    for (uint32_t k = 0; k < f->report.n_findings; k++)
        if (strcmp(f->report.findings[k].rule, adreno_rules[rule].name) == 0)
            return;
    fail_msg("no finding of %s", adreno_rules[rule].name);
}

static void
set_varyings(fixture *f)
{
    static const float vertices[2][3] = {{2, 4, 10}, {-1, 1, 3}};
    f->varyings.n = 2;
    f->varyings.samples = 4;
    for (unsigned p = 0; p < 2; p++) {
        f->varyings.place[0][p].defined = true;
        for (unsigned k = 0; k < 3; k++)
            f->varyings.place[0][p].vertex[k] = base_f32_bits(vertices[p][k]);
    }
}

static void
test_varyings(void **state)
{
    fixture *f = *state;
    set_varyings(f);
    run(f,
        "(rpt1)bary.f r2.x, (r)0, r0.x\n(sat)bary.f r3.x, 1, r0.x\nflat.b (ei)r4.x, 1, 1\nend\n");
    expect(f, 8, (const float[]){2, 4, 10, 6.5f});
    expect(f, 9, (const float[]){-1, 1, 3, 1.5f});
    expect(f, 12, (const float[]){0, 1, 1, 1});
    expect(f, 16, (const float[]){-1, -1, -1, -1});
    assert_int_equal(f->report.total, 0);
}

static void
test_half_varying(void **state)
{
    fixture *f = *state;
    set_varyings(f);
    run(f, "bary.f (ei)hr8.x, 0, r0.x\n(rpt5)nop\ncov.f16f32 r2.x, hr8.x\nend\n");
    expect(f, 8, (const float[]){2, 4, 10, 6.5f});
    assert_int_equal(f->report.total, 0);
}

static void
test_points(void **state)
{
    fixture *f = *state;
    set_varyings(f);
    f->varyings.kind[0] = ADRENO_PLACE_POINT_X;
    for (unsigned k = 0; k < FIBRES; k++)
        f->varyings.point[k][0] = 0.125f * (float)k;
    run(f, "bary.f (ei)r2.x, 0, r0.x\nend\n");
    expect(f, 8, (const float[]){0, 0.125f, 0.25f, 0.375f});
}

static void
test_derivatives(void **state)
{
    fixture *f = *state;
    run(f, "dsx (f32)(x)r2.x, r1.x\ndsy (f32)(x)r2.y, r1.x\ndsxpp.1 (x)r2.z, r1.x\n"
           "dsxpp.1.p (x)r2.z, r1.x\ndsypp.1 (x)r2.w, r1.x\ndsypp.1.p (x)r2.w, r1.x\n(sy)end\n");
    expect(f, 8, (const float[]){2, 2, 2, 2});
    expect(f, 9, (const float[]){5, 5, 5, 5});
    expect(f, 10, (const float[]){2, 2, 4, 4});
    expect(f, 11, (const float[]){5, 7, 5, 7});
    assert_int_equal(f->report.total, 0);
}

/* The standard places of four samples, from the centre. */
static void
test_sample_places(void **state)
{
    fixture *f = *state;
    set_varyings(f);
    f->varyings.n = 0;
    begin(f, "rgetpos (f32)(xy)r2.x, r1.x\n(sy)end\n");
    for (unsigned k = 0; k < FIBRES; k++)
        adreno_stage_give(f->wave, k, FIRST, false, k);
    assert_true(adreno_stage_run(f->stage));
    expect(f, 8, (const float[]){-0.125f, 0.375f, -0.375f, 0.125f});
    expect(f, 9, (const float[]){-0.375f, -0.125f, 0.125f, 0.375f});
}

/* A killed fibre goes on, without effects, so that its quad has derivatives. */
static void
test_kill(void **state)
{
    fixture *f = *state;
    run(f, "cmps.f.gt p0.x, r1.x, (4.0)\n(rpt5)nop\nkill p0.x\nadd.f r2.x, r1.x, (1.0)\n"
           "(rpt5)nop\ndsx (f32)(x)r2.y, r2.x\n(sy)end\n");
    expect(f, 8, (const float[]){2, 4, 7, 11});
    expect(f, 9, (const float[]){2, 2, 2, 2});
    assert_int_equal(f->wave->killed.word[0], 1u << 2 | 1u << 3);
    assert_int_equal(f->wave->helpers.word[0], 1u << 2 | 1u << 3);
}

static void
test_rules(void **state)
{
    static const struct {
        const char *text;
        adreno_rule rule;
    } cases[] = {
        {"bary.f (ei)r2.x, 0, r0.x\nbary.f r2.y, 1, r0.x\nend\n", ADRENO_RULE_INPUT_ENDED},
        {"bary.f r2.x, 0, r0.x\nend\n", ADRENO_RULE_INPUT_OPEN},
        {"bary.f (ei)r2.x, 2, r0.x\nend\n", ADRENO_RULE_VARYING},
        {"flat.b (ei)r2.y, 0, 0\nend\n", ADRENO_RULE_UNDEFINED_OUTPUT},
        {"flat.b (ei)r2.y, 0, 0\nrcp r2.x, r1.x\nend\n", ADRENO_RULE_SS_RESULT},
        {"flat.b (ei)r2.y, 0, 0\ndsx (f32)(x)r2.x, r1.x\nend\n", ADRENO_RULE_SY_RESULT},
    };
    fixture *f = *state;
    set_varyings(f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t bits;
        memset(&f->report, 0, sizeof f->report);
        run(f, cases[i].text);
        adreno_stage_take(f->wave, 0, 8, "a value", &bits);
        expect_finding(f, cases[i].rule);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_varyings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_half_varying, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_derivatives, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sample_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kill, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
