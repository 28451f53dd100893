/* A device: its address space, sync objects, and jobs on rings. */
#include "gpu/device/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- address space ---- */

static unsigned released;

static void
release(gpu_buffer *b)
{
    (void)b;
    released++;
}

static void
test_space(void **state)
{
    (void)state;
    gpu_space s = {0};
    uint8_t bytes[0x4000] = {0};
    gpu_buffer b = {.host = bytes, .size = sizeof bytes, .holders = 1, .release = release};
    released = 0;
    assert_true(gpu_space_map(&s, &(gpu_range){0x10000, 0x4000, &b, 0}));
    assert_false(gpu_space_map(&s, &(gpu_range){0x13000, 0x2000, &b, 0}));            /* overlaps */
    assert_false(gpu_space_map(&s, &(gpu_range){0x20000, 0x4000, &b, 0x1000}));       /* too long */
    assert_false(gpu_space_map(&s, &(gpu_range){UINT64_MAX - 0xfff, 0x2000, &b, 0})); /* wraps */
    assert_true(gpu_space_unmap(&s, 0x11000, 0x1000)); /* a hole: two ranges are left */
    assert_int_equal(s.count, 2);
    assert_int_equal(s.ranges[1].address, 0x12000);
    assert_int_equal(s.ranges[1].offset, 0x2000);
    assert_int_equal(b.holders, 3);
    assert_true(gpu_space_unmap(&s, 0x10800, 0x2000)); /* an end and a beginning */
    assert_int_equal(s.ranges[0].size, 0x800);
    assert_int_equal(s.ranges[1].address, 0x12800);
    assert_int_equal(s.ranges[1].size, 0x1800);
    gpu_buffer_drop(&b);
    assert_int_equal(released, 0);
    assert_true(gpu_space_unmap(&s, 0, UINT64_MAX));
    assert_int_equal(s.count, 0);
    assert_int_equal(released, 1);
    gpu_space_free(&s);
}

/* ---- sync objects ---- */

static void
test_timeline(void **state)
{
    (void)state;
    gpu_syncs all = {0};
    uint32_t handle = gpu_sync_new(&all);
    assert_int_not_equal(handle, 0);
    assert_null(gpu_sync_of(&all, 0));
    assert_null(gpu_sync_of(&all, handle + 1));
    gpu_sync *o = gpu_sync_of(&all, handle);
    gpu_fence *a = gpu_fence_new(false), *b = gpu_fence_new(false);
    assert_null(gpu_sync_fence(o, 1));
    assert_true(gpu_sync_set(o, 3, a));
    assert_true(gpu_sync_set(o, 5, b));
    assert_ptr_equal(gpu_sync_fence(o, 2), a);
    assert_ptr_equal(gpu_sync_fence(o, 4), b);
    assert_ptr_equal(gpu_sync_fence(o, 0), b);
    assert_null(gpu_sync_fence(o, 6));
    b->signalled = true; /* out of order: 3 is still open */
    assert_false(gpu_sync_is_reached(o, 5));
    assert_int_equal(gpu_sync_reached(o), 0);
    a->signalled = true;
    assert_true(gpu_sync_is_reached(o, 5));
    assert_false(gpu_sync_is_reached(o, 6));
    assert_int_equal(gpu_sync_reached(o), 5);
    assert_int_equal(a->holders, 1);
    gpu_sync_remove(o);
    assert_int_equal(b->holders, 1);
    gpu_fence_drop(a);
    gpu_fence_drop(b);
    gpu_syncs_free(&all);
}

/* ---- jobs ---- */

enum { STREAM = 0x10000, DATA = 0x20000 };

typedef struct bench {
    uint32_t stream[64], data[64];
    gpu_buffer stream_buffer, data_buffer;
    gpu_device *d;
    uint32_t context;
    char lost[400];
} bench;

static void
note_lost(void *user, const char *ring, const gpu_fault *fault)
{
    bench *b = user;
    snprintf(b->lost, sizeof b->lost, "%s: %s", ring, fault->message);
}

