#include "machine/raster/setup.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PIXELS = 1 << 15 };

/* ---- the viewport ---- */

/* How many times w the coordinate may be, so that it lies among the pixels that the rasteriser
 * knows. */
static double
guard_of(float start, float size)
{
    double half = fabs((double)size) / 2, middle = fabs((double)start + (double)size / 2);
    double guard = half > 0 ? (MOST_PIXELS - 1 - middle) / half : 1;
    return guard > 1 ? guard : 1;
}

static int32_t
snap(double pixels)
{
    double most = MOST_PIXELS, p = pixels < -most ? -most : pixels > most ? most : pixels;
    return (int32_t)lrint(p * MACH_SUBPIXELS);
}

static mach_surface_corner
project(const mach_viewport *p, const mach_clip_vertex *v)
{
    double inv = 1 / v->position[3];
    double x = (v->position[0] * inv + 1) / 2, y = (v->position[1] * inv + 1) / 2;
    double z = v->position[2] * inv, depth = (double)p->max_depth - (double)p->min_depth;
    return (mach_surface_corner){.at = {snap((double)p->x + x * (double)p->width),
                                        snap((double)p->y + y * (double)p->height)},
                                 .z = (double)p->min_depth + z * depth,
                                 .inv_w = inv,
                                 .weight = {v->weight[0], v->weight[1]}};
}

/* ---- parts ---- */

typedef struct cover_part {
    const mach_setup *setup;
    const mach_part *part;
} cover_part;

static bool
visit_quad(void *user, const mach_quad *q)
{
    const cover_part *c = user;
    return c->setup->visit(c->setup->user, c->part, q);
}

static bool
cover(const mach_setup *s, const mach_part *part, const mach_corner *corners, unsigned n)
{
    cover_part c = {s, part};
    const mach_raster r = {
        .window = s->window, .n_samples = s->n_samples, .visit = visit_quad, .user = &c};
    return mach_cover(&r, corners, n);
}

/* The same of a filled polygon's triangle. Where a polygon was clipped to several, pixels that two
 * have parts of are covered twice, and none is full that their common edge crosses. */
static bool
cover_triangle(const mach_setup *s, const mach_part *part, const mach_corner corners[3])
{
    cover_part c = {s, part};
    const mach_raster r = {.window = s->window,
                           .n_samples = s->n_samples,
                           .conservative = s->rules->conservative,
                           .visit = visit_quad,
                           .user = &c};
    return mach_cover(&r, corners, 3);
}

static mach_corner
moved(mach_corner at, double dx, double dy)
{
    return (mach_corner){at.x + snap(dx), at.y + snap(dy)};
}

/* A square around the point. */
static bool
draw_point(const mach_setup *s, mach_part *part, double size)
{
    mach_corner at = part->surface.corner[0].at;
    double half = size / 2;
    const mach_corner v[4] = {moved(at, -half, -half), moved(at, half, -half),
                              moved(at, half, half), moved(at, -half, half)};
    mach_surface_setup(&part->surface, 1);
    part->point_size = size;
    return !(size > 0) || cover(s, part, v, 4);
}

/* A parallelogram whose ends lie along the axis that the line follows less (Vulkan 1.3, lines that
 * are not strict: "Basic Line Segment Rasterization"). */
static bool
draw_line(const mach_setup *s, mach_part *part)
{
    mach_corner a = part->surface.corner[0].at, b = part->surface.corner[1].at;
    bool flat = labs((long)b.x - a.x) >= labs((long)b.y - a.y);
    double half = (double)s->rules->line_width / 2;
    double dx = flat ? 0 : half, dy = flat ? half : 0;
    const mach_corner v[4] = {moved(a, -dx, -dy), moved(b, -dx, -dy), moved(b, dx, dy),
                              moved(a, dx, dy)};
    return !mach_surface_setup(&part->surface, 2) || cover(s, part, v, 4);
}

/* Vulkan 1.3, "Depth Bias". */
static double
bias_of(const mach_depth_bias *b, const mach_surface *s)
{
    double slope[2] = {0, 0}, deepest = 0;
    for (unsigned k = 1; k < 3; k++) {
        double dz = s->corner[k].z - s->corner[0].z;
        slope[0] += dz * s->ddx[k - 1];
        slope[1] += dz * s->ddy[k - 1];
    }
    for (unsigned k = 0; k < 3; k++)
        deepest = fmax(deepest, fabs(s->corner[k].z));
    int exponent;
    frexp(deepest, &exponent); /* deepest = m 2^exponent, 1/2 <= m < 1 */
    double unit = b->unit > 0 ? b->unit : ldexp(1, exponent - 1 - 23);
    double sum = fmax(fabs(slope[0]), fabs(slope[1])) * (double)b->slope +
                 unit * (double)b->constant;
    double clamp = (double)b->clamp;
    return clamp > 0 ? fmin(sum, clamp) : clamp < 0 ? fmax(sum, clamp) : sum;
}

