/* The state of a graphics pipeline, as far as it changes the code of its shaders.
 *
 * A driver knows it when it compiles a pipeline; without it a shader is compiled for defaults,
 * which work with what it declares. All zeros are the defaults, in each part on its own: a part
 * with a `has_` flag is stated only if the flag is set.
 *
 * Shaders are compiled one at a time. Two shaders of a pipeline are linked by what each is told of
 * the other: a vertex shader what the next stage reads, a fragment shader what the one before
 * writes. Without that (`has_next`, `has_previous`) a shader works with any other whose locations
 * match, as the shader objects of VK_EXT_shader_object do.
 */
#ifndef FAMILY_PIPELINE_H
#define FAMILY_PIPELINE_H

#include "ir/hir.h"
#include "machine/format.h"

enum {
    FAMILY_VERTEX_BINDINGS = 32,
    FAMILY_VERTEX_ATTRIBUTES = 32,
    FAMILY_COLORS = 8,
    FAMILY_LOCATIONS = 64, /* of varyings */
};

/* ---- vertices ---- */

typedef struct family_vertex_binding {
    uint32_t stride;        /* bytes from one element to the next */
    bool per_instance;      /* else of each vertex */
    uint32_t divisor;       /* instances that read an element; 0: all read the first */
    bool stride_is_dynamic; /* `stride` is not known */
    uint32_t align;         /* that the address of element 0 has; 0: only what formats ask for */
} family_vertex_binding;

typedef struct family_vertex_attribute {
    /* none, without `wide`: there is no attribute at this location, and its value is 0 */
    mach_format format;
    uint8_t wide; /* numbers of 64 bits, 1 to 4, whose type is the shader's; the format is none */
    uint32_t binding;
    uint32_t offset; /* bytes, in an element */
} family_vertex_attribute;

typedef enum family_topology {
    FAMILY_TOPOLOGY_ANY,
    FAMILY_TOPOLOGY_TRIANGLES, /* of any kind */
    FAMILY_TOPOLOGY_LINES,
    FAMILY_TOPOLOGY_POINTS,
    FAMILY_TOPOLOGY_RECTANGLES, /* of three vertices, which the hardware has */
} family_topology;

typedef enum family_polygon_mode {
    FAMILY_POLYGON_FILL,
    FAMILY_POLYGON_LINE,
    FAMILY_POLYGON_POINT,
} family_polygon_mode;

/* The hardware stage of a vertex shader, where a target has two: a stage for vertices alone, or one
 * that makes primitives (AMD: NGG). ANY: the target's own choice. */
typedef enum family_vertex_kind {
    FAMILY_VERTEX_ANY,
    FAMILY_VERTEX_LEGACY,
    FAMILY_VERTEX_PRIMITIVE,
} family_vertex_kind;

/* ---- colours ---- */

/* A colour attachment. */
typedef struct family_color {
    mach_format format; /* none: there is no attachment, and its output is dropped */
    uint8_t kept;       /* channels that are not written, a bit each: r 1, g 2, b 4, a 8 */
    bool blends;
    bool blends_alpha;  /* a factor of the blending reads the alpha of the source */
    bool blends_second; /* a factor reads the second source */
} family_color;

/* ---- the other stage ---- */

/* A varying of the other stage: components that it reads, or writes, a bit each; those whose value
 * is known when a vertex shader has ended, and is the same for all vertices. `same` is 1 + the word
 * (4 * location + component) of an earlier component: where a vertex shader writes the same number;
 * 0: nowhere. Of what a fragment shader reads: which it reads instead (family_link_stages). */
typedef struct family_varying {
    uint8_t components;
    uint8_t constants;
    uint8_t way;       /* read: equal for locations that are interpolated in the same way */
    uint32_t value[4]; /* of the constants */
    uint16_t same[4];
} family_varying;

enum { FAMILY_WAY_SEVERAL = 255 };

/* What a stage has besides locations; a bit of a slot is 1 << IR_SLOT_*. */
typedef struct family_stage_link {
    family_varying locations[FAMILY_LOCATIONS];
    uint32_t slots;         /* layer, viewport index, primitive id ... */
    uint8_t clip_distances; /* distances, a bit each: clip first, then cull, in one array */
    uint8_t cull_distances;
} family_stage_link;

/* ---- the pipeline ---- */

/* State that is set after the pipeline was compiled: the code may not rely on what the members say.
 */
enum {
    FAMILY_DYNAMIC_VERTEX_INPUT = 1u << 0,
    FAMILY_DYNAMIC_TOPOLOGY = 1u << 1,
    FAMILY_DYNAMIC_POLYGON_MODE = 1u << 2,
    FAMILY_DYNAMIC_COLORS = 1u << 3, /* formats, blending and masks */
    FAMILY_DYNAMIC_SAMPLES = 1u << 4,
    FAMILY_DYNAMIC_ALPHA = 1u << 5, /* alpha to coverage and to one */
};

typedef struct family_pipeline {
    /* Vertex input; by default each location has a binding of its own, whose number is the
     * location's, and whose elements are four numbers for each vertex, as the shader has them. */
    bool has_vertices;
    family_vertex_binding bindings[FAMILY_VERTEX_BINDINGS];
    family_vertex_attribute attributes[FAMILY_VERTEX_ATTRIBUTES]; /* by location */
    family_topology topology;
    family_polygon_mode polygon_mode;
    bool last_provokes; /* the last vertex provokes a primitive; else the first one */
    uint32_t view_mask; /* of multiview; 0: there is one view, number 0 */
    family_vertex_kind vertex_kind;

    /* Colours; by default each output of the shader has an attachment of four channels with 8 bits,
     * UNORM, UINT or SINT by its type, which does not blend. */
    bool has_colors;
    family_color colors[FAMILY_COLORS];
    bool lacks_depth, lacks_stencil; /* there is no such attachment */
    uint32_t samples;                /* of a pixel; 0: 1 */
    bool sample_shading;             /* a fragment for each sample */
    bool alpha_to_coverage, alpha_to_one;

    /* The stage behind (of a vertex shader), the stage before (of a fragment shader). */
    bool has_next, has_previous;
    family_stage_link next, previous;

    uint32_t dynamic; /* FAMILY_DYNAMIC_* */
    bool binning;     /* Adreno: a vertex shader's variant that places primitives alone */
} family_pipeline;

/* The pipeline of a request: `given`, or all defaults. */
static inline const family_pipeline *
family_pipeline_or_default(const family_pipeline *given)
{
    static const family_pipeline none;
    return given ? given : &none;
}

/* ---- linking ---- */

/* Reads an instruction what a vertex shader wrote (of a vertex shader itself: an attribute)? */
static inline bool
family_reads_input(const ir_instr *i)
{
    return i->op == IR_load_input || i->op == IR_load_interpolated_input ||
           i->op == IR_load_vertex_input;
}

/* Finds what a fragment shader reads of the stage before, from HIR as read or optimised. */
void
family_link_inputs(const ir_fn *fragment, family_stage_link *out);

/* Finds what a vertex shader writes, and of that the constants and what is written twice, from HIR;
 * optimised HIR has more of both. */
void
family_link_outputs(const ir_fn *vertex, family_stage_link *out);

/* Tells what one stage reads which of that the other one writes as constants, or elsewhere too. */
void
family_link_stages(const family_stage_link *outputs, family_stage_link *inputs);

/* Changes HIR that was not optimised by what the pipeline says of the other stage. A fragment
 * shader reads constants, zeros that nobody wrote, and the first of several equal components; a
 * vertex shader does not store what is not read then. */
void
family_apply_link(ir_fn *f, const family_pipeline *p);

#endif
