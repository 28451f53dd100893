/* Tests the reader of Amber scripts: the models of good scripts, the messages for bad ones.
 * Expected layouts are those of docs/memory_layout.md of google/amber. */
#include "amber/amber.h"
#include "amber/layout.h"
#include "amber/lex.h"
#include "base/buf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    arena a;
    diag d;
} fixture;

static void
start(fixture *f)
{
    diag_init(&f->d);
    arena_init(&f->a, &base_malloc_allocator, diag_out_of_memory, &f->d);
}

static bool
load(void *user, arena *a, const char *path, const char **data, size_t *size)
{
    (void)user;
    if (strcmp(path, "numbers.txt") != 0)
        return false;
    *data = arena_strdup(a, "1 2 # two\n3 0x10\n");
    *size = strlen(*data);
    return true;
}

static const amber_loader loader = {.load = load};

/* Parses; NULL after an error. */
static amber_script *
parse(fixture *f, const char *text)
{
    amber_script *volatile s = NULL;
    if (DIAG_TRY(&f->d))
        s = amber_parse(&f->a, &f->d, "t.amber", text, strlen(text), &loader);
    return s;
}

static amber_script *
parse_good(fixture *f, const char *text)
{
    amber_script *s = parse(f, text);
    if (!s)
        print_message("%u:%u: %s\n", f->d.loc.line, f->d.loc.column, f->d.message);
    assert_non_null(s);
    return s;
}

static const char compute_head[] = "#!amber\n"
                                   "SHADER compute s GLSL TARGET_ENV spv1.3\n"
                                   "#version 450 # not a comment\n"
                                   "void main() {}\n"
                                   "END\n";

static void
test_compute_script(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    amber_script *s = parse_good(
        &f,
        arena_printf(&f.a, "%s%s", compute_head,
                     "DEVICE_FEATURE Float16Int8Features.shaderFloat16\n"
                     "BUFFER in DATA_TYPE uint16 SIZE 3 SERIES_FROM 5 INC_BY 2\n"
                     "BUFFER out DATA_TYPE vec3<float> STD430 DATA 1 2 3\n 4.5 5 6 END\n"
                     "PIPELINE compute p\n"
                     "  ATTACH s ENTRY_POINT other SPECIALIZE 3 AS float 1.5 \\\n"
                     "    SPECIALIZE 4 AS uint32 0x10\n"
                     "  BIND BUFFER in AS storage DESCRIPTOR_SET 1 BINDING 2 DESCRIPTOR_OFFSET 4\n"
                     "  BIND BUFFER out AS push_constant\n"
                     "END\n"
                     "DERIVE_PIPELINE q FROM p\n"
                     "  BIND BUFFER out AS uniform DESCRIPTOR_SET 1 BINDING 2\n"
                     "END\n"
                     "REPEAT 3\n"
                     "  RUN q 4 5 6\n"
                     "  RUN TIMED_EXECUTION p 1 1 1\n"
                     "END\n"
                     "EXPECT out IDX 16 TOLERANCE 1 2% EQ 1 2 3\n"));
    assert_int_equal(s->shaders[0]->line, 3);
    assert_string_equal(s->shaders[0]->text, "#version 450 # not a comment\nvoid main() {}\n");
    assert_string_equal(s->shaders[0]->target_env, "spv1.3");
    assert_string_equal(s->features.items[0], "Float16Int8Features.shaderFloat16");
    assert_int_equal(s->buffers[0]->size, 6);
    assert_memory_equal(s->buffers[0]->init, "\5\0\7\0\11\0", 6);
    assert_int_equal(s->buffers[1]->size, 32);
    assert_memory_equal(s->buffers[1]->init + 16, "\0\0\220\100", 4); /* 4.5f */
    const amber_pipeline *p = s->pipelines[0], *q = s->pipelines[1];
    assert_string_equal(p->attached[0].entry, "other");
    assert_int_equal(p->attached[0].spec_count, 2);
    assert_int_equal(p->attached[0].specs[0].value, 0x3fc00000);
    assert_int_equal(p->attached[0].specs[1].value, 16);
    assert_int_equal(p->bindings[0].kind, AMBER_BIND_STORAGE);
    assert_int_equal(p->bindings[0].offset, 4);
    assert_true(p->push == s->buffers[1]);
    assert_int_equal(q->binding_count, 1);
    assert_int_equal(q->bindings[0].kind, AMBER_BIND_UNIFORM);
    assert_int_equal(s->command_count, 2);
    assert_int_equal(s->commands[0].count, 3);
    assert_int_equal(s->commands[0].body_count, 2);
    assert_int_equal(s->commands[0].body[0].groups[2], 6);
    assert_int_equal(s->commands[1].compare, AMBER_FUZZY);
    assert_int_equal(s->commands[1].offset, 16);
    assert_true(s->commands[1].tolerance[1].percent && !s->commands[1].tolerance[0].percent);
    arena_free(&f.a);
}

