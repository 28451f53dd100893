/* What the software Radeon reads of a module's debug info; modules that are cut off or wrong. */
#include "../../../tools/radeon/radeon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define OP(opcode, words) ((uint32_t)(words) << 16 | (opcode))

/* Stores at line 7 to shared memory, at line 8 a load from there and a store to a buffer; line 9 has
 * a barrier. Two pointers are made by access chains. */
static const uint32_t module[] = {
    0x07230203, 0x00010300, 0,          20,         0, /* header: ids below 20 */
    OP(7, 4),   1,          0x2e612f78, 0x00706d63,    /* OpString "x/a.cmp" */
    OP(3, 4),   2,          450,        1,             /* OpSource */
    OP(32, 4),  2,          4,          3,             /* OpTypePointer Workgroup */
    OP(32, 4),  4,          12,         3,             /* OpTypePointer StorageBuffer */
    OP(59, 4),  2,          5,          4,             /* OpVariable */
    OP(59, 4),  4,          6,          12,            /* OpVariable */
    OP(8, 4),   1,          7,          0,             /* OpLine 7 */
    OP(65, 5),  2,          7,          5,          9, /* OpAccessChain */
    OP(62, 3),  7,          9,                         /* OpStore */
    OP(8, 4),   1,          8,          0,             /* OpLine 8 */
    OP(61, 4),  3,          10,         5,             /* OpLoad */
    OP(65, 5),  4,          11,         6,          9, /* OpAccessChain */
    OP(62, 3),  11,         10,                        /* OpStore */
    OP(234, 7), 3,          12,         11,         9, /* OpAtomicIAdd */
    9,          10,                                    /* ... */
    OP(8, 4),   1,          9,          0,             /* OpLine 9 */
    OP(224, 4), 9,          9,          9,             /* OpControlBarrier */
    OP(317, 1),                                        /* OpNoLine */
    OP(62, 3),  7,          9,                         /* OpStore, of no line */
};

enum { N = sizeof module / sizeof *module };

static void
test_lines(void **state)
{
    (void)state;
    gpu_shader s = {0};
    radeon_read_module(module, N, &s);
    assert_string_equal(s.source, "x/a.cmp");
    assert_int_equal(s.lines[GPU_LINE_SHARED_STORE][0], 7);
    assert_int_equal(s.lines[GPU_LINE_SHARED_STORE][1], 0);
    assert_int_equal(s.lines[GPU_LINE_SHARED_LOAD][0], 8);
    assert_int_equal(s.lines[GPU_LINE_BUFFER_STORE][0], 8);
    assert_int_equal(s.lines[GPU_LINE_BUFFER_ATOMIC][0], 8);
    assert_int_equal(s.lines[GPU_LINE_BUFFER_LOAD][0], 0);
    assert_int_equal(s.lines[GPU_LINE_BARRIER][0], 9);
}

static void
test_wrong(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t n = 0; n <= N; n++) {
        gpu_shader s = {0};
        radeon_read_module(module, n, &s);
    }
    for (unsigned k = 0; k < 20000; k++) {
        uint32_t copy[N];
        gpu_shader s = {0};
        memcpy(copy, module, sizeof copy);
        for (unsigned j = 0; j < 3; j++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            copy[(random >> 33) % N] ^= UINT32_C(1) << (random >> 28) % 32;
        }
        radeon_read_module(copy, N, &s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
