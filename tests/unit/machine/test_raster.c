/* Coverage and weights of polygons, against the rules written out for each sample. */
#include "machine/raster/raster.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 40 };

/* A number below `n` by a generator of 64 bits (Steele et al. 2014, SplitMix). */
static uint32_t
draw(uint64_t *state, uint32_t n)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) % n);
}

/* How often each sample of a window was covered. */
typedef struct window {
    uint8_t count[SIZE][SIZE][MACH_MAX_SAMPLES];
    bool full[SIZE][SIZE];
    int32_t last_x, last_y;
    unsigned quads, most;
} window;

static bool
visit(void *user, const mach_quad *q)
{
    window *w = user;
    assert_true(q->x % 2 == 0 && q->y % 2 == 0);
    assert_true(q->y > w->last_y || (q->y == w->last_y && q->x > w->last_x));
    assert_true(q->samples[0] | q->samples[1] | q->samples[2] | q->samples[3]);
    w->last_x = q->x;
    w->last_y = q->y;
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned s = 0; s < MACH_MAX_SAMPLES; s++) {
            int32_t x = q->x + (int32_t)(k & 1), y = q->y + (int32_t)(k >> 1);
            if (q->samples[k] >> s & 1)
                w->count[y][x][s]++;
        }
        if (q->full >> k & 1)
            w->full[q->y + (int32_t)(k >> 1)][q->x + (int32_t)(k & 1)] = true;
    }
    return ++w->quads < w->most;
}

static const mach_rect whole = {0, 0, SIZE, SIZE};

static void
cover(window *w, const mach_corner *v, unsigned n, const mach_rect *r, unsigned samples)
{
    const mach_raster raster = {.window = *r, .n_samples = samples, .visit = visit, .user = w};
    w->last_x = w->last_y = -1000;
    w->most = 1u << 30;
    assert_true(mach_cover(&raster, v, n));
}

/* A sample of exactly one of the triangles around a point in a square belongs to each place: common
 * edges are not covered twice, and leave no holes. */
static void
test_fans_cover_each_sample_once(void **state)
{
    static const unsigned counts[] = {1, 2, 4, 8, 16};
    uint64_t rng = 7;
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        static window w;
        unsigned samples = counts[round % 5];
        /* a coarse grid, so that many samples lie on edges */
        int32_t grid = round % 3 ? 8 : 128, end = SIZE * MACH_SUBPIXELS;
        mach_corner ring[8] = {{0, 0}, {0, 0}, {end, 0}, {0, 0}, {end, end}, {0, 0}, {0, end}};
        memset(&w, 0, sizeof w);
        for (unsigned k = 0; k < 4; k++) {
            int32_t at = (int32_t)draw(&rng, SIZE * 256 / (uint32_t)grid) * grid;
            ring[2 * k + 1] = (mach_corner){k == 0 || k == 2 ? at
                                            : k == 1         ? end
                                                             : 0,
                                            k == 1 || k == 3 ? at
                                            : k == 2         ? end
                                                             : 0};
        }
        mach_corner mid = {(int32_t)draw(&rng, (uint32_t)(end / grid)) * grid,
                           (int32_t)draw(&rng, (uint32_t)(end / grid)) * grid};
        for (unsigned k = 0; k < 8; k++) {
            mach_corner v[3] = {mid, ring[k], ring[(k + 1) % 8]};
            if (draw(&rng, 2)) /* the orientation does not matter */
                v[1] = ring[(k + 1) % 8], v[2] = ring[k];
            cover(&w, v, 3, &whole, samples);
        }
        for (unsigned i = 0; i < SIZE * SIZE * MACH_MAX_SAMPLES; i++) {
            uint8_t n = (&w.count[0][0][0])[i];
            assert_int_equal(n, i % MACH_MAX_SAMPLES < samples);
        }
    }
}

/* Is (x, y) inside of the clockwise or counterclockwise polygon, by the sign at each edge? -1: on an
 * edge. */
static int
is_inside(const mach_corner *v, unsigned n, double x, double y)
{
    bool positive = false, negative = false, zero = false;
    for (unsigned k = 0; k < n; k++) {
        const mach_corner *p = &v[k], *q = &v[(k + 1) % n];
        double e = ((double)q->x - p->x) * (y - p->y) - ((double)q->y - p->y) * (x - p->x);
        positive |= e > 0;
        negative |= e < 0;
        zero |= e == 0;
    }
    return positive && negative ? 0 : zero ? -1 : 1;
}

