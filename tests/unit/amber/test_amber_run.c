/* Tests the runner and the checks of EXPECT on a device that only counts: each form of expectation
 * once right and once wrong, by scripts that need no pipeline. */
#include "amber/check.h"
#include "amber/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A device with the features named "yes"; a run adds 1 to each byte of the bound buffers. */
typedef struct counter {
    amber_device base;
    unsigned runs, ends;
} counter;

static bool
has_yes(amber_device *d, const char *name)
{
    (void)d;
    return strcmp(name, "yes") == 0;
}

static bool
count_up(amber_device *d, arena *scratch, const amber_dispatch *run, amber_result *r)
{
    (void)scratch;
    ((counter *)d)->runs++;
    if (run->groups[0] == 13)
        return amber_set_result(r, AMBER_FAIL, "bad luck\nfollows");
    for (uint32_t i = 0; i < run->pipeline->binding_count; i++) {
        const amber_memory *m = &run->memory[run->pipeline->bindings[i].buffer->index];
        for (uint64_t k = 0; k < m->size; k++)
            m->bytes[k]++;
    }
    return true;
}

static void
end_script(amber_device *d)
{
    ((counter *)d)->ends++;
}

static const amber_device_functions functions = {
    .has_feature = has_yes,
    .has_device_extension = has_yes,
    .has_instance_extension = has_yes,
    .has_property = has_yes,
    .dispatch = count_up,
    .end_script = end_script,
};

static bool
compile(void *user, arena *a, const amber_script *script, const amber_attach *at,
        const uint32_t **words, size_t *count, const char **message)
{
    static const uint32_t module[1] = {0x07230203};
    (void)user, (void)a, (void)script;
    *words = module;
    *count = 1;
    *message = "it is bad";
    return strstr(at->shader->text, "bad") == NULL;
}

static amber_result
run(counter *device, const char *text)
{
    static const amber_frontend frontend = {.compile = compile};
    arena a;
    diag d;
    amber_result r = {.status = AMBER_FAIL};
    *device = (counter){.base = {.functions = &functions, .name = "counter"}};
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (DIAG_TRY(&d)) {
        amber_script *s = amber_parse(&a, &d, "t.amber", text, strlen(text), NULL);
        amber_run(s, &device->base, &frontend, NULL, &a, &r);
    } else {
        print_message("%u:%u: %s\n", d.loc.line, d.loc.column, d.message);
        fail();
    }
    arena_free(&a);
    return r;
}

/* A script with one buffer and one expectation, and whether the expectation holds. */
typedef struct expect_row {
    const char *buffer, *expect;
    bool holds;
} expect_row;

