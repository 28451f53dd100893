/* AmberScript: shaders, structures, buffers, images, samplers. */
#include "amber/read.h"

#include <string.h>

/* Loads a file that the script names. */
static const char *
load_file(reader *r, const char *path, size_t *size)
{
    const char *data;
    if (!r->loader || !r->loader->load(r->loader->user, r->arena, path, &data, size))
        diag_fail(r->diag, ERR_AMBER_FILE, path);
    return data;
}

static const char *
copy_text(reader *r, const char *text, size_t size)
{
    char *copy = arena_alloc(r->arena, size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

/* Reads the text from the next line up to END, wherever on a line that is, and consumes END. */
static const char *
read_inline_text(reader *r, const char *what, size_t *size, uint32_t *line)
{
    const char *text;
    amber_read_line_end(r, what);
    *line = r->lex.line;
    if (!amber_lex_until(&r->lex, "END", &text, size))
        diag_fail(r->diag, ERR_AMBER_UNTERMINATED, what);
    text = copy_text(r, text, *size);
    amber_read_token(r);
    amber_read_line_end(r, "END");
    return text;
}

void
amber_read_virtual_file(reader *r)
{
    size_t size;
    uint32_t line;
    const char *path = amber_read_name(r, "a path");
    amber_read_declare(r, READ_FILE, path, r->script->virtual_paths.count);
    const char *text = read_inline_text(r, "VIRTUAL_FILE", &size, &line);
    amber_read_add_name(r, &r->script->virtual_paths, path);
    amber_read_add_name(r, &r->script->virtual_texts, text);
}

static amber_stage
read_stage(reader *r)
{
    static const char *const words[] = {"vertex",
                                        "fragment",
                                        "geometry",
                                        "tessellation_control",
                                        "tessellation_evaluation",
                                        "compute",
                                        "ray_generation",
                                        "any_hit",
                                        "closest_hit",
                                        "miss",
                                        "intersection",
                                        "callable",
                                        "multi",
                                        NULL};
    return (amber_stage)amber_read_choice(r, words, "a shader type");
}

static amber_language
read_language(reader *r)
{
    static const char *const words[] = {"GLSL",      "HLSL",     "SPIRV-ASM",   "SPIRV-HEX",
                                        "SPIRV-BIN", "OPENCL-C", "PASSTHROUGH", NULL};
    return (amber_language)amber_read_choice(r, words, "a shader format");
}

/* Reads the source of a shader: a file, a virtual file, or the lines that follow. */
static void
read_shader_source(reader *r, amber_shader *s)
{
    if (amber_read_accept(r, "VIRTUAL_FILE")) {
        s->path = amber_read_name(r, "a path");
        uint64_t index;
        if (!amber_read_find(r, READ_FILE, s->path, &index))
            diag_fail(r->diag, ERR_AMBER_UNKNOWN, "virtual file", s->path);
        s->text = r->script->virtual_texts.items[index];
        s->size = strlen(s->text);
        amber_read_line_end(r, "SHADER");
    } else if (amber_read_accept(r, "FILE")) {
        s->path = amber_read_name(r, "a path");
        s->text = load_file(r, s->path, &s->size);
        amber_read_line_end(r, "SHADER");
    } else if (s->language == AMBER_SPIRV_BIN) {
        amber_read_token(r);
        amber_read_expected(r, "FILE behind SPIRV-BIN");
    } else {
        s->text = read_inline_text(r, "SHADER", &s->size, &s->line);
    }
}

void
amber_read_shader(reader *r)
{
    uint32_t line = r->token.line;
    amber_stage stage = read_stage(r);
    amber_shader *s = amber_read_new_shader(r, amber_read_name(r, "the name of the shader"));
    s->stage = stage;
    s->line = line;
    s->language = read_language(r);
    if (s->language == AMBER_PASSTHROUGH) {
        if (stage != AMBER_VERTEX)
            amber_read_expected(r, "a vertex shader before PASSTHROUGH");
        s->text = "";
        amber_read_line_end(r, "PASSTHROUGH");
        return;
    }
    if (s->language == AMBER_OPENCL_C)
        amber_read_unsupported(r, "OPENCL-C shader");
    if (amber_read_accept(r, "TARGET_ENV"))
        s->target_env = amber_read_name(r, "a target environment");
    read_shader_source(r, s);
}

/* Finds a type by its name: a structure, or a type that amber_layout_parse knows. */
static const layout_type *
find_type(reader *r, const char *name)
{
    uint64_t index;
    if (amber_read_find(r, READ_TYPE, name, &index))
        return r->types[index];
    layout_type *t = ARENA_NEW(r->arena, layout_type);
    if (!amber_layout_parse(name, strlen(name), t))
        diag_fail(r->diag, ERR_AMBER_UNKNOWN, "type", name);
    return t;
}

const amber_type *
amber_read_format_type(reader *r, const char *name)
{
    layout_type type = {.kind = LAYOUT_TEXEL};
    if (!amber_texel_find(name, strlen(name), &type.texel))
        diag_fail(r->diag, ERR_AMBER_UNKNOWN, "format", name);
    return amber_layout_make(r->arena, r->diag, &type, false);
}

static void
read_member(reader *r, layout_member *m, const char *type_name)
{
    m->type = find_type(r, type_name);
    m->name = amber_read_name(r, "the name of the member");
    for (;;) {
        if (amber_read_accept(r, "OFFSET")) {
            m->has_offset = true;
            m->offset = (uint32_t)amber_read_uint(r, "an offset", UINT32_MAX);
        } else if (amber_read_accept(r, "ARRAY_STRIDE")) {
            if (!m->type->count)
                amber_read_expected(r, "an array before ARRAY_STRIDE");
            m->array_stride = (uint32_t)amber_read_uint(r, "a stride", UINT32_MAX);
        } else if (amber_read_accept(r, "MATRIX_STRIDE")) {
            if (m->type->columns < 2)
                amber_read_expected(r, "a matrix before MATRIX_STRIDE");
            m->matrix_stride = (uint32_t)amber_read_uint(r, "a stride", UINT32_MAX);
        } else {
            break;
        }
    }
    amber_read_line_end(r, "a member");
}

void
amber_read_struct(reader *r)
{
    size_t cap = 0;
    layout_type *t = ARENA_NEW(r->arena, layout_type);
    const char *name = amber_read_name(r, "the name of the structure");
    t->kind = LAYOUT_STRUCT;
    if (amber_read_accept(r, "STRIDE"))
        t->stride = (uint32_t)amber_read_uint(r, "a stride", UINT32_MAX);
    amber_read_line_end(r, "STRUCT");
    for (;;) {
        amber_read_skip_lines(r);
        const char *word = amber_read_name(r, "a type or END");
        if (strcmp(word, "END") == 0)
            break;
        t->members = arena_grow(r->arena, t->members, &cap, (size_t)t->member_count + 1,
                                sizeof *t->members);
        t->members[t->member_count] = (layout_member){0};
        read_member(r, &t->members[t->member_count++], word);
    }
    if (!t->member_count)
        amber_read_expected(r, "a member of the structure");
    amber_layout_close_struct(r->diag, t);
    amber_read_line_end(r, "END");
    amber_read_declare(r, READ_TYPE, name, r->type_count);
    r->types = arena_grow(r->arena, r->types, &r->type_cap, r->type_count + 1, sizeof *r->types);
    r->types[r->type_count++] = t;
}

/* Stores one value in every slot, adding `step` from each slot to the next. */
static void
fill_slots(reader *r, amber_buffer *b, amber_value v, const amber_value *step)
{
    const amber_type *t = b->type;
    if (b->elements > AMBER_MAX_BYTES / t->size)
        diag_fail(r->diag, ERR_AMBER_LIMIT, "a buffer");
    uint8_t *bytes = amber_read_buffer_bytes(r, b->elements * t->size);
    b->init = bytes;
    b->init_size = b->elements * t->size;
    for (uint64_t e = 0; e < b->elements; e++, bytes += t->size) {
        for (uint32_t i = 0; i < t->slot_count; i++) {
            const amber_slot *s = &t->slots[i];
            amber_store(bytes + s->offset, (amber_mode)s->mode, s->bits, v);
            if (step) {
                v.u += step->u;
                v.f += step->f;
            }
        }
    }
}

/* Reads the number of FILL or SERIES_FROM, which may have a fraction even if it is converted to an
 * integer. */
static amber_value
read_fill_number(reader *r, const amber_type *t)
{
    amber_read_token(r);
    amber_mode mode = (amber_mode)t->slots[0].mode;
    if (r->token.kind != LEX_FLOAT)
        return amber_read_value(r, mode);
    amber_value v = {.is_float = true, .f = r->token.f};
    uint8_t bits[8] = {0};
    if (mode == AMBER_SFLOAT || mode == AMBER_UFLOAT)
        return v;
    amber_store(bits, AMBER_SINT, 64, v);
    return amber_load(bits, AMBER_SINT, 64);
}

static void
read_series(reader *r, amber_buffer *b)
{
    if (b->type->slot_count != 1)
        amber_read_expected(r, "a buffer of scalars before SERIES_FROM");
    amber_value v = read_fill_number(r, b->type);
    amber_read_word(r, "INC_BY");
    amber_value step = read_fill_number(r, b->type);
    fill_slots(r, b, v, &step);
}

/* Stores values one after the other in the slots of the elements. They determine the number of
 * elements. */
static void
set_values(reader *r, amber_buffer *b, const amber_value *values, uint32_t count)
{
    const amber_type *t = b->type;
    if (!count || count % t->slot_count)
        diag_fail(r->diag, ERR_AMBER_VALUES, t->slot_count, count);
    b->elements = count / t->slot_count;
    if (b->elements > AMBER_MAX_BYTES / t->size)
        diag_fail(r->diag, ERR_AMBER_LIMIT, "a buffer");
    b->init_size = b->elements * t->size;
    uint8_t *bytes = amber_read_buffer_bytes(r, b->init_size);
    b->init = bytes;
    for (uint32_t v = 0; v < count; bytes += t->size)
        for (uint32_t i = 0; i < t->slot_count; i++, v++)
            amber_store(bytes + t->slots[i].offset, (amber_mode)t->slots[i].mode, t->slots[i].bits,
                        values[v]);
}

static void
read_data(reader *r, amber_buffer *b)
{
    uint32_t count;
    const amber_value *values = amber_read_values(r, b->type, true, &count);
    set_values(r, b, values, count);
}

/* Reads a file with values as in a DATA block. */
static void
read_text_file(reader *r, amber_buffer *b, const char *text, size_t size)
{
    lexer outer = r->lex;
    uint32_t count, line = r->token.line;
    char *block = arena_alloc(r->arena, size + 5);
    memcpy(block, text, size);
    memcpy(block + size, "\nEND", 5);
    r->lex = amber_lex_make(r->arena, block, size + 4, 1);
    const amber_value *values = amber_read_values(r, b->type, true, &count);
    r->lex = outer;
    r->diag->loc.line = line;
    set_values(r, b, values, count);
}

static void
read_png_file(reader *r, amber_buffer *b, const char *path)
{
    const uint8_t *rgba;
    const amber_loader *l = r->loader;
    if (!b->type->has_texel || b->type->texel.count != 4 || b->type->size != 4)
        amber_read_unsupported(r, "PNG file for a format that is not RGBA of 8 bits");
    if (!l || !l->load_png)
        amber_read_unsupported(r, "PNG file");
    if (!l->load_png(l->user, r->arena, path, &rgba, &b->width, &b->height))
        diag_fail(r->diag, ERR_AMBER_FILE, path);
    b->elements = (uint64_t)b->width * b->height;
    b->init_size = b->elements * 4;
    uint8_t *bytes = amber_read_buffer_bytes(r, b->init_size);
    b->init = bytes;
    for (uint64_t i = 0; i < b->elements; i++)
        for (unsigned c = 0; c < 4; c++)
            bytes[4 * i + b->type->texel.part[c].shift / 8] =
                rgba[4 * i + (size_t)(strchr("RGBA", b->type->texel.part[c].name) - "RGBA")];
}

static void
read_file(reader *r, amber_buffer *b)
{
    size_t size;
    if (amber_read_accept(r, "TEXT")) {
        const char *path = amber_read_name(r, "a path");
        const char *text = load_file(r, path, &size);
        read_text_file(r, b, text, size);
    } else if (amber_read_accept(r, "BINARY")) {
        const char *path = amber_read_name(r, "a path");
        const char *data = load_file(r, path, &size);
        b->elements = size / b->type->size;
        b->init_size = b->elements * b->type->size;
        b->init = (const uint8_t *)data;
    } else {
        amber_read_accept(r, "PNG");
        read_png_file(r, b, amber_read_name(r, "a path"));
    }
}

/* Reads FILL, SERIES_FROM, DATA or FILE. Returns false if none of them follows. */
static bool
read_initializer(reader *r, amber_buffer *b)
{
    if (amber_read_accept(r, "FILL"))
        fill_slots(r, b, read_fill_number(r, b->type), NULL);
    else if (amber_read_accept(r, "SERIES_FROM"))
        read_series(r, b);
    else if (amber_read_accept(r, "DATA"))
        read_data(r, b);
    else if (amber_read_accept(r, "FILE"))
        read_file(r, b);
    else
        return false;
    return true;
}

void
amber_read_set_size(reader *r, amber_buffer *b)
{
    uint64_t size = 0, w = b->width, h = b->height, d = b->depth, element = b->type->size;
    if (b->mips == 1) {
        size = b->elements;
    } else {
        for (uint32_t m = 0; m < b->mips; m++) {
            size += w * h * d * amber_layers(b);
            w = w > 1 ? w / 2 : 1;
            h = h > 1 ? h / 2 : 1;
            d = d > 1 ? d / 2 : 1;
        }
    }
    if (size > AMBER_MAX_BYTES / element / b->samples)
        diag_fail(r->diag, ERR_AMBER_LIMIT, "a buffer");
    uint64_t counted = b->size > b->init_size ? b->size : b->init_size;
    b->size = size * element * b->samples;
    if (b->size > AMBER_MAX_BYTES - r->bytes + counted)
        diag_fail(r->diag, ERR_AMBER_LIMIT, "the buffers together");
    r->bytes += b->size - counted;
}

static uint32_t
read_samples(reader *r)
{
    uint32_t n = (uint32_t)amber_read_uint(r, "a number of samples", 64);
    if (!n || n & (n - 1))
        amber_read_expected(r, "1, 2, 4, 8, 16, 32 or 64 samples");
    return n;
}

static uint32_t
read_mips(reader *r)
{
    uint32_t n = (uint32_t)amber_read_uint(r, "a number of mip levels", 21);
    if (!n)
        amber_read_expected(r, "at least one mip level");
    return n;
}

static uint32_t
read_extent(reader *r, const char *what)
{
    uint32_t n = (uint32_t)amber_read_uint(r, what, 1 << 20);
    if (!n)
        amber_read_expected(r, what);
    return n;
}

static void
read_typed_buffer(reader *r, amber_buffer *b)
{
    const layout_type *type = find_type(r, amber_read_name(r, "a type"));
    bool std140 = amber_read_accept(r, "STD140");
    if (!std140)
        amber_read_accept(r, "STD430");
    b->type = amber_layout_make(r->arena, r->diag, type, std140);
    if (amber_read_accept(r, "SIZE")) {
        b->elements = amber_read_uint(r, "a number of elements", UINT32_MAX);
    } else if (amber_read_accept(r, "WIDTH")) {
        b->width = read_extent(r, "a width");
        amber_read_word(r, "HEIGHT");
        b->height = read_extent(r, "a height");
        b->elements = (uint64_t)b->width * b->height;
    }
    uint64_t declared = b->elements;
    if (!read_initializer(r, b)) {
        amber_read_token(r);
        amber_read_expected(r, "FILL, SERIES_FROM, DATA or FILE");
    }
    if (b->height == 1 && b->depth == 1)
        b->width = (uint32_t)b->elements;
    else if (b->elements != (uint64_t)b->width * b->height)
        diag_fail(r->diag, ERR_AMBER_VALUES, (uint32_t)declared, (uint32_t)b->elements);
}

static void
read_format_buffer(reader *r, amber_buffer *b)
{
    b->framebuffer = true;
    b->type = amber_read_format_type(r, amber_read_name(r, "a format"));
    for (;;) {
        if (amber_read_accept(r, "MIP_LEVELS")) {
            b->mips = read_mips(r);
        } else if (amber_read_accept(r, "SAMPLES")) {
            b->samples = read_samples(r);
        } else if (amber_read_accept(r, "FILE")) {
            read_file(r, b);
            b->framebuffer = false;
        } else {
            break;
        }
    }
}

void
amber_read_buffer(reader *r)
{
    static const char *const words[] = {"DATA_TYPE", "FORMAT", NULL};
    amber_buffer *b = amber_read_new_buffer(r, amber_read_name(r, "the name of the buffer"));
    if (amber_read_choice(r, words, "DATA_TYPE or FORMAT") == 0)
        read_typed_buffer(r, b);
    else
        read_format_buffer(r, b);
    amber_read_set_size(r, b);
    amber_read_line_end(r, "BUFFER");
}

/* Reads one attribute of an image. Returns false if none follows. */
static bool
read_image_attribute(reader *r, amber_buffer *b)
{
    if (amber_read_accept(r, "DATA_TYPE")) {
        const layout_type *type = find_type(r, amber_read_name(r, "a type"));
        b->type = amber_layout_make(r->arena, r->diag, type, false);
    } else if (amber_read_accept(r, "FORMAT")) {
        b->type = amber_read_format_type(r, amber_read_name(r, "a format"));
    } else if (amber_read_accept(r, "MIP_LEVELS")) {
        b->mips = read_mips(r);
    } else if (amber_read_accept(r, "DIM_1D")) {
        b->dim = AMBER_1D;
    } else if (amber_read_accept(r, "DIM_2D")) {
        b->dim = AMBER_2D;
    } else if (amber_read_accept(r, "DIM_3D")) {
        b->dim = AMBER_3D;
    } else if (amber_read_accept(r, "WIDTH")) {
        b->width = read_extent(r, "a width");
    } else if (amber_read_accept(r, "HEIGHT")) {
        b->height = read_extent(r, "a height");
    } else if (amber_read_accept(r, "DEPTH")) {
        b->depth = read_extent(r, "a depth");
    } else if (amber_read_accept(r, "ARRAY_LAYERS")) {
        b->layers = read_extent(r, "a number of layers");
    } else if (amber_read_accept(r, "SAMPLES")) {
        b->samples = read_samples(r);
    } else {
        return false;
    }
    return true;
}

void
amber_read_image(reader *r)
{
    amber_buffer *b = amber_read_new_buffer(r, amber_read_name(r, "the name of the image"));
    b->width = b->height = b->depth = 0;
    while (read_image_attribute(r, b))
        ;
    if (!b->type)
        diag_fail(r->diag, ERR_AMBER_MISSING, "IMAGE", "FORMAT or DATA_TYPE");
    if (!b->dim)
        diag_fail(r->diag, ERR_AMBER_MISSING, "IMAGE", "DIM_1D, DIM_2D or DIM_3D");
    if (!b->width || (b->dim >= AMBER_2D && !b->height) || (b->dim == AMBER_3D && !b->depth))
        diag_fail(r->diag, ERR_AMBER_MISSING, "IMAGE", "WIDTH, HEIGHT or DEPTH");
    b->height += !b->height;
    b->depth += !b->depth;
    if (b->layers && b->dim == AMBER_3D)
        amber_read_expected(r, "DIM_1D or DIM_2D with ARRAY_LAYERS");
    uint64_t texels = b->elements = (uint64_t)b->width * b->height * b->depth * amber_layers(b);
    if (read_initializer(r, b) && b->elements != texels)
        diag_fail(r->diag, ERR_AMBER_VALUES, (uint32_t)texels, (uint32_t)b->elements);
    amber_read_set_size(r, b);
    amber_read_line_end(r, "IMAGE");
}

static const char *const filters[] = {"nearest", "linear", NULL};
static const char *const addresses[] = {
    "repeat",          "mirrored_repeat",        "clamp_to_edge",
    "clamp_to_border", "mirrored_clamp_to_edge", NULL};
/* In the order of VkBorderColor. */
static const char *const borders[] = {"float_transparent_black",
                                      "int_transparent_black",
                                      "float_opaque_black",
                                      "int_opaque_black",
                                      "float_opaque_white",
                                      "int_opaque_white",
                                      NULL};

static bool
read_sampler_attribute(reader *r, amber_sampler *s)
{
    static const char *const axes[] = {"ADDRESS_MODE_U", "ADDRESS_MODE_V", "ADDRESS_MODE_W"};
    for (unsigned i = 0; i < 3; i++) {
        if (amber_read_accept(r, axes[i])) {
            s->address[i] = (amber_address)amber_read_choice(r, addresses, "an address mode");
            return true;
        }
    }
    if (amber_read_accept(r, "MAG_FILTER"))
        s->mag = (amber_filter)amber_read_choice(r, filters, "a filter");
    else if (amber_read_accept(r, "MIN_FILTER"))
        s->min = (amber_filter)amber_read_choice(r, filters, "a filter");
    else if (amber_read_accept(r, "MIPMAP_MODE"))
        s->mip = (amber_filter)amber_read_choice(r, filters, "a filter");
    else if (amber_read_accept(r, "MAX_ANISOTROPY"))
        s->max_anisotropy = (uint32_t)amber_read_uint(r, "a ratio up to 16", 16);
    else if (amber_read_accept(r, "BORDER_COLOR"))
        s->border = amber_read_choice(r, borders, "a border colour");
    else if (amber_read_accept(r, "MIN_LOD"))
        s->min_lod = (float)amber_read_real(r, "a level of detail");
    else if (amber_read_accept(r, "MAX_LOD"))
        s->max_lod = (float)amber_read_real(r, "a level of detail");
    else if (amber_read_accept(r, "UNNORMALIZED_COORDS"))
        s->unnormalized = true;
    else if (amber_read_accept(r, "NORMALIZED_COORDS"))
        s->unnormalized = false;
    else if (amber_read_accept(r, "COMPARE"))
        s->compare = amber_read_switch(r);
    else if (amber_read_accept(r, "COMPARE_OP"))
        s->compare_op = amber_read_choice(r, amber_read_compares, "a compare operation");
    else
        return false;
    return true;
}

void
amber_read_sampler(reader *r)
{
    amber_sampler *s = amber_read_new_sampler(r, amber_read_name(r, "the name of the sampler"));
    while (read_sampler_attribute(r, s))
        ;
    if (s->unnormalized)
        s->min_lod = s->max_lod = 0.0f;
    amber_read_line_end(r, "SAMPLER");
}
