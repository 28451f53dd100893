/* VkScript: vertex data and indices, and the commands of [test] that draw, clear and probe the
 * framebuffer. Facts of the language are those of google/amber: docs/vk_script.md, src/vkscript. */
#include "amber/vkscript.h"

#include <string.h>

/* ---- vertex data ---- */

/* A type of OpenGL as the numeric part of a format's name. */
static const struct {
    const char *name, *mode;
    unsigned bits;
} gl_types[] = {
    {"byte", "SINT", 8},    {"ubyte", "UINT", 8},    {"short", "SINT", 16},
    {"ushort", "UINT", 16}, {"int", "SINT", 32},     {"uint", "UINT", 32},
    {"half", "SFLOAT", 16}, {"float", "SFLOAT", 32}, {"double", "SFLOAT", 64},
};

/* The format of "float/vec3"; NULL if the text is none. */
static const char *
find_gl_format(reader *r, const char *text)
{
    const char *slash = strchr(text, '/'), *name = "";
    layout_type shape;
    if (!slash || !amber_layout_parse_vkscript(slash + 1, strlen(slash + 1), &shape) ||
        shape.columns != 1)
        return NULL;
    size_t length = (size_t)(slash - text);
    for (size_t i = 0; i < sizeof gl_types / sizeof gl_types[0]; i++) {
        if (strlen(gl_types[i].name) != length || memcmp(gl_types[i].name, text, length) != 0)
            continue;
        for (unsigned k = 0; k < shape.rows; k++)
            name = arena_printf(r->arena, "%s%c%u", name, "RGBA"[k], gl_types[i].bits);
        return arena_printf(r->arena, "%s_%s", name, gl_types[i].mode);
    }
    return NULL;
}

/* "0/R32G32_SFLOAT" or "0/float/vec2", of which the number has a token of its own. */
static void
read_heading(vkscript *v)
{
    reader *r = v->r;
    amber_vertex_input in = {.location = (uint32_t)amber_read_uint(r, "a location", 31)};
    const char *format = amber_read_name(r, "a format");
    if (format[0] != '/')
        amber_read_expected(r, "/ and a format");
    const char *gl = find_gl_format(r, format + 1);
    const amber_type *type = amber_read_format_type(r, gl ? gl : format + 1);
    in.format = type->texel;
    in.stride = type->size;
    v->inputs = arena_grow(r->arena, v->inputs, &v->input_cap, v->input_count + 1,
                           sizeof *v->inputs);
    v->inputs[v->input_count++] = in;
}

/* The values of an attribute while its section is read. */
typedef struct column {
    const amber_type *type;
    uint8_t *bytes;
    size_t size, cap;
} column;

static void
read_element(reader *r, column *c)
{
    c->bytes = arena_grow(r->arena, c->bytes, &c->cap, c->size + c->type->size, 1);
    memset(c->bytes + c->size, 0, c->type->size);
    for (uint32_t i = 0; i < c->type->slot_count; i++) {
        const amber_slot *s = &c->type->slots[i];
        amber_read_token(r);
        amber_store(c->bytes + c->size + s->offset, (amber_mode)s->mode, s->bits,
                    amber_read_value(r, (amber_mode)s->mode));
    }
    c->size += c->type->size;
}

static bool
is_at_line_end(const reader *r)
{
    lex_kind next = amber_lex_peek(&r->lex).kind;
    return next == LEX_END_OF_LINE || next == LEX_END_OF_TEXT;
}

void
amber_vkscript_vertex_data(vkscript *v)
{
    reader *r = v->r;
    size_t first = v->input_count;
    amber_read_skip_lines(r);
    while (!is_at_line_end(r))
        read_heading(v);
    size_t count = v->input_count - first;
    column *columns = ARENA_ARRAY(r->arena, count, column);
    for (size_t i = 0; i < count; i++)
        columns[i].type = amber_read_format_type(r, v->inputs[first + i].format.name);
    for (amber_read_skip_lines(r); count && amber_lex_peek(&r->lex).kind != LEX_END_OF_TEXT;
         amber_read_skip_lines(r)) {
        for (size_t i = 0; i < count; i++)
            read_element(r, &columns[i]);
        amber_read_line_end(r, "a row of vertex data");
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *bytes;
        amber_vertex_input *in = &v->inputs[first + i];
        in->buffer = amber_read_hidden_buffer(r, in->format.name, columns[i].size / in->stride,
                                              &bytes);
        if (columns[i].size)
            memcpy(bytes, columns[i].bytes, columns[i].size);
    }
}

