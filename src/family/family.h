/* A family of GPUs as the API, the script runner and the program see it.
 *
 * A back end defines one `const family` and adds a row to src/families/families.def. Everything
 * above it reaches the back end through this struct and names no family. The struct has a part for
 * each service. A part, or a member of one, that a family does not have yet is NULL; its users then
 * report API_NO_SERVICE, or leave out what it adds. Comments say which members go together.
 *
 *   targets   what there is, with the figures that `heddle targets` shows
 *   compiler  HIR to machine code and the model of a code object
 *   objects   code objects: writing, reading, their text, their statistics
 *   isa       instructions: assembling, and reading them one by one (listing.h prints them)
 *   emulator  runs compiled shaders and kernels of code objects, doing what a driver does
 *
 * What differs between families in kind (register banks, register words, bundles, clauses) appears
 * here only as text, as named figures (figures.h) or behind an opaque pointer.
 */
#ifndef FAMILY_FAMILY_H
#define FAMILY_FAMILY_H

#include "asm/unit.h"
#include "family/effects.h"
#include "family/figures.h"
#include "family/layout.h"
#include "family/pipeline.h"
#include "family/source_text.h"
#include "ir/pass.h"
#include "machine/image.h"
#include "machine/memory.h"
#include "machine/raster/draw.h"
#include "machine/report.h"
#include "machine/watch.h"
#include "object/object.h"
#include "object/read.h"

typedef struct family family;

/* ---- targets ---- */

typedef struct family_target {
    const family *family;
    const char *name;       /* as on the command line */
    const char *generation; /* of the instruction set, as users call it */
    uint32_t wave_sizes;    /* the sum of the supported sizes, each a power of two */
    uint32_t default_wave_size;
    uint32_t subgroup_size; /* of all shaders; 0: a wave is a subgroup */
    bool compiles;          /* the compiler generates code for it */
    bool fuses_sums; /* a fused multiplication and addition costs as much as one of the two */
    const void *own; /* the family's description */
    /* Other names that users have for it: codenames, products; terminated by NULL. NULL: none. */
    const char *const *names;
} family_target;

/* The size of the subgroups of a wave of `wave_size` lanes; of a sum of sizes the sum. */
static inline uint32_t
family_subgroup_size(const family_target *t, uint32_t wave_size)
{
    return t->subgroup_size ? t->subgroup_size : wave_size;
}

/* ---- the compiler ---- */

/* How much the optional passes of the back end do. */
typedef enum family_effort {
    FAMILY_EFFORT_FULL,
    FAMILY_EFFORT_LESS,
    FAMILY_EFFORT_NONE
} family_effort;

/* What to compile for. */
typedef struct family_request {
    const family_target *target;
    const char *name;   /* the entry point's, for the code object */
    uint32_t wave_size; /* 0: the shader's required size, else the target's default */
    obj_abi abi;
    family_effort effort;
    bool validate;                   /* run the back end's own validators after its phases */
    family_layout *layout;           /* `compile` assigns its positions */
    const family_pipeline *pipeline; /* of a graphics shader; NULL: the defaults */
    bool has_address_high;           /* vulkan: ... is stated; else the family's own */
    uint32_t address_high; /* the high half of addresses that are given by their low halves */
    const void *switches;  /* set by read_switch; NULL: none */
    const char *phase;     /* of family_compiler.phases: the compile ends there; NULL: none */
    ir_pass_run *run;      /* selects what to print, verify, time, skip; must not be NULL */
    bool prints_code;      /* run->printed gets the text of the code, as "disasm" */
    /* The text of other code for the shader of that id (compile.h), in the assembler's language; it
     * must live as long as the compile. Returns NULL if there is none. NULL: there is none. */
    const char *(*find_code)(void *user, const char *id, size_t *size);
    void *find_user;
} family_request;

/* The result of a compile. It lives in the arena of the function's context. */
typedef struct family_binary {
    const ir_fn *fn; /* the machine IR as emitted, or at the point where the run stopped */
    obj_code code;   /* not set if the run or the compile stopped */
    base_buf text;   /* of the program behind request->phase, if that is set */
    const void *own; /* what the family's emulator needs to launch it without a code object */
} family_binary;

