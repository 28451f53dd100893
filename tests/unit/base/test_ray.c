/* Rays and nodes: boxes and their order, triangles, what flags rule out, and random ones against
 * other formulas. */
#include "base/ray.h"

#include "base/bits.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = BASE_NODE_BYTES / 4, ALL = 0xff << BASE_RAY_MASK_SHIFT };

static const base_ray along_x = {{0, 0, 0}, 0, {1, 0, 0}, 1000};

static unsigned
count_of(const uint32_t out[5])
{
    return out[0] >> BASE_HIT_COUNT_SHIFT & 15;
}

/* ---- nodes ---- */

static void
put_byte(uint32_t *node, unsigned at, uint32_t value)
{
    node[at / 4] = (node[at / 4] & ~(0xffu << 8 * (at % 4))) | value << 8 * (at % 4);
}

/* An inner node whose steps are 1, with its base at 0, 0, 0. */
static void
make_inner(uint32_t node[WORDS], unsigned children)
{
    memset(node, 0, BASE_NODE_BYTES);
    node[0] = 100;
    for (unsigned k = 0; k < 3; k++)
        put_byte(node, 58 + k, 134);
    put_byte(node, 61, children);
}

static void
put_child(uint32_t *node, unsigned child, const uint8_t lower[3], const uint8_t upper[3])
{
    for (unsigned k = 0; k < 3; k++) {
        put_byte(node, 10 + 6 * child + k, lower[k]);
        put_byte(node, 13 + 6 * child + k, upper[k]);
    }
}

static void
make_leaf(uint32_t node[WORDS], const float points[9], uint32_t type)
{
    memset(node, 0, BASE_NODE_BYTES);
    node[0] = 7;
    for (unsigned k = 0; k < 9; k++)
        node[1 + k] = base_f32_bits(points[k]);
    node[15] = BASE_NODE_LEAF | type;
}

/* In the plane z = 2, counterclockwise for whom looks from below along z: their back. */
static const float flat[9] = {0, 0, 2, 4, 0, 2, 0, 4, 2};

static const float unit_box[9] = {1, 1, 1, 2, 2, 2};

static bool
meets(const uint32_t node[WORDS], const base_ray *ray, uint32_t flags)
{
    uint32_t out[5];
    base_ray_intersect(node, ray, flags, out);
    return count_of(out) != 0;
}

static bool
meets_flat(const base_ray *ray)
{
    uint32_t node[WORDS];
    make_leaf(node, flat, 0);
    return meets(node, ray, ALL);
}

/* ---- inner nodes ---- */

/* The children in the order of the list: by its own lowest bits, then three down each. */
static unsigned
read_list(const uint32_t out[5], unsigned numbers[8])
{
    unsigned n = 0;
    if (!count_of(out)) {
        assert_int_equal(out[3], 0);
        return 0;
    }
    for (unsigned shift = out[3] & 31; shift >= 8; shift -= 3)
        numbers[n++] = out[3] >> shift & 7;
    assert_int_equal(n, count_of(out));
    if ((out[3] & 31) < 29)
        assert_int_equal(out[3] >> ((out[3] & 31) + 3), 0);
    return n;
}

static void
test_order(void **state)
{
    /* where the eight boxes begin in x; the ray starts within two of them */
    static const uint8_t x[8] = {70, 10, 30, 1, 30, 90, 0, 50};
    static const unsigned forward[8] = {3, 6, 1, 2, 4, 7, 0, 5},
                          backward[8] = {5, 0, 7, 2, 4, 1, 3, 6};
    uint32_t node[WORDS], out[5];
    unsigned got[8];
    (void)state;
    make_inner(node, 8);
    for (unsigned c = 0; c < 8; c++)
        put_child(node, c, (uint8_t[]){x[c], 0, 0}, (uint8_t[]){(uint8_t)(x[c] + 5), 9, 9});
    base_ray ray = {{2, 3, 3}, 0, {2, 0, 0}, 100};
    base_ray_intersect(node, &ray, ALL, out);
    assert_int_equal(out[0], 8 << BASE_HIT_COUNT_SHIFT);
    assert_int_equal(out[1], 100);
    assert_int_equal(out[3] & 31, 29);
    assert_int_equal(read_list(out, got), 8);
    assert_memory_equal(got, forward, sizeof got);
    ray = (base_ray){{200, 3, 3}, 0, {-1, 0, 0}, 1000};
    base_ray_intersect(node, &ray, ALL, out);
    read_list(out, got);
    assert_memory_equal(got, backward, sizeof got);
    /* the first words say how many there are */
    for (unsigned n = 0; n <= 8; n++) {
        put_byte(node, 61, n);
        base_ray_intersect(node, &ray, ALL, out);
        assert_int_equal(read_list(out, got), n);
    }
}

