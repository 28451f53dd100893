/* image_bvh_intersect_ray: boxes and triangles, compared with the geometric definition. */
#include "emu_env.h"

#include "amd/emu/num/float.h"

#include <math.h>

enum { NODES = 8 };

typedef struct scene {
    emu_env *e;
    uint8_t *bytes;
} scene;

/* `flags`: 1 sorts boxes, 2 gives barycentrics. */
static scene
make(uint32_t flags)
{
    scene s = {emu_env_new(32), NULL};
    const mach_region *r = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, NODES * 64, 256, "bvh");
    s.bytes = r->host;
    s.e->w.sgpr[AMD_REG_EXEC_LO] = 1;
    s.e->w.sgpr[4] = (uint32_t)(r->base >> 8);
    s.e->w.sgpr[5] = (uint32_t)(r->base >> 40) | (flags & 1) << 31;
    s.e->w.sgpr[6] = NODES - 1;
    s.e->w.sgpr[7] = 8u << 28 | (flags >> 1 & 1) << 24;
    return s;
}

static void
put(const scene *s, uint32_t node, uint32_t word, uint32_t v)
{
    memcpy(s->bytes + 64 * node + 4 * word, &v, 4);
}

static void
put_floats(const scene *s, uint32_t node, uint32_t word, const float *v, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        put(s, node, word + k, base_f32_bits(v[k]));
}

/* Tests lane 0's ray against a node; results are in v4 to v7. */
static const uint32_t *
trace(const scene *s, uint32_t pointer, float extent, const float origin[3], const float dir[3])
{
    static uint32_t out[4];
    emu_env *e = s->e;
    e->w.vgpr[8][0] = pointer;
    e->w.vgpr[9][0] = base_f32_bits(extent);
    for (uint32_t k = 0; k < 3; k++) {
        e->w.vgpr[10 + k][0] = base_f32_bits(origin[k]);
        e->w.vgpr[13 + k][0] = base_f32_bits(dir[k]);
        e->w.vgpr[16 + k][0] = base_f32_bits(1 / dir[k]);
    }
    emu_run_text(e, "image_bvh_intersect_ray v[4:7], v[8:18], s[4:7]");
    for (uint32_t k = 0; k < 4; k++)
        out[k] = e->w.vgpr[4 + k][0];
    return out;
}

static const float forward[3] = {0, 0, 1}, zero[3] = {0, 0, 0};

/* Four boxes along z: at 10, 5, 20 and one beside the ray. */
static void
put_boxes(const scene *s)
{
    static const float boxes[4][6] = {
        {-1, -1, 10, 1, 1, 11}, {-1, -1, 5, 1, 1, 6}, {-1, -1, 20, 1, 1, 21}, {5, 5, 1, 6, 6, 2}};
    for (uint32_t b = 0; b < 4; b++) {
        put(s, 0, b, 0x100 + b);
        put_floats(s, 0, 4 + 6 * b, boxes[b], 6);
        put(s, 2, b, 0x200 + b);
        for (uint32_t k = 0; k < 3; k++)
            put(s, 2, 4 + 3 * b + k,
                amd_emu_to_half_rne(boxes[b][2 * k]) | amd_emu_to_half_rne(boxes[b][2 * k + 1])
                                                           << 16);
    }
}

static void
expect(const uint32_t *got, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t want[4] = {a, b, c, d};
    for (uint32_t k = 0; k < 4; k++)
        if (got[k] != want[k])
            fail_msg("result %u is 0x%x, not 0x%x", k, got[k], want[k]);
}

static void
test_boxes(void **state)
{
    (void)state;
    const uint32_t none = UINT32_MAX;
    scene s = make(0);
    put_boxes(&s);
    expect(trace(&s, 5, 100, zero, forward), 0x100, 0x101, 0x102, none);
    expect(trace(&s, 5, 15, zero, forward), 0x100, 0x101, none, none);
    expect(trace(&s, 5, 100, (float[]){0, 0, 8}, forward), 0x100, none, 0x102, none);
    expect(trace(&s, 5, 100, (float[]){0, 0, 10.5f}, forward), 0x100, none, 0x102, none);
    expect(trace(&s, 5, 100, (float[]){5.5f, 5.5f, 0}, forward), none, none, none, 0x103);
    expect(trace(&s, 2 << 3 | 4, 100, zero, forward), 0x200, 0x201, 0x202, none);
    /* beyond the descriptor's bounds */
    expect(trace(&s, 8 << 3 | 5, 100, zero, forward), none, none, none, none);
    emu_env_free(s.e);
    s = make(1);
    put_boxes(&s);
    expect(trace(&s, 5, 100, zero, forward), 0x101, 0x100, 0x102, none);
    expect(trace(&s, 5, 100, (float[]){0, 0, 30}, (float[]){0, 0, -1}), 0x102, 0x100, 0x101, none);
    put(&s, 0, 1, none); /* a missing child */
    expect(trace(&s, 5, 100, zero, forward), 0x100, 0x102, none, none);
    put(&s, 0, 4, 0x7fc00000); /* an unused box */
    expect(trace(&s, 5, 100, zero, forward), 0x102, none, none, none);
    emu_env_free(s.e);
}

