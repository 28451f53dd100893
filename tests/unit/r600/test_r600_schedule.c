/* The scheduler: its groups obey the checkers' rules, and each of its windows has a schedule. */
#include "base/diag.h"
#include "r600/emit/emit.h"
#include "r600/emu/emu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const r600_chip *
find_chip(const char *name)
{
    uint32_t i = 0;
    while (strcmp(r600_chips[i].name, name) != 0)
        i++;
    return &r600_chips[i];
}

/* Schedules the text of a tree with a window, and checks the groups of its code. */
static void
check_tree(const char *chip, uint32_t window, const char *text)
{
    static mach_report report;
    static diag d;
    arena a;
    ra_state ra;
    r600_figures figures;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (!DIAG_TRY(&d))
        fail_msg("%s, window %u: %s", chip, window, d.message);
    base_buf code = buf_make(&a);
    tree_program *p = r600_tree_parse(&d, &a, find_chip(chip), text);
    r600_ra_vectors(p, &ra);
    r600_schedule(p, &ra, window);
    assert_true(r600_ra_color(p, &ra));
    r600_emit(p, &ra, &code, &figures);
    const r600_emu_dispatch e = {
        .chip = find_chip(chip), .code = code.data, .size = code.size, .checks = MACH_CHECK_ALL};
    memset(&report, 0, sizeof report);
    r600_emu_check_code(&a, &e, &report);
    if (report.n_findings)
        fail_msg("%s: `%s`: %s", chip, report.findings[0].text, report.findings[0].message);
    arena_free(&a);
}

/* Schedules a tree with all windows for these chips. */
static void
check_windows(const char *const *chips, unsigned n_chips, const char *body)
{
    static const uint32_t windows[] = {UINT32_MAX, 24, 4, 1};
    for (unsigned i = 0; i < n_chips; i++) {
        for (unsigned w = 0; w < sizeof windows / sizeof *windows; w++) {
            char text[1024];
            snprintf(text, sizeof text, "target: %s\nform: variables\n%s", chips[i], body);
            check_tree(chips[i], windows[w], text);
        }
    }
}

static const char *const all_chips[] = {"rv670", "rv770", "cypress", "cayman"};

/* %10 has no value before the loop, so that no definition has given it a channel before it is read.
 * The other operations of its group read a register of y in each cycle. */
static void
a_variable_is_read_by_what_defines_it_first(void **state)
{
    (void)state;
    static const char body[] = "input: %1 R0.y\n"
                               "input: %2 R1.y\n"
                               "input: %3 R2.y\n"
                               "input: %4 R0.x\n"
                               "input: %5 R0.z\n"
                               "input: %6 R3.y\n"
                               "input: %14 R4.y\n"
                               "region 1 {\n"
                               "    %7.w = CNDE_INT %4, %1, %5\n"
                               "    %8.x = CNDE_INT %4, %2, %5\n"
                               "    %9.z = CNDE_INT %4, %3, %5\n"
                               "    %10.w = CNDE_INT %4, %10, %5\n"
                               "    %11.w = SUB_INT %7, %8\n"
                               "    %12.z = ADD_INT %11, %9\n"
                               "    if PRED_SETGE_INT %12, 0x5 {\n"
                               "        depart 1\n"
                               "    }\n"
                               "    repeat 1\n"
                               "}\n"
                               "%13.x = ADD_INT %10, 0x1\n"
                               "flow \"EXPORT_DONE PIX[0], R0.xyzw\" [%13, %13, %13, %13], "
                               "[_, _, _, _]\n";
    check_windows(all_chips, 4, body);
}

/* Between reads of LDS and what takes their results is more than a small window shows. */
static void
takers_are_in_reach_of_any_window(void **state)
{
    (void)state;
    static const char body[] = "input: %1 R0.x\n"
                               "pack {\n"
                               "    _ = LDS_READ_RET %1 slot:x\n"
                               "}\n"
                               "%2.x = ADD_INT %1, 0x1\n"
                               "pack {\n"
                               "    _ = LDS_READ_RET %2 slot:x\n"
                               "}\n"
                               "%3.y = ADD_INT %2, 0x2\n"
                               "%4.z = ADD_INT %3, 0x3\n"
                               "%5.w = ADD_INT %4, 0x4\n"
                               "%6.x = ADD_INT %5, 0x5\n"
                               "%7.x = MOV LDS_OQ_A_POP.x\n"
                               "%8.y = MOV LDS_OQ_A_POP.x\n"
                               "flow \"EXPORT_DONE PIX[0], R0.xyzw\" [%6, %7, %8, 0x0], "
                               "[_, _, _, _]\n";
    check_windows(all_chips + 2, 2, body);
}

/* Two locks hold four neighbouring runs of 16 constants, whichever of them comes first. */
static void
locks_do_not_depend_on_the_order(void **state)
{
    (void)state;
    for (unsigned order = 0; order < 256; order++) {
        schedule_locks l = {.most = 2};
        for (unsigned k = 0; k < 8; k++) {
            const uint32_t line = k < 4 ? order >> 2 * k & 3 : k - 4;
            const tree_operand o = {.kind = TREE_KCACHE, .buffer = 1, .id = (5 + line) * 64 + 63};
            assert_true(r600_schedule_lock(&l, &o));
        }
        assert_int_equal(l.n, 2);
        assert_int_equal(l.at[0].first, 5);
        assert_int_equal(l.at[1].first, 7);
        const tree_operand other = {.kind = TREE_KCACHE, .buffer = 0, .id = 5 * 64};
        assert_false(r600_schedule_lock(&l, &other));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_is_read_by_what_defines_it_first),
        cmocka_unit_test(takers_are_in_reach_of_any_window),
        cmocka_unit_test(locks_do_not_depend_on_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