static void
test_some_children(void **state)
{
    uint32_t node[WORDS], out[5];
    unsigned got[8];
    (void)state;
    make_inner(node, 3);
    node[15] |= BASE_NODE_INSTANCES;
    put_child(node, 0, (uint8_t[]){20, 0, 0}, (uint8_t[]){21, 9, 9});
    put_child(node, 1, (uint8_t[]){10, 5, 5}, (uint8_t[]){11, 9, 9});
    put_child(node, 2, (uint8_t[]){5, 0, 0}, (uint8_t[]){6, 9, 9});
    const base_ray ray = {{0, 1, 1}, 0, {1, 0, 0}, 1000};
    base_ray_intersect(node, &ray, ALL, out);
    assert_int_equal(out[0], BASE_HIT_INSTANCES | 2 << BASE_HIT_COUNT_SHIFT);
    assert_int_equal(out[3], 11 | 2 << 11 | 0 << 8);
    assert_int_equal(read_list(out, got), 2);
}

/* Base and steps: x from -8 in steps of 1/4, y from 1 in steps of 2, z from 0 in steps of 2^-127. */
static void
test_steps(void **state)
{
    uint32_t node[WORDS];
    (void)state;
    make_inner(node, 1);
    node[1] = 0x3f80c100;
    put_byte(node, 58, 132);
    put_byte(node, 59, 135);
    put_byte(node, 60, 7);
    put_child(node, 0, (uint8_t[]){4, 1, 0}, (uint8_t[]){6, 3, 255}); /* x -7 to -6.5, y 3 to 7 */
    assert_true(meets(node, &(base_ray){{-7, 3, 0}, 0, {0, 0, 1}, 1}, ALL));
    assert_true(meets(node, &(base_ray){{-6.5f, 7, 0}, 0, {0, 0, 1}, 1}, ALL));
    assert_false(meets(node, &(base_ray){{-7.01f, 3, 0}, 0, {0, 0, 1}, 1}, ALL));
    assert_false(meets(node, &(base_ray){{-6.49f, 3, 0}, 0, {0, 0, 1}, 1}, ALL));
    assert_false(meets(node, &(base_ray){{-7, 2.99f, 0}, 0, {0, 0, 1}, 1}, ALL));
    assert_false(meets(node, &(base_ray){{-7, 7.01f, 0}, 0, {0, 0, 1}, 1}, ALL));
    assert_true(meets(node, &(base_ray){{-7, 3, 0x1p-120f}, 0, {0, 0, 0}, 1}, ALL));
    assert_false(meets(node, &(base_ray){{-7, 3, 0x1p-118f}, 0, {0, 0, 0}, 1}, ALL));
}

/* ---- boxes ---- */

