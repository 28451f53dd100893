/* Machine levels: what the container promises to every level, on a level made for this test. */
#include "ir/verify.h"
#include "ir_env.h"
#include "tiny_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* The verifier must fail on `text` in check `check` with a message that contains `message`, or pass
 * if `check` is NULL. */
static void
expect(const char *text, const char *check, const char *message)
{
    ir_env e;
    env_open(&e);
    char rule[64];
    if (DIAG_TRY(&e.d)) {
        ir_verify(env_parse(&e, &tiny_level, text), "a pass");
        if (check)
            fail_msg("passes: %s", text);
    } else {
        snprintf(rule, sizeof rule, "rule '%s' is broken after a pass: ", check ? check : "none");
        if (e.d.error != ERR_IR_VERIFY || !strstr(e.d.message, rule) ||
            !strstr(e.d.message, message))
            fail_msg("%s\n%u:%u: %s", text, e.d.loc.line, e.d.loc.column, e.d.message);
    }
    env_close(&e);
}

/* ---- dominance: along the edges of the class ---- */

/* The logical edges go around BB1, the linear ones through it. */
#define AROUND(in_bb1, in_bb3)                                                                     \
    "impl \"m\" {\nBB0\n/* logical preds: / linear preds: */\n branch\n"                           \
    "/* logical succs: BB1, BB2, / linear succs: BB1, */\n"                                        \
    "BB1\n/* logical preds: BB0, / linear preds: BB0, */\n" in_bb1 " branch\n"                     \
    "/* logical succs: BB3, / linear succs: BB2, */\n"                                             \
    "BB2\n/* logical preds: BB0, / linear preds: BB1, */\n branch\n"                               \
    "/* logical succs: BB3, / linear succs: BB3, */\n"                                             \
    "BB3\n/* logical preds: BB1, BB2, / linear preds: BB2, */\n" in_bb3 " end\n"                   \
    "/* logical succs: / linear succs: */\n}\n"

/* The linear edges go around BB1, the logical ones through it. */
#define THROUGH(in_bb1, in_bb3)                                                                    \
    "impl \"m\" {\nBB0\n/* logical preds: / linear preds: */\n branch\n"                           \
    "/* logical succs: BB1, / linear succs: BB1, BB2, */\n"                                        \
    "BB1\n/* logical preds: BB0, / linear preds: BB0, */\n" in_bb1 " branch\n"                     \
    "/* logical succs: BB3, / linear succs: BB3, */\n"                                             \
    "BB2\n/* logical preds: / linear preds: BB0, */\n branch\n"                                    \
    "/* logical succs: / linear succs: BB3, */\n"                                                  \
    "BB3\n/* logical preds: BB1, / linear preds: BB1, BB2, */\n" in_bb3 " end\n"                   \
    "/* logical succs: / linear succs: */\n}\n"

static void
test_dominance(void **state)
{
    (void)state;
    expect(AROUND(" s1: %1 = def\n", " use %1\n"), NULL, "");
    expect(AROUND(" v1: %1 = def\n", " use %1\n"), "dominance", "value %1 is not known here");
    expect(THROUGH(" v1: %1 = def\n", " use %1\n"), NULL, "");
    expect(THROUGH(" s1: %1 = def\n", " use %1\n"), "dominance", "value %1 is not known here");
}

/* A phi reads at the end of its predecessors; the class of what it reads decides by which edges the
 * value gets there, whichever list the phi belongs to. */
static void
test_dominance_of_phis(void **state)
{
    (void)state;
    expect(AROUND(" v1: %1 = def\n", " v1: %2 = phi %1, v1: undef\n"), NULL, "");
    expect(AROUND(" v1: %1 = def\n", " v1: %2 = phi v1: undef, %1\n"), "dominance", "value %1");
    expect(AROUND(" s1: %1 = def\n", " v1: %2 = phi v1: undef, %1\n"), NULL, "");
    expect(AROUND(" s1: %1 = def\n", " s1: %2 = linear_phi %1\n"), NULL, "");
    expect(THROUGH(" s1: %1 = def\n", " s1: %2 = linear_phi %1, s1: undef\n"), NULL, "");
    expect(THROUGH(" s1: %1 = def\n", " s1: %2 = linear_phi s1: undef, %1\n"), "dominance",
           "value %1");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dominance),
        cmocka_unit_test(test_dominance_of_phis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
