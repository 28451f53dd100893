/* Heddle: a standalone GPU shader compiler. The public C API.
 *
 *     heddle_context *ctx;
 *     heddle_output *out;
 *     heddle_compile_options options = {.struct_size = sizeof options, .target = "gfx1030"};
 *     if (heddle_create_context(NULL, &ctx) == HEDDLE_OK &&
 *         heddle_compile(ctx, words, n_words, &options, &out) == HEDDLE_OK) {
 *         fwrite(heddle_output_data(out), 1, heddle_output_size(out), file);
 *         heddle_destroy_output(out);
 *     }
 *
 * Rules for all calls:
 *
 * - Every call is a pure function of its arguments: the same input gives the same bytes, on any
 *   thread. There are no globals. Any number of threads may use one context at once.
 * - No call ends the process. Wrong input, lack of memory and Heddle's own defects are returned as a
 *   heddle_result. The diagnostic callback, if set, receives the error and its location, on the
 *   calling thread.
 * - Structs begin with `struct_size`, which the caller sets to sizeof. Fields that are missing in a
 *   caller's older header count as zero, and zero always means the default. The elements of an
 *   array of such structs are `struct_size` bytes apart, each with its own. Structs without
 *   `struct_size` do not grow within a MAJOR.
 * - The caller owns what a call returns through `**out` and must pass it to its destroy function.
 *   Until then it stays valid, as long as its context exists. On failure `*out` is NULL.
 * - Input memory is only read, and only during the call.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Semantic version: programs built against MAJOR.x run with every later library of that MAJOR.
 * While MAJOR is 0, a new MINOR may break compatibility. */
#define HEDDLE_VERSION_MAJOR 0
#define HEDDLE_VERSION_MINOR 1
#define HEDDLE_VERSION_PATCH 0

#if defined(_WIN32)
#define HEDDLE_API
#elif defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

/* The version of the running library: major << 16 | minor << 8 | patch. */
HEDDLE_API uint32_t
heddle_version(void);

typedef enum heddle_result {
    HEDDLE_OK = 0,
    HEDDLE_ERROR_INVALID = 1,       /* the input breaks a rule */
    HEDDLE_ERROR_UNSUPPORTED = 2,   /* the input is valid, but not supported yet */
    HEDDLE_ERROR_LIMIT = 3,         /* the input exceeds a stated limit */
    HEDDLE_ERROR_OUT_OF_MEMORY = 4, /* the allocator returned NULL */
    HEDDLE_ERROR_INTERNAL = 5,      /* a defect of Heddle */
    HEDDLE_ERROR_ARGUMENT =
        6, /* the call itself is wrong: a NULL argument, an unknown target, a bad option */
    HEDDLE_ERROR_CANCELLED = 7, /* the `cancelled` callback has stopped the compile */
} heddle_result;

/* "ok", "invalid input" ...; never NULL. */
HEDDLE_API const char *
heddle_result_text(heddle_result result);

/* ---- contexts ---- */

/* A context keeps up to 5 MiB of memory from finished calls for later ones, until it is destroyed.
 *
 * The source of memory. Both functions may be called on every thread that calls Heddle. `alloc`
 * returns memory aligned for any type, or NULL if there is none; `release` receives the size that
 * was requested. */
typedef struct heddle_allocator {
    void *(*alloc)(void *user, size_t size);
    void (*release)(void *user, void *memory, size_t size);
    void *user;
} heddle_allocator;

/* An error's description and location. Pointers are valid during the callback. */
typedef struct heddle_diagnostic {
    heddle_result result;  /* HEDDLE_OK: a warning or note */
    const char *name;      /* the error's stable name: "SPIRV_BAD_MAGIC" */
    const char *message;   /* the description without the location */
    const char *text;      /* "file:line:col: error: message", one line */
    const char *file;      /* as the call named its input; if there is a line: as the module's debug
                             info names its source; may be NULL */
    uint32_t line, column; /* 0: unknown */
    uint64_t offset;       /* in `unit`s; only valid if unit is not NULL */
    const char *unit;      /* "word", "byte", NULL */
    const char *item;      /* the instruction there: "OpLoad"; may be NULL */
} heddle_diagnostic;

typedef struct heddle_context_options {
    size_t struct_size;
    const heddle_allocator *allocator; /* NULL: malloc and free */
    void (*diagnostic)(void *user, const heddle_diagnostic *d);
    void *diagnostic_user;
} heddle_context_options;

typedef struct heddle_context heddle_context;
typedef struct heddle_output heddle_output;

/* `options` may be NULL. */
HEDDLE_API heddle_result
heddle_create_context(const heddle_context_options *options, heddle_context **out);

/* The context's outputs must have been destroyed before. NULL is allowed. */
HEDDLE_API void
heddle_destroy_context(heddle_context *context);

/* ---- figures ---- */

