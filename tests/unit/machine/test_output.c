/* Depth and stencil tests, blending and logical operations, against Vulkan's tables. */
#include "machine/raster/output.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* ---- depth and stencil ---- */

static void
test_comparisons(void **state)
{
    /* of less, equal, greater; a NaN is not equal to anything */
    static const uint8_t want[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    (void)state;
    for (unsigned how = 0; how < 8; how++) {
        unsigned got = mach_compare_passes((mach_compare)how, 1, 2) |
                       (unsigned)mach_compare_passes((mach_compare)how, 2, 2) << 1 |
                       (unsigned)mach_compare_passes((mach_compare)how, 3, 2) << 2;
        assert_int_equal(got, want[how]);
        bool unordered = how == MACH_COMPARE_NOT_EQUAL || how == MACH_COMPARE_ALWAYS;
        assert_int_equal(mach_compare_passes((mach_compare)how, NAN, 2), unordered);
    }
}

static void
test_stencil_operations(void **state)
{
    static const uint8_t want[8][3] = {{0, 100, 255}, {0, 0, 0},     {7, 7, 7},   {1, 101, 255},
                                       {0, 99, 254},  {255, 155, 0}, {1, 101, 0}, {255, 99, 254}};
    static const uint8_t stored[3] = {0, 100, 255};
    (void)state;
    for (unsigned op = 0; op < 8; op++) {
        for (unsigned v = 0; v < 3; v++) {
            for (unsigned when = 0; when < 3; when++) { /* fails, depth fails, passes */
                mach_depth_stencil s = {.depth_test = true,
                                        .depth_write = true,
                                        .stencil_test = true,
                                        .depth_compare = MACH_COMPARE_LESS};
                mach_stencil *t = &s.stencil[1];
                *t = (mach_stencil){.compare_mask = 255, .write_mask = 0x7f, .reference = 7};
                t->compare = when == 0 ? MACH_COMPARE_NEVER : MACH_COMPARE_ALWAYS;
                *(when == 0 ? &t->fail : when == 1 ? &t->depth_fail : &t->pass) = (uint8_t)op;
                mach_depth_sample x = {0.5, stored[v]};
                bool passes = mach_test_sample(&s, true, when == 1 ? 0.75 : 0.25, &x);
                assert_int_equal(passes, when == 2);
                assert_int_equal(x.stencil, (want[op][v] & 0x7f) | (stored[v] & 0x80));
                assert_true(x.depth == (when == 2 ? 0.25 : 0.5));
            }
        }
    }
}

static void
test_tests_that_are_off(void **state)
{
    mach_depth_sample x = {0.5, 3};
    mach_depth_stencil s = {.depth_write = true, .stencil = {{.pass = MACH_STENCIL_ZERO}}};
    (void)state;
    assert_true(mach_test_sample(&s, false, 0.75, &x));
    assert_true(x.depth == 0.5 && x.stencil == 3);
    s.stencil_test = true; /* only the compared bits count */
    s.stencil[0] = (mach_stencil){.compare = MACH_COMPARE_EQUAL, .compare_mask = 2, .reference = 6};
    assert_true(mach_test_sample(&s, false, 0.75, &x));
    s.stencil[0].compare_mask = 4;
    assert_false(mach_test_sample(&s, false, 0.75, &x));
}

/* ---- colours ---- */

static const float src[2][4] = {{0.5f, 0.25f, 1, 0.75f}, {0.125f, 1, 0.5f, 0.25f}};
static const float dst[4] = {0.25f, 0.5f, 0.75f, 0.5f};
static const float constant[4] = {1, 0.5f, 0.25f, 0.125f};

/* Vulkan 1.3, table "Blend Factors": the first three components by component, alpha. */
static float
table_factor(unsigned f, unsigned c)
{
    const float one_by[19] = {0,
                              1,
                              src[0][c],
                              1 - src[0][c],
                              dst[c],
                              1 - dst[c],
                              src[0][3],
                              1 - src[0][3],
                              dst[3],
                              1 - dst[3],
                              constant[c],
                              1 - constant[c],
                              constant[3],
                              1 - constant[3],
                              c == 3 ? 1 : fminf(src[0][3], 1 - dst[3]),
                              src[1][c],
                              1 - src[1][c],
                              src[1][3],
                              1 - src[1][3]};
    return one_by[f];
}

static void
test_blend_factors_and_operations(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 19 * 19 * 5; k++) {
        mach_blend_equation e = {(uint8_t)(k % 19), (uint8_t)(k / 19 % 19), (uint8_t)(k / 361)};
        mach_blend b = {.color = e, .alpha = e, .constant = {1, 0.5f, 0.25f, 0.125f}};
        float out[4];
        mach_blend_color(&b, MACH_COLOR_FLOAT, src, dst, out);
        for (unsigned c = 0; c < 4; c++) {
            float s = src[0][c] * table_factor(e.src, c), d = dst[c] * table_factor(e.dst, c);
            const float want[5] = {s + d, s - d, d - s, fminf(src[0][c], dst[c]),
                                   fmaxf(src[0][c], dst[c])};
            assert_true(out[c] == want[e.op]);
        }
    }
}

static void
test_ranges(void **state)
{
    const float far[2][4] = {{2, -3, NAN, 0.5f}, {9, 9, 9, 9}};
    const mach_blend b = {.color = {MACH_BLEND_SRC1_COLOR, MACH_BLEND_ZERO, MACH_BLEND_ADD},
                          .alpha = {MACH_BLEND_ONE, MACH_BLEND_ONE, MACH_BLEND_ADD}};
    float out[4];
    (void)state;
    mach_blend_color(&b, MACH_COLOR_UNORM, far, dst, out);
    assert_true(out[0] == 1 && out[1] == 0 && out[2] == 0 && out[3] == 1);
    mach_blend_color(&b, MACH_COLOR_SNORM, far, dst, out);
    assert_true(out[0] == 1 && out[1] == -1 && out[2] == -1 && out[3] == 1);
    mach_blend_color(&b, MACH_COLOR_FLOAT, far, dst, out);
    assert_true(out[0] == 18 && out[1] == -27 && isnan(out[2]) && out[3] == 1);
}

static void
test_logical_operations(void **state)
{
    const uint32_t s = 0xf0f0ff00, d = 0xcccc1234;
    const uint32_t want[16] = {0,     s & d,  s & ~d,   s,         ~s & d, d,
                               s ^ d, s | d,  ~(s | d), ~(s ^ d),  ~d,     s | ~d,
                               ~s,    ~s | d, ~(s & d), UINT32_MAX};
    (void)state;
    for (unsigned op = 0; op < 16; op++)
        assert_int_equal(mach_logic((mach_logic_op)op, s, d), want[op]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_stencil_operations),
        cmocka_unit_test(test_tests_that_are_off),
        cmocka_unit_test(test_blend_factors_and_operations),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_logical_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
