/* Assembly of primitives, and clipping. */
#include "machine/raster/primitive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- assembly ---- */

typedef struct listing {
    char text[512];
    size_t n, most;
} listing;

static bool
list(void *user, const mach_primitive *p)
{
    listing *l = user;
    for (unsigned k = 0; k < p->n; k++)
        l->n += (size_t)snprintf(l->text + l->n, sizeof l->text - l->n, "%u%c", p->vertex[k],
                                 k + 1u < p->n ? '-' : ' ');
    return --l->most > 0;
}

static const char *
assembled(listing *l, const mach_assembly *a)
{
    *l = (listing){.most = 100};
    mach_assemble(a, list, l);
    return l->text;
}

static void
test_topologies(void **state)
{
    static const struct {
        mach_topology topology;
        uint32_t count;
        const char *first, *last; /* by provoking vertex */
    } cases[] = {
        {MACH_POINT_LIST, 3, "0 1 2 ", "0 1 2 "},
        {MACH_LINE_LIST, 5, "0-1 2-3 ", "1-0 3-2 "},
        {MACH_LINE_STRIP, 4, "0-1 1-2 2-3 ", "1-0 2-1 3-2 "},
        {MACH_TRIANGLE_LIST, 8, "0-1-2 3-4-5 ", "2-0-1 5-3-4 "},
        {MACH_TRIANGLE_STRIP, 5, "0-1-2 1-3-2 2-3-4 ", "2-0-1 3-2-1 4-2-3 "},
        {MACH_TRIANGLE_FAN, 5, "1-2-0 2-3-0 3-4-0 ", "2-0-1 3-0-2 4-0-3 "},
        {MACH_LINE_LIST_ADJACENCY, 9, "1-2 5-6 ", "2-1 6-5 "},
        {MACH_LINE_STRIP_ADJACENCY, 5, "1-2 2-3 ", "2-1 3-2 "},
        {MACH_TRIANGLE_LIST_ADJACENCY, 12, "0-2-4 6-8-10 ", "4-0-2 10-6-8 "},
        {MACH_TRIANGLE_STRIP_ADJACENCY, 8, "0-2-4 2-6-4 ", "4-0-2 6-4-2 "},
        {MACH_PATCH_LIST, 6, "", ""},
        {MACH_TRIANGLE_STRIP, 2, "", ""},
        {MACH_LINE_STRIP, 0, "", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        listing l;
        mach_assembly a = {.topology = cases[k].topology, .count = cases[k].count};
        assert_string_equal(assembled(&l, &a), cases[k].first);
        a.last_provokes = true;
        assert_string_equal(assembled(&l, &a), cases[k].last);
    }
}

static void
test_restarts(void **state)
{
    static const uint32_t index[] = {9, 9, 9, 7, 9, 9, 7, 7, 9, 9, 9, 9};
    listing l;
    mach_assembly a = {.topology = MACH_TRIANGLE_STRIP, .count = 12, .index = index};
    (void)state;
    a.restart = true;
    a.restart_index = 7;
    assert_string_equal(assembled(&l, &a), "0-1-2 8-9-10 9-11-10 ");
    a.restart = false;
    assembled(&l, &a);
    assert_int_equal(l.most, 100 - 10);
    l = (listing){.most = 2};
    assert_false(mach_assemble(&a, list, &l));
}

/* ---- clipping ---- */

static const mach_clip_rules view = {.depth = true, .guard = {1, 1}};

static unsigned
clip(const mach_clip_rules *rules, const mach_clip_input *v, unsigned n, mach_clip_vertex *out)
{
    const mach_clip_input *in[3] = {&v[0], n > 1 ? &v[1] : NULL, n > 2 ? &v[2] : NULL};
    return mach_clip(rules, in, n, out);
}

/* Each vertex lies inside, and where its weights say. */
static void
check_vertices(const mach_clip_rules *rules, const mach_clip_input *v, unsigned n,
               const mach_clip_vertex *out, unsigned kept)
{
    for (unsigned k = 0; k < kept; k++) {
        const double *p = out[k].position, slack = 1e-6 * (1 + fabs(p[3]));
        double weight[3] = {1 - out[k].weight[0] - out[k].weight[1], out[k].weight[0],
                            out[k].weight[1]};
        assert_true(p[3] > 0);
        assert_true(!rules->depth || (p[2] >= -slack && p[2] <= p[3] + slack));
        for (unsigned c = 0; c < 4; c++) {
            double sum = 0;
            for (unsigned i = 0; i < n; i++)
                sum += weight[i] * (double)v[i].position[c];
            assert_true(fabs(sum - p[c]) <= slack);
            assert_true(c > 1 || fabs(p[c]) <= rules->guard[c] * p[3] + slack);
        }
    }
}

static void
test_triangles(void **state)
{
    mach_clip_vertex out[MACH_CLIP_MOST];
    mach_clip_input v[3] = {
        {{-0.5f, -0.5f, 0.5f, 1}, {0}}, {{0.5f, -0.5f, 0.5f, 1}, {0}}, {{0, 0.5f, 0.5f, 1}, {0}}};
    (void)state;
    assert_int_equal(clip(&view, v, 3, out), 3);
    assert_true(out[1].weight[0] == 1 && out[2].weight[1] == 1 && out[0].position[0] == -0.5);
    v[2].position[1] = 1.5f; /* a corner is cut off */
    assert_int_equal(clip(&view, v, 3, out), 4);
    check_vertices(&view, v, 3, out, 4);
    v[2].position[3] = -1; /* behind the eye */
    unsigned n = clip(&view, v, 3, out);
    assert_true(n >= 3);
    check_vertices(&view, v, 3, out, n);
    for (unsigned k = 0; k < 3; k++)
        v[k].position[2] = 2;
    assert_int_equal(clip(&view, v, 3, out), 0);
    const mach_clip_rules clamped = {.guard = {1, 1}};
    assert_true(clip(&clamped, v, 3, out) >= 3);
    v[0].position[0] = NAN;
    assert_int_equal(clip(&clamped, v, 3, out), 0);
}

/* A half of the triangle has a negative distance; then all of it. */
static void
test_clip_distances(void **state)
{
    const mach_clip_rules rules = {.depth = true, .guard = {4, 4}, .distances = 2};
    mach_clip_vertex out[MACH_CLIP_MOST];
    mach_clip_input v[3] = {
        {{-1, -1, 0.5f, 1}, {1, 1}}, {{1, -1, 0.5f, 1}, {1, 1}}, {{0, 1, 0.5f, 1}, {1, -1}}};
    (void)state;
    assert_int_equal(clip(&rules, v, 3, out), 4);
    for (unsigned k = 0; k < 4; k++)
        assert_true(out[k].position[1] <= 1e-12);
    check_vertices(&rules, v, 3, out, 4);
    v[0].distance[0] = v[1].distance[0] = v[2].distance[0] = -1;
    assert_int_equal(clip(&rules, v, 3, out), 0);
}

static void
test_points_and_lines(void **state)
{
    mach_clip_vertex out[MACH_CLIP_MOST];
    mach_clip_input v[2] = {{{0, 0, 0.5f, 1}, {0}}, {{4, 0, 0.5f, 1}, {0}}};
    (void)state;
    assert_int_equal(clip(&view, v, 1, out), 1);
    assert_int_equal(clip(&view, &v[1], 1, out), 0);
    assert_int_equal(clip(&view, v, 2, out), 2);
    assert_true(fabs(out[1].position[0] - 1) < 1e-12 && fabs(out[1].weight[0] - 0.25) < 1e-12);
    mach_clip_input turned[2] = {v[1], v[0]};
    assert_int_equal(clip(&view, turned, 2, out), 2);
    assert_true(fabs(out[0].position[0] - 1) < 1e-12 && fabs(out[0].weight[0] - 0.75) < 1e-12);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_topologies),       cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_triangles),        cmocka_unit_test(test_clip_distances),
        cmocka_unit_test(test_points_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