enum { HEDDLE_MAX_FIGURES = 32 };

/* A number that a family of targets shows: a resource of a target or a count of instructions. The
 * name is valid as long as the library. */
typedef struct heddle_figure {
    const char *name; /* "vgprs" */
    uint64_t value;
} heddle_figure;

/* ---- targets ---- */

typedef struct heddle_target_info {
    size_t struct_size;
    const char *name;       /* "gfx1030" */
    const char *family;     /* "amd" */
    const char *generation; /* "gfx10.3" */
    uint32_t wave_sizes;    /* 32, 64, or their sum if both are supported */
    uint32_t default_wave_size;
    uint32_t sgprs, vgprs; /* addressable by one wave */
    uint32_t max_waves;    /* per SIMD */
    uint32_t lds_bytes;    /* available to one workgroup */
    uint32_t
        /* 1: heddle_compile supports it; every target supports assembling and disassembling */
        compiles;
    /* The resources of a target of any family. sgprs to lds_bytes above are those of "amd" and 0
     * for a family that does not have them. */
    uint32_t n_figures;
    heddle_figure figures[HEDDLE_MAX_FIGURES];
    /* Codenames and products that mean this target, terminated by NULL: "navi21", "RX 6800". Options
     * named `target` take them, without regard to case, spaces and dashes. */
    const char *const *names;
} heddle_target_info;

/* Describes target number `index`, from 0. Returns HEDDLE_ERROR_ARGUMENT if there is none. The
 * caller sets `info->struct_size`. */
HEDDLE_API heddle_result
heddle_get_target(uint32_t index, heddle_target_info *info);

/* ---- outputs ---- */

/* The bytes or the text. A text is followed by a zero byte that the size does not count. */
HEDDLE_API const void *
heddle_output_data(const heddle_output *output);
HEDDLE_API size_t
heddle_output_size(const heddle_output *output);

/* Frees the output. NULL is allowed. */
HEDDLE_API void
heddle_destroy_output(heddle_output *output);

/* ---- compiling ---- */

typedef enum heddle_stage {
    HEDDLE_STAGE_DEFAULT = 0, /* the stage of the named entry point, else of the module's first */
    HEDDLE_STAGE_VERTEX,
    HEDDLE_STAGE_TESS_CONTROL,
    HEDDLE_STAGE_TESS_EVALUATION,
    HEDDLE_STAGE_GEOMETRY,
    HEDDLE_STAGE_FRAGMENT,
    HEDDLE_STAGE_COMPUTE,
    HEDDLE_STAGE_TASK,
    HEDDLE_STAGE_MESH,
} heddle_stage;

/* The bit of a stage in a mask of stages: the number that VkShaderStageFlagBits has. */
#define HEDDLE_STAGE_BIT(stage) (1u << ((stage)-1))

typedef enum heddle_abi {
    HEDDLE_ABI_VULKAN = 0, /* docs/abi.md */
    HEDDLE_ABI_HSA = 1,    /* an AMDHSA kernel */
} heddle_abi;

typedef enum heddle_optimization {
    HEDDLE_OPTIMIZE_DEFAULT = 0, /* as HEDDLE_OPTIMIZE_FULL */
    HEDDLE_OPTIMIZE_NONE,
    HEDDLE_OPTIMIZE_LESS,
    HEDDLE_OPTIMIZE_FULL,
} heddle_optimization;

/* What a specialisation constant's value is. With another type than BITS, a constant of another
 * type, or one that cannot hold the value, is an error. */
typedef enum heddle_spec_type {
    HEDDLE_SPEC_BITS =
        0,               /* the constant's bits, as in VkSpecializationInfo; the rest is not used */
    HEDDLE_SPEC_INTEGER, /* an integer of 64 bits, in two's complement */
    HEDDLE_SPEC_FLOAT,   /* the bits of a double, which is rounded to the constant's type */
    HEDDLE_SPEC_BOOL,    /* 0 or 1 */
} heddle_spec_type;

/* The value for the specialisation constants with this SpecId. If the module has none, the
 * diagnostic callback gets a warning. */
typedef struct heddle_spec_constant {
    uint32_t id;
    heddle_spec_type type;
    uint64_t value;
} heddle_spec_constant;

/* ---- pipeline layouts ----
 *
 * What VkDescriptorSetLayoutCreateInfo and VkPipelineLayoutCreateInfo say, and where it puts the
 * descriptors. The place of a binding in its set follows from the bindings of that set and the
 * target alone, so shaders that share a set layout agree, whatever each of them declares. Without a
 * layout, the compiler takes what the shader declares for it. Both report the places they use
 * (heddle_shader_info.bindings).
 */

