/* Scripts of Amber: the model and the reader.
 *
 * A script holds shaders, buffers, images, samplers, acceleration structures, pipelines that bind
 * them, and commands that are executed in order: run a pipeline, expect values in a buffer. Two
 * languages are read into one model: AmberScript (docs/amber_script.md of google/amber) and the
 * older VkScript (docs/vk_script.md there), which has one unnamed pipeline and creates buffers when
 * they are first mentioned.
 *
 * A script is immutable once read. State that changes while it runs (the contents of buffers)
 * belongs to the runner (run.h), so one script can run on several devices, one after the other or
 * concurrently. All memory comes from the arena.
 *
 * The layout of a buffer's element is computed once, as slots: one slot per number that the script
 * may write there, with its offset, width and meaning. Padding of std140 and std430 is what no slot
 * covers.
 *
 * Of a graphics pipeline the model has what Vulkan needs to make one, with defaults filled in.
 * State that VkScript changes between draws gives a pipeline for each set of states. Rectangles and
 * grids are drawn as triangles from hidden buffers, which the reader makes.
 */
#ifndef AMBER_AMBER_H
#define AMBER_AMBER_H

#include "base/arena.h"
#include "base/diag.h"
#include "machine/raster/output.h"
#include "machine/raster/setup.h"

/* How to interpret bits as a number (Vulkan 1.0, table of numeric formats). */
typedef enum amber_mode {
    AMBER_UINT,
    AMBER_SINT,
    AMBER_UNORM,
    AMBER_SNORM,
    AMBER_USCALED,
    AMBER_SSCALED,
    AMBER_UFLOAT,
    AMBER_SFLOAT,
    AMBER_SRGB,
} amber_mode;

/* One component of a texel: `name` is one of R, G, B, A, D, S, X (unused bits, E: the shared
 * exponent). */
typedef struct amber_component {
    char name;
    uint8_t mode;  /* amber_mode */
    uint8_t bits;  /* 1 to 64 */
    uint8_t shift; /* of its lowest bit in the texel, read as one little-endian number */
} amber_component;

/* A texel format. */
typedef struct amber_texel {
    const char *name; /* as in VK_FORMAT_<name> */
    uint16_t vk;      /* the VkFormat number */
    uint8_t bytes;    /* per texel */
    uint8_t packed;   /* bits of the _PACKn word, or 0 */
    uint8_t count;
    amber_component part[5];
} amber_texel;

/* Finds the format with that name (`len` bytes) or number. Returns false if there is none. */
bool
amber_texel_find(const char *name, size_t len, amber_texel *out);
bool
amber_texel_by_number(unsigned vk, amber_texel *out);

/* Decodes the components at `texel` to real numbers: out[0..3] are R, G, B, A (depth in R, stencil
 * in G). Missing components are 0, missing alpha is 1. Normalised components are scaled, sRGB is
 * converted to linear. */
void
amber_texel_decode(const amber_texel *t, const uint8_t *texel, double out[4]);

/* Encodes a colour, or depth and stencil, as amber_texel_decode has them; numbers beyond a
 * component's range are clamped to it, those of integers are cut. */
void
amber_texel_encode(const amber_texel *t, const double in[4], uint8_t *texel);

/* A number in an element, which the script writes and compares. */
typedef struct amber_slot {
    uint32_t offset; /* bytes from the element's start */
    uint8_t mode;    /* amber_mode */
    uint8_t bits;    /* 8, 16, 32, 64 */
} amber_slot;

/* The layout of one element of a buffer. */
typedef struct amber_type {
    uint32_t size; /* bytes between consecutive elements, at least 1 */
    uint32_t slot_count;
    const amber_slot *slots;
    uint8_t rows;   /* components per column, 1 to 4; 0 for a structure */
    bool std140;    /* laid out by the rules of std140, else of std430 */
    bool has_texel; /* `texel` describes the same element as a texel format */
    amber_texel texel;
} amber_type;

/* Returns true if the layouts are the same, so that buffers may be copied and compared. */
bool
amber_type_equal(const amber_type *a, const amber_type *b);

/* A number as written in the script. Integers are stored in 64 bits, negative ones in two's
 * complement. */
typedef struct amber_value {
    bool is_float;
    uint64_t u;
    double f;
} amber_value;

