/* The copy engine: packets against memory. */
#include "gpu/sdma/sdma.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    STREAM = 0x10000,
    DATA = 0x100000,
    DATA_BYTES = 0x20000,
    SDMA_4 = 0x40000,
    SDMA_7 = 0x70001
};

typedef struct bench {
    arena a;
    mach_memory m;
    gpu_cp cp;
    uint32_t stream[64], n;
    uint8_t *data;
    unsigned accesses, waits;
} bench;

static uint64_t
tell_time(void *user)
{
    (void)user;
    return 0x123456789;
}

static void
see_access(void *user, const gpu_packet_access *a)
{
    ((bench *)user)->accesses += a->agent == GPU_AGENT_DMA;
}

static void
see_points(void *user, uint32_t points)
{
    ((bench *)user)->waits += points == GPU_POINT_DMA;
}

static void
begin(bench *b, const char *processor)
{
    memset(b, 0, sizeof *b);
    arena_init(&b->a, &base_malloc_allocator, NULL, NULL);
    mach_memory_init(&b->m, &b->a);
    b->data = arena_zalloc(&b->a, DATA_BYTES);
    assert_non_null(mach_memory_map(&b->m, STREAM, sizeof b->stream, b->stream, "stream"));
    assert_non_null(mach_memory_map(&b->m, DATA, DATA_BYTES, b->data, "data"));
    const gpu_cp_hooks hooks = {
        .clock = tell_time, .accesses = see_access, .passes = see_points, .user = b};
    assert_true(gpu_cp_init(&b->cp, processor, &hooks, &b->a));
}

static gpu_cp_status
run(bench *b, uint32_t version, const uint32_t *words, uint32_t n)
{
    const gpu_ib ib = {STREAM, n};
    memcpy(b->stream, words, n * sizeof *words);
    gpu_cp_start(&b->cp, &b->m, &ib, 1);
    return gpu_sdma_run(&b->cp, version);
}

