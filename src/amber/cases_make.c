/* Shader library files: the script of a case.
 *
 * A case draws the whole of a small framebuffer once for each set of values, and must make it white.
 * A case with output_color draws its outputs instead: floats divided by 255, integers as they are.
 */
#include "amber/cases.h"

#include <string.h>

enum { SIDE = 16 /* of the framebuffer */, CORNERS = 4 };

typedef struct case_script {
    reader *r;
    const test_case *c;
    const amber_buffer **attributes; /* of each value that is an input */
    const amber_buffer *blocks[2];   /* of expected outputs and of uniforms, by binding; or NULL */
    amber_pipeline *pipeline;
    amber_vertices *vertices;
} case_script;

static const char *
vector_format(reader *r, const case_type *t)
{
    const char *mode = t->shape.mode == AMBER_SFLOAT ? "SFLOAT"
                       : t->shape.mode == AMBER_SINT ? "SINT"
                                                     : "UINT";
    const char *name = "";
    for (unsigned i = 0; i < t->shape.rows; i++)
        name = arena_printf(r->arena, "%s%c32", name, "RGBA"[i]);
    return arena_printf(r->arena, "%s_%s", name, mode);
}

static const amber_type *
scalar_type(reader *r, const case_type *t)
{
    case_type scalar = *t;
    scalar.shape.rows = 1;
    return amber_read_format_type(r, vector_format(r, &scalar));
}

/* Writes `count` numbers of a value to a buffer when the script runs. */
static void
set_numbers(case_script *s, const amber_buffer *b, uint64_t offset, const case_type *t,
            const amber_value *numbers, uint32_t count)
{
    amber_command *c = amber_read_new_command(s->r, AMBER_OP_SET_DATA);
    c->buffer = b;
    c->type = scalar_type(s->r, t);
    c->offset = offset;
    c->values = numbers;
    c->value_count = count;
}

/* ---- attributes ---- */

static void
put_input(amber_vertices *v, amber_vertex_input *inputs, const amber_vertex_input *in)
{
    inputs[v->input_count++] = *in;
}

static const amber_buffer *
make_positions(reader *r)
{
    uint8_t *bytes;
    const amber_buffer *b = amber_read_hidden_buffer(r, "R32G32B32A32_SFLOAT", CORNERS, &bytes);
    for (unsigned i = 0; i < CORNERS; i++) {
        const double corner[4] = {i & 2 ? 1 : -1, i & 1 ? 1 : -1, 0, 1};
        amber_texel_encode(&b->type->texel, corner, bytes + i * b->type->size);
    }
    return b;
}

/* The attributes of an input: the columns of a matrix have a location each. */
static uint32_t
add_attributes(case_script *s, uint32_t index, amber_vertex_input *inputs, uint32_t location)
{
    reader *r = s->r;
    uint8_t *bytes;
    const case_type *t = &s->c->values[index].type;
    uint32_t components = case_components(t);
    const amber_buffer *b = amber_read_hidden_buffer(r, scalar_type(r, t)->texel.name,
                                                     (uint64_t)components * CORNERS, &bytes);
    s->attributes[index] = b;
    for (uint32_t k = 0; k < t->shape.columns; k++) {
        const amber_vertex_input in = {
            .buffer = b,
            .location = location + k,
            .format = amber_read_format_type(r, vector_format(r, t))->texel,
            .offset = 4u * k * t->shape.rows,
            .stride = 4 * components,
        };
        put_input(s->vertices, inputs, &in);
    }
    return location + t->shape.columns;
}

