/* Dominance on random graphs, against its definition: a block dominates those that the entry cannot
 * reach without it. Most of the graphs are irreducible and have unreachable blocks. */
#include "ir/dominance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 12, GRAPHS = 3000 };

/* Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014: SplitMix64. */
static uint32_t
random_below(uint64_t *state, uint32_t n)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

/* Marks the blocks that `b` reaches without block `cut`. */
static void
reach(const ir_block *b, uint32_t cut, bool *reached)
{
    if (b->index == cut || reached[b->index])
        return;
    reached[b->index] = true;
    for (uint32_t s = 0; s < b->succs[0].count; s++)
        reach(b->succs[0].at[s], cut, reached);
}

static void
check_tree(const ir_fn *f)
{
    bool reached[MOST] = {0};
    reach(f->blocks[0], UINT32_MAX, reached);
    for (uint32_t above = 0; above < f->n_blocks; above++) {
        bool without[MOST] = {0};
        reach(f->blocks[0], above, without);
        for (uint32_t b = 0; b < f->n_blocks; b++) {
            bool dominates = above == b || (reached[above] && reached[b] && !without[b]);
            assert_int_equal(ir_dominates(f->blocks[above], f->blocks[b], 0), dominates);
        }
    }
    for (uint32_t b = 0; b < f->n_blocks; b++) {
        const ir_block *up = ir_idom(f->blocks[b], 0);
        assert_int_equal(up != NULL, reached[b] && b != 0);
        for (uint32_t above = 0; up && above < f->n_blocks; above++) {
            if (above != b && ir_dominates(f->blocks[above], f->blocks[b], 0))
                assert_true(ir_dominates(f->blocks[above], up, 0));
        }
    }
}

static void
add_random_edges(uint64_t *rng, ir_fn *f)
{
    for (uint32_t b = 0; b < f->n_blocks; b++) {
        for (uint32_t n = random_below(rng, 4); n > 0; n--)
            ir_add_edge(f->blocks[b], f->blocks[random_below(rng, (uint32_t)f->n_blocks)], 0);
    }
}

static void
test_random_graphs(void **state)
{
    (void)state;
    uint64_t rng = 1;
    for (unsigned g = 0; g < GRAPHS; g++) {
        diag d;
        arena a;
        diag_init(&d);
        arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
        ir_ctx ctx = {.diag = &d, .arena = &a, .scratch = &a};
        ir_fn *f = ir_fn_new(&ctx, &ir_hir_level, "main");
        for (uint32_t b = 1 + random_below(&rng, MOST); b > 0; b--)
            ir_append_block(f, ir_block_new(f));
        add_random_edges(&rng, f);
        ir_compute_dominance(f);
        check_tree(f);
        arena_free(&a);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
