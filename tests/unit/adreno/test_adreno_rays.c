/* turnip's code of a ray query finds the nearest triangles of an instance, without findings. What
 * it should find is computed triangle by triangle, along z. */
#include "adreno/emu/desc/descriptor.h"
#include "adreno/emu/emu.h"
#include "base/bits.h"
#include "base/diag.h"
#include "base/ray.h"
#include "turnip_ray_query.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
    RAYS = 64,
    LEVELS = 15, /* of inner nodes: four triangles each, and the next node */
    TRIANGLES = 4 * LEVELS,
    NODES = 5 * LEVELS,
    PARENTS = 512, /* bytes */
    WORDS = BASE_NODE_BYTES / 4,
};

#define FARTHEST 100

typedef struct bounds {
    float lower[3], upper[3];
} bounds;

typedef struct scene {
    diag diag;
    arena arena;
    mach_memory memory;
    mach_report report;
    uint64_t seed;
    float triangle[TRIANGLES][9];
    mach_region *top, *bottom, *out, *set, *uniforms;
    adreno_dispatch dispatch;
} scene;

/* From -1 to 1. */
static float
random_float(scene *s)
{
    s->seed ^= s->seed << 13;
    s->seed ^= s->seed >> 7;
    s->seed ^= s->seed << 17;
    return (float)((double)(int64_t)s->seed * 0x1p-63);
}

static mach_region *
allocate(scene *s, uint64_t size, const char *name)
{
    mach_region *r = mach_memory_alloc(&s->memory, MACH_HEAP_LOW, size, 0, name);
    memset(r->host, 0, size);
    return r;
}

static void
put_word(mach_region *r, uint64_t at, uint32_t value)
{
    memcpy(r->host + at, &value, sizeof value);
}

static void
put_address(mach_region *r, uint64_t at, uint64_t value)
{
    put_word(r, at, (uint32_t)value);
    put_word(r, at + 4, (uint32_t)(value >> 32));
}

/* ---- hierarchies ---- */

static void
widen(bounds *b, const float point[3])
{
    for (unsigned k = 0; k < 3; k++) {
        b->lower[k] = fminf(b->lower[k], point[k]);
        b->upper[k] = fmaxf(b->upper[k], point[k]);
    }
}

static const bounds nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static bounds
bounds_of(const scene *s, unsigned first, unsigned behind)
{
    bounds b = nothing;
    for (unsigned i = first; i < behind; i++)
        for (unsigned p = 0; p < 3; p++)
            widen(&b, &s->triangle[i][3 * p]);
    return b;
}

/* An axis of an inner node: base and steps such that all children fit. */
static void
put_axis(uint8_t *node, unsigned k, const bounds *children, unsigned n)
{
    bounds all = nothing;
    int exponent = 0;
    for (unsigned c = 0; c < n; c++) {
        widen(&all, children[c].lower);
        widen(&all, children[c].upper);
    }
    uint32_t bits = base_f32_bits(all.lower[k]);
    bits = (bits >> 31 ? bits + 0xffff : bits) & 0xffff0000;
    const double base = base_bits_f32(bits);
    while (ldexp(255, exponent - 134) < all.upper[k] - base)
        exponent++;
    const double step = ldexp(1, exponent - 134);
    node[4 + 2 * k] = (uint8_t)(bits >> 16);
    node[5 + 2 * k] = (uint8_t)(bits >> 24);
    node[58 + k] = (uint8_t)exponent;
    for (unsigned c = 0; c < n; c++) {
        node[10 + 6 * c + k] = (uint8_t)floor((children[c].lower[k] - base) / step);
        node[13 + 6 * c + k] = (uint8_t)ceil((children[c].upper[k] - base) / step);
    }
}

/* A node in a hierarchy, which begins behind the words of the parents. */
typedef struct place {
    mach_region *region;
    uint64_t hierarchy;
    uint32_t number;
} place;

static uint64_t
offset_of(const place *p)
{
    return p->hierarchy + (uint64_t)BASE_NODE_BYTES * p->number;
}

