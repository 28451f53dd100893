/* Pipeline layouts: places without a shader, shaders that share a set, each error of a layout and of
 * a shader that does not fit to it, what is reported; cancelled compiles and threads. The tests in
 * tests/install execute what is reported here. */
#include <heddle/heddle.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* GLSL, as glslang compiles it:
 *     layout(set = 1, binding = 2) uniform B { uint u; layout(offset = 28) uint v; } lights[3];
 *     layout(set = 0, binding = 4) buffer S { uint s; };
 *     layout(set = 0, binding = 9) buffer T { uint t; } unused;
 *     layout(push_constant) uniform P { layout(offset = 8) uint p; };
 *     void main() { s = lights[1].v + p; } */
static const uint32_t module[] = {
    0x07230203, 0x00010300, 0x00070000, 0x0000001d, 0x00000000, 0x00020011, 0x00000001, 0x0003000e,
    0x00000000, 0x00000001, 0x0005000f, 0x00000005, 0x00000001, 0x6e69616d, 0x00000000, 0x00060010,
    0x00000001, 0x00000011, 0x00000001, 0x00000001, 0x00000001, 0x00040005, 0x00000002, 0x6867696c,
    0x00007374, 0x00040005, 0x00000003, 0x73756e75, 0x00006465, 0x00030047, 0x00000004, 0x00000002,
    0x00050048, 0x00000004, 0x00000000, 0x00000023, 0x00000000, 0x00050048, 0x00000004, 0x00000001,
    0x00000023, 0x0000001c, 0x00040047, 0x00000002, 0x00000022, 0x00000001, 0x00040047, 0x00000002,
    0x00000021, 0x00000002, 0x00030047, 0x00000005, 0x00000002, 0x00050048, 0x00000005, 0x00000000,
    0x00000023, 0x00000000, 0x00040047, 0x00000006, 0x00000022, 0x00000000, 0x00040047, 0x00000006,
    0x00000021, 0x00000004, 0x00040047, 0x00000003, 0x00000022, 0x00000000, 0x00040047, 0x00000003,
    0x00000021, 0x00000009, 0x00030047, 0x00000007, 0x00000002, 0x00050048, 0x00000007, 0x00000000,
    0x00000023, 0x00000008, 0x00020013, 0x00000008, 0x00030021, 0x00000009, 0x00000008, 0x00040015,
    0x0000000a, 0x00000020, 0x00000000, 0x0004002b, 0x0000000a, 0x0000000b, 0x00000000, 0x0004002b,
    0x0000000a, 0x0000000c, 0x00000001, 0x0004002b, 0x0000000a, 0x0000000d, 0x00000003, 0x0004001e,
    0x00000004, 0x0000000a, 0x0000000a, 0x0004001c, 0x0000000e, 0x00000004, 0x0000000d, 0x00040020,
    0x0000000f, 0x00000002, 0x0000000e, 0x00040020, 0x00000010, 0x00000002, 0x0000000a, 0x0004003b,
    0x0000000f, 0x00000002, 0x00000002, 0x0003001e, 0x00000005, 0x0000000a, 0x00040020, 0x00000011,
    0x0000000c, 0x00000005, 0x00040020, 0x00000012, 0x0000000c, 0x0000000a, 0x0004003b, 0x00000011,
    0x00000006, 0x0000000c, 0x0004003b, 0x00000011, 0x00000003, 0x0000000c, 0x0003001e, 0x00000007,
    0x0000000a, 0x00040020, 0x00000013, 0x00000009, 0x00000007, 0x00040020, 0x00000014, 0x00000009,
    0x0000000a, 0x0004003b, 0x00000013, 0x00000015, 0x00000009, 0x00050036, 0x00000008, 0x00000001,
    0x00000000, 0x00000009, 0x000200f8, 0x00000016, 0x00060041, 0x00000010, 0x00000017, 0x00000002,
    0x0000000c, 0x0000000c, 0x0004003d, 0x0000000a, 0x00000018, 0x00000017, 0x00050041, 0x00000014,
    0x00000019, 0x00000015, 0x0000000b, 0x0004003d, 0x0000000a, 0x0000001a, 0x00000019, 0x00050080,
    0x0000000a, 0x0000001b, 0x00000018, 0x0000001a, 0x00050041, 0x00000012, 0x0000001c, 0x00000006,
    0x0000000b, 0x0003003e, 0x0000001c, 0x0000001b, 0x000100fd, 0x00010038,
};

/* ---- a context that hears ---- */

typedef struct world {
    heddle_context *context;
    int heard;
    char name[64], text[512];
} world;

static void
hear(void *user, const heddle_diagnostic *d)
{
    world *w = user;
    w->heard++;
    snprintf(w->name, sizeof w->name, "%s", d->name);
    snprintf(w->text, sizeof w->text, "%s", d->text);
}