static void
test_images(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    amber_script *s = parse_good(
        &f, "#!amber\n"
            "STRUCT inner\n int32 d OFFSET 8\n int32 e OFFSET 16\nEND\n"
            "STRUCT outer\n float a OFFSET 8\n int32 b OFFSET 16\n inner c\nEND\n"
            "BUFFER b DATA_TYPE outer STD430 DATA 1 64 5 6 END\n"
            "BUFFER t DATA_TYPE int32 SIZE 4 FILE TEXT numbers.txt\n"
            "IMAGE i FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 4 HEIGHT 2 MIP_LEVELS 3 FILL 7\n"
            "IMAGE m FORMAT R16_SFLOAT DIM_2D WIDTH 4 HEIGHT 2 SAMPLES 4\n"
            "IMAGE v DATA_TYPE vec4<int32> DIM_3D WIDTH 2 HEIGHT 2 DEPTH 2 FILL 1\n"
            "SAMPLER s MAG_FILTER linear ADDRESS_MODE_W clamp_to_border BORDER_COLOR \\\n"
            "  int_opaque_black MIN_LOD 0.5 MAX_LOD 3 COMPARE on COMPARE_OP greater\n");
    assert_int_equal(s->buffers[0]->size, 40);
    assert_memory_equal(s->buffers[0]->init + 28, "\5\0\0\0\0\0\0\0\6\0\0\0", 12);
    assert_memory_equal(s->buffers[1]->init, "\1\0\0\0\2\0\0\0\3\0\0\0\20\0\0\0", 16);
    assert_int_equal(s->buffers[2]->size, (4 * 2 + 2 + 1) * 4);
    assert_int_equal(s->buffers[2]->init_size, 4 * 2 * 4);
    assert_int_equal(s->buffers[3]->size, 4 * 2 * 2 * 4);
    assert_string_equal(s->buffers[4]->type->texel.name, "R32G32B32A32_SINT");
    assert_int_equal(s->buffers[4]->size, 8 * 16);
    assert_int_equal(s->samplers[0]->mag, AMBER_LINEAR);
    assert_int_equal(s->samplers[0]->min, AMBER_NEAREST);
    assert_int_equal(s->samplers[0]->address[2], AMBER_CLAMP_TO_BORDER);
    assert_int_equal(s->samplers[0]->border, 3);
    assert_true(s->samplers[0]->max_lod == 3.0f && s->samplers[0]->compare_op == 4);
    arena_free(&f.a);
}

static void
test_vkscript(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    amber_script *s = parse_good(&f, "# a comment\n"
                                     "[require]\nVK_KHR_spirv_1_4\nshaderInt64\n\n"
                                     "[compute shader spirv]\nOpNop\n; [not a section]\n"
                                     "[test]\n"
                                     "ssbo 0:2 5\n"
                                     "ssbo 1 subdata uint 4 7 8\n"
                                     "uniform ubo 1:3 vec3 16 1 2 3\n"
                                     "uniform float 8 2.5\n"
                                     "compute 1 2 3\n"
                                     "compute entrypoint other\n"
                                     "compute 1 1 1\n"
                                     "tolerance 0.1 5%\n"
                                     "probe ssbo u64vec2 0:2 16 ~= 4 5\n");
    assert_true(s->vkscript);
    assert_string_equal(s->device_extensions.items[0], "VK_KHR_spirv_1_4");
    assert_string_equal(s->features.items[0], "shaderInt64");
    assert_int_equal(s->shaders[0]->language, AMBER_SPIRV_ASM);
    assert_string_equal(s->shaders[0]->text, "OpNop\n; [not a section]\n");
    assert_int_equal(s->pipeline_count, 2);
    assert_string_equal(s->pipelines[0]->attached[0].entry, "main");
    assert_string_equal(s->pipelines[1]->attached[0].entry, "other");
    assert_int_equal(s->pipelines[1]->binding_count, 3);
    assert_int_equal(s->buffers[0]->size, 5 * 16); /* in elements of the probe's type */
    assert_int_equal(s->buffers[1]->size, 12);
    assert_int_equal(s->buffers[2]->size, 32);
    assert_int_equal(s->pipelines[0]->bindings[2].set, 1);
    assert_int_equal(s->pipelines[0]->bindings[2].binding, 3);
    assert_int_equal(s->pipelines[0]->bindings[2].kind, AMBER_BIND_UNIFORM);
    assert_int_equal(s->pipelines[0]->push->size, 12);
    assert_int_equal(s->commands[5].compare, AMBER_FUZZY);
    assert_int_equal(s->commands[5].tolerance_count, 2);
    assert_true(s->commands[3].pipeline == s->pipelines[0]);
    assert_true(s->commands[4].pipeline == s->pipelines[1]);
    arena_free(&f.a);
}

