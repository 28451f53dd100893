/* The parts of a draw (internal to draw*.c). */
#ifndef MACH_DRAW_RUN_H
#define MACH_DRAW_RUN_H

#include "machine/raster/draw.h"

/* A place in an attachment. */
typedef struct mach_pixel {
    int32_t x, y;
    uint32_t layer;
} mach_pixel;

static inline mach_pixel
mach_pixel_of(const mach_fragment_quad *q, unsigned k)
{
    return (mach_pixel){q->at.x + (int32_t)(k & 1), q->at.y + (int32_t)(k >> 1), q->layer};
}

/* The bytes of a sample of an attachment, or NULL outside. */
static inline uint8_t *
mach_sample_bytes(const mach_image *m, const mach_pixel *p, unsigned sample)
{
    uint64_t at = mach_texel_offset(m, (uint32_t)p->x, (uint32_t)p->y, m->base_layer + p->layer,
                                    m->base_level, sample);
    return at == UINT64_MAX ? NULL : m->data + at;
}

/* ---- depth and stencil ---- */

/* Depths are in steps of fixed-point formats, else numbers. */
typedef struct mach_depth_tests {
    const mach_draw *draw;
    const mach_sample_place *places;
    mach_depth_stencil rules; /* of what is attached */
    bool any;                 /* something is tested */
    bool bounds;
    double steps; /* of 1; 0: floats */
    unsigned depth_bytes, stencil_at;
} mach_depth_tests;

mach_depth_tests
mach_depth_tests_of(const mach_draw *draw);

/* Tests samples of pixel `k` and stores depth and stencil. `f` is what its shader wrote, NULL
 * before it is shaded. Returns the samples that pass. */
uint16_t
mach_depth_tests_pixel(const mach_depth_tests *t, const mach_fragment_quad *q, unsigned k,
                       uint16_t samples, const mach_fragment *f);

/* ---- colours ---- */

enum { MACH_MAX_TEXEL = 16 /* bytes of an attachment's */ };

typedef struct mach_color_store {
    const mach_draw *draw;
    const mach_image *image;
    const mach_blend *blend; /* NULL: none */
    bool has_logic_op;
    mach_logic_op logic_op;
    mach_color_range range;
    unsigned bytes;
    bool whole;                      /* all bits are written */
    uint8_t written[MACH_MAX_TEXEL]; /* bits that are */
    int8_t unorm8[4]; /* of 8-bit normalised texels: the component of each byte; else -1 first */
} mach_color_store;

mach_color_store
mach_color_store_of(const mach_draw *draw, unsigned attachment);

/* Stores a fragment's colour to samples of a pixel. */
void
mach_color_store_pixel(const mach_color_store *s, const mach_pixel *at, uint16_t samples,
                       const uint32_t color[2][4]);

/* ---- quads ---- */

typedef struct mach_quad_stage {
    const mach_draw *draw;
    mach_draw_counts *counts;
    mach_depth_tests depth;
    mach_color_store colors[MACH_MAX_COLORS];
    const mach_primitive *primitive; /* from which quads come, and where to */
    uint32_t layer, viewport;
    uint32_t n_quads, n_parts;
    mach_part parts[MACH_BATCH_QUADS];
    mach_fragment_quad quads[MACH_BATCH_QUADS];
    mach_fragment fragments[MACH_BATCH_QUADS][4];
} mach_quad_stage;

void
mach_quad_stage_begin(mach_quad_stage *s, const mach_draw *draw, mach_draw_counts *counts);

/* Draws a primitive, whose quads may be kept until there are more. */
bool
mach_quad_stage_primitive(mach_quad_stage *s, const mach_primitive *p,
                          const mach_shaded_vertex *shaded);

/* Shades the quads that are kept. */
bool
mach_quad_stage_flush(mach_quad_stage *s);

#endif