/* Stores `v` at `at` in a slot of this mode and width. Floats are rounded to nearest even, except
 * binary16 (see amber_float_to_half). */
void
amber_store(uint8_t *at, amber_mode mode, unsigned bits, amber_value v);

/* Reads a slot: integers sign- or zero-extended in `u`, and always as a real number in `f`. */
amber_value
amber_load(const uint8_t *at, amber_mode mode, unsigned bits);

/* Converts binary16 to binary32 exactly, and back, truncating towards zero as Amber does. */
float
amber_half_to_float(uint16_t h);
uint16_t
amber_float_to_half(double f);

typedef enum amber_stage {
    AMBER_VERTEX,
    AMBER_FRAGMENT,
    AMBER_GEOMETRY,
    AMBER_TESS_CONTROL,
    AMBER_TESS_EVALUATION,
    AMBER_COMPUTE,
    AMBER_RAYGEN,
    AMBER_ANY_HIT,
    AMBER_CLOSEST_HIT,
    AMBER_MISS,
    AMBER_INTERSECTION,
    AMBER_CALLABLE,
    AMBER_MULTI, /* a module with entry points of several stages */
} amber_stage;

typedef enum amber_language {
    AMBER_GLSL,
    AMBER_HLSL,
    AMBER_SPIRV_ASM,
    AMBER_SPIRV_HEX,
    AMBER_SPIRV_BIN,
    AMBER_OPENCL_C,
    AMBER_PASSTHROUGH,
} amber_language;

typedef struct amber_shader {
    const char *name;
    amber_stage stage;
    amber_language language;
    const char *text; /* terminated; SPIRV-BIN: bytes */
    size_t size;
    const char *target_env; /* "spv1.3", "vulkan1.1" ...; NULL if the script does not state it */
    const char *path;       /* the file that it came from, or NULL */
    uint32_t line;          /* of the first line of an inline text, else of the command */
    uint32_t index;         /* in the script's array */
} amber_shader;

typedef enum amber_dim { AMBER_NOT_IMAGE, AMBER_1D, AMBER_2D, AMBER_3D } amber_dim;

/* A buffer or an image; both may be bound as images. The contents are `elements` elements of `type`
 * for level 0, followed by the other mip levels, each tightly packed, row after row, slice after
 * slice. The samples of a multisampled texel are adjacent. */
typedef struct amber_buffer {
    const char *name;
    const amber_type *type;
    uint64_t elements;             /* of level 0 */
    amber_dim dim;                 /* AMBER_NOT_IMAGE for BUFFER */
    uint32_t width, height, depth; /* in texels; width of a BUFFER defaults to `elements` */
    uint32_t mips, samples;
    /* of an image that is an array or a cube, whose sides are layers; else 0. ARRAY_LAYERS, which
     * is our addition to the language, sets it */
    uint32_t layers;
    bool cube;        /* scripts cannot set it */
    bool framebuffer; /* BUFFER FORMAT: its size is set by the pipeline that renders to it */
    uint64_t size;    /* total size in bytes */
    /* its address, for shaders that use addresses; 0: any. Scripts cannot set it */
    uint64_t address;
    const uint8_t *init; /* initial contents */
    uint64_t init_size;  /* bytes at `init`; the rest is zero */
    uint32_t index;      /* in the script's array */
} amber_buffer;

static inline uint32_t
amber_layers(const amber_buffer *b)
{
    return b->layers ? b->layers : 1;
}

/* Does a shader provide the number of a layer, or of a cube? */
static inline bool
amber_is_array(const amber_buffer *b)
{
    return b->layers > (b->cube ? 6u : 0u);
}

typedef enum amber_filter { AMBER_NEAREST, AMBER_LINEAR } amber_filter;

/* In the order of VkSamplerAddressMode. */
typedef enum amber_address {
    AMBER_REPEAT,
    AMBER_MIRRORED_REPEAT,
    AMBER_CLAMP_TO_EDGE,
    AMBER_CLAMP_TO_BORDER,
    AMBER_MIRROR_CLAMP_TO_EDGE,
} amber_address;

typedef struct amber_sampler {
    const char *name;
    amber_filter mag, min;
    amber_filter mip; /* AmberScript has no word for it: see MIPMAP_MODE in docs/cli.md */
    amber_address address[3];
    uint32_t border;         /* VkBorderColor */
    float min_lod, max_lod;  /* 0 and 1 by default */
    uint32_t max_anisotropy; /* 0 and 1: none */
    bool unnormalized;
    bool compare;
    uint32_t compare_op; /* VkCompareOp */
    uint32_t index;      /* in the script's array */
} amber_sampler;

