/* From a primitive's shaded vertices to the quads that it covers: culling, clipping, the viewport,
 * faces, points and lines as polygons, depth bias. */
#ifndef MACH_SETUP_H
#define MACH_SETUP_H

#include "machine/raster/primitive.h"
#include "machine/raster/raster.h"

/* The image of clip space in the window, in pixels; a negative height turns it over. */
typedef struct mach_viewport {
    float x, y, width, height, min_depth, max_depth;
} mach_viewport;

typedef enum mach_polygon_mode {
    MACH_POLYGON_FILL,
    MACH_POLYGON_LINE,
    MACH_POLYGON_POINT,
} mach_polygon_mode; /* VkPolygonMode's numbers */

typedef struct mach_depth_bias {
    float constant, clamp, slope;
    double unit; /* the depth attachment's smallest step; 0: floats, whose step is the depth's */
} mach_depth_bias;

/* Rules of a draw. */
typedef struct mach_setup_rules {
    bool clip_depth;
    unsigned clip_distances, cull_distances;
    bool cull_front, cull_back, front_is_clockwise;
    mach_polygon_mode mode;
    bool rectangles; /* triangles are three corners of parallelograms, the first one between the
                      * others, which face nowhere and are not clipped to parts */
    float line_width;
    mach_conservative conservative; /* of filled polygons alone */
    const mach_depth_bias *bias;    /* of polygons; NULL: none */
} mach_setup_rules;

typedef struct mach_vertex {
    mach_clip_input clip;
    float cull_distance[MACH_CLIP_DISTANCES];
    float point_size;
} mach_vertex;

/* A part of the window that a primitive covers: a point, line or triangle of it. */
typedef struct mach_part {
    mach_surface surface;
    bool back;         /* of a polygon that faces away */
    double bias;       /* of the depth */
    double point_size; /* pixels; 0: not a point */
} mach_part;

typedef bool
mach_visit_part(void *user, const mach_part *part, const mach_quad *quad);

/* Where primitives are drawn. */
typedef struct mach_setup {
    const mach_setup_rules *rules;
    mach_viewport viewport;
    mach_rect window; /* scissor and attachments */
    unsigned n_samples;
    uint64_t *kept; /* counts primitives of which clipping leaves something; NULL: nothing counts */
    mach_visit_part *visit;
    void *user;
} mach_setup;

/* Visits what the point, line or triangle of `n` vertices covers. Returns false if the visitor did.
 */
bool
mach_setup_primitive(const mach_setup *s, const mach_vertex *const *v, unsigned n);

/* The depth at a place in pixels, with its bias. */
double
mach_depth_at(const mach_part *part, double x, double y);

/* PointCoord at a place in pixels. */
void
mach_point_coord(const mach_part *part, double x, double y, float out[2]);

#endif
