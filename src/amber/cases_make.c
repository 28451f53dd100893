/* Shader library files: the script of a case.
 *
 * A case draws the whole of a small framebuffer once for each set of values, and must make it
 * white. A case with output_color draws its outputs instead: floats divided by what the format
 * holds, integers as they are.
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

/* The numbers of a value in a set. */
static const amber_value *
get_numbers(const case_value *v, uint32_t set)
{
    return v->numbers + (size_t)(v->set_count > 1 ? set : 0) * case_components(&v->type);
}

/* Makes the command that writes numbers to a buffer; the caller says which. */
static amber_command *
set_numbers(reader *r, const amber_buffer *b, uint64_t offset, const case_type *t)
{
    amber_command *c = amber_read_new_command(r, AMBER_OP_SET_DATA);
    c->buffer = b;
    c->type = scalar_type(r, t);
    c->offset = offset;
    return c;
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

/* Moves `offset` on to where a value begins by the rules of std140. */
static uint64_t
align_value(const case_type *t, uint64_t offset)
{
    uint64_t align = t->shape.columns > 1 || t->shape.rows > 2 ? 16 : 4u * t->shape.rows;
    return (offset + align - 1) / align * align;
}

/* The bytes of a block. With a buffer, writes the set of values there. */
static uint64_t
lay_block(case_script *s, case_storage storage, const amber_buffer *b, uint32_t set)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < s->c->value_count; i++) {
        const case_value *v = &s->c->values[i];
        uint32_t rows = v->type.shape.rows, columns = v->type.shape.columns;
        if (v->storage != storage)
            continue;
        offset = align_value(&v->type, offset);
        for (uint32_t k = 0; k<columns; k++, offset += columns> 1 ? 16 : 4 * rows) {
            amber_command *c = b ? set_numbers(s->r, b, offset, &v->type) : NULL;
            if (!c)
                continue;
            c->values = get_numbers(v, set) + (size_t)k * rows;
            c->value_count = rows;
        }
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

/* Floats are drawn to the format of so many components, as the CTS has it; a case divides what it
 * draws by the greatest number of each. */
static const struct {
    const char *format;
    double greatest[4];
} float_targets[] = {
    {"R8_UNORM", {255}},
    {"R8G8_UNORM", {255, 255}},
    {"R5G6B5_UNORM_PACK16", {31, 63, 31}},
    {"R8G8B8A8_UNORM", {255, 255, 255, 255}},
};

static const char *
target_format(reader *r, const case_type *color)
{
    if (!color || color->shape.mode == AMBER_SFLOAT)
        return float_targets[color ? color->shape.rows - 1 : 3].format;
    case_type four = *color;
    four.shape.rows = color->shape.rows == 3 ? 4 : color->shape.rows;
    return vector_format(r, &four);
}

/* The framebuffer, or one for each output that is drawn. */
static void
make_targets(case_script *s, read_body *body)
{
    reader *r = s->r;
    const test_case *c = s->c;
    uint32_t count = c->color ? 0 : 1;
    for (uint32_t i = 0; i < c->value_count && c->color; i++) {
        if (c->values[i].storage != CASE_OUTPUT)
            continue;
        if (case_components(&c->values[i].type) != c->color->shape.rows ||
            ++count > AMBER_MAX_TARGETS)
            diag_fail(r->diag, ERR_AMBER_EXPECTED, "at most 8 outputs of the type of output_color",
                      arena_printf(r->arena, "'%s'", c->values[i].name));
    }
    for (uint32_t i = 0; i < count; i++) {
        amber_buffer *b = amber_read_new_buffer(r, arena_printf(r->arena, "framebuffer%u", i));
        b->type = amber_read_format_type(r, target_format(r, c->color));
        b->framebuffer = true;
        amber_read_color_target(body, b, i);
    }
    amber_read_finish_attachments(body);
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
    make_targets(s, &body);
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
        for (uint32_t k = 0; v->storage == CASE_INPUT && k < CORNERS; k++) {
            amber_command *c = set_numbers(s->r, s->attributes[i], 4u * k * components, &v->type);
            c->values = get_numbers(v, set);
            c->value_count = components;
        }
    }
    if (s->blocks[0])
        lay_block(s, CASE_OUTPUT, s->blocks[0], set);
    if (s->blocks[1])
        lay_block(s, CASE_UNIFORM, s->blocks[1], set);
}

/* A component that is drawn, as the framebuffer has it. */
static double
drawn_number(const case_type *color, uint32_t component, const amber_value *v)
{
    switch (color->shape.mode) {
    case AMBER_SFLOAT: return v->f / float_targets[color->shape.rows - 1].greatest[component];
    case AMBER_SINT: return (double)(int64_t)v->u;
    default: return (double)v->u;
    }
}

/* The output that a target gets where outputs are drawn. */
static const case_value *
find_output(const test_case *c, uint32_t target)
{
    const case_value *v = c->values;
    for (; v->storage != CASE_OUTPUT || target--; v++)
        ;
    return v;
}

/* Expects the colour that a set of values must give. */
static void
expect_color(case_script *s, uint32_t set, uint32_t target)
{
    const test_case *c = s->c;
    uint32_t components = c->color ? c->color->shape.rows : 4;
    amber_command *e = amber_read_new_command(s->r, AMBER_OP_EXPECT_COLOR);
    e->buffer = s->pipeline->graphics->targets[target].buffer;
    e->rect[2] = e->rect[3] = SIDE;
    e->with_alpha = components == 4;
    if (c->set_count > 1)
        e->what = arena_printf(s->r->arena, "values %u of %u", set + 1, c->set_count);
    for (uint32_t k = 0; k < components; k++)
        e->color[k] = c->color
                          ? drawn_number(c->color, k, get_numbers(find_output(c, target), set) + k)
                          : 1.0;
}

static void
draw_set(case_script *s, uint32_t set)
{
    set_values(s, set);
    amber_read_new_command(s->r, AMBER_OP_CLEAR)->pipeline = s->pipeline;
    amber_read_add_draw(s->r, s->pipeline, s->vertices);
    for (uint32_t i = 0; i < s->pipeline->graphics->target_count; i++)
        expect_color(s, set, i);
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