static void
test_samples_inside_are_covered(void **state)
{
    uint64_t rng = 11;
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        static window w;
        mach_corner v[3];
        mach_rect r = {(int32_t)draw(&rng, SIZE), (int32_t)draw(&rng, 9), (int32_t)draw(&rng, SIZE),
                       SIZE};
        const mach_sample_place *places = mach_sample_places(4);
        int32_t reach = round % 2 ? 256 * SIZE : 1 << 22;
        memset(&w, 0, sizeof w);
        for (unsigned k = 0; k < 3; k++)
            v[k] = (mach_corner){(int32_t)draw(&rng, 2 * (uint32_t)reach) - reach / 2,
                                 (int32_t)draw(&rng, 2 * (uint32_t)reach) - reach / 2};
        cover(&w, v, 3, &r, 4);
        for (int32_t i = 0; i < SIZE * SIZE * 4; i++) {
            int32_t x = i / 4 % SIZE, y = i / 4 / SIZE, s = i % 4;
            bool in_window = x >= r.x0 && x < r.x1 && y >= r.y0;
            int inside = is_inside(v, 3, x * 256.0 + places[s].x * 16,
                                   y * 256.0 + places[s].y * 16);
            if (inside >= 0)
                assert_int_equal(w.count[y][x][s], inside && in_window);
        }
    }
}

/* A square of points: top and left edges count, right and bottom ones do not. */
static void
test_top_and_left_edges_count(void **state)
{
    static window w;
    const mach_corner square[4] = {{128, 128}, {640, 128}, {640, 640}, {128, 640}};
    (void)state;
    memset(&w, 0, sizeof w);
    cover(&w, square, 4, &whole, 1);
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x++)
            assert_int_equal(w.count[y][x][0], x < 2 && y < 2);
    const mach_corner line[3] = {{0, 0}, {512, 512}, {1024, 1024}};
    cover(&w, line, 3, &whole, 1);
    assert_int_equal(w.quads, 1);
    w.most = 3;
    w.quads = 0;
    w.last_y = -1000;
    const mach_corner all[4] = {{0, 0}, {10240, 0}, {10240, 10240}, {0, 10240}};
    const mach_raster raster = {.window = whole, .n_samples = 1, .visit = visit, .user = &w};
    assert_false(mach_cover(&raster, all, 4));
}

/* Is all of the pixel's area in the triangle? It is convex: if its corners are. */
static bool
has_corners(const mach_corner v[3], int32_t x, int32_t y)
{
    for (unsigned k = 0; k < 4; k++) {
        if (!is_inside(v, 3, 256.0 * (x + (int32_t)(k & 1)), 256.0 * (y + (int32_t)(k >> 1))))
            return false;
    }
    return true;
}

static window *
cover_conservatively(const mach_corner v[3], mach_conservative how)
{
    static window all[3];
    window *w = &all[how];
    memset(w, 0, sizeof *w);
    const mach_raster raster = {
        .window = whole, .n_samples = 16, .conservative = how, .visit = visit, .user = w};
    w->last_x = w->last_y = -1000;
    w->most = 1u << 30;
    assert_true(mach_cover(&raster, v, 3));
    return w;
}

/* Pixels that are covered as a whole are the same in all modes; the others with a covered sample
 * are overestimated. On a coarse grid edges run along the borders of pixels. */
