/* Linking: what heddle_link_stage finds, and what two stages become that know of each other. */
#include <heddle/heddle.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* tests/lit/amd/link.vert, as glslang and spirv-opt make it: location 0 is constant, 1 and 2 are not. */
static const uint32_t vertex[] = {
    0x07230203, 0x00010600, 0x000d000b, 0x00000023, 0x00000000, 0x00020011, 0x00000001, 0x0006000b,
    0x00000001, 0x4c534c47, 0x6474732e, 0x3035342e, 0x00000000, 0x0003000e, 0x00000000, 0x00000001,
    0x000a000f, 0x00000000, 0x00000004, 0x6e69616d, 0x00000000, 0x0000000d, 0x00000011, 0x00000015,
    0x0000001c, 0x00000020, 0x00050048, 0x0000000b, 0x00000000, 0x0000000b, 0x00000000, 0x00050048,
    0x0000000b, 0x00000001, 0x0000000b, 0x00000001, 0x00050048, 0x0000000b, 0x00000002, 0x0000000b,
    0x00000003, 0x00050048, 0x0000000b, 0x00000003, 0x0000000b, 0x00000004, 0x00030047, 0x0000000b,
    0x00000002, 0x00040047, 0x00000011, 0x0000001e, 0x00000000, 0x00040047, 0x00000015, 0x0000001e,
    0x00000000, 0x00040047, 0x0000001c, 0x0000001e, 0x00000001, 0x00040047, 0x00000020, 0x0000001e,
    0x00000002, 0x00020013, 0x00000002, 0x00030021, 0x00000003, 0x00000002, 0x00030016, 0x00000006,
    0x00000020, 0x00040017, 0x00000007, 0x00000006, 0x00000004, 0x00040015, 0x00000008, 0x00000020,
    0x00000000, 0x0004002b, 0x00000008, 0x00000009, 0x00000001, 0x0004001c, 0x0000000a, 0x00000006,
    0x00000009, 0x0006001e, 0x0000000b, 0x00000007, 0x00000006, 0x0000000a, 0x0000000a, 0x00040020,
    0x0000000c, 0x00000003, 0x0000000b, 0x0004003b, 0x0000000c, 0x0000000d, 0x00000003, 0x00040015,
    0x0000000e, 0x00000020, 0x00000001, 0x0004002b, 0x0000000e, 0x0000000f, 0x00000000, 0x00040020,
    0x00000010, 0x00000001, 0x00000007, 0x0004003b, 0x00000010, 0x00000011, 0x00000001, 0x00040020,
    0x00000013, 0x00000003, 0x00000007, 0x0004003b, 0x00000013, 0x00000015, 0x00000003, 0x0004002b,
    0x00000006, 0x00000016, 0x3f000000, 0x0004002b, 0x00000006, 0x00000017, 0x3e800000, 0x0004002b,
    0x00000006, 0x00000018, 0x40000000, 0x0007002c, 0x00000007, 0x00000019, 0x00000016, 0x00000016,
    0x00000017, 0x00000018, 0x00040017, 0x0000001a, 0x00000006, 0x00000002, 0x00040020, 0x0000001b,
    0x00000003, 0x0000001a, 0x0004003b, 0x0000001b, 0x0000001c, 0x00000003, 0x0004003b, 0x00000013,
    0x00000020, 0x00000003, 0x00050036, 0x00000002, 0x00000004, 0x00000000, 0x00000003, 0x000200f8,
    0x00000005, 0x0004003d, 0x00000007, 0x00000012, 0x00000011, 0x00050041, 0x00000013, 0x00000014,
    0x0000000d, 0x0000000f, 0x0003003e, 0x00000014, 0x00000012, 0x0003003e, 0x00000015, 0x00000019,
    0x0007004f, 0x0000001a, 0x0000001e, 0x00000012, 0x00000012, 0x00000000, 0x00000001, 0x0006000c,
    0x0000001a, 0x0000001f, 0x00000001, 0x0000000d, 0x0000001e, 0x0003003e, 0x0000001c, 0x0000001f,
    0x0009004f, 0x00000007, 0x00000022, 0x00000012, 0x00000012, 0x00000003, 0x00000002, 0x00000001,
    0x00000000, 0x0003003e, 0x00000020, 0x00000022, 0x000100fd, 0x00010038,
};

/* tests/lit/amd/link.frag: reads locations 0 and 2. */
static const uint32_t fragment[] = {
    0x07230203, 0x00010600, 0x000d000b, 0x00000010, 0x00000000, 0x00020011, 0x00000001, 0x0006000b,
    0x00000001, 0x4c534c47, 0x6474732e, 0x3035342e, 0x00000000, 0x0003000e, 0x00000000, 0x00000001,
    0x0008000f, 0x00000004, 0x00000004, 0x6e69616d, 0x00000000, 0x00000009, 0x0000000b, 0x0000000d,
    0x00030010, 0x00000004, 0x00000007, 0x00040047, 0x00000009, 0x0000001e, 0x00000000, 0x00040047,
    0x0000000b, 0x0000001e, 0x00000000, 0x00040047, 0x0000000d, 0x0000001e, 0x00000002, 0x00020013,
    0x00000002, 0x00030021, 0x00000003, 0x00000002, 0x00030016, 0x00000006, 0x00000020, 0x00040017,
    0x00000007, 0x00000006, 0x00000004, 0x00040020, 0x00000008, 0x00000003, 0x00000007, 0x0004003b,
    0x00000008, 0x00000009, 0x00000003, 0x00040020, 0x0000000a, 0x00000001, 0x00000007, 0x0004003b,
    0x0000000a, 0x0000000b, 0x00000001, 0x0004003b, 0x0000000a, 0x0000000d, 0x00000001, 0x00050036,
    0x00000002, 0x00000004, 0x00000000, 0x00000003, 0x000200f8, 0x00000005, 0x0004003d, 0x00000007,
    0x0000000c, 0x0000000b, 0x0004003d, 0x00000007, 0x0000000e, 0x0000000d, 0x00050085, 0x00000007,
    0x0000000f, 0x0000000c, 0x0000000e, 0x0003003e, 0x00000009, 0x0000000f, 0x000100fd, 0x00010038,
};