static void
test_vkscript_graphics(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    amber_script *s = parse_good(
        &f, "[test]\n" /* read last */
            "draw arrays instanced indexed GL_LINES 1 2 7\n"
            "draw arrays PATCH_LIST 0 4\n"
            "vertex entrypoint other\n"
            "draw rect patch ortho 4 2 8 4\n"
            "lineWidth 2.5\nlogicOp VK_LOGIC_OP_XOR\npolygonMode VK_POLYGON_MODE_LINE\n"
            "cullMode VK_CULL_MODE_FRONT_BIT | VK_CULL_MODE_BACK_BIT\n"
            "back.failOp VK_STENCIL_OP_INVERT\nsrcAlphaBlendFactor VK_BLEND_FACTOR_SRC1_ALPHA\n"
            "tessellation evaluation entrypoint e\npatch parameter vertices 5\n"
            "draw arrays POINT_LIST 0 1\n"
            "relative probe rect rgb (0.5, 0.25, 0.5, 0.5) (1, 0, 0)\n"
            "clear stencil 9\n"
            "[vertex shader spirv hex]\n0\n[tessellation evaluation shader]\nx\n"
            "[indices]\n0 1\n0x2 3\n"
            "[vertex data]\n2/R8G8_UNORM 0/half/vec3 1/A2B10G10R10_UNORM_PACK32\n"
            "1 2 1 0 0 0x12345678\n3 4 0 -1 0 7\n"
            "[require]\nfbsize 16 8\ndepthstencil D16_UNORM\n");
    const amber_pipeline *const *p = (const amber_pipeline *const *)s->pipelines;
    assert_int_equal(s->pipeline_count, 4); /* the first is for clears */
    assert_int_equal(p[1]->graphics->width, 16);
    assert_int_equal(p[1]->graphics->depth_stencil->type->size, 2);
    assert_int_equal(p[1]->attach_count, 2);
    assert_int_equal(p[1]->attached[1].stage, AMBER_TESS_EVALUATION);
    assert_int_equal(p[1]->attached[0].shader->language, AMBER_SPIRV_HEX);
    const amber_vertices *v = s->commands[0].vertices;
    assert_true(s->commands[0].pipeline == p[1] && s->commands[1].pipeline == p[1]);
    assert_int_equal(v->topology, MACH_LINE_LIST);
    assert_int_equal(v->first, 1);
    assert_int_equal(v->count, 2);
    assert_int_equal(v->instances, 7);
    assert_int_equal(v->index->elements, 4);
    assert_memory_equal(v->index->init, "\0\0\1\0\2\0\3\0", 8);
    assert_int_equal(v->input_count, 3);
    assert_int_equal(v->inputs[0].location, 2);
    assert_memory_equal(v->inputs[0].buffer->init, "\1\2\3\4", 4);
    assert_int_equal(v->inputs[1].stride, 6);
    assert_memory_equal(v->inputs[1].buffer->init, "\0\x3c\0\0\0\0\0\0\0\xbc\0\0", 12);
    assert_memory_equal(v->inputs[2].buffer->init, "\x78\x56\x34\x12\7\0\0\0", 8);
    assert_true(s->commands[1].vertices->index == NULL);
    v = s->commands[2].vertices;
    assert_int_equal(v->topology, MACH_PATCH_LIST);
    assert_string_equal(p[2]->attached[0].entry, "other");
    assert_int_equal(p[2]->graphics->patch_vertices, 4);
    float corner[2];
    memcpy(corner, v->inputs[0].buffer->init + 8, sizeof corner);
    assert_true(corner[0] == -0.5f && corner[1] == -0.5f);
    const amber_graphics *g = p[3]->graphics;
    assert_true(g->line_width == 2.5f && g->cull_front && g->cull_back);
    assert_int_equal(g->logic_op, MACH_LOGIC_XOR);
    assert_int_equal(g->polygon_mode, MACH_POLYGON_LINE);
    assert_int_equal(g->tests.stencil[1].fail, MACH_STENCIL_INVERT);
    assert_int_equal(g->blend.alpha.src, MACH_BLEND_SRC1_ALPHA);
    assert_int_equal(g->patch_vertices, 5);
    assert_string_equal(p[3]->attached[1].entry, "e");
    const uint32_t rect[4] = {8, 2, 8, 4};
    assert_memory_equal(s->commands[4].rect, rect, sizeof rect);
    assert_int_equal(s->commands[5].op, AMBER_OP_CLEAR_STENCIL);
    assert_true(s->commands[5].pipeline == p[0]);
    arena_free(&f.a);
}

/* The layout as "size: offset offset ...". */
static const char *
describe_layout(fixture *f, const char *name, bool std140)
{
    layout_type t;
    char text[256];
    int n;
    if (!amber_layout_parse(name, strlen(name), &t))
        return "no type";
    const amber_type *l = amber_layout_make(&f->a, &f->d, &t, std140);
    n = snprintf(text, sizeof text, "%u:", l->size);
    for (uint32_t i = 0; i < l->slot_count; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, " %u", l->slots[i].offset);
    return arena_strdup(&f->a, text);
}