void
amber_vkscript_indices(vkscript *v)
{
    reader *r = v->r;
    uint8_t *bytes;
    column c = {.type = amber_read_format_type(r, "R16_UINT")};
    for (amber_read_skip_lines(r); amber_lex_peek(&r->lex).kind != LEX_END_OF_TEXT;
         amber_read_skip_lines(r)) {
        uint64_t index = amber_read_uint(r, "an index from 0 to 65535", UINT16_MAX);
        c.bytes = arena_grow(r->arena, c.bytes, &c.cap, c.size + 2, 1);
        c.bytes[c.size++] = (uint8_t)index;
        c.bytes[c.size++] = (uint8_t)(index >> 8);
    }
    amber_buffer *b = amber_read_hidden_buffer(r, "R16_UINT", c.size / 2, &bytes);
    if (c.size)
        memcpy(bytes, c.bytes, c.size);
    v->index = b;
}

/* ---- pipelines ---- */

static amber_buffer *
new_attachment(vkscript *v, const char *name, const char *format)
{
    amber_buffer *b = amber_read_new_buffer(v->r, name);
    b->type = amber_read_format_type(v->r, format);
    b->framebuffer = true;
    return b;
}

void
amber_vkscript_prepare(vkscript *v)
{
    reader *r = v->r;
    if (v->target)
        return;
    amber_pipeline *p = v->target = amber_read_new_pipeline(r, "the framebuffer's pipeline");
    read_body body = {.r = r, .p = p};
    p->kind = AMBER_PIPE_GRAPHICS;
    p->graphics = amber_read_new_graphics(r->arena);
    if (v->width) {
        p->graphics->width = v->width;
        p->graphics->height = v->height;
    }
    const char *color = v->color_format ? v->color_format : "B8G8R8A8_UNORM";
    amber_read_color_target(&body, new_attachment(v, "framebuffer", color), 0);
    if (v->depth_format)
        amber_read_depth_stencil(&body, new_attachment(v, "depthstencil", v->depth_format));
    amber_read_finish_attachments(&body);
    v->state = *p->graphics;
    v->state.inputs = v->inputs;
    v->state.input_count = (uint32_t)v->input_count;
    v->state.index = v->index;
}

static void
attach_shaders(vkscript *v, amber_pipeline *p)
{
    p->attached = ARENA_ARRAY(v->r->arena, AMBER_COMPUTE, amber_attach);
    for (unsigned s = 0; s < AMBER_COMPUTE; s++) {
        const char *entry = v->entries[s] ? v->entries[s] : "main";
        if (v->shaders[s])
            p->attached[p->attach_count++] = (amber_attach){
                .shader = v->shaders[s], .stage = (amber_stage)s, .entry = entry};
    }
    if (!v->shaders[AMBER_VERTEX])
        diag_fail(v->r->diag, ERR_AMBER_MISSING, "the script", "[vertex shader]");
}

/* Returns the pipeline of the current state. */
static const amber_pipeline *
get_pipeline(vkscript *v)
{
    reader *r = v->r;
    amber_vkscript_prepare(v);
    if (v->draw)
        return v->draw;
    const char *name = arena_printf(r->arena, "pipeline %u", r->script->pipeline_count);
    amber_pipeline *p = amber_read_new_pipeline(r, name);
    p->kind = AMBER_PIPE_GRAPHICS;
    p->graphics = ARENA_NEW(r->arena, amber_graphics);
    *p->graphics = v->state;
    attach_shaders(v, p);
    v->draw = p;
    return p;
}

/* "vertex entrypoint NAME"; the two stages of tessellation have two words. */
void
amber_vkscript_entry_point(vkscript *v)
{
    static const char *const stages[] = {"vertex", "fragment", "geometry"};
    static const char *const parts[] = {"control", "evaluation", NULL};
    reader *r = v->r;
    unsigned stage = 0;
    while (stage < AMBER_TESS_CONTROL && !amber_read_is(r, stages[stage]))
        stage++;
    if (stage == AMBER_TESS_CONTROL)
        stage += amber_read_choice(r, parts, "control or evaluation");
    amber_read_word(r, "entrypoint");
    v->entries[stage] = amber_read_name(r, "the name of an entry point");
    v->draw = NULL;
    amber_read_line_end(r, "entrypoint");
}

