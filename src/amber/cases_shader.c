/* Shader library files: the text that stands for ${...} in a case's shaders, and the other shader
 * of a case that has only one.
 *
 * Inputs of the vertex shader are attributes at the locations from 1 on, behind the position. Those
 * of the fragment shader are flat. The expected outputs are in the uniform block of binding 0, the
 * case's uniforms in that of binding 1. Floats are right within 5 percent and 0.05. */
#include "amber/cases.h"

#include <string.h>

static void
declare(base_buf *b, const case_value *v, const char *qualifier, uint32_t location,
        const char *prefix)
{
    buf_printf(b, "layout(location = %u) %s %s %s%s;\n", location, qualifier, v->type.transport,
               prefix, v->name);
}

/* Declares the values of a storage as varyings. Bools have v_ before their names. */
static void
declare_varyings(base_buf *b, const test_case *c, case_storage storage, const char *qualifier)
{
    uint32_t location = 0;
    for (uint32_t i = 0; i < c->value_count; i++) {
        const case_value *v = &c->values[i];
        if (v->storage != storage)
            continue;
        declare(b, v, qualifier, location, v->type.is_bool ? "v_" : "");
        location += v->type.shape.columns;
    }
}

/* Declares inputs as attributes, all with a_ before their names, or only bools. */
static void
declare_attributes(base_buf *b, const test_case *c, bool all)
{
    uint32_t location = 1;
    buf_puts(b, "layout(location = 0) in highp vec4 dEQP_Position;\n");
    for (uint32_t i = 0; i < c->value_count; i++) {
        const case_value *v = &c->values[i];
        if (v->storage != CASE_INPUT)
            continue;
        declare(b, v, "in", location, all || v->type.is_bool ? "a_" : "");
        location += v->type.shape.columns;
    }
}

/* Makes bools of the ints in which they came. */
static void
convert_bools(base_buf *b, const test_case *c, case_storage storage, const char *prefix)
{
    for (uint32_t i = 0; i < c->value_count; i++) {
        const case_value *v = &c->values[i];
        if (v->storage == storage && v->type.is_bool)
            buf_printf(b, "%s %s = %s(%s%s);\n", v->type.name, v->name, v->type.name, prefix,
                       v->name);
    }
}

/* Declares values as globals: all, or only bools. */
static void
declare_globals(base_buf *b, const test_case *c, case_storage storage, bool all)
{
    for (uint32_t i = 0; i < c->value_count; i++) {
        const case_value *v = &c->values[i];
        if (v->storage == storage && (all || v->type.is_bool))
            buf_printf(b, "%s %s;\n", v->type.name, v->name);
    }
}

static bool
has_values(const test_case *c, case_storage storage)
{
    for (uint32_t i = 0; i < c->value_count; i++)
        if (c->values[i].storage == storage)
            return true;
    return false;
}

static void
declare_block(base_buf *b, const test_case *c, case_storage storage)
{
    bool is_reference = storage == CASE_OUTPUT;
    if (!has_values(c, storage))
        return;
    buf_printf(b, "layout(set = 0, binding = %d, std140) uniform %s\n{\n", is_reference ? 0 : 1,
               is_reference ? "dEQP_Reference" : "dEQP_Uniforms");
    for (uint32_t i = 0; i < c->value_count; i++) {
        const case_value *v = &c->values[i];
        if (v->storage == storage)
            buf_printf(b, "%s%s %s;\n", v->type.is_bool ? "" : "highp ", v->type.name, v->name);
    }
    buf_printf(b, "}%s;\n", is_reference ? " dEQP_ref" : "");
}

/* ok = ok && (an output is right); a column of a matrix has its number in brackets. */
static void
compare_value(base_buf *b, const case_value *v)
{
    bool is_float = v->type.shape.mode == AMBER_SFLOAT;
    for (uint32_t k = 0; k < v->type.shape.columns; k++) {
        char column[8] = "";
        if (v->type.shape.columns > 1)
            memcpy(column, (char[]){'[', (char)('0' + k), ']', '\0'}, 4);
        const char *form =
            !is_float ? "dEQP_ok = dEQP_ok && %s%s == dEQP_ref.%s%s;\n"
            : v->type.shape.rows > 1
                ? "dEQP_ok = dEQP_ok && all(lessThanEqual(abs(%s%s - dEQP_ref.%s%s), "
                  "0.05 * abs(dEQP_ref.%s%s) + 0.05));\n"
                : "dEQP_ok = dEQP_ok && abs(%s%s - dEQP_ref.%s%s) <= "
                  "0.05 * abs(dEQP_ref.%s%s) + 0.05;\n";
        buf_printf(b, form, v->name, column, v->name, column, v->name, column);
    }
}

static void
compare_outputs(base_buf *b, const test_case *c)
{
    buf_puts(b, "bool dEQP_ok = true;\n");
    for (uint32_t i = 0; i < c->value_count; i++)
        if (c->values[i].storage == CASE_OUTPUT)
            compare_value(b, &c->values[i]);
    buf_puts(b, "dEQP_FragColor = vec4(vec3(dEQP_ok), 1.0);\n");
}

static const char *
text_of(base_buf *b)
{
    buf_put(b, "", 1);
    return (const char *)b->data;
}

/* ---- templates ---- */

typedef struct template_word {
    const char *name, *text;
} template_word;

