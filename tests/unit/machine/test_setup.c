/* From shaded vertices to covered quads. */
#include "machine/raster/setup.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 16 };

typedef struct window {
    char pixel[SIZE][SIZE + 1]; /* '.', or '+' and '-' for fronts and backs */
    double depth[SIZE][SIZE];
    float perspective[SIZE][SIZE][2];
    float point[SIZE][SIZE][2];
} window;

static bool
visit(void *user, const mach_part *part, const mach_quad *q)
{
    window *w = user;
    for (unsigned k = 0; k < 4; k++) {
        int32_t x = q->x + (int32_t)(k & 1), y = q->y + (int32_t)(k >> 1);
        if (!q->samples[k])
            continue;
        mach_weights got = mach_weights_at(&part->surface, x + 0.5, y + 0.5);
        assert_int_equal(w->pixel[y][x], '.'); /* no pixel twice */
        w->pixel[y][x] = part->back ? '-' : '+';
        w->depth[y][x] = mach_depth_at(part, x + 0.5, y + 0.5);
        memcpy(w->perspective[y][x], got.perspective, sizeof got.perspective);
        mach_point_coord(part, x + 0.5, y + 0.5, w->point[y][x]);
    }
    return true;
}

static void
draw(window *w, const mach_setup_rules *rules, const mach_vertex *v, unsigned n)
{
    const mach_vertex *in[3] = {&v[0], n > 1 ? &v[1] : NULL, n > 2 ? &v[2] : NULL};
    const mach_setup s = {.rules = rules,
                          .viewport = {0, 0, SIZE, SIZE, 0, 1},
                          .window = {0, 0, SIZE, SIZE},
                          .n_samples = 1,
                          .visit = visit,
                          .user = w};
    for (unsigned y = 0; y < SIZE; y++) {
        memset(w->pixel[y], '.', SIZE);
        w->pixel[y][SIZE] = '\0';
    }
    assert_true(mach_setup_primitive(&s, in, n));
}

static unsigned
count(const window *w, char what)
{
    unsigned n = 0;
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++)
            n += w->pixel[y][x] == what;
    return n;
}

/* At a pixel's place of clip space, with w. */
static mach_vertex
vertex(float x, float y, float z, float w)
{
    return (mach_vertex){
        .clip = {.position = {(x / 8 - 1) * w, (y / 8 - 1) * w, z * w, w}, .distance = {0}},
        .point_size = 1};
}

static const mach_setup_rules plain = {.clip_depth = true, .line_width = 1};

static void
test_faces(void **state)
{
    static window w;
    const mach_vertex v[3] = {vertex(0, 0, 0, 1), vertex(8, 0, 0, 1), vertex(0, 8, 0, 1)};
    const mach_vertex turned[3] = {v[0], v[2], v[1]};
    mach_setup_rules r = plain;
    (void)state;
    draw(&w, &r, v, 3); /* clockwise as seen: back, if fronts are counterclockwise */
    assert_int_equal(count(&w, '-'), 28);
    draw(&w, &r, turned, 3);
    assert_int_equal(count(&w, '+'), 28);
    r.front_is_clockwise = true;
    draw(&w, &r, v, 3);
    assert_int_equal(count(&w, '+'), 28);
    r.cull_front = true;
    draw(&w, &r, v, 3);
    assert_int_equal(count(&w, '.'), SIZE * SIZE);
    draw(&w, &r, turned, 3);
    assert_int_equal(count(&w, '-'), 28);
    r.cull_back = true;
    draw(&w, &r, turned, 3);
    assert_int_equal(count(&w, '.'), SIZE * SIZE);
}

/* What is left of a triangle that reaches behind the eye varies as the whole does: clip coordinates
 * are linear in the weights. */