static void
test_box(void **state)
{
    static const struct {
        base_ray ray;
        bool met;
    } cases[] = {
        {{{0, 1.5f, 1.5f}, 0, {1, 0, 0}, 10}, true},
        {{{0, 1.5f, 1.5f}, 0, {-1, 0, 0}, 10}, false},
        {{{3, 1.5f, 1.5f}, 0, {-1, 0, 0}, 10}, true},
        {{{0, 1.5f, 1.5f}, 0, {1, 0, 0}, 1}, true}, /* at tmax */
        {{{0, 1.5f, 1.5f}, 0, {1, 0, 0}, 0.999999f}, false},
        {{{0, 1.5f, 1.5f}, 2, {1, 0, 0}, 10}, true}, /* at tmin */
        {{{0, 1.5f, 1.5f}, 2.000001f, {1, 0, 0}, 10}, false},
        {{{1.5f, 1.5f, 1.5f}, 0, {1, 1, 1}, 0.01f}, true}, /* within */
        {{{0, 1, 1}, 0, {1, 0, 0}, 10}, true},             /* along an edge */
        {{{0, 2, 2}, 0, {1, -0.0f, 0}, 10}, true},
        {{{0, 0.999999f, 1}, 0, {1, 0, 0}, 10}, false},
        {{{0, 2.000001f, 2}, 0, {1, 0, 0}, 10}, false},
        {{{0, 1, 1.5f}, 0, {1, 1, 0}, 10}, true}, /* through an edge */
        {{{0, 1.000001f, 1.5f}, 0, {1, 1, 0}, 10}, false},
        {{{0, 0, 0}, 0, {1, 1, 1}, 10}, true}, /* through two corners */
        {{{2, 2, 2}, 0, {1, 1, 1}, 10}, true},
        {{{2, 2, 2.000001f}, 0, {1, 1, 1}, 10}, false},
        {{{0, 1.5f, 1.5f}, 0, {0, 0, 0}, 10}, false},
        {{{0, 1.5f, 1.5f}, 5, {1, 0, 0}, 4}, false}, /* no part of the ray is left */
        {{{0, 1.5f, 1.5f}, NAN, {1, 0, 0}, 10}, false},
        {{{0, 1.5f, 1.5f}, 0, {1, 0, 0}, INFINITY}, true},
        {{{0, 1.5f, 1.5f}, 0, {0x1p-140f, 0, 0}, INFINITY}, true},
    };
    uint32_t node[WORDS];
    (void)state;
    make_leaf(node, unit_box, BASE_NODE_BOX);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (meets(node, &cases[i].ray, ALL) != cases[i].met)
            fail_msg("case %u", (unsigned)i);
    uint32_t out[5];
    base_ray_intersect(node, &cases[0].ray, ALL, out);
    const uint32_t expected[5] = {BASE_HIT_LEAF | BASE_HIT_BOX | 1 << BASE_HIT_COUNT_SHIFT, 7, 0, 0,
                                  0};
    assert_memory_equal(out, expected, sizeof out);
}

static void
test_odd_boxes(void **state)
{
    uint32_t node[WORDS];
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        make_leaf(node, unit_box, BASE_NODE_BOX);
        node[1 + k] = base_f32_bits(NAN);
        assert_false(meets(node, &(base_ray){{1.5f, 1.5f, 1.5f}, 0, {1, 2, 3}, 10}, ALL));
    }
    make_leaf(node, (const float[9]){2, 1, 1, 1, 2, 2}, BASE_NODE_BOX);
    assert_false(meets(node, &(base_ray){{0, 1.5f, 1.5f}, 0, {1, 0, 0}, 10}, ALL));
    make_leaf(node, (const float[9]){3, -1, -1, 3, 1, 1}, BASE_NODE_BOX);
    assert_true(meets(node, &along_x, ALL)); /* flat */
    make_leaf(node, (const float[9]){-INFINITY, 0, -INFINITY, INFINITY, 0, INFINITY},
              BASE_NODE_BOX);
    assert_true(meets(node, &along_x, ALL));
}

/* ---- triangles ---- */