static int
make_world(void **state)
{
    static world w;
    const heddle_context_options o = {
        .struct_size = sizeof o, .diagnostic = hear, .diagnostic_user = &w};
    w = (world){0};
    assert_int_equal(heddle_create_context(&o, &w.context), HEDDLE_OK);
    *state = &w;
    return 0;
}

static int
drop_world(void **state)
{
    heddle_destroy_context(((world *)*state)->context);
    return 0;
}

/* ---- layouts ---- */

#define BINDING(...)                                                                               \
    {                                                                                              \
        sizeof(heddle_layout_binding), __VA_ARGS__                                                 \
    }
#define SET(array)                                                                                 \
    {                                                                                              \
        sizeof(heddle_set_layout), array, sizeof(array) / sizeof(array)[0]                         \
    }

static const heddle_layout_binding first[] = {
    BINDING(4, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1),
    BINDING(1, HEDDLE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER, 2),
    BINDING(0, HEDDLE_DESCRIPTOR_SAMPLER, 1),
};
static const heddle_layout_binding second[] = {BINDING(2, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER, 5)};
static const heddle_set_layout sets[] = {SET(first), SET(second)};
static const heddle_set_layout *const set_list[] = {&sets[0], &sets[1]};
static const heddle_push_range ranges[] = {
    {sizeof ranges[0], HEDDLE_STAGE_BIT(HEDDLE_STAGE_VERTEX), 0, 16},
    {sizeof ranges[0], HEDDLE_STAGE_BIT(HEDDLE_STAGE_COMPUTE), 8, 4},
};
static const heddle_pipeline_layout good = {sizeof good, set_list, 2, ranges, 2};

static heddle_result
compile(world *w, const heddle_pipeline_layout *layout, heddle_output **out)
{
    const heddle_compile_options o = {
        .struct_size = sizeof o, .target = "gfx1030", .layout = layout};
    return heddle_compile(w->context, module, sizeof module / 4, &o, out);
}

/* Checks that a compile with set 1 of only this binding fails so. */
static void
fails_with(world *w, heddle_layout_binding b, const char *name, const char *text)
{
    const heddle_set_layout one = {sizeof one, &b, 1}, *const list[] = {&sets[0], &one};
    const heddle_pipeline_layout l = {sizeof l, list, 2, ranges, 2};
    heddle_output *out;
    assert_int_equal(compile(w, &l, &out), HEDDLE_ERROR_INVALID);
    assert_null(out);
    assert_string_equal(w->name, name);
    assert_string_equal(w->text, text);
}

static void
test_shaders_that_do_not_fit(void **state)
{
    world *w = *state;
    heddle_layout_binding b = BINDING(3, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER, 3);
    fails_with(w, b, "API_LAYOUT_BINDING",
               "heddle: error: the pipeline layout has no set 1, binding 2 ('lights'), which the "
               "shader uses");
    b.binding = 2;
    b.count = 0; /* reserved */
    fails_with(w, b, "API_LAYOUT_BINDING",
               "heddle: error: the pipeline layout has no set 1, binding 2 ('lights'), which the "
               "shader uses");
    b.count = 2;
    fails_with(w, b, "API_LAYOUT_COUNT",
               "heddle: error: set 1, binding 2 ('lights') has 2 elements in the pipeline layout, "
               "but 3 in the shader");
    b.count = 3;
    b.stages = HEDDLE_STAGE_BIT(HEDDLE_STAGE_VERTEX) | HEDDLE_STAGE_BIT(HEDDLE_STAGE_FRAGMENT);
    fails_with(w, b, "API_LAYOUT_STAGE",
               "heddle: error: the pipeline layout does not give set 1, binding 2 ('lights') to "
               "this stage (bit 32 of its stages)");
    b.stages = 0;
    b.type = HEDDLE_DESCRIPTOR_STORAGE_BUFFER;
    fails_with(w, b, "API_LAYOUT_TYPE",
               "heddle: error: set 1, binding 2 ('lights') is storage_buffer in the pipeline "
               "layout, but uniform_buffer in the shader");
}

static void
test_push_constants_outside_the_ranges(void **state)
{
    world *w = *state;
    heddle_pipeline_layout l = good;
    heddle_output *out;
    l.n_push_ranges = 1; /* that of another stage */
    assert_int_equal(compile(w, &l, &out), HEDDLE_ERROR_INVALID);
    assert_string_equal(w->name, "API_LAYOUT_PUSH");
    assert_string_equal(w->text, "heddle: error: no push constant range of the stage has byte 8, "
                                 "which the shader reads (bytes 8 to 11)");
}