static void
put_inner(const place *p, uint32_t first, const bounds *children, unsigned n)
{
    uint8_t *node = p->region->host + offset_of(p);
    put_word(p->region, offset_of(p), first);
    for (unsigned k = 0; k < 3; k++)
        put_axis(node, k, children, n);
    node[61] = (uint8_t)n;
    for (unsigned c = 0; c < n; c++)
        put_word(p->region, p->hierarchy - 4 * (uint64_t)(first + c) - 4, p->number);
}

static void
put_triangle(const scene *s, const place *p, unsigned number)
{
    put_word(p->region, offset_of(p), number);
    memcpy(p->region->host + offset_of(p) + 4, s->triangle[number], sizeof s->triangle[number]);
    put_word(p->region, offset_of(p) + 4 * 15, BASE_NODE_LEAF);
}

/* A chain of inner nodes that is longer than the stack of the walk. */
static void
put_bottom(scene *s)
{
    place p = {s->bottom, PARENTS, 0};
    uint32_t next = 1;
    put_word(s->bottom, PARENTS - 4, BASE_RAY_NO_NODE);
    for (unsigned l = 0; l < LEVELS; l++) {
        const unsigned n = l + 1 < LEVELS ? 5 : 4;
        bounds children[5];
        for (unsigned c = 0; c < 4; c++) {
            children[c] = bounds_of(s, 4 * l + c, 4 * l + c + 1);
            put_triangle(s, &(place){s->bottom, PARENTS, next + c}, 4 * l + c);
        }
        children[4] = bounds_of(s, 4 * l + 4, TRIANGLES);
        put_inner(&p, next, children, n);
        p.number = next + 4;
        next += n;
    }
}

/* One instance: objects are shifted by -1 in x, and half as high in y. */
static void
put_top(scene *s)
{
    enum { RECORDS = 2 * BASE_ACCEL_RECORD, HIERARCHY = RECORDS + 64 };
    static const float to_object[12] = {1, 0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0};
    const place root = {s->top, HIERARCHY, 0}, leaf = {s->top, HIERARCHY, 1};
    bounds b = bounds_of(s, 0, TRIANGLES);
    b.lower[0] -= 1.001f;
    b.upper[0] -= 0.999f;
    b.lower[1] /= 2;
    b.upper[1] /= 2;
    put_address(s->top, 4 * 6, s->top->base + HIERARCHY);
    put_address(s->top, 4 * 20, s->top->base);
    put_address(s->top, BASE_ACCEL_RECORD, s->bottom->base + PARENTS);
    memcpy(s->top->host + BASE_ACCEL_RECORD + 4 * 4, to_object, sizeof to_object);
    put_inner(&root, 1, &b, 1);
    put_word(s->top, HIERARCHY - 4, BASE_RAY_NO_NODE);
    s->top->host[HIERARCHY + 63] = BASE_NODE_INSTANCES >> 24;
    memcpy(s->top->host + offset_of(&leaf) + 4, &b, sizeof b);
    put_word(s->top, offset_of(&leaf) + 4 * 7, 0xff00);
    put_word(s->top, offset_of(&leaf) + 4 * 15, BASE_NODE_INSTANCES | BASE_NODE_LEAF);
}

/* ---- the dispatch ---- */

static void
put_descriptors(scene *s)
{
    const adreno_buffer_view accel = {.address = s->top->base,
                                      .elements = 1 << 27,
                                      .format = MACH_FORMAT_r32_uint,
                                      .record = BASE_ACCEL_RECORD / 4};
    const adreno_buffer_view out = {
        .address = s->out->base, .elements = s->out->size / 2, .format = MACH_FORMAT_r16_uint};
    uint32_t words[2 * ADRENO_TEXTURE_WORDS];
    adreno_encode_buffer(&accel, words);
    adreno_encode_buffer(&out, words + ADRENO_TEXTURE_WORDS);
    memcpy(s->set->host, words, sizeof words);
    adreno_encode_uniform_buffer(s->uniforms->base + 2 * ADRENO_DESCRIPTOR_BYTES, 64, words);
    memcpy(s->uniforms->host + ADRENO_DESCRIPTOR_BYTES, words, 8);
}