/* patch parameter vertices n */
void
amber_vkscript_patch(vkscript *v)
{
    reader *r = v->r;
    amber_vkscript_prepare(v);
    amber_read_word(r, "parameter");
    amber_read_word(r, "vertices");
    v->state.patch_vertices = (uint32_t)amber_read_uint(r, "a number of vertices", 32);
    if (!v->state.patch_vertices)
        amber_read_expected(r, "at least one vertex");
    v->draw = NULL;
    amber_read_line_end(r, "patch");
}

/* ---- draws ---- */

/* Scales a place or size in pixels to clip coordinates. */
static void
scale_rectangle(const amber_graphics *g, read_grid *at)
{
    at->x = at->x / (float)g->width * 2.0f - 1.0f;
    at->y = at->y / (float)g->height * 2.0f - 1.0f;
    at->width = at->width / (float)g->width * 2.0f;
    at->height = at->height / (float)g->height * 2.0f;
}

/* draw rect [ortho] [patch] x y width height: in clip coordinates, or in pixels. */
static void
read_rectangle(vkscript *v)
{
    enum { RECTANGLE_CORNERS = 4 };
    reader *r = v->r;
    read_grid at = {0};
    bool in_pixels = amber_read_accept(r, "ortho");
    bool is_patch = amber_read_accept(r, "patch");
    in_pixels |= amber_read_accept(r, "ortho");
    at.x = (float)amber_read_real(r, "a place");
    at.y = (float)amber_read_real(r, "a place");
    at.width = (float)amber_read_real(r, "a width");
    at.height = (float)amber_read_real(r, "a height");
    amber_read_line_end(r, "draw rect");
    if (is_patch && v->state.patch_vertices != RECTANGLE_CORNERS) {
        v->state.patch_vertices = RECTANGLE_CORNERS;
        v->draw = NULL;
    }
    const amber_pipeline *p = get_pipeline(v);
    if (in_pixels)
        scale_rectangle(p->graphics, &at);
    amber_vertices *drawn = amber_read_draw_grid(r, p, &at);
    if (is_patch)
        drawn->topology = MACH_PATCH_LIST;
}

/* The names of OpenGL are those of AmberScript without _LIST and _WITH, and with GL_. */
static bool
find_topology(const char *name, mach_topology *out)
{
    static const char *const gl[][2] = {
        {"GL_POINTS", "POINT_LIST"},
        {"GL_LINES", "LINE_LIST"},
        {"GL_LINES_ADJACENCY", "LINE_LIST_WITH_ADJACENCY"},
        {"GL_LINE_STRIP", "LINE_STRIP"},
        {"GL_LINE_STRIP_ADJACENCY", "LINE_STRIP_WITH_ADJACENCY"},
        {"GL_TRIANGLES", "TRIANGLE_LIST"},
        {"GL_TRIANGLES_ADJACENCY", "TRIANGLE_LIST_WITH_ADJACENCY"},
        {"GL_TRIANGLE_STRIP", "TRIANGLE_STRIP"},
        {"GL_TRIANGLE_STRIP_ADJACENCY", "TRIANGLE_STRIP_WITH_ADJACENCY"},
        {"GL_TRIANGLE_FAN", "TRIANGLE_FAN"},
        {"GL_PATCHES", "PATCH_LIST"},
    };
    for (size_t i = 0; i < sizeof gl / sizeof gl[0]; i++)
        if (strcmp(name, gl[i][0]) == 0)
            return amber_read_find_topology(gl[i][1], out);
    return amber_read_find_topology(name, out);
}

/* draw arrays [indexed] [instanced] topology first count [instances]. For indexed draws the first
 * vertex is added to the indices (google/amber, GraphicsPipeline::Draw). */
static void
read_arrays(vkscript *v)
{
    reader *r = v->r;
    amber_vertices *out = ARENA_NEW(r->arena, amber_vertices);
    bool is_instanced = amber_read_accept(r, "instanced");
    bool is_indexed = amber_read_accept(r, "indexed");
    is_instanced |= amber_read_accept(r, "instanced");
    if (!find_topology(amber_read_name(r, "a topology"), &out->topology))
        amber_read_expected(r, "a topology");
    out->first = (uint32_t)amber_read_uint(r, "the first vertex", INT32_MAX);
    out->count = (uint32_t)amber_read_uint(r, "a number of vertices", UINT32_MAX);
    out->instances = 1;
    if (is_instanced && !is_at_line_end(r))
        out->instances = (uint32_t)amber_read_uint(r, "a number of instances", UINT32_MAX);
    amber_read_line_end(r, "draw arrays");
    const amber_pipeline *p = get_pipeline(v);
    out->inputs = p->graphics->inputs;
    out->input_count = p->graphics->input_count;
    if (is_indexed && !v->index)
        diag_fail(r->diag, ERR_AMBER_MISSING, "the script", "[indices]");
    if (is_indexed && out->count > v->index->elements)
        diag_fail(r->diag, ERR_AMBER_RANGE, "the number of vertices", "[indices] has fewer");
    out->index = is_indexed ? v->index : NULL;
    amber_read_add_draw(r, p, out);
}

