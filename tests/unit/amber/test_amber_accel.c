/* Tests the acceleration structures of a script: how they are read, and what is built of them, whose
 * bytes are decoded again by the rules of base/ray.h. */
#include "amber/accel.h"
#include "amber/accel_tree.h"
#include "base/ray.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BASE UINT64_C(0x123400000080)

enum { MAX_DEPTH = 16 };

typedef struct fixture {
    arena a;
    diag d;
    uint64_t seed;
    amber_accels all;
    uint8_t *bytes;
} fixture;

/* A hierarchy that is being decoded. */
typedef struct walk {
    fixture *f;
    const uint8_t *nodes;
    uint32_t *reached; /* of each leaf, by geometry and number: how often */
    uint32_t n_nodes, n_leaves, inner_flags;
    amber_box boxes[MAX_DEPTH]; /* above the node */
    void (*leaf)(struct walk *w, const uint32_t *words, uint32_t depth);
    const void *source;
} walk;

static void
start(fixture *f)
{
    memset(f, 0, sizeof *f);
    diag_init(&f->d);
    arena_init(&f->a, &base_malloc_allocator, diag_out_of_memory, &f->d);
    f->seed = 1;
}

static float
draw(fixture *f, float low, float high)
{
    f->seed = f->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * ((float)(f->seed >> 40) / 16777216.0f);
}

static float *
draw_points(fixture *f, uint32_t n, float spread, float size)
{
    float *points = ARENA_ARRAY(&f->a, n * 9, float);
    for (uint32_t i = 0; i < n; i++) {
        const float at[3] = {draw(f, -spread, spread), draw(f, -spread, spread),
                             draw(f, -spread, spread)};
        for (uint32_t k = 0; k < 9; k++)
            points[9 * i + k] = at[k % 3] + draw(f, -size, size);
    }
    return points;
}

/* Builds and stores the structures of one top level. */
static void
build(fixture *f, amber_top_level *t)
{
    amber_binding binding = {.kind = AMBER_BIND_ACCEL, .accel = t};
    const amber_pipeline p = {.bindings = &binding, .binding_count = 1};
    amber_accel_build(&f->a, &p, &f->all);
    assert_int_equal(f->all.size % AMBER_ACCEL_ALIGN, 0);
    f->bytes = arena_zalloc(&f->a, (size_t)f->all.size);
    amber_accel_store(&f->all, BASE, f->bytes);
}

static uint32_t
word(const uint8_t *at, uint32_t k)
{
    uint32_t w;
    memcpy(&w, at + 4 * (size_t)k, sizeof w);
    return w;
}

static const uint8_t *
at_address(const fixture *f, const uint8_t *record, uint32_t k)
{
    const uint64_t address = word(record, k) | (uint64_t)word(record, k + 1) << 32;
    assert_true(address >= BASE && address < BASE + f->all.size);
    return f->bytes + (address - BASE);
}

/* ---- decoding ---- */

static float
step_at(const uint8_t *node, unsigned axis, unsigned steps)
{
    const uint32_t bits = (uint32_t)(node[4 + 2 * axis] | node[5 + 2 * axis] << 8) << 16;
    float base;
    memcpy(&base, &bits, sizeof base);
    return base + (float)steps * ldexpf(1, node[58 + axis] - 134);
}

static amber_box
child_box(const uint8_t *node, unsigned child)
{
    amber_box b;
    for (unsigned k = 0; k < 3; k++) {
        b.lower[k] = step_at(node, k, node[10 + 6 * child + k]);
        b.upper[k] = step_at(node, k, node[10 + 6 * child + 3 + k]);
    }
    return b;
}

static void
visit(walk *w, uint32_t n, uint32_t depth)
{
    const uint8_t *node = w->nodes + BASE_NODE_BYTES * (size_t)n;
    uint32_t words[16];
    memcpy(words, node, sizeof words);
    w->n_nodes++;
    if (words[15] & BASE_NODE_LEAF) {
        assert_int_not_equal(n, 0);
        w->leaf(w, words, depth);
        return;
    }
    assert_in_range(node[61], 1, 8);
    assert_int_equal((words[15] & 0xffff0000u), w->inner_flags);
    assert_true(depth < MAX_DEPTH);
    for (uint32_t i = 0; i < node[61]; i++) {
        assert_int_equal(word(w->nodes - 4 * ((size_t)words[0] + i) - 4, 0), n);
        w->boxes[depth] = child_box(node, i);
        visit(w, words[0] + i, depth + 1);
    }
}