/* A phase behind the pipeline, in which the program is not in the container any more. */
typedef struct family_phase {
    const char *name;
    const char *what; /* one sentence */
    bool is_required; /* it is never left out */
} family_phase;

typedef struct family_compiler {
    /* All steps from HIR as read to the last IR: passes of opt/passes.def and the family's own.
     * NULL: none can be named. */
    const ir_step *pipeline;
    /* The phases behind it in their order, terminated by one without a name. NULL: there are
     * none. */
    const family_phase *phases;
    /* The bytes of the family's debug switches; all zeros is none. */
    size_t switches_size;
    /* Sets a debug switch. Returns NULL, or a message that is a printf format for `word`. NULL:
     * there are no switches. */
    const char *(*read_switch)(void *switches, const char *word);
    /* Sorts the bindings of a layout and assigns their positions, which depend on the rows of their
     * set alone, and in the block of push constants on the rows before. Fails with TARGET_SET_SIZE.
     * NULL: no layout can be given. */
    void (*place)(diag *d, const family_target *target, family_layout *layout);
    uint32_t sampler_words; /* 32 bits each, of a sampler's descriptor */
    /* Compiles `hir`, modifying it. If request->run->from is set, `hir` was parsed from the text
     * behind that step of the pipeline, at its level. Fails with a diagnostic. Not NULL. */
    void (*compile)(ir_fn *hir, const family_request *request, family_binary *out);
    /* Makes a function that was parsed ready for single steps of the pipeline. NULL: they only run
     * in a compile. */
    void (*prepare)(ir_fn *f, const family_request *request);
} family_compiler;

/* ---- code objects ---- */

/* How to print code. */
typedef struct family_text {
    bool with_bytes;    /* address and bytes of each instruction */
    bool with_fields;   /* its bit fields */
    bool as_directives; /* objects: everything that is loaded, to be assembled to such an object */
    bool with_live;     /* the live registers beside each instruction */
    bool as_graph;      /* the graph of the blocks instead */
    family_source source; /* of the lines above the instructions; find NULL: none */
} family_text;

/* Something that a driver or a runtime puts into registers before the shader starts. */
typedef struct family_value {
    const char *kind;      /* what it is: a constant of the family */
    uint32_t index;        /* which of its kind: a descriptor set, a dword of the push constants */
    uint32_t first, count; /* the registers */
} family_value;

typedef struct family_objects {
    /* Files for the format's machine are objects of this family; `read` reports what else is wrong
     * with them. NULL: the family reads none. */
    const obj_format *format;
    /* Writes a code object: appends the file of a kernel. Reads one, of which the reader has what
     * a caller gives; its bytes must live as long as what was read. Both fail with an OBJECT_*
     * error. */
    void (*write)(diag *d, const obj_code *code, base_buf *out);
    void (*read)(elf_reader *r);
    /* A copy in `a` of what `code->own` points to, without lists; for `describe` and `count`. NULL:
     * `own` is not used. */
    const void *(*keep)(arena *a, const obj_code *code);
    /* Fills in launch value number `index`, from 0. Returns false if there is none. */
    bool (*get_value)(const obj_code *code, uint32_t index, family_value *out);
    /* Appends what the notes say about a kernel, as comments. */
    void (*print_notes)(const obj_code *code, base_buf *out);
    /* Appends all code of an object, with its symbols and notes. Fails if the object has no such
     * text. NULL: family_print_shader prints all objects of the family. */
    void (*print)(const ir_ctx *c, const family_target *t, const obj_file *file, family_text how,
                  base_buf *out);
    /* Makes `*code`, a copy of the object's kernel, describe the new machine code `bytes`, to which
     * padding may be appended. Fails with API_BAD_ARGUMENT if the kernel's notes do not allow
     * it. */
    void (*replace_code)(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code);
    /* The launch state of a kernel, and the statistics of its code; both in the order in which
     * users see them. */
    void (*describe)(const obj_code *code, family_figures *out);
    void (*count)(arena *scratch, const family_target *t, const obj_code *code,
                  family_figures *out);
    /* Appends the statistics as text, each line with two spaces before it. */
    void (*print_statistics)(const family_figures *figures, base_buf *out);
} family_objects;

/* ---- the instruction set ---- */