static const expect_row expect_rows[] = {
    {"int32 DATA 1 -2 3 END", "IDX 0 EQ 1 -2 3", true},
    {"int32 DATA 1 -2 3 END", "IDX 4 EQ -2", true},
    {"int32 DATA 1 -2 3 END", "IDX 4 EQ 2", false},
    {"int32 DATA 1 -2 3 END", "IDX 4 EQ 0xfffffffe", true},
    {"int32 DATA 1 -2 3 END", "IDX 8 EQ 3 4", false}, /* past the end */
    {"int32 DATA 1 -2 3 END", "IDX 12 EQ 3", false},
    {"int32 DATA 1 -2 3 END", "IDX 4 LT -1", true},
    {"int32 DATA 1 -2 3 END", "IDX 4 LT -2", false},
    {"int32 DATA 1 -2 3 END", "IDX 4 LE -2", true},
    {"int32 DATA 1 -2 3 END", "IDX 4 LE -3", false},
    {"int32 DATA 1 -2 3 END", "IDX 4 GT -3", true},
    {"int32 DATA 1 -2 3 END", "IDX 4 GT 1", false},
    {"int32 DATA 1 -2 3 END", "IDX 4 GE -2", true},
    {"int32 DATA 1 -2 3 END", "IDX 4 GE 0", false},
    {"int32 DATA 1 -2 3 END", "IDX 4 NE 2", true},
    {"int32 DATA 1 -2 3 END", "IDX 4 NE -2", false},
    {"uint32 DATA 4294967294 END", "IDX 0 GT 5", true},
    {"uint32 DATA 4294967294 END", "IDX 0 LT 5", false},
    {"uint8 DATA 200 END", "IDX 0 EQ 200", true},
    {"int8 DATA 200 END", "IDX 0 EQ -56", true},
    {"uint64 DATA 0xffffffffffffffff END", "IDX 0 EQ 18446744073709551615", true},
    {"uint64 DATA 0xffffffffffffffff END", "IDX 0 EQ 18446744073709551614", false},
    {"float DATA 0.1 END", "IDX 0 EQ 0.1", true},
    {"float DATA 0.1 END", "IDX 0 EQ 0.100000002", true}, /* the same binary32 */
    {"float DATA 0.1 END", "IDX 0 EQ 0.1000001", false},
    {"float DATA 1 END", "IDX 0 NE 1", false},
    {"float DATA 1 END", "IDX 0 NE 1.5", true},
    {"float DATA nan END", "IDX 0 EQ nan", true},
    {"float DATA nan END", "IDX 0 EQ 1", false},
    {"float DATA 1 END", "IDX 0 EQ nan", false},
    {"double DATA 0.1 END", "IDX 0 EQ 0.1", true},
    {"double DATA 0.1 END", "IDX 0 EQ 0.10000001", false},
    {"float16 DATA 0.5 2 END", "IDX 0 EQ 0.5 2", true},
    {"float16 DATA 0.5 2 END", "IDX 2 EQ 2.5", false},
    {"float DATA 10 END", "IDX 0 TOLERANCE 0.5 EQ 10.5", true},
    {"float DATA 10 END", "IDX 0 TOLERANCE 0.5 EQ 10.6", false},
    {"float DATA 10 END", "IDX 0 TOLERANCE 10% EQ 11", true},
    {"float DATA 10 END", "IDX 0 TOLERANCE 5% EQ 11", false},
    {"vec2<float> DATA 1 2 END", "IDX 0 TOLERANCE 0.5 0.1 EQ 1.4 2.05", true},
    {"vec2<float> DATA 1 2 END", "IDX 0 TOLERANCE 0.5 0.1 EQ 1.4 2.4", false},
    {"uint32 DATA 10 END", "IDX 0 TOLERANCE 1 EQ 11", true},
    {"uint32 DATA 10 END", "IDX 0 TOLERANCE 1 EQ 12", false},
    {"vec3<int32> DATA 1 2 3 4 5 6 END", "IDX 0 EQ 1 2 3 4 5 6", true}, /* padding between */
    {"vec3<int32> DATA 1 2 3 4 5 6 END", "IDX 16 EQ 4 5 7", false},
    {"R8G8B8A8_UNORM WIDTH 2 HEIGHT 2 FILL 255", "IDX 0 0 SIZE 2 2 EQ_RGBA 255 255 255 255", true},
    {"R8G8B8A8_UNORM WIDTH 2 HEIGHT 2 FILL 255", "IDX 0 0 SIZE 2 2 EQ_RGBA 255 255 255 254", false},
    {"R8G8B8A8_UNORM WIDTH 2 HEIGHT 2 FILL 255", "IDX 0 0 SIZE 2 2 EQ_RGB 255 254 255", false},
    {"R8G8B8A8_UNORM WIDTH 2 HEIGHT 2 FILL 255",
     "IDX 0 0 SIZE 2 2 EQ_RGB 255 254 255 TOLERANCE 0.1", true},
    {"R8G8B8A8_UNORM WIDTH 2 HEIGHT 2 FILL 255",
     "IDX 0 0 SIZE 2 2 EQ_RGB 255 254 255 TOLERANCE 0.1 0.001 0.1", false},
    {"R8G8B8A8_UNORM WIDTH 2 HEIGHT 2 FILL 255", "IDX 1 1 SIZE 2 1 EQ_RGB 255 255 255", false},
    {"R8G8B8A8_UNORM WIDTH 2 HEIGHT 1 DATA 0 0 0 0 255 0 0 255 END",
     "IDX 1 0 SIZE 1 1 EQ_RGBA 255 0 0 255", true},
    {"B8G8R8A8_UNORM WIDTH 2 HEIGHT 1 DATA 0 0 0 0 255 0 0 255 END",
     "IDX 1 0 SIZE 1 1 EQ_RGBA 255 0 0 255", false},
    {"vec4<float> WIDTH 1 HEIGHT 1 FILL 1", "IDX 0 0 SIZE 1 1 EQ_RGBA 255 255 255 255", true},
    {"mat2x2<float> DATA 1 2 3 4 END", "IDX 0 0 SIZE 1 1 EQ_RGBA 0 0 0 0", false}, /* no texels */
};

static void
test_expectations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expect_rows / sizeof expect_rows[0]; i++) {
        const expect_row *e = &expect_rows[i];
        char text[512];
        counter device;
        snprintf(text, sizeof text, "#!amber\nBUFFER b DATA_TYPE %s\nEXPECT b %s\n", e->buffer,
                 e->expect);
        amber_result r = run(&device, text);
        if ((r.status == AMBER_PASS) != e->holds)
            print_message("%s: %s\n", text, r.reason);
        assert_int_equal(r.status, e->holds ? AMBER_PASS : AMBER_FAIL);
        if (!e->holds)
            assert_non_null(strstr(r.reason, "line 3: "));
    }
}