#define RUN(b, version, ...)                                                                       \
    run(b, version, (const uint32_t[]){__VA_ARGS__},                                               \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t
dword(const bench *b, uint32_t at)
{
    uint32_t v;
    memcpy(&v, b->data + at, 4);
    return v;
}

static void
test_plain(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx900");
    /* WRITE 2 dwords, a NOP with 2 words behind it, COPY 5 bytes, FILL 8, FENCE, TIMESTAMP */
    assert_int_equal(RUN(&b, SDMA_4, 2, DATA, 0, 1, 0x11223344, 0x55667788, 0 | 2 << 16, 9, 9, 1, 4,
                         0, DATA, 0, DATA + 101, 0, 11 | 2u << 30, DATA + 200, 0, 7, 7, 5,
                         DATA + 300, 0, 42, 13 | 2 << 8, DATA + 400, 0),
                     GPU_CP_DONE);
    assert_int_equal(dword(&b, 4), 0x55667788);
    assert_int_equal(dword(&b, 101), 0x11223344);
    assert_int_equal(dword(&b, 105), 0x88);
    assert_int_equal(dword(&b, 200), 7);
    assert_int_equal(dword(&b, 204), 7);
    assert_int_equal(dword(&b, 208), 0);
    assert_int_equal(dword(&b, 300), 42);
    assert_int_equal(dword(&b, 404), 1);
    assert_int_equal(b.accesses, 4);
    assert_int_equal(b.waits, 1);
    arena_free(&b.a);
}

/* A stream that waits goes on at the packet that waits. */
static void
test_poll(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1030");
    const uint32_t equal = 8 | 3u << 28 | 1u << 31;
    assert_int_equal(RUN(&b, 0x50200, equal, DATA, 0, 5, 0xff, 0, 5, DATA + 4, 0, 1),
                     GPU_CP_WAITING);
    assert_int_equal(dword(&b, 4), 0);
    b.data[0] = 5;
    assert_int_equal(gpu_sdma_run(&b.cp, 0x50200), GPU_CP_DONE);
    assert_int_equal(dword(&b, 4), 1);
    arena_free(&b.a);
}

/* A window of 2 x 2 dwords, at 1, 1 of 4 x 4 and back to 0, 0 of 2 x 2. */
static void
test_window(void **state)
{
    (void)state;
    const struct {
        uint32_t version, pitch;
    } cases[] = {{SDMA_4, 13}, {SDMA_7, 16}};
    for (unsigned k = 0; k < 2; k++) {
        bench b;
        begin(&b, k ? "gfx1201" : "gfx900");
        for (unsigned at = 0; at < 16; at++)
            b.data[4 * at] = (uint8_t)at;
        assert_int_equal(RUN(&b, cases[k].version, 1 | 4 << 8 | 2u << 29, DATA, 0, 1 | 1 << 16,
                             3u << cases[k].pitch, 15, DATA + 256, 0, 0, 1u << cases[k].pitch, 3,
                             1 | 1 << 16, 0),
                         GPU_CP_DONE);
        assert_int_equal(dword(&b, 256), 5);
        assert_int_equal(dword(&b, 260), 6);
        assert_int_equal(dword(&b, 264), 9);
        assert_int_equal(dword(&b, 268), 10);
        arena_free(&b.a);
    }
}

/* Level 1 of an image of 8 x 8 dwords with two levels goes into tiles, to another image and back. */
static void
test_tiles(void **state)
{
    (void)state;
    enum { IN = 0, FIRST = 0x4000, SECOND = 0x8000, OUT = 0x10000 };
    const struct {
        const char *processor;
        uint32_t version, header, info;
    } cases[] = {{"gfx1010", 0x50000, 0, 2 | 5 << 3 | 1 << 9 | 1 << 16 | 1 << 20},
                 {"gfx1201", SDMA_7, 0, 2 | 2 << 3 | 1 << 16 | 1 << 24}};
    for (unsigned k = 0; k < 2; k++) {
        bench b;
        uint32_t info = cases[k].info, size = 7 << 16, to = 1 | 5 << 8, from = to | 1u << 31;
        begin(&b, cases[k].processor);
        for (unsigned at = 0; at < 16; at++)
            b.data[4 * at] = (uint8_t)(at + 1);
        assert_int_equal(RUN(&b, cases[k].version, to, DATA + FIRST, 0, 0, size, 7, info, DATA + IN,
                             0, 0, 3u << 16, 15, 3 | 3 << 16, 0),
                         GPU_CP_DONE);
        assert_int_equal(dword(&b, FIRST), 0); /* level 0 is untouched */
        assert_int_equal(RUN(&b, cases[k].version, 1 | 6 << 8, DATA + FIRST, 0, 0, size, 7, info,
                             DATA + SECOND, 0, 0, size, 7, info, 3 | 3 << 16, 0),
                         GPU_CP_DONE);
        assert_int_equal(RUN(&b, cases[k].version, from, DATA + SECOND, 0, 0, size, 7, info,
                             DATA + OUT, 0, 0, 3u << 16, 15, 3 | 3 << 16, 0),
                         GPU_CP_DONE);
        assert_memory_equal(b.data + IN, b.data + OUT, 64);
        arena_free(&b.a);
    }
}

static void
test_faults(void **state)
{
    (void)state;
    const struct {
        uint32_t words[7], n;
        const char *message;
    } cases[] = {
        {{99}, 1, "SDMA operation 99, part 0, is not known"},
        {{1 | 7 << 8}, 1, "SDMA operation 1, part 7, is not known"},
        {{1, 0, 0, DATA}, 4, "COPY_LINEAR goes on behind the end of the stream"},
        {{2, DATA, 0, 100, 1}, 5, "WRITE_LINEAR goes on behind the end of the stream"},
        {{0 | 9 << 16}, 1, "NOP goes on behind the end of the stream"},
        {{1, 3, 0, 0x900000, 0, DATA, 0}, 7, "the packet reads 1 bytes at 0x900000, which is not"},
        {{11, DATA, 0, 1, 3}, 5, "CONSTANT_FILL of numbers of other than 4 bytes is not executed"},
        {{8, DATA, 0, 0, 0, 0}, 6, "POLL_REGMEM of a register is not executed"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        begin(&b, "gfx1100");
        assert_int_equal(run(&b, 0x60000, cases[k].words, cases[k].n), GPU_CP_FAULT);
        if (strncmp(b.cp.fault.message, cases[k].message, strlen(cases[k].message)) != 0)
            fail_msg("%s, not: %s", b.cp.fault.message, cases[k].message);
        arena_free(&b.a);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain), cmocka_unit_test(test_poll),   cmocka_unit_test(test_window),
        cmocka_unit_test(test_tiles), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