static void
test_clipped_triangles_vary_as_whole_ones(void **state)
{
    static window w;
    mach_vertex v[3] = {{.clip = {.position = {-3, -2, 0.2f, 2}}},
                        {.clip = {.position = {4, -1, 0.4f, 3}}},
                        {.clip = {.position = {0.5f, 3, -0.5f, -1}}}};
    unsigned seen = 0;
    (void)state;
    draw(&w, &plain, v, 3);
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            if (w.pixel[y][x] == '.')
                continue;
            double i = (double)w.perspective[y][x][0], j = (double)w.perspective[y][x][1], p[4];
            for (unsigned c = 0; c < 4; c++)
                p[c] = (1 - i - j) * (double)v[0].clip.position[c] +
                       i * (double)v[1].clip.position[c] + j * (double)v[2].clip.position[c];
            assert_true(fabs((p[0] / p[3] + 1) * SIZE / 2 - (x + 0.5)) < 0.01);
            assert_true(fabs((p[1] / p[3] + 1) * SIZE / 2 - (y + 0.5)) < 0.01);
            assert_true(fabs(p[2] / p[3] - w.depth[y][x]) < 0.001);
            seen++;
        }
    }
    assert_true(seen > 40);
}

static void
test_points(void **state)
{
    static window w;
    mach_vertex v = vertex(5, 6, 0.5f, 2);
    (void)state;
    v.point_size = 4;
    draw(&w, &plain, &v, 1);
    assert_int_equal(count(&w, '+'), 16);
    assert_string_equal(w.pixel[4], "...++++.........");
    assert_string_equal(w.pixel[7], "...++++.........");
    assert_true(w.depth[4][3] == 0.5);
    assert_true(w.point[4][3][0] == 0.125f && w.point[7][3][1] == 0.875f);
    v.point_size = 0;
    draw(&w, &plain, &v, 1);
    assert_int_equal(count(&w, '+'), 0);
}

static void
test_lines(void **state)
{
    static window w;
    const mach_vertex v[2] = {vertex(2, 3.5f, 0, 1), vertex(10, 5.5f, 1, 1)};
    mach_setup_rules r = plain;
    (void)state;
    draw(&w, &r, v, 2);
    assert_int_equal(count(&w, '+'), 8);
    for (unsigned x = 2; x < 10; x++) {
        unsigned y = (unsigned)floor(3.5 + (x + 0.5 - 2) / 4);
        assert_int_equal(w.pixel[y][x], '+');
    }
    r.line_width = 3;
    draw(&w, &r, v, 2);
    assert_int_equal(count(&w, '+'), 24);
    const mach_vertex nothing[2] = {v[0], v[0]};
    draw(&w, &r, nothing, 2);
    assert_int_equal(count(&w, '+'), 0);
}

static void
test_polygon_modes_and_cull_distances(void **state)
{
    static window w;
    mach_vertex v[3] = {vertex(2, 2, 0, 1), vertex(12, 2, 0, 1), vertex(2, 12, 0, 1)};
    mach_setup_rules r = plain;
    (void)state;
    r.mode = MACH_POLYGON_POINT;
    draw(&w, &r, v, 3);
    assert_int_equal(count(&w, '-'), 3);
    r.cull_distances = 2;
    for (unsigned k = 0; k < 3; k++)
        v[k].cull_distance[1] = -1;
    draw(&w, &r, v, 3);
    assert_int_equal(count(&w, '-'), 0);
    v[1].cull_distance[1] = 0;
    draw(&w, &r, v, 3);
    assert_int_equal(count(&w, '-'), 3);
}

static void
test_depth_bias(void **state)
{
    static window w;
    const mach_vertex v[3] = {vertex(0, 0, 0, 1), vertex(16, 0, 0.5f, 1), vertex(0, 16, 0.25f, 1)};
    mach_depth_bias b = {.constant = 4, .slope = 2, .unit = 0x1p-16};
    mach_setup_rules r = plain;
    (void)state;
    r.bias = &b;
    draw(&w, &r, v, 3); /* per pixel 1/32 in x, 1/64 in y */
    double z = 0.5 / 32 + 0.5 / 64;
    assert_true(fabs(w.depth[0][0] - (z + 2.0 / 32 + 4 * 0x1p-16)) < 1e-12);
    b.clamp = 0.01f;
    draw(&w, &r, v, 3);
    assert_true(fabs(w.depth[0][0] - (z + (double)b.clamp)) < 1e-12);
    b = (mach_depth_bias){.constant = 1}; /* of floats: the step at the deepest vertex, 0.5 */
    draw(&w, &r, v, 3);
    assert_true(fabs(w.depth[0][0] - (z + 0x1p-24)) < 1e-12);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faces),
        cmocka_unit_test(test_clipped_triangles_vary_as_whole_ones),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_polygon_modes_and_cull_distances),
        cmocka_unit_test(test_depth_bias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
