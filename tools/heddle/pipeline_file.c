/* Objects of the file become structs by tables of their members. */
#include "pipeline_file.h"

#include "json.h"
#include "machine/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum member_kind {
    MEMBER_NUMBER,
    MEMBER_FLAG,
    MEMBER_FORMAT,  /* a VkFormat */
    MEMBER_WORD,    /* an enumeration */
    MEMBER_BITS,    /* a list of words, each a bit */
    MEMBER_NUMBERS, /* a list of up to 4 */
    MEMBER_LIST,    /* of structs: a pointer, and behind it their number */
    MEMBER_STRUCT,  /* a pointer */
} member_kind;

typedef struct member {
    const char *name;
    member_kind kind;
    size_t offset;
    const char *const *words;  /* of WORD and BITS; ends with NULL */
    const struct shape *shape; /* of LIST and STRUCT */
    size_t flag;               /* of LIST: where 1 is stored, plus 1; 0: nowhere */
} member;

/* A struct, whose first member is its size. */
typedef struct shape {
    size_t size;
    const member *members; /* ends with a NULL name */
} shape;

static const char *const topologies[] = {"any", "triangles", "lines", "points", "rectangles", NULL};
static const char *const polygon_modes[] = {"fill", "line", "point", NULL};
static const char *const vertex_kinds[] = {"any", "legacy", "primitive", NULL};
static const char *const builtins[] = {"clip_distance",  "cull_distance", "layer",
                                       "viewport_index", "primitive_id",  NULL};
static const char *const dynamics[] = {
    "vertex_input", "topology", "polygon_mode", "colors", "samples", "alpha", NULL};

#define ROW(type, member, how)                                                                     \
    {                                                                                              \
        .name = #member, .kind = MEMBER_##how, .offset = offsetof(type, member)                    \
    }
#define WORDS(type, member, how, list)                                                             \
    {                                                                                              \
        .name = #member, .kind = MEMBER_##how, .offset = offsetof(type, member), .words = list     \
    }

static const member binding_members[] = {
    ROW(heddle_vertex_binding, binding, NUMBER),
    ROW(heddle_vertex_binding, stride, NUMBER),
    ROW(heddle_vertex_binding, per_instance, FLAG),
    ROW(heddle_vertex_binding, divisor, NUMBER),
    ROW(heddle_vertex_binding, stride_is_dynamic, FLAG),
    ROW(heddle_vertex_binding, align, NUMBER),
    {.name = NULL},
};
static const shape binding_shape = {sizeof(heddle_vertex_binding), binding_members};

static const member attribute_members[] = {
    ROW(heddle_vertex_attribute, location, NUMBER),
    ROW(heddle_vertex_attribute, binding, NUMBER),
    ROW(heddle_vertex_attribute, format, FORMAT),
    ROW(heddle_vertex_attribute, offset, NUMBER),
    {.name = NULL},
};
static const shape attribute_shape = {sizeof(heddle_vertex_attribute), attribute_members};

static const member color_members[] = {
    ROW(heddle_color, format, FORMAT),      ROW(heddle_color, kept, NUMBER),
    ROW(heddle_color, blends, FLAG),        ROW(heddle_color, blends_alpha, FLAG),
    ROW(heddle_color, blends_second, FLAG), {.name = NULL},
};
static const shape color_shape = {sizeof(heddle_color), color_members};

static const member varying_members[] = {
    ROW(heddle_varying, location, NUMBER),
    ROW(heddle_varying, components, NUMBER),
    ROW(heddle_varying, constants, NUMBER),
    ROW(heddle_varying, value, NUMBERS),
    ROW(heddle_varying, way, NUMBER),
    ROW(heddle_varying, same, NUMBERS),
    {.name = NULL},
};
static const shape varying_shape = {sizeof(heddle_varying), varying_members};

static const member link_members[] = {
    {.name = "varyings",
     .kind = MEMBER_LIST,
     .offset = offsetof(heddle_stage_link, varyings),
     .shape = &varying_shape},
    WORDS(heddle_stage_link, builtins, BITS, builtins),
    {.name = NULL},
};
static const shape link_shape = {sizeof(heddle_stage_link), link_members};

