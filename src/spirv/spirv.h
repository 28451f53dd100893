/* SPIR-V -> HIR: reads one entry point of a module (SPIR-V 1.0 to 1.6, as Vulkan 1.3 uses it).
 *
 * `spirv_read` gives a function of the HIR level: calls inlined, variables in SSA form, control
 * flow in HIR's structured form, buffer accesses as explicit addresses. `spirv_reflect` says what
 * a module has without reading its code. Words may be of either endianness.
 *
 * Errors leave by ctx->diag with the word offset and the instruction's name in diag.loc: INVALID
 * names the rule that the module breaks, UNSUPPORTED the feature (a capability, a stage), LIMIT
 * the bound. Any input is safe: work and memory are bounded by a multiple of the module's size.
 */
#ifndef SPIRV_SPIRV_H
#define SPIRV_SPIRV_H

#include "ir/hir.h"

/* The value of the specialisation constants with this SpecId; the low bits of `value` count
 * (booleans: any bit). */
typedef struct spirv_spec {
    uint32_t id;
    uint64_t value;
} spirv_spec;

typedef struct spirv_options {
    const char *entry; /* name of the entry point; NULL: the first one of `stage` */
    ir_stage stage;
    const spirv_spec *specs; /* of equal ids the last counts; unknown ids are ignored */
    size_t n_specs;
    uint32_t subgroup_size; /* 0: known at run time only; else SubgroupSize is this constant */
    uint32_t buffer_align;  /* alignment of buffers' first byte that loads may rely on, a power of
                               two; 0 is 16 */
} spirv_options;

/* The entry point as a function in `ctx->arena`. Fails as described above. */
ir_fn *
spirv_read(ir_ctx *ctx, const spirv_options *options, const uint32_t *words, size_t n_words);

/* ---- reflection ---- */

/* An OpEntryPoint. */
typedef struct spirv_entry {
    const char *name;
    uint32_t model;         /* SPIR-V's execution model */
    const char *stage_name; /* "compute", "vertex", "ray generation" ... */
    bool has_stage;         /* `stage` is valid: HIR has this stage */
    ir_stage stage;
    uint32_t
        local_size[3]; /* compute: LocalSize, LocalSizeId or WorkgroupSize, specialised; else 0 */
} spirv_entry;

/* A variable with DescriptorSet and Binding. Several variables may share one binding. */
typedef struct spirv_binding {
    const char *name; /* "" if the module gives none: the variable's, or its block type's */
    uint32_t set, binding;
    uint32_t count; /* elements of a descriptor array, 1 for a single one, 0 for a runtime array */
    ir_desc_type type;
    ir_dim dim; /* of images */
    bool image_array, depth, multisampled;
    ir_format format;
    uint32_t size; /* bytes of a buffer's block before its runtime array, if any */
    bool read_only, write_only;
    bool used; /* by the entry point that the options name, as far as calls tell */
} spirv_binding;

/* A specialisation constant. */
typedef struct spirv_spec_info {
    const char *name;
    uint32_t id;   /* SpecId */
    unsigned bits; /* 1 for booleans */
    bool is_float;
    uint64_t value; /* its default, or as the options specialise it */
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
    size_t entry;                /* index of the entry that the options name, or n_entries */
} spirv_info;

/* A look at the entry points alone: the first one called `name` (NULL: any) of stage `*stage`
 * (NULL: any), with `name`, `model`, `stage_name`, `has_stage` and `stage` in `e`; e->name is the
 * words' own memory. False where there is none, or the words would have to be read in full to say:
 * spirv_reflect finds out. */
bool
spirv_find_entry(const uint32_t *words, size_t n_words, const char *name, const ir_stage *stage,
                 spirv_entry *e);

/* What the module declares, in `ctx->arena`. options->entry and stage choose whose `used` flags
 * are given; a module without that entry is no error here. */
spirv_info *
spirv_reflect(ir_ctx *ctx, const spirv_options *options, const uint32_t *words, size_t n_words);

/* spirv_read, and what spirv_reflect says of bindings and push constants (but for `used`) into
 * `info`, of one reading of the module. */
ir_fn *
spirv_read_with_info(ir_ctx *ctx, const spirv_options *options, const uint32_t *words,
                     size_t n_words, spirv_info *info);

#endif