/* Each layout that is wrong in itself, and what is said of it. */
static void
says(world *w, const heddle_pipeline_layout *l, const char *text)
{
    heddle_output *out;
    heddle_layout_info info = {.struct_size = sizeof info};
    assert_int_equal(compile(w, l, &out), HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(w->name, "API_LAYOUT");
    assert_non_null(strstr(w->text, text));
    assert_int_equal(heddle_place_layout(w->context, "gfx1030", l, &info), HEDDLE_ERROR_ARGUMENT);
    assert_non_null(strstr(w->text, text));
}

static void
says_of(world *w, heddle_layout_binding b, const char *text)
{
    const heddle_set_layout one = {sizeof one, &b, 1}, *const list[] = {&one};
    const heddle_pipeline_layout l = {sizeof l, list, 1, NULL, 0};
    says(w, &l, text);
}

static void
test_wrong_bindings(void **state)
{
    world *w = *state;
    static const uint32_t words[4];
    const heddle_layout_binding twice[] = {first[0], first[2], first[0]};
    const heddle_set_layout set = SET(twice), none = {sizeof none, NULL, 1};
    const heddle_set_layout *const list[] = {NULL, &set}, *const list_of_none[] = {&none};
    const heddle_pipeline_layout l = {sizeof l, list, 2, NULL, 0};
    const heddle_pipeline_layout l_of_none = {sizeof l, list_of_none, 1, NULL, 0};
    says(w, &l, "set 1 has binding 4 twice");
    says(w, &l_of_none, "set 0 has no bindings, but a number of them");
    says_of(w, (heddle_layout_binding)BINDING(7, HEDDLE_DESCRIPTOR_NONE, 1),
            "set 0, binding 7 has a type that heddle_descriptor_type does not have");
    says_of(w, (heddle_layout_binding)BINDING(7, (heddle_descriptor_type)15, 1),
            "set 0, binding 7 has a type that heddle_descriptor_type does not have");
    says_of(w, (heddle_layout_binding)BINDING(7, HEDDLE_DESCRIPTOR_SAMPLER, 1, 0x100),
            "set 0, binding 7 has a bit in its stages that is no stage's");
    says_of(w, (heddle_layout_binding)BINDING(7, HEDDLE_DESCRIPTOR_SAMPLED_IMAGE, 1, 0, words),
            "set 0, binding 7 has immutable samplers, but a type without samplers");
    says_of(w, (heddle_layout_binding)BINDING(7, HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, 6),
            "set 0, binding 7 is an inline uniform block whose bytes are not a multiple of 4");
    says_of(w, (heddle_layout_binding){.binding = 7}, "a struct_size is 0");
}

static void
test_wrong_layouts(void **state)
{
    world *w = *state;
    static const heddle_push_range bad[] = {
        {sizeof bad[0], 0, 2, 4},     {sizeof bad[0], 0, 0, 6},          {sizeof bad[0], 0, 4, 0},
        {sizeof bad[0], 0, 65536, 4}, {sizeof bad[0], 0, 0xfffffffc, 8}, {sizeof bad[0], 256, 0, 4},
    };
    heddle_pipeline_layout l = good;
    l.n_sets = 33;
    says(w, &l, "it has more than 32 sets");
    l.sets = NULL;
    l.n_sets = 1;
    says(w, &l, "it has no sets, but a number of them");
    l = good;
    l.push_ranges = NULL;
    says(w, &l, "it has no push constant ranges, but a number of them");
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const heddle_pipeline_layout p = {sizeof p, NULL, 0, &bad[k], 1};
        char text[100];
        snprintf(text, sizeof text, "the push constant range of %u bytes from byte %u, stages 0x%x",
                 bad[k].size, bad[k].offset, bad[k].stages);
        says(w, &p, text);
    }
}

/* ---- places ---- */

static void
is_at(const heddle_binding_place *p, uint32_t offset, uint32_t stride, uint32_t size, bool in_block)
{
    assert_int_equal(p->offset, offset);
    assert_int_equal(p->stride, stride);
    assert_int_equal(p->size, size);
    assert_int_equal(p->in_block, in_block);
}

