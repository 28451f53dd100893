/* The command processor: packets against memory and launch state. */
#include "gpu/cp/cp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { STREAM = 0x10000, DATA = 0x20000, DATA_DWORDS = 64, STREAM_DWORDS = 256 };

/* A GPU with a buffer for streams and one for data, which sees dispatches without running them. */
typedef struct bench {
    arena a;
    mach_memory m;
    gpu_cp cp;
    uint32_t stream[STREAM_DWORDS], n; /* what `put` has written */
    uint32_t data[DATA_DWORDS];
    gpu_dispatch seen;
    unsigned dispatches;
    uint64_t time;
} bench;

static bool
see_dispatch(void *user, const gpu_dispatch *d, mach_memory *m, gpu_fault *fault)
{
    bench *b = user;
    (void)m, (void)fault;
    b->seen = *d;
    b->dispatches++;
    return true;
}

static uint64_t
tell_time(void *user)
{
    return ++((bench *)user)->time;
}

static void
begin(bench *b, const char *processor)
{
    memset(b, 0, sizeof *b);
    arena_init(&b->a, &base_malloc_allocator, NULL, NULL);
    mach_memory_init(&b->m, &b->a);
    assert_non_null(mach_memory_map(&b->m, STREAM, sizeof b->stream, b->stream, "stream"));
    assert_non_null(mach_memory_map(&b->m, DATA, sizeof b->data, b->data, "data"));
    const gpu_cp_hooks hooks = {.dispatch = see_dispatch, .clock = tell_time, .user = b};
    assert_true(gpu_cp_init(&b->cp, processor, &hooks, &b->a));
}

static void
put(bench *b, uint32_t opcode, const uint32_t *words, uint32_t n)
{
    assert_true(b->n + n < STREAM_DWORDS);
    b->stream[b->n++] = 3u << 30 | (n - 1) << 16 | opcode << 8;
    memcpy(b->stream + b->n, words, n * sizeof *words);
    b->n += n;
}

