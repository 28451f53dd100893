/* Findings: what is one entry of a report, and the order in which entries are listed. */
#include "machine/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
no_memory(void *user)
{
    (void)user;
    abort();
}

static mach_finding
finding(uint32_t check, const char *rule, const char *resource, uint64_t pc)
{
    mach_finding f = {.check = check, .rule = rule, .pc = pc, .lane = -1, .count = 1};
    strcpy(f.resource, resource);
    return f;
}

static void
test_entries(void **state)
{
    static mach_report r;
    (void)state;
    const mach_finding rows[] = {
        finding(MACH_CHECK_MEMORY, "load-bounds", "a", 4),
        finding(MACH_CHECK_MEMORY, "load-bounds", "a", 4),  /* the same */
        finding(MACH_CHECK_MEMORY, "load-bounds", "b", 4),  /* another resource */
        finding(MACH_CHECK_MEMORY, "load-bounds", "a", 8),  /* another instruction */
        finding(MACH_CHECK_MEMORY, "store-bounds", "a", 4), /* another rule */
        finding(0, NULL, "", 4),
        finding(0, NULL, "", 4),
    };
    r.n_findings = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_true(mach_add_finding(&r, &rows[k]));
    assert_int_equal(r.n_findings, 5);
    assert_int_equal(r.findings[0].count, 2);
    assert_int_equal(r.findings[1].count, 1);
    assert_int_equal(r.findings[4].count, 2);
    for (uint32_t pc = 100; r.n_findings < MACH_MAX_FINDINGS; pc++) {
        const mach_finding f = finding(MACH_CHECK_WAITS, "wait-read", "", pc);
        assert_true(mach_add_finding(&r, &f));
    }
    const mach_finding more = finding(MACH_CHECK_WAITS, "wait-read", "", 1);
    assert_false(mach_add_finding(&r, &more));
    assert_true(mach_add_finding(&r, &rows[0]));
    assert_int_equal(r.findings[0].count, 3);
}

/* The checkers by cause, each with the one that may be its consequence behind it. */
static void
test_order(void **state)
{
    static const uint32_t by_cause[] = {MACH_CHECK_HAZARDS,
                                        MACH_CHECK_WAITS,
                                        MACH_CHECK_RACES,
                                        MACH_CHECK_UNDEFINED,
                                        MACH_CHECK_MEMORY,
                                        MACH_CHECK_HANGS,
                                        0};
    enum { N = sizeof by_cause / sizeof *by_cause };
    static mach_report r;
    uint32_t order[MACH_MAX_FINDINGS];
    (void)state;
    r.n_findings = 2 * N;
    r.status = MACH_RUN_DONE;
    for (uint32_t k = 0; k < 2 * N; k++) /* twice, the last consequence first */
        r.findings[k] = finding(by_cause[N - 1 - k % N], NULL, "", k);
    assert_int_equal(mach_order_findings(&r, UINT32_MAX, order), 2 * N);
    for (uint32_t k = 0; k < 2 * N; k++) {
        assert_int_equal(r.findings[order[k]].check, by_cause[k / 2]);
        if (k % 2)
            assert_true(order[k - 1] < order[k]); /* in the order in which they occurred */
    }
    assert_int_equal(mach_order_findings(&r, 3, order), 3);
    assert_int_equal(r.findings[order[2]].check, MACH_CHECK_WAITS);
    /* what ended the run is never left out */
    r.status = MACH_RUN_BAD_CODE;
    assert_int_equal(mach_order_findings(&r, 3, order), 3);
    assert_int_equal(r.findings[order[0]].check, MACH_CHECK_HAZARDS);
    assert_int_equal(order[2], 2 * N - 1);
}

static void
test_text(void **state)
{
    arena a;
    mach_finding f = finding(MACH_CHECK_MEMORY, "load-bounds", "a", 4);
    static mach_report r;
    (void)state;
    arena_init(&a, &base_malloc_allocator, no_memory, NULL);
    base_buf text = buf_make(&a);
    strcpy(f.text, "s_nop 0");
    strcpy(f.message, "too far");
    f.count = 3;
    mach_print_finding(&f, &text);
    assert_string_equal(buf_text(&text), "memory: pc 0x4 `s_nop 0` group (0, 0, 0) wave 0: too far "
                                         "(3 times) [load-bounds]");
    text.size = 0;
    r.n_findings = 12;
    assert_false(mach_print_left_out(&r, 12, &text));
    assert_true(mach_print_left_out(&r, 10, &text));
    assert_string_equal(buf_text(&text), "2 more findings: --findings all lists all");
    arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