#define LIST(member, of, has)                                                                      \
    {                                                                                              \
        .name = #member, .kind = MEMBER_LIST, .offset = offsetof(heddle_pipeline, member),         \
        .shape = of, .flag = offsetof(heddle_pipeline, has) + 1                                    \
    }
#define LINK(member)                                                                               \
    {                                                                                              \
        .name = #member, .kind = MEMBER_STRUCT, .offset = offsetof(heddle_pipeline, member),       \
        .shape = &link_shape                                                                       \
    }

static const member pipeline_members[] = {
    LIST(bindings, &binding_shape, has_vertices),
    LIST(attributes, &attribute_shape, has_vertices),
    WORDS(heddle_pipeline, topology, WORD, topologies),
    WORDS(heddle_pipeline, polygon_mode, WORD, polygon_modes),
    ROW(heddle_pipeline, view_mask, NUMBER),
    WORDS(heddle_pipeline, vertex_kind, WORD, vertex_kinds),
    LIST(colors, &color_shape, has_colors),
    ROW(heddle_pipeline, lacks_depth, FLAG),
    ROW(heddle_pipeline, lacks_stencil, FLAG),
    ROW(heddle_pipeline, samples, NUMBER),
    ROW(heddle_pipeline, sample_shading, FLAG),
    ROW(heddle_pipeline, alpha_to_coverage, FLAG),
    ROW(heddle_pipeline, alpha_to_one, FLAG),
    LINK(next),
    LINK(previous),
    WORDS(heddle_pipeline, dynamic, BITS, dynamics),
    ROW(heddle_pipeline, last_vertex_provokes, FLAG),
    ROW(heddle_pipeline, binning, FLAG),
    {.name = NULL},
};
static const shape pipeline_shape = {sizeof(heddle_pipeline), pipeline_members};

struct pipeline_file {
    heddle_pipeline pipeline;
    void **blocks; /* memory of lists */
    size_t n_blocks;
    const char *path;
};

/* ---- reading ---- */

static bool
fail(const pipeline_file *f, const json *at, const char *format, const char *text)
{
    char where[1000], message[300];
    snprintf(where, sizeof where, "%s:%u", f->path, at->line);
    snprintf(message, sizeof message, format, text);
    cli_error(where, "PIPELINE_FILE", "%s", message);
    return false;
}

static void *
allocate(pipeline_file *f, size_t size)
{
    void **blocks = realloc(f->blocks, (f->n_blocks + 1) * sizeof *blocks);
    void *memory = calloc(1, size);
    if (!blocks || !memory)
        cli_out_of_memory();
    f->blocks = blocks;
    f->blocks[f->n_blocks++] = memory;
    return memory;
}

static bool
read_struct(pipeline_file *f, const json *from, const shape *s, void *out);

static bool
read_word(const pipeline_file *f, const json *from, const member *m, uint32_t *out)
{
    for (*out = 0; from->kind == JSON_TEXT && m->words[*out]; ++*out) {
        if (strcmp(m->words[*out], from->text) == 0)
            return true;
    }
    return fail(f, from, "%s: the value is none of its words (heddle help compile)", m->name);
}

static bool
read_bits(const pipeline_file *f, const json *from, const member *m, uint32_t *out)
{
    uint32_t bit;
    if (from->kind != JSON_LIST)
        return fail(f, from, "%s is not a list", m->name);
    for (const json *v = from->first; v; v = v->next) {
        if (!read_word(f, v, m, &bit))
            return false;
        *out |= 1u << bit;
    }
    return true;
}

static bool
read_numbers(const pipeline_file *f, const json *from, const member *m, uint32_t *out)
{
    if (from->kind != JSON_LIST || from->count > 4)
        return fail(f, from, "%s is not a list of up to four numbers", m->name);
    for (const json *v = from->first; v; v = v->next) {
        if (v->kind != JSON_NUMBER)
            return fail(f, v, "%s is not a list of up to four numbers", m->name);
        *out++ = (uint32_t)v->number;
    }
    return true;
}

static bool
read_format(const pipeline_file *f, const json *from, const member *m, uint32_t *out)
{
    if (from->kind == JSON_NUMBER) {
        *out = (uint32_t)from->number;
        return true;
    }
    mach_format format = from->kind == JSON_TEXT ? mach_format_from_name(from->text)
                                                 : MACH_FORMAT_none;
    *out = mach_format_get(format)->vk;
    return *out ? true : fail(f, from, "%s: the value is no format that is known", m->name);
}

