/* AmberScript: PIPELINE and DERIVE_PIPELINE: shaders, bindings, subgroups. A ray-tracing pipeline
 * fails with UNSUPPORTED and its name. */
#include "amber/read_pipeline.h"

#include <string.h>

static uint32_t
read_bits32(reader *r)
{
    amber_read_token(r);
    if (r->token.kind != LEX_INTEGER && r->token.kind != LEX_HEX)
        amber_read_expected(r, "a whole number");
    return (uint32_t)r->token.u;
}

static uint32_t
read_spec_value(reader *r)
{
    static const char *const types[] = {"uint32", "int32", "float", NULL};
    uint8_t bytes[4];
    if (amber_read_choice(r, types, "uint32, int32 or float") != 2)
        return read_bits32(r);
    amber_value v = {.is_float = true, .f = amber_read_real(r, "a number")};
    amber_store(bytes, AMBER_SFLOAT, 32, v);
    return (uint32_t)amber_load(bytes, AMBER_UINT, 32).u;
}

static void
read_specialize(reader *r, amber_attach *at, size_t *cap)
{
    amber_spec spec = {.id = (uint32_t)amber_read_uint(r, "a constant's id", UINT32_MAX)};
    amber_read_word(r, "AS");
    spec.value = read_spec_value(r);
    at->specs = arena_grow(r->arena, at->specs, cap, (size_t)at->spec_count + 1, sizeof *at->specs);
    at->specs[at->spec_count++] = spec;
}

static amber_stage
read_stage_type(reader *r)
{
    static const char *const words[] = {
        "vertex",  "fragment", "geometry", "tessellation_control", "tessellation_evaluation",
        "compute", NULL};
    return (amber_stage)amber_read_choice(r, words, "a shader type");
}

/* A stage's shader replaces an earlier one, which matters in derived pipelines. */
static void
put_attach(read_body *b, const amber_attach *at)
{
    amber_pipeline *p = b->p;
    for (uint32_t i = 0; i < p->attach_count && p->graphics; i++) {
        if (p->attached[i].stage == at->stage) {
            p->attached[i] = *at;
            return;
        }
    }
    p->attached = arena_grow(b->r->arena, p->attached, &b->attach_cap, (size_t)p->attach_count + 1,
                             sizeof *p->attached);
    p->attached[p->attach_count++] = *at;
}

/* ATTACH shader [TYPE stage] [ENTRY_POINT name] [SPECIALIZE id AS type value]... */
static void
read_attach(read_body *b)
{
    reader *r = b->r;
    amber_pipeline *p = b->p;
    size_t spec_cap = 0;
    amber_attach at = {.shader = amber_read_shader_ref(r), .entry = "main"};
    at.stage = at.shader->stage;
    if (amber_read_accept(r, "TYPE"))
        at.stage = read_stage_type(r);
    if (amber_read_accept(r, "ENTRY_POINT"))
        at.entry = amber_read_name(r, "the name of an entry point");
    while (amber_read_accept(r, "SPECIALIZE"))
        read_specialize(r, &at, &spec_cap);
    amber_read_line_end(r, "ATTACH");
    if (p->graphics ? at.stage >= AMBER_COMPUTE : at.stage != AMBER_COMPUTE)
        diag_fail(r->diag, ERR_AMBER_STAGE, at.shader->name, p->graphics ? "graphics" : "compute",
                  p->name);
    put_attach(b, &at);
}

/* Finds the attachment of the shader that is named next. */
static amber_attach *
read_attached(read_body *b)
{
    const amber_shader *s = amber_read_shader_ref(b->r);
    for (uint32_t i = 0; i < b->p->attach_count; i++)
        if (b->p->attached[i].shader == s)
            return &b->p->attached[i];
    diag_fail(b->r->diag, ERR_AMBER_UNKNOWN, "shader of this pipeline", s->name);
}

static void
read_subgroup_size(reader *r, amber_attach *at)
{
    if (amber_read_accept(r, "MIN")) {
        at->subgroup = AMBER_SUBGROUP_MIN;
    } else if (amber_read_accept(r, "MAX")) {
        at->subgroup = AMBER_SUBGROUP_MAX;
    } else {
        at->subgroup = AMBER_SUBGROUP_EXACT;
        at->subgroup_size = (uint32_t)amber_read_uint(r, "a subgroup size", 1024);
    }
}