/* Triangles or boxes of a bottom level. */
typedef struct amber_geometry {
    bool boxes;          /* else triangles */
    bool opaque;         /* FLAGS OPAQUE; without it the geometry is not, as in Amber */
    bool once;           /* FLAGS NO_DUPLICATE_ANY_HIT */
    uint32_t count;      /* of triangles or boxes */
    const float *points; /* x, y, z: three points of a triangle, lower and upper point of a box. A
                          * NaN in it makes it inactive; nothing is infinite */
} amber_geometry;

/* ACCELERATION_STRUCTURE BOTTOM_LEVEL; it has geometries, all of one kind. */
typedef struct amber_bottom_level {
    const char *name;
    amber_geometry *geometries;
    uint32_t geometry_count;
    uint32_t index; /* in the script's array */
} amber_bottom_level;

/* VkGeometryInstanceFlagBitsKHR, of those that rays are culled by. */
enum {
    AMBER_INSTANCE_CULL_DISABLE = 1,
    AMBER_INSTANCE_FLIP_FACING = 2,
    AMBER_INSTANCE_OPAQUE = 4,
    AMBER_INSTANCE_NOT_OPAQUE = 8,
};

typedef struct amber_instance {
    const amber_bottom_level *bottom;
    uint32_t custom_index, offset; /* 24 bits each */
    uint8_t mask, flags;           /* AMBER_INSTANCE_*, and other bits */
    /* object to world: three rows of four, of which the first three can be inverted */
    float transform[12];
} amber_instance;

/* ACCELERATION_STRUCTURE TOP_LEVEL; it has instances. */
typedef struct amber_top_level {
    const char *name;
    amber_instance *instances;
    uint32_t instance_count;
    uint32_t index; /* in the script's array */
} amber_top_level;

typedef enum amber_descriptor {
    AMBER_BIND_UNIFORM,
    AMBER_BIND_STORAGE,
    AMBER_BIND_UNIFORM_DYNAMIC,
    AMBER_BIND_STORAGE_DYNAMIC,
    AMBER_BIND_UNIFORM_TEXEL,
    AMBER_BIND_STORAGE_TEXEL,
    AMBER_BIND_STORAGE_IMAGE,
    AMBER_BIND_SAMPLED_IMAGE,
    AMBER_BIND_COMBINED, /* image and sampler */
    AMBER_BIND_SAMPLER,
    AMBER_BIND_ACCEL,
    AMBER_BIND_KINDS,
} amber_descriptor;

#define AMBER_WHOLE_RANGE UINT64_MAX

/* A descriptor: `element` of the array at (set, binding). */
typedef struct amber_binding {
    amber_descriptor kind;
    uint32_t set, binding, element;
    const amber_buffer *buffer;   /* NULL for a sampler alone and AMBER_BIND_ACCEL */
    const amber_sampler *sampler; /* of AMBER_BIND_COMBINED and AMBER_BIND_SAMPLER */
    const amber_top_level *accel; /* of AMBER_BIND_ACCEL */
    uint32_t base_mip;
    uint64_t dynamic_offset; /* in bytes, added to `offset` */
    uint64_t offset;         /* in bytes */
    uint64_t range;          /* in bytes, or AMBER_WHOLE_RANGE */
} amber_binding;

/* A specialisation constant of 32 bits. */
typedef struct amber_spec {
    uint32_t id, value;
} amber_spec;

typedef enum amber_subgroup_size {
    AMBER_SUBGROUP_ANY,
    AMBER_SUBGROUP_EXACT,
    AMBER_SUBGROUP_MIN,
    AMBER_SUBGROUP_MAX,
} amber_subgroup_size;

/* A shader attached to a pipeline. */
typedef struct amber_attach {
    const amber_shader *shader;
    amber_stage stage;
    const char *entry;
    amber_spec *specs;
    uint32_t spec_count;
    const char *const *optimize; /* passes of SPIRV-Tools, as on spirv-opt's command line */
    uint32_t optimize_count, optimize_line;
    amber_subgroup_size subgroup; /* the size required by REQUIRED_SIZE */
    uint32_t subgroup_size;       /* of AMBER_SUBGROUP_EXACT */
    bool full_subgroups, varying_subgroups;
} amber_attach;