static void
check_inside(const walk *w, const float *point, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) {
        for (unsigned k = 0; k < 3; k++) {
            assert_true(w->boxes[i].lower[k] <= point[k]);
            assert_true(w->boxes[i].upper[k] >= point[k]);
        }
    }
}

static void
visit_all(walk *w)
{
    assert_int_equal(word(w->nodes - 4, 0), BASE_RAY_NO_NODE);
    visit(w, 0, 0);
    for (uint32_t i = 0; i < w->n_leaves; i++)
        assert_int_equal(w->reached[i], 1);
}

/* ---- bottom level ---- */

static void
check_primitive(walk *w, const uint32_t *words, uint32_t depth)
{
    const amber_bottom_level *b = w->source;
    uint32_t number = words[0];
    assert_true(words[10] < b->geometry_count);
    const amber_geometry *g = &b->geometries[words[10]];
    const uint32_t n = g->boxes ? 6 : 9;
    assert_true(words[0] < g->count);
    for (uint32_t i = 0; i < words[10]; i++)
        number += b->geometries[i].count;
    w->reached[number]++;
    assert_memory_equal(&words[1], g->points + (size_t)n * words[0], n * sizeof(float));
    for (uint32_t i = 0; i < n; i += 3)
        check_inside(w, g->points + (size_t)n * words[0] + i, depth);
    assert_int_equal(words[15], (uint32_t)BASE_NODE_LEAF | (g->boxes ? BASE_NODE_BOX : 0u) |
                                    (g->opaque ? 0u : BASE_NODE_NOT_OPAQUE));
}

static void
check_bottom(fixture *f, const uint8_t *nodes, const amber_bottom_level *b)
{
    walk w = {.f = f, .nodes = nodes, .leaf = check_primitive, .source = b};
    for (uint32_t i = 0; i < b->geometry_count; i++)
        w.n_leaves += b->geometries[i].count;
    w.reached = ARENA_ARRAY(&f->a, w.n_leaves, uint32_t);
    visit_all(&w);
    assert_true(w.n_nodes < 2 * w.n_leaves + 2);
}

static void
check_triangles(uint32_t n, float spread, float size)
{
    fixture f;
    start(&f);
    amber_geometry g[2] = {
        {.opaque = true, .count = n - n / 3, .points = draw_points(&f, n - n / 3, spread, size)},
        {.count = n / 3, .points = draw_points(&f, n / 3, spread, size)}};
    amber_bottom_level b = {.geometries = g, .geometry_count = n / 3 ? 2 : 1};
    amber_instance i = {.bottom = &b, .mask = 1, .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    amber_top_level t = {.instances = &i, .instance_count = 1};
    build(&f, &t);
    const amber_accel_place at = amber_accel_find(&f.all, &t);
    assert_int_equal(at.size, 2 * BASE_ACCEL_RECORD);
    const uint8_t *instance = f.bytes + at.offset + BASE_ACCEL_RECORD;
    check_bottom(&f, at_address(&f, instance, 0), &b);
    arena_free(&f.a);
}

static void
test_triangles(void **state)
{
    static const uint32_t counts[] = {1, 2, 7, 8, 9, 10, 16, 17, 64, 65, 1000};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check_triangles(counts[i], 10, 1);
        check_triangles(counts[i], 1e-20f, 1e-30f);
        check_triangles(counts[i], 1e4f, 1e-3f);
        check_triangles(counts[i], 3e37f, 3e37f);
        check_triangles(counts[i], 0, 1e-42f);
        check_triangles(counts[i], 0, 0);
    }
}

/* Boxes far from the origin, whose size is a few of the steps between floats there, and flat ones. */
static void
test_boxes(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    float *points = ARENA_ARRAY(&f.a, 6 * 100, float);
    for (uint32_t i = 0; i < 100; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            points[6 * i + k] = (k == 2 ? -1000 : 1000) + ldexpf(floorf(draw(&f, 0, 8)), -14);
            points[6 * i + 3 + k] = points[6 * i + k] + ldexpf(floorf(draw(&f, 0, 4)), -14);
        }
    }
    amber_geometry g = {.boxes = true, .count = 100, .points = points};
    amber_bottom_level b = {.geometries = &g, .geometry_count = 1};
    amber_instance i = {.bottom = &b, .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    amber_top_level t = {.instances = &i, .instance_count = 1};
    build(&f, &t);
    check_bottom(&f, at_address(&f, f.bytes + amber_accel_find(&f.all, &t).offset + 128, 0), &b);
    arena_free(&f.a);
}

