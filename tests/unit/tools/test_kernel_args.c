/* The descriptions of data and arguments of `heddle run`: how they are parsed, converted and
 * compared. */
#include "kernel_args.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
no_memory(void *user)
{
    (void)user;
    abort();
}

static int
set_up(void **state)
{
    arena *a = malloc(sizeof *a);
    arena_init(a, &base_malloc_allocator, no_memory, NULL);
    *state = a;
    return 0;
}

static int
tear_down(void **state)
{
    arena_free(*state);
    free(*state);
    return 0;
}

/* The elements of a description as text, or "!message" if it is refused. */
static const char *
made(arena *a, const char *text)
{
    data_spec s;
    const char *why = "";
    uint8_t *bytes;
    uint64_t size;
    base_buf out = buf_make(a);
    if (!data_spec_parse(a, text, false, &s, &why) ||
        !data_spec_make(a, &s, 0, "abcdefgh", 8, &bytes, &size, &why))
        return arena_printf(a, "!%s", why);
    for (uint64_t i = 0; i < size / data_type_size(s.type); i++) {
        buf_puts(&out, i ? " " : "");
        data_print_element(bytes, i, s.type, &out);
    }
    return buf_text(&out);
}

static void
test_make(void **state)
{
    arena *a = *state;
    assert_string_equal(made(a, "count=3"), "0 0 0");
    assert_string_equal(made(a, "u8,size=4,iota=254"), "254 255 0 1");
    assert_string_equal(made(a, "i16,count=3,iota=-1:-2"), "-1 -3 -5");
    assert_string_equal(made(a, "f16,count=3,iota=0.5:0.25"), "0.5 0.75 1");
    assert_string_equal(made(a, "f32,values=1:-2.5:1e3:inf:nan"), "1 -2.5 1000 inf nan");
    assert_string_equal(made(a, "i64,values=-1:0x7fffffffffffffff"), "-1 9223372036854775807");
    assert_string_equal(made(a, "values=-1:4294967295,count=3"),
                        "4294967295 4294967295 4294967295");
    assert_string_equal(made(a, "u8,file=f"), "97 98 99 100 101 102 103 104");
    assert_string_equal(made(a, "u16,file=f,count=1"), "25185");
    assert_string_equal(made(a, "f64,count=1,fill=0.1"), "0.10000000000000001");
    assert_string_equal(made(a, "count=2,random=3"), made(a, "count=2,random=3"));
    assert_string_not_equal(made(a, "count=2,random=3"), made(a, "count=2,random=4"));
    static const char *const wrong[] = {"",
                                        "u32",
                                        "f32,f32,count=1",
                                        "count=",
                                        "count=-1",
                                        "count=1,zeros,iota",
                                        "count=1k1",
                                        "u8,count=1,fill=-129",
                                        "u8,count=1,fill=1.5",
                                        "count=1,iota=0.5",
                                        "file=f,count=3",
                                        "u64,size=7",
                                        "values=",
                                        "values=1:",
                                        "values=1;2",
                                        "fill=1:2,count=1",
                                        "iota=1:2:3,count=1",
                                        "count=18446744073709551616",
                                        "count=18446744073709551615",
                                        "fill=0x,count=1",
                                        "random=x,count=1",
                                        "tolerance=1,count=1",
                                        "count=1,,",
                                        "fill=.,count=1",
                                        "fill=e5,count=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (*made(a, wrong[i]) != '!')
            fail_msg("'%s' was taken: %s", wrong[i], made(a, wrong[i]));
}

static uint64_t
differing(arena *a, const char *spec, const double *got, const double *want, uint64_t n)
{
    data_spec s;
    const char *why;
    uint64_t first;
    assert_true(data_spec_parse(a, spec, true, &s, &why));
    return data_compare(&s, got, want, n * 8, &first);
}

static void
test_compare(void **state)
{
    arena *a = *state;
    const double got[] = {1, 2.5, NAN, 0.0, INFINITY, 100}, want[] = {1, 2, NAN, -0.0, 1e300, 101};
    assert_int_equal(differing(a, "f64,zeros", got, want, 6), 3);
    assert_int_equal(differing(a, "f64,zeros,tolerance=0.5", got, want, 6), 2);
    assert_int_equal(differing(a, "f64,zeros,tolerance=1", got, want, 6), 1);
    assert_int_equal(differing(a, "f64,zeros,relative=0.01", got, want, 6), 2);
    double next = nextafter(1, 2), one = 1;
    assert_int_equal(differing(a, "f64,zeros", &next, &one, 1), 1);
    assert_int_equal(differing(a, "f64,zeros,ulps=1", &next, &one, 1), 0);
    const double tiny = 5e-324, minus = -5e-324;
    assert_int_equal(differing(a, "f64,zeros,ulps=1", &tiny, &minus, 1), 1);
    assert_int_equal(differing(a, "f64,zeros,ulps=2", &tiny, &minus, 1), 0);
}

static const void *
no_file(void *user, const char *path, size_t *size)
{
    (void)user;
    (void)path;
    (void)size;
    return NULL;
}

static void
test_frame(void **state)
{
    arena *a = *state;
    static const obj_arg args[] = {{"p", "global_buffer", 0, 8},
                                   {"v", "by_value", 16, 16},
                                   {"", "dynamic_shared_pointer", 32, 4},
                                   {"", "hidden_block_count_x", 40, 4},
                                   {"h", "by_value", 36, 2}};
    const obj_code kernel = {.args = args, .n_args = 5, .lds_bytes = 20};
    const char *const texts[] = {"h=-2", "buf:f16,count=3,iota", "f32:1,2,3", "lds:100"};
    const kernel_files files = {no_file, NULL};
    kernel_arg given[4];
    kernel_frame f;
    mach_memory m;
    const char *why = NULL;
    mach_memory_init(&m, a);
    for (int i = 0; i < 4; i++)
        assert_true(kernel_arg_parse(a, texts[i], &given[i], &why));
    if (!kernel_frame_make(a, &m, &kernel, given, 4, true, &files, &f, &why))
        fail_msg("%s", why);
    assert_int_equal(f.size, 38);
    assert_int_equal(f.lds_bytes, 132);
    uint64_t address;
    memcpy(&address, f.bytes, 8);
    assert_int_equal(address, f.slots[0].buffer->base);
    assert_int_equal(f.slots[0].buffer->size, 6);
    assert_memory_equal(f.bytes + 16, ((const float[]){1, 2, 3, 0}), 16);
    assert_memory_equal(f.bytes + 32, ((const uint8_t[]){32, 0, 0, 0, 0xfe, 0xff}), 6);
    assert_ptr_equal(kernel_frame_find(&f, "h", 1), &f.slots[3]);
    assert_ptr_equal(kernel_frame_find(&f, "2", 1), &f.slots[2]);
    assert_null(kernel_frame_find(&f, "4", 1));
    assert_null(kernel_frame_find(&f, "", 0));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_make, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compare, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frame, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("kernel_args", tests, NULL, NULL);
}
