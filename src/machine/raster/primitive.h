/* From a draw's vertices to primitives in the window: assembly, clipping. Enumerations have
 * Vulkan's numbers. */
#ifndef MACH_PRIMITIVE_H
#define MACH_PRIMITIVE_H

#include <stdbool.h>
#include <stdint.h>

/* ---- assembly ---- */

typedef enum mach_topology {
    MACH_POINT_LIST,
    MACH_LINE_LIST,
    MACH_LINE_STRIP,
    MACH_TRIANGLE_LIST,
    MACH_TRIANGLE_STRIP,
    MACH_TRIANGLE_FAN,
    MACH_LINE_LIST_ADJACENCY,
    MACH_LINE_STRIP_ADJACENCY,
    MACH_TRIANGLE_LIST_ADJACENCY,
    MACH_TRIANGLE_STRIP_ADJACENCY,
    MACH_PATCH_LIST,
} mach_topology;

/* A point, line or triangle; the first vertex is the provoking one, and triangles keep their
 * orientation. */
typedef struct mach_primitive {
    uint32_t id;        /* PrimitiveId: counts from 0 in each instance, over restarts */
    uint32_t vertex[3]; /* places in the draw's sequence of vertices */
    uint8_t n;          /* vertices */
} mach_primitive;

typedef struct mach_assembly {
    mach_topology topology;
    bool last_provokes;    /* the last vertex is the provoking one, which comes first */
    const uint32_t *index; /* the draw's indices as read; NULL: not indexed */
    uint32_t count;        /* vertices of the draw */
    bool restart;          /* where an index is `restart_index` */
    uint32_t restart_index;
} mach_assembly;

/* The vertices of a primitive, 1 to 3, without those for geometry shaders alone; 3 of patches. */
unsigned
mach_primitive_vertices(mach_topology t);

/* Returns false to end the walk. */
typedef bool
mach_visit_primitive(void *user, const mach_primitive *p);

/* Visits the primitives in order; incomplete ones are left out. Vertices that are for geometry
 * shaders alone are passed over; patches have none. Returns false if the visitor did. */
bool
mach_assemble(const mach_assembly *a, mach_visit_primitive *visit, void *user);

/* ---- clipping ---- */

enum { MACH_CLIP_DISTANCES = 8, MACH_CLIP_MOST = 3 + 7 + MACH_CLIP_DISTANCES };

typedef struct mach_clip_vertex {
    double position[4];
    /* of the primitive's vertices 1 and 2; vertex 0 has the rest */
    double weight[2];
} mach_clip_vertex;

typedef struct mach_clip_rules {
    bool depth;         /* to 0 <= z <= w */
    double guard[2];    /* x and y are clipped to this many w */
    unsigned distances; /* number of clip distances */
} mach_clip_rules;

/* The vertex shader's results for one vertex. */
typedef struct mach_clip_input {
    float position[4];
    float distance[MACH_CLIP_DISTANCES];
} mach_clip_input;

/* Clips a point, line or triangle of `n` vertices. Sets `out` to what is left, a convex polygon in
 * the same order (or a point, or a line), and returns its number of vertices, 0 for none. Positions
 * that are not numbers leave nothing. */
unsigned
mach_clip(const mach_clip_rules *rules, const mach_clip_input *const *in, unsigned n,
          mach_clip_vertex out[MACH_CLIP_MOST]);

#endif