/* The order of the caller's rows is kept; places follow the numbers. */
static void
test_places_of_a_set(void **state)
{
    world *w = *state;
    const heddle_layout_binding rows[] = {
        BINDING(9, HEDDLE_DESCRIPTOR_STORAGE_IMAGE, 2),
        BINDING(0, HEDDLE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER, 3),
        BINDING(2, HEDDLE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC, 2),
        BINDING(3, HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, 20),
        BINDING(1, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC, 1),
        BINDING(4, HEDDLE_DESCRIPTOR_ACCELERATION_STRUCTURE, 1),
        BINDING(5, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 0),
        BINDING(10, HEDDLE_DESCRIPTOR_MUTABLE, 1),
    };
    const heddle_set_layout set = SET(rows);
    heddle_set_info info = {.struct_size = sizeof info};
    heddle_binding_place p[8];
    assert_int_equal(heddle_place_set(w->context, "gfx1030", &set, &info, p), HEDDLE_OK);
    is_at(&p[1], 0, 16, 16, false);
    is_at(&p[3], 48, 0, 0, false);
    is_at(&p[5], 80, 16, 16, false); /* after 20 bytes, at a multiple of 16 */
    is_at(&p[0], 96, 32, 32, false);
    is_at(&p[7], 160, 64, 64, false);
    is_at(&p[4], 0, 16, 16, true);
    is_at(&p[2], 16, 16, 16, true);
    is_at(&p[6], 0, 0, 0, false); /* reserved */
    assert_int_equal(p[0].binding, 9);
    assert_int_equal(p[3].count, 20);
    assert_int_equal(p[2].type, HEDDLE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC);
    assert_int_equal(info.size, 224);
    assert_int_equal(info.align, 32);
    assert_int_equal(info.block_size, 48);
    const heddle_set_layout empty = {sizeof empty, NULL, 0};
    assert_int_equal(heddle_place_set(w->context, "gfx1030", &empty, &info, p), HEDDLE_OK);
    assert_int_equal(info.size, 0);
    assert_int_equal(info.align, 1);
}

/* Adreno has a descriptor of 64 bytes for an inline block, then its bytes, in steps of 64. */
static void
test_inline_block_of_adreno(void **state)
{
    world *w = *state;
    const heddle_layout_binding rows[] = {
        BINDING(0, HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, 20),
        BINDING(1, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER, 1),
        BINDING(2, HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, 100),
    };
    const heddle_set_layout set = SET(rows);
    heddle_set_info info = {.struct_size = sizeof info};
    heddle_binding_place p[3];
    assert_int_equal(heddle_place_set(w->context, "a660", &set, &info, p), HEDDLE_OK);
    assert_int_equal(p[1].offset, 128);
    assert_int_equal(p[2].offset, 192);
    assert_int_equal(info.size, 192 + 64 + 128);
}

static void
test_places_of_a_pipeline(void **state)
{
    world *w = *state;
    const heddle_layout_binding rows[] = {BINDING(1, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC, 2),
                                          BINDING(0, HEDDLE_DESCRIPTOR_SAMPLER, 1)};
    const heddle_set_layout set = SET(rows), *const list[] = {&set, NULL, &sets[0], &set};
    const heddle_push_range range = {sizeof range, 0, 4, 16};
    const heddle_pipeline_layout l = {sizeof l, list, 4, &range, 1};
    heddle_layout_info info = {.struct_size = sizeof info};
    assert_int_equal(heddle_place_layout(w->context, "gfx1030", &l, &info), HEDDLE_OK);
    assert_int_equal(info.push_size, 20);
    assert_int_equal(info.dynamic_offset[0], 32);
    assert_int_equal(info.dynamic_offset[1], 64);
    assert_int_equal(info.dynamic_offset[3], 64);
    assert_int_equal(info.dynamic_offset[4], 96);
    assert_int_equal(info.block_size, 96);
    assert_int_equal(heddle_place_layout(w->context, "gfx1030", &good, &info), HEDDLE_OK);
    assert_int_equal(info.block_size, 16);
}

/* Rows of an older or newer header are as long as they say. */
static void
test_rows_of_another_size(void **state)
{
    world *w = *state;
    struct {
        heddle_layout_binding row;
        uint64_t later;
    } rows[2] = {
        {{sizeof rows[0], 1, HEDDLE_DESCRIPTOR_SAMPLER, 1, 0, NULL}, UINT64_MAX},
        {{sizeof rows[0], 0, HEDDLE_DESCRIPTOR_STORAGE_IMAGE, 1, 0, NULL}, UINT64_MAX},
    };
    const heddle_set_layout set = {sizeof set, &rows[0].row, 2};
    heddle_binding_place p[2];
    assert_int_equal(heddle_place_set(w->context, "gfx1030", &set, NULL, p), HEDDLE_OK);
    is_at(&p[0], 32, 16, 16, false);
    is_at(&p[1], 0, 32, 32, false);
}

