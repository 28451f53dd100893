/* The words of descriptors that the compiler has built in are those that the emulator's driver
 * writes, on every target that is compiled for. */
#include "amd/abi/layout.h"
#include "amd/amd.h"
#include "amd/launch/descriptors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
test_raw_buffers(void **state)
{
    (void)state;
    unsigned n = 0;
    for (const amd_target *t = amd_targets; t < amd_targets + amd_target_count; t++) {
        uint32_t words[4];
        if (!amd_target_compiles(t))
            continue;
        n++;
        amd_desc_buffer(t->gen, words, 0x1234567890, 16);
        assert_int_equal(words[1], 0x12);
        assert_int_equal(words[3], amd_raw_buffer_word3(t->gen));
    }
    assert_true(n > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_raw_buffers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
