/* Captures: what is written is read and executed again; files that are cut off or wrong. */
#include "base/diag.h"
#include "gpu/capture/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    STREAM = 0x10000,
    DATA = 0x20000,
    PAGE = 4096,
    DATA_BYTES = 5 * PAGE + 40,
    FILE_BYTES = 1 << 16
};

typedef struct file {
    uint8_t bytes[FILE_BYTES];
    size_t size;
} file;

static bool
put(void *user, const void *data, size_t size)
{
    file *f = user;
    if (size > FILE_BYTES - f->size)
        return false;
    memcpy(f->bytes + f->size, data, size);
    f->size += size;
    return true;
}

/* A submission: it writes a register's value and a dword of the stream to the data, calls a second
 * stream, which copies, and asks for the time. */
typedef struct bench {
    arena a;
    uint32_t stream[64];
    uint8_t data[DATA_BYTES];
    gpu_capture_buffer buffers[3];
    gpu_capture c;
    file f;
} bench;

static const gpu_capture_range ranges[] = {
    {STREAM, 256, 0, 0}, {DATA, DATA_BYTES, 1, 0}, {0x90000, PAGE, 1, PAGE}};
static const gpu_ib streams[] = {{STREAM, 16}};
static const uint64_t clock[] = {77};
static const gpu_shader shader = {
    .entry = 0x12300, .pipeline = 5, .name = "blur", .entry_point = "main", .lines = {{3, 4}}};

static void
begin_with(bench *b, const uint32_t *words, size_t bytes, bool is_copy);

static void
begin(bench *b)
{
    static const uint32_t words[] = {
        0xc0033700, 5 << 8,      DATA,       0,         0x1234, /* WRITE_DATA */
        0xc0044000, 0 | 5 << 8,  0xb900 / 4, 0,         DATA + 4,   0, /* COPY_DATA of COMPUTE_USER_DATA_0 */
        0xc0023f00, STREAM + 64, 0,          14,        0x80000000, /* INDIRECT_BUFFER, padding */
        0xc0044000, 1 | 5 << 8,  DATA,       0,         DATA + 8,   0, /* COPY_DATA in memory */
        0xc0064900, 0,           3 << 29,    DATA + 16, 0,          0, 0,
        0, /* RELEASE_MEM: the time */
    };
    begin_with(b, words, sizeof words, false);
}

static void
begin_with(bench *b, const uint32_t *words, size_t bytes, bool is_copy)
{
    memset(b, 0, sizeof *b);
    arena_init(&b->a, &base_malloc_allocator, diag_out_of_memory, NULL);
    memcpy(b->stream, words, bytes);
    memset(b->data + PAGE, 0xab, PAGE);
    b->data[2 * PAGE + 17] = 1;
    b->data[DATA_BYTES - 1] = 2;
    b->buffers[0] = (gpu_capture_buffer){(uint8_t *)b->stream, sizeof b->stream, "stream", NULL, 0};
    b->buffers[1] = (gpu_capture_buffer){b->data, DATA_BYTES, "data", NULL, NULL};
    b->c = (gpu_capture){.chip = gpu_chip_find("navi21"),
                         .ring = "compute 1",
                         .submission = 9,
                         .is_copy = is_copy,
                         .seed = 1,
                         .limit = 1000,
                         .buffers = b->buffers,
                         .n_buffers = 2,
                         .ranges = ranges,
                         .n_ranges = 3,
                         .ibs = streams,
                         .n_ibs = 1,
                         .shaders = &shader,
                         .n_shaders = 1};
    const gpu_cp_hooks none = {0};
    assert_true(gpu_cp_init(&b->c.cp, "gfx1030", &none, &b->a));
    *amd_hw_register_at(&b->c.cp.registers, 0xb900) = 0x55;
    b->c.cp.dispatches = 3;
    assert_true(gpu_capture_write(&b->c, put, &b->f));
}

static void
end(bench *b)
{
    arena_free(&b->a);
}