/* The numbers are Vulkan's plus 1 up to INPUT_ATTACHMENT. Sizes on "amd" in bytes: buffers, texel
 * buffers, samplers and acceleration structures 16 (a V# or S#), images 32 (a T#), a combined image
 * sampler 64 (the T#, the S# at byte 32), a mutable descriptor 64. */
typedef enum heddle_descriptor_type {
    HEDDLE_DESCRIPTOR_NONE = 0, /* not a type: an error in a layout */
    HEDDLE_DESCRIPTOR_SAMPLER,
    HEDDLE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER, /* the shader may declare only the image or only the
                                               * sampler */
    HEDDLE_DESCRIPTOR_SAMPLED_IMAGE,
    HEDDLE_DESCRIPTOR_STORAGE_IMAGE,
    HEDDLE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER,
    HEDDLE_DESCRIPTOR_STORAGE_TEXEL_BUFFER,
    HEDDLE_DESCRIPTOR_UNIFORM_BUFFER,
    HEDDLE_DESCRIPTOR_STORAGE_BUFFER,
    /* The descriptors of dynamic buffers are in the block of push constants (heddle_layout_info),
     * not in the set's memory: a driver writes them, with the offset added, when it binds the set.
     */
    HEDDLE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC,
    HEDDLE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC,
    HEDDLE_DESCRIPTOR_INPUT_ATTACHMENT,
    /* No descriptor: the block's bytes lie in the set's memory. `count` is their number. The shader
     * declares a uniform buffer. */
    HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK,
    HEDDLE_DESCRIPTOR_ACCELERATION_STRUCTURE,
    HEDDLE_DESCRIPTOR_MUTABLE, /* whatever the shader declares, except dynamic and inline ones */
} heddle_descriptor_type;

/* "storage_buffer" ...: the enumerator in small letters; "none" for other numbers; never NULL. */
HEDDLE_API const char *
heddle_descriptor_type_text(heddle_descriptor_type type);

/* A binding, as in VkDescriptorSetLayoutBinding. */
typedef struct heddle_layout_binding {
    size_t struct_size;
    uint32_t binding;
    heddle_descriptor_type type;
    /* Elements; of an array without a size, the most that a set can have. 0 reserves the number:
     * no shader may use it. */
    uint32_t count;
    uint32_t stages; /* HEDDLE_STAGE_BITs of the stages that may use it; 0: all */
    /* SAMPLER and COMBINED_IMAGE_SAMPLER: the words of `count` samplers, one after the other
     * ("amd": 4 words each, the S#), which become constants of the code. Memory has room for them
     * like for others, which need not be written: a descriptor's place does not depend on them.
     * NULL: the samplers are in memory. */
    const uint32_t *immutable_samplers;
} heddle_layout_binding;

/* The bindings of a set in any order, each number at most once. */
typedef struct heddle_set_layout {
    size_t struct_size;
    const heddle_layout_binding *bindings;
    size_t n_bindings;
} heddle_set_layout;

/* As VkPushConstantRange: offset and size in bytes, multiples of 4, together at most 64 KiB. */
typedef struct heddle_push_range {
    size_t struct_size;
    uint32_t stages; /* HEDDLE_STAGE_BITs; 0: all */
    uint32_t offset, size;
} heddle_push_range;

typedef struct heddle_pipeline_layout {
    size_t struct_size;
    const heddle_set_layout *const *sets; /* by set number; NULL: an empty set */
    size_t n_sets;                        /* at most 32 */
    const heddle_push_range *push_ranges;
    size_t n_push_ranges;
} heddle_pipeline_layout;

/* Where a binding's descriptors are. All in bytes. */
typedef struct heddle_binding_place {
    uint32_t set, binding;
    heddle_descriptor_type type;
    uint32_t count;  /* elements there is room for; of an inline uniform block, bytes */
    uint32_t offset; /* of the first element, in the set's memory or in the block */
    uint32_t stride; /* from one element to the next; 0 for an inline uniform block */
    uint32_t size;   /* of one descriptor; 0 for an inline uniform block */
    uint32_t
        /* 1: a dynamic buffer, whose descriptor is in the block of push constants */
        in_block;
    uint32_t used; /* 1: the code reads it; heddle_place_set: 0 */
} heddle_binding_place;

typedef struct heddle_set_info {
    size_t struct_size;
    uint32_t size, align; /* bytes of the set's memory; 0 and 1 if it needs none */
    uint32_t block_size;  /* bytes of its dynamic buffers' descriptors in the block */
} heddle_set_info;

/* Says where the descriptors of a set are, as vkCreateDescriptorSetLayout must know it. `info` and
 * `places`, an array of set->n_bindings elements in the order of set->bindings, may be NULL. The
 * offset of a dynamic buffer counts from the first one of its set, whose place in the block
 * heddle_place_layout gives; `set` is 0. Fails with HEDDLE_ERROR_ARGUMENT (API_LAYOUT) if the layout
 * is wrong, with HEDDLE_ERROR_LIMIT if the set is larger than 1 GiB. */