/* Replaces each ${NAME}. */
static const char *
fill_template(arena *a, const char *text, const template_word *words, size_t count)
{
    base_buf b = buf_make(a);
    while (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r')
        text++;
    for (const char *at = text; *at;) {
        size_t i = count, length = strncmp(at, "${", 2) == 0 ? strcspn(at, "}") : 0;
        for (size_t k = 0; k < count && length; k++)
            if (strlen(words[k].name) + 2 == length &&
                memcmp(words[k].name, at + 2, length - 2) == 0)
                i = k;
        if (i < count && at[length]) {
            buf_puts(&b, words[i].text);
            at += length + 1;
        } else {
            buf_put(&b, at++, 1);
        }
    }
    return text_of(&b);
}

static base_buf
start_shader(arena *a, const test_case *c)
{
    base_buf b = buf_make(a);
    buf_printf(&b, "#version %s\nprecision highp float;\nprecision highp int;\n", c->version);
    return b;
}

/* The vertex shader before a tested fragment shader: it passes on its inputs. */
static const char *
make_vertex_shader(arena *a, const test_case *c)
{
    base_buf b = start_shader(a, c);
    declare_attributes(&b, c, true);
    declare_varyings(&b, c, CASE_INPUT, "flat out");
    buf_puts(&b, "void main()\n{\ngl_Position = dEQP_Position;\n");
    for (uint32_t i = 0; i < c->value_count; i++) {
        const case_value *v = &c->values[i];
        if (v->storage == CASE_INPUT)
            buf_printf(&b, "%s%s = a_%s;\n", v->type.is_bool ? "v_" : "", v->name, v->name);
    }
    buf_puts(&b, "}\n");
    return text_of(&b);
}

const char *
amber_cases_vertex_shader(arena *a, const test_case *c, case_text tested)
{
    if (tested == CASE_FRAGMENT)
        return make_vertex_shader(a, c);
    bool is_alone = tested == CASE_VERTEX;
    base_buf declarations = buf_make(a), setup = buf_make(a), output = buf_make(a);
    declare_attributes(&declarations, c, false);
    declare_block(&declarations, c, CASE_UNIFORM);
    convert_bools(&setup, c, CASE_INPUT, "a_");
    buf_puts(&output, "gl_Position = dEQP_Position;\n");
    if (is_alone) {
        declare_varyings(&declarations, c, CASE_OUTPUT, "flat out");
        declare_globals(&declarations, c, CASE_OUTPUT, false);
    }
    for (uint32_t i = 0; i < c->value_count && is_alone; i++) {
        const case_value *v = &c->values[i];
        if (v->storage == CASE_OUTPUT && v->type.is_bool)
            buf_printf(&output, "v_%s = %s(%s);\n", v->name, v->type.transport, v->name);
    }
    const template_word alone[] = {{"DECLARATIONS", text_of(&declarations)},
                                   {"SETUP", text_of(&setup)},
                                   {"OUTPUT", text_of(&output)},
                                   {"POSITION_FRAG_COLOR", "gl_Position"}};
    const template_word pair[] = {{"VERTEX_DECLARATIONS", alone[0].text},
                                  {"VERTEX_SETUP", alone[1].text},
                                  {"VERTEX_OUTPUT", alone[2].text}};
    return is_alone ? fill_template(a, c->texts[CASE_BOTH], alone, 4)
                    : fill_template(a, c->texts[CASE_VERTEX], pair, 3);
}

#define COLOR "layout(location = 0) out mediump vec4 dEQP_FragColor;\n"

/* The fragment shader behind a tested vertex shader: it compares its outputs. */
static const char *
make_fragment_shader(arena *a, const test_case *c)
{
    base_buf b = start_shader(a, c);
    buf_puts(&b, COLOR);
    declare_varyings(&b, c, CASE_OUTPUT, "flat in");
    declare_block(&b, c, CASE_OUTPUT);
    buf_puts(&b, "void main()\n{\n");
    convert_bools(&b, c, CASE_OUTPUT, "v_");
    compare_outputs(&b, c);
    buf_puts(&b, "}\n");
    return text_of(&b);
}

const char *
amber_cases_fragment_shader(arena *a, const test_case *c, case_text tested)
{
    if (tested == CASE_VERTEX)
        return make_fragment_shader(a, c);
    bool is_alone = tested == CASE_FRAGMENT;
    base_buf declarations = buf_make(a), setup = buf_make(a), output = buf_make(a);
    buf_puts(&declarations, COLOR);
    if (is_alone) {
        declare_varyings(&declarations, c, CASE_INPUT, "flat in");
        convert_bools(&setup, c, CASE_INPUT, "v_");
    }
    declare_globals(&declarations, c, CASE_OUTPUT, true);
    declare_block(&declarations, c, CASE_OUTPUT);
    declare_block(&declarations, c, CASE_UNIFORM);
    compare_outputs(&output, c);
    const template_word alone[] = {{"DECLARATIONS", text_of(&declarations)},
                                   {"SETUP", text_of(&setup)},
                                   {"OUTPUT", text_of(&output)},
                                   {"POSITION_FRAG_COLOR", "dEQP_FragColor"}};
    const template_word pair[] = {{"FRAGMENT_DECLARATIONS", alone[0].text},
                                  {"FRAGMENT_OUTPUT", alone[2].text},
                                  {"FRAG_COLOR", "dEQP_FragColor"}};
    return is_alone ? fill_template(a, c->texts[CASE_BOTH], alone, 4)
                    : fill_template(a, c->texts[CASE_FRAGMENT], pair, 3);
}