/* ---- top level ---- */

static void
check_instance(walk *w, const uint32_t *words, uint32_t depth)
{
    const amber_top_level *t = w->source;
    amber_box box;
    assert_true(words[0] < t->instance_count);
    const amber_instance *i = &t->instances[words[0]];
    const amber_geometry *g = &i->bottom->geometries[0];
    w->reached[words[0]]++;
    memcpy(&box, &words[1], sizeof box);
    check_inside(w, box.lower, depth);
    check_inside(w, box.upper, depth);
    for (uint32_t p = 0; p < 3 * g->count; p++) {
        for (unsigned r = 0; r < 3; r++) {
            double at = i->transform[4 * r + 3];
            for (unsigned c = 0; c < 3; c++)
                at += (double)i->transform[4 * r + c] * g->points[3 * p + c];
            assert_true(box.lower[r] <= at && at <= box.upper[r]);
        }
    }
    assert_int_equal(words[15], (uint32_t)BASE_NODE_LEAF | BASE_NODE_INSTANCES);
    assert_int_equal(words[7] >> 8, i->mask);
}

static void
check_record(const amber_instance *i, const uint8_t *record)
{
    float to_object[12], to_world[12];
    memcpy(to_object, record + 16, sizeof to_object);
    memcpy(to_world, record + 80, sizeof to_world);
    assert_memory_equal(to_world, i->transform, sizeof to_world);
    assert_int_equal(word(record, 2), i->custom_index);
    assert_int_equal(word(record, 3), i->offset | (uint32_t)i->flags << 24);
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 4; c++) {
            double sum = c == 3 ? to_object[4 * r + 3] : 0;
            for (unsigned k = 0; k < 3; k++)
                sum += (double)to_object[4 * r + k] * to_world[4 * k + c];
            assert_true(fabs(sum - (r == c)) < 1e-4);
        }
    }
}

/* A turn about an axis between those of space, behind a stretch that differs by axis. */
static void
draw_transform(fixture *f, float out[12])
{
    const float a = draw(f, 0, 6), b = draw(f, 0, 6);
    const float turn[9] = {cosf(a),           -sinf(a),          0,
                           sinf(a) * cosf(b), cosf(a) * cosf(b), -sinf(b),
                           sinf(a) * sinf(b), cosf(a) * sinf(b), cosf(b)};
    const float stretch[3] = {draw(f, 0.1f, 4), draw(f, -4, -0.1f), draw(f, 0.5f, 1)};
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++)
            out[4 * r + c] = turn[3 * r + c] * stretch[c];
        out[4 * r + 3] = draw(f, -50, 50);
    }
}

static void
test_instances(void **state)
{
    enum { INSTANCES = 100 };
    fixture f;
    (void)state;
    start(&f);
    amber_geometry g[2] = {{.count = 20, .points = draw_points(&f, 20, 3, 2)},
                           {.count = 5, .points = draw_points(&f, 5, 9, 2)}};
    amber_bottom_level b[2] = {{.geometries = &g[0], .geometry_count = 1, .index = 3},
                               {.geometries = &g[1], .geometry_count = 1, .index = 1}};
    amber_instance *list = ARENA_ARRAY(&f.a, INSTANCES, amber_instance);
    amber_top_level t = {.instances = list, .instance_count = INSTANCES, .index = 2};
    for (uint32_t k = 0; k < INSTANCES; k++) {
        list[k] = (amber_instance){.bottom = &b[k % 2],
                                   .custom_index = k * 1000,
                                   .offset = 0xffffff - k,
                                   .mask = (uint8_t)(3 * k),
                                   .flags = (uint8_t)(k & 3)};
        draw_transform(&f, list[k].transform);
    }
    build(&f, &t);
    const amber_accel_place at = amber_accel_find(&f.all, &t);
    const uint8_t *records = f.bytes + at.offset;
    walk w = {.f = &f, .leaf = check_instance, .source = &t, .n_leaves = INSTANCES};
    assert_int_equal(at.size, (INSTANCES + 1) * BASE_ACCEL_RECORD);
    assert_ptr_equal(at_address(&f, records, 20), records);
    w.nodes = at_address(&f, records, 6);
    w.inner_flags = BASE_NODE_INSTANCES;
    w.reached = ARENA_ARRAY(&f.a, INSTANCES, uint32_t);
    visit_all(&w);
    for (uint32_t k = 0; k < INSTANCES; k++) {
        const uint8_t *record = records + (size_t)(k + 1) * BASE_ACCEL_RECORD;
        check_record(&list[k], record);
        check_bottom(&f, at_address(&f, record, 0), list[k].bottom);
    }
    arena_free(&f.a);
}