static void
test_round_trip(void **state)
{
    (void)state;
    static bench b;
    gpu_capture c;
    gpu_replay p = {0};
    char message[160];
    begin(&b);
    b.c.end.clock = clock;
    b.c.end.n_clock = 1;
    memcpy(b.data, &(uint32_t){0x1234}, 4); /* as the streams leave it */
    memcpy(b.data + 4, &(uint32_t){0x55}, 4);
    memcpy(b.data + 8, &(uint32_t){0x1234}, 4);
    memcpy(b.data + 16, &clock[0], 8);
    assert_true(gpu_capture_finish(&b.c, put, &b.f));
    assert_true(b.f.size < 3 * PAGE); /* the zeros and the page of one byte take no room */
    assert_true(gpu_capture_read(&b.a, b.f.bytes, b.f.size, &c, message));
    assert_ptr_equal(c.chip, gpu_chip_find("navi21"));
    assert_string_equal(c.ring, "compute 1");
    assert_int_equal(c.submission, 9);
    assert_int_equal(c.cp.dispatches, 3);
    assert_int_equal(c.limit, 1000);
    assert_int_equal(c.n_ranges, 3);
    assert_int_equal(c.n_shaders, 1);
    assert_string_equal(c.shaders[0].name, "blur");
    assert_int_equal(c.shaders[0].lines[0][1], 4);
    assert_true(c.end.known && c.end.hashes && !c.end.failed);
    assert_true(gpu_replay_open(&p, &b.a, &c, message));
    assert_int_equal(c.buffers[1].host[2 * PAGE - 1], 0xab);
    assert_int_equal(gpu_replay_run(&p), GPU_CP_DONE);
    assert_memory_equal(c.buffers[1].host, b.data, DATA_BYTES);
    assert_int_equal(gpu_capture_hash(&c.buffers[0]), c.end.hashes[0]);
    assert_int_equal(gpu_capture_hash(&c.buffers[1]), c.end.hashes[1]);
    c.buffers[1].host[3 * PAGE] = 1;
    assert_true(gpu_capture_hash(&c.buffers[1]) != c.end.hashes[1]);
    gpu_shader found;
    assert_true(gpu_replay_shader(&p, UINT64_C(0xffff800000012300), &found));
    assert_int_equal(found.entry, UINT64_C(0xffff800000012300));
    assert_true(gpu_replay_shader(&p, UINT64_C(0xffff800000012404), &found));
    assert_int_equal(found.entry, UINT64_C(0xffff800000012300));
    end(&b);
}

/* Reads the file, executes it, and compares the memory with the data. */
static void
expect_replay(bench *b, gpu_cp_status wanted)
{
    gpu_capture c;
    gpu_replay p = {0};
    char message[160];
    if (!gpu_capture_read(&b->a, b->f.bytes, b->f.size, &c, message) ||
        !gpu_replay_open(&p, &b->a, &c, message))
        fail_msg("%s", message);
    assert_int_equal(gpu_replay_run(&p), wanted);
    assert_memory_equal(c.buffers[1].host, b->data, DATA_BYTES);
}

/* Packets wait until something else writes; a buffer is mapped meanwhile, from which one copies. */
static void
test_waits(void **state)
{
    enum { NEW = 0x50000 };
    static const uint32_t words[] = {
        0xc0053c00, 0x13,       DATA,      0, 7,        UINT32_MAX, 4, /* WAIT_REG_MEM: 7 */
        0xc0044000, 1 | 5 << 8, DATA,      0, DATA + 8, 0,             /* COPY_DATA */
        0xc0053c00, 0x13,       DATA,      0, 8,        UINT32_MAX, 4, /* WAIT_REG_MEM: 8 */
        0x80000000, 0x80000000, 0x80000000};
    static const gpu_ib longer[] = {{STREAM, 20}};
    static uint8_t more[PAGE];
    static bench b;
    gpu_capture_range all[4];
    (void)state;
    begin_with(&b, words, sizeof words, false);
    memcpy(all, ranges, sizeof ranges);
    all[3] = (gpu_capture_range){NEW, PAGE, 2, 0};
    b.c.ibs = longer;
    b.f.size = 0;
    assert_true(gpu_capture_write(&b.c, put, &b.f));
    /* while the first waits */
    gpu_capture_change change = {
        .packet = STREAM, .pages = gpu_capture_pages(&b.c, &b.a), .n_buffers = 2, .n_ranges = 3};
    b.data[0] = 7;
    b.data[4 * PAGE] = 5;
    memset(b.data + PAGE, 0, PAGE);
    b.buffers[2] = (gpu_capture_buffer){more, PAGE, "more", NULL, NULL};
    b.c.n_buffers = 3;
    b.c.ranges = all;
    b.c.n_ranges = 4;
    assert_true(gpu_capture_go_on(&b.c, &change, put, &b.f));
    b.data[8] = 7; /* the copy */
    /* the second */
    change = (gpu_capture_change){.packet = STREAM + 52,
                                  .pages = gpu_capture_pages(&b.c, &b.a),
                                  .n_buffers = 3,
                                  .n_ranges = 4};
    b.data[0] = 8;
    assert_true(gpu_capture_go_on(&b.c, &change, put, &b.f));
    assert_true(gpu_capture_finish(&b.c, put, &b.f));
    expect_replay(&b, GPU_CP_DONE);
    end(&b);
}

