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
 * Rules that hold everywhere:
 *
 * - Every call is a pure function of its arguments: same input, same bytes, on any thread. There
 * are no globals. One context may be used by any number of threads at once.
 * - Nothing ends the process. Wrong input, lack of memory and Heddle's own defects come back as a
 * heddle_result; the diagnostic callback, if there is one, is told what is wrong and where, on the
 * calling thread.
 * - Structs begin with `struct_size`, which the caller sets to sizeof. Fields that a caller's older
 * header lacks are taken as zero, and zero always means the default.
 * - What a call returns through `**out` is the caller's, to be given back to its destroy function;
 * until then it stays valid, whatever else is destroyed but its context. On failure `*out` is NULL.
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
 * While MAJOR is 0, a new MINOR may break. */
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

/* The version of the library that runs: major << 16 | minor << 8 | patch. */
HEDDLE_API uint32_t
heddle_version(void);

typedef enum heddle_result {
    HEDDLE_OK = 0,
    HEDDLE_ERROR_INVALID = 1,       /* the input breaks a rule */
    HEDDLE_ERROR_UNSUPPORTED = 2,   /* the input is valid, but Heddle does not do this yet */
    HEDDLE_ERROR_LIMIT = 3,         /* the input exceeds a stated limit */
    HEDDLE_ERROR_OUT_OF_MEMORY = 4, /* the allocator returned NULL */
    HEDDLE_ERROR_INTERNAL = 5,      /* a defect of Heddle */
    HEDDLE_ERROR_ARGUMENT =
        6, /* the call itself is wrong: a NULL, an unknown target, a bad option */
} heddle_result;

/* "ok", "invalid input" ...; never NULL. */
HEDDLE_API const char *
heddle_result_text(heddle_result result);

/* ---- contexts ---- */

/* A context keeps up to 5 MiB of the memory of ended calls for the next ones, until it is destroyed.
 *
 * Where memory comes from. Both functions may be called on every thread that calls Heddle. `alloc`
 * gives NULL when there is none, else memory aligned for any type; `release` gets the size that was
 * asked for. */
typedef struct heddle_allocator {
    void *(*alloc)(void *user, size_t size);
    void (*release)(void *user, void *memory, size_t size);
    void *user;
} heddle_allocator;