static void
test_layouts(void **state)
{
    static const struct {
        const char *name, *std140, *std430;
    } rows[] = {
        {"int8", "1: 0", "1: 0"},
        {"double", "8: 0", "8: 0"},
        {"vec2<int8>", "2: 0 1", "2: 0 1"},
        {"vec3<int16>", "8: 0 2 4", "8: 0 2 4"},
        {"vec3<float>", "16: 0 4 8", "16: 0 4 8"},
        {"vec4<int32>", "16: 0 4 8 12", "16: 0 4 8 12"},
        {"int8[]", "16: 0", "1: 0"},
        {"int64[]", "16: 0", "8: 0"},
        {"vec2<float>[]", "16: 0 4", "8: 0 4"},
        {"vec3<int8>[]", "16: 0 1 2", "4: 0 1 2"},
        {"mat2x2<int8>", "32: 0 1 16 17", "4: 0 1 2 3"},
        {"mat2x2<float16>", "32: 0 2 16 18", "8: 0 2 4 6"},
        {"mat2x3<float>", "32: 0 4 8 16 20 24", "32: 0 4 8 16 20 24"},
        {"mat3x2<float>", "48: 0 4 16 20 32 36", "24: 0 4 8 12 16 20"},
        {"mat4x2<float>[]", "64: 0 4 16 20 32 36 48 52", "32: 0 4 8 12 16 20 24 28"},
        {"R8G8_UINT", "2: 0 1", "2: 0 1"},
        {"A2B10G10R10_UINT_PACK32", "4: 0", "4: 0"},
        {"R16G16B16_SNORM", "6: 0 2 4", "6: 0 2 4"},
        {"vec5<float>", "no type", "no type"},
        {"mat2x5<float>", "no type", "no type"},
        {"vec2<vec2<float>>", "no type", "no type"},
        {"float[", "no type", "no type"},
        {"int32[0]", "no type", "no type"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        start(&f);
        assert_string_equal(describe_layout(&f, rows[i].name, true), rows[i].std140);
        assert_string_equal(describe_layout(&f, rows[i].name, false), rows[i].std430);
        arena_free(&f.a);
    }
}

static void
test_structures(void **state)
{
    static const struct {
        const char *members;
        unsigned std140, std430; /* bytes of an element */
    } rows[] = {
        {"int32 w\nfloat x\n", 16, 8},
        {"pair x\nfloat y\n", 32, 12},
        {"int32 w\nvec2<float> x\nfloat y\n", 32, 24},
        {"int32 w\nvec3<float> x\nfloat y\n", 32, 32},
        {"int32 w\nvec3<float> x\nvec2<float> y\n", 48, 48},
        {"int32 w\nmat2x2<float> x\nfloat y\n", 64, 32},
        {"int32 w\ntriple x\nfloat y\n", 48, 20},
        {"int32 w\nmixed x\nfloat y\n", 96, 28},
        {"float[4] a ARRAY_STRIDE 8\nint8 b\n", 48, 36},
        {"mat2x2<float> m MATRIX_STRIDE 32\n", 64, 64},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        start(&f);
        amber_script *s = parse_good(
            &f, arena_printf(&f.a,
                             "#!amber\n"
                             "STRUCT pair\nint32 a\nfloat b\nEND\n"
                             "STRUCT triple\nint32 a\nint32 b\nfloat c\nEND\n"
                             "STRUCT mixed\nint32 a\nint32 b\nfloat[3] c\nEND\n"
                             "STRUCT s\n%sEND\n"
                             "BUFFER x DATA_TYPE s STD140 SIZE 1 FILL 1\n"
                             "BUFFER y DATA_TYPE s SIZE 1 FILL 1\n",
                             rows[i].members));
        assert_int_equal(s->buffers[0]->size, rows[i].std140);
        assert_int_equal(s->buffers[1]->size, rows[i].std430);
        arena_free(&f.a);
    }
}

static void
test_texels(void **state)
{
    amber_texel t;
    double c[4];
    (void)state;
    for (unsigned vk = 1; vk <= 130; vk++) {
        assert_true(amber_texel_by_number(vk, &t));
        unsigned bits = 0;
        for (unsigned i = 0; i < t.count; i++)
            bits += t.part[i].bits;
        assert_int_equal(bits, t.bytes * 8);
        if (t.packed)
            assert_int_equal(bits, t.packed);
    }
    assert_false(amber_texel_by_number(131, &t));
    assert_false(amber_texel_find("R8G8B8A8", 8, &t));
    assert_true(amber_texel_find("R5G6B5_UNORM_PACK16", 19, &t));
    amber_texel_decode(&t, (const uint8_t[]){0x1f, 0xf8}, c); /* red and blue full */
    assert_true(c[0] == 1.0 && c[1] == 0.0 && c[2] == 1.0 && c[3] == 1.0);
    assert_true(amber_texel_find("B8G8R8A8_SNORM", 14, &t));
    amber_texel_decode(&t, (const uint8_t[]){0x7f, 0, 0x81, 0x80}, c);
    assert_true(c[0] == -1.0 && c[1] == 0.0 && c[2] == 1.0 && c[3] == -1.0);
    assert_true(amber_texel_find("B10G11R11_UFLOAT_PACK32", 23, &t));
    /* red 1.0 is exponent 15 in bits 10:6; green 0.5 in 21:17; blue 2.0 in 31:27 */
    uint32_t packed = 15u << 6 | 14u << 17 | 16u << 27;
    amber_texel_decode(&t, (const uint8_t *)&packed, c);
    assert_true(c[0] == 1.0 && c[1] == 0.5 && c[2] == 2.0);
    assert_true(amber_texel_find("E5B9G9R9_UFLOAT_PACK32", 22, &t));
    packed = 16u << 27 | 256u; /* 256 * 2^(16 - 15 - 9) */
    amber_texel_decode(&t, (const uint8_t *)&packed, c);
    assert_true(c[0] == 1.0 && c[1] == 0.0);
    assert_true(amber_texel_find("R8_SRGB", 7, &t));
    amber_texel_decode(&t, (const uint8_t[]){188}, c);
    assert_true(fabs(c[0] - 0.5029) < 1e-4);
}

static void
test_halves(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        float f = amber_half_to_float((uint16_t)h);
        if (isnan(f))
            assert_int_equal(h >> 10 & 31, 31);
        else
            assert_int_equal(amber_float_to_half((double)f), h);
    }
    /* Towards zero, after rounding to binary32. */
    assert_int_equal(amber_float_to_half(65535.0), 0x7bff);
    assert_int_equal(amber_float_to_half(65536.0), 0x7c00);
    assert_int_equal(amber_float_to_half(1.0 + 0x1.8p-10), 0x3c01);
    assert_int_equal(amber_float_to_half(-1.0 - 0x1.8p-10), 0xbc01);
    assert_int_equal(amber_float_to_half(2.0 - 0x1p-30), 0x4000);
    assert_int_equal(amber_float_to_half(0x1.8p-24), 1);
    assert_int_equal(amber_float_to_half(-0.0), 0x8000);
    assert_true(isnan(amber_half_to_float(amber_float_to_half(NAN))));
}

static void
test_values(void **state)
{
    uint8_t at[8];
    (void)state;
    amber_store(at, AMBER_SINT, 16, (amber_value){.u = (uint64_t)-2});
    assert_memory_equal(at, "\376\377", 2);
    assert_true(amber_load(at, AMBER_SINT, 16).u == (uint64_t)-2);
    assert_true(amber_load(at, AMBER_UINT, 16).u == 65534);
    assert_true(amber_load(at, AMBER_SINT, 16).f == -2.0);
    amber_store(at, AMBER_SFLOAT, 64, (amber_value){.is_float = true, .f = 0.1});
    assert_true(amber_load(at, AMBER_SFLOAT, 64).f == 0.1);
    amber_store(at, AMBER_UINT, 64, (amber_value){.is_float = true, .f = 1e300});
    assert_true(amber_load(at, AMBER_UINT, 64).u == 0);
}