static void
test_triangle(void **state)
{
    uint32_t node[WORDS], out[5];
    const base_ray ray = {{1, 2, 0}, 0, {0, 0, 4}, 10};
    (void)state;
    make_leaf(node, flat, 0);
    base_ray_intersect(node, &ray, ALL, out);
    assert_int_equal(out[0], BASE_HIT_LEAF | BASE_HIT_BACK_FACE | 1 << BASE_HIT_COUNT_SHIFT);
    assert_int_equal(out[1], 7);
    assert_true(base_bits_f32(out[2]) == 0.5f);
    assert_true(base_bits_f32(out[3]) == 0.25f);
    assert_true(base_bits_f32(out[4]) == 0.5f);
    base_ray_intersect(node, &(base_ray){{1, 2, 4}, 0, {0, 0, -1}, 10}, ALL, out);
    assert_int_equal(out[0], BASE_HIT_LEAF | 1 << BASE_HIT_COUNT_SHIFT);
    assert_true(base_bits_f32(out[2]) == 2);
    assert_true(base_bits_f32(out[3]) == 0.25f && base_bits_f32(out[4]) == 0.5f);
}

static void
test_triangle_ends(void **state)
{
    (void)state;
    assert_true(meets_flat(&(base_ray){{1, 1, 0}, 1.999999f, {0, 0, 1}, 2.000001f}));
    assert_false(meets_flat(&(base_ray){{1, 1, 0}, 2, {0, 0, 1}, 10})); /* t > tmin */
    assert_false(meets_flat(&(base_ray){{1, 1, 0}, 0, {0, 0, 1}, 2}));  /* t < tmax */
    assert_true(meets_flat(&(base_ray){{0, 0, 0}, 0, {0, 0, 1}, 10}));  /* a corner */
    assert_true(meets_flat(&(base_ray){{2, 2, 0}, 0, {0, 0, 1}, 10}));  /* an edge */
    assert_false(meets_flat(&(base_ray){{2, 2.000001f, 0}, 0, {0, 0, 1}, 10}));
    assert_false(meets_flat(&(base_ray){{1, -0.000001f, 0}, 0, {0, 0, 1}, 10}));
    assert_false(meets_flat(&(base_ray){{-1, 1, 2}, 0, {1, 0, 0}, 10})); /* in its plane */
    assert_false(meets_flat(&(base_ray){{1, 1, 0}, 0, {0, 0, 0}, 10}));
}

static void
test_odd_triangles(void **state)
{
    const base_ray ray = {{1, 1, 0}, 0, {0, 0, 1}, 10};
    uint32_t node[WORDS];
    (void)state;
    for (unsigned k = 0; k < 9; k++) {
        make_leaf(node, flat, 0);
        node[1 + k] = base_f32_bits(NAN);
        assert_false(meets(node, &ray, ALL));
    }
    make_leaf(node, (const float[9]){0, 0, 2, 2, 2, 2, 4, 4, 2}, 0);
    assert_false(meets(node, &ray, ALL)); /* has no area */
}

/* All axes and signs: front is where the normal of a counterclockwise order looks. */
static void
test_facing(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        const unsigned z = k / 2, x = (z + 1) % 3, y = (z + 2) % 3;
        const float sign = k % 2 ? -1 : 1;
        float points[9] = {0};
        base_ray ray = {{0.25f, 0.25f, 0.25f}, 0, {0, 0, 0}, 10};
        uint32_t node[WORDS], out[5];
        points[3 + x] = points[6 + y] = 1; /* its normal is along z */
        ray.origin[z] = -3 * sign;
        ray.direction[z] = sign;
        make_leaf(node, points, 0);
        base_ray_intersect(node, &ray, ALL, out);
        assert_int_equal(count_of(out), 1);
        assert_int_equal((out[0] & BASE_HIT_BACK_FACE) != 0, sign > 0);
    }
}

/* ---- flags ---- */