/* What all leaves of an instance are. */
static void
test_instance_flags(void **state)
{
    enum {
        OPAQUE = BASE_INSTANCE_ALL_OPAQUE,
        OPEN = BASE_INSTANCE_ALL_NOT_OPAQUE,
        BOXES = BASE_INSTANCE_ALL_BOXES
    };
    static const struct {
        bool first, second, boxes;
        uint8_t flags;
        uint32_t expected;
    } cases[] = {
        {true, true, false, 0, OPAQUE},
        {false, false, false, 0, OPEN},
        {true, false, false, 3, 0},
        {true, false, true, 0, BOXES},
        {false, false, true, AMBER_INSTANCE_OPAQUE, OPAQUE | BOXES},
        {true, false, false, AMBER_INSTANCE_NOT_OPAQUE, OPEN},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        fixture f;
        start(&f);
        const float *points = draw_points(&f, 2, 3, 2);
        amber_geometry g[2] = {
            {.boxes = cases[k].boxes, .opaque = cases[k].first, .count = 1, .points = points},
            {.boxes = cases[k].boxes, .opaque = cases[k].second, .count = 1, .points = points}};
        amber_bottom_level b = {.geometries = g, .geometry_count = 2};
        amber_instance i = {.bottom = &b,
                            .flags = cases[k].flags,
                            .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
        amber_top_level t = {.instances = &i, .instance_count = 1};
        build(&f, &t);
        const uint8_t *nodes = at_address(&f, f.bytes + amber_accel_find(&f.all, &t).offset, 6);
        assert_int_equal(word(nodes + BASE_NODE_BYTES, 7), cases[k].expected);
        arena_free(&f.a);
    }
}

/* A NaN makes a primitive inactive; of what has no other, no instance is found by any ray. */
static void
test_inactive(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    float points[18] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, NAN, 5, 6, 7, 8};
    amber_geometry g[2] = {{.count = 2, .points = points}, {.count = 1, .points = points + 9}};
    amber_bottom_level b[2] = {{.geometries = &g[0], .geometry_count = 1, .index = 0},
                               {.geometries = &g[1], .geometry_count = 1, .index = 1}};
    amber_instance i[2] = {
        {.bottom = &b[0], .mask = 255, .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},
        {.bottom = &b[1], .mask = 255, .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}};
    amber_top_level t = {.instances = i, .instance_count = 2};
    build(&f, &t);
    const uint8_t *records = f.bytes + amber_accel_find(&f.all, &t).offset;
    const uint8_t *nodes = at_address(&f, records, 6);
    assert_int_equal(nodes[61], 1);
    assert_int_equal(word(nodes + BASE_NODE_BYTES, 0), 0);
    assert_int_equal(at_address(&f, records + BASE_ACCEL_RECORD, 0)[61], 1);
    t.instances = &i[1];
    t.instance_count = 1;
    build(&f, &t);
    nodes = at_address(&f, f.bytes + amber_accel_find(&f.all, &t).offset, 6);
    assert_int_equal(nodes[61], 1);
    assert_int_equal(word(nodes + BASE_NODE_BYTES, 7), 0); /* no mask meets it */
    arena_free(&f.a);
}

static void
test_invert(void **state)
{
    static const float flat[12] = {1, 2, 3, 0, 2, 4, 6, 0, 0, 0, 1, 0};
    static const float tiny[12] = {1e-38f, 0, 0, 0, 0, 1e-38f, 0, 0, 0, 0, 1e-42f, 0};
    static const float huge[12] = {1, 0, 0, INFINITY, 0, 1, 0, 0, 0, 0, 1, 0};
    float inverse[12];
    (void)state;
    assert_false(amber_accel_invert(flat, inverse));
    assert_false(amber_accel_invert(tiny, inverse));
    assert_false(amber_accel_invert(huge, inverse));
}

/* ---- reading ---- */