static void
test_lexer(void **state)
{
    static const struct {
        lex_kind kind;
        const char *text;
        uint32_t line, column;
    } wanted[] = {
        {LEX_WORD, "BUFFER", 1, 1},   {LEX_INTEGER, "0", 1, 8},  {LEX_WORD, ":1", 1, 9},
        {LEX_INTEGER, "-12", 1, 12},  {LEX_FLOAT, "1.5", 2, 1},  {LEX_WORD, "%", 2, 4},
        {LEX_FLOAT, ".5e-3", 2, 6},   {LEX_WORD, "(", 2, 12},    {LEX_HEX, "0xfF", 2, 13},
        {LEX_WORD, ",", 2, 17},       {LEX_FLOAT, "NaN", 2, 18}, {LEX_WORD, ")", 2, 21},
        {LEX_END_OF_LINE, "", 2, 32}, {LEX_STRING, "a b", 3, 1}, {LEX_WORD, "-", 3, 9},
        {LEX_END_OF_TEXT, "", 3, 10},
    };
    static const char text[] = "BUFFER 0:1 -12 \\\r\n1.5% .5e-3 (0xfF,NaN)  # remark\n\"a\\ b\"  -";
    fixture f;
    (void)state;
    start(&f);
    lexer l = amber_lex_make(&f.a, text, sizeof text - 1, 1);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        lex_token t = amber_lex_next(&l);
        assert_int_equal(t.kind, wanted[i].kind);
        if (*wanted[i].text) {
            assert_int_equal(t.size, strlen(wanted[i].text));
            assert_memory_equal(t.text, wanted[i].text, t.size);
        }
        assert_int_equal(t.line, wanted[i].line);
        assert_int_equal(t.column, wanted[i].column);
    }
    arena_free(&f.a);
}

#define GRAPHICS "#!amber\nSHADER vertex v PASSTHROUGH\n"