void
amber_vkscript_draw(vkscript *v)
{
    static const char *const words[] = {"rect", "arrays", NULL};
    amber_vkscript_prepare(v);
    if (amber_read_choice(v->r, words, "rect or arrays") == 0)
        read_rectangle(v);
    else
        read_arrays(v);
}

/* ---- clears and probes ---- */

void
amber_vkscript_clear(vkscript *v)
{
    static const char *const words[] = {"color", "depth", "stencil"};
    reader *r = v->r;
    unsigned what = 0;
    amber_vkscript_prepare(v);
    for (unsigned i = 0; i < 3 && !what; i++)
        what = amber_read_accept(r, words[i]) ? i + 1 : 0;
    amber_command *c = amber_read_new_command(r, (amber_op)(AMBER_OP_CLEAR + what));
    c->pipeline = v->target;
    if (c->op == AMBER_OP_CLEAR_COLOR)
        for (unsigned i = 0; i < 4; i++)
            c->color[i] = amber_read_real(r, "a colour");
    if (c->op == AMBER_OP_CLEAR_DEPTH)
        c->limit = amber_read_real(r, "a depth");
    if (c->op == AMBER_OP_CLEAR_STENCIL)
        c->count = (uint32_t)amber_read_uint(r, "a number from 0 to 255", 255);
    amber_read_line_end(r, "clear");
}

/* Numbers in parentheses with commas between them; both may be left out. */
static void
read_tuple(reader *r, double *out, unsigned count)
{
    bool opened = amber_read_accept(r, "(");
    for (unsigned i = 0; i < count; i++) {
        if (i)
            amber_read_accept(r, ",");
        out[i] = amber_read_real(r, "a number");
    }
    if (opened)
        amber_read_word(r, ")");
}

/* Sets the texels that are probed: x, y, width and height, as fractions of the framebuffer's or in
 * texels; fractions of texels are cut (google/amber, Verifier::Probe). */
static void
set_rectangle(vkscript *v, amber_command *c, const double at[4], bool relative)
{
    const uint32_t sides[2] = {c->buffer->width, c->buffer->height};
    for (unsigned i = 0; i < 4; i++) {
        float texels = relative ? (float)sides[i & 1] * (float)at[i] : (float)at[i];
        if (!(texels >= 0.0f && texels < 65536.0f))
            amber_read_expected(v->r, "a place in the framebuffer");
        c->rect[i] = (uint32_t)texels;
    }
}

/* [relative] probe [rect|all] rgb|rgba (x, y[, width, height]) (r, g, b[, a]) */
static void
read_probe(vkscript *v, bool relative)
{
    static const char *const words[] = {"rgb", "rgba", NULL};
    reader *r = v->r;
    double at[4] = {0, 0, 1, 1};
    amber_vkscript_prepare(v);
    amber_command *c = amber_read_new_command(r, AMBER_OP_EXPECT_COLOR);
    c->buffer = v->state.targets[0].buffer;
    bool is_all = amber_read_accept(r, "all");
    bool is_rectangle = !is_all && amber_read_accept(r, "rect");
    c->with_alpha = amber_read_choice(r, words, "rgb or rgba") == 1;
    if (!is_all)
        read_tuple(r, at, is_rectangle ? 4 : 2);
    set_rectangle(v, c, at, relative || is_all);
    if (!is_all && !is_rectangle)
        c->rect[2] = c->rect[3] = 1;
    read_tuple(r, c->color, c->with_alpha ? 4 : 3);
    memcpy(c->tolerance, v->tolerances.tolerance, sizeof c->tolerance);
    c->tolerance_count = v->tolerances.tolerance_count;
    amber_read_line_end(r, "probe");
}

void
amber_vkscript_probe(vkscript *v)
{
    read_probe(v, false);
}

void
amber_vkscript_relative(vkscript *v)
{
    amber_read_word(v->r, "probe");
    read_probe(v, true);
}
