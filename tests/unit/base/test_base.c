/* Arenas, buffers, maps and diagnostics. */
#include "base/arena.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/json_text.h"
#include "base/map.h"
#include "base/sparse_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *
counting_alloc(void *user, size_t size)
{
    *(size_t *)user += size;
    return malloc(size);
}

static void
counting_release(void *user, void *block, size_t size)
{
    *(size_t *)user -= size;
    free(block);
}

static void
test_arena_release_gives_memory_back(void **state)
{
    (void)state;
    diag d;
    arena a;
    size_t out = 0;
    const base_allocator counting = {counting_alloc, counting_release, &out};
    diag_init(&d);
    arena_init(&a, &counting, diag_out_of_memory, &d);
    if (!DIAG_TRY(&d))
        fail_msg("%s", d.message);
    char *first = arena_strdup(&a, "first");
    assert_in_range(arena_peak(&a), 6, 100);
    arena_mark m = arena_save(&a);
    for (int i = 0; i < 100; i++)
        memset(arena_alloc(&a, 10000), 0xaa, 10000);
    size_t before = out, peak = arena_peak(&a);
    assert_in_range(peak, 100 * 10000, out);
    arena_release(&a, m);
    assert_true(out < before); /* one block is kept for what comes */
    before = out;
    memset(arena_alloc(&a, 100000), 0xaa, 100000);
    assert_int_equal(out, before);
    assert_int_equal(arena_peak(&a), peak);
    assert_string_equal(first, "first");
    arena_free(&a);
    assert_int_equal(out, 0);
}

/* Takes sparse memory where other memory was released, and releases it. */
static void
take_sparse(const base_allocator *allocator, size_t size)
{
    diag d;
    arena a;
    diag_init(&d);
    arena_init(&a, allocator, diag_out_of_memory, &d);
    if (!DIAG_TRY(&d))
        fail_msg("%s", d.message);
    char *first = arena_strdup(&a, "first");
    arena_mark m = arena_save(&a);
    memset(arena_alloc(&a, 3 * ARENA_LARGE), 0xaa, 3 * ARENA_LARGE);
    arena_release(&a, m);
    const uint8_t *sparse = arena_zalloc_sparse(&a, size);
    size_t zeros = 0;
    while (zeros < size && !sparse[zeros])
        zeros++;
    assert_int_equal(zeros, size);
    assert_string_equal(arena_strdup(&a, "behind"), "behind");
    arena_release(&a, m);
    assert_string_equal(first, "first");
    arena_free(&a);
}

/* Sparse memory is zeroed whatever was there before, with and without blocks that come zeroed. */
static void
test_sparse_memory(void **state)
{
    static const size_t sizes[] = {100, ARENA_LARGE - 1, ARENA_LARGE, 2 * ARENA_LARGE + 3};
    size_t out = 0;
    const base_allocator counting = {counting_alloc, counting_release, &out};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        take_sparse(&base_malloc_allocator, sizes[k]);
        take_sparse(&counting, sizes[k]);
    }
    assert_int_equal(out, 0);
}

static void *
no_memory(void *user, size_t size)
{
    (void)user, (void)size;
    return NULL;
}

static void
test_out_of_memory_is_a_status(void **state)
{
    (void)state;
    diag d;
    arena a;
    const base_allocator none = {no_memory, NULL, NULL};
    diag_init(&d);
    arena_init(&a, &none, diag_out_of_memory, &d);
    if (DIAG_TRY(&d)) {
        arena_alloc(&a, 1);
        fail();
    }
    assert_int_equal(d.error, ERR_NO_MEMORY);
    assert_int_equal(d.class, DIAG_NO_MEMORY);
}

static void
test_maps_keep_what_was_put(void **state)
{
    (void)state;
    diag d;
    arena a;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (!DIAG_TRY(&d))
        fail_msg("%s", d.message);
    base_map m = map_make(&a);
    for (uint64_t i = 0; i < 1000; i++)
        map_put(&m, i * 7, i);
    for (uint64_t i = 0, v = 0; i < 7000; i++) {
        assert_int_equal(map_get(&m, i, &v), i % 7 == 0);
        if (i % 7 == 0)
            assert_int_equal(v, i / 7);
    }
    base_strings s = strings_make(&a);
    assert_int_equal(strings_intern(&s, "abc", 2), 0);
    assert_int_equal(strings_intern(&s, "abc", 3), 1);
    assert_int_equal(strings_intern(&s, "ab", 2), 0);
    assert_int_equal(strings_find(&s, "zz", 2), UINT32_MAX);
    assert_string_equal(strings_get(&s, 1), "abc");
    arena_free(&a);
}