/* What is wrong, and where. Pointers are valid during the callback. */
typedef struct heddle_diagnostic {
    heddle_result result; /* HEDDLE_OK: a warning or note, which an assembly text asked for */
    const char *name;     /* the error's stable name: "SPIRV_BAD_MAGIC" */
    const char *message;  /* what is wrong, without the place */
    const char *text;     /* "file:line:col: error: message", one line */
    const char *file;     /* as the call named its input; may be NULL */
    uint32_t line, column;
    uint64_t offset;  /* in `unit`s; meaningful where unit is not NULL */
    const char *unit; /* "word", "byte", NULL */
    const char *item; /* the instruction there: "OpLoad"; may be NULL */
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

/* Outputs of the context must have been destroyed before. NULL is allowed. */
HEDDLE_API void
heddle_destroy_context(heddle_context *context);

/* ---- targets ---- */

typedef struct heddle_target_info {
    size_t struct_size;
    const char *name;       /* "gfx1030" */
    const char *family;     /* "amd" */
    const char *generation; /* "gfx10.3" */
    uint32_t wave_sizes;    /* bits: 32, 64, or both added */
    uint32_t default_wave_size;
    uint32_t sgprs, vgprs; /* that one wave can address */
    uint32_t max_waves;    /* on one SIMD */
    uint32_t lds_bytes;    /* that one workgroup can have */
    uint32_t
        compiles; /* 1: heddle_compile makes code for it; all can be assembled and disassembled */
} heddle_target_info;

/* Describes target number `index`, from 0; HEDDLE_ERROR_ARGUMENT where there is none.
 * `info->struct_size` is set by the caller. */
HEDDLE_API heddle_result
heddle_get_target(uint32_t index, heddle_target_info *info);

/* ---- outputs ---- */

/* The bytes or the text (which has a zero byte behind that the size does not count). */
HEDDLE_API const void *
heddle_output_data(const heddle_output *output);
HEDDLE_API size_t
heddle_output_size(const heddle_output *output);

/* Gives its memory back. NULL is allowed. */
HEDDLE_API void
heddle_destroy_output(heddle_output *output);

/* ---- compiling ---- */

typedef enum heddle_stage {
    HEDDLE_STAGE_DEFAULT = 0, /* of the entry point that is named; else of the module's first */
    HEDDLE_STAGE_VERTEX,
    HEDDLE_STAGE_TESS_CONTROL,
    HEDDLE_STAGE_TESS_EVALUATION,
    HEDDLE_STAGE_GEOMETRY,
    HEDDLE_STAGE_FRAGMENT,
    HEDDLE_STAGE_COMPUTE,
    HEDDLE_STAGE_TASK,
    HEDDLE_STAGE_MESH,
} heddle_stage;

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

/* The value of the specialisation constant with this SpecId; floats and doubles by their bits. */
typedef struct heddle_spec_constant {
    uint32_t id;
    uint64_t value;
} heddle_spec_constant;

typedef struct heddle_compile_options {
    size_t struct_size;
    const char *target; /* "gfx1030" */
    heddle_stage stage;
    const char *entry;  /* NULL: the first entry point of the stage */
    uint32_t wave_size; /* 32, 64, or 0: 64, but 32 where the shader asks for it */
    heddle_abi abi;
    heddle_optimization optimization;
    const heddle_spec_constant *spec_constants;
    size_t n_spec_constants;
    /* What to give: "obj" (NULL), the code object; "bin", the machine code alone; "asm", its text;
     * "hir" or the name of a phase: the program as text behind that phase. heddle_emit_name lists
     * the names. */
    const char *emit;
    const char *debug; /* switches, comma-separated, as docs/cli.md lists them; NULL for none */
    const char *file;  /* a name for diagnostics; may be NULL */
    /* A clock in nanoseconds, for the times of phases in heddle_stats; NULL: no times. The output
     * does not depend on it. */
    uint64_t (*clock)(void *user);
    /* Called with the program's text behind each phase that the debug switch print=PHASE
     * (print=all) names; may be NULL. */
    void (*trace)(void *user, const char *phase, const char *text, size_t size);
    void *user; /* of both */
    /* Passes that may be left out run only up to this number, from 1, to find the one that breaks a
     * shader; 0: all. */
    uint32_t bisect_limit;
} heddle_compile_options;

/* Compiles an entry point of a SPIR-V module of `n_words` words, of either endianness. */
HEDDLE_API heddle_result
heddle_compile(heddle_context *context, const uint32_t *words, size_t n_words,
               const heddle_compile_options *options, heddle_output **out);

/* Compiles a function in HIR's text form (docs/hir.md). */
HEDDLE_API heddle_result
heddle_compile_hir(heddle_context *context, const char *text, size_t size,
                   const heddle_compile_options *options, heddle_output **out);

/* The `index`th name that `emit` takes, from 0, in the order of the pipeline; NULL behind the last.
 */
HEDDLE_API const char *
heddle_emit_name(uint32_t index);

/* ---- what the compiler knows about a shader ---- */

typedef struct heddle_phase_time {
    const char *name;
    uint64_t nanoseconds;
} heddle_phase_time;

typedef struct heddle_stats {
    size_t struct_size;
    uint32_t wave_size;
    uint32_t code_bytes; /* instructions alone, without padding and constant data */
    uint32_t instructions;
    uint32_t valu, salu, vmem, smem, ds, branches; /* by what executes them */
    uint32_t copies, waits, nops, vopd;
    uint32_t sgprs, vgprs;
    uint32_t spilled_sgprs, spilled_vgprs;
    uint32_t scratch_bytes, lds_bytes;
    uint32_t max_waves;              /* on one SIMD */
    uint32_t latency;                /* estimated cycles of one wave */
    uint32_t inv_throughput;         /* estimated cycles that the busiest unit is taken */
    uint64_t peak_bytes;             /* memory that the compile had at most */
    const heddle_phase_time *phases; /* the output's; none without a clock */
    size_t n_phases;
} heddle_stats;

/* Statistics of a compiled shader or of a code object's kernel. HEDDLE_ERROR_ARGUMENT for other
 * outputs, and where the compile stopped early. `stats->struct_size` is set by the caller. */
HEDDLE_API heddle_result
heddle_output_stats(const heddle_output *output, heddle_stats *stats);

/* `count` SGPRs from `first_sgpr` on hold what `kind` says: "descriptor_set" and so on,
 * docs/abi.md. */
typedef struct heddle_user_sgpr {
    const char *kind;
    uint32_t index;
    uint32_t first_sgpr, count;
} heddle_user_sgpr;

/* What a driver needs to launch the shader: the same as the code object's notes. */
typedef struct heddle_shader_info {
    size_t struct_size;
    const char *entry;
    const char *target;
    heddle_stage stage;
    heddle_abi abi;
    uint32_t wave_size;
    const void *code; /* machine code, then constant data */
    uint32_t code_size;
    uint32_t data_offset; /* where the constant data begin */
    uint32_t sgprs, vgprs;
    uint32_t lds_bytes;
    uint32_t scratch_bytes; /* a lane */
    uint32_t workgroup_size[3];
    uint32_t rsrc[3]; /* COMPUTE_PGM_RSRC1, 2, 3 */
    const heddle_user_sgpr *user_sgprs;
    size_t n_user_sgprs;
    uint32_t kernarg_size; /* hsa */
} heddle_shader_info;

/* As heddle_output_stats. Pointers are the output's. */
HEDDLE_API heddle_result
heddle_output_info(const heddle_output *output, heddle_shader_info *info);

/* ---- code objects, assembly ---- */

/* Number of kernels in a code object (of Heddle, or of clang for amdhsa), 0 where it is none. Reads
 * the object. */
HEDDLE_API heddle_result
heddle_count_kernels(heddle_context *context, const void *object, size_t size, const char *file,
                     uint32_t *count);

/* Kernel number `index` of a code object as an output: its data is the machine code;
 * heddle_output_info and heddle_output_stats tell the rest. */
HEDDLE_API heddle_result
heddle_read_kernel(heddle_context *context, const void *object, size_t size, const char *file,
                   uint32_t index, heddle_output **out);

/* Kernel number `index` as text: what the notes say as comments, then each instruction with address
 * and bytes, then constant data. */
HEDDLE_API heddle_result
heddle_print_kernel(heddle_context *context, const void *object, size_t size, const char *file,
                    uint32_t index, heddle_output **out);

typedef struct heddle_asm_options heddle_asm_options;

/* The same with what `options` say of comments and fields. */
HEDDLE_API heddle_result
heddle_print_kernel_with(heddle_context *context, const void *object, size_t size, uint32_t index,
                         const heddle_asm_options *options, heddle_output **out);

/* All code of a code object, that of functions too, with its symbols, and with what the notes say
 * of its kernels. With `options->object`, for objects of the AMDHSA ABI, all that is loaded, data
 * and directives too, as text that heddle_assemble with the same option makes such an object of. */
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
    /* 32 or 64, which decides between vcc and vcc_lo; 0: as the text's .amdhsa_kernel says, else the
     * target's default. */
    uint32_t wave_size;
    const char *file; /* for diagnostics; may be NULL */
    /* Disassembling: address and bytes of each instruction as a comment behind it, and labels at
     * branch targets. */
    int with_bytes;
    uint64_t address; /* of the first byte, for these comments */
    /* Assembling: a code object whose notes (registers, user SGPRs, LDS ...) the new code keeps.
     * The output is then a code object; else it is the machine code. */
    const void *like;
    size_t like_size;
    /* Assembling: a code object of the AMDHSA ABI from the text's sections, symbols and directives
     * (.amdhsa_kernel, .amdgpu_metadata). Without `target` that of .amdgcn_target holds.
     * heddle_print_object: text that assembles to such an object, with these directives. */
    int object;
    /* Disassembling: the bit fields of each instruction as a comment on a line of its own. */
    int with_fields;
    /* Assembling: symbols that the text finds defined. */
    const heddle_asm_symbol *symbols;
    uint32_t n_symbols;
    /* Assembling: gives the bytes of a file that .include or .incbin names, which must stay until the
     * call ends, and 1; 0: there is none of that name. NULL: no files can be included. Called on the
     * thread of the call. */
    int (*include)(void *user, const char *name, const char **text, size_t *size);
    void *include_user;
};

/* Assembles text (LLVM's syntax) to machine code. */
HEDDLE_API heddle_result
heddle_assemble(heddle_context *context, const char *text, size_t size,
                const heddle_asm_options *options, heddle_output **out);

/* Disassembles machine code to text that heddle_assemble takes: an instruction a line; what is no
 * instruction becomes
 * `.long`. */
HEDDLE_API heddle_result
heddle_disassemble(heddle_context *context, const void *code, size_t size,
                   const heddle_asm_options *options, heddle_output **out);

#ifdef __cplusplus
}
#endif

#endif