/* ---- polygons ---- */

static bool
draw_triangle(const mach_setup *s, mach_part *part)
{
    const mach_surface_corner *c = part->surface.corner;
    const mach_corner v[3] = {c[0].at, c[1].at, c[2].at};
    if (!mach_surface_setup(&part->surface, 3))
        return true;
    part->bias = s->rules->bias ? bias_of(s->rules->bias, &part->surface) : 0;
    return cover_triangle(s, part, v);
}

static bool
draw_polygon_part(const mach_setup *s, const mach_vertex *v, mach_part *part)
{
    switch (s->rules->mode) {
    case MACH_POLYGON_LINE: return draw_line(s, part);
    case MACH_POLYGON_POINT: return draw_point(s, part, (double)v->point_size);
    default: return draw_triangle(s, part);
    }
}

/* A fan of triangles; or each edge, or each corner. */
static bool
draw_polygon(const mach_setup *s, const mach_vertex *v, const mach_surface_corner *c, unsigned n)
{
    mach_corner at[MACH_CLIP_MOST];
    for (unsigned k = 0; k < n; k++)
        at[k] = c[k].at;
    int64_t area = mach_polygon_area(at, n);
    bool back = (area > 0) != s->rules->front_is_clockwise;
    bool filled = s->rules->mode == MACH_POLYGON_FILL;
    if (area == 0 || (back ? s->rules->cull_back : s->rules->cull_front))
        return true;
    for (unsigned k = filled ? 1 : 0; k < n - (filled ? 1 : 0); k++) {
        mach_part part = {.back = back};
        part.surface.corner[0] = filled ? c[0] : c[k];
        part.surface.corner[1] = filled ? c[k] : c[(k + 1) % n];
        part.surface.corner[2] = c[(k + 1) % n];
        if (!draw_polygon_part(s, v, &part))
            return false;
    }
    return true;
}

/* All of the parallelogram lies in the triangle's plane. */
static bool
draw_rectangle(const mach_setup *s, const mach_surface_corner *c)
{
    mach_part part = {.surface = {.corner = {c[0], c[1], c[2]}}};
    const mach_corner v[4] = {
        c[0].at,
        c[1].at,
        {c[1].at.x + c[2].at.x - c[0].at.x, c[1].at.y + c[2].at.y - c[0].at.y},
        c[2].at};
    return !mach_surface_setup(&part.surface, 3) || cover(s, &part, v, 4);
}

/* ---- primitives ---- */

/* Is a cull distance negative at all vertices? */
static bool
is_culled(const mach_setup_rules *r, const mach_vertex *const *v, unsigned n)
{
    for (unsigned d = 0; d < r->cull_distances; d++) {
        bool all = true;
        for (unsigned k = 0; k < n; k++)
            all &= v[k]->cull_distance[d] < 0;
        if (all)
            return true;
    }
    return false;
}

bool
mach_setup_primitive(const mach_setup *s, const mach_vertex *const *v, unsigned n)
{
    const mach_viewport *p = &s->viewport;
    const mach_clip_rules clip = {.depth = s->rules->clip_depth,
                                  .guard = {guard_of(p->x, p->width), guard_of(p->y, p->height)},
                                  .distances = s->rules->clip_distances};
    const mach_clip_input *in[3] = {NULL};
    mach_clip_vertex left[MACH_CLIP_MOST];
    mach_surface_corner corner[MACH_CLIP_MOST] = {{.z = 0}};
    for (unsigned k = 0; k < n; k++)
        in[k] = &v[k]->clip;
    if (is_culled(s->rules, v, n))
        return true;
    unsigned kept = mach_clip(&clip, in, n, left);
    if (kept < n)
        return true;
    if (s->kept)
        *s->kept += 1;
    for (unsigned k = 0; k < kept; k++)
        corner[k] = project(p, &left[k]);
    if (n == 3 && s->rules->rectangles)
        return draw_rectangle(s, corner);
    if (n == 3)
        return draw_polygon(s, v[0], corner, kept);
    mach_part part = {.surface = {.corner = {corner[0], corner[n - 1]}}};
    return n == 2 ? draw_line(s, &part) : draw_point(s, &part, (double)v[0]->point_size);
}

double
mach_depth_at(const mach_part *part, double x, double y)
{
    return mach_surface_depth(&part->surface, x, y) + part->bias;
}

void
mach_point_coord(const mach_part *part, double x, double y, float out[2])
{
    const mach_corner *at = &part->surface.corner[0].at;
    double size = part->point_size > 0 ? part->point_size : 1;
    out[0] = (float)((x - at->x / (double)MACH_SUBPIXELS) / size + 0.5);
    out[1] = (float)((y - at->y / (double)MACH_SUBPIXELS) / size + 0.5);
}