HEDDLE_API heddle_result
heddle_place_set(heddle_context *context, const char *target, const heddle_set_layout *set,
                 heddle_set_info *info, heddle_binding_place *places);

enum { HEDDLE_MAX_SETS = 32 };

/* The block of push constants: the bytes of all ranges from 0 on, then at a multiple of 16 the
 * descriptors of the dynamic buffers, first those of the set with the lowest number. */
typedef struct heddle_layout_info {
    size_t struct_size;
    uint32_t push_size;  /* bytes up to the end of the last range */
    uint32_t block_size; /* bytes of the whole block */
    /* The byte of the block where the dynamic buffers of each set begin. */
    uint32_t dynamic_offset[HEDDLE_MAX_SETS];
} heddle_layout_info;

/* Says what vkCreatePipelineLayout must know. Fails as heddle_place_set does. */
HEDDLE_API heddle_result
heddle_place_layout(heddle_context *context, const char *target,
                    const heddle_pipeline_layout *layout, heddle_layout_info *info);

/* ---- graphics pipelines ----
 *
 * What VkGraphicsPipelineCreateInfo says, as far as it changes code. Without it, and where a member
 * is 0 or NULL, the defaults count, which work with what the shader declares. Shaders are compiled
 * one at a time; two of a pipeline are linked by telling each what the other reads or writes. For
 * compute shaders it has no effect.
 */

/* As VkVertexInputBindingDescription and its divisor. */
typedef struct heddle_vertex_binding {
    size_t struct_size;
    uint32_t binding; /* below 32 */
    uint32_t stride;
    uint32_t per_instance;      /* 1: an element for each instance; 0: for each vertex */
    uint32_t divisor;           /* per_instance: instances that read an element; 0: all read one */
    uint32_t stride_is_dynamic; /* 1: `stride` is not known */
    uint32_t align; /* of the address that elements count from, in bytes; 0: not known */
} heddle_vertex_binding;

/* As VkVertexInputAttributeDescription. */
typedef struct heddle_vertex_attribute {
    size_t struct_size;
    uint32_t location, binding; /* below 32 */
    uint32_t format;            /* a VkFormat */
    uint32_t offset;
} heddle_vertex_attribute;

typedef enum heddle_topology {
    HEDDLE_TOPOLOGY_ANY = 0,
    HEDDLE_TOPOLOGY_TRIANGLES, /* lists, strips, fans */
    HEDDLE_TOPOLOGY_LINES,
    HEDDLE_TOPOLOGY_POINTS,
    HEDDLE_TOPOLOGY_RECTANGLES,
} heddle_topology;

typedef enum heddle_polygon_mode {
    HEDDLE_POLYGON_FILL = 0,
    HEDDLE_POLYGON_LINE,
    HEDDLE_POLYGON_POINT,
} heddle_polygon_mode;

/* The hardware stage of a vertex shader where a target has two. */
typedef enum heddle_vertex_kind {
    HEDDLE_VERTEX_ANY = 0,
    HEDDLE_VERTEX_LEGACY,    /* amd: VS */
    HEDDLE_VERTEX_PRIMITIVE, /* amd: NGG */
} heddle_vertex_kind;

/* A colour attachment and its VkPipelineColorBlendAttachmentState. */
typedef struct heddle_color {
    size_t struct_size;
    uint32_t format;        /* a VkFormat; 0: there is no attachment */
    uint32_t kept;          /* channels that are not written: r 1, g 2, b 4, a 8 */
    uint32_t blends;        /* 1: it is blended */
    uint32_t blends_alpha;  /* 1: a factor reads the source's alpha */
    uint32_t blends_second; /* 1: a factor reads the second source */
} heddle_color;

/* A location that the other stage reads or writes; same, way: 0 where it is not known. */
typedef struct heddle_varying {
    size_t struct_size;
    uint32_t location, components; /* below 64; a bit each */
    uint32_t constants;            /* of these, those that have the same `value` for all vertices */
    uint32_t value[4];
    uint32_t same[4]; /* written: 1 + 4 * location + component of the first one that is the same */
    uint32_t way;     /* read: a number for each way of interpolation; 255: in several ways */
} heddle_varying;

/* Built-in outputs of vertex shaders that fragment shaders can read, a bit each. */
enum {
    HEDDLE_BUILTIN_CLIP_DISTANCE = 1 << 0,
    HEDDLE_BUILTIN_CULL_DISTANCE = 1 << 1,
    HEDDLE_BUILTIN_LAYER = 1 << 2,
    HEDDLE_BUILTIN_VIEWPORT_INDEX = 1 << 3,
    HEDDLE_BUILTIN_PRIMITIVE_ID = 1 << 4,
};