static void
test_conservative(void **state)
{
    uint64_t rng = 11;
    (void)state;
    for (unsigned round = 0; round < 100; round++) {
        int32_t grid = round % 2 ? 1 : 256;
        mach_corner v[3];
        for (unsigned k = 0; k < 3; k++) {
            v[k].x = (int32_t)draw(&rng, SIZE * 256 / (uint32_t)grid) * grid;
            v[k].y = (int32_t)draw(&rng, SIZE * 256 / (uint32_t)grid) * grid;
        }
        if (!mach_polygon_area(v, 3))
            continue;
        const window *usual = cover_conservatively(v, MACH_BY_SAMPLES),
                     *over = cover_conservatively(v, MACH_OVERESTIMATE),
                     *under = cover_conservatively(v, MACH_UNDERESTIMATE);
        for (int32_t y = 0; y < SIZE; y++) {
            for (int32_t x = 0; x < SIZE; x++) {
                bool full = has_corners(v, x, y), any = false;
                for (unsigned s = 0; s < 16; s++) {
                    any |= usual->count[y][x][s];
                    assert_int_equal(under->count[y][x][s], full);
                    assert_int_equal(over->count[y][x][s], over->count[y][x][0]);
                }
                assert_true(over->count[y][x][0] || !any);
                assert_int_equal(over->full[y][x], full);
                assert_int_equal(under->full[y][x], full);
                assert_int_equal(usual->full[y][x], full);
            }
        }
    }
}

/* A triangle's corners are the primitive's vertices, or lie somewhere inside of it (clipped). The
 * place is chosen by its shares of the primitive, which must come back. */
static void
test_weights(void **state)
{
    uint64_t rng = 3;
    (void)state;
    for (unsigned round = 0; round < 1000; round++) {
        mach_surface s;
        double share[3], want[2] = {0, 0}, x = 0, y = 0, z = 0, w = 0, linear[2] = {0, 0};
        for (unsigned k = 0; k < 3; k++) {
            s.corner[k] = (mach_surface_corner){
                .at = {(int32_t)draw(&rng, 100000), (int32_t)draw(&rng, 100000)},
                .z = draw(&rng, 1000) / 1000.0,
                .inv_w = 0.25 + draw(&rng, 1000) / 100.0,
                .weight = {k == 1, k == 2}};
            if (round % 2)
                s.corner[k].weight[0] = draw(&rng, 500) / 1000.0;
        }
        if (!mach_surface_setup(&s, 3) || fabs(s.area) < 100)
            continue;
        share[1] = draw(&rng, 500) / 1000.0;
        share[2] = draw(&rng, 500) / 1000.0;
        share[0] = 1 - share[1] - share[2];
        for (unsigned k = 0; k < 3; k++) {
            const mach_surface_corner *c = &s.corner[k];
            x += share[k] * c->at.x / 256;
            y += share[k] * c->at.y / 256;
            z += share[k] * c->z;
            w += share[k] * c->inv_w;
            for (unsigned v = 0; v < 2; v++) {
                linear[v] += share[k] * c->weight[v];
                want[v] += share[k] * c->weight[v] * c->inv_w;
            }
        }
        mach_weights got = mach_weights_at(&s, x, y);
        assert_true(fabs(got.z - z) < 1e-9);
        for (unsigned v = 0; v < 2; v++) {
            assert_true(fabs(got.linear[v] - linear[v]) < 1e-6);
            assert_true(fabs(got.perspective[v] - want[v] / w) < 1e-6);
        }
    }
}

static void
test_lines_and_points_have_weights(void **state)
{
    mach_surface s = {.corner = {{.at = {256, 256}, .z = 0.25, .inv_w = 1},
                                 {.at = {1280, 256}, .z = 0.75, .inv_w = 3, .weight = {1, 0}}}};
    (void)state;
    assert_true(mach_surface_setup(&s, 2));
    mach_weights got = mach_weights_at(&s, 2, 1.5); /* a quarter of the way, beside it */
    assert_true(got.linear[0] == 0.25f && got.z == 0.375 && got.linear[1] == 0);
    assert_true(got.perspective[0] == 0.5f);
    assert_true(mach_surface_setup(&s, 1));
    got = mach_weights_at(&s, 7, 8);
    assert_true(got.linear[0] == 0 && got.perspective[0] == 0 && got.z == 0.25);
    s.corner[1] = s.corner[2] = s.corner[0];
    assert_false(mach_surface_setup(&s, 2));
    assert_false(mach_surface_setup(&s, 3));
    got = mach_weights_at(&s, 7, 8);
    assert_true(got.z == 0.25);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fans_cover_each_sample_once),
        cmocka_unit_test(test_samples_inside_are_covered),
        cmocka_unit_test(test_top_and_left_edges_count),
        cmocka_unit_test(test_conservative),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_lines_and_points_have_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