/* NULL after an error. */
static amber_script *
parse(fixture *f, const char *text)
{
    amber_script *volatile s = NULL;
    if (DIAG_TRY(&f->d))
        s = amber_parse(&f->a, &f->d, "t.amber", text, strlen(text), NULL);
    return s;
}

static void
test_read(void **state)
{
    fixture f;
    (void)state;
    start(&f);
    amber_script *s = parse(
        &f, "#!amber\nSHADER compute s GLSL\nvoid main() {}\nEND\n"
            "ACCELERATION_STRUCTURE BOTTOM_LEVEL one\n"
            "  GEOMETRY TRIANGLES\n    FLAGS OPAQUE\n 0 1 2  3 4 5\n 6.5 -7 8e-1\n  END\n"
            "  GEOMETRY TRIANGLES 1 2 3 4 5 6 7 8 9  1 1 1 2 2 2 3 3 0x10 END\nEND\n"
            "ACCELERATION_STRUCTURE BOTTOM_LEVEL two\n  GEOMETRY AABBS\n"
            "    FLAGS\n  OPAQUE\n  NO_DUPLICATE_ANY_HIT\n END\n 0 0 0 1 1 1\n END\nEND\n"
            "ACCELERATION_STRUCTURE TOP_LEVEL one\n"
            "  BOTTOM_LEVEL_INSTANCE two END\n"
            "  BOTTOM_LEVEL_INSTANCE one\n    INDEX 16777215\n    OFFSET 0x10\n    MASK 0x0F\n"
            "    FLAGS TRIANGLE_FACING_CULL_DISABLE FORCE_OPAQUE\n"
            "    TRANSFORM\n 1 2 3 4\n 0 1 5 6\n 0 0 1 7\n END\n  END\n"
            "  BLAS_INSTANCE USE one\n"
            "  BOTTOM_LEVEL_INSTANCE one\n    FLAGS\n      TRIANGLE_FLIP_FACING\n"
            "      FORCE_NO_OPAQUE\n      FORCE_OPACITY_MICROMAP_2_STATE\n"
            "      DISABLE_OPACITY_MICROMAPS\n      0x40\n    END\n  END\nEND\n"
            "PIPELINE compute p\n  ATTACH s\n"
            "  BIND ACCELERATION_STRUCTURE one DESCRIPTOR_SET 1 BINDING 2\nEND\n");
    assert_non_null(s);
    assert_int_equal(s->bottom_count, 2);
    assert_int_equal(s->top_count, 1);
    const amber_bottom_level *one = s->bottoms[0], *two = s->bottoms[1];
    assert_int_equal(one->geometry_count, 2);
    assert_true(one->geometries[0].opaque && !one->geometries[1].opaque);
    assert_int_equal(one->geometries[0].count, 1);
    assert_int_equal(one->geometries[1].count, 2);
    assert_true(one->geometries[0].points[6] == 6.5f && one->geometries[0].points[7] == -7.0f);
    assert_true(one->geometries[1].points[17] == 16.0f);
    assert_true(two->geometries[0].boxes && two->geometries[0].opaque && two->geometries[0].once);
    const amber_instance *i = s->tops[0]->instances;
    assert_int_equal(s->tops[0]->instance_count, 4);
    assert_true(i[0].bottom == two && i[1].bottom == one && i[2].bottom == one);
    assert_int_equal(i[0].mask, 255);
    assert_true(i[0].transform[0] == 1 && i[0].transform[1] == 0 && i[0].transform[10] == 1);
    assert_int_equal(i[1].custom_index, 0xffffff);
    assert_int_equal(i[1].offset, 16);
    assert_int_equal(i[1].mask, 15);
    assert_int_equal(i[1].flags, 5);
    assert_true(i[1].transform[6] == 5 && i[1].transform[11] == 7);
    assert_int_equal(i[3].flags, 0x7a);
    const amber_binding *b = s->pipelines[0]->bindings;
    assert_int_equal(b->kind, AMBER_BIND_ACCEL);
    assert_true(b->accel == s->tops[0] && b->set == 1 && b->binding == 2 && !b->buffer);
    arena_free(&f.a);
}

#define BOTTOM "#!amber\nACCELERATION_STRUCTURE BOTTOM_LEVEL b\n"
#define TOP    BOTTOM "GEOMETRY AABBS 0 0 0 1 1 1 END END\nACCELERATION_STRUCTURE TOP_LEVEL t\n"