typedef struct heddle_stage_link {
    size_t struct_size;
    const heddle_varying *varyings;
    size_t n_varyings;
    uint32_t builtins; /* HEDDLE_BUILTIN_* */
} heddle_stage_link;

/* State that is not known when the pipeline is compiled, a bit each. */
enum {
    HEDDLE_DYNAMIC_VERTEX_INPUT = 1 << 0,
    HEDDLE_DYNAMIC_TOPOLOGY = 1 << 1,
    HEDDLE_DYNAMIC_POLYGON_MODE = 1 << 2,
    HEDDLE_DYNAMIC_COLORS = 1 << 3,
    HEDDLE_DYNAMIC_SAMPLES = 1 << 4,
    HEDDLE_DYNAMIC_ALPHA = 1 << 5,
};

typedef struct heddle_pipeline {
    size_t struct_size;
    /* 1: the vertex input is what follows, and locations that it lacks are 0. 0: each location has
     * a binding of its own, whose number is the location's, with the numbers that the shader has. */
    uint32_t has_vertices;
    const heddle_vertex_binding *bindings;
    size_t n_bindings;
    const heddle_vertex_attribute *attributes;
    size_t n_attributes;
    heddle_topology topology;
    heddle_polygon_mode polygon_mode;
    uint32_t view_mask; /* of multiview */
    heddle_vertex_kind vertex_kind;
    /* 1: the attachments are what follows. 0: each output has one of four channels with 8 bits. */
    uint32_t has_colors;
    const heddle_color *colors; /* at most 8 */
    size_t n_colors;
    uint32_t lacks_depth, lacks_stencil; /* 1: there is no such attachment */
    uint32_t samples;                    /* of a pixel; 0: 1 */
    uint32_t sample_shading, alpha_to_coverage, alpha_to_one;
    /* What the stage behind reads and the stage before writes, by heddle_link_stage; NULL: unknown.
     * With both, for both shaders, constants and numbers that others repeat are not passed on. */
    const heddle_stage_link *next, *previous;
    uint32_t dynamic;              /* HEDDLE_DYNAMIC_* */
    uint32_t last_vertex_provokes; /* 1: of a primitive; else the first one */
    uint32_t binning; /* 1: Adreno's variant of a vertex shader for binning: where, how large */
} heddle_pipeline;

/* ---- compile options ---- */

typedef struct heddle_compile_options {
    size_t struct_size;
    const char *target; /* "gfx1030" */
    heddle_stage stage;
    const char *entry;  /* NULL: the first entry point of the stage */
    uint32_t wave_size; /* 32, 64, or 0: 64, or 32 if the shader requires it */
    heddle_abi abi;
    heddle_optimization optimization;
    const heddle_spec_constant *spec_constants;
    size_t n_spec_constants;
    /* The output: "obj" (NULL), the code object; "bin", only the machine code; "asm", its text;
     * "hir" or the name of a phase: the program as text after that phase ("gvn.2": after the second
     * run of gvn). heddle_emit_name and heddle_get_phase list the names. */
    const char *emit;
    const char *debug; /* switches, separated by commas, as listed in docs/cli.md; NULL for none */
    const char *file;  /* a name for diagnostics; may be NULL */
    /* A clock in nanoseconds for the phase times in heddle_stats; NULL: no times. The output does
     * not depend on it. */
    uint64_t (*clock)(void *user);
    /* Called with the program's text after each phase that print=PHASE selects; may be NULL. */
    void (*trace)(void *user, const char *phase, const char *text, size_t size);
    void *user; /* passed to all callbacks */
    /* Optional passes run only up to this number, counted from 1, to find the one that breaks a
     * shader; 0: all. */
    uint32_t bisect_limit;
    /* 1: resources of different types at one set and binding are an error; 0: a warning, since
     * Vulkan allows them where descriptors are mutable. */
    uint32_t one_type_a_binding;
    /* Asked before each pass, on the calling thread: if it does not return 0, the call ends with
     * HEDDLE_ERROR_CANCELLED and frees its memory. NULL: never. */
    int (*cancelled)(void *user);
    /* NULL: what the shader declares. Otherwise it is an error if the shader uses a binding that the
     * layout lacks, or has with another type, fewer elements or not for the stage
     * (API_LAYOUT_BINDING, _TYPE, _COUNT, _STAGE), or reads push constants outside the ranges
     * (API_LAYOUT_PUSH). What the shader declares but does not use does not matter. */
    const heddle_pipeline_layout *layout;
    /* HEDDLE_ABI_VULKAN: the high half of the addresses that user SGPRs give by their low half.
     * It counts only if has_address_high is 1; otherwise it is 0xffff8000 on "amd". */
    uint32_t has_address_high;
    uint32_t address_high;
    /* The multiple of bytes at which buffers begin (their descriptors' addresses): a power of two
     * from 4 to 65536, the driver's minStorageBufferOffsetAlignment and the like. Loads rely on it.
     * 0: 16. */
    uint32_t buffer_align;
    /* heddle_compile_hir: the phase that the text is from, behind which the compile goes on. NULL:
     * as the text says, else it is HIR as first read. */
    const char *from;
    const char *passes; /* heddle_run_passes: their names, separated by commas */
    /* Print the control-flow graph in the language of graphviz where `emit` asks for text: HIR, the
     * text behind a phase, asm. */
    int graph;
    /* Of vertex and fragment shaders; NULL: the defaults. Fails with API_PIPELINE if it is wrong. */
    const heddle_pipeline *pipeline;
    /* The text of other code for the shader of an id (switch "disasm"), or NULL: docs/cli.md. */
    const char *(*find_code)(void *user, const char *id, size_t *size);
} heddle_compile_options;

