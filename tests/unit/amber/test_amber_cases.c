/* Errors in shader library files (src/amber/cases.c), with their places. */
#include "amber/amber.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    arena a;
    diag d;
} fixture;

static void
start(fixture *f)
{
    diag_init(&f->d);
    arena_init(&f->a, &base_malloc_allocator, diag_out_of_memory, &f->d);
}

static void
list_cases(fixture *f, const char *source)
{
    const amber_text text = {"cases.test", source, strlen(source)};
    if (DIAG_TRY(&f->d))
        amber_list_cases(&f->a, &f->d, &text);
}

static void
test_bad_cases(void **state)
{
    static const struct {
        const char *text;
        diag_error error;
        uint32_t line, column;
    } rows[] = {
        {"cases", ERR_AMBER_EXPECTED, 1, 1},
        {"group g \"g\"\n", ERR_AMBER_MISSING, 2, 1},
        {"group g\nend\n", ERR_AMBER_EXPECTED, 2, 1},
        {"import \"other.test\"\n", ERR_AMBER_UNSUPPORTED, 1, 1},
        {"case c\n", ERR_AMBER_MISSING, 2, 1},
        {"case c end\n", ERR_AMBER_MISSING, 1, 8},
        {"case c vertex \"\"x\"\" end\n", ERR_AMBER_MISSING, 1, 21},
        {"case c both x\n", ERR_AMBER_EXPECTED, 1, 13},
        {"case c fly end\n", ERR_AMBER_EXPECTED, 1, 8},
        {"case c version es\n", ERR_AMBER_EXPECTED, 1, 16},
        {"case c output_color mat2\n", ERR_AMBER_EXPECTED, 1, 21},
        {"case c values { inout int a = 1; }\n", ERR_AMBER_EXPECTED, 1, 17},
        {"case c values { input int a = [ 1, 2 ]; }\n", ERR_AMBER_EXPECTED, 1, 34},
        {"case c values { input bool a = 1; }\n", ERR_AMBER_EXPECTED, 1, 32},
        {"case c values { input int a = x; }\n", ERR_AMBER_EXPECTED, 1, 31},
        {"case c values { input vec2 a = vec2(1.0); }\n", ERR_AMBER_EXPECTED, 1, 40},
        {"case c values { input int a = [1|2]; input int b = [1|2|3]; }\n", ERR_AMBER_VALUES, 1,
         59},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture f;
        start(&f);
        list_cases(&f, rows[i].text);
        if (f.d.error != rows[i].error || f.d.loc.line != rows[i].line ||
            f.d.loc.column != rows[i].column)
            print_message("row %zu: %u:%u: %s [%s]\n", i, f.d.loc.line, f.d.loc.column, f.d.message,
                          diag_error_name(f.d.error));
        assert_int_equal(f.d.error, rows[i].error);
        assert_int_equal(f.d.loc.line, rows[i].line);
        assert_int_equal(f.d.loc.column, rows[i].column);
        arena_free(&f.a);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