static void
test_bad(void **state)
{
    static const struct {
        const char *text;
        diag_error error;
        unsigned line, column;
    } rows[] = {
        {"", ERR_AMBER_EXPECTED, 1, 1},
        {"nonsense\n", ERR_AMBER_EXPECTED, 1, 1},
        {"#!amber\nNONSENSE\n", ERR_AMBER_EXPECTED, 2, 1},
        {"#!amber\nSHADER compute s GLSL\nvoid main", ERR_AMBER_UNTERMINATED, 2, 22},
        {"#!amber\nSHADER compute s SPIRV-BIN\nx END", ERR_AMBER_EXPECTED, 2, 27},
        {"#!amber\nSHADER compute s GLSL FILE x.comp\n", ERR_AMBER_FILE, 2, 28},
        {"#!amber\nSHADER compute s GLSL VIRTUAL_FILE x\n", ERR_AMBER_UNKNOWN, 2, 36},
        {"#!amber\nBUFFER b DATA_TYPE int33 SIZE 1 FILL 0\n", ERR_AMBER_UNKNOWN, 2, 20},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE -1 FILL 0\n", ERR_AMBER_EXPECTED, 2, 31},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 1\n", ERR_AMBER_EXPECTED, 2, 32},
        {"#!amber\nBUFFER b DATA_TYPE int32 DATA 1.5 END\n", ERR_AMBER_EXPECTED, 2, 31},
        {"#!amber\nBUFFER b DATA_TYPE int32 DATA 1\n", ERR_AMBER_EXPECTED, 3, 1},
        {"#!amber\nBUFFER b DATA_TYPE vec2<int32> DATA 1 2 3 END\n", ERR_AMBER_VALUES, 2, 43},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 1 FILL 0 1\n", ERR_AMBER_EXTRA, 2, 40},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 4000000000 FILL 0\n", ERR_AMBER_LIMIT, 2, 47},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nBUFFER b DATA_TYPE int8 SIZE 1 FILL 0\n",
         ERR_AMBER_DUPLICATE, 3, 8},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nEXPECT b IDX 0 EQ\n", ERR_AMBER_EXPECTED,
         3, 18},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nEXPECT c IDX 0 EQ 0\n",
         ERR_AMBER_UNKNOWN, 3, 8},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nBUFFER c DATA_TYPE int32 SIZE 2 FILL 0\n"
         "EXPECT b EQ_BUFFER c\n",
         ERR_AMBER_DIFFERENT, 4, 21},
        {"#!amber\nIMAGE i FORMAT R8_UINT DIM_2D WIDTH 4 FILL 0\n", ERR_AMBER_MISSING, 2, 37},
        {"#!amber\nSTRUCT s\nint32 a OFFSET 4\nint32 b OFFSET 0\nEND\n"
         "BUFFER b DATA_TYPE s SIZE 1 FILL 0\n",
         ERR_AMBER_LAYOUT, 6, 20},
        {"#!amber\nSTRUCT s\nEND\n", ERR_AMBER_EXPECTED, 3, 1},
        {"#!amber\nSHADER vertex v PASSTHROUGH\nPIPELINE compute p\nATTACH v\nEND\n",
         ERR_AMBER_STAGE, 4, 9},
        {"#!amber\nPIPELINE compute p\nEND\n", ERR_AMBER_MISSING, 3, 4},
        {"#!amber\nPIPELINE graphics p\nEND\n", ERR_AMBER_MISSING, 3, 4},
        {"#!amber\nPIPELINE compute p\nPOLYGON_MODE line\n", ERR_AMBER_EXPECTED, 3, 1},
        {"#!amber\nPIPELINE graphics p\nDEPTH\nTESTS on\n", ERR_AMBER_EXPECTED, 4, 1},
        {"#!amber\nPIPELINE graphics p\nSTENCIL front\nREFERENCE 256\n", ERR_AMBER_RANGE, 4, 11},
        {"#!amber\nPIPELINE graphics p\nBLEND\nCOLOR_OP divide\n", ERR_AMBER_EXPECTED, 4, 10},
        {"#!amber\nPIPELINE graphics p\nFRAMEBUFFER_SIZE 0 4\n", ERR_AMBER_EXPECTED, 3, 20},
        {"#!amber\nBUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nPIPELINE graphics p\nINDEX_DATA b\n",
         ERR_AMBER_EXPECTED, 4, 13},
        {"#!amber\nBUFFER b FORMAT D16_UNORM\nPIPELINE graphics p\n"
         "BIND BUFFER b AS color LOCATION 0\n",
         ERR_AMBER_EXPECTED, 4, 18},
        {GRAPHICS "BUFFER b FORMAT R8_UNORM\nPIPELINE graphics p\nATTACH v\n"
                  "BIND BUFFER b AS color LOCATION 1\nEND\n",
         ERR_AMBER_MISSING, 7, 4},
        {GRAPHICS "IMAGE b FORMAT R8_UNORM DIM_2D WIDTH 4 HEIGHT 5 FILL 1\nPIPELINE graphics p\n"
                  "ATTACH v\nFRAMEBUFFER_SIZE 4 4\nBIND BUFFER b AS color LOCATION 0\nEND\n",
         ERR_AMBER_DIFFERENT, 8, 4},
        {GRAPHICS "PIPELINE graphics p\nATTACH v\nEND\nRUN p 1 1 1\n", ERR_AMBER_EXPECTED, 6, 7},
        {GRAPHICS "PIPELINE graphics p\nATTACH v\nEND\nRUN p DRAW_ARRAY AS SQUARE_LIST\n",
         ERR_AMBER_EXPECTED, 6, 21},
        {GRAPHICS "PIPELINE graphics p\nATTACH v\nEND\nRUN p DRAW_ARRAY AS POINT_LIST INDEXED\n",
         ERR_AMBER_MISSING, 6, 21},
        {GRAPHICS "PIPELINE graphics p\nATTACH v\nEND\nCLEAR_DEPTH p 0.5\n", ERR_AMBER_MISSING, 6,
         15},
        {"#!amber\nSET ENGINE_DATA fence_timeout_ms 99999999999\n", ERR_AMBER_RANGE, 2, 34},
        {"#!amber\nREPEAT 2\nREPEAT 2\nEND\nEND\n", ERR_AMBER_EXPECTED, 3, 1},
        {"#!amber\nSAMPLER s MAG_FILTER cubic\n", ERR_AMBER_EXPECTED, 2, 22},
        {"[test]\nssbo 0 subdata int 0 1\ncompute 1 1 1\n", ERR_AMBER_MISSING, 3, 1},
        {"[test]\ndraw rect 0 0 1 1\n", ERR_AMBER_MISSING, 2, 18},
        {"[test]\ndraw circle\n", ERR_AMBER_EXPECTED, 2, 6},
        {"[test]\ndraw arrays TRIANGLES 0 3\n", ERR_AMBER_EXPECTED, 2, 13},
        {"[vertex shader passthrough]\n[test]\ndraw arrays indexed LINE_LIST 0 3\n",
         ERR_AMBER_MISSING, 3, 34},
        {"[vertex shader passthrough]\n[indices]\n1 2\n[test]\n"
         "draw arrays indexed LINE_LIST 0 3\n",
         ERR_AMBER_RANGE, 5, 34},
        {"[test]\nprobe all rgb 1 1\n", ERR_AMBER_EXPECTED, 2, 18},
        {"[test]\nprobe rgb (-1, 0) (1, 1, 1)\n", ERR_AMBER_EXPECTED, 2, 17},
        {"[test]\nrelative draw\n", ERR_AMBER_EXPECTED, 2, 10},
        {"[test]\nclear colour\n", ERR_AMBER_EXTRA, 2, 7},
        {"[test]\ncullMode VK_CULL_MODE_SIDE\n", ERR_AMBER_EXPECTED, 2, 10},
        {"[test]\ndepthTestEnable yes\n", ERR_AMBER_EXPECTED, 2, 17},
        {"[test]\npatch parameter vertices 0\n", ERR_AMBER_EXPECTED, 2, 26},
        {"[require]\nfbsize 0 1\n", ERR_AMBER_EXPECTED, 2, 10},
        {"[require]\nframebuffer RGB\n", ERR_AMBER_UNKNOWN, 2, 13},
        {"[require]\ndepthstencil R8_UNORM\n[test]\nclear\n", ERR_AMBER_EXPECTED, 4, 1},
        {"[indices]\n65536\n", ERR_AMBER_RANGE, 2, 1},
        {"[vertex data]\n0/float/vec2\n1\n", ERR_AMBER_EXPECTED, 3, 2},
        {"[vertex data]\n0/float/mat2\n", ERR_AMBER_UNKNOWN, 2, 2},
        {"[test]\nssbo 0 subdata vec2 0 1\n", ERR_AMBER_VALUES, 2, 24},
        {"[test]\nssbo 0 subdata vec7 0 1\n", ERR_AMBER_UNKNOWN, 2, 16},
        {"[test\n", ERR_AMBER_EXPECTED, 1, 1},
        {"[test]\nfly to the moon\n", ERR_AMBER_EXPECTED, 2, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        start(&f);
        assert_null(parse(&f, rows[i].text));
        if (f.d.error != rows[i].error || f.d.loc.line != rows[i].line ||
            f.d.loc.column != rows[i].column)
            print_message("row %zu: %u:%u: %s [%s]\n", i, f.d.loc.line, f.d.loc.column, f.d.message,
                          diag_error_name(f.d.error));
        assert_int_equal(f.d.error, rows[i].error);
        assert_int_equal(f.d.loc.line, rows[i].line);
        assert_int_equal(f.d.loc.column, rows[i].column);
        arena_free(&f.a);
    }
}