/* Compiles an entry point of a SPIR-V module of `n_words` words, of either endianness. */
HEDDLE_API heddle_result
heddle_compile(heddle_context *context, const uint32_t *words, size_t n_words,
               const heddle_compile_options *options, heddle_output **out);

/* Compiles a program in text form (docs/hir.md, docs/machine-text.md): HIR, or HIR or machine IR
 * that `emit` printed behind a phase. It goes on behind that phase, and makes the same code as one
 * compile. `target` may be NULL for machine IR, whose text names it; wave size and ABI are the
 * text's. */
HEDDLE_API heddle_result
heddle_compile_hir(heddle_context *context, const char *text, size_t size,
                   const heddle_compile_options *options, heddle_output **out);

/* Runs `options->passes`, one after the other, on a program in text form; the output is the text.
 * The other options are as for heddle_compile_hir, without `emit`. */
HEDDLE_API heddle_result
heddle_run_passes(heddle_context *context, const char *text, size_t size,
                  const heddle_compile_options *options, heddle_output **out);

/* Finds what the stages of a pipeline need to know of each other: the locations that a vertex
 * shader writes, with the components that are the same for all vertices, or those that a fragment
 * shader reads, both without what is dead. Of the options `target` (it may be NULL) and `emit` do
 * not matter. heddle_output_link has the result: a vertex shader's is `previous` of a pipeline, a
 * fragment shader's `next`, for both shaders. Fails with API_UNSUPPORTED for other stages. */
HEDDLE_API heddle_result
heddle_link_stage(heddle_context *context, const uint32_t *words, size_t n_words,
                  const heddle_compile_options *options, heddle_output **out);

/* The result of heddle_link_stage, valid as long as the output; NULL for other outputs. */
HEDDLE_API const heddle_stage_link *
heddle_output_link(const heddle_output *output);

/* Name number `index` accepted by `emit`, from 0, in pipeline order; NULL after the last. A pass
 * that runs several times is listed once; heddle_get_phase lists its runs, "gvn.2". */
HEDDLE_API const char *
heddle_emit_name(uint32_t index);

/* A phase of a target's pipeline. The strings are valid as long as the library. */
typedef struct heddle_phase_info {
    size_t struct_size;
    const char *pass;     /* "gvn" */
    uint32_t number;      /* its run, from 1 ... */
    uint32_t count;       /* ... of so many: if there are several, the phase is called "gvn.2" */
    const char *sentence; /* what it does */
    uint32_t required;    /* 1: it is never left out */
    uint32_t machine;     /* 1: the program is machine IR behind it; 0: HIR */
} heddle_phase_info;

/* Describes phase number `index`, from 0, in pipeline order. `target` may be NULL for the default
 * one. Returns HEDDLE_ERROR_ARGUMENT if there is none. The caller sets `info->struct_size`. */
HEDDLE_API heddle_result
heddle_get_phase(const char *target, uint32_t index, heddle_phase_info *info);

/* ---- information on a shader ---- */

typedef struct heddle_phase_time {
    const char *name;
    uint64_t nanoseconds;
} heddle_phase_time;

typedef struct heddle_stats {
    size_t struct_size;
    uint32_t wave_size;
    uint32_t code_bytes; /* only instructions, without padding and constant data */
    uint32_t instructions;
    uint32_t valu, salu, vmem, smem, ds, branches; /* number of instructions by executing unit */
    uint32_t copies, waits, nops, vopd;
    uint32_t sgprs, vgprs;
    uint32_t spilled_sgprs, spilled_vgprs;
    uint32_t scratch_bytes, lds_bytes;
    uint32_t max_waves;              /* per SIMD */
    uint32_t latency;                /* estimated cycles of one wave */
    uint32_t inv_throughput;         /* estimated cycles for which the busiest unit is occupied */
    uint64_t peak_bytes;             /* peak memory of the compile */
    const heddle_phase_time *phases; /* owned by the output; none without a clock */
    size_t n_phases;
    /* The statistics of code for any family. Those above, except wave_size and peak_bytes, are of
     * "amd"; one that a family does not have is 0. */
    uint32_t n_figures;
    heddle_figure figures[HEDDLE_MAX_FIGURES];
} heddle_stats;