static void
test_wrong_calls(void **state)
{
    world *w = *state;
    const heddle_layout_binding huge = BINDING(0, HEDDLE_DESCRIPTOR_MUTABLE, 1u << 24 | 1);
    const heddle_set_layout set = {sizeof set, &huge, 1};
    heddle_set_info info = {.struct_size = sizeof info};
    heddle_binding_place place;
    assert_int_equal(heddle_place_set(w->context, "gfx1030", &set, &info, NULL),
                     HEDDLE_ERROR_LIMIT);
    assert_string_equal(w->name, "TARGET_SET_SIZE");
    heddle_target_info target = {.struct_size = sizeof target};
    for (uint32_t k = 0; heddle_get_target(k, &target) == HEDDLE_OK; k++) {
        if (target.compiles)
            continue;
        assert_int_equal(heddle_place_set(w->context, target.name, &sets[0], &info, &place),
                         HEDDLE_ERROR_UNSUPPORTED);
        assert_string_equal(w->name, "API_TARGET_NOT_COMPILED");
    }
    assert_int_equal(heddle_place_set(w->context, "gfx9999", &sets[0], &info, NULL),
                     HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(w->name, "API_UNKNOWN_TARGET");
    assert_int_equal(heddle_place_set(w->context, "gfx1030", NULL, &info, NULL),
                     HEDDLE_ERROR_ARGUMENT);
    assert_int_equal(heddle_place_set(w->context, "gfx1030", &sets[0], NULL, NULL),
                     HEDDLE_ERROR_ARGUMENT);
    assert_int_equal(heddle_place_layout(w->context, "gfx1030", NULL, NULL), HEDDLE_ERROR_ARGUMENT);
    assert_int_equal(heddle_place_layout(NULL, "gfx1030", &good, NULL), HEDDLE_ERROR_ARGUMENT);
}

/* ---- what is reported ---- */

/* With a layout and without one, by the compile and by its code object. */
static void
reports(world *w, const heddle_pipeline_layout *layout, const heddle_binding_place *want, size_t n)
{
    heddle_output *outs[2];
    assert_int_equal(compile(w, layout, &outs[0]), HEDDLE_OK);
    assert_int_equal(heddle_read_kernel(w->context, heddle_output_data(outs[0]),
                                        heddle_output_size(outs[0]), NULL, 0, &outs[1]),
                     HEDDLE_OK);
    for (int k = 0; k < 2; k++) {
        heddle_shader_info info = {.struct_size = sizeof info};
        assert_int_equal(heddle_output_info(outs[k], &info), HEDDLE_OK);
        assert_int_equal(info.n_bindings, n);
        for (size_t i = 0; i < n; i++)
            assert_memory_equal(&info.bindings[i], &want[i], sizeof want[i]);
        assert_int_equal(info.push_size, 12);
        assert_int_equal(info.address_high, 0xffff8000);
        assert_int_equal(info.buffer_word3, 0x31016fac);
        assert_int_equal(info.n_args, 0);
        heddle_destroy_output(outs[k]);
    }
}

static void
test_reports_places(void **state)
{
#define BUFFER HEDDLE_DESCRIPTOR_STORAGE_BUFFER
#define BLOCK  HEDDLE_DESCRIPTOR_UNIFORM_BUFFER
    static const heddle_binding_place inferred[] = {{0, 4, BUFFER, 1, 0, 16, 16, 0, 1},
                                                    {0, 9, BUFFER, 1, 16, 16, 16, 0, 0},
                                                    {1, 2, BLOCK, 3, 0, 16, 16, 0, 1}};
    static const heddle_binding_place given[] = {{0, 4, BUFFER, 1, 160, 16, 16, 0, 1},
                                                 {1, 2, BLOCK, 5, 0, 16, 16, 0, 1}};
    reports(*state, NULL, inferred, 3);
    reports(*state, &good, given, 2);
}

/* The kernel's arguments are reported with the hsa ABI. */
static void
test_reports_arguments(void **state)
{
    world *w = *state;
    heddle_output *out;
    heddle_shader_info info = {.struct_size = sizeof info};
    const heddle_compile_options o = {
        .struct_size = sizeof o, .target = "gfx1030", .abi = HEDDLE_ABI_HSA, .layout = &good};
    assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &o, &out), HEDDLE_OK);
    assert_int_equal(heddle_output_info(out, &info), HEDDLE_OK);
    assert_int_equal(info.n_args, 3);
    assert_string_equal(info.args[1].name, "set1");
    assert_string_equal(info.args[1].kind, "global_buffer");
    assert_int_equal(info.args[1].offset, 8);
    assert_string_equal(info.args[2].name, "push_constants");
    assert_int_equal(info.args[2].size, 12);
    assert_int_equal(info.address_high, 0);
    assert_string_equal(info.user_sgprs[0].kind, "kernarg_pointer");
    heddle_destroy_output(out);
}

