/* A ray and a node. All is computed in double, of numbers that are floats: what the roundings leave
 * open is less than what a float can tell apart.
 *
 * Boxes are met slab by slab. A ray that meets a triangle must not miss a box around it, so a box
 * is wider by the roundings (T. Ize, "Robust BVH Ray Traversal", JCGT 2013), and where the ray
 * enters and leaves it is rounded to floats as t is, before tmin and tmax are compared with it.
 *
 * Triangles are met as in S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection",
 * JCGT 2013: seen along the ray, an edge has the same number, with the other sign, in the two
 * triangles that share it, so that a ray through it meets at least one of them. */
#include "base/ray.h"

#include "base/fp.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Several times the relative error of a difference and a quotient in double. */
#define SLACK 0x1p-48

void
base_read_node(const uint8_t bytes[BASE_NODE_BYTES], uint32_t node[BASE_NODE_BYTES / 4])
{
    for (unsigned k = 0; k < BASE_NODE_BYTES / 4; k++)
        node[k] = bytes[4 * k] | (uint32_t)bytes[4 * k + 1] << 8 |
                  (uint32_t)bytes[4 * k + 2] << 16 | (uint32_t)bytes[4 * k + 3] << 24;
}

/* ---- boxes ---- */

typedef struct box {
    double lower[3], upper[3];
} box;

/* Where the ray is inside of the slabs. */
typedef struct span {
    double enter, leave;
} span;

/* The part of the span in one slab. Returns false if there is none. A ray that is parallel to the
 * slab is in it everywhere or nowhere. */
static bool
clip_span(span *s, double lower, double upper, double origin, double direction)
{
    if (!(lower <= upper))
        return false;
    if (direction == 0)
        return lower <= origin && origin <= upper;
    const double a = (lower - origin) / direction, b = (upper - origin) / direction;
    const double near = a < b ? a : b, far = a < b ? b : a;
    const double enter = near - SLACK * fabs(near), leave = far + SLACK * fabs(far);
    s->enter = enter > s->enter ? enter : s->enter;
    s->leave = leave < s->leave ? leave : s->leave;
    return s->enter <= s->leave;
}

/* Does the ray meet the box? `*t`: where it enters it, or begins in it. */
static bool
meets_box(const base_ray *ray, const box *b, float *t)
{
    span s = {-INFINITY, INFINITY};
    for (unsigned k = 0; k < 3; k++)
        if (!clip_span(&s, b->lower[k], b->upper[k], ray->origin[k], ray->direction[k]))
            return false;
    const float enter = (float)s.enter, leave = (float)s.leave;
    *t = enter > ray->tmin ? enter : ray->tmin;
    return *t <= ray->tmax && leave >= ray->tmin;
}

/* ---- inner nodes ---- */

enum { CHILDREN = 8, BASES_AT = 4, CHILDREN_AT = 10, STEPS_AT = 58, COUNT_AT = 61 };

static uint32_t
byte_at(const uint32_t *node, unsigned at)
{
    return node[at / 4] >> 8 * (at % 4) & 0xff;
}

static box
child_box(const uint32_t *node, unsigned child)
{
    enum { STEP_BIAS = 134 };
    box b;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned base_at = BASES_AT + 2 * k, at = CHILDREN_AT + 6 * child + k;
        const uint32_t bits = byte_at(node, base_at) << 16 | byte_at(node, base_at + 1) << 24;
        const double base = base_bits_f32(bits);
        const double step = ldexp(1, (int)byte_at(node, STEPS_AT + k) - STEP_BIAS);
        b.lower[k] = base + byte_at(node, at) * step;
        b.upper[k] = base + byte_at(node, at + 3) * step;
    }
    return b;
}

typedef struct met_child {
    float t;
    uint32_t number;
} met_child;

/* The nearest comes into the highest place, and what shifts it down into the lowest bits. */
static uint32_t
list_children(const met_child *met, unsigned n)
{
    enum { FIRST = 8, EACH = 3 };
    uint32_t list = n ? FIRST + EACH * (n - 1) : 0;
    for (unsigned i = 0; i < n; i++)
        list |= met[i].number << (FIRST + EACH * (n - 1 - i));
    return list;
}