static void
test_graphics(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    const amber_script *s = parse_good(
        &f, (GRAPHICS
             "SHADER fragment f GLSL\nEND\n"
             "BUFFER places DATA_TYPE vec3<float> DATA 0 0 0 1 1 1 END\n"
             "BUFFER bytes DATA_TYPE uint8 DATA 1 2 3 4 END\n"
             "BUFFER small FORMAT R8_UNORM MIP_LEVELS 2\n"
             "BUFFER depths FORMAT D16_UNORM\n"
             "PIPELINE graphics p\n"
             "  ATTACH v\n  ATTACH f\n"
             "  VERTEX_DATA places LOCATION 3\n"
             "  VERTEX_DATA bytes LOCATION 1 RATE instance FORMAT R8G8_UINT OFFSET 1 STRIDE 2\n"
             "  INDEX_DATA bytes\n"
             "  BIND BUFFER small AS color LOCATION 0 BASE_MIP_LEVEL 1\n"
             "  BIND BUFFER depths AS depth_stencil\n"
             "  FRAMEBUFFER_SIZE 8 4\n"
             "  POLYGON_MODE line\n"
             "  PATCH_CONTROL_POINTS 5\n"
             "  DEPTH\n    BOUNDS min 0.25 max 0.5\n    CLAMP on\n"
             "    BIAS constant 1 clamp 2 slope 3\n  END\n"
             "  STENCIL back\n    FAIL_OP decrement_and_wrap\n  END\n"
             "END\n"
             "DERIVE_PIPELINE q FROM p\n"
             "  VERTEX_DATA bytes LOCATION 3\n"
             "END\n"
             "RUN p DRAW_ARRAY AS LINE_STRIP INDEXED START_IDX 1\n"
             "RUN q DRAW_ARRAY AS TRIANGLE_FAN START_IDX 1 START_INSTANCE 2 INSTANCE_COUNT 3\n"));
    const amber_graphics *g = s->pipelines[0]->graphics;
    assert_int_equal(g->input_count, 2);
    assert_int_equal(g->inputs[0].stride, 16);
    assert_string_equal(g->inputs[0].format.name, "R32G32B32_SFLOAT");
    assert_true(g->inputs[1].per_instance);
    assert_int_equal(g->inputs[1].offset, 1);
    assert_int_equal(g->inputs[1].stride, 2);
    assert_int_equal(s->buffers[2]->width, 16);
    assert_int_equal(s->buffers[2]->size, 16 * 8 + 8 * 4);
    assert_int_equal(s->buffers[3]->size, 8 * 4 * 2);
    assert_int_equal(g->polygon_mode, MACH_POLYGON_LINE);
    assert_int_equal(g->patch_vertices, 5);
    assert_true(g->bounds_depth && g->clamps_depth && g->has_bias);
    assert_true(g->depth_bounds[1] == 0.5f && g->bias.slope == 3.0f);
    assert_int_equal(g->tests.stencil[0].fail, MACH_STENCIL_KEEP);
    assert_int_equal(g->tests.stencil[1].fail, MACH_STENCIL_DECREMENT_WRAP);
    assert_true(g->viewport.width == 8.0f && g->viewport.max_depth == 1.0f);
    assert_true(s->pipelines[1]->graphics->inputs[0].buffer == s->buffers[1]);
    assert_true(g->inputs[0].buffer == s->buffers[0]);
    const amber_vertices *v = s->commands[0].vertices, *w = s->commands[1].vertices;
    assert_int_equal(v->topology, MACH_LINE_STRIP);
    assert_int_equal(v->first, 1);
    assert_int_equal(v->count, 3);
    assert_true(v->index == s->buffers[1]);
    assert_int_equal(w->topology, MACH_TRIANGLE_FAN);
    assert_int_equal(w->count, 3);
    assert_int_equal(w->first_instance, 2);
    assert_int_equal(w->instances, 3);
    assert_null(w->index);
    arena_free(&f.a);
}