/* An instruction that was read. */
typedef struct family_inst {
    uint32_t size;  /* in bytes, a multiple of 4 */
    bool has_extra; /* fields that it does not use are set: its text gives other bytes */
    bool is_branch; /* to a fixed place, `distance` bytes from its first byte */
    int64_t distance;
} family_inst;

/* A text to assemble. */
typedef struct family_assembly {
    const family_target *target;
    const char *text;
    size_t size;
    uint32_t wave_size;         /* 0: as stated in the text, or the default of the syntax */
    bool object;                /* link a code object */
    const asm_options *options; /* symbols, includes, callbacks */
} family_assembly;

/* Machine code to optimize. */
typedef struct family_bytecode {
    const uint8_t *bytes;
    size_t size;
    const char *until; /* NULL; or a phase, for the text behind it; or "figures" */
    bool no_passes;    /* no optional phase runs */
    const char
        *arrays; /* registers that an index chooses, as heddle_asm_options says; NULL: none */
    /* What else is requested of phases; the numbers of a bisection are those of a compile. */
    const ir_pass_run *run;
} family_bytecode;

/* A family has all four of open, decode, print and is_exact, or open is NULL: its code is not
 * listed. */
typedef struct family_isa {
    /* The target that a text names, in `a`; NULL if it names none. */
    const char *(*stated_target)(arena *a, const char *text, size_t size);
    /* Puts machine code, or a code object, into an empty buffer. Fails with a diagnostic at line
     * and column. */
    void (*assemble)(const ir_ctx *c, const family_assembly *job, base_buf *out);
    /* A reader of machine code, in `a`. A reader has a current instruction: the last one that
     * decode has found. */
    void *(*open)(arena *a, const family_target *t, uint32_t wave_size);
    /* Gives a reader all code before any of it is decoded, where an instruction's meaning depends
     * on other places; decode is then only called for places in it. NULL: it does not. */
    void (*begin)(void *reader, const uint8_t *bytes, size_t size);
    /* Decodes the instruction at `bytes`. Returns false if there is none. */
    bool (*decode)(void *reader, const uint8_t *bytes, size_t size, family_inst *out);
    /* Appends the current instruction; `last` replaces its last operand if it is not NULL. */
    void (*print)(const void *reader, const char *last, base_buf *out);
    /* Returns true if the current instruction's text assembles to its `bytes`, or if `last` can
     * replace its last operand. */
    bool (*is_exact)(void *reader, const uint8_t *bytes, const char *last);
    /* The banks of registers, terminated by one without a name; the number of the execution mask;
     * what the current instruction does. Instructions are asked in the order of the code. NULL: the
     * family has no analyses of machine code. */
    const family_bank *banks;
    uint16_t mask;
    void (*effects)(void *reader, family_effects *out);
    /* Optimizes the code of a whole program: appends the new code, or what `until` asks for. Fails
     * with API_BAD_ARGUMENT if there is no such phase. NULL: the family does not. */
    void (*optimize)(const ir_ctx *c, const family_target *t, const family_bytecode *code,
                     base_buf *out);
    /* Appends the bit fields of the current instruction. */
    void (*print_fields)(const void *reader, const uint8_t *bytes, base_buf *out);
    /* Appends the padding between code and constant data as a directive. Returns the offset of the
     * data. */
    uint32_t (*print_padding)(const obj_code *code, base_buf *out);
} family_isa;

/* ---- the emulator ---- */

/* A dispatch: what is run is in a family_shader or a family_kernel. Sizes are in x, y, z. */
typedef struct family_dispatch {
    uint32_t group_size[3];    /* work items */
    uint32_t groups[3];        /* of the grid */
    uint32_t items[3];         /* work items of the grid if its last groups are partial; 0: whole */
    uint32_t offset[3];        /* the first global ids */
    uint32_t shared_bytes;     /* at least, per group */
    uint32_t scratch_bytes;    /* at least, per lane */
    uint32_t checks;           /* MACH_CHECK_* */
    const char *rules_off;     /* names of rules that are not checked, with commas; NULL: none */
    uint64_t seed;             /* of the order of waves */
    uint64_t max_instructions; /* per wave; 0: the emulator's limit */
    mach_watch *watch;         /* NULL: none */
} family_dispatch;

typedef enum family_resource_kind {
    FAMILY_BUFFER,
    FAMILY_TEXEL_BUFFER,
    FAMILY_IMAGE,
    FAMILY_SAMPLER,
    FAMILY_ACCEL, /* an acceleration structure (base/ray.h) */
} family_resource_kind;

