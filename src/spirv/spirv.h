/* SPIR-V -> HIR: reads one entry point of a module (SPIR-V 1.0 to 1.6, as used by Vulkan 1.3).
 *
 * `spirv_read` returns a function of the HIR level: calls are inlined, variables are in SSA form,
 * control flow is in HIR's structured form, and buffer accesses have explicit addresses.
 * `spirv_reflect` describes a module without reading its code. Words may be of either endianness.
 *
 * Errors leave through ctx->diag, with the word offset and the instruction's name in diag.loc:
 * INVALID names the rule that the module breaks, UNSUPPORTED the feature (a capability, a stage),
 * LIMIT the bound. Any input is safe: time and memory are bounded by a multiple of the module's
 * size.
 */
#ifndef SPIRV_SPIRV_H
#define SPIRV_SPIRV_H

#include "base/buf.h"
#include "ir/hir.h"

/* What the value of a specialisation constant is. */
typedef enum spirv_spec_type {
    SPIRV_SPEC_BITS,    /* the constant's bits; the others are not used (booleans: any bit) */
    SPIRV_SPEC_INTEGER, /* an integer, signed or not, that the constant's type can hold */
    SPIRV_SPEC_FLOAT,   /* a binary64, which is rounded to the constant's type */
    SPIRV_SPEC_BOOL,    /* 0 or 1 */
} spirv_spec_type;

/* The value for specialisation constants with this SpecId. Fails with SPIRV_SPEC if a type is
 * stated and the constant has another one, or cannot hold the value. */
typedef struct spirv_spec {
    uint32_t id;
    spirv_spec_type type;
    uint64_t value;
} spirv_spec;

typedef struct spirv_options {
    const char *entry; /* name of the entry point; NULL: the first one of `stage` */
    ir_stage stage;
    /* if an id occurs twice, the last one is used; unknown ids are ignored */
    const spirv_spec *specs;
    size_t n_specs;
    /* Two used variables of different descriptor types at one set and binding are an error
     * (SPIRV_BINDING); otherwise spirv_info.conflict describes them. */
    bool one_type_a_binding;
    uint32_t subgroup_size; /* 0: known only at run time; otherwise SubgroupSize is this constant */
    uint32_t buffer_align;  /* alignment of buffers' first byte that loads may rely on, a power of
                             * two; 0 means 16 */
    /* Bytes left free before each variable in scratch memory, so that an index outside of one meets
     * no other (for tests). */
    uint32_t scratch_gap;
    /* Sums of products of one instruction (matrices, dot products) that must be the same in all
     * shaders, or are not to be contracted, are made of fused operations. */
    bool fuses_sums;
} spirv_options;

/* Reads the entry point as a function in `ctx->arena`. Fails as described above. */
ir_fn *
spirv_read(ir_ctx *ctx, const spirv_options *options, const uint32_t *words, size_t n_words);

/* ---- reflection ---- */

/* An OpEntryPoint. */
typedef struct spirv_entry {
    const char *name;
    uint32_t model;         /* SPIR-V's number of the execution model */
    const char *stage_name; /* "compute", "vertex", "ray generation" ... */
    bool has_stage;         /* `stage` is valid, because HIR has this stage */
    ir_stage stage;
    uint32_t
        /* compute: LocalSize, LocalSizeId or WorkgroupSize after specialisation; else 0 */
        local_size[3];
} spirv_entry;

/* A variable with DescriptorSet and Binding. Several variables may share one binding. */
typedef struct spirv_binding {
    const char *name; /* the variable's, or that of its block type; "" if the module has neither */
    uint32_t set, binding;
    uint32_t count; /* elements of a descriptor array, 1 for a single one, 0 for a runtime array */
    ir_desc_type type;
    ir_dim dim; /* of images */
    bool image_array, depth, multisampled;
    ir_format format;
    uint32_t size; /* bytes of a buffer's block before its runtime array, if any */
    bool read_only, write_only;
    bool used; /* used by the entry point that the options name, judging by calls */
} spirv_binding;

/* A specialisation constant. */
typedef struct spirv_spec_info {
    const char *name;
    uint32_t id;   /* SpecId */
    unsigned bits; /* 1 for booleans */
    bool is_float;
    uint64_t value; /* its default, or the value from the options */
} spirv_spec_info;

typedef struct spirv_info {
    uint32_t version; /* 0x00010300 is 1.3 */
    spirv_entry *entries;
    size_t n_entries;
    spirv_binding *bindings; /* by set, binding, then order in the module */
    size_t n_bindings;
    spirv_spec_info *specs;
    size_t n_specs;
    uint32_t push_constant_size; /* bytes, from 0 to the end of the last member */
    const char *conflict;        /* of two variables at one binding, in words; NULL: none */
    const bool *spec_used;       /* of the options' specs: the module has a constant of this id */
    size_t entry;                /* index of the entry that the options name, or n_entries */
} spirv_info;

/* Looks at the entry points only, for the first one called `name` (NULL: any) of stage `*stage`
 * (NULL: any). Sets `name`, `model`, `stage_name`, `has_stage` and `stage` of `e`; e->name points
 * into the words. Returns false if there is none, or if only a full read could tell; spirv_reflect
 * finds out which. */
bool
spirv_find_entry(const uint32_t *words, size_t n_words, const char *name, const ir_stage *stage,
                 spirv_entry *e);

/* Describes what the module declares, in `ctx->arena`. options->entry and stage select the entry
 * point for the `used` flags; a module without it is not an error. */
spirv_info *
spirv_reflect(ir_ctx *ctx, const spirv_options *options, const uint32_t *words, size_t n_words);

/* Does spirv_read, and also sets what spirv_reflect reports on bindings and push constants in
 * `info`, in a single read of the module. */
ir_fn *
spirv_read_with_info(ir_ctx *ctx, const spirv_options *options, const uint32_t *words,
                     size_t n_words, spirv_info *info);

/* ---- source lines (line.c) ---- */

typedef struct spirv_line {
    const char *file;      /* in the words */
    uint32_t line, column; /* column 0: unknown */
} spirv_line;

/* Finds the source line of the instruction at word `place`: the line in force there, else the last
 * one before it in its function; for a variable of the module, its own. Returns false if the module
 * does not say it. The words need not be a valid module. */
bool
spirv_find_line(const uint32_t *words, size_t n_words, size_t place, spirv_line *out);

/* Appends the text of a source file, if the module contains it. */
bool
spirv_find_source(const uint32_t *words, size_t n_words, const char *file, base_buf *out);

#endif
