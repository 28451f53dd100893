/* The estimate of code's time: dependencies, waits, loops, units. */
#include "amd/isa/table/estimate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool
assemble(diag *d, arena *a, bool wave64, const char *text, base_buf *code)
{
    if (!DIAG_TRY(d))
        return false;
    amd_assemble(d, a, AMD_GFX10_3, wave64, text, strlen(text), code);
    return true;
}

static amd_estimate
estimate(const char *text, bool wave64)
{
    diag d;
    arena a, scratch;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, &d);
    base_buf code = buf_make(&a);
    if (!assemble(&d, &scratch, wave64, text, &code))
        fail_msg("%s", d.message);
    amd_pace pace = amd_pace_of(AMD_GFX10_3, "gfx1030", wave64);
    amd_estimate e = amd_estimate_code(&scratch, &pace, code.data, (uint32_t)code.size);
    arena_free(&a);
    arena_free(&scratch);
    return e;
}

/* A result is available five cycles after issue; independent instructions continue. */
static void
test_dependencies(void **state)
{
    (void)state;
    assert_int_equal(estimate("v_add_f32 v0, v1, v2\nv_add_f32 v3, v4, v5", false).latency, 2);
    assert_int_equal(estimate("v_add_f32 v0, v1, v2\nv_add_f32 v3, v0, v5", false).latency, 6);
    assert_int_equal(estimate("v_rcp_f32 v0, v1\nv_add_f32 v3, v0, v5", false).latency, 11);
    assert_int_equal(estimate("s_add_u32 s0, s1, s2\ns_addc_u32 s3, s4, s5", false).latency, 3);
}

/* A memory operation costs nothing until its result is waited for: 320 cycles, and one for the
 * second half of its bytes. A wait with a count does not wait for later operations. */
static void
test_waits(void **state)
{
    (void)state;
    const char *load = "global_load_dword v0, v[2:3], off\n";
    char text[256] = "";
    assert_true(estimate(load, false).latency == 1);
    strcat(strcat(text, load), "s_waitcnt vmcnt(0)\nv_mov_b32 v1, v0");
    assert_int_equal(estimate(text, false).latency, 323);
    const char *two = "global_load_dword v0, v[2:3], off\nv_nop\nv_nop\nv_nop\n"
                      "global_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(1)";
    assert_int_equal(estimate(two, false).latency, 322);
    const char *far = "s_load_dword s0, s[2:3], s4\ns_waitcnt lgkmcnt(0)";
    assert_int_equal(estimate(far, false).latency, 201);
    const char *near = "s_load_dword s0, s[2:3], 0x10\ns_waitcnt lgkmcnt(0)";
    assert_int_equal(estimate(near, false).latency, 31);
}

/* Eight iterations, whose branch is taken; several branches to the first instruction are one
 * loop. */
static void
test_loops(void **state)
{
    (void)state;
    const char *once = "v_add_f32 v0, v0, v1\ns_cbranch_scc0 1\ns_nop 0";
    assert_int_equal(estimate(once, false).latency, 3);
    const char *loop = "L: v_add_f32 v0, v0, v1\ns_cbranch_scc0 L\ns_nop 0";
    assert_int_equal(estimate(loop, false).latency, 8 * 33 + 1);
    const char *continues = "L: v_add_f32 v0, v0, v1\ns_cbranch_scc0 L\ns_branch L\ns_nop 0";
    assert_int_equal(estimate(continues, false).latency, 8 * 65 + 1);
}

/* The step of a loop may stand before its test: then the last branch to the step stands before a
 * loop within. The inner loop is still in it; what follows it, is not. */
static void
test_rotated_loops(void **state)
{
    (void)state;
    const char *nested = "s_branch T\nS: v_nop\nT: s_cbranch_scc1 S\n"
                         "L: v_nop\ns_cbranch_scc0 L\ns_branch T\nv_nop";
    /* S to the end is a loop, so is T, and in it L */
    assert_int_equal(estimate(nested, false).latency,
                     32 + 8 * 1 + 64 * 32 + 512 * 33 + 64 * 32 + 1);
    const char *apart = "K: v_nop\ns_cbranch_scc0 K\nL: v_nop\ns_cbranch_scc0 L";
    assert_int_equal(estimate(apart, false).latency, 2 * 8 * 33);
}

/* wave64 takes the vector unit twice as long; the slow operations a multiple. */
static void
test_units(void **state)
{
    (void)state;
    assert_int_equal(estimate("v_add_f32 v0, v1, v2", false).inv_throughput, 1);
    assert_int_equal(estimate("v_add_f32 v0, v1, v2", true).inv_throughput, 2);
    assert_int_equal(estimate("v_rcp_f32 v0, v1", false).inv_throughput, 4);
    assert_int_equal(estimate("v_mul_lo_u32 v0, v1, v2", true).inv_throughput, 8);
    assert_int_equal(estimate("v_add_f64 v[0:1], v[2:3], v[4:5]", false).inv_throughput, 16);
    assert_int_equal(estimate("", false).inv_throughput, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependencies), cmocka_unit_test(test_waits),
        cmocka_unit_test(test_loops),        cmocka_unit_test(test_rotated_loops),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