static void
begin(bench *b, uint32_t seconds)
{
    memset(b, 0, sizeof *b);
    b->stream_buffer = (gpu_buffer){(uint8_t *)b->stream, sizeof b->stream, 1, release, "stream"};
    b->data_buffer = (gpu_buffer){(uint8_t *)b->data, sizeof b->data, 1, release, "data"};
    const gpu_device_options options = {.seconds_of_wait = seconds, .lost = note_lost, .user = b};
    b->d = gpu_device_new(gpu_chip_find("navi21"), &options);
    assert_non_null(b->d);
    b->context = gpu_device_new_context(b->d);
    assert_int_not_equal(b->context, 0);
    const gpu_range ranges[] = {{STREAM, sizeof b->stream, &b->stream_buffer, 0},
                                {DATA, sizeof b->data, &b->data_buffer, 0}};
    assert_true(gpu_device_map(b->d, &ranges[0]));
    assert_true(gpu_device_map(b->d, &ranges[1]));
}

static void
end(bench *b)
{
    released = 0;
    assert_true(gpu_device_unmap(b->d, STREAM, sizeof b->stream));
    gpu_device_drop(b->d, &b->stream_buffer);
    assert_int_equal(released, 1);
    gpu_device_free(b->d);
}

/* At dword `at` of the stream: writes `value` to dword `where` of the data. */
static gpu_ib
put_write(bench *b, uint32_t at, uint32_t where, uint32_t value)
{
    const uint32_t words[] = {0xc0033700, 5 << 8, DATA + 4 * where, 0, value};
    memcpy(b->stream + at, words, sizeof words);
    return (gpu_ib){STREAM + 4 * at, 5};
}

/* Waits until dword `where` is `value`. */
static gpu_ib
put_wait(bench *b, uint32_t at, uint32_t where, uint32_t value)
{
    const uint32_t words[] = {0xc0053c00, 3 | 1 << 4, DATA + 4 * where, 0, value, UINT32_MAX, 4};
    memcpy(b->stream + at, words, sizeof words);
    return (gpu_ib){STREAM + 4 * at, 7};
}

/* A time in nanoseconds of CLOCK_MONOTONIC. */
#define IN_SECONDS(n) (gpu_device_clock() * 10 + (uint64_t)(n)*1000000000u)

static void
test_jobs(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0);
    /* compute 0 waits for a timeline point that compute 1 signals, which waits for memory that the
     * graphics ring writes */
    uint32_t t = gpu_device_new_sync(b.d, false), done = gpu_device_new_sync(b.d, false), first;
    uint64_t number;
    const gpu_sync_point at_7 = {t, 7}, finished = {done, 0};
    gpu_ib ib = put_wait(&b, 0, 0, 9);
    gpu_submission s = {
        .context = b.context, .kind = GPU_RING_COMPUTE, .ring = 1, .ibs = &ib, .n_ibs = 1};
    s.signals = &at_7;
    s.n_signals = 1;
    assert_int_equal(gpu_device_submit(b.d, &s, &number), GPU_SUBMIT_OK);
    gpu_ib second = put_write(&b, 10, 1, 2);
    s = (gpu_submission){
        .context = b.context, .kind = GPU_RING_COMPUTE, .ibs = &second, .n_ibs = 1};
    s.waits = &at_7;
    s.n_waits = 1;
    s.signals = &finished;
    s.n_signals = 1;
    s.sequence_buffer = &b.data_buffer;
    s.sequence_offset = 8;
    assert_int_equal(gpu_device_submit(b.d, &s, &number), GPU_SUBMIT_OK);
    assert_false(gpu_device_wait_job(b.d, number, gpu_device_clock() * 10 + 50000000));
    gpu_sync_wait w = {.points = &finished, .count = 1, .deadline = 1};
    assert_int_equal(gpu_device_wait_syncs(b.d, &w, &first), GPU_WAIT_TIMEOUT);
    w.available = true;
    assert_int_equal(gpu_device_wait_syncs(b.d, &w, &first), GPU_WAIT_OK);
    gpu_ib third = put_write(&b, 20, 0, 9);
    s = (gpu_submission){
        .context = b.context, .kind = GPU_RING_GRAPHICS, .ibs = &third, .n_ibs = 1};
    uint64_t unused;
    assert_int_equal(gpu_device_submit(b.d, &s, &unused), GPU_SUBMIT_OK);
    assert_true(gpu_device_wait_job(b.d, number, IN_SECONDS(20)));
    w.available = false;
    assert_int_equal(gpu_device_wait_syncs(b.d, &w, &first), GPU_WAIT_OK);
    assert_int_equal(b.data[1], 2);
    assert_int_equal(b.data[2], number);
    uint64_t point;
    assert_true(gpu_device_query_sync(b.d, t, false, &point));
    assert_int_equal(point, 7);
    assert_true(gpu_device_remove_sync(b.d, t));
    assert_false(gpu_device_query_sync(b.d, t, false, &point));
    end(&b);
}

