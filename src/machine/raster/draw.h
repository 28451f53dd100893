/* A draw: vertices through a vertex shader to primitives, primitives to quads of fragments, these
 * through a fragment shader to attachments.
 *
 * The shaders are callbacks, so that the interpreter, and an emulator that is driven by a machine's
 * registers, draw with the same fixed functions. A draw is done in batches: vertices are shaded,
 * the batch's primitives are set up, their quads are shaded some at a time, and results go to the
 * attachments in the order of the primitives. What a vertex shader writes for the fragment shader
 * stays with the callbacks' owner, by place in the batch, until the next batch is shaded.
 */
#ifndef MACH_DRAW_H
#define MACH_DRAW_H

#include "base/arena.h"
#include "machine/raster/output.h"
#include "machine/raster/setup.h"

enum {
    MACH_MAX_COLORS = 8,
    MACH_MAX_VIEWPORTS = 16,
    MACH_BATCH_VERTICES = 192, /* at most */
    MACH_BATCH_PRIMITIVES = 256,
    MACH_BATCH_QUADS = 16,
};

/* ---- vertices ---- */

/* An invocation of the vertex shader. */
typedef struct mach_vertex_id {
    uint32_t vertex;   /* VertexIndex: an index as read plus the draw's offset */
    uint32_t instance; /* InstanceIndex */
} mach_vertex_id;

/* What the fixed functions take from a vertex; `layer` and `viewport` from the provoking one. */
typedef struct mach_shaded_vertex {
    mach_vertex place;
    uint32_t layer, viewport;
} mach_shaded_vertex;

typedef struct mach_vertex_batch {
    uint32_t n_vertices, n_primitives;
    const mach_vertex_id *vertices;
    mach_primitive *primitives; /* their vertices are places in this batch; a callback drops one by
                                  * setting its `n` to 0 */
    mach_shaded_vertex *shaded; /* zeros, to be set by the callback, of each vertex */
} mach_vertex_batch;

/* ---- fragments ---- */

/* Two by two fragments of a part of a primitive. Those without samples are helpers. */
typedef struct mach_fragment_quad {
    const mach_part *part;           /* weights and depth at places of it */
    const mach_primitive *primitive; /* of the batch */
    uint32_t layer, viewport;
    mach_quad at;
    uint16_t covered[4]; /* samples before early tests: SampleMask is of these */
    int8_t sample;       /* the one that is shaded; -1: the pixel */
} mach_fragment_quad;

/* What a fragment's shader wrote. Colours are patterns as its outputs have them: floats, or
 * integers for integer attachments. */
typedef struct mach_fragment {
    bool dead;       /* discarded; that of helpers is not looked at */
    uint8_t stencil; /* if the draw says that shaders write it; as for depth */
    uint16_t mask;   /* of samples; preset to all */
    float depth;
    uint32_t second[4]; /* of attachment 0, for blending with source 1 */
    uint32_t color[MACH_MAX_COLORS][4];
} mach_fragment;

typedef struct mach_fragment_batch {
    uint32_t n_quads;
    const mach_fragment_quad *quads;
    mach_fragment (*fragments)[4]; /* of each quad, to be set by the callback; zeros but `mask`.
                                    * Only the draw's n_colors colours exist */
} mach_fragment_batch;

/* Each returns false to end the draw. Without `fragments` all fragments live and have no colours:
 * depth and stencil alone are drawn. */
typedef struct mach_shading {
    bool (*vertices)(void *user, mach_vertex_batch *batch);
    bool (*fragments)(void *user, mach_fragment_batch *batch);
    void *user;
} mach_shading;

/* ---- a draw ---- */

/* Is told of bytes of an attachment that a sample reads, or changes to other values. */
typedef struct mach_attached {
    const uint8_t *at;
    uint32_t bytes;
    bool reads, writes;
} mach_attached;
typedef void
mach_attached_fn(void *user, const mach_attached *a);

/* Views of attachments: level `base_level`, whose layer 0 is `base_layer` (of 3D images: a slice).
 */
typedef struct mach_color_target {
    mach_image image;   /* the view that is drawn into; data NULL: none */
    uint8_t write_mask; /* of r, g, b, a */
    bool blends;
    mach_blend blend;
} mach_color_target;

/* Depths from the least to the most. */
typedef struct mach_depth_range {
    float least, most;
} mach_depth_range;

typedef struct mach_draw {
    /* Vertices: of indices, to which `vertex_offset` is added, or from `vertex_offset` on. */
    mach_assembly assembly;
    uint32_t vertex_offset;
    uint32_t first_instance, instances;
    uint32_t most_vertices, most_primitives; /* of a batch; 0: as many as there is room for */
    bool shares_nothing; /* vertices are shaded for each primitive that has them */
    bool provokes_once;  /* one is that provokes a primitive: it provokes no other one */

    mach_setup_rules setup;
    uint32_t n_viewports; /* primitives of other viewports and layers are not drawn */
    mach_viewport viewports[MACH_MAX_VIEWPORTS];
    mach_rect scissors[MACH_MAX_VIEWPORTS];
    mach_rect area; /* that attachments have, or a render pass */
    uint32_t layers;

    uint32_t samples; /* of a pixel: 1, 2, 4, 8, 16 */
    uint32_t sample_mask;
    bool shades_samples; /* one fragment for each sample */
    bool discards_all;   /* no rasterisation: vertices are shaded alone */
    bool alpha_to_coverage, alpha_to_one;

    /* Fragments of one pixel are shaded one after the other, and the results of the former are
     * stored before: for interlocks and for shaders that read attachments. */
    bool in_order;

    bool tests_early;  /* depth and stencil, before fragments are shaded */
    bool clamps_depth; /* to the viewport's range; else floats beyond 0 to 1 are kept */
    mach_depth_range depth_ranges[MACH_MAX_VIEWPORTS];
    bool writes_depth, writes_stencil; /* fragment shaders do */
    mach_depth_stencil depth_stencil;
    bool bounds_depth;
    float depth_bounds[2];
    mach_image depth, stencil; /* data NULL: none; both are one image for formats that have both */

    bool has_logic_op; /* in place of blending */
    mach_logic_op logic_op;
    uint32_t n_colors;
    mach_color_target colors[MACH_MAX_COLORS];

    mach_shading shading;

    mach_attached_fn *attached; /* NULL: nobody is told */
    void *attached_user;
} mach_draw;

/* What queries count. */
typedef struct mach_draw_counts {
    uint64_t vertices, primitives; /* of assembly: restarts do not count */
    uint64_t vertex_invocations;
    uint64_t clip_primitives_in, clip_primitives_out;
    uint64_t fragment_invocations; /* without helpers */
    uint64_t samples_passed;
} mach_draw_counts;

/* Draws. `scratch` is reset on return to its state at entry. Returns false if a callback did. */
bool
mach_draw_run(const mach_draw *draw, arena *scratch, mach_draw_counts *counts);

/* Sets pixels of a view to the mean of their samples, of integer formats and depths to sample 0
 * (Vulkan 1.3, "Render Pass Multisample Resolve Operations"). Both have the same size. */
void
mach_resolve(const mach_image *from, const mach_image *to);

#endif