static void
test_face_culling(void **state)
{
    uint32_t node[WORDS], out[5];
    (void)state;
    make_leaf(node, flat, 0);
    for (unsigned k = 0; k < 32; k++) {
        const bool from_above = k & 1, cull_back = k & 2, cull_front = k & 4, flip = k & 8,
                   off = k & 16;
        const base_ray ray = {{1, 1, from_above ? 4 : 0}, 0, {0, 0, from_above ? -1 : 1}, 10};
        const uint32_t flags =
            ALL | (uint32_t)(cull_back ? BASE_RAY_CULL_BACK : 0) << BASE_RAY_FLAGS_SHIFT |
            (uint32_t)(cull_front ? BASE_RAY_CULL_FRONT : 0) << BASE_RAY_FLAGS_SHIFT |
            (uint32_t)(flip ? BASE_GEOMETRY_FLIP_FACING : 0) << BASE_RAY_INSTANCE_SHIFT |
            (uint32_t)(off ? BASE_GEOMETRY_NO_FACE_CULLING : 0) << BASE_RAY_INSTANCE_SHIFT;
        const bool front = from_above != flip, culled = !off && (front ? cull_front : cull_back);
        base_ray_intersect(node, &ray, flags, out);
        assert_int_equal(count_of(out), !culled);
        if (!culled)
            assert_int_equal((out[0] & BASE_HIT_BACK_FACE) != 0, !front);
    }
    /* boxes have no faces */
    make_leaf(node, unit_box, BASE_NODE_BOX);
    const base_ray ray = {{0, 1.5f, 1.5f}, 0, {1, 0, 0}, 10};
    assert_true(meets(node, &ray, ALL | BASE_RAY_CULL_BACK << BASE_RAY_FLAGS_SHIFT));
    assert_true(meets(node, &ray, ALL | BASE_RAY_CULL_FRONT << BASE_RAY_FLAGS_SHIFT));
}

/* Geometry, instance, ray: each later one that says something wins. */
static void
test_opacity(void **state)
{
    static const uint32_t own[5] = {0, BASE_RAY_OPAQUE, BASE_RAY_NOT_OPAQUE, BASE_RAY_CULL_OPAQUE,
                                    BASE_RAY_CULL_NOT_OPAQUE};
    static const uint32_t forced[3] = {0, BASE_GEOMETRY_FORCE_OPAQUE,
                                       BASE_GEOMETRY_FORCE_NOT_OPAQUE};
    const base_ray ray = {{1.5f, 1.5f, 0}, 0, {0, 0, 1}, 10};
    (void)state;
    for (unsigned k = 0; k < 2 * 5 * 3 * 2; k++) {
        const unsigned ray_row = k / 2 % 5, instance_row = k / 10 % 3;
        const bool is_box = k / 30;
        uint32_t node[WORDS], out[5];
        make_leaf(node, is_box ? unit_box : flat,
                  (k % 2 ? BASE_NODE_NOT_OPAQUE : 0) | (is_box ? BASE_NODE_BOX : 0));
        bool opaque = k % 2 == 0;
        opaque = instance_row ? instance_row == 1 : opaque;
        opaque = ray_row == 1 || ray_row == 2 ? ray_row == 1 : opaque;
        const bool culled = (ray_row == 3 && opaque) || (ray_row == 4 && !opaque);
        base_ray_intersect(node, &ray,
                           ALL | own[ray_row] << BASE_RAY_FLAGS_SHIFT |
                               forced[instance_row] << BASE_RAY_INSTANCE_SHIFT,
                           out);
        assert_int_equal(count_of(out), !culled);
        assert_int_equal((out[0] & BASE_HIT_NOT_OPAQUE) != 0, !opaque);
        assert_int_equal((out[0] & BASE_HIT_BOX) != 0, is_box);
    }
}

static void
test_skipping(void **state)
{
    const base_ray ray = {{1.5f, 1.5f, 0}, 0, {0, 0, 1}, 10};
    const uint32_t no_triangles = BASE_RAY_SKIP_TRIANGLES << BASE_RAY_FLAGS_SHIFT,
                   no_boxes = BASE_RAY_SKIP_BOXES << BASE_RAY_FLAGS_SHIFT;
    uint32_t node[WORDS];
    (void)state;
    make_leaf(node, flat, 0);
    assert_false(meets(node, &ray, ALL | no_triangles));
    assert_true(meets(node, &ray, ALL | no_boxes));
    make_leaf(node, unit_box, BASE_NODE_BOX);
    assert_true(meets(node, &ray, ALL | no_triangles));
    assert_false(meets(node, &ray, ALL | no_boxes));
    /* masks are of instances */
    assert_true(meets(node, &ray, 0));
}