static void
test_read_bad(void **state)
{
    static const struct {
        const char *text;
        diag_error error;
        uint32_t line, column;
    } rows[] = {
        {"#!amber\nACCELERATION_STRUCTURE MIDDLE_LEVEL a\n", ERR_AMBER_EXPECTED, 2, 24},
        {BOTTOM "END\n", ERR_AMBER_MISSING, 3, 1},
        {BOTTOM "GEOMETRY SPHERES\n", ERR_AMBER_EXPECTED, 3, 10},
        {BOTTOM "GEOMETRY TRIANGLES\nEND\n", ERR_AMBER_MISSING, 4, 1},
        {BOTTOM "GEOMETRY TRIANGLES\n0 0 0 1 0 0 0 1\n0 7\nEND\n", ERR_AMBER_VALUES, 6, 1},
        {BOTTOM "GEOMETRY AABBS 0 0 0 1 1 1 2 END\n", ERR_AMBER_VALUES, 3, 30},
        {BOTTOM "GEOMETRY AABBS 0 0 0 1 1 1e39\n", ERR_AMBER_EXPECTED, 3, 26},
        {BOTTOM "GEOMETRY AABBS 0 0 0 1 1 x\n", ERR_AMBER_EXPECTED, 3, 26},
        {BOTTOM "GEOMETRY AABBS FLAGS OPAQUE 1\n", ERR_AMBER_EXPECTED, 3, 29},
        {BOTTOM "GEOMETRY AABBS 0 0 0 1 1 1 END\nGEOMETRY TRIANGLES 0 0 0 1 1 1 2 2 2 END\n",
         ERR_AMBER_MISSING, 4, 38},
        {BOTTOM "GEOMETRY AABBS 0 0 0", ERR_AMBER_EXPECTED, 3, 21},
        {BOTTOM "GEOMETRY AABBS 0 0 0 1 1 1 END END\nACCELERATION_STRUCTURE BOTTOM_LEVEL b\n",
         ERR_AMBER_DUPLICATE, 4, 37},
        {TOP "END\n", ERR_AMBER_MISSING, 5, 1},
        {TOP "BOTTOM_LEVEL_INSTANCE t END\n", ERR_AMBER_UNKNOWN, 5, 23},
        {TOP "BOTTOM_LEVEL_INSTANCE b MASK 256 END\n", ERR_AMBER_RANGE, 5, 30},
        {TOP "BOTTOM_LEVEL_INSTANCE b OFFSET 0x1000000 END\n", ERR_AMBER_RANGE, 5, 32},
        {TOP "BOTTOM_LEVEL_INSTANCE b INDEX -1 END\n", ERR_AMBER_EXPECTED, 5, 31},
        {TOP "BOTTOM_LEVEL_INSTANCE b FLAGS FORCE\n", ERR_AMBER_EXPECTED, 5, 31},
        {TOP "BOTTOM_LEVEL_INSTANCE b FLAGS 256\n", ERR_AMBER_EXPECTED, 5, 31},
        {TOP "BOTTOM_LEVEL_INSTANCE b\nTRANSFORM 1 0 0 0 0 1 0 0 0 0 1 END\n", ERR_AMBER_EXPECTED,
         6, 33},
        {TOP "BOTTOM_LEVEL_INSTANCE b\nTRANSFORM 1 0 0 0 0 1 0 0 0 0 1 0 0 END\n",
         ERR_AMBER_EXPECTED, 6, 35},
        {TOP "BOTTOM_LEVEL_INSTANCE b\nTRANSFORM 1 0 0 0 0 1 0 0 1 1 0 0\nEND\n", ERR_AMBER_MISSING,
         7, 1},
        {"#!amber\nPIPELINE compute p\nBIND ACCELERATION_STRUCTURE t\n", ERR_AMBER_UNKNOWN, 3, 29},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        start(&f);
        assert_null(parse(&f, rows[i].text));
        assert_int_equal(f.d.error, rows[i].error);
        assert_int_equal(f.d.loc.line, rows[i].line);
        assert_int_equal(f.d.loc.column, rows[i].column);
        arena_free(&f.a);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles), cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_instances), cmocka_unit_test(test_instance_flags),
        cmocka_unit_test(test_inactive),  cmocka_unit_test(test_invert),
        cmocka_unit_test(test_read),      cmocka_unit_test(test_read_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