static void
hear(void *user, const heddle_diagnostic *d)
{
    const char **name = user;
    *name = d->name;
}

static heddle_output *
link_words(heddle_context *c, const uint32_t *words, size_t size)
{
    const heddle_compile_options o = {.struct_size = sizeof o};
    heddle_output *out;
    assert_int_equal(heddle_link_stage(c, words, size / 4, &o, &out), HEDDLE_OK);
    return out;
}

static heddle_context *
make_context(const char **heard)
{
    const heddle_context_options o = {
        .struct_size = sizeof o, .diagnostic = hear, .diagnostic_user = heard};
    heddle_context *c;
    assert_int_equal(heddle_create_context(&o, &c), HEDDLE_OK);
    return c;
}

static void
test_found(void **state)
{
    (void)state;
    static const uint32_t tint[] = {0x3f000000, 0x3f000000, 0x3e800000, 0x40000000};
    const char *heard = NULL;
    heddle_context *c = make_context(&heard);
    heddle_output *v = link_words(c, vertex, sizeof vertex),
                  *f = link_words(c, fragment, sizeof fragment);
    const heddle_stage_link *written = heddle_output_link(v), *read = heddle_output_link(f);
    assert_int_equal(written->n_varyings, 3);
    assert_int_equal(written->varyings[0].constants, 15);
    assert_memory_equal(written->varyings[0].value, tint, sizeof tint);
    assert_int_equal(written->varyings[1].components, 3);
    assert_int_equal(written->varyings[1].constants, 0);
    assert_int_equal(written->varyings[2].constants, 0);
    assert_int_equal(read->n_varyings, 2);
    assert_int_equal(read->varyings[1].location, 2);
    assert_int_equal(read->varyings[1].components, 15);
    assert_int_equal(read->builtins, 0);
    assert_null(heard);
    heddle_destroy_output(v);
    heddle_destroy_output(f);
    heddle_destroy_context(c);
}

static uint32_t
exports(heddle_context *c, const heddle_pipeline *p)
{
    const heddle_compile_options o = {
        .struct_size = sizeof o, .target = "gfx1030", .emit = "asm", .pipeline = p};
    heddle_output *out;
    assert_int_equal(heddle_compile(c, vertex, sizeof vertex / 4, &o, &out), HEDDLE_OK);
    uint32_t count = 0;
    const char *end = (const char *)heddle_output_data(out) + heddle_output_size(out);
    for (const char *at = heddle_output_data(out); end - at >= 9; at++)
        count += memcmp(at, "exp param", 9) == 0;
    heddle_destroy_output(out);
    return count;
}

static void
test_both_known(void **state)
{
    (void)state;
    const char *heard = NULL;
    heddle_context *c = make_context(&heard);
    heddle_output *v = link_words(c, vertex, sizeof vertex),
                  *f = link_words(c, fragment, sizeof fragment);
    heddle_pipeline p = {.struct_size = sizeof p};
    assert_int_equal(exports(c, &p), 3);
    p.next = heddle_output_link(f);
    assert_int_equal(exports(c, &p), 2);
    p.previous = heddle_output_link(v);
    assert_int_equal(exports(c, &p), 1);
    heddle_destroy_output(v);
    heddle_destroy_output(f);
    heddle_destroy_context(c);
}

static void
test_wrong(void **state)
{
    (void)state;
    const char *heard = NULL;
    heddle_context *c = make_context(&heard);
    const heddle_compile_options compute = {.struct_size = sizeof compute,
                                            .stage = HEDDLE_STAGE_COMPUTE};
    const heddle_compile_options o = {.struct_size = sizeof o, .target = "gfx1030"};
    heddle_output *out;
    heddle_result result = heddle_link_stage(c, vertex, sizeof vertex / 4, &compute, &out);
    assert_int_equal(result, HEDDLE_ERROR_INVALID);
    assert_string_equal(heard, "API_NO_ENTRY");
    assert_int_equal(heddle_link_stage(c, vertex, 3, &o, &out), HEDDLE_ERROR_INVALID);
    assert_int_equal(heddle_link_stage(c, NULL, 3, &o, &out), HEDDLE_ERROR_ARGUMENT);
    assert_int_equal(heddle_compile(c, vertex, sizeof vertex / 4, &o, &out), HEDDLE_OK);
    assert_null(heddle_output_link(out));
    assert_null(heddle_output_link(NULL));
    heddle_destroy_output(out);
    heddle_destroy_context(c);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_both_known),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
