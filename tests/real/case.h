/* A shader and its inputs: everything that one run on a device needs, made from the module's own
 * declarations and a seed.
 *
 * A plan says how bold the choices are. The seed selects specialisation constants, a profile of
 * values (fill.h), formats, samplers and the number of groups. A shader that fails with these (it
 * accesses memory beyond its workgroup's, never ends, or its groups race) is retried with one
 * group, then with its own defaults, then with tame values. So the plan depends only on module and
 * seed.
 */
#ifndef REAL_CASE_H
#define REAL_CASE_H

#include "drawing.h"
#include "spirv/reader.h"

typedef enum real_attempt {
    REAL_BOLD,
    REAL_ONE_GROUP,   /* this and all further attempts run one group */
    REAL_DEFAULTS,    /* specialisation constants have their defaults, here and below */
    REAL_TAME_VALUES, /* profile REAL_TAME */
    REAL_ZERO_VALUES,
    REAL_ATTEMPTS,
} real_attempt;

typedef struct real_plan {
    uint64_t seed;
    real_attempt attempt;
} real_plan;

/* A buffer or an image, and the type of its contents in the module. */
typedef struct real_buffer {
    amber_buffer amber; /* first, so that bindings point here; .index is its index in the case */
    const spirv_type *type; /* the block's; NULL: texels of amber.type->texel */
} real_buffer;

typedef struct real_case {
    arena *arena;
    spirv_options options;
    spirv_reader reader;
    spirv_info *info;
    const uint32_t *words;
    size_t n_words;
    const char *skip; /* why it cannot be run, or NULL */
    real_plan plan;
    real_buffer **buffers;
    size_t n_buffers, cap_buffers;
    uint8_t **contents; /* initial bytes of each buffer */
    amber_shader shader;
    amber_attach stage;
    amber_pipeline pipeline;
    size_t cap_bindings;
    const amber_buffer **addressed;
    uint32_t n_addressed;
    bool has_specials; /* NaNs, infinities and denormals among the floats */
    bool packs_floats; /* the shader may pack floats into integers */
    uint8_t *push;
    uint32_t push_size;
    real_drawing *drawing;        /* NULL: it computes */
    uint32_t local[3], groups[3]; /* of a draw: vertices and instances */
} real_case;

/* The case of the module's first compute entry point or, where `drawn` is not NULL, of its first
 * vertex or fragment entry point; NULL if the plan's constants make absurdly large blocks. Reports
 * a module that cannot be read through ctx->diag. `ctx->arena` and `ctx->scratch`
 * must be the same. */
real_case *
real_case_make(ir_ctx *ctx, const uint32_t *words, size_t n_words, real_plan plan,
               const real_drawn *drawn);

/* Runs the case on a device, with fresh copies of the contents of all buffers in `memory`, and at
 * most `limit` instructions a wave. Returns false (with the result set) on failure. */
bool
real_case_run(const real_case *c, amber_device *device, uint64_t limit, amber_memory *memory,
              amber_result *result);

#endif