/* The resource of a shader's descriptor. */
typedef struct family_resource {
    uint32_t set, binding, element;
    family_resource_kind kind;
    uint64_t address, size;      /* of the first byte; bytes of a BUFFER or ACCEL */
    const mach_image *image;     /* IMAGE: the view; TEXEL_BUFFER: its texels. NULL: no format */
    const mach_sampler *sampler; /* SAMPLER, or IMAGE: NULL unless both are one descriptor */
} family_resource;

/* A compiled shader with its resources. */
typedef struct family_shader {
    const family_binary *binary;
    const family_layout *layout; /* that it was compiled with */
    obj_abi abi;
    const family_resource *resources; /* those that the layout does not have are left out */
    uint32_t n_resources;
    const uint8_t *push; /* push constants */
    uint32_t push_size;  /* bytes */
} family_shader;

/* The resource that is given for an element of a binding; NULL: there is none. */
const family_resource *
family_find_resource(const family_shader *s, uint32_t set, uint32_t binding, uint32_t element);

/* A vertex buffer: the bytes from element 0 of a binding on. */
typedef struct family_vertex_buffer {
    uint32_t binding;
    uint64_t address, size;
} family_vertex_buffer;

/* A buffer of transform feedback. */
typedef struct family_captured_buffer {
    uint64_t address, size; /* whole dwords; size 0: none */
} family_captured_buffer;

enum { FAMILY_CAPTURED_BUFFERS = 4 };

/* A draw of two shaders that were compiled for one pipeline. */
typedef struct family_draw {
    const family_dispatch *how;             /* how it is run: what says of groups does not count */
    const family_shader *vertex, *fragment; /* fragment NULL: depth and stencil alone are drawn */
    const family_pipeline *pipeline;
    /* The fixed functions. Not used: shading; the bytes of attachments, whose views are described
     * here and whose addresses follow; what the shaders' outputs say (distances, depth, order). */
    const mach_draw *state;
    uint64_t colors[MACH_MAX_COLORS]; /* addresses of the images' first bytes */
    uint64_t depth, stencil;          /* the same; images of their own */
    const family_vertex_buffer *buffers;
    uint32_t n_buffers;
    family_captured_buffer captured[FAMILY_CAPTURED_BUFFERS];
    uint64_t index_address;
    uint32_t index_bytes; /* of an index; 0: vertices are counted */
    uint32_t max_indices; /* that the buffer has; those behind are 0 */
    uint64_t *entries;    /* NULL, or receives where the code of both shaders is */
} family_draw;

/* A kernel of a loaded code object with its arguments. */
typedef struct family_kernel {
    const obj_code *kernel;
    uint64_t base;    /* where the file's address 0 is */
    const void *args; /* explicit arguments in the metadata's layout */
    uint32_t args_size;
} family_kernel;

/* A dispatch that is ready to run. */
typedef struct family_launch {
    void *own;           /* the emulator's dispatch; NULL: it cannot be launched */
    uint64_t entry;      /* the address of the first instruction */
    const char *problem; /* why a kernel cannot be launched */
    uint32_t resource;   /* of a shader: the resource that no descriptor can describe */
} family_launch;

/* The buffers that a text describes, in the order in which it does. */
typedef struct family_text_buffers {
    mach_region **list;
    uint32_t n;
} family_text_buffers;

/* `run` is not NULL. The others depend on what can be run: shaders (launch_shader), kernels (load
 * and launch_kernel), kernels with images (make_image and make_sampler); on several threads (share,
 * run_part and merge). */