static bool
meets_instance(uint32_t instance, uint32_t own, uint32_t mask)
{
    const base_ray ray = {{1.5f, 1.5f, 0}, 0, {0, 0, 1}, 10};
    uint32_t node[WORDS], out[5];
    make_leaf(node, unit_box, BASE_NODE_INSTANCES);
    node[7] = instance;
    base_ray_intersect(node, &ray, own << BASE_RAY_FLAGS_SHIFT | mask << BASE_RAY_MASK_SHIFT, out);
    assert_int_equal(out[0] & ~0xf0u, BASE_HIT_INSTANCES | BASE_HIT_LEAF);
    assert_int_equal(out[1], 7);
    return count_of(out) == 1;
}

static void
test_instances(void **state)
{
    (void)state;
    assert_true(meets_instance(0xff00, 0, 0xff));
    assert_true(meets_instance(0x8100, 0, 0x80));
    assert_false(meets_instance(0x8100, 0, 0x7e));
    assert_false(meets_instance(0xff00, 0, 0));
    assert_false(meets_instance(0x00ff, 0, 0xff));
    const uint32_t opaque = 0xff00 | BASE_INSTANCE_ALL_OPAQUE,
                   not_opaque = 0xff00 | BASE_INSTANCE_ALL_NOT_OPAQUE,
                   boxes = 0xff00 | BASE_INSTANCE_ALL_BOXES;
    assert_false(meets_instance(opaque, BASE_RAY_CULL_OPAQUE, 0xff));
    assert_true(meets_instance(opaque, BASE_RAY_CULL_NOT_OPAQUE, 0xff));
    assert_false(meets_instance(not_opaque, BASE_RAY_CULL_NOT_OPAQUE, 0xff));
    assert_true(meets_instance(not_opaque, BASE_RAY_CULL_OPAQUE, 0xff));
    assert_false(meets_instance(boxes, BASE_RAY_SKIP_BOXES, 0xff));
    assert_true(meets_instance(boxes, BASE_RAY_SKIP_TRIANGLES, 0xff));
    assert_true(meets_instance(0xff00, BASE_RAY_SKIP_BOXES | BASE_RAY_CULL_OPAQUE, 0xff));
    /* the box */
    uint32_t node[WORDS];
    make_leaf(node, unit_box, BASE_NODE_INSTANCES);
    node[7] = 0xff00;
    assert_false(meets(node, &(base_ray){{2.5f, 1.5f, 0}, 0, {0, 0, 1}, 10}, ALL));
}

/* ---- random ones ---- */

static uint64_t
next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* From -8 to 8; every second one has few bits, so that rays go along faces and through edges. */
static float
number(uint64_t *seed)
{
    const uint64_t bits = next(seed);
    if (bits & 1)
        return (float)((int)(bits >> 8 & 15) - 8);
    return (float)((double)(int64_t)bits * 0x1p-60);
}

static base_ray
random_ray(uint64_t *seed)
{
    base_ray r = {.tmin = fabsf(number(seed)) / 8, .tmax = 0};
    for (unsigned k = 0; k < 3; k++) {
        r.origin[k] = number(seed);
        r.direction[k] = number(seed);
    }
    r.tmax = r.tmin + fabsf(number(seed));
    return r;
}

static void
point_at(const base_ray *r, double t, double p[3])
{
    for (unsigned k = 0; k < 3; k++)
        p[k] = r->origin[k] + t * r->direction[k];
}

/* Does the ray have a point in the box, made larger by `by`? If it has, it has one at an end of the
 * ray or on a face. */