static void
read_subgroup(read_body *b)
{
    static const char *const words[] = {"FULLY_POPULATED", "VARYING_SIZE", "REQUIRED_SIZE", "END",
                                        NULL};
    reader *r = b->r;
    amber_attach *at = read_attached(b);
    for (;;) {
        amber_read_skip_lines(r);
        switch (
            amber_read_choice(r, words, "FULLY_POPULATED, VARYING_SIZE, REQUIRED_SIZE or END")) {
        case 0: at->full_subgroups = amber_read_switch(r); break;
        case 1: at->varying_subgroups = amber_read_switch(r); break;
        case 2: read_subgroup_size(r, at); break;
        default: amber_read_line_end(r, "SUBGROUP"); return;
        }
    }
}

/* Reads the words up to END. */
static const char *const *
read_word_block(reader *r, uint32_t *count)
{
    amber_names list = {0};
    for (;;) {
        amber_read_skip_lines(r);
        const char *word = amber_read_name(r, "an option or END");
        if (strcmp(word, "END") == 0)
            break;
        amber_read_add_name(r, &list, word);
    }
    amber_read_line_end(r, "END");
    *count = (uint32_t)list.count;
    return list.items;
}

static void
read_optimization(read_body *b)
{
    amber_attach *at = read_attached(b);
    at->optimize_line = b->r->token.line;
    at->optimize = read_word_block(b->r, &at->optimize_count);
}

/* Compile options exist only for OPENCL-C. */
static void
read_compile_options(read_body *b)
{
    uint32_t count;
    read_attached(b);
    read_word_block(b->r, &count);
}

static void
add_binding(read_body *b, const amber_binding *binding)
{
    amber_pipeline *p = b->p;
    p->bindings = arena_grow(b->r->arena, p->bindings, &b->binding_cap,
                             (size_t)p->binding_count + 1, sizeof *p->bindings);
    p->bindings[p->binding_count++] = *binding;
}

/* A binding replaces an earlier one at the same place, which matters in derived pipelines. */
static void
clear_place(amber_pipeline *p, uint32_t set, uint32_t binding)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->binding_count; i++)
        if (p->bindings[i].set != set || p->bindings[i].binding != binding)
            p->bindings[n++] = p->bindings[i];
    p->binding_count = n;
}

static void
read_place(reader *r, amber_binding *at)
{
    if (amber_read_accept(r, "KERNEL"))
        amber_read_unsupported(r, "OPENCL-C shader");
    amber_read_word(r, "DESCRIPTOR_SET");
    at->set = (uint32_t)amber_read_uint(r, "a descriptor set", UINT32_MAX);
    amber_read_word(r, "BINDING");
    at->binding = (uint32_t)amber_read_uint(r, "a binding", UINT32_MAX);
}

/* Reads the values after `word`, one for each element, and stores each in its binding at `offset`.
 */
static void
read_offsets(reader *r, amber_binding *list, size_t count, size_t member)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t v = amber_read_uint(r, "an offset or range", UINT64_MAX - 1);
        memcpy((char *)&list[i] + member, &v, sizeof v);
    }
}

static bool
is_image(amber_descriptor kind)
{
    return kind == AMBER_BIND_STORAGE_IMAGE || kind == AMBER_BIND_SAMPLED_IMAGE ||
           kind == AMBER_BIND_COMBINED;
}

static void
read_image_options(reader *r, amber_binding *list, size_t count)
{
    if (!amber_read_accept(r, "BASE_MIP_LEVEL"))
        return;
    uint32_t level = (uint32_t)amber_read_uint(r, "a mip level", UINT32_MAX);
    for (size_t i = 0; i < count; i++) {
        if (level >= list[i].buffer->mips)
            diag_fail(r->diag, ERR_AMBER_RANGE, "BASE_MIP_LEVEL", list[i].buffer->name);
        list[i].base_mip = level;
    }
}

static void
read_buffer_options(reader *r, amber_binding *list, size_t count)
{
    amber_descriptor kind = list[0].kind;
    if (kind == AMBER_BIND_UNIFORM_DYNAMIC || kind == AMBER_BIND_STORAGE_DYNAMIC) {
        amber_read_word(r, "OFFSET");
        read_offsets(r, list, count, offsetof(amber_binding, dynamic_offset));
    }
    if (amber_read_accept(r, "DESCRIPTOR_OFFSET"))
        read_offsets(r, list, count, offsetof(amber_binding, offset));
    if (amber_read_accept(r, "DESCRIPTOR_RANGE"))
        read_offsets(r, list, count, offsetof(amber_binding, range));
}

/* Reads the names of buffers up to AS or another keyword; only one unless it is an array. */
static amber_binding *
read_bound_buffers(reader *r, bool array, size_t *count)
{
    amber_binding *list = NULL;
    size_t n = 0, cap = 0;
    do {
        list = arena_grow(r->arena, list, &cap, n + 1, sizeof *list);
        list[n] = (amber_binding){.range = AMBER_WHOLE_RANGE, .element = (uint32_t)n};
        list[n++].buffer = amber_read_buffer_ref(r);
        lex_token t = amber_lex_peek(&r->lex);
        if (!array || t.kind != LEX_WORD || (t.size == 2 && memcmp(t.text, "AS", 2) == 0))
            break;
    } while (true);
    if (array && n < 2)
        amber_read_expected(r, "several buffers behind BUFFER_ARRAY");
    *count = n;
    return list;
}