typedef struct family_emulator {
    /* Fills in rule number `index` of the checkers, from 0. Returns false behind the last. A rule
     * may have several rows of one name. NULL: there are none. */
    bool (*get_rule)(uint32_t index, mach_rule *out);
    /* The issue classes that a watched dispatch counts, terminated by NULL. */
    const char *const *classes;
    /* The units whose busy cycles it counts (mach_time.busy), terminated by NULL; NULL: it has no
     * model of time. */
    const char *const *units;
    /* Puts a shader's code, descriptors and launch state into memory, as a driver does. Fails with
     * AMBER_LIMIT if there is no room. */
    family_launch (*launch_shader)(const ir_ctx *c, mach_memory *m, const family_target *t,
                                   const family_dispatch *d, const family_shader *shader);
    /* Copies the segments of a code object into memory; `*base` gets the address of the file's
     * address 0. Returns false if there is no room. */
    bool (*load)(mach_memory *m, const obj_file *file, uint64_t *base);
    /* Makes the launch state of a loaded kernel, in `m->arena`. */
    family_launch (*launch_kernel)(mach_memory *m, const family_target *t, const family_dispatch *d,
                                   const family_kernel *kernel);
    /* Assembles a text that describes its own dispatch, and puts it with its buffers into memory.
     * The group's size is the text's. Fails with a diagnostic at line and column. NULL: texts do
     * not. */
    family_launch (*launch_text)(const ir_ctx *c, mach_memory *m, const family_assembly *job,
                                 const family_dispatch *d, family_text_buffers *out);
    /* A uniform buffer is described in units of 16 bytes, so a driver gives it memory in these;
     * else in dwords. */
    bool describes_rows;
    /* Fills level[] and the view of an image, and returns the bytes that it needs, as
     * mach_image_layout does, with the layout of the target's linear images. NULL: that one. */
    uint64_t (*layout_image)(const family_target *t, mach_image *image);
    /* Lays an image out as the target does, with zeroed bytes; `*address` gets the address of its
     * descriptor. Returns the region of its bytes, or NULL if the target has no such image. */
    mach_region *(*make_image)(const family_target *t, mach_memory *m, mach_image *image,
                               uint64_t *address);
    /* Makes a sampler; `*address` gets the address of its descriptor. Returns false if there is no
     * room. */
    bool (*make_sampler)(const family_target *t, mach_memory *m, const mach_sampler *sampler,
                         uint64_t *address);
    /* Runs a dispatch. Returns true if it ended without findings. */
    bool (*run)(const void *launch, mach_memory *m, arena *scratch, mach_report *report);
    /* Runs a draw: puts code, descriptors and registers where the machine finds them, as a driver
     * does. Returns true if it ended without findings. Fails with AMBER_LIMIT if there is no room.
     * NULL: the family does not draw. */
    bool (*draw)(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                 mach_report *report);
    /* Running one dispatch on several threads: returns the state that they share, in `a`, or NULL
     * if they cannot; runs groups that no other thread has taken; merges the reports. */
    void *(*share)(const void *launch, const mach_memory *m, arena *a);
    void (*run_part)(const void *launch, const mach_memory *m, void *share, arena *scratch,
                     mach_report *report);
    bool (*merge)(const void *launch, const mach_report *parts, uint32_t n, mach_report *report);
} family_emulator;

/* ---- the family ---- */

struct family {
    const char *name;
    uint32_t wave_sizes;        /* the sum of the sizes that any target has */
    const char *default_target; /* what is compiled for if nothing else is said; NULL: none */
    /* Fills in target number `index`, from 0, except for `family`. Returns false if there is none.
     */
    bool (*get_target)(uint32_t index, family_target *out);
    /* The same for the target of this name. NULL: get_target gives all that can be named. */
    bool (*find_target)(const char *name, family_target *out);
    /* The resources of a target, in the order in which users see them. */
    void (*describe_target)(const family_target *target, family_figures *out);
    const family_compiler *compiler;
    const family_objects *objects;
    const family_isa *isa;
    const family_emulator *emulator;
};

/* The parts of a target's family, with all members NULL if there is no part. */
static inline const family_objects *
family_objects_of(const family_target *t)
{
    static const family_objects none = {0};
    return t->family->objects ? t->family->objects : &none;
}

static inline const family_isa *
family_isa_of(const family_target *t)
{
    static const family_isa none = {0};
    return t->family->isa ? t->family->isa : &none;
}

static inline const family_emulator *
family_emulator_of(const family_target *t)
{
    static const family_emulator none = {0};
    return t->family->emulator ? t->family->emulator : &none;
}

/* Fails with API_NO_SERVICE unless the target's family `has` the service, which `what` names
 * ("assembling"). */
static inline void
family_need(diag *d, const family_target *t, bool has, const char *what)
{
    if (!has)
        diag_fail(d, ERR_API_NO_SERVICE, what, t->name);
}

#endif