static void
test_bits_are_counted(void **state)
{
    (void)state;
    uint64_t all = ~UINT64_C(0), above = UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned k = 0; k < 64; k++) {
        assert_int_equal(base_ctz64(UINT64_C(1) << k), k);
        assert_int_equal(base_ctz64((above | 1) << k), k);
        assert_int_equal(base_popcount64(all << k), 64 - k);
        assert_int_equal(base_popcount64(all >> k), 64 - k);
        if (k < 32)
            assert_int_equal(base_ctz32((uint32_t)((above | 1) << k)), k);
    }
    assert_int_equal(base_popcount64(0), 0);
    assert_int_equal(base_popcount64(UINT64_C(0x8000000180000001)), 4);
}

enum { SET_BITS = 10000 };

static void
check_set(const sparse_set *s, const bool *has)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < SET_BITS; i++)
        assert_int_equal(sparse_set_has(s, i), has[i]);
    SPARSE_SET_FOREACH_WORD(w, s) {
        assert_true(s->bits[w]);
        words++;
    }
    for (uint32_t w = 0; w < BITSET_WORDS(SET_BITS); w++)
        words -= s->bits[w] != 0;
    assert_int_equal(words, 0);
}

/* Two sets beside arrays of bools, by random operations. */
static void
test_sparse_sets(void **state)
{
    (void)state;
    static bool has[2][SET_BITS];
    diag d;
    arena a;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    sparse_set s[2] = {sparse_set_new(&a, SET_BITS), sparse_set_new(&a, SET_BITS)};
    for (uint64_t k = 0; k < 20000; k++) {
        const uint64_t random = base_hash64(k + 1);
        const unsigned one = random & 1;
        const uint32_t i = (uint32_t)(random >> 32) % SET_BITS;
        switch (random >> 1 & 1023) {
        case 0:
            sparse_set_clear(&s[one]);
            memset(has[one], 0, SET_BITS);
            break;
        case 1:
            sparse_set_copy(&s[one], &s[!one]);
            memcpy(has[one], has[!one], SET_BITS);
            check_set(&s[one], has[one]);
            break;
        case 2: {
            bool grows = false;
            for (uint32_t n = 0; n < SET_BITS; n++) {
                grows |= has[!one][n] && !has[one][n];
                has[one][n] |= has[!one][n];
            }
            assert_int_equal(sparse_set_union(&s[one], &s[!one]), grows);
            check_set(&s[one], has[one]);
            break;
        }
        default:
            if (random >> 16 & 1)
                sparse_set_add(&s[one], i);
            else
                sparse_set_remove(&s[one], i);
            has[one][i] = random >> 16 & 1;
        }
    }
    check_set(&s[0], has[0]);
    check_set(&s[1], has[1]);
    arena_free(&a);
}

static void
test_diagnostics_name_the_place(void **state)
{
    (void)state;
    diag d;
    char text[256];
    diag_init(&d);
    d.loc = (diag_loc){
        .file = "x.spv", .has_offset = true, .offset = 12, .unit = "word", .what = "OpLoad"};
    if (DIAG_TRY(&d))
        diag_fail(&d, ERR_INTERNAL, "six");
    diag_format(&d, text, sizeof text);
    assert_non_null(strstr(text, "x.spv: error: word 12 (OpLoad): internal error: six"));
    d.loc = (diag_loc){.file = "x.s", .line = 3, .column = 9};
    diag_format(&d, text, sizeof text);
    assert_non_null(strstr(text, "x.s:3:9: error: internal error"));
}

/* How JSON has a text. */
static const char *
json_of(const char *text)
{
    static char all[100];
    char piece[BASE_JSON_PIECE];
    size_t size = 0;
    while (*text) {
        size_t n = base_json_piece(&text, piece);
        assert_in_range(n, 1, sizeof piece);
        memcpy(all + size, piece, n);
        size += n;
    }
    all[size] = 0;
    return all;
}

static void
test_strings_of_json_are_utf8(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"a\"b\\c\n\x7f", "a\\\"b\\\\c\\u000a\x7f"},
        {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xe4x", "\\ufffdx"},                                /* Latin-1 */
        {"\xc0\xaf", "\\ufffd\\ufffd"},                       /* longer than needed */
        {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},            /* a surrogate */
        {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"}, /* above U+10FFFF */
        {"\xe2\x82", "\\ufffd\\ufffd"},                       /* ends too early */
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(json_of(texts[i][0]), texts[i][1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_release_gives_memory_back),
        cmocka_unit_test(test_sparse_memory),
        cmocka_unit_test(test_out_of_memory_is_a_status),
        cmocka_unit_test(test_maps_keep_what_was_put),
        cmocka_unit_test(test_bits_are_counted),
        cmocka_unit_test(test_sparse_sets),
        cmocka_unit_test(test_diagnostics_name_the_place),
        cmocka_unit_test(test_strings_of_json_are_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
