/* Groups that the scheduler forms obey the checkers' rules: trees that would fill a port twice. */
#include "base/diag.h"
#include "r600/compile/compile.h"
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

/* Optimizes the text of a tree, and checks the groups of its code. */
static void
check_tree(const char *chip, const char *text)
{
    static mach_report report;
    static diag d;
    arena a;
    r600_figures figures;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (!DIAG_TRY(&d))
        fail_msg("%u:%u: %s", d.loc.line, d.loc.column, d.message);
    base_buf code = buf_make(&a);
    const r600_optimize_job job = {.diag = &d,
                                   .arena = &a,
                                   .chip = find_chip(chip),
                                   .bytes = (const uint8_t *)text,
                                   .size = strlen(text)};
    r600_optimize(&job, &code, &figures);
    const r600_emu_dispatch e = {
        .chip = job.chip, .code = code.data, .size = code.size, .checks = MACH_CHECK_ALL};
    memset(&report, 0, sizeof report);
    r600_emu_check_code(&a, &e, &report);
    if (report.n_findings)
        fail_msg("%s: `%s`: %s", chip, report.findings[0].text, report.findings[0].message);
    arena_free(&a);
}

/* %10 has no value before the loop, so that no definition has given it a channel before it is read.
 * The other operations of its group read a register of y in each cycle. */
static void
a_variable_is_read_by_what_defines_it_first(void **state)
{
    (void)state;
    static const char body[] = "form: variables\n"
                               "input: %1 R0.y\n"
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
    static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++) {
        char text[1024];
        snprintf(text, sizeof text, "target: %s\n%s", chips[i], body);
        check_tree(chips[i], text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_is_read_by_what_defines_it_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
