/* Shader library files (.test) of the CTS: cases as they stand in the file (internal).
 *
 *     group NAME "TEXT" ... end
 *     case NAME
 *         version 310 es
 *         values { input int a = [ 1 | 2 ]; output vec2 b = [ vec2(1.0, 2.0) | vec2(3.0, 4.0) ]; }
 *         both "" ... "" (or vertex and fragment)
 *     end
 *
 * cases.c reads the file; cases_shader.c writes shaders around those of the case; cases_make.c
 * makes a script. The language has no document: it is that of VK-GL-CTS (framework/opengl/
 * gluShaderLibrary.cpp), and what is put in place of ${DECLARATIONS} and the like follows
 * external/vulkancts/modules/vulkan/vktShaderLibrary.cpp.
 */
#ifndef AMBER_CASES_H
#define AMBER_CASES_H

#include "amber/read_pipeline.h"
#include "base/buf.h"

typedef enum case_storage { CASE_INPUT, CASE_OUTPUT, CASE_UNIFORM } case_storage;

/* A type of GLSL. A bool is an int outside of the case's own shaders. */
typedef struct case_type {
    const char *name, *transport;
    layout_type shape; /* of `transport` */
    bool is_bool;
} case_type;

/* A line of values { }. */
typedef struct case_value {
    case_storage storage;
    const char *name;
    case_type type;
    amber_value *numbers; /* of all sets, one after the other */
    uint32_t set_count;   /* the others repeat the first if it is 1 */
} case_value;

typedef enum case_text { CASE_BOTH, CASE_VERTEX, CASE_FRAGMENT, CASE_TEXTS } case_text;

typedef struct test_case {
    const char *name; /* with its groups: "group.case" */
    const char *version;
    uint32_t line;
    case_value *values;
    uint32_t value_count;
    size_t value_cap;
    uint32_t set_count;            /* of values, at least 1 */
    const char *texts[CASE_TEXTS]; /* shaders; NULL: not there */
    uint32_t text_lines[CASE_TEXTS];
    bool must_fail;          /* to compile or link */
    const char *unsupported; /* what the case needs that is not built; NULL: nothing */
    const case_type *color;  /* of output_color: the outputs are what is drawn; else NULL */
} test_case;

typedef struct case_list {
    test_case *items;
    size_t count, cap;
} case_list;

/* The number of components of a type, and of the locations that an input of it takes. */
static inline uint32_t
case_components(const case_type *t)
{
    return (uint32_t)t->shape.rows * t->shape.columns;
}

/* The texts of the two shaders of a case; `tested` is which of them a shader for both becomes. */
const char *
amber_cases_vertex_shader(arena *a, const test_case *c, case_text tested);
const char *
amber_cases_fragment_shader(arena *a, const test_case *c, case_text tested);

/* Makes the reader's script that draws a case and checks it. */
void
amber_cases_make(reader *r, const test_case *c, case_text tested);

#endif
