/* Clipping to planes, one after the other (Sutherland and Hodgman 1974). What a plane cuts off is
 * replaced by a vertex on it, whose position and weights lie between those of the edge's ends. */
#include "machine/raster/primitive.h"

#include <math.h>

/* Planes in the order in which they clip; the distances follow. The first keeps w above 0: what is
 * nearer than that to the eye has no place in the window. */
enum { W, NEAR, FAR, LEFT, RIGHT, TOP, BOTTOM, DISTANCES };

static const double least_w = 1e-30;

typedef struct clipper {
    const mach_clip_rules *rules;
    const mach_clip_input *const *in;
    unsigned n; /* vertices of the primitive */
} clipper;

static double
distance(const clipper *c, const mach_clip_vertex *v, unsigned d)
{
    double rest = 1 - v->weight[0] - v->weight[1], sum = rest * (double)c->in[0]->distance[d];
    for (unsigned k = 1; k < c->n; k++)
        sum += v->weight[k - 1] * (double)c->in[k]->distance[d];
    return sum;
}

/* At least 0: inside of the plane. */
static double
inside(const clipper *c, const mach_clip_vertex *v, unsigned plane)
{
    const double *p = v->position, *guard = c->rules->guard;
    switch (plane) {
    case W: return p[3] - least_w;
    case NEAR: return p[2];
    case FAR: return p[3] - p[2];
    case LEFT: return p[0] + guard[0] * p[3];
    case RIGHT: return guard[0] * p[3] - p[0];
    case TOP: return p[1] + guard[1] * p[3];
    case BOTTOM: return guard[1] * p[3] - p[1];
    default: return distance(c, v, plane - DISTANCES);
    }
}

static mach_clip_vertex
between(const mach_clip_vertex *a, const mach_clip_vertex *b, double t)
{
    mach_clip_vertex v;
    for (unsigned k = 0; k < 4; k++)
        v.position[k] = a->position[k] + t * (b->position[k] - a->position[k]);
    for (unsigned k = 0; k < 2; k++)
        v.weight[k] = a->weight[k] + t * (b->weight[k] - a->weight[k]);
    return v;
}

/* Clips `n` vertices in place; `closed`: the last one is joined to the first. A vertex on an edge
 * is computed from its inner end, so that two triangles with that edge get the same one. */
static unsigned
clip_plane(const clipper *c, unsigned plane, mach_clip_vertex *v, unsigned n, bool closed)
{
    mach_clip_vertex out[MACH_CLIP_MOST + 1];
    unsigned kept = 0;
    for (unsigned k = 0; k < n; k++) {
        const mach_clip_vertex *a = &v[k], *b = &v[(k + 1) % n];
        double from = inside(c, a, plane), to = inside(c, b, plane);
        if (from >= 0)
            out[kept++] = *a;
        if ((k + 1 < n || closed) && (from >= 0) != (to >= 0))
            out[kept++] = from >= 0 ? between(a, b, from / (from - to))
                                    : between(b, a, to / (to - from));
    }
    for (unsigned k = 0; k < kept; k++)
        v[k] = out[k];
    return kept;
}

static bool
is_number(const mach_clip_input *in, unsigned distances)
{
    bool ok = true;
    for (unsigned k = 0; k < 4; k++)
        ok &= isfinite(in->position[k]) != 0;
    for (unsigned k = 0; k < distances; k++)
        ok &= !isnan(in->distance[k]);
    return ok;
}

unsigned
mach_clip(const mach_clip_rules *rules, const mach_clip_input *const *in, unsigned n,
          mach_clip_vertex out[MACH_CLIP_MOST])
{
    const clipper c = {rules, in, n};
    unsigned kept = n;
    for (unsigned k = 0; k < n; k++) {
        if (!is_number(in[k], rules->distances))
            return 0;
        out[k] = (mach_clip_vertex){.weight = {k == 1, k == 2}};
        for (unsigned p = 0; p < 4; p++)
            out[k].position[p] = (double)in[k]->position[p];
    }
    for (unsigned plane = W; kept && plane < DISTANCES + rules->distances; plane++) {
        bool is_depth = plane == NEAR || plane == FAR;
        if (!is_depth || rules->depth)
            kept = clip_plane(&c, plane, out, kept, n == 3);
    }
    return kept;
}