static void
meet_children(const uint32_t *node, const base_ray *ray, uint32_t out[5])
{
    const uint32_t count = byte_at(node, COUNT_AT);
    met_child met[CHILDREN];
    unsigned n = 0;
    for (uint32_t c = 0; c < count && c < CHILDREN; c++) {
        const box b = child_box(node, c);
        met_child this = {.number = c};
        if (!meets_box(ray, &b, &this.t))
            continue;
        unsigned at = n++;
        for (; at && met[at - 1].t > this.t; at--)
            met[at] = met[at - 1];
        met[at] = this;
    }
    out[0] |= n << BASE_HIT_COUNT_SHIFT;
    out[3] = list_children(met, n);
}

/* ---- triangles ---- */

typedef struct hit {
    float t, second, third; /* the weights of these points */
    bool is_front;
} hit;

/* A point in the space of the ray: the ray goes from 0 along the last axis. */
typedef struct point {
    double x, y, z;
} point;

/* The axes in the order that keeps the winding, the one along which the ray mostly goes as z. */
static void
order_axes(const float direction[3], unsigned axis[3])
{
    unsigned z = 0;
    for (unsigned k = 1; k < 3; k++)
        if (fabsf(direction[k]) > fabsf(direction[z]))
            z = k;
    const bool swap = direction[z] < 0;
    axis[0] = (z + (swap ? 2 : 1)) % 3;
    axis[1] = (z + (swap ? 1 : 2)) % 3;
    axis[2] = z;
}

static point
shear(const base_ray *ray, const unsigned axis[3], const uint32_t *words)
{
    double p[3], d[3];
    for (unsigned k = 0; k < 3; k++) {
        p[k] = (double)base_bits_f32(words[axis[k]]) - ray->origin[axis[k]];
        d[k] = ray->direction[axis[k]];
    }
    return (point){p[0] - d[0] / d[2] * p[2], p[1] - d[1] / d[2] * p[2], p[2] / d[2]};
}

static double
edge(const point *a, const point *b)
{
    return a->x * b->y - a->y * b->x;
}

/* Facing: Vulkan, "Ray Face Culling": front is where the points are in counterclockwise order, in
 * right-handed coordinates, as the ray sees them. The sum is -2 a of that section; a triangle whose
 * a is 0 is not met. */
static bool
meet_triangle(const base_ray *ray, const uint32_t *words, hit *h)
{
    unsigned axis[3];
    order_axes(ray->direction, axis);
    if (ray->direction[axis[2]] == 0)
        return false;
    const point a = shear(ray, axis, words), b = shear(ray, axis, words + 3),
                c = shear(ray, axis, words + 6);
    const double u = edge(&c, &b), v = edge(&a, &c), w = edge(&b, &a), sum = u + v + w;
    const bool all_up = u >= 0 && v >= 0 && w >= 0, all_down = u <= 0 && v <= 0 && w <= 0;
    if (!(all_up || all_down) || !(sum < 0 || sum > 0))
        return false;
    *h = (hit){.t = (float)((u * a.z + v * b.z + w * c.z) / sum),
               .second = (float)(v / sum),
               .third = (float)(w / sum),
               .is_front = sum > 0};
    return h->t > ray->tmin && h->t < ray->tmax;
}

/* ---- leaves ---- */

/* The resulting opacity: the geometry's, unless the instance forces another one, and then the ray
 * (Vulkan, "Ray Opacity Culling"). */
static bool
is_opaque(uint32_t type, uint32_t ray_flags, uint32_t geometry_flags)
{
    if (ray_flags & (BASE_RAY_OPAQUE | BASE_RAY_NOT_OPAQUE))
        return ray_flags & BASE_RAY_OPAQUE;
    if (geometry_flags & (BASE_GEOMETRY_FORCE_OPAQUE | BASE_GEOMETRY_FORCE_NOT_OPAQUE))
        return geometry_flags & BASE_GEOMETRY_FORCE_OPAQUE;
    return !(type & BASE_NODE_NOT_OPAQUE);
}

