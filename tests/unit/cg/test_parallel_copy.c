/* Sequences of parallel copies: random ones, run on bytes and compared with the parallel result. */
#include "base/bits.h"
#include "base/diag.h"
#include "cg/parallel_copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PLACES = 64 };

typedef struct model {
    uint8_t before[PLACES], wanted[PLACES], now[PLACES];
    bool written[PLACES];
} model;

static void
no_memory(void *user)
{
    (void)user;
    fail_msg("out of memory");
}

static uint32_t
next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)base_hash64(*state);
}

/* Adds a copy to the model unless its destination is taken; returns whether it did. */
static bool
want(model *m, cg_copy c)
{
    for (unsigned b = 0; b < c.size; b++) {
        if (m->written[c.dst + b])
            return false;
    }
    for (unsigned b = 0; b < c.size; b++) {
        m->written[c.dst + b] = true;
        m->wanted[c.dst + b] = m->before[c.src + b];
    }
    return true;
}

static void
run_step(model *m, cg_step s)
{
    assert_int_equal(s.dst % s.size, 0);
    assert_int_equal(s.src % s.size, 0);
    for (unsigned b = 0; b < s.size; b++) {
        uint8_t old = m->now[s.dst + b];
        m->now[s.dst + b] = m->now[s.src + b];
        if (s.swap)
            m->now[s.src + b] = old;
    }
}

static void
start(model *m)
{
    *m = (model){.now = {0}};
    for (unsigned b = 0; b < PLACES; b++)
        m->before[b] = m->wanted[b] = m->now[b] = (uint8_t)b;
}

/* Places that no copy writes must be unchanged at the end. */
static void
finish(model *m, cg_sequencer *s)
{
    unsigned n;
    const cg_step *steps = cg_sequence(s, &n);
    for (unsigned k = 0; k < n; k++)
        run_step(m, steps[k]);
    assert_memory_equal(m->now, m->wanted, PLACES);
}

static void
test_random(void **state)
{
    arena a;
    uint64_t seed = 1;
    (void)state;
    arena_init(&a, &base_malloc_allocator, no_memory, NULL);
    cg_sequencer *s = cg_sequencer_new(&a);
    for (unsigned round = 0; round < 20000; round++) {
        model m;
        start(&m);
        unsigned granule = 1u << next_random(&seed) % 3, copies = next_random(&seed) % 12;
        cg_granularity g = {.largest = 8, .smallest = (uint8_t)granule};
        for (unsigned k = 0; k < copies; k++) {
            unsigned size = (1 + next_random(&seed) % 6) * granule;
            unsigned most = (PLACES / 2 - size) / granule;
            cg_copy c = {.dst = (uint16_t)(next_random(&seed) % most * granule),
                         .src = (uint16_t)(next_random(&seed) % most * granule),
                         .size = (uint16_t)size};
            if (want(&m, c))
                cg_add_copy(s, c, g);
        }
        finish(&m, s);
    }
    arena_free(&a);
}

static void
test_rotation(void **state)
{
    arena a;
    model m;
    unsigned n;
    (void)state;
    arena_init(&a, &base_malloc_allocator, no_memory, NULL);
    cg_sequencer *s = cg_sequencer_new(&a);
    start(&m);
    for (unsigned k = 0; k < 4; k++) {
        cg_copy c = {.dst = (uint16_t)(k * 4), .src = (uint16_t)((k + 1) % 4 * 4), .size = 4};
        cg_add_copy(s, c, (cg_granularity){4, 4});
    }
    const cg_step *steps = cg_sequence(s, &n);
    assert_int_equal(n, 3);
    for (unsigned k = 0; k < n; k++)
        assert_true(steps[k].swap);
    arena_free(&a);
}

static void
test_wide_moves(void **state)
{
    arena a;
    unsigned n;
    (void)state;
    arena_init(&a, &base_malloc_allocator, no_memory, NULL);
    cg_sequencer *s = cg_sequencer_new(&a);
    cg_add_copy(s, (cg_copy){.dst = 0, .src = 16, .size = 16}, (cg_granularity){8, 4});
    const cg_step *steps = cg_sequence(s, &n);
    assert_int_equal(n, 2);
    assert_int_equal(steps[0].size, 8);
    cg_add_copy(s, (cg_copy){.dst = 0, .src = 20, .size = 16}, (cg_granularity){8, 4});
    cg_sequence(s, &n);
    assert_int_equal(n, 4);
    arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_wide_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
