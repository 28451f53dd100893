/* VkScript: sections in square brackets; one unnamed pipeline.
 *
 * Sections may stand in any order: those of [test] are read last.
 *
 * Buffers exist once they are mentioned. Their size is known only at the end: the maximum of the
 * size requested by `ssbo binding size` (in elements of the type that the buffer has by then) and
 * the extent of what is written. So sizes and the pipelines' bindings are filled in last. Each
 * entry point of a compute shader gives a pipeline; all share the bindings.
 */
#include "amber/vkscript.h"

#include <string.h>

static const char *
read_format(reader *r)
{
    const char *name = amber_read_name(r, "a format");
    amber_read_format_type(r, name);
    return name;
}

static void
read_framebuffer_size(vkscript *v)
{
    v->width = (uint32_t)amber_read_uint(v->r, "a width", 1 << 14);
    v->height = (uint32_t)amber_read_uint(v->r, "a height", 1 << 14);
    if (!v->width || !v->height)
        amber_read_expected(v->r, "a width and a height of at least 1");
}

static void
read_require(vkscript *v)
{
    reader *r = v->r;
    amber_script *s = r->script;
    for (;;) {
        amber_read_skip_lines(r);
        if (amber_lex_peek(&r->lex).kind == LEX_END_OF_TEXT)
            return;
        const char *name = amber_read_name(r, "a requirement");
        if (strcmp(name, "framebuffer") == 0) {
            v->color_format = read_format(r);
        } else if (strcmp(name, "depthstencil") == 0) {
            v->depth_format = read_format(r);
        } else if (strcmp(name, "fbsize") == 0) {
            read_framebuffer_size(v);
        } else if (strcmp(name, "fence_timeout") == 0) {
            s->fence_timeout_ms = (uint32_t)amber_read_uint(r, "a time", UINT32_MAX);
        } else {
            bool extension = strncmp(name, "VK_", 3) == 0;
            amber_read_add_name(r, extension ? &s->device_extensions : &s->features, name);
        }
        amber_read_line_end(r, "a requirement");
    }
}

/* "1" (set 0) or "0:1". */
static void
read_binding(reader *r, uint32_t *set, uint32_t *binding)
{
    *set = 0;
    *binding = (uint32_t)amber_read_uint(r, "a binding", UINT32_MAX);
    lex_token t = amber_lex_peek(&r->lex);
    if (t.kind != LEX_WORD || t.size < 2 || t.text[0] != ':')
        return;
    amber_read_token(r);
    uint64_t number = 0;
    for (uint32_t i = 1; i < t.size; i++) {
        if (t.text[i] < '0' || t.text[i] > '9' || number > UINT32_MAX / 16)
            amber_read_expected(r, "a binding");
        number = number * 10 + (uint64_t)(t.text[i] - '0');
    }
    *set = *binding;
    *binding = (uint32_t)number;
}

static amber_buffer *
new_buffer(vkscript *v, const char *name)
{
    return amber_read_new_buffer(v->r, name);
}

/* Finds the buffer at a binding and makes it at its first mention. The result is valid until the
 * next call. */
static vk_buffer *
find_buffer(vkscript *v, amber_descriptor kind, uint32_t set, uint32_t binding)
{
    uint64_t index, place = (uint64_t)set << 32 | binding;
    if (map_get(&v->places, place, &index))
        return &v->buffers[index];
    v->buffers = arena_grow(v->r->arena, v->buffers, &v->buffer_cap, v->buffer_count + 1,
                            sizeof *v->buffers);
    map_put(&v->places, place, v->buffer_count);
    vk_buffer *b = &v->buffers[v->buffer_count++];
    const char *name = arena_printf(v->r->arena, "%s %u:%u",
                                    kind == AMBER_BIND_UNIFORM ? "ubo" : "ssbo", set, binding);
    *b = (vk_buffer){.buffer = new_buffer(v, name), .kind = kind, .set = set, .binding = binding};
    return b;
}

static const amber_type *
read_type(reader *r, bool std140)
{
    layout_type t;
    const char *name = amber_read_name(r, "a type");
    if (!amber_layout_parse_vkscript(name, strlen(name), &t))
        diag_fail(r->diag, ERR_AMBER_UNKNOWN, "type", name);
    return amber_layout_make(r->arena, r->diag, &t, std140);
}