/* A layout of what the shader declares gives the code that it gets without one. */
static void
test_the_same_layout_gives_the_same_code(void **state)
{
    world *w = *state;
    const heddle_layout_binding rows[] = {BINDING(9, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1),
                                          BINDING(4, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1)};
    const heddle_set_layout set = SET(rows), *const list[] = {&set, &sets[1]};
    const heddle_pipeline_layout l = {sizeof l, list, 2, ranges, 2};
    heddle_output *a, *b, *c;
    assert_int_equal(compile(w, NULL, &a), HEDDLE_OK);
    assert_int_equal(compile(w, &l, &b), HEDDLE_OK);
    assert_int_equal(compile(w, &good, &c), HEDDLE_OK);
    heddle_shader_info info[3];
    heddle_output *const outs[] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        info[k].struct_size = sizeof info[k];
        assert_int_equal(heddle_output_info(outs[k], &info[k]), HEDDLE_OK);
    }
    assert_int_equal(info[0].code_size, info[1].code_size);
    assert_memory_equal(info[0].code, info[1].code, info[0].code_size);
    assert_memory_not_equal(info[0].code, info[2].code, info[0].data_offset);
    for (int k = 0; k < 3; k++)
        heddle_destroy_output(outs[k]);
}

static bool
mentions(world *w, const heddle_compile_options *o, const char *text)
{
    heddle_output *out;
    heddle_compile_options as_text = *o;
    as_text.emit = "asm";
    assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &as_text, &out),
                     HEDDLE_OK);
    bool has = strstr(heddle_output_data(out), text) != NULL;
    heddle_destroy_output(out);
    return has;
}

static void
test_words_that_are_built_in(void **state)
{
    world *w = *state;
    heddle_output *out;
    heddle_compile_options o = {.struct_size = sizeof o, .target = "gfx1030"};
    assert_true(mentions(w, &o, "0x8000"));
    o.address_high = 0x1234; /* does not count */
    assert_true(mentions(w, &o, "0x8000"));
    o.has_address_high = 1;
    assert_false(mentions(w, &o, "0x8000"));
    assert_true(mentions(w, &o, "0x1234"));
    o.address_high = 0;
    assert_false(mentions(w, &o, "0x8000"));
    o.has_address_high = 2;
    assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &o, &out),
                     HEDDLE_ERROR_ARGUMENT);
    assert_non_null(strstr(w->text, "has_address_high"));
    o.has_address_high = 0;
    for (uint32_t wrong = 1; wrong < 200000; wrong = wrong < 3 ? 3 : wrong * 44) {
        o.buffer_align = wrong;
        assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &o, &out),
                         HEDDLE_ERROR_ARGUMENT);
        assert_non_null(strstr(w->text, "buffer_align"));
    }
    o.buffer_align = 4;
    assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &o, &out), HEDDLE_OK);
    heddle_destroy_output(out);
}

/* ---- descriptors that are not in memory ---- */

#define HEAD "shader: compute\nworkgroup_size: 64, 1, 1\n"

static heddle_result
compile_hir(world *w, const char *text, const heddle_layout_binding *rows, size_t n, heddle_abi abi)
{
    const heddle_set_layout set = {sizeof set, rows, n}, *const list[] = {&set};
    const heddle_pipeline_layout l = {sizeof l, list, 1, NULL, 0};
    const heddle_compile_options o = {
        .struct_size = sizeof o, .target = "gfx1030", .layout = &l, .abi = abi};
    heddle_output *out;
    heddle_result result = heddle_compile_hir(w->context, text, strlen(text), &o, &out);
    heddle_destroy_output(out);
    return result;
}

/* The descriptor is a constant, so the compiler must know which one an instruction uses. */
static void
test_chosen_at_run_time(void **state)
{
    world *w = *state;
    static const char choice[] = HEAD
        "impl \"main\" {\nblock b0:\n32 %1 = load_const (0)\n"
        "32x3 %2 = @load_workgroup_id\n"
        "1 %3 = ieq %2.x, %1\n"
        "32 %4 = @vulkan_resource_index (%1) (desc_set=0, binding=0, desc_type=ubo)\n"
        "32 %5 = @vulkan_resource_index (%1) (desc_set=0, binding=1, desc_type=ubo)\n"
        "32 %6 = bcsel %3, %4, %5\n"
        "32 %7 = @load_ubo (%6, %1) (access=none, align_mul=4, align_offset=0)\n"
        "32 %8 = @vulkan_resource_index (%1) (desc_set=0, binding=2, desc_type=ssbo)\n"
        "@store_ssbo (%7, %8, %1) (wrmask=x, access=none, align_mul=4, align_offset=0)\n"
        "return\n}\n";
    heddle_layout_binding rows[] = {BINDING(0, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER, 1),
                                    BINDING(1, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC, 1),
                                    BINDING(2, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1)};
    assert_int_equal(compile_hir(w, choice, rows, 3, HEDDLE_ABI_VULKAN), HEDDLE_OK);
    assert_int_equal(compile_hir(w, choice, rows, 3, HEDDLE_ABI_HSA), HEDDLE_OK);
    rows[1] = (heddle_layout_binding)BINDING(1, HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, 16);
    assert_int_equal(compile_hir(w, choice, rows, 3, HEDDLE_ABI_VULKAN), HEDDLE_ERROR_UNSUPPORTED);
    assert_string_equal(w->name, "TARGET_CHOSEN");
}