#define PUT(b, opcode, ...)                                                                        \
    put(b, opcode, (const uint32_t[]){__VA_ARGS__},                                                \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static gpu_cp_status
execute(bench *b)
{
    const gpu_ib ib = {STREAM, b->n};
    b->cp.fault.message[0] = 0;
    gpu_cp_start(&b->cp, &b->m, &ib, 1);
    gpu_cp_status status = gpu_cp_run(&b->cp);
    b->n = 0;
    return status;
}

static void
end(bench *b)
{
    arena_free(&b->a);
}

enum {
    SET_BASE = 0x11,
    SET_CONTEXT_REG = 0x69,
    DISPATCH_DIRECT = 0x15,
    DISPATCH_INDIRECT = 0x16,
    ATOMIC_MEM = 0x1e,
    SET_PREDICATION = 0x20,
    COND_EXEC = 0x22,
    WRITE_DATA = 0x37,
    WAIT_REG_MEM = 0x3c,
    INDIRECT_BUFFER = 0x3f,
    COPY_DATA = 0x40,
    CP_DMA = 0x41,
    EVENT_WRITE = 0x46,
    EVENT_WRITE_EOP = 0x47,
    RELEASE_MEM = 0x49,
    DMA_DATA = 0x50,
    LOAD_SH_REG_INDEX = 0x63,
    SET_SH_REG = 0x76,
};

/* The registers of a dispatch of 8 x 4 x 1 work items in groups of 4 x 4 x 1, as dwords from
 * 0xb000. */
static void
put_state(bench *b, uint32_t rsrc1, uint32_t rsrc2)
{
    PUT(b, SET_SH_REG, 0x20c, 0x123456, 0x00);              /* PGM_LO, PGM_HI */
    PUT(b, SET_SH_REG, 0x212, rsrc1, rsrc2);                /* PGM_RSRC1, 2 */
    PUT(b, SET_SH_REG, 0x207, 4 | 2 << 16, 4 | 4 << 16, 1); /* NUM_THREAD: two partial in x */
    PUT(b, SET_SH_REG, 0x240, 0xaaaa, 0xbbbb, 0xcccc);      /* USER_DATA_0 to 2 */
}

static void
test_dispatch(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1030");
    /* 3 user SGPRs, ids of x and y, two work item ids, 2 blocks of LDS */
    put_state(&b, 5 | 0xc0 << 12, 3 << 1 | 3 << 7 | 1 << 11 | 2 << 15);
    PUT(&b, SET_SH_REG, 0x204, 7, 8, 9); /* START, which the initiator ignores */
    PUT(&b, DISPATCH_DIRECT, 2, 3, 1, 1 | 1 << 2 | 1 << 15); /* wave32 */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    const amd_emu_dispatch *d = &b.seen.launch;
    assert_int_equal(b.dispatches, 1);
    assert_int_equal(d->entry, 0x12345600);
    assert_int_equal(d->wave_size, 32);
    assert_int_equal(d->n_vgprs, 48);
    assert_int_equal(d->lds_bytes, 1024);
    assert_int_equal(d->n_user_sgprs, 3);
    assert_int_equal(d->user_sgprs[2], 0xcccc);
    assert_true(d->workgroup_id[0] && d->workgroup_id[1] && !d->workgroup_id[2]);
    assert_int_equal(d->workitem_ids, 1);
    assert_int_equal(d->mode & 0xff, 0xc0);
    assert_int_equal(d->grid_groups[1], 3);
    assert_int_equal(d->first_group[0], 0);
    assert_int_equal(d->grid_items[0], 0); /* partial groups are not asked for */
    end(&b);
}

/* Partial groups, a grid that does not begin at 0, and one counted in work items. */
static void
test_grids(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx900");
    put_state(&b, 0, 0);
    PUT(&b, SET_SH_REG, 0x204, 1, 0, 0);
    PUT(&b, DISPATCH_DIRECT, 3, 1, 1, 1 | 1 << 1); /* the end is 3, so there are two groups */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.seen.launch.first_group[0], 1);
    assert_int_equal(b.seen.launch.grid_groups[0], 2);
    assert_int_equal(b.seen.launch.grid_items[0], 6);
    assert_int_equal(b.seen.launch.grid_items[1], 0);
    assert_int_equal(b.seen.launch.wave_size, 64);

    PUT(&b, DISPATCH_DIRECT, 9, 8, 1, 1 | 1 << 2 | 1 << 5); /* work items */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.seen.launch.grid_groups[0], 3);
    assert_int_equal(b.seen.launch.grid_items[0], 9);
    assert_int_equal(b.seen.launch.grid_groups[1], 2);
    assert_int_equal(b.seen.launch.grid_items[1], 0);

    PUT(&b, DISPATCH_DIRECT, 0, 1, 1, 1 | 1 << 2); /* nothing to do */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.dispatches, 2);
    end(&b);
}

/* The two forms of an indirect dispatch; scratch memory of the ring and of the hardware. */
static void
test_indirect(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1100");
    const uint32_t grid[] = {5, 6, 7};
    memcpy(b.data + 4, grid, sizeof grid);
    put_state(&b, 0, 1);
    PUT(&b, SET_SH_REG, 0x218, 32 | 10 << 12); /* TMPRING_SIZE: 10 times 256 bytes a wave */
    PUT(&b, DISPATCH_INDIRECT, DATA + 16, 0, 1 | 1 << 2 | 1 << 15);
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_memory_equal(b.seen.launch.grid_groups, grid, sizeof grid);
    assert_int_equal(b.seen.launch.scratch_bytes, 10 * 256 / 32);
    assert_false(b.seen.scratch_in_ring);
    end(&b);

    begin(&b, "gfx803");
    memcpy(b.data + 4, grid, sizeof grid);
    put_state(&b, 0, 1);
    PUT(&b, SET_SH_REG, 0x218, 32 | 10 << 12);
    PUT(&b, SET_BASE, 1, DATA, 0);
    PUT(&b, DISPATCH_INDIRECT, 16, 1 | 1 << 2);
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_memory_equal(b.seen.launch.grid_groups, grid, sizeof grid);
    assert_int_equal(b.seen.launch.scratch_bytes, 10 * 1024 / 64);
    assert_true(b.seen.scratch_in_ring);
    end(&b);
}