static bool
read_list(pipeline_file *f, const json *from, const member *m, void *out)
{
    if (from->kind != JSON_LIST)
        return fail(f, from, "%s is not a list", m->name);
    char *items = allocate(f, (from->count + 1) * m->shape->size);
    char *at = items;
    for (const json *v = from->first; v; v = v->next, at += m->shape->size) {
        if (!read_struct(f, v, m->shape, at))
            return false;
    }
    memcpy((char *)out + m->offset, &items, sizeof items);
    memcpy((char *)out + m->offset + sizeof items, &from->count, sizeof from->count);
    return true;
}

static bool
read_member(pipeline_file *f, const json *from, const member *m, void *out)
{
    uint32_t one = 1, *to = (uint32_t *)(void *)((char *)out + m->offset);
    bool is_flag = m->kind == MEMBER_FLAG;
    if (m->flag)
        memcpy((char *)out + m->flag - 1, &one, sizeof one);
    switch (m->kind) {
    case MEMBER_LIST: return read_list(f, from, m, out);
    case MEMBER_WORD: return read_word(f, from, m, to);
    case MEMBER_BITS: return read_bits(f, from, m, to);
    case MEMBER_NUMBERS: return read_numbers(f, from, m, to);
    case MEMBER_FORMAT: return read_format(f, from, m, to);
    case MEMBER_STRUCT: {
        void *made = allocate(f, m->shape->size);
        memcpy((char *)out + m->offset, &made, sizeof made);
        return read_struct(f, from, m->shape, made);
    }
    default:
        *to = (uint32_t)from->number;
        if (from->kind != (is_flag ? JSON_BOOL : JSON_NUMBER))
            return fail(f, from, is_flag ? "%s is neither true nor false" : "%s is not a number",
                        m->name);
        return true;
    }
}

static bool
read_struct(pipeline_file *f, const json *from, const shape *s, void *out)
{
    if (from->kind != JSON_MAP)
        return fail(f, from, "expected %s", "an object in braces");
    memcpy(out, &s->size, sizeof s->size);
    for (const json *v = from->first; v; v = v->next) {
        const member *m = s->members;
        while (m->name && strcmp(m->name, v->name) != 0)
            m++;
        if (!m->name)
            return fail(f, v, "'%.100s' is no member here", v->name);
        if (!read_member(f, v, m, out))
            return false;
    }
    return true;
}

pipeline_file *
pipeline_file_read(const char *path)
{
    uint8_t *bytes;
    size_t size;
    if (!cli_read_file(path, &bytes, &size))
        return NULL;
    pipeline_file *f = calloc(1, sizeof *f);
    if (!f)
        cli_out_of_memory();
    f->path = path;
    json wrong = {.line = 0};
    const char *message;
    json *tree = json_parse((char *)bytes, &wrong.line, &message);
    bool ok = tree ? read_struct(f, tree, &pipeline_shape, &f->pipeline)
                   : fail(f, &wrong, "%s", message);
    json_free(tree);
    free(bytes);
    if (ok)
        return f;
    pipeline_file_free(f);
    return NULL;
}

void
pipeline_file_free(pipeline_file *file)
{
    if (!file)
        return;
    for (size_t k = 0; k < file->n_blocks; k++)
        free(file->blocks[k]);
    free(file->blocks);
    free(file);
}

const heddle_pipeline *
pipeline_file_pipeline(const pipeline_file *file)
{
    return file ? &file->pipeline : NULL;
}

/* ---- the defaults ---- */

void
pipeline_file_print_defaults(void)
{
    printf("{\n");
    for (const member *m = pipeline_members; m->name; m++) {
        const char *end = m[1].name ? "," : "";
        bool absent = m->kind == MEMBER_LIST || m->kind == MEMBER_STRUCT;
        if (absent) /* by default they are not there */
            continue;
        printf("  \"%s\": ", m->name);
        if (m->kind == MEMBER_WORD)
            printf("\"%s\"%s\n", m->words[0], end);
        else
            printf("%s%s\n",
                   m->kind == MEMBER_FLAG   ? "false"
                   : m->kind == MEMBER_BITS ? "[]"
                                            : "0",
                   end);
    }
    printf("}\n");
}
