/* The library in an application whose locale has a comma as decimal point: the same bytes and texts
 * as in the C locale. LOCPATH contains the locale, made by make_locale.py. */
#include "amber/run.h"

#include <heddle/heddle.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEPT = 1 << 16 };

/* A copy of a call's results. */
typedef struct kept {
    heddle_result result;
    size_t size;
    char bytes[KEPT];
} kept;

typedef void (*call)(heddle_context *c, const char *text, heddle_output **out, kept *k);

static heddle_context *
new_context(void)
{
    heddle_context *c;
    assert_int_equal(heddle_create_context(NULL, &c), HEDDLE_OK);
    return c;
}

static void
take(heddle_output *out, kept *k)
{
    k->size = k->result == HEDDLE_OK ? heddle_output_size(out) : 0;
    assert_true(k->size < KEPT);
    if (k->size)
        memcpy(k->bytes, heddle_output_data(out), k->size);
    k->bytes[k->size] = '\0';
}

static void
use_comma(void)
{
    assert_non_null(setlocale(LC_ALL, "comma"));
}

static void
use_c(void)
{
    assert_non_null(setlocale(LC_ALL, "C"));
}

/* Otherwise the other tests prove nothing. */
static void
test_the_locale_has_a_comma(void **state)
{
    char text[20];
    (void)state;
    use_comma();
    snprintf(text, sizeof text, "%.1f", 1.5);
    double x = strtod("1.5", NULL);
    use_c();
    assert_string_equal(text, "1,5");
    assert_true(x == 1.0);
}

static void
assemble(const char *text, kept *k)
{
    const heddle_asm_options o = {.struct_size = sizeof o, .target = "gfx1030"};
    heddle_context *c = new_context();
    heddle_output *out;
    k->result = heddle_assemble(c, text, strlen(text), &o, &out);
    take(out, k);
    heddle_destroy_output(out);
    heddle_destroy_context(c);
}

static void
test_assembles_floats(void **state)
{
    static const char text[] = "v_mov_b32 v0, 1.5\n"
                               "v_add_f32 v1, 0.5, v2\n"
                               "v_add_f16 v1, 2.5e-1, v2\n"
                               ".float 2.5, -1e-3\n"
                               ".double 0.1\n";
    static const uint32_t want[] = {0x7e0002ff, 0x3fc00000, 0x060204f0, 0x640204ff, 0x00003400,
                                    0x40200000, 0xba83126f, 0x9999999a, 0x3fb99999};
    static kept k;
    (void)state;
    use_comma();
    assemble(text, &k);
    use_c();
    assert_int_equal(k.result, HEDDLE_OK);
    assert_int_equal(k.size, sizeof want);
    assert_memory_equal(k.bytes, want, sizeof want);
}

static void
disassemble(const kept *code, kept *k)
{
    const heddle_asm_options o = {
        .struct_size = sizeof o, .target = "gfx1030", .with_bytes = 1, .with_fields = 1};
    heddle_context *c = new_context();
    heddle_output *out;
    k->result = heddle_disassemble(c, code->bytes, code->size, &o, &out);
    take(out, k);
    heddle_destroy_output(out);
    heddle_destroy_context(c);
}

static void
check_same(const kept *a, const kept *b)
{
    assert_int_equal(a->result, HEDDLE_OK);
    assert_int_equal(b->result, HEDDLE_OK);
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

static void
test_disassembles_floats(void **state)
{
    static kept code, c, comma;
    (void)state;
    assemble("v_mov_b32 v0, 0.5\nv_add_f32 v1, 0.15915494, v2\nv_mov_b32 v0, 1.5\n", &code);
    disassemble(&code, &c);
    use_comma();
    disassemble(&code, &comma);
    use_c();
    check_same(&c, &comma);
    assert_non_null(strstr(c.bytes, "v0, 0.5"));
}

static const char hir[] =
    "shader: compute\nworkgroup_size: 64, 1, 1\nimpl \"main\" {\nblock b0:\n"
    "32 %1 = load_const (0)\n32 %3 = load_const (0x3fc00000)\n32 %4 = load_const (0x0da24260)\n"
    "32 %5 = @vulkan_resource_index (%1) (desc_set=0, binding=0, desc_type=ssbo)\n"
    "32 %8 = @load_ssbo (%5, %1) (access=none, align_mul=4, align_offset=0)\n"
    "32 %9 = fadd %8, %3\n32 %10 = fmul %9, %4\n"
    "@store_ssbo (%10, %5, %1) (wrmask=x, access=none, align_mul=4, align_offset=0)\nreturn\n}\n";

static void
compile(const char *text, const char *emit, kept *k)
{
    const heddle_compile_options o = {
        .struct_size = sizeof o, .target = "gfx1030", .debug = "sgprs=64", .emit = emit};
    heddle_context *c = new_context();
    heddle_output *out;
    k->result = heddle_compile_hir(c, text, strlen(text), &o, &out);
    take(out, k);
    heddle_destroy_output(out);
    heddle_destroy_context(c);
}

/* Every product and the program after every phase. */
static void
test_compiles(void **state)
{
    static kept c, comma;
    (void)state;
    const char *emit;
    for (uint32_t i = 0; (emit = heddle_emit_name(i)) != NULL; i++) {
        compile(hir, emit, &c);
        use_comma();
        compile(hir, emit, &comma);
        use_c();
        if (c.result == HEDDLE_ERROR_ARGUMENT) /* a phase of another family */
            assert_int_equal(comma.result, c.result);
        else
            check_same(&c, &comma);
    }
}

/* The text has floats with a point, and is read again. */
static void
test_prints_hir(void **state)
{
    static kept once, again;
    (void)state;
    use_comma();
    compile(hir, "hir", &once);
    compile(once.bytes, "hir", &again);
    use_c();
    check_same(&once, &again);
    assert_non_null(strstr(once.bytes, "1.500000"));
    assert_non_null(strstr(once.bytes, "1.000000e-30"));
}

static void
stop(void *user)
{
    (void)user;
    abort();
}

/* Numbers in a script, and the message of a failing one. */
static void
test_runs_scripts(void **state)
{
    static const char text[] = "#!amber\nBUFFER b DATA_TYPE float DATA 1.5 END\n"
                               "EXPECT b IDX 0 EQ 1.5\nEXPECT b IDX 0 TOLERANCE 0.5 EQ 1.75\n"
                               "EXPECT b IDX 0 EQ 2.25\n";
    static const amber_device_functions functions = {.dispatch = NULL};
    amber_device device = {.functions = &functions, .name = "none"};
    amber_result r;
    arena a;
    diag d;
    (void)state;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, stop, NULL);
    use_comma();
    if (!DIAG_TRY(&d))
        fail_msg("%s", d.message);
    const amber_script *s = amber_parse(&a, &d, "t.amber", text, strlen(text), NULL);
    amber_run(s, &device, NULL, NULL, &a, &r);
    use_c();
    assert_string_equal(r.reason, "line 5: b at byte 0: 1.5, expected == 2.25");
    arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_locale_has_a_comma),
        cmocka_unit_test(test_assembles_floats),
        cmocka_unit_test(test_disassembles_floats),
        cmocka_unit_test(test_compiles),
        cmocka_unit_test(test_prints_hir),
        cmocka_unit_test(test_runs_scripts),
    };
    if (!setlocale(LC_ALL, "comma")) {
        printf("1..0 # SKIP there is no localedef to make a locale\n");
        return 0;
    }
    use_c();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