static bool
reaches_box(const base_ray *r, const float corners[6], double by)
{
    double ts[8] = {r->tmin, r->tmax};
    unsigned n = 2;
    for (unsigned k = 0; k < 3; k++) {
        if (r->direction[k] == 0)
            continue;
        ts[n++] = (corners[k] - r->origin[k]) / (double)r->direction[k];
        ts[n++] = (corners[3 + k] - r->origin[k]) / (double)r->direction[k];
    }
    for (unsigned i = 0; i < n; i++) {
        double p[3];
        bool inside = ts[i] >= r->tmin - by && ts[i] <= r->tmax + by;
        point_at(r, ts[i], p);
        for (unsigned k = 0; k < 3; k++)
            inside &= p[k] >= corners[k] - by && p[k] <= corners[3 + k] + by;
        if (inside)
            return true;
    }
    return false;
}

static void
test_random_boxes(void **state)
{
    uint64_t seed = 1;
    unsigned met = 0, missed = 0;
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const base_ray r = random_ray(&seed);
        float corners[9] = {0};
        uint32_t node[WORDS];
        for (unsigned k = 0; k < 3; k++) {
            const float a = number(&seed), b = number(&seed);
            corners[k] = fminf(a, b);
            corners[3 + k] = fmaxf(a, b);
        }
        make_leaf(node, corners, BASE_NODE_BOX);
        const bool is_met = meets(node, &r, ALL);
        if (is_met ? !reaches_box(&r, corners, 1e-4) : reaches_box(&r, corners, 0))
            fail_msg("box %u is %s", i, is_met ? "met" : "missed");
        met += is_met;
        missed += !is_met;
    }
    assert_true(met > 10000 && missed > 10000);
}

typedef struct plane_hit {
    double t, weight[3], normal_along; /* the product of normal and direction */
} plane_hit;

static double
det3(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Solves weights of the points, and t, by Cramer's rule: the differences of the points from the
 * origin, weighted, are the direction times t. */
static plane_hit
solve(const base_ray *r, const float points[9])
{
    double p[3][3], d[3];
    plane_hit h;
    for (unsigned k = 0; k < 3; k++) {
        d[k] = r->direction[k];
        for (unsigned i = 0; i < 3; i++)
            p[i][k] = (double)points[3 * i + k] - r->origin[k];
    }
    const double w[3] = {det3(d, p[1], p[2]), det3(p[0], d, p[2]), det3(p[0], p[1], d)};
    const double sum = w[0] + w[1] + w[2];
    for (unsigned i = 0; i < 3; i++)
        h.weight[i] = w[i] / sum;
    h.t = det3(p[0], p[1], p[2]) / sum;
    h.normal_along = sum;
    return h;
}

static bool
near(float a, double b)
{
    return fabs(a - b) <= 1e-5 * (1 + fabs(b));
}

static void
check_triangle(unsigned i, const base_ray *r, const float points[9], unsigned counts[2])
{
    uint32_t node[WORDS], out[5];
    const plane_hit h = solve(r, points);
    const double least = fmin(fmin(h.weight[0], h.weight[1]), h.weight[2]);
    make_leaf(node, points, 0);
    base_ray_intersect(node, r, ALL, out);
    counts[count_of(out)]++;
    if (fabs(h.normal_along) < 1e-3)
        return;
    if (count_of(out)) {
        if (least < -1e-6 || h.t < r->tmin - 1e-6 || h.t > r->tmax + 1e-6)
            fail_msg("triangle %u is met at %g, weight %g", i, h.t, least);
        assert_true(near(base_bits_f32(out[2]), h.t));
        assert_true(near(base_bits_f32(out[3]), h.weight[1]));
        assert_true(near(base_bits_f32(out[4]), h.weight[2]));
        assert_int_equal((out[0] & BASE_HIT_BACK_FACE) != 0, h.normal_along > 0);
    } else if (least > 1e-6 && h.t > r->tmin + 1e-6 && h.t < r->tmax - 1e-6) {
        fail_msg("triangle %u is missed at %g, weight %g", i, h.t, least);
    }
}

static void
test_random_triangles(void **state)
{
    uint64_t seed = 2;
    unsigned counts[2] = {0};
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const base_ray r = random_ray(&seed);
        float points[9];
        for (unsigned k = 0; k < 9; k++)
            points[k] = number(&seed);
        check_triangle(i, &r, points, counts);
    }
    assert_true(counts[0] > 1000 && counts[1] > 1000);
}