/* type offset values... of `subdata` and `uniform`. */
static void
read_set_data(vkscript *v, vk_buffer *b, bool std140)
{
    reader *r = v->r;
    const amber_type *type = read_type(r, std140);
    amber_command *c = amber_read_new_command(r, AMBER_OP_SET_DATA);
    c->buffer = b->buffer;
    c->type = type;
    if (!b->buffer->type)
        b->buffer->type = type;
    c->offset = amber_read_uint(r, "an offset", AMBER_MAX_BYTES);
    c->values = amber_read_values(r, type, false, &c->value_count);
    if (!c->value_count || c->value_count % type->slot_count)
        diag_fail(r->diag, ERR_AMBER_VALUES, type->slot_count, c->value_count);
    uint64_t end = c->offset + (uint64_t)(c->value_count / type->slot_count) * type->size;
    b->extent = end > b->extent ? end : b->extent;
}

static void
read_ssbo(vkscript *v)
{
    reader *r = v->r;
    uint32_t set, binding;
    read_binding(r, &set, &binding);
    vk_buffer *b = find_buffer(v, AMBER_BIND_STORAGE, set, binding);
    if (amber_read_accept(r, "subdata")) {
        read_set_data(v, b, false);
    } else {
        b->count = amber_read_uint(r, "a size or subdata", AMBER_MAX_BYTES);
        amber_read_line_end(r, "ssbo");
    }
}

static void
read_uniform(vkscript *v)
{
    reader *r = v->r;
    uint32_t set, binding;
    if (amber_read_accept(r, "ubo")) {
        read_binding(r, &set, &binding);
        read_set_data(v, find_buffer(v, AMBER_BIND_UNIFORM, set, binding), true);
        return;
    }
    if (!v->push.buffer)
        v->push.buffer = new_buffer(v, "push constants");
    read_set_data(v, &v->push, false);
}

/* Finds the pipeline for an entry point of the compute shader. */
static amber_pipeline *
find_pipeline(vkscript *v, const char *entry)
{
    reader *r = v->r;
    uint64_t index;
    if (amber_read_find(r, READ_PIPELINE, entry, &index))
        return r->script->pipelines[index];
    amber_pipeline *p = amber_read_new_pipeline(r, entry);
    p->kind = AMBER_PIPE_COMPUTE;
    p->attach_count = 1;
    p->attached = ARENA_NEW(r->arena, amber_attach);
    *p->attached = (amber_attach){
        .shader = v->shaders[AMBER_COMPUTE], .stage = AMBER_COMPUTE, .entry = entry};
    if (!p->attached->shader)
        diag_fail(r->diag, ERR_AMBER_MISSING, "the script", "[compute shader]");
    return p;
}

static void
read_compute(vkscript *v)
{
    reader *r = v->r;
    if (amber_read_accept(r, "entrypoint")) {
        v->pipeline = find_pipeline(v, amber_read_name(r, "the name of an entry point"));
        amber_read_line_end(r, "entrypoint");
        return;
    }
    if (!v->pipeline)
        v->pipeline = find_pipeline(v, "main");
    amber_command *c = amber_read_new_command(r, AMBER_OP_DISPATCH);
    c->pipeline = v->pipeline;
    for (unsigned i = 0; i < 3; i++)
        c->groups[i] = (uint32_t)amber_read_uint(r, "a number of workgroups", UINT32_MAX);
    amber_read_line_end(r, "compute");
}

/* probe ssbo type binding offset comparison values... */
static void
read_probe_values(vkscript *v)
{
    static const char *const words[] = {"==", "!=", "<", "<=", ">", ">=", "~=", NULL};
    reader *r = v->r;
    uint32_t set, binding;
    const amber_type *type = read_type(r, false);
    read_binding(r, &set, &binding);
    vk_buffer *b = find_buffer(v, AMBER_BIND_STORAGE, set, binding);
    if (!b->buffer->type)
        b->buffer->type = type;
    amber_command *c = amber_read_new_command(r, AMBER_OP_EXPECT_VALUES);
    c->buffer = b->buffer;
    c->type = type;
    c->offset = amber_read_uint(r, "an offset", AMBER_MAX_BYTES);
    c->compare = (amber_compare)amber_read_choice(r, words, "a comparison");
    if (c->compare == AMBER_FUZZY) {
        memcpy(c->tolerance, v->tolerances.tolerance, sizeof c->tolerance);
        c->tolerance_count = v->tolerances.tolerance_count;
    }
    c->values = amber_read_values(r, type, false, &c->value_count);
    if (!c->value_count)
        amber_read_expected(r, "a value");
}

