/* Which samples of the window a point, line or triangle covers, and how its vertices weigh there.
 *
 * Rules are Vulkan's (1.3, "Rasterization"), which hardware of all families follows: positions are
 * rounded to 1/256 of a pixel, a sample is covered if it lies inside, and of two triangles with a
 * common edge exactly one covers a sample on it: that of which it is a top or left edge.
 * Coordinates count from the window's upper left corner, y downwards.
 */
#ifndef MACH_RASTER_H
#define MACH_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum { MACH_SUBPIXELS = 256, MACH_MAX_SAMPLES = 16, MACH_MAX_CORNERS = 4 };

/* In units of 1 / MACH_SUBPIXELS pixels, at most 2^15 pixels from the origin. */
typedef struct mach_corner {
    int32_t x, y;
} mach_corner;

/* Pixels [x0, x1) x [y0, y1). */
typedef struct mach_rect {
    int32_t x0, y0, x1, y1;
} mach_rect;

/* Two by two pixels, of which `x` and `y` (even) are the first; then right, below, and both. */
typedef struct mach_quad {
    int32_t x, y;
    uint16_t samples[4]; /* covered samples of each pixel, a bit each */
    uint8_t full;        /* pixels all of whose area is covered, a bit each */
} mach_quad;

/* Called for each quad with a covered sample, rows from the top, each from the left. Returns false
 * to end the walk. */
typedef bool
mach_visit_quad(void *user, const mach_quad *quad);

/* Where the samples of a pixel are, in 1/16 of a pixel from its upper left corner: the standard
 * places for 1, 2, 4, 8 or 16 samples (Vulkan 1.3, "Multisampling"). NULL for other numbers. */
typedef struct mach_sample_place {
    uint8_t x, y;
} mach_sample_place;

const mach_sample_place *
mach_sample_places(unsigned n_samples);

/* Which pixels a triangle covers: by their samples; all samples of those of whose area it has a
 * part; or of those whose area it has (Vulkan's conservative rasterization). */
typedef enum mach_conservative {
    MACH_BY_SAMPLES,
    MACH_OVERESTIMATE,
    MACH_UNDERESTIMATE,
} mach_conservative; /* VkConservativeRasterizationModeEXT's numbers */

/* What is drawn into, and who hears of it. */
typedef struct mach_raster {
    mach_rect window;
    unsigned n_samples; /* of a pixel */
    mach_conservative conservative;
    mach_visit_quad *visit;
    void *user;
} mach_raster;

/* Twice the area of a polygon, in units of a subpixel's; positive: clockwise as seen. */
int64_t
mach_polygon_area(const mach_corner *v, unsigned n);

/* Visits what the convex polygon of 3 or 4 corners, in either orientation, covers inside the
 * window. A polygon without area covers nothing. Returns false if the visitor did. */
bool
mach_cover(const mach_raster *r, const mach_corner *corners, unsigned n);

/* ---- surfaces ---- */

/* A corner of a surface: what is left of a primitive's vertex, or a place where it was clipped. */
typedef struct mach_surface_corner {
    mach_corner at;
    double z;         /* in the window */
    double inv_w;     /* 1 / w of the clip coordinates */
    double weight[2]; /* of the primitive's vertices 1 and 2; vertex 0 has the rest */
} mach_surface_corner;

/* A point, line or triangle in the window, over which depth and attributes vary. */
typedef struct mach_surface {
    mach_surface_corner corner[3];
    /* set by mach_surface_setup: of the shares of corners 1 and 2, per pixel */
    double ddx[2], ddy[2];
    double area; /* of triangles: twice, in pixels; positive: clockwise as seen */
} mach_surface;

/* Of `n` corners. Along a line shares grow by the distance from its beginning. Returns false for
 * a triangle without area and a line without length: all of it is then as its first corner. */
bool
mach_surface_setup(mach_surface *s, unsigned n);

/* At a place in pixels: the weights of the primitive's vertices 1 and 2, linear in the window and
 * with perspective, the depth and 1 / w. */
typedef struct mach_weights {
    float linear[2], perspective[2];
    double z, inv_w;
} mach_weights;

mach_weights
mach_weights_at(const mach_surface *s, double x, double y);

/* The same depth alone. That of a surface whose corners have one depth is exactly this one. */
double
mach_surface_depth(const mach_surface *s, double x, double y);

#endif
