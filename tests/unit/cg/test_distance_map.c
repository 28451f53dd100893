/* Maps of distances: random changes of maps that share nodes, compared with plain arrays. */
#include "base/bits.h"
#include "base/diag.h"
#include "cg/distance_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MAPS = 6, MOST = 600, STEPS = 2000 };

typedef struct model {
    cg_map map;
    uint32_t d[MOST];
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

static uint32_t
random_distance(uint64_t *state)
{
    uint32_t kind = next_random(state) % 8;
    return kind == 0 ? CG_NEVER : kind == 1 ? CG_NEVER - 5 : next_random(state) % 100;
}

static void
check(const cg_maps *s, const model *m, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        assert_int_equal(cg_map_get(s, m->map, k), m->d[k]);
}

/* `m` becomes the minimum of itself and another. */
static void
take_least(cg_maps *s, model *m, const model *other, uint32_t n)
{
    m->map = cg_map_least(s, m->map, other->map);
    for (uint32_t k = 0; k < n; k++)
        m->d[k] = other->d[k] < m->d[k] ? other->d[k] : m->d[k];
}

static void
change(cg_maps *s, model *m, uint32_t n, uint64_t *state)
{
    uint32_t by = random_distance(state), changes = next_random(state) % 4;
    m->map.by = cg_farther(m->map.by, by);
    for (uint32_t k = 0; k < n; k++)
        m->d[k] = cg_farther(m->d[k], by);
    while (changes--) {
        uint32_t at = next_random(state) % n;
        m->d[at] = random_distance(state);
        cg_map_set(s, &m->map, at, m->d[at]);
    }
}

static void
run(uint32_t n, uint64_t seed, arena *a)
{
    cg_maps s = cg_new_maps(n, a);
    model maps[MAPS];
    for (unsigned m = 0; m < MAPS; m++) {
        maps[m].map = (cg_map){0};
        for (uint32_t k = 0; k < n; k++)
            maps[m].d[k] = CG_NEVER;
    }
    for (unsigned step = 0; step < STEPS; step++) {
        model *m = &maps[next_random(&seed) % MAPS], *from = &maps[next_random(&seed) % MAPS];
        cg_share_maps(&s);
        if (next_random(&seed) % 2)
            *m = *from;
        else
            take_least(&s, m, from, n);
        change(&s, m, n, &seed);
        check(&s, m, n);
        check(&s, from, n);
        if (cg_map_same(&s, m->map, from->map))
            assert_memory_equal(m->d, from->d, n * sizeof *m->d);
    }
    for (unsigned m = 0; m < MAPS; m++)
        check(&s, &maps[m], n);
}

static void
test_random_maps(void **state)
{
    static const uint32_t sizes[] = {1, 8, 9, 64, 65, MOST};
    (void)state;
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        arena a;
        arena_init(&a, &base_malloc_allocator, no_memory, NULL);
        run(sizes[k], k, &a);
        arena_free(&a);
    }
}

/* A node that is built again with the same distances is the same; one distance more is not. */
static void
test_same(void **state)
{
    arena a;
    (void)state;
    arena_init(&a, &base_malloc_allocator, no_memory, NULL);
    cg_maps s = cg_new_maps(MOST, &a);
    cg_map one = {0}, two = {0};
    for (uint32_t k = 0; k < MOST; k += 50) {
        cg_share_maps(&s);
        cg_map_set(&s, &one, k, k);
        cg_share_maps(&s);
        cg_map_set(&s, &two, k, k);
    }
    assert_true(cg_map_same(&s, one, two));
    cg_share_maps(&s);
    cg_map_set(&s, &two, 7, 7);
    assert_false(cg_map_same(&s, one, two));
    arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_maps),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