static void
read_probe(vkscript *v)
{
    if (amber_read_accept(v->r, "ssbo"))
        read_probe_values(v);
    else
        amber_vkscript_probe(v);
}

static void
read_tolerance(vkscript *v)
{
    v->tolerances.tolerance_count = 0;
    amber_read_tolerances(v->r, &v->tolerances);
    amber_read_line_end(v->r, "tolerance");
}

static void
read_test(vkscript *v)
{
    static const struct {
        const char *word;
        void (*read)(vkscript *v);
    } commands[] = {
        {"clear", amber_vkscript_clear},
        {"compute", read_compute},
        {"draw", amber_vkscript_draw},
        {"fragment", amber_vkscript_entry_point},
        {"geometry", amber_vkscript_entry_point},
        {"patch", amber_vkscript_patch},
        {"probe", read_probe},
        {"relative", amber_vkscript_relative},
        {"ssbo", read_ssbo},
        {"tessellation", amber_vkscript_entry_point},
        {"tolerance", read_tolerance},
        {"uniform", read_uniform},
        {"vertex", amber_vkscript_entry_point},
    };
    reader *r = v->r;
    for (;;) {
        size_t i, count = sizeof commands / sizeof commands[0];
        amber_read_skip_lines(r);
        if (amber_read_token(r)->kind == LEX_END_OF_TEXT)
            return;
        for (i = 0; i < count && !amber_read_is(r, commands[i].word); i++)
            ;
        if (i < count)
            commands[i].read(v);
        else if (!amber_vkscript_state(v))
            amber_read_expected(r, "a command");
    }
}

static bool
ends_with(const char *text, size_t *size, const char *tail)
{
    size_t n = strlen(tail);
    if (*size < n || memcmp(text + *size - n, tail, n) != 0)
        return false;
    *size -= n;
    return true;
}