static void
test_data(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1030");
    PUT(&b, WRITE_DATA, 5 << 8, DATA, 0, 1, 2, 3);
    PUT(&b, COPY_DATA, 1 | 5 << 8, DATA + 4, 0, DATA + 16, 0);                 /* 32 bits */
    PUT(&b, COPY_DATA, 5 | 5 << 8 | 1 << 16, 8, 9, DATA + 24, 0);              /* immediate */
    PUT(&b, COPY_DATA, 9 | 5 << 8 | 1 << 16, 0, 0, DATA + 32, 0);              /* the clock */
    PUT(&b, DMA_DATA, 3u << 29 | 3 << 20, DATA, 0, DATA + 64, 0, 12);          /* a copy */
    PUT(&b, DMA_DATA, 2u << 29, 0xabcd1234, 0, DATA + 80, 0, 8);               /* a fill */
    PUT(&b, DMA_DATA, 3u << 29 | 2 << 20, DATA + 4096, 0, DATA + 4096, 0, 12); /* a prefetch */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    const uint32_t expected[] = {1, 2, 3, 0, 2, 0, 8, 9, 1, 0};
    assert_memory_equal(b.data, expected, sizeof expected);
    assert_memory_equal(b.data + 16, expected, 12);
    assert_int_equal(b.data[20], 0xabcd1234);
    assert_int_equal(b.data[21], 0xabcd1234);
    assert_int_equal(b.data[22], 0);
    end(&b);

    begin(&b, "gfx600");
    b.data[0] = 77;
    PUT(&b, CP_DMA, DATA, 0, DATA + 8, 0, 4);
    PUT(&b, CP_DMA, 5, 2 << 29, DATA + 12, 0, 8);
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.data[2], 77);
    assert_int_equal(b.data[3], 5);
    assert_int_equal(b.data[4], 5);
    end(&b);
}

/* A DMA goes over two buffers that are next to each other. */
static void
test_neighbours(void **state)
{
    (void)state;
    bench b;
    uint32_t next[4] = {0};
    begin(&b, "gfx1030");
    assert_non_null(mach_memory_map(&b.m, DATA + sizeof b.data, sizeof next, next, "next"));
    PUT(&b, DMA_DATA, 2u << 29, 3, 0, DATA + 4 * (DATA_DWORDS - 2), 0, 16);
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.data[DATA_DWORDS - 1], 3);
    assert_int_equal(next[1], 3);
    assert_int_equal(next[2], 0);
    end(&b);
}

static void
test_atomics(void **state)
{
    (void)state;
    const struct {
        uint32_t opcode, old, data, compare, result;
    } cases[] = {
        {0x07, 5, 6, 0, 6},
        {0x08, 5, 6, 5, 6},
        {0x48, 5, 6, 4, 5},
        {0x0f, 5, 6, 0, 11},
        {0x10, 5, 6, 0, UINT32_MAX},
        {0x11, 0x80000000, 1, 0, 0x80000000},
        {0x12, 0x80000000, 1, 0, 1},
        {0x13, 0x80000000, 1, 0, 1},
        {0x14, 0x80000000, 1, 0, 0x80000000},
        {0x15, 6, 3, 0, 2},
        {0x16, 6, 3, 0, 7},
        {0x17, 6, 3, 0, 5},
        {0x18, 6, 6, 0, 0},
        {0x18, 5, 6, 0, 6},
        {0x19, 0, 6, 0, 6},
        {0x19, 7, 6, 0, 6},
        {0x19, 3, 6, 0, 2},
    };
    bench b;
    begin(&b, "gfx1030");
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        b.data[0] = cases[k].old;
        b.data[1] = 1;
        PUT(&b, ATOMIC_MEM, cases[k].opcode, DATA, 0, cases[k].data, 0, cases[k].compare, 0, 1);
        assert_int_equal(execute(&b), GPU_CP_DONE);
        assert_int_equal(b.data[0], cases[k].result);
        assert_int_equal(b.data[1], 1);
    }
    b.data[0] = UINT32_MAX;
    b.data[1] = 0;
    PUT(&b, ATOMIC_MEM, 0x2f, DATA, 0, 1, 0, 0, 0, 1); /* 64 bits */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.data[1], 1);
    end(&b);
}