typedef enum amber_pipeline_kind {
    AMBER_PIPE_COMPUTE,
    AMBER_PIPE_GRAPHICS,
    AMBER_PIPE_RAYTRACING,
} amber_pipeline_kind;

/* A vertex attribute: elements of a buffer, one for each vertex or instance. */
typedef struct amber_vertex_input {
    const amber_buffer *buffer;
    uint32_t location;
    bool per_instance;
    amber_texel format;
    uint64_t offset; /* of the first element, in bytes */
    uint32_t stride; /* in bytes */
} amber_vertex_input;

/* A colour attachment: a mip level of a buffer with texels. */
typedef struct amber_target {
    const amber_buffer *buffer;
    uint32_t location; /* of the fragment shader's output */
    uint32_t mip;
    const amber_buffer *resolve; /* takes the mean of the samples after each draw, or NULL */
} amber_target;

enum { AMBER_MAX_TARGETS = 8, AMBER_MAX_CAPTURED = 4 };

/* The state of a graphics pipeline. */
typedef struct amber_graphics {
    amber_vertex_input *inputs;
    uint32_t input_count;
    const amber_buffer *index; /* elements are uint8, uint16 or uint32; or NULL */
    bool restart;              /* primitives at the greatest index of its type */
    uint32_t patch_vertices;

    uint32_t width, height; /* of the attachments */
    amber_target targets[AMBER_MAX_TARGETS];
    uint32_t target_count;                      /* target i has location i */
    uint32_t samples;                           /* of the targets */
    const amber_buffer *depth_stencil;          /* or NULL */
    amber_buffer *captured[AMBER_MAX_CAPTURED]; /* by transform feedback, by buffer; or NULL */

    bool has_viewport; /* stated, else it is that of the attachments */
    mach_viewport viewport;
    bool clamps_depth; /* in place of clipping */
    bool discards_all; /* vertices are shaded alone */
    mach_polygon_mode polygon_mode;
    mach_conservative conservative;
    bool last_provokes; /* the last vertex of a primitive provokes it */
    bool cull_front, cull_back, front_is_clockwise;
    float line_width;
    bool has_bias;
    mach_depth_bias bias; /* `unit` follows from the depth's format */

    mach_depth_stencil tests;
    bool bounds_depth;
    float depth_bounds[2];

    bool blends; /* into all targets */
    mach_blend blend;
    uint8_t write_mask; /* of r, g, b, a */
    bool has_logic_op;
    mach_logic_op logic_op;
} amber_graphics;

typedef struct amber_pipeline {
    const char *name;
    amber_pipeline_kind kind;
    amber_attach *attached;
    uint32_t attach_count;
    amber_binding *bindings;
    uint32_t binding_count;
    const amber_buffer *push; /* push constants, or NULL */
    amber_graphics *graphics; /* of AMBER_PIPE_GRAPHICS, else NULL */
    uint32_t index;           /* in the script's array */
} amber_pipeline;

/* What a draw draws. */
typedef struct amber_vertices {
    mach_topology topology;
    const amber_vertex_input *inputs; /* those of the pipeline, or of a rectangle or grid */
    uint32_t input_count;
    const amber_buffer *index; /* NULL: not indexed. Its first `count` indices are drawn */
    uint32_t first;            /* vertex, or the number that is added to each index */
    uint32_t count;
    uint32_t first_instance, instances;
} amber_vertices;

typedef enum amber_compare {
    AMBER_EQ,
    AMBER_NE,
    AMBER_LT,
    AMBER_LE,
    AMBER_GT,
    AMBER_GE,
    AMBER_FUZZY, /* equal within a tolerance */
} amber_compare;

typedef struct amber_tolerance {
    double value;
    bool percent; /* of the expected value */
} amber_tolerance;