static bool
equals(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* The stage of a shader section, by its title. */
static amber_stage
find_stage(reader *r, const char *title, size_t size)
{
    static const char *const titles[] = {
        [AMBER_VERTEX] = "vertex",
        [AMBER_FRAGMENT] = "fragment",
        [AMBER_GEOMETRY] = "geometry",
        [AMBER_TESS_CONTROL] = "tessellation control",
        [AMBER_TESS_EVALUATION] = "tessellation evaluation",
        [AMBER_COMPUTE] = "compute",
    };
    for (unsigned i = 0; i < VK_STAGES; i++)
        if (equals(title, size, titles[i]))
            return (amber_stage)i;
    amber_read_expected(r, "the name of a section");
}

static void
read_shader_section(vkscript *v, const char *title, size_t size)
{
    reader *r = v->r;
    amber_language language = AMBER_GLSL;
    if (ends_with(title, &size, " spirv hex"))
        language = AMBER_SPIRV_HEX;
    else if (ends_with(title, &size, " spirv"))
        language = AMBER_SPIRV_ASM;
    else if (ends_with(title, &size, " passthrough"))
        language = AMBER_PASSTHROUGH;
    if (!ends_with(title, &size, " shader"))
        amber_read_expected(r, "the name of a section");
    amber_stage stage = find_stage(r, title, size);
    size_t length = (size_t)(r->lex.end - r->lex.at);
    char *text = arena_alloc(r->arena, length + 1);
    memcpy(text, r->lex.at, length);
    text[length] = '\0';
    amber_shader *shader = amber_read_new_shader(
        r, arena_printf(r->arena, "%.*s%u", (int)size, title, r->script->shader_count));
    shader->stage = stage;
    shader->language = language;
    shader->text = text;
    shader->size = length;
    shader->line = r->lex.line;
    v->shaders[stage] = shader;
}

/* Reads the section in the lexer. */
static void
read_section(vkscript *v, const char *title, size_t size)
{
    if (equals(title, size, "comment"))
        return;
    if (equals(title, size, "require"))
        read_require(v);
    else if (equals(title, size, "test"))
        read_test(v);
    else if (equals(title, size, "indices"))
        amber_vkscript_indices(v);
    else if (equals(title, size, "vertex data"))
        amber_vkscript_vertex_data(v);
    else
        read_shader_section(v, title, size);
}

/* Completes a buffer's description, now that all commands are known. */
static void
finish_buffer(vkscript *v, vk_buffer *b)
{
    amber_buffer *buffer = b->buffer;
    if (!buffer->type) {
        layout_type t;
        amber_layout_parse_vkscript("int8_t", 6, &t);
        buffer->type = amber_layout_make(v->r->arena, v->r->diag, &t, false);
    }
    if (b->count > AMBER_MAX_BYTES / buffer->type->size)
        diag_fail(v->r->diag, ERR_AMBER_LIMIT, "a buffer");
    uint64_t size = b->count * buffer->type->size;
    buffer->size = size > b->extent ? size : b->extent;
    buffer->elements = buffer->size / buffer->type->size;
    buffer->width = (uint32_t)buffer->elements;
    v->r->bytes += buffer->size;
    if (v->r->bytes > AMBER_MAX_BYTES)
        diag_fail(v->r->diag, ERR_AMBER_LIMIT, "the buffers together");
}

static void
finish(vkscript *v)
{
    amber_script *s = v->r->script;
    amber_binding *bindings = ARENA_ARRAY(v->r->arena, v->buffer_count, amber_binding);
    for (size_t i = 0; i < v->buffer_count; i++) {
        vk_buffer *b = &v->buffers[i];
        finish_buffer(v, b);
        bindings[i] = (amber_binding){.kind = b->kind,
                                      .set = b->set,
                                      .binding = b->binding,
                                      .buffer = b->buffer,
                                      .range = AMBER_WHOLE_RANGE};
    }
    if (v->push.buffer)
        finish_buffer(v, &v->push);
    for (uint32_t i = 0; i < s->pipeline_count; i++) {
        amber_pipeline *p = s->pipelines[i];
        p->bindings = bindings;
        p->binding_count = (uint32_t)v->buffer_count;
        p->push = v->push.buffer;
    }
}

/* The end of the section that starts at `p`: the next line that starts with a bracket. */
static const char *
section_end(const char *p, const char *end, uint32_t *lines)
{
    while (p < end && *p != '[') {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        ++*lines;
        p = eol ? eol + 1 : end;
    }
    return p;
}

/* The next section from `p` on, with its title. */
typedef struct vk_section {
    const char *title, *body, *next;
    size_t title_size;
    uint32_t body_line;
} vk_section;

/* Finds the section whose bracket is at `p`. Sets `line` to that of the next. */
static vk_section
find_section(reader *r, const char *p, const char *end, uint32_t *line)
{
    const char *eol = memchr(p, '\n', (size_t)(end - p));
    const char *close = p, *stop = eol ? eol : end;
    for (const char *q = p; q < stop; q++)
        close = *q == ']' ? q : close;
    r->token = (lex_token){
        .kind = LEX_WORD, .text = p, .size = (uint32_t)(stop - p), .line = *line, .column = 1};
    r->diag->loc.line = *line;
    r->diag->loc.column = 1;
    if (close == p)
        amber_read_expected(r, "a section in brackets");
    vk_section s = {.title = p + 1,
                    .title_size = (size_t)(close - p) - 1,
                    .body = eol ? eol + 1 : end,
                    .body_line = ++*line};
    s.next = section_end(s.body, end, line);
    return s;
}

/* Reads the sections of [test], or the others. */
static void
read_sections(vkscript *v, const char *p, const char *end, uint32_t line, bool tests)
{
    reader *r = v->r;
    while (p < end) {
        vk_section s = find_section(r, p, end, &line);
        r->lex = amber_lex_make(r->arena, s.body, (size_t)(s.next - s.body), s.body_line);
        if (equals(s.title, s.title_size, "test") == tests)
            read_section(v, s.title, s.title_size);
        p = s.next;
    }
}

void
amber_read_vkscript(reader *r, const char *text, size_t size)
{
    const char *end = text + size;
    uint32_t line = 1;
    vkscript v = {.r = r, .places = map_make(r->arena)};
    /* Only comments are allowed before the first section. */
    const char *first = section_end(text, end, &line);
    r->lex = amber_lex_make(r->arena, text, (size_t)(first - text), 1);
    amber_read_skip_lines(r);
    if (amber_read_token(r)->kind != LEX_END_OF_TEXT || first == end)
        amber_read_expected(r, "a section in brackets");
    read_sections(&v, first, end, line, false);
    read_sections(&v, first, end, line, true);
    finish(&v);
}