/* The same of immutable samplers: the image may be chosen by an index, the sampler by nothing else. */
static void
test_samplers_chosen_at_run_time(void **state)
{
    world *w = *state;
    static const uint32_t words[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const char choice[] = HEAD
        "impl \"main\" {\nblock b0:\n32 %1 = load_const (0)\n"
        "32x3 %2 = @load_workgroup_id\n"
        "1 %3 = ieq %2.x, %1\n"
        "32 %4 = @vulkan_resource_index (%1) (desc_set=0, binding=0, desc_type=sampler)\n"
        "32 %5 = @vulkan_resource_index (%1) (desc_set=0, binding=1, desc_type=sampler)\n"
        "32 %6 = bcsel %3, %4, %5\n"
        "32 %7 = @vulkan_resource_index (%1) (desc_set=0, binding=2, desc_type=sampled_image)\n"
        "32x2 %9 = vec %1, %1\n"
        "32x4 %8 = @tex (%7, %6, %9, %1, _, _, _, _, _, _) (op=txl, image_dim=2D, type=float, "
        "access=none)\n"
        "32 %10 = @vulkan_resource_index (%1) (desc_set=0, binding=3, desc_type=ssbo)\n"
        "@store_ssbo (%8.x, %10, %1) (wrmask=x, access=none, align_mul=4, align_offset=0)\n"
        "return\n}\n";
    heddle_layout_binding rows[] = {BINDING(0, HEDDLE_DESCRIPTOR_SAMPLER, 1),
                                    BINDING(1, HEDDLE_DESCRIPTOR_SAMPLER, 2),
                                    BINDING(2, HEDDLE_DESCRIPTOR_SAMPLED_IMAGE, 1),
                                    BINDING(3, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1)};
    assert_int_equal(compile_hir(w, choice, rows, 4, HEDDLE_ABI_VULKAN), HEDDLE_OK);
    rows[1].immutable_samplers = words;
    assert_int_equal(compile_hir(w, choice, rows, 4, HEDDLE_ABI_VULKAN), HEDDLE_ERROR_UNSUPPORTED);
    assert_string_equal(w->name, "TARGET_CHOSEN");
}

/* A kernel has handles for 32 sets; the block of push constants counts as one of them. */
static void
test_too_many_sets_of_a_kernel(void **state)
{
    world *w = *state;
    char text[8000] = HEAD "impl \"main\" {\nblock b0:\n32 %1 = load_const (0)\n";
    const heddle_layout_binding row = BINDING(0, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1),
                                dynamic[] = {
                                    row, BINDING(1, HEDDLE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC, 1)};
    const heddle_set_layout one = {sizeof one, &row, 1}, two = SET(dynamic);
    const heddle_set_layout *list[32];
    const heddle_pipeline_layout l = {sizeof l, list, 32, NULL, 0};
    heddle_compile_options o = {.struct_size = sizeof o, .target = "gfx1030", .layout = &l};
    heddle_output *out;
    for (unsigned s = 0; s < 33; s++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n,
                 "32 %%%u = @vulkan_resource_index (%%1) (desc_set=%u, binding=%u, "
                 "desc_type=ssbo)\n@store_ssbo (%%1, %%%u, %%1) (wrmask=x, access=none, "
                 "align_mul=4, align_offset=0)\n",
                 s + 2, s % 32, s / 32, s + 2);
        list[s % 32] = s % 32 ? &one : &two;
    }
    strcat(text, "return\n}\n");
    assert_int_equal(heddle_compile_hir(w->context, text, strlen(text), &o, &out), HEDDLE_OK);
    heddle_destroy_output(out);
    o.abi = HEDDLE_ABI_HSA;
    assert_int_equal(heddle_compile_hir(w->context, text, strlen(text), &o, &out),
                     HEDDLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(w->text, "32 sets and dynamic buffers"));
}

/* ---- cancelling ---- */

typedef struct canceller {
    long asked, limit;
} canceller;

static int
is_cancelled(void *user)
{
    canceller *c = user;
    return c->asked++ >= c->limit;
}

