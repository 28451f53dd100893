/* The software Radeon's requests with garbage: numbers that are no handles, sizes without end, pointers to nowhere. Each is answered, with an error
 * where it is due; nothing crashes and nothing waits for ever. */
#define _GNU_SOURCE 1

#include "../../../tools/radeon/radeon.h"

#include <amdgpu_drm.h>
#include <drm.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

static int
ask(unsigned long request, void *argument)
{
    errno = 0;
    return radeon_ioctl(radeon_get()->fd, request, argument) == 0 ? 0 : errno;
}

#define AMDGPU_CS_AS_IOWR DRM_IOWR(DRM_COMMAND_BASE + DRM_AMDGPU_CS, union drm_amdgpu_cs)

static void
test_pointers(void **state)
{
    (void)state;
    struct drm_amdgpu_info info = {
        .return_pointer = 16, .return_size = 64, .query = AMDGPU_INFO_MEMORY};
    assert_int_equal(ask(DRM_IOCTL_AMDGPU_INFO, &info), EFAULT);
    assert_int_equal(ask(DRM_IOCTL_AMDGPU_INFO, (void *)16), EFAULT);
    struct drm_syncobj_array array = {.handles = 16, .count_handles = 3};
    assert_int_equal(ask(DRM_IOCTL_SYNCOBJ_RESET, &array), EFAULT);
    array.count_handles = UINT32_MAX;
    assert_int_equal(ask(DRM_IOCTL_SYNCOBJ_SIGNAL, &array), EINVAL);
    union drm_amdgpu_cs cs = {.in = {.ctx_id = 1, .num_chunks = 2, .chunks = 16}};
    assert_int_equal(ask(AMDGPU_CS_AS_IOWR, &cs), EFAULT);
    struct drm_amdgpu_gem_userptr user = {.addr = 4096, .size = 8192};
    assert_int_equal(ask(DRM_IOCTL_AMDGPU_GEM_USERPTR, &user), EFAULT);
    user.addr = 5;
    assert_int_equal(ask(DRM_IOCTL_AMDGPU_GEM_USERPTR, &user), EINVAL);
}

/* Chunks whose data are nowhere, too long, or too short. */
static void
test_chunks(void **state)
{
    (void)state;
    struct drm_amdgpu_cs_chunk_ib ib = {.va_start = 0x100000, .ib_bytes = 64};
    struct drm_amdgpu_cs_chunk chunk = {
        .chunk_id = AMDGPU_CHUNK_ID_IB, .length_dw = sizeof ib / 4, .chunk_data = (uintptr_t)&ib};
    uint64_t list = (uintptr_t)&chunk;
    const struct {
        uint32_t length;
        uint64_t data;
        int error;
    } cases[] = {
        {sizeof ib / 4, 16, EFAULT},
        {UINT32_MAX, (uintptr_t)&ib, EINVAL},
        {1, (uintptr_t)&ib, EINVAL},
        {sizeof ib / 4, (uintptr_t)&ib, EINVAL}, /* there is no such context */
    };
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        union drm_amdgpu_cs cs = {
            .in = {.ctx_id = 77, .num_chunks = 1, .chunks = (uintptr_t)&list}};
        chunk.length_dw = cases[k].length;
        chunk.chunk_data = cases[k].data;
        assert_int_equal(ask(AMDGPU_CS_AS_IOWR, &cs), cases[k].error);
    }
}

/* Requests that may wait get no time. */
static void
hurry(unsigned number, uint8_t *argument)
{
    const uint64_t none = 0;
    switch (number) {
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
        memcpy(argument + offsetof(struct drm_syncobj_wait, timeout_nsec), &none, 8);
        break;
    case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
        memcpy(argument + offsetof(struct drm_syncobj_timeline_wait, timeout_nsec), &none, 8);
        break;
    default: break;
    }
}

/* A number as drivers have them, and others. */
static uint64_t
draw(uint64_t *state, uint64_t page)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    uint64_t v = *state >> 16;
    switch (v & 7) {
    case 0: return 0;
    case 1: return v >> 40 & 15;
    case 2: return page + (v >> 8 & 0xff8);
    case 3: return UINT64_MAX;
    case 4: return (v >> 8 & 0xff) << 12;
    case 5: return UINT64_C(1) << (v >> 8 & 63);
    case 6: return (v >> 8 & 3) << 32 | (v >> 16 & 3);
    default: return v;
    }
}

static void
test_random(void **state)
{
    enum { RUNS = 20000, WORDS = 16, PAGE = 4096, NUMBERS = 0xff };
    uint64_t random = 1, *page = aligned_alloc(PAGE, PAGE);
    (void)state;
    assert_non_null(page);
    for (unsigned run = 0; run < RUNS; run++) {
        uint64_t argument[WORDS];
        unsigned number = (unsigned)draw(&random, 0) ^ run;
        unsigned size = 8 * (1 + run % WORDS);
        number &= NUMBERS;
        for (unsigned k = 0; k < WORDS; k++)
            argument[k] = draw(&random, (uintptr_t)page);
        for (unsigned k = 0; k < PAGE / 8; k++)
            page[k] = draw(&random, (uintptr_t)page);
        hurry(number, (uint8_t *)argument);
        int error = ask(_IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, number, size), argument);
        assert_true(error >= 0 && error < 200);
    }
    free(page);
}

int
main(void)
{
    setenv("HEDDLE_RADEON_LOG", "/dev/null", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