/* Statistics of a compiled shader or of a code object's kernel. Returns HEDDLE_ERROR_ARGUMENT for
 * other outputs, and if the compile stopped early. The caller sets `stats->struct_size`. */
HEDDLE_API heddle_result
heddle_output_stats(const heddle_output *output, heddle_stats *stats);

/* Makes a text of the statistics, as `heddle stats` prints it. */
HEDDLE_API heddle_result
heddle_print_stats(const heddle_output *output, heddle_output **out);

/* `count` SGPRs from `first_sgpr` on hold what `kind` says. The kinds are a closed list; docs/abi.md
 * describes each in full.
 *
 *   vulkan: "descriptor_set" (set `index`), "set_table", "push_constants_inline" (from dword `index`
 *           on), "push_constants", "workgroup_count", "scratch"; of vertex shaders also
 *           "vertex_buffers", "base_vertex", "draw_id", "base_instance", "view_index",
 *           "attribute_ring"
 *   hsa:    "kernarg_pointer", "flat_scratch_init"
 *
 * Kernels of other compilers (heddle_read_kernel) may also have "private_segment_buffer",
 * "dispatch_pointer", "queue_pointer", "dispatch_id" and "private_segment_size", with the meaning
 * that AMDHSA gives them. */
typedef struct heddle_user_sgpr {
    const char *kind;
    uint32_t index;
    uint32_t first_sgpr, count;
} heddle_user_sgpr;

/* HEDDLE_ABI_HSA: an argument in the block of arguments (the kernarg segment), as the code object's
 * metadata has it. `kind` is AMDHSA's word: "global_buffer" (an address), "by_value",
 * "hidden_block_count_x" ...; docs/abi.md says which arguments Heddle's kernels have. */
typedef struct heddle_kernel_arg {
    const char *name; /* "set0", "push_constants", "push_block"; "" if it has none */
    const char *kind;
    uint32_t offset, size; /* bytes */
} heddle_kernel_arg;

/* The information that a driver needs to launch the shader, the same as in the code object's notes.
 */
typedef struct heddle_shader_info {
    size_t struct_size;
    const char *entry;
    const char *target;
    heddle_stage stage;
    heddle_abi abi;
    uint32_t wave_size;
    const void *code; /* machine code, then constant data */
    uint32_t code_size;
    uint32_t data_offset; /* start of the constant data */
    uint32_t sgprs, vgprs;
    uint32_t lds_bytes;
    uint32_t scratch_bytes; /* per lane */
    uint32_t workgroup_size[3];
    uint32_t rsrc[3]; /* COMPUTE_PGM_RSRC1, 2, 3 */
    const heddle_user_sgpr *user_sgprs;
    size_t n_user_sgprs;
    uint32_t kernarg_size; /* hsa */
    /* What a driver sets for code of any family: registers, memory, register words. sgprs to rsrc
     * above are those of "amd". */
    uint32_t n_figures;
    heddle_figure figures[HEDDLE_MAX_FIGURES];
    /* The descriptors that the shader declares, by set, binding and type; with a layout, those of
     * them that it has. Those with `used` are to be written before a launch. */
    const heddle_binding_place *bindings;
    size_t n_bindings;
    uint32_t push_size; /* bytes of the push constants that the shader declares, from byte 0 on */
    /* Words that the code has built in: the high half of addresses in one user SGPR (vulkan; else
     * 0), and word 3 of a raw buffer's descriptor, the same for all buffers. */
    uint32_t address_high;
    uint32_t buffer_word3;
    const heddle_kernel_arg *args; /* hsa, by offset */
    size_t n_args;
} heddle_shader_info;

/* Same rules as heddle_output_stats. Pointers refer to data of the output. */
HEDDLE_API heddle_result
heddle_output_info(const heddle_output *output, heddle_shader_info *info);

/* ---- code objects, assembly ---- */

/* Reads a code object (of Heddle, or of clang for amdhsa) and counts its kernels; 0 if it is not
 * one. */
HEDDLE_API heddle_result
heddle_count_kernels(heddle_context *context, const void *object, size_t size, const char *file,
                     uint32_t *count);

/* Reads kernel number `index` of a code object as an output: its data is the machine code;
 * heddle_output_info and heddle_output_stats give the rest. */
HEDDLE_API heddle_result
heddle_read_kernel(heddle_context *context, const void *object, size_t size, const char *file,
                   uint32_t index, heddle_output **out);

/* Prints kernel number `index` as text: the notes as comments, then each instruction with address
 * and bytes, then constant data. */