/* Two buffers of two RGBA texels, and a comparison of them. */
static void
test_comparisons(void **state)
{
    static const struct {
        const char *a, *b, *compare;
        bool holds;
    } rows[] = {
        {"1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8", "EQ_BUFFER c", true},
        {"1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 9", "EQ_BUFFER c", false},
        {"1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 10", "RMSE_BUFFER c TOLERANCE 0.71", true},
        {"1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 10", "RMSE_BUFFER c TOLERANCE 0.70", false},
        /* Half of the texels of one channel move by 16 of 256 bins: 16 * 0.5 / 256. */
        {"0 0 0 0 0 0 0 0", "0 0 0 0 16 0 0 0", "EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.03126",
         true},
        {"0 0 0 0 0 0 0 0", "0 0 0 0 16 0 0 0", "EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0.03124",
         false},
        {"9 9 9 9 8 8 8 8", "8 8 8 8 9 9 9 9", "EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 0", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        counter device;
        snprintf(text, sizeof text,
                 "#!amber\nBUFFER b DATA_TYPE R8G8B8A8_UNORM DATA %s END\n"
                 "BUFFER c DATA_TYPE R8G8B8A8_UNORM DATA %s END\nEXPECT b %s\n",
                 rows[i].a, rows[i].b, rows[i].compare);
        amber_result r = run(&device, text);
        if ((r.status == AMBER_PASS) != rows[i].holds)
            print_message("%s: %s\n", text, r.reason);
        assert_int_equal(r.status, rows[i].holds ? AMBER_PASS : AMBER_FAIL);
    }
}

static void
test_vkscript_probes(void **state)
{
    static const struct {
        const char *probe;
        bool holds;
    } rows[] = {
        {"int 0 0 == 1 2 3", true},     {"int 0 0 == 1 2 4", false},
        {"int 0:0 4 != 1", true},       {"int 0:0 4 < 2", false},
        {"int 0:0 4 <= 2", true},       {"int 0:0 4 > 2", false},
        {"int 0:0 4 >= 2", true},       {"int8_t 0:0 4 == 2 0 0 0", true},
        {"float 0:0 12 ~= 1.1", true}, /* 1.0 within 10 percent */
        {"float 0:0 12 ~= 1.2", false}, {"float 0:0 12 == 1.1", false},
        {"float 0:0 12 == 1", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        counter device;
        snprintf(text, sizeof text,
                 "[test]\nssbo 0:0 subdata int 0 1 2 3 0x3f800000\ntolerance 10%%\nprobe ssbo %s\n",
                 rows[i].probe);
        amber_result r = run(&device, text);
        assert_int_equal(r.status, rows[i].holds ? AMBER_PASS : AMBER_FAIL);
    }
}

static const char pipeline[] = "#!amber\nSHADER compute s GLSL\nfine\nEND\n"
                               "SHADER compute t GLSL\nbad\nEND\n"
                               "BUFFER b DATA_TYPE uint8 SIZE 2 FILL 5\n"
                               "BUFFER c DATA_TYPE uint8 SIZE 2 FILL 5\n"
                               "PIPELINE compute p\nATTACH s\n"
                               "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
                               "PIPELINE compute q\nATTACH t\nEND\n";

static void
test_commands(void **state)
{
    char text[1024];
    counter device;
    amber_result r;
    (void)state;
    snprintf(text, sizeof text, "%s%s", pipeline,
             "REPEAT 3\nRUN p 1 1 1\nEND\nEXPECT b IDX 0 EQ 8 8\nCOPY b TO c\n"
             "RUN p 1 1 1\nEXPECT c IDX 0 EQ 8 8\nEXPECT b IDX 0 EQ 9 9\n");
    r = run(&device, text);
    assert_int_equal(r.status, AMBER_PASS);
    assert_int_equal(device.runs, 4);
    assert_int_equal(device.ends, 1);
    snprintf(text, sizeof text, "%s%s", pipeline, "RUN p 13 1 1\nRUN p 1 1 1\n");
    r = run(&device, text);
    assert_int_equal(r.status, AMBER_FAIL);
    assert_string_equal(r.reason, "bad luck; follows");
    assert_int_equal(device.runs, 1);
    assert_int_equal(device.ends, 1);
    snprintf(text, sizeof text, "%s%s", pipeline, "RUN q 1 1 1\n");
    r = run(&device, text);
    assert_int_equal(r.status, AMBER_FAIL);
    assert_string_equal(r.reason, "line 6: shader t: it is bad");
}

static void
test_requirements(void **state)
{
    static const char *const kinds[][2] = {
        {"DEVICE_FEATURE", "device feature no"},
        {"DEVICE_EXTENSION", "device extension no"},
        {"INSTANCE_EXTENSION", "instance extension no"},
        {"DEVICE_PROPERTY", "device property no"},
    };
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char text[128];
        counter device;
        snprintf(text, sizeof text, "#!amber\n%s yes\n", kinds[i][0]);
        assert_int_equal(run(&device, text).status, AMBER_PASS);
        snprintf(text, sizeof text, "#!amber\n%s yes\n%s no\n", kinds[i][0], kinds[i][0]);
        amber_result r = run(&device, text);
        assert_int_equal(r.status, AMBER_SKIP);
        assert_string_equal(r.reason, kinds[i][1]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expectations),    cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_vkscript_probes), cmocka_unit_test(test_commands),
        cmocka_unit_test(test_requirements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