/* ---- meshes ---- */

enum { SIDE = 6 };

/* A closed surface: two fans from the poles around a ring of random points. */
typedef struct fan {
    float ring[SIDE][3], pole[2][3];
} fan;

static void
fan_triangle(const fan *f, unsigned number, float points[9])
{
    const unsigned i = number / 2, pole = number % 2;
    memcpy(points, f->pole[pole], 3 * sizeof *points);
    memcpy(points + 3, f->ring[pole ? i : (i + 1) % SIDE], 3 * sizeof *points);
    memcpy(points + 6, f->ring[pole ? (i + 1) % SIDE : i], 3 * sizeof *points);
}

/* Rays from within, many of them at edges and corners, meet a triangle, and the box around it, also
 * up to there. */
static void
shoot(const fan *f, uint64_t *seed)
{
    base_ray r = {.tmin = 0, .tmax = INFINITY};
    const uint64_t kind = next(seed) % 4, at = next(seed) % SIDE;
    const float s = kind == 0 ? 0 : (float)(next(seed) % 1024) / 1024;
    unsigned met = 0;
    for (unsigned k = 0; k < 3; k++) {
        const float from = f->ring[at][k], to = f->ring[(at + 1) % SIDE][k],
                    up = f->pole[at % 2][k];
        r.origin[k] = number(seed) / 64;
        r.direction[k] = kind == 3   ? number(seed)
                         : kind == 2 ? from + s * (up - from) - r.origin[k]
                                     : from + s * (to - from) - r.origin[k];
    }
    if (r.direction[0] == 0 && r.direction[1] == 0 && r.direction[2] == 0)
        return;
    for (unsigned n = 0; n < 2 * SIDE; n++) {
        uint32_t node[WORDS], out[5];
        float points[9], corners[9] = {0};
        fan_triangle(f, n, points);
        make_leaf(node, points, 0);
        base_ray_intersect(node, &r, ALL, out);
        if (!count_of(out))
            continue;
        met++;
        for (unsigned k = 0; k < 3; k++) {
            corners[k] = fminf(fminf(points[k], points[3 + k]), points[6 + k]);
            corners[3 + k] = fmaxf(fmaxf(points[k], points[3 + k]), points[6 + k]);
        }
        make_leaf(node, corners, BASE_NODE_BOX);
        base_ray up_to = r;
        up_to.tmax = base_bits_f32(out[2]);
        assert_true(meets(node, &up_to, ALL));
        up_to.tmin = up_to.tmax;
        assert_true(meets(node, &up_to, ALL));
    }
    if (!met)
        fail_msg("a ray of kind %u escapes", (unsigned)kind);
}

static void
test_no_gaps(void **state)
{
    static const float around[SIDE][2] = {{4, 0}, {2, 3}, {-2, 3}, {-4, 0}, {-2, -3}, {2, -3}};
    uint64_t seed = 3;
    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        fan f = {.pole = {{0, 0, -4}, {0, 0, 4}}};
        for (unsigned k = 0; k < SIDE; k++) {
            f.ring[k][0] = around[k][0] + number(&seed) / 16;
            f.ring[k][1] = around[k][1] + number(&seed) / 16;
            f.ring[k][2] = number(&seed) / 8;
        }
        for (unsigned n = 0; n < 20; n++)
            shoot(&f, &seed);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_some_children),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_odd_boxes),
        cmocka_unit_test(test_triangle),
        cmocka_unit_test(test_triangle_ends),
        cmocka_unit_test(test_odd_triangles),
        cmocka_unit_test(test_facing),
        cmocka_unit_test(test_face_culling),
        cmocka_unit_test(test_opacity),
        cmocka_unit_test(test_skipping),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_random_boxes),
        cmocka_unit_test(test_random_triangles),
        cmocka_unit_test(test_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