HEDDLE_API heddle_result
heddle_print_kernel(heddle_context *context, const void *object, size_t size, const char *file,
                    uint32_t index, heddle_output **out);

typedef struct heddle_asm_options heddle_asm_options;

/* The same with the `options` for comments and fields. */
HEDDLE_API heddle_result
heddle_print_kernel_with(heddle_context *context, const void *object, size_t size, uint32_t index,
                         const heddle_asm_options *options, heddle_output **out);

/* Prints all code of a code object, including functions, with its symbols and the notes on its
 * kernels. With `options->object`, prints everything that is loaded of an AMDHSA object, or of one
 * of "adreno", including data and directives, as text from which heddle_assemble with the same
 * option makes such an object. */
HEDDLE_API heddle_result
heddle_print_object(heddle_context *context, const void *object, size_t size,
                    const heddle_asm_options *options, heddle_output **out);

/* A symbol: `length` characters at `name`. */
typedef struct heddle_asm_symbol {
    const char *name;
    size_t length;
    int64_t value;
} heddle_asm_symbol;

struct heddle_asm_options {
    size_t struct_size;
    const char *target;
    /* 32 or 64, which decides between vcc and vcc_lo; 0: as stated by .amdhsa_kernel in the text,
     * else the target's default. */
    uint32_t wave_size;
    const char *file; /* for diagnostics; may be NULL */
    /* Disassembling: print address and bytes of each instruction in a comment after it, and labels
     * at branch targets. */
    int with_bytes;
    uint64_t address; /* of the first byte, for these comments */
    /* Assembling: a code object whose notes (registers, user SGPRs, LDS ...) are kept for the new
     * code. The output is then a code object, otherwise machine code. */
    const void *like;
    size_t like_size;
    /* Assembling: make a code object of the AMDHSA ABI from the text's sections, symbols and
     * directives (.amdhsa_kernel, .amdgpu_metadata). Without `target`, .amdgcn_target determines
     * the target. heddle_print_object: print text that assembles to such an object, with these
     * directives. */
    int object;
    /* Disassembling: print the bit fields of each instruction as a comment on its own line. */
    int with_fields;
    /* Assembling: symbols that are predefined for the text. */
    const heddle_asm_symbol *symbols;
    uint32_t n_symbols;
    /* Assembling: provides the bytes of a file named by .include or .incbin, which must stay valid
     * until the call ends, and returns 1, or returns 0 if there is no such file. NULL: no files can
     * be included. Called on the calling thread. */
    int (*include)(void *user, const char *name, const char **text, size_t *size);
    void *include_user;
    /* Assembling: with `object`, add a line table (DWARF) that maps the code to the lines of `file`
     * and of the included files. */
    int line_info;
    /* Disassembling and printing: show the registers that are live beside each instruction, as
     * comments, with their maxima above. Of a code object its kernels are printed, one after
     * another. */
    int with_live_registers;
    /* Printing code objects: leave out the addresses and bytes of instructions. */
    int without_bytes;
    /* Printing code objects: provides the text of a source file by the name that debug info has,
     * as `include` does; its lines are shown above the instructions that were made from them. Of a
     * code object its kernels are printed. NULL: only names and numbers are shown. */
    int (*source)(void *user, const char *file, const char **text, size_t *size);
    void *source_user;
    /* Disassembling and printing: each kernel's control-flow graph (graphviz) in place of text. */
    int graph;
    /* Optimizing: the phase behind which the program's text is wanted, or "figures" for what the
     * new code needs and how large it is. NULL: the new machine code. */
    const char *until;
    /* Optimizing: debug switches for its phases, as in heddle_compile_options (print=, print-before=,
     * skip=, bisect=, noopt), and where texts go that they ask for. */
    const char *debug;
    void (*trace)(void *user, const char *phase, const char *text, size_t size);
    void *user;
    const char *arrays; /* Optimizing: registers that an index chooses: R5-R8.xy,R10-R13; NULL */
};

/* Assembles text (LLVM's syntax) to machine code. The diagnostic callback is called for each error
 * of the text, up to 20, then for a note that there are more; the result is the first error's. */
HEDDLE_API heddle_result
heddle_assemble(heddle_context *context, const char *text, size_t size,
                const heddle_asm_options *options, heddle_output **out);

/* Disassembles machine code to text that heddle_assemble accepts, one instruction per line. Bytes
 * that are not an instruction become `.long`. */
HEDDLE_API heddle_result
heddle_disassemble(heddle_context *context, const void *code, size_t size,
                   const heddle_asm_options *options, heddle_output **out);

/* Optimizes machine code of a whole program without its source, such as a driver's bytecode.
 * `options` say the target. */
HEDDLE_API heddle_result
heddle_optimize_code(heddle_context *context, const void *code, size_t size,
                     const heddle_asm_options *options, heddle_output **out);

#ifdef __cplusplus
}
#endif

#endif