static box
leaf_box(const uint32_t *node)
{
    box b;
    for (unsigned k = 0; k < 3; k++) {
        b.lower[k] = base_bits_f32(node[1 + k]);
        b.upper[k] = base_bits_f32(node[4 + k]);
    }
    return b;
}

/* Is the instance visible to the ray, and may it have leaves that the ray's flags let through? */
static bool
lets_through(uint32_t instance, uint32_t ray_flags, uint32_t mask)
{
    enum { MASK_SHIFT = 8 };
    return (instance >> MASK_SHIFT & mask & 0xff) &&
           !(instance & BASE_INSTANCE_ALL_OPAQUE && ray_flags & BASE_RAY_CULL_OPAQUE) &&
           !(instance & BASE_INSTANCE_ALL_NOT_OPAQUE && ray_flags & BASE_RAY_CULL_NOT_OPAQUE) &&
           !(instance & BASE_INSTANCE_ALL_BOXES && ray_flags & BASE_RAY_SKIP_BOXES);
}

static bool
meets_triangle(const uint32_t *node, const base_ray *ray, uint32_t flags, uint32_t out[5])
{
    const uint32_t own = flags >> BASE_RAY_FLAGS_SHIFT;
    const uint32_t geometry = flags >> BASE_RAY_INSTANCE_SHIFT;
    hit h;
    if (own & BASE_RAY_SKIP_TRIANGLES || !meet_triangle(ray, node + 1, &h))
        return false;
    const bool is_back = h.is_front == ((geometry & BASE_GEOMETRY_FLIP_FACING) != 0);
    if (own & (is_back ? BASE_RAY_CULL_BACK : BASE_RAY_CULL_FRONT) &&
        !(geometry & BASE_GEOMETRY_NO_FACE_CULLING))
        return false;
    out[0] |= is_back ? BASE_HIT_BACK_FACE : 0;
    out[2] = base_f32_bits(h.t);
    out[3] = base_f32_bits(h.second);
    out[4] = base_f32_bits(h.third);
    return true;
}

static void
meet_leaf(const uint32_t *node, const base_ray *ray, uint32_t flags, uint32_t out[5])
{
    const uint32_t type = node[15], own = flags >> BASE_RAY_FLAGS_SHIFT & 0xfff;
    const box b = leaf_box(node);
    float t;
    bool is_met;
    if (type & BASE_NODE_INSTANCES) {
        is_met = lets_through(node[7], own, flags >> BASE_RAY_MASK_SHIFT) && meets_box(ray, &b, &t);
    } else {
        const bool opaque = is_opaque(type, own, flags >> BASE_RAY_INSTANCE_SHIFT);
        out[0] = (out[0] & ~(uint32_t)BASE_HIT_NOT_OPAQUE) | (opaque ? 0 : BASE_HIT_NOT_OPAQUE);
        if (own & (opaque ? BASE_RAY_CULL_OPAQUE : BASE_RAY_CULL_NOT_OPAQUE))
            is_met = false;
        else if (type & BASE_NODE_BOX)
            is_met = !(own & BASE_RAY_SKIP_BOXES) && meets_box(ray, &b, &t);
        else
            is_met = meets_triangle(node, ray, flags, out);
    }
    out[0] |= (uint32_t)is_met << BASE_HIT_COUNT_SHIFT;
}

void
base_ray_intersect(const uint32_t node[BASE_NODE_BYTES / 4], const base_ray *ray, uint32_t flags,
                   uint32_t out[5])
{
    enum { TYPES = BASE_NODE_INSTANCES | BASE_NODE_LEAF | BASE_NODE_NOT_OPAQUE | BASE_NODE_BOX };
    enum { TYPES_TO_HITS = 16 };
    memset(out, 0, 5 * sizeof *out);
    out[0] = (node[15] & TYPES) >> TYPES_TO_HITS;
    out[1] = node[0];
    if (node[15] & BASE_NODE_LEAF)
        meet_leaf(node, ray, flags, out);
    else
        meet_children(node, ray, out);
}