/* A submission of a copy engine: it waits, copies and fills. */
static void
test_copy_engine(void **state)
{
    static const uint32_t words[] = {8 | 1u << 31 | 3u << 28,
                                     DATA,
                                     0,
                                     7,
                                     UINT32_MAX,
                                     0, /* POLL_REGMEM */
                                     1,
                                     3,
                                     0,
                                     DATA,
                                     0,
                                     DATA + 16,
                                     0, /* COPY_LINEAR */
                                     11 | 2u << 30,
                                     DATA + 32,
                                     0,
                                     0x01010101,
                                     7}; /* CONSTANT_FILL */
    static const gpu_ib whole[] = {{STREAM, sizeof words / 4}};
    static bench b;
    (void)state;
    begin_with(&b, words, sizeof words, true);
    b.c.ibs = whole;
    b.f.size = 0;
    assert_true(gpu_capture_write(&b.c, put, &b.f));
    const gpu_capture_change change = {
        .packet = STREAM, .pages = gpu_capture_pages(&b.c, &b.a), .n_buffers = 2, .n_ranges = 3};
    b.data[0] = 7;
    assert_true(gpu_capture_go_on(&b.c, &change, put, &b.f));
    b.data[16] = 7;
    memset(b.data + 32, 1, 8);
    assert_true(gpu_capture_finish(&b.c, put, &b.f));
    expect_replay(&b, GPU_CP_DONE);
    end(&b);
}

static void
test_cut(void **state)
{
    (void)state;
    static bench b;
    gpu_capture c;
    char message[160];
    begin(&b);
    for (size_t n = 0; n < b.f.size; n++) {
        message[0] = 0;
        assert_false(gpu_capture_read(&b.a, b.f.bytes, n, &c, message));
        assert_non_null(strstr(message, n < 16 ? "it is no capture" : "the file is cut off"));
    }
    assert_true(gpu_capture_read(&b.a, b.f.bytes, b.f.size, &c, message));
    assert_false(c.end.known);
    end(&b);
}

/* The first chunk of a name; and its number, the first of its content. */
static uint8_t *
chunk_of(file *f, const char *name)
{
    uint8_t *at = f->bytes + 16;
    uint64_t size;
    for (; memcmp(at, name, 4) != 0; at += 16 + (size + 7) / 8 * 8)
        memcpy(&size, at + 8, 8);
    return at + 16;
}

static void
test_order(void **state)
{
    (void)state;
    static bench b;
    gpu_capture c;
    char message[160];
    begin(&b);
    chunk_of(&b.f, "RANG")[1] ^= 1; /* of the address: 0x10100 */
    assert_false(gpu_capture_read(&b.a, b.f.bytes, b.f.size, &c, message));
    assert_non_null(strstr(message, "does not begin at a page"));
    chunk_of(&b.f, "RANG")[1] ^= 1;
    assert_true(gpu_capture_finish(&b.c, put, &b.f));
    uint8_t *last = b.f.bytes + b.f.size + 16;
    assert_true(put(&b.f, chunk_of(&b.f, "BUFF") - 16, 16 + 48));
    *last = 2;
    assert_false(gpu_capture_read(&b.a, b.f.bytes, b.f.size, &c, message));
    assert_non_null(strstr(message, "a buffer behind the hashes of all"));
    end(&b);
}

/* Reads and executes a file in which bits were turned. */
static void
try_wrong(const file *f)
{
    arena a;
    diag d;
    gpu_capture c;
    gpu_replay p = {0};
    char message[160];
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (DIAG_TRY(&d) && gpu_capture_read(&a, f->bytes, f->size, &c, message) &&
        gpu_replay_open(&p, &a, &c, message))
        gpu_replay_run(&p);
    arena_free(&a);
}

static void
test_wrong(void **state)
{
    (void)state;
    static bench b;
    static file wrong;
    uint64_t random = 1;
    begin(&b);
    assert_true(gpu_capture_finish(&b.c, put, &b.f));
    for (unsigned k = 0; k < 5000; k++) {
        wrong = b.f;
        for (unsigned j = 0; j < 1 + k % 4; j++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            wrong.bytes[(random >> 33) % b.f.size] ^= (uint8_t)(1u << (random >> 24) % 8);
        }
        try_wrong(&wrong);
    }
    end(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_waits),
        cmocka_unit_test(test_copy_engine), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_order),       cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