/* A fault loses the context: jobs behind it are over, and not executed. */
static void
test_lost(void **state)
{
    (void)state;
    bench b;
    begin(&b, 1);
    uint64_t number;
    gpu_ib ibs[] = {put_wait(&b, 0, 0, 9), put_write(&b, 10, 1, 2)};
    gpu_submission s = {.context = b.context, .kind = GPU_RING_COMPUTE, .ibs = ibs, .n_ibs = 2};
    assert_int_equal(gpu_device_submit(b.d, &s, &number), GPU_SUBMIT_OK);
    assert_true(gpu_device_wait_job(b.d, number, IN_SECONDS(30))); /* it waits for a second */
    assert_true(gpu_device_is_lost(b.d, b.context));
    assert_string_equal(b.lost,
                        "compute 0: the packet waits until the value at 0x20000 is == 0x9; it is "
                        "0x0");
    assert_int_equal(b.data[1], 0);
    assert_int_equal(gpu_device_submit(b.d, &s, &number), GPU_SUBMIT_LOST);
    s.context = gpu_device_new_context(b.d); /* another goes on */
    s.ibs = ibs + 1;
    s.n_ibs = 1;
    assert_int_equal(gpu_device_submit(b.d, &s, &number), GPU_SUBMIT_OK);
    assert_true(gpu_device_wait_job(b.d, number, IN_SECONDS(30)));
    assert_int_equal(b.data[1], 2);
    s.ring = 99;
    assert_int_equal(gpu_device_submit(b.d, &s, &number), GPU_SUBMIT_INVALID);
    end(&b);
}

static void
test_syncs(void **state)
{
    (void)state;
    bench b;
    begin(&b, 0);
    uint32_t one = gpu_device_new_sync(b.d, true), two = gpu_device_new_sync(b.d, false), first;
    gpu_sync_point points[] = {{two, 0}, {one, 0}};
    gpu_sync_wait w = {.points = points, .count = 2, .for_submit = true};
    assert_int_equal(gpu_device_wait_syncs(b.d, &w, &first), GPU_WAIT_OK);
    assert_int_equal(first, 1);
    w.all = true;
    assert_int_equal(gpu_device_wait_syncs(b.d, &w, &first), GPU_WAIT_TIMEOUT);
    w.for_submit = false;
    assert_int_equal(gpu_device_wait_syncs(b.d, &w, &first), GPU_WAIT_INVALID);
    assert_true(gpu_device_transfer_sync(b.d, points[0], points[1]));
    assert_int_equal(gpu_device_wait_syncs(b.d, &w, &first), GPU_WAIT_OK);
    assert_true(gpu_device_reset_sync(b.d, one));
    assert_false(gpu_device_transfer_sync(b.d, points[0], points[1]));
    assert_false(gpu_device_signal(b.d, (gpu_sync_point){77, 0}));
    end(&b);
}

static void
test_chips(void **state)
{
    (void)state;
    for (uint32_t k = 0; gpu_chip_at(k); k++) {
        const gpu_chip *c = gpu_chip_at(k);
        amd_gen gen;
        assert_true(amd_gen_find(c->processor, &gen));
        assert_int_equal(gen, c->gen);
        assert_ptr_equal(gpu_chip_find(c->name), c);
        assert_ptr_equal(gpu_chip_find(c->processor), c);
        assert_true(gpu_chip_compute_units(c) > 0);
    }
    assert_null(gpu_chip_find("navi"));
    assert_true(gpu_chip_is_integrated(gpu_chip_find("Phoenix")));
    assert_false(gpu_chip_is_integrated(gpu_chip_find("NAVI31")));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space), cmocka_unit_test(test_timeline), cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_lost),  cmocka_unit_test(test_syncs),    cmocka_unit_test(test_chips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