static void
test_waits(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1030");
    PUT(&b, WRITE_DATA, 5 << 8, DATA + 4, 0, 1);
    PUT(&b, WAIT_REG_MEM, 3 | 1 << 4, DATA, 0, 7, UINT32_MAX, 4);
    PUT(&b, WRITE_DATA, 5 << 8, DATA + 4, 0, 2);
    assert_int_equal(execute(&b), GPU_CP_WAITING);
    assert_string_equal(b.cp.fault.message,
                        "the packet waits until the value at 0x20000 is == 0x7; it is 0x0");
    assert_int_equal(gpu_cp_run(&b.cp), GPU_CP_WAITING);
    assert_int_equal(b.data[1], 1);
    b.data[0] = 7;
    assert_int_equal(gpu_cp_run(&b.cp), GPU_CP_DONE);
    assert_int_equal(b.data[1], 2);
    end(&b);
}

static void
test_events(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1030");
    PUT(&b, RELEASE_MEM, 0x514, 1u << 29, DATA, 0, 5, 6, 0);
    PUT(&b, RELEASE_MEM, 0x514, 2u << 29, DATA + 8, 0, 5, 6, 0);
    PUT(&b, RELEASE_MEM, 0x514, 3u << 29, DATA + 16, 0, 0, 0, 0);
    put_state(&b, 0, 0);
    PUT(&b, DISPATCH_DIRECT, 2, 2, 1, 1 | 1 << 2);
    PUT(&b, EVENT_WRITE, 0x1e | 2 << 8, DATA + 32, 0); /* statistics */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    const uint32_t expected[] = {5, 0, 5, 6, 1, 0};
    assert_memory_equal(b.data, expected, sizeof expected);
    assert_int_equal(b.data[8 + 20], 4 * 16);
    end(&b);

    begin(&b, "gfx803");
    PUT(&b, EVENT_WRITE_EOP, 0x514, DATA, 1u << 29, 9, 0);
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.data[0], 9);
    end(&b);
}

static void
test_conditions(void **state)
{
    (void)state;
    bench b;
    for (unsigned value = 0; value < 2; value++) {
        begin(&b, "gfx1030");
        b.data[0] = value;
        PUT(&b, COND_EXEC, DATA, 0, 0, 5);
        PUT(&b, WRITE_DATA, 5 << 8, DATA + 4, 0, 1);
        PUT(&b, SET_PREDICATION, 4 << 16 | 1 << 8, DATA, 0);
        PUT(&b, WRITE_DATA, 5 << 8, DATA + 8, 0, 1);
        b.stream[b.n - 5] |= 1; /* predicated */
        PUT(&b, SET_PREDICATION, 4 << 16, DATA, 0);
        PUT(&b, WRITE_DATA, 5 << 8, DATA + 12, 0, 1);
        b.stream[b.n - 5] |= 1;
        PUT(&b, WRITE_DATA, 5 << 8, DATA + 16, 0, 1);
        assert_int_equal(execute(&b), GPU_CP_DONE);
        const uint32_t expected[] = {value, value, value, !value, 1};
        assert_memory_equal(b.data, expected, sizeof expected);
        end(&b);
    }
}