static float
ratio(const uint32_t *r, uint32_t k)
{
    return base_bits_f32(r[k]) / base_bits_f32(r[1]);
}

static void
test_triangles(void **state)
{
    /* in the plane z = 4: v0 (0,0), v1 (4,0), v2 (0,4), v3 (4,4), v4 (8,8) */
    static const float vertices[15] = {0, 0, 4, 4, 0, 4, 0, 4, 4, 4, 4, 4, -8, 2, 4};
    (void)state;
    scene s = make(2);
    put_floats(&s, 3, 0, vertices, 15);
    put(&s, 3, 15, 0x09090909);
    const uint32_t *r = trace(&s, 3 << 3, 100, (float[]){1, 2, 0}, forward);
    assert_true(fabsf(ratio(r, 0) - 4) < 1e-6f);
    assert_true(fabsf(ratio(r, 2) - 0.25f) < 1e-6f); /* v1's weight */
    assert_true(fabsf(ratio(r, 3) - 0.5f) < 1e-6f);  /* v2's */
    /* from behind, the direction not normalised: t in its units */
    r = trace(&s, 3 << 3, 100, (float[]){1, 2, 8}, (float[]){0, 0, -2});
    assert_true(fabsf(ratio(r, 0) - 2) < 1e-6f);
    assert_true(fabsf(ratio(r, 2) - 0.25f) < 1e-6f);
    /* missed, and behind the origin */
    r = trace(&s, 3 << 3, 100, (float[]){3, 3, 0}, forward);
    assert_true(isinf(ratio(r, 0)));
    r = trace(&s, 3 << 3, 100, (float[]){1, 2, 5}, forward);
    assert_true(isinf(ratio(r, 0)));
    /* the second triangle: v1, v3, v2 */
    r = trace(&s, 3 << 3 | 1, 100, (float[]){3, 3, 0}, forward);
    assert_true(fabsf(ratio(r, 0) - 4) < 1e-6f);
    assert_true(fabsf(ratio(r, 2) - 0.5f) < 1e-6f);
    /* the fourth: v2, v4, v0 */
    r = trace(&s, 3 << 3 | 3, 100, (float[]){-4, 2, 0}, forward);
    assert_true(fabsf(ratio(r, 2) - 0.5f) < 1e-6f);
    assert_true(fabsf(ratio(r, 3) - 0.25f) < 1e-6f);
    emu_env_free(s.e);
    s = make(0);
    put_floats(&s, 3, 0, vertices, 15);
    put(&s, 3, 15, 0x77);
    r = trace(&s, 3 << 3, 100, (float[]){1, 2, 0}, forward);
    assert_int_equal(r[2], 0x77);
    assert_int_equal(r[3], 1);
    r = trace(&s, 3 << 3, 100, (float[]){3, 3, 0}, forward);
    assert_int_equal(r[3], 0);
    emu_env_free(s.e);
}

/* Direction and inverse as halves; a 64-bit node; separate registers. */
static void
test_operands(void **state)
{
    (void)state;
    scene s = make(0);
    emu_env *e = s.e;
    put_boxes(&s);
    e->w.vgpr[20][0] = 5;
    e->w.vgpr[21][0] = 0;
    e->w.vgpr[22][0] = base_f32_bits(100);
    for (uint32_t k = 0; k < 3; k++)
        e->w.vgpr[23 + k][0] = 0;
    e->w.vgpr[26][0] = 0;                      /* dir.xy */
    e->w.vgpr[27][0] = 0x3c00 | 0x7c00u << 16; /* dir.z, inverse.x */
    e->w.vgpr[28][0] = 0x7c00 | 0x3c00u << 16; /* inverse.yz */
    emu_run_text(e, "image_bvh64_intersect_ray v[4:7], v[20:28], s[4:7] a16");
    assert_int_equal(e->w.vgpr[4][0], 0x100);
    assert_int_equal(e->w.vgpr[7][0], UINT32_MAX);
    trace(&s, 5, 100, zero, forward);
    e->w.vgpr[4][0] = 0;
    e->w.vgpr[40][0] = e->w.vgpr[18][0];
    emu_run_text(e, "image_bvh_intersect_ray v[4:7], "
                    "[v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v40], s[4:7]");
    assert_int_equal(e->w.vgpr[4][0], 0x100);
    emu_env_free(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