/* Wherever a compile is cancelled, it ends there, and the context makes the same code afterwards. */
static void
test_cancelled_and_used_again(void **state)
{
    world *w = *state;
    canceller c = {.limit = 1000};
    heddle_output *want, *out;
    const heddle_compile_options o = {.struct_size = sizeof o,
                                      .target = "gfx1030",
                                      .layout = &good,
                                      .cancelled = is_cancelled,
                                      .user = &c};
    assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &o, &want), HEDDLE_OK);
    const long passes = c.asked;
    assert_in_range(passes, 20, 200);
    for (long limit = 0; limit < passes; limit++) {
        c = (canceller){.limit = limit};
        assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &o, &out),
                         HEDDLE_ERROR_CANCELLED);
        assert_null(out);
        assert_int_equal(c.asked, limit + 1);
        assert_string_equal(w->name, "CANCELLED");
        assert_string_equal(w->text, "heddle: error: the compile was cancelled");
    }
    c = (canceller){.limit = 1000};
    assert_int_equal(heddle_compile(w->context, module, sizeof module / 4, &o, &out), HEDDLE_OK);
    assert_int_equal(heddle_output_size(out), heddle_output_size(want));
    assert_memory_equal(heddle_output_data(out), heddle_output_data(want), heddle_output_size(out));
    heddle_destroy_output(out);
    heddle_destroy_output(want);
    assert_string_equal(heddle_result_text(HEDDLE_ERROR_CANCELLED), "cancelled");
}

/* ---- threads ---- */

enum { THREADS = 4, COMPILES = 40 };

typedef struct worker {
    heddle_context *context;
    const heddle_output *want;
    long seed;
    int wrong;
} worker;

/* Compiles, cancels, asks for places, reads objects: all on one context. */
static void *
work(void *user)
{
    worker *w = user;
    for (long k = 0; k < COMPILES; k++) {
        canceller c = {.limit = (k + w->seed) % 3 ? 1000 : k % 30};
        heddle_set_info info = {.struct_size = sizeof info};
        heddle_output *out, *read = NULL;
        const heddle_compile_options o = {.struct_size = sizeof o,
                                          .target = "gfx1030",
                                          .layout = &good,
                                          .cancelled = is_cancelled,
                                          .user = &c};
        heddle_result result = heddle_compile(w->context, module, sizeof module / 4, &o, &out);
        if (result != (c.limit == 1000 ? HEDDLE_OK : HEDDLE_ERROR_CANCELLED))
            w->wrong++;
        if (result == HEDDLE_OK) {
            w->wrong += memcmp(heddle_output_data(out), heddle_output_data(w->want),
                               heddle_output_size(w->want)) != 0;
            w->wrong += heddle_read_kernel(w->context, heddle_output_data(out),
                                           heddle_output_size(out), NULL, 0, &read) != HEDDLE_OK;
        }
        w->wrong += heddle_place_set(w->context, "gfx1030", &sets[0], &info, NULL) != HEDDLE_OK;
        w->wrong += info.size != 176;
        heddle_destroy_output(read);
        heddle_destroy_output(out);
    }
    return NULL;
}

static void
test_threads(void **state)
{
    (void)state; /* its callback is not for several threads */
    heddle_context *context;
    heddle_output *want;
    pthread_t threads[THREADS];
    worker workers[THREADS];
    const heddle_compile_options o = {
        .struct_size = sizeof o, .target = "gfx1030", .layout = &good};
    assert_int_equal(heddle_create_context(NULL, &context), HEDDLE_OK);
    assert_int_equal(heddle_compile(context, module, sizeof module / 4, &o, &want), HEDDLE_OK);
    for (int k = 0; k < THREADS; k++) {
        workers[k] = (worker){context, want, k, 0};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &workers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        assert_int_equal(workers[k].wrong, 0);
    }
    heddle_destroy_output(want);
    heddle_destroy_context(context);
}

static void
test_names_of_types(void **state)
{
    (void)state;
    assert_string_equal(heddle_descriptor_type_text(HEDDLE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC),
                        "storage_buffer_dynamic");
    assert_string_equal(heddle_descriptor_type_text(HEDDLE_DESCRIPTOR_NONE), "none");
    assert_string_equal(heddle_descriptor_type_text((heddle_descriptor_type)1000), "none");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_shaders_that_do_not_fit),
        TEST(test_push_constants_outside_the_ranges),
        TEST(test_wrong_bindings),
        TEST(test_wrong_layouts),
        TEST(test_places_of_a_set),
        TEST(test_inline_block_of_adreno),
        TEST(test_places_of_a_pipeline),
        TEST(test_rows_of_another_size),
        TEST(test_wrong_calls),
        TEST(test_reports_places),
        TEST(test_reports_arguments),
        TEST(test_the_same_layout_gives_the_same_code),
        TEST(test_words_that_are_built_in),
        TEST(test_chosen_at_run_time),
        TEST(test_samplers_chosen_at_run_time),
        TEST(test_too_many_sets_of_a_kernel),
        TEST(test_cancelled_and_used_again),
        TEST(test_threads),
        TEST(test_names_of_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