static void
set_push_constants(read_body *b, const amber_buffer *buffer)
{
    if (b->p->push)
        diag_fail(b->r->diag, ERR_AMBER_DUPLICATE, "push_constant buffer", buffer->name);
    b->p->push = buffer;
}

/* Types of buffers that are not descriptors; they follow AMBER_BIND_COMBINED. */
typedef enum bound_kind {
    BOUND_PUSH_CONSTANT = AMBER_BIND_COMBINED + 1,
    BOUND_COLOR,
    BOUND_DEPTH_STENCIL,
    BOUND_RESOLVE,
    BOUND_CAPTURED,
} bound_kind;

static void
read_bind_other(read_body *b, bound_kind kind, amber_buffer *buffer)
{
    if (kind == BOUND_PUSH_CONSTANT) {
        set_push_constants(b, buffer);
        return;
    }
    if (!b->p->graphics)
        amber_read_expected(b->r, "a buffer type of a compute pipeline");
    switch (kind) {
    case BOUND_COLOR: amber_read_color(b, buffer); break;
    case BOUND_DEPTH_STENCIL: amber_read_depth_stencil(b, buffer); break;
    case BOUND_CAPTURED: amber_read_captured(b, buffer); break;
    default: amber_read_resolve(b, buffer); break;
    }
}

/* BIND BUFFER name AS type ... */
static void
read_bind_buffer(read_body *b, bool array)
{
    static const char *const kinds[] = {"uniform",
                                        "storage",
                                        "uniform_dynamic",
                                        "storage_dynamic",
                                        "uniform_texel_buffer",
                                        "storage_texel_buffer",
                                        "storage_image",
                                        "sampled_image",
                                        "combined_image_sampler",
                                        "push_constant",
                                        "color",
                                        "depth_stencil",
                                        "resolve",
                                        "transform_feedback",
                                        NULL};
    reader *r = b->r;
    size_t count;
    amber_binding *list = read_bound_buffers(r, array, &count);
    amber_buffer *first = r->script->buffers[list[0].buffer->index];
    if (amber_read_accept(r, "KERNEL"))
        amber_read_unsupported(r, "OPENCL-C shader");
    amber_read_word(r, "AS");
    unsigned kind = amber_read_choice(r, kinds, "a buffer type");
    if (kind > AMBER_BIND_COMBINED) {
        read_bind_other(b, (bound_kind)kind, first);
        return;
    }
    for (size_t i = 0; i < count; i++)
        list[i].kind = (amber_descriptor)kind;
    if (kind == AMBER_BIND_COMBINED) {
        amber_read_word(r, "SAMPLER");
        const amber_sampler *s = amber_read_sampler_ref(r);
        for (size_t i = 0; i < count; i++)
            list[i].sampler = s;
    }
    read_place(r, &list[0]);
    if (is_image((amber_descriptor)kind))
        read_image_options(r, list, count);
    else
        read_buffer_options(r, list, count);
    clear_place(b->p, list[0].set, list[0].binding);
    for (size_t i = 0; i < count; i++) {
        list[i].set = list[0].set;
        list[i].binding = list[0].binding;
        add_binding(b, &list[i]);
    }
}

/* BIND SAMPLER name DESCRIPTOR_SET set BINDING binding */
static void
read_bind_sampler(read_body *b, bool array)
{
    reader *r = b->r;
    const amber_sampler **samplers = NULL;
    size_t count = 0, cap = 0;
    lex_token t;
    do {
        samplers = arena_grow(r->arena, samplers, &cap, count + 1, sizeof *samplers);
        samplers[count++] = amber_read_sampler_ref(r);
        t = amber_lex_peek(&r->lex);
    } while (array && !(t.size == 14 && memcmp(t.text, "DESCRIPTOR_SET", 14) == 0));
    amber_binding at = {.kind = AMBER_BIND_SAMPLER};
    read_place(r, &at);
    clear_place(b->p, at.set, at.binding);
    for (size_t i = 0; i < count; i++) {
        at.element = (uint32_t)i;
        at.sampler = samplers[i];
        add_binding(b, &at);
    }
}

/* BIND ACCELERATION_STRUCTURE top DESCRIPTOR_SET set BINDING binding */
static void
read_bind_accel(read_body *b)
{
    amber_binding at = {.kind = AMBER_BIND_ACCEL, .accel = amber_read_top_ref(b->r)};
    read_place(b->r, &at);
    clear_place(b->p, at.set, at.binding);
    add_binding(b, &at);
}