static void
make_vertices(case_script *s)
{
    reader *r = s->r;
    uint32_t location = 1;
    amber_vertex_input *inputs = ARENA_ARRAY(r->arena, 1 + 4 * s->c->value_count,
                                             amber_vertex_input);
    amber_vertices *v = s->vertices = ARENA_NEW(r->arena, amber_vertices);
    *v = (amber_vertices){
        .topology = MACH_TRIANGLE_STRIP, .inputs = inputs, .count = CORNERS, .instances = 1};
    const amber_buffer *positions = make_positions(r);
    const amber_vertex_input position = {
        .buffer = positions, .format = positions->type->texel, .stride = positions->type->size};
    put_input(v, inputs, &position);
    for (uint32_t i = 0; i < s->c->value_count; i++)
        if (s->c->values[i].storage == CASE_INPUT)
            location = add_attributes(s, i, inputs, location);
    s->pipeline->graphics->inputs = inputs;
    s->pipeline->graphics->input_count = v->input_count;
}

/* ---- uniform blocks ---- */

/* Moves `offset` on to where a value begins by the rules of std140; sets the bytes between columns. */
static uint64_t
align_value(const case_type *t, uint64_t offset, uint32_t *stride)
{
    uint32_t rows = t->shape.rows;
    uint64_t align = t->shape.columns > 1 || rows > 2 ? 16 : 4u * rows;
    *stride = t->shape.columns > 1 ? 16 : 4 * rows;
    return (offset + align - 1) / align * align;
}

/* The bytes of a block. With a buffer, writes the set of values there. */
static uint64_t
lay_block(case_script *s, case_storage storage, const amber_buffer *b, uint32_t set)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < s->c->value_count; i++) {
        const case_value *v = &s->c->values[i];
        uint32_t stride, rows = v->type.shape.rows, columns = v->type.shape.columns;
        if (v->storage != storage)
            continue;
        const amber_value *at = v->numbers + (size_t)(v->set_count > 1 ? set : 0) * rows * columns;
        offset = align_value(&v->type, offset, &stride);
        for (uint32_t k = 0; k < columns; k++, offset += stride)
            if (b)
                set_numbers(s, b, offset, &v->type, at + (size_t)k * rows, rows);
    }
    return offset;
}

static void
make_blocks(case_script *s)
{
    static const case_storage storages[] = {CASE_OUTPUT, CASE_UNIFORM};
    amber_pipeline *p = s->pipeline;
    p->bindings = ARENA_ARRAY(s->r->arena, 2, amber_binding);
    for (uint32_t i = 0; i < 2; i++) {
        uint8_t *bytes;
        uint64_t size = (lay_block(s, storages[i], NULL, 0) + 15) / 16 * 16;
        if (!size)
            continue;
        s->blocks[i] = amber_read_hidden_buffer(s->r, "R32_UINT", size / 4, &bytes);
        p->bindings[p->binding_count++] = (amber_binding){.kind = AMBER_BIND_UNIFORM,
                                                          .binding = i,
                                                          .buffer = s->blocks[i],
                                                          .range = AMBER_WHOLE_RANGE};
    }
}

/* ---- the pipeline ---- */

static amber_attach
attach(case_script *s, amber_stage stage, const char *text, uint32_t line)
{
    amber_shader *shader = amber_read_new_shader(s->r,
                                                 stage == AMBER_VERTEX ? "vertex" : "fragment");
    shader->stage = stage;
    shader->language = AMBER_GLSL;
    shader->text = text;
    shader->size = strlen(text);
    shader->line = line;
    return (amber_attach){.shader = shader, .stage = stage, .entry = "main"};
}

static const char *
target_format(reader *r, const case_type *color)
{
    if (color && color->shape.mode != AMBER_SFLOAT) {
        case_type four = *color;
        four.shape.rows = color->shape.rows == 3 ? 4 : color->shape.rows;
        return vector_format(r, &four);
    }
    bool is_small = color && color->shape.rows < 3;
    return !is_small ? "R8G8B8A8_UNORM" : color->shape.rows == 2 ? "R8G8_UNORM" : "R8_UNORM";
}

