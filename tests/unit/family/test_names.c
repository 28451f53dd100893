/* The names of targets: every row of the table is found, alone names of several targets are not,
 * and what users write around a name does not matter. */
#include "families/families.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Finds `name`; returns the target's name, or "" if there is none. */
static const char *
found(const char *name)
{
    family_target t;
    return families_find_target(name, &t) ? t.name : "";
}

/* The sources of these rows are in products.def; this list is its own, from what users ask for. */
static void
test_users_names(void **state)
{
    static const struct {
        const char *name, *target;
    } rows[] = {
        {"gfx1030", "gfx1030"},
        {"a660", "a660"},
        {"FD660", "a660"},
        {"Adreno 660", "a660"},
        {"Qualcomm Adreno (TM) 660", "a660"},
        {"Turnip Adreno (TM) 750", "a750"},
        {"Adreno X1-85", "x1-85"},
        {"Adreno 7c+ Gen 3", "a7c3"},
        {"GFX1030", "gfx1030"},
        {"navi21", "gfx1030"},
        {"Navi 21", "gfx1030"},
        {"NAVI_21", "gfx1030"},
        {"RX 6800", "gfx1030"},
        {"rx6800", "gfx1030"},
        {"rx-6800-xt", "gfx1030"},
        {"6900 XT", "gfx1030"},
        {"AMD Radeon RX 6800", "gfx1030"},
        {"AMD Radeon(TM) RX 6800 XT (RADV NAVI21)", "gfx1030"},
        {"Radeon RX 7900 XTX", "gfx1100"},
        {"AMD Radeon PRO W6800", "gfx1030"},
        {"W7900", "gfx1100"},
        {"V620", "gfx1030"},
        {"vega10", "gfx900"},
        {"Vega 10 Graphics", "gfx902"},
        {"AMD Radeon Vega 10 Graphics", "gfx902"},
        {"Vega 64", "gfx900"},
        {"Radeon VII", "gfx906"},
        {"Radeon Pro VII", "gfx906"},
        {"polaris10", "gfx803"},
        {"polaris11", "gfx803"},
        {"RX 580", "gfx803"},
        {"fiji", "gfx803"},
        {"hawaii", "gfx701"},
        {"R9 290X", "gfx702"},
        {"tahiti", "gfx600"},
        {"HD 7970", "gfx600"},
        {"RX 5600M", "gfx1010"},
        {"Radeon Pro 5600M", "gfx1011"},
        {"Steam Deck", "gfx1033"},
        {"steamdeck", "gfx1033"},
        {"RX 6700", "gfx1031"},
        {"RX 6700S", "gfx1032"},
        {"RX 6800M", "gfx1031"},
        {"RX 6800S", "gfx1032"},
        {"AMD Radeon 680M Graphics", "gfx1035"},
        {"AMD Radeon 780M", "gfx1103"},
        {"MI300X", "gfx942"},
        {"MI355X", "gfx950"},
        {"AMD Instinct MI250X", "gfx90a"},
        {"Radeon Instinct MI25", "gfx900"},
        {"Strix Halo", "gfx1151"},
        {"RX 9070 XT", "gfx1201"},
        {"", ""},
        {"AMD", ""},
        {"Radeon", ""},
        {"Graphics", ""},
        {"RX", ""},
        {"(RX 6800)", ""},
        {"RX 68000", ""},
        {"RX 680", ""},
        {"gfx103", ""},
        {"Vega 8", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(found(rows[i].name), rows[i].target) != 0)
            fail_msg("%s is '%s'", rows[i].name, found(rows[i].name));
    }
    assert_string_equal(found(NULL), "");
}

/* Returns true if `name` stands in the text between commas. */
static bool
lists(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    size_t n = strlen(name);
    return at && (at == text || at[-1] == ' ') && (at[n] == ',' || at[n] == '\0');
}

/* Each name of the table finds its target, except for those that several targets have. */
static void
test_whole_table(void **state)
{
    static const char *const shared[] = {"Vega 3", "Vega 6", "Vega 8"};
    family_target t;
    unsigned names = 0, ambiguous = 0;
    (void)state;
    for (uint32_t i = 0; families_get_target(i, &t); i++) {
        assert_string_equal(found(t.name), t.name);
        for (const char *const *n = t.names; n && *n; n++, names++) {
            char instead[300];
            bool is_shared = false;
            for (size_t k = 0; k < sizeof shared / sizeof shared[0]; k++)
                is_shared |= strcmp(shared[k], *n) == 0;
            if (!is_shared && strcmp(found(*n), t.name) != 0)
                fail_msg("%s of %s is '%s'", *n, t.name, found(*n));
            if (!is_shared)
                continue;
            ambiguous++;
            assert_string_equal(found(*n), "");
            assert_true(families_explain_target(*n, instead, sizeof instead));
            assert_true(lists(instead, t.name));
        }
    }
    assert_true(names > 200);
    assert_int_equal(ambiguous, 6);
}

static void
test_what_to_write_instead(void **state)
{
    char text[300], little[12];
    (void)state;
    assert_false(families_explain_target("navi2", text, sizeof text));
    assert_string_equal(text, "navi21 (gfx1030), navi22 (gfx1031), navi23 (gfx1032), navi24 "
                              "(gfx1034)");
    assert_false(families_explain_target("gfx1039", text, sizeof text));
    assert_non_null(strstr(text, "gfx1030"));
    assert_false(families_explain_target("RX 6800 XTT", text, sizeof text));
    assert_non_null(strstr(text, "RX 6800 XT (gfx1030)"));
    assert_false(families_explain_target("navi2", little, sizeof little));
    assert_string_equal(little, "navi21 (gfx");
    assert_true(families_explain_target("Vega-8", little, sizeof little));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_users_names),
        cmocka_unit_test(test_whole_table),
        cmocka_unit_test(test_what_to_write_instead),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