/* Streams that call others, chains, and those that never end. */
static void
test_streams(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1030");
    PUT(&b, WRITE_DATA, 5 << 8, DATA + 32, 0, 1); /* dwords 0 to 4, called below */
    uint32_t first = b.n;
    PUT(&b, INDIRECT_BUFFER, STREAM, 0, 5);
    PUT(&b, WRITE_DATA, 5 << 8, DATA + 36, 0, 1);
    PUT(&b, INDIRECT_BUFFER, STREAM, 0, 5 | 1 << 20); /* a chain */
    PUT(&b, WRITE_DATA, 5 << 8, DATA + 40, 0, 1);     /* which never comes back */
    const gpu_ib ib = {STREAM + 4 * first, b.n - first};
    gpu_cp_start(&b.cp, &b.m, &ib, 1);
    assert_int_equal(gpu_cp_run(&b.cp), GPU_CP_DONE);
    assert_int_equal(b.data[8], 1);
    assert_int_equal(b.data[9], 1);
    assert_int_equal(b.data[10], 0);

    b.n = 0;
    PUT(&b, INDIRECT_BUFFER, STREAM, 0, 4);
    assert_int_equal(execute(&b), GPU_CP_FAULT);
    assert_string_equal(b.cp.fault.message, "streams call each other to more than 4 levels");

    PUT(&b, INDIRECT_BUFFER, STREAM, 0, 4 | 1 << 20); /* a chain that leads back to itself */
    b.cp.max_packets = 1000;
    assert_int_equal(execute(&b), GPU_CP_FAULT);
    assert_string_equal(b.cp.fault.message,
                        "the submission has no end: 1000 packets were executed");
    end(&b);
}

static void
test_faults(void **state)
{
    (void)state;
    const struct {
        uint32_t words[8], n;
        const char *message;
    } cases[] = {
        {{0xc0030000 | WRITE_DATA << 8, 5 << 8, 0x90000, 0, 1},
         5,
         "the packet writes 4 bytes at 0x90000, which is not mapped; the buffer below is 'data', "
         "0x100 bytes from 0x20000"},
        {{0xc000fe00, 0}, 2, "gfx1030 has no operation 0xfe"},
        {{0xc0001d00, 0}, 2, "ATOMIC_GDS is not executed"},
        {{0x40000000}, 1, "a packet of type 1, which no generation has"},
        {{0xc0100000 | WRITE_DATA << 8}, 1, "the packet goes on behind the end of the stream"},
        {{0xc0000000 | DISPATCH_DIRECT << 8, 1},
         2,
         "the packet has fewer words than its operation needs"},
        {{0xc0020000 | SET_BASE << 8, 9, 0, 0}, 4, "SET_BASE sets base 9, which nothing uses"},
    };
    bench b;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        begin(&b, "gfx1030");
        b.stream[0] = 0x80000000; /* padding */
        memcpy(b.stream + 1, cases[k].words, sizeof cases[k].words);
        b.n = cases[k].n + 1;
        assert_int_equal(execute(&b), GPU_CP_FAULT);
        assert_string_equal(b.cp.fault.message, cases[k].message);
        assert_int_equal(b.cp.fault.address, STREAM + 4);
        end(&b);
    }
    begin(&b, "gfx1030");
    const gpu_cp_hooks hooks = {.user = &b};
    assert_false(gpu_cp_init(&b.cp, "gfx1", &hooks, &b.a));
    end(&b);
}

/* Registers from memory, and registers that keep their values from one submission to the next. */
static void
test_registers(void **state)
{
    (void)state;
    bench b;
    begin(&b, "gfx1030");
    b.data[0] = 0x1234;
    PUT(&b, LOAD_SH_REG_INDEX, DATA, 0, 0x240, 1);
    assert_int_equal(execute(&b), GPU_CP_DONE);
    PUT(&b, COPY_DATA, 0 | 5 << 8, (0xb900) / 4, 0, DATA + 4, 0);
    assert_int_equal(execute(&b), GPU_CP_DONE);
    assert_int_equal(b.data[1], 0x1234);
    b.n = 0;
    PUT(&b, SET_CONTEXT_REG, 0x10f); /* no register of viewports */
    assert_int_equal(execute(&b), GPU_CP_DONE);
    end(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatch),   cmocka_unit_test(test_grids),
        cmocka_unit_test(test_indirect),   cmocka_unit_test(test_data),
        cmocka_unit_test(test_neighbours), cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_waits),      cmocka_unit_test(test_events),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_streams),
        cmocka_unit_test(test_faults),     cmocka_unit_test(test_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
