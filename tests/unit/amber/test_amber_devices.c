/* Heddle's own devices: what a dispatch costs. A buffer is mapped in place, so that a dispatch
 * touches no page of a large buffer that its shader does not touch. */
#define _DEFAULT_SOURCE

#include "amber/dev_hir.h"
#include "amber/dev_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { PAGE = 4096, PAGES = 16384, DISPATCHES = 8 };

/* OpCapability Shader; GLCompute "main" with LocalSize 4 1 1, which returns. */
static const uint32_t empty[] = {
    0x07230203, 0x00010000, 0, 6,          0,         0x00020011, 1,          0x0003000e, 0, 1,
    0x0005000f, 5,          1, 0x6e69616d, 0,         0x00060010, 1,          17,         4, 1,
    1,          0x00020013, 2, 0x00030021, 3,         2,          0x00050036, 2,          1, 0,
    3,          0x000200f8, 4, 0x000100fd, 0x00010038};

static long
pages_touched(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_minflt;
}

/* Dispatches a shader that touches nothing, with a large buffer bound as `kind`; the pages that
 * all dispatches but the first one touch. */
static long
repeat(amber_device *d, amber_descriptor kind)
{
    static const amber_attach stage = {.stage = AMBER_COMPUTE, .entry = "main"};
    amber_type type = {.size = 4};
    assert_true(amber_texel_find("R32_UINT", 8, &type.texel));
    type.has_texel = true;
    const amber_buffer buffer = {.name = "b",
                                 .type = &type,
                                 .dim = AMBER_2D,
                                 .width = 4096,
                                 .height = 4096,
                                 .depth = 1,
                                 .mips = 1,
                                 .samples = 1,
                                 .elements = (uint64_t)PAGES * PAGE / 4,
                                 .size = (uint64_t)PAGES * PAGE};
    const amber_binding binding = {.kind = kind, .buffer = &buffer, .range = AMBER_WHOLE_RANGE};
    const amber_pipeline pipeline = {.bindings = (amber_binding *)&binding, .binding_count = 1};
    arena a;
    amber_result r = {.status = AMBER_PASS};
    long before = 0;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    const amber_memory memory = {.bytes = arena_zalloc_sparse(&a, (size_t)buffer.size),
                                 .size = buffer.size};
    const amber_dispatch run = {.words = empty,
                                .word_count = sizeof empty / sizeof *empty,
                                .pipeline = &pipeline,
                                .stage = &stage,
                                .memory = &memory,
                                .groups = {1, 1, 1},
                                .is_lasting = true};
    for (int i = 0; i < DISPATCHES; i++) {
        if (i == 1)
            before = pages_touched();
        if (!d->functions->dispatch(d, &a, &run, &r))
            fail_msg("%s", r.reason);
    }
    before = pages_touched() - before;
    d->functions->end_script(d);
    arena_free(&a);
    return before;
}

static void
test_pages(void **state)
{
    static const amber_descriptor kinds[] = {AMBER_BIND_STORAGE, AMBER_BIND_STORAGE_TEXEL,
                                             AMBER_BIND_STORAGE_IMAGE};
    const amber_machine_options options = {.checks = 63};
    arena a;
    (void)state;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    amber_device *devices[] = {amber_machine_open(&a, "gfx1030", &options), amber_hir_open(&a, 0)};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        assert_non_null(devices[d]);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            long pages = repeat(devices[d], kinds[k]);
            if (pages > PAGES / 4)
                fail_msg("%s, kind %d: %ld pages touched by %d dispatches", devices[d]->name,
                         (int)kinds[k], pages, DISPATCHES - 1);
        }
        devices[d]->functions->destroy(devices[d]);
    }
    arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