static void
make_pipeline(case_script *s, case_text tested)
{
    reader *r = s->r;
    amber_pipeline *p = s->pipeline = amber_read_new_pipeline(r, "pipeline");
    read_body body = {.r = r, .p = p};
    p->kind = AMBER_PIPE_GRAPHICS;
    p->graphics = amber_read_new_graphics(r->arena);
    p->graphics->width = p->graphics->height = SIDE;
    amber_buffer *target = amber_read_new_buffer(r, "framebuffer");
    target->type = amber_read_format_type(r, target_format(r, s->c->color));
    target->framebuffer = true;
    amber_read_color_target(&body, target, 0);
    amber_read_finish_attachments(&body);
    p->attach_count = 2;
    p->attached = ARENA_ARRAY(r->arena, 2, amber_attach);
    bool has_both = s->c->texts[CASE_BOTH] != NULL;
    p->attached[0] = attach(s, AMBER_VERTEX, amber_cases_vertex_shader(r->arena, s->c, tested),
                            s->c->text_lines[has_both ? CASE_BOTH : CASE_VERTEX]);
    p->attached[1] = attach(s, AMBER_FRAGMENT, amber_cases_fragment_shader(r->arena, s->c, tested),
                            s->c->text_lines[has_both ? CASE_BOTH : CASE_FRAGMENT]);
}

/* ---- commands ---- */

static void
set_values(case_script *s, uint32_t set)
{
    for (uint32_t i = 0; i < s->c->value_count; i++) {
        const case_value *v = &s->c->values[i];
        uint32_t components = case_components(&v->type);
        const amber_value *at = v->numbers + (size_t)(v->set_count > 1 ? set : 0) * components;
        for (uint32_t k = 0; v->storage == CASE_INPUT && k < CORNERS; k++)
            set_numbers(s, s->attributes[i], 4u * k * components, &v->type, at, components);
    }
    if (s->blocks[0])
        lay_block(s, CASE_OUTPUT, s->blocks[0], set);
    if (s->blocks[1])
        lay_block(s, CASE_UNIFORM, s->blocks[1], set);
}

/* The colour that a set of values must give. */
static void
set_expected(const test_case *c, uint32_t set, amber_command *expect)
{
    uint32_t components = c->color ? c->color->shape.rows : 4;
    expect->with_alpha = components == 4;
    for (unsigned i = 0; i < 4; i++)
        expect->color[i] = 1.0;
    for (uint32_t i = 0; i < c->value_count && c->color; i++) {
        const case_value *v = &c->values[i];
        const amber_value *at = v->numbers + (size_t)(v->set_count > 1 ? set : 0) * components;
        if (v->storage != CASE_OUTPUT || case_components(&v->type) != components)
            continue;
        for (uint32_t k = 0; k < components; k++)
            expect->color[k] = c->color->shape.mode == AMBER_SFLOAT ? at[k].f / 255.0
                               : c->color->shape.mode == AMBER_SINT ? (double)(int64_t)at[k].u
                                                                    : (double)at[k].u;
    }
}

static void
draw_set(case_script *s, uint32_t set)
{
    reader *r = s->r;
    const test_case *c = s->c;
    set_values(s, set);
    amber_read_new_command(r, AMBER_OP_CLEAR)->pipeline = s->pipeline;
    amber_read_add_draw(r, s->pipeline, s->vertices);
    amber_command *expect = amber_read_new_command(r, AMBER_OP_EXPECT_COLOR);
    expect->buffer = s->pipeline->graphics->targets[0].buffer;
    expect->rect[2] = expect->rect[3] = SIDE;
    if (c->set_count > 1)
        expect->what = arena_printf(r->arena, "values %u of %u", set + 1, c->set_count);
    set_expected(c, set, expect);
}

void
amber_cases_make(reader *r, const test_case *c, case_text tested)
{
    case_script s = {.r = r, .c = c};
    s.attributes = ARENA_ARRAY(r->arena, c->value_count, const amber_buffer *);
    make_pipeline(&s, tested);
    make_vertices(&s);
    make_blocks(&s);
    if (c->must_fail) {
        amber_read_new_command(r, AMBER_OP_EXPECT_NO_CODE)->pipeline = s.pipeline;
        return;
    }
    for (uint32_t set = 0; set < c->set_count; set++)
        draw_set(&s, set);
}