static void
read_bind(read_body *b)
{
    static const char *const words[] = {"BUFFER",        "BUFFER_ARRAY",           "SAMPLER",
                                        "SAMPLER_ARRAY", "ACCELERATION_STRUCTURE", NULL};
    unsigned what = amber_read_choice(b->r, words, "BUFFER or SAMPLER");
    if (what == 4)
        read_bind_accel(b);
    else if (what < 2)
        read_bind_buffer(b, what == 1);
    else
        read_bind_sampler(b, what == 3);
    amber_read_line_end(b->r, "BIND");
}

static void
read_kernel_argument(read_body *b)
{
    amber_read_unsupported(b->r, "OPENCL-C shader");
}

static const struct {
    const char *word;
    void (*read)(read_body *b);
} body_commands[] = {
    {"ATTACH", read_attach},
    {"BIND", read_bind},
    {"COMPILE_OPTIONS", read_compile_options},
    {"SET", read_kernel_argument},
    {"SHADER_OPTIMIZATION", read_optimization},
    {"SUBGROUP", read_subgroup},
};

static void
read_body_command(read_body *b)
{
    for (size_t i = 0; i < sizeof body_commands / sizeof body_commands[0]; i++) {
        if (amber_read_is(b->r, body_commands[i].word)) {
            body_commands[i].read(b);
            return;
        }
    }
    if (!amber_read_graphics_command(b))
        amber_read_expected(b->r, "a command of a pipeline");
}

static void
finish_graphics(read_body *b)
{
    bool has_vertices = false;
    for (uint32_t i = 0; i < b->p->attach_count; i++)
        has_vertices |= b->p->attached[i].stage == AMBER_VERTEX;
    if (!has_vertices)
        diag_fail(b->r->diag, ERR_AMBER_MISSING, b->p->name, "a vertex shader");
    amber_read_finish_attachments(b);
}

static void
read_block(read_body *b)
{
    for (;;) {
        amber_read_skip_lines(b->r);
        amber_read_token(b->r);
        if (amber_read_is(b->r, "END"))
            break;
        read_body_command(b);
    }
    amber_read_line_end(b->r, "END");
    if (!b->p->attach_count)
        diag_fail(b->r->diag, ERR_AMBER_MISSING, b->p->name, "ATTACH");
    if (b->p->graphics)
        finish_graphics(b);
    else if (b->p->attach_count > 1)
        diag_fail(b->r->diag, ERR_AMBER_DUPLICATE, "compute shader", b->p->name);
}

void
amber_read_pipeline(reader *r)
{
    static const char *const kinds[] = {"compute", "graphics", "raytracing", "ray_tracing", NULL};
    unsigned kind = amber_read_choice(r, kinds, "a pipeline type");
    if (kind > 1)
        amber_read_unsupported(r, "ray tracing pipeline");
    read_body b = {.r = r,
                   .p = amber_read_new_pipeline(r, amber_read_name(r, "the name of the pipeline"))};
    b.p->kind = (amber_pipeline_kind)kind;
    if (kind == AMBER_PIPE_GRAPHICS)
        b.p->graphics = amber_read_new_graphics(r->arena);
    amber_read_line_end(r, "PIPELINE");
    read_block(&b);
}

/* A derived pipeline starts as a copy. Its arrays grow separately from the parent's, because a copy
 * has no spare capacity. */
void
amber_read_derive_pipeline(reader *r)
{
    read_body b = {.r = r,
                   .p = amber_read_new_pipeline(r, amber_read_name(r, "the name of the pipeline"))};
    amber_read_word(r, "FROM");
    const amber_pipeline *parent = amber_read_pipeline_ref(r);
    amber_pipeline *p = b.p;
    const char *name = p->name;
    uint32_t index = p->index;
    *p = *parent;
    p->name = name;
    p->index = index;
    p->attached = arena_copy(r->arena, parent->attached,
                             parent->attach_count * sizeof *parent->attached);
    p->bindings = arena_copy(r->arena, parent->bindings,
                             parent->binding_count * sizeof *parent->bindings);
    if (parent->graphics) {
        p->graphics = arena_copy(r->arena, parent->graphics, sizeof *parent->graphics);
        p->graphics->inputs = arena_copy(r->arena, parent->graphics->inputs,
                                         parent->graphics->input_count *
                                             sizeof *parent->graphics->inputs);
        b.input_cap = p->graphics->input_count;
    }
    b.attach_cap = p->attach_count;
    b.binding_cap = p->binding_count;
    amber_read_line_end(r, "DERIVE_PIPELINE");
    read_block(&b);
}