static void
make(scene *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    diag_init(&s->diag);
    arena_init(&s->arena, &base_malloc_allocator, diag_out_of_memory, &s->diag);
    mach_memory_init(&s->memory, &s->arena);
    s->seed = seed;
    for (unsigned i = 0; i < TRIANGLES; i++) {
        const float at[3] = {RAYS / 2 + RAYS / 2 * random_float(s), random_float(s),
                             25 + 25 * random_float(s)};
        for (unsigned k = 0; k < 9; k++)
            s->triangle[i][k] = at[k % 3] + (k % 3 ? 5 : 8) * random_float(s);
    }
    mach_region *code = allocate(s, sizeof turnip_ray_query + 128, "code");
    memcpy(code->host, turnip_ray_query, sizeof turnip_ray_query);
    s->bottom = allocate(s, PARENTS + NODES * BASE_NODE_BYTES, "bottom");
    s->top = allocate(s, 2 * BASE_ACCEL_RECORD + 64 + 2 * BASE_NODE_BYTES, "top");
    s->out = allocate(s, RAYS * 16, "out");
    s->set = allocate(s, 2 * ADRENO_DESCRIPTOR_BYTES, "set");
    s->uniforms = allocate(s, 3 * ADRENO_DESCRIPTOR_BYTES, "uniforms");
    put_bottom(s);
    put_top(s);
    put_descriptors(s);
    s->dispatch = (adreno_dispatch){.gen = 7,
                                    .intersects_rays = true,
                                    .entry = code->base,
                                    .wave_size = 64,
                                    .group_size = {RAYS, 1, 1},
                                    .groups = {1, 1, 1},
                                    .workgroup_id = 48 * 4,
                                    .sets = {s->set->base},
                                    .buffers = s->uniforms->base,
                                    .n_buffers = 2,
                                    .checks = MACH_CHECK_ALL,
                                    .seed = 1};
}

/* The triangle that a ray from (x + 1, 0, -1) along z meets first, and where; -1: none. */
static int
find_nearest(const scene *s, unsigned x, double *t)
{
    int nearest = -1;
    *t = FARTHEST;
    for (int i = 0; i < TRIANGLES; i++) {
        const float *p = s->triangle[i];
        double weight[3], sum = 0, z = 0;
        for (unsigned k = 0; k < 3; k++) {
            const float *a = p + 3 * ((k + 1) % 3), *b = p + 3 * ((k + 2) % 3);
            weight[k] = ((double)a[0] - x - 1) * b[1] - ((double)b[0] - x - 1) * a[1];
            sum += weight[k];
            z += weight[k] * p[3 * k + 2];
        }
        const double at = z / sum + 1;
        if (weight[0] / sum > 0 && weight[1] / sum > 0 && weight[2] / sum > 0 && at > 0 &&
            at < *t) {
            *t = at;
            nearest = i;
        }
    }
    return nearest;
}

static void
test_turnip_query(void **state)
{
    unsigned hits = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        static scene s;
        make(&s, seed * UINT64_C(0x9e3779b97f4a7c15));
        if (!adreno_emu_run(&s.dispatch, &s.memory, &s.arena, &s.report))
            fail_msg("%s", s.report.findings[0].message);
        for (unsigned x = 0; x < RAYS; x++) {
            float got[4];
            double t;
            const int nearest = find_nearest(&s, x, &t);
            memcpy(got, s.out->host + sizeof got * x, sizeof got);
            assert_true(nearest < 0 ? got[0] == 0 : fabs(got[0] - t) < 1e-4);
            assert_int_equal((int)got[3], nearest < 0 ? 0 : nearest);
            hits += nearest >= 0;
        }
        arena_free(&s.arena);
    }
    assert_true(hits > 100 && hits < 10 * RAYS);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turnip_query)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