typedef enum amber_op {
    AMBER_OP_DISPATCH,       /* pipeline, groups */
    AMBER_OP_DRAW,           /* pipeline, vertices */
    AMBER_OP_CLEAR,          /* the attachments of pipeline */
    AMBER_OP_CLEAR_COLOR,    /* pipeline, color: for the clears that follow */
    AMBER_OP_CLEAR_DEPTH,    /* pipeline, limit: the depth */
    AMBER_OP_CLEAR_STENCIL,  /* pipeline, count: the stencil */
    AMBER_OP_EXPECT_VALUES,  /* buffer, type, offset, compare, values, tolerances */
    AMBER_OP_EXPECT_COLOR,   /* buffer, rect, color, with_alpha, tolerances */
    AMBER_OP_EXPECT_EQUAL,   /* buffer, other */
    AMBER_OP_EXPECT_RMSE,    /* buffer, other, limit */
    AMBER_OP_EXPECT_EMD,     /* buffer, other, limit */
    AMBER_OP_COPY,           /* buffer to other */
    AMBER_OP_EXPECT_NO_CODE, /* a shader of pipeline must be refused */
    AMBER_OP_SET_DATA,       /* buffer, type, offset, values (VkScript) */
    AMBER_OP_REPEAT,         /* body, count times */
} amber_op;

typedef struct amber_command {
    amber_op op;
    uint32_t line;
    const amber_pipeline *pipeline;
    uint32_t groups[3];
    const amber_vertices *vertices;
    const amber_buffer *buffer, *other;
    const amber_type *type;
    uint64_t offset; /* in bytes */
    amber_compare compare;
    const amber_value *values;
    uint32_t value_count;
    amber_tolerance tolerance[4];
    uint32_t tolerance_count;
    double limit;
    uint32_t rect[4]; /* x, y, width, height in texels */
    double color[4];  /* 0 to 1 */
    bool with_alpha;
    uint32_t count;
    const char *what; /* stands before the reason of an expectation that fails; NULL: nothing */
    struct amber_command *body;
    uint32_t body_count;
} amber_command;

/* A list of names that a script requires. */
typedef struct amber_names {
    const char **items;
    size_t count, cap;
} amber_names;

typedef struct amber_script {
    const char *file;
    bool vkscript;
    amber_shader **shaders;
    uint32_t shader_count;
    amber_buffer **buffers;
    uint32_t buffer_count;
    amber_sampler **samplers;
    uint32_t sampler_count;
    amber_bottom_level **bottoms;
    uint32_t bottom_count;
    amber_top_level **tops;
    uint32_t top_count;
    amber_pipeline **pipelines;
    uint32_t pipeline_count;
    amber_command *commands;
    uint32_t command_count;
    /* Features by their names in AmberScript: "shaderInt64", "Float16Int8Features.shaderFloat16".
     */
    amber_names features, device_extensions, instance_extensions, properties;
    uint32_t fence_timeout_ms; /* 0 if not given */
    amber_names virtual_paths; /* VIRTUAL_FILE: paths and texts */
    amber_names virtual_texts;
} amber_script;

/* Reads the files that a script names. Paths are as written in the script and relative to it. */
typedef struct amber_loader {
    /* Reads the file's bytes into the arena, with a terminating zero that is not counted. Returns
     * false if the file cannot be read. */
    bool (*load)(void *user, arena *a, const char *path, const char **data, size_t *size);
    /* Reads a PNG file as rows of RGBA bytes. NULL if PNG support is not built in. */
    bool (*load_png)(void *user, arena *a, const char *path, const uint8_t **rgba, uint32_t *width,
                     uint32_t *height);
    void *user;
} amber_loader;

/* The maximum number of bytes for the buffers of one script. */
#define AMBER_MAX_BYTES (UINT64_C(1) << 30)

/* Reads a script of either language; `file` is for messages. If `loader` is NULL, naming a file is
 * an error. Errors leave through diag_fail: INVALID with line and column, or UNSUPPORTED with the
 * name of the feature that is not built yet. */
amber_script *
amber_parse(arena *a, diag *d, const char *file, const char *text, size_t size,
            const amber_loader *loader);

/* A file's text; `file` is for messages. */
typedef struct amber_text {
    const char *file, *text;
    size_t size;
} amber_text;

/* Reads the names of the cases in a shader library file (.test) of the CTS: "group.case". Where one
 * shader is meant for both stages there are two, with _vertex and _fragment behind it. Errors are
 * those of amber_parse. */
amber_names
amber_list_cases(arena *a, diag *d, const amber_text *text);

/* Reads the case of that name as a script, which draws once for each set of values. */
amber_script *
amber_parse_case(arena *a, diag *d, const amber_text *text, const char *name);

#endif