/* What is encoded is decoded as it was. */
static void
test_encoded_texels(void **state)
{
    static const struct {
        const char *name;
        double in[4];
        uint8_t bytes[8];
    } rows[] = {
        {"B8G8R8A8_UNORM", {1, 0.5, 0, 1}, {0, 128, 255, 255}},
        {"R8G8B8A8_SRGB", {1, 0.5, 0, 0.5}, {255, 188, 0, 128}},
        {"R16G16_SNORM", {-1, 2, 0, 0}, {1, 0x80, 255, 0x7f}},
        {"A2B10G10R10_UINT_PACK32", {1, 2, 3, 1}, {1, 8, 0x30, 0x40}},
        {"R5G6B5_UNORM_PACK16", {1, 0, 1, 0}, {0x1f, 0xf8}},
        {"B10G11R11_UFLOAT_PACK32", {1, -1, 0.5, 0}, {0xc0, 3, 0, 0x70}},
        {"R16_SFLOAT", {0.5, 0, 0, 0}, {0, 0x38}},
        {"D32_SFLOAT_S8_UINT", {1, 200, 0, 0}, {0, 0, 0x80, 0x3f, 200}},
        {"D24_UNORM_S8_UINT", {1, 7, 0, 0}, {255, 255, 255, 7}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        amber_texel t;
        uint8_t bytes[16] = {0};
        assert_true(amber_texel_find(rows[i].name, strlen(rows[i].name), &t));
        amber_texel_encode(&t, rows[i].in, bytes);
        assert_memory_equal(bytes, rows[i].bytes, t.bytes);
    }
}

static void
test_unsupported(void **state)
{
    static const struct {
        const char *text, *feature;
    } rows[] = {
        {"#!amber\nPIPELINE graphics p\nBLEND\nCOLOR_OP hard_mix\n", "advanced blend operation"},
        {"#!amber\nPIPELINE raytracing p\n", "ray tracing pipeline"},
        {"#!amber\nSHADER compute s OPENCL-C\nEND\n", "OPENCL-C shader"},
        {"[test]\ncolorBlendOp VK_BLEND_OP_HARD_MIX_EXT\n", "advanced blend operation"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        start(&f);
        assert_null(parse(&f, rows[i].text));
        assert_int_equal(f.d.error, ERR_AMBER_UNSUPPORTED);
        assert_int_equal(f.d.class, DIAG_UNSUPPORTED);
        assert_string_equal(f.d.message, rows[i].feature);
        arena_free(&f.a);
    }
}

/* Generated texts: deep and wide structures, huge offsets. */
static void
test_limits(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    base_buf text = buf_make(&f.a);
    buf_puts(&text, "#!amber\nSTRUCT s0\nint8 a\nEND\n");
    for (int i = 1; i < 40; i++)
        buf_printf(&text, "STRUCT s%d\ns%d a\ns%d b\nEND\n", i, i - 1, i - 1);
    assert_null(parse(&f, buf_text(&text)));
    assert_int_equal(f.d.error, ERR_AMBER_LIMIT);
    assert_null(parse(&f, "#!amber\nSTRUCT s\nint32[99999] a\nint32[99999] b\nEND\n"
                          "BUFFER b DATA_TYPE s SIZE 1 FILL 0\n"));
    assert_int_equal(f.d.error, ERR_AMBER_LIMIT);
    assert_null(parse(&f, "#!amber\nSTRUCT s\nint32 a OFFSET 4294967295\nEND\n"
                          "BUFFER b DATA_TYPE s SIZE 1 FILL 0\n"));
    assert_int_equal(f.d.error, ERR_AMBER_LIMIT);
    assert_null(parse(&f, "#!amber\nIMAGE i FORMAT R32G32B32A32_UINT DIM_3D WIDTH 1000000 \\\n"
                          "HEIGHT 1000000 DEPTH 1000000 SAMPLES 64\n"));
    assert_int_equal(f.d.error, ERR_AMBER_LIMIT);
    assert_null(parse(&f, "[test]\nssbo 0 1000000000\nprobe ssbo vec4 0 0 == 0\n"));
    assert_int_equal(f.d.error, ERR_AMBER_LIMIT);
    arena_free(&f.a);
}

/* Reading any prefix of a script, or a script with changed bytes, ends with a result or an error.
 */
static void
test_damaged(void **state)
{
    static const char *const scripts[] = {
        "#!amber\nSHADER compute s GLSL\nx\nEND\nSTRUCT t\nvec3<int8> a OFFSET 4\nEND\n"
        "BUFFER b DATA_TYPE t STD140 SIZE 2 FILL 1\nIMAGE i FORMAT R8_UINT DIM_1D WIDTH 3 FILL 2\n"
        "SAMPLER q MAX_LOD 1.5\nPIPELINE compute p\nATTACH s SPECIALIZE 1 AS float -1\n"
        "BIND BUFFER_ARRAY b b AS storage_dynamic DESCRIPTOR_SET 0 BINDING 1 OFFSET 1 2\n"
        "SUBGROUP s\nREQUIRED_SIZE 32\nEND\nEND\nREPEAT 2\nRUN p 1 2 3\nEND\n"
        "EXPECT b IDX 0 TOLERANCE 1% EQ 1 2 3\nEXPECT i IDX 0 0 SIZE 1 1 EQ_RGB 1 2 3\n",
        "#!amber\nSHADER compute s GLSL\nx\nEND\nACCELERATION_STRUCTURE BOTTOM_LEVEL b\n"
        "GEOMETRY TRIANGLES\nFLAGS OPAQUE\n1 2 3 4 5 6 7 8 9\nEND\nEND\n"
        "ACCELERATION_STRUCTURE TOP_LEVEL t\nBOTTOM_LEVEL_INSTANCE b MASK 1\nOFFSET 3\nINDEX 4\n"
        "FLAGS\nFORCE_OPAQUE 2\nEND\nTRANSFORM 2 1 1 1 1 2 1 1 1 1 2 1\nEND\nEND\n"
        "BLAS_INSTANCE USE b\nEND\nPIPELINE compute p\nATTACH s\n"
        "BIND ACCELERATION_STRUCTURE t DESCRIPTOR_SET 1 BINDING 2\nEND\nRUN p 1 1 1\n",
        "[require]\nshaderInt64\n[compute shader]\nx\n[test]\nssbo 0:1 5\n"
        "ssbo 0:1 subdata i16vec3 8 1 2 3\nuniform mat2x3 0 1 2 3 4 5 6\ncompute entrypoint e\n"
        "compute 1 2 3\ntolerance 1%\nprobe ssbo float 0:1 0 ~= 1 2\n",
    };
    uint64_t seed = 1;
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        size_t size = strlen(scripts[i]);
        for (size_t n = 0; n < size + 3000; n++) {
            fixture f;
            start(&f);
            char *text = arena_strdup(&f.a, scripts[i]);
            if (n < size)
                text[n] = '\0';
            for (int k = 0; n >= size && k < 3; k++) {
                seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
                text[(seed >> 33) % size] = (char)("09 .-\n[]<>xE"[(seed >> 20) % 12]);
            }
            parse(&f, text);
            arena_free(&f.a);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compute_script),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_vkscript),
        cmocka_unit_test(test_vkscript_graphics),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_structures),
        cmocka_unit_test(test_texels),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_lexer),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_graphics),
        cmocka_unit_test(test_encoded_texels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
