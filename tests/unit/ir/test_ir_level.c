/* Machine levels: the container's guarantees for every level, tested on a level made for this
 * test. */
#include "ir/builder.h"
#include "ir/verify.h"
#include "ir_env.h"
#include "opt/speculate.h"
#include "tiny_hir.h"
#include "tiny_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* The verifier must fail on `text` in check `check` with a message that contains `message`, or pass
 * if `check` is NULL. */
static void
expect_at(const ir_level *level, const char *text, const char *check, const char *message)
{
    ir_env e;
    env_open(&e);
    char rule[64];
    if (DIAG_TRY(&e.d)) {
        ir_verify(env_parse(&e, level, text), "a pass");
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

static void
expect(const char *text, const char *check, const char *message)
{
    expect_at(&tiny_level, text, check, message);
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

/* ---- the byte of an instruction that is its level's own ---- */

static void
check_text(const char *body, const char *want)
{
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s\n%u:%u: %s", body, e.d.loc.line, e.d.loc.column, e.d.message);
    char *text = arena_printf(&e.a, "impl \"m\" {\nBB0\n%s}\n", body);
    ir_fn *f = env_parse(&e, &tiny_level, text);
    ir_verify(f, NULL);
    char *out = env_print(&e, f, 0);
    if (!strstr(out, want))
        fail_msg("no\n%sin\n%s", want, out);
    assert_string_equal(out, env_print(&e, env_parse(&e, &tiny_level, out), 0));
    env_close(&e);
}

/* A text of the level that must fail. */
static void
check_bad(const char *body, diag_error error, unsigned line, unsigned column)
{
    ir_env e;
    env_open(&e);
    if (DIAG_TRY(&e.d)) {
        env_parse(&e, &tiny_level, arena_printf(&e.a, "impl \"m\" {\nBB0\n%s}\n", body));
        fail_msg("parses: %s", body);
    }
    if (e.d.error != error || e.d.loc.line != line + 2 || e.d.loc.column != column)
        fail_msg("%s\n%u:%u: %s", body, e.d.loc.line, e.d.loc.column, e.d.message);
    env_close(&e);
}

static void
test_form(void **state)
{
    (void)state;
    check_text("v1: %1 = def unit:vector\n", "    v1: %1 = def unit:vector\n");
    check_text("v1: %1 = def\nv1: %2 = add! %1, %1 unit:3\n", "    v1: %2 = add! %1, %1 unit:3\n");
    check_text("v1: %1 = def unit:any\n", "    v1: %1 = def\n");
    check_bad("v1: %1 = def!\n", ERR_IR_SYNTAX, 1, 13);
    check_bad("v1: %1 = def unit:4\n", ERR_IR_BAD_ATTR_VALUE, 1, 19);
    check_bad("v1: %1 = def unit\n", ERR_IR_BAD_ATTR, 1, 14);
}

static void
test_form_verified(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (DIAG_TRY(&e.d)) {
        ir_fn *f = env_parse(&e, &tiny_level, "impl \"m\" {\nBB0\nv1: %1 = def\n}\n");
        f->blocks[0]->first->form = 1;
        ir_verify(f, "a pass");
        fail();
    }
    assert_non_null(strstr(e.d.message, "rule 'forms' is broken after a pass"));
    assert_non_null(strstr(e.d.message, "the opcode has no form 0x1"));
    env_close(&e);
}

/* ---- bundles ---- */

static void
test_bundle_text(void **state)
{
    (void)state;
    const char *clause = "    v1: %1 = def\n"
                         "    clause {\n"
                         "        {\n"
                         "            v1: %2 = add! %1, %1\n"
                         "            v1: %3 = add %1, %1 unit:vector\n"
                         "        }\n"
                         "        v1: %4 = add %2, %3\n"
                         "        {\n"
                         "            v1: %5 = def\n"
                         "            v1: %6 = def\n"
                         "            use %4\n"
                         "        }\n"
                         "    }\n";
    check_text(clause, clause);
    /* without a clause; two groups in a row; one that holds the terminator */
    const char *groups = "    {\n        v1: %1 = def\n        v1: %2 = def\n    }\n"
                         "    {\n        v1: %3 = add %1, %2\n        end\n    }\n";
    check_text(groups, groups);
    /* a clause that is one group */
    const char *both = "    clause {\n        {\n            v1: %1 = def\n"
                       "            v1: %2 = def\n        }\n    }\n";
    check_text(both, both);
    /* one instruction is no bundle */
    check_text("clause { { v1: %1 = def } }\n", "    v1: %1 = def\n/*");
}

static void
test_bad_bundle_text(void **state)
{
    (void)state;
    check_bad("{ }\n", ERR_IR_SYNTAX, 1, 3);
    check_bad("{ clause { v1: %1 = def } }\n", ERR_IR_BAD_OPCODE, 1, 3);
    check_bad("{ { v1: %1 = def } }\n", ERR_IR_SYNTAX, 1, 3);
    check_bad("clause v1: %1 = def\n", ERR_IR_SYNTAX, 1, 8);
    check_bad("{ v1: %1 = def\nBB1\n}", ERR_IR_SYNTAX, 2, 1);
    check_bad("{ v1: %1 = def\n/* logical succs: */\n}", ERR_IR_SYNTAX, 2, 1);
    check_bad("{ v1: %1 = def\n", ERR_IR_SYNTAX, 3, 1);
}

#define BODY(text) "impl \"m\" {\nBB0\n" text "}\n"

static void
test_bundles_verified(void **state)
{
    (void)state;
    expect(BODY("{ v1: %1 = def\n v1: %2 = def\n v1: %3 = def }\n"), NULL, "");
    expect(BODY("{ v1: %1 = def\n v1: %2 = def\n v1: %3 = def\n end }\n"), "bundles",
           "more than 3 instructions in a bundle");
    expect(BODY("v1: %1 = def\n { v1: %2 = add 1, %1\n v1: %3 = add 2, %1 }\n"), NULL, "");
    expect(BODY("v1: %1 = def\n { v1: %2 = add 1, 2\n v1: %3 = add 3, %1 }\n"), "bundles",
           "the bundle that ends here: more than two constants in BB0: v1: %3 = add");
    expect(BODY("{ v1: %1 = def\n v1: %2 = add %1, %1 }\n"), "bundles",
           "value %1 is defined in the same bundle");
    expect(BODY("{ v1: %1 = def\n v1: %2 = def }\n { v1: %3 = add %1, %2\n use %1 }\n"), NULL, "");
    expect(BODY("clause { v1: %1 = def\n v1: %2 = add %1, %1 }\n"), NULL, "");
    expect(BODY("{ v1: %1 = phi\n v1: %2 = def }\n"), "bundles", "a phi in a bundle");
    expect("allocated: true\n" BODY("{ v1: %1:v[1] = def\n v1: %2:v[2] = def }\n"), NULL, "");
    expect("allocated: true\n" BODY("{ v1: %1:v[1] = def\n a255: %2:v[0-254] = def }\n"), "bundles",
           "two instructions of a bundle write the register of result 0");
    expect("allocated: true\n" BODY("clause { v1: %1:v[1] = def\n v1: %2:v[1] = def }\n"), NULL,
           "");
}

/* Bits that the text cannot express. */
static const struct bundle_change {
    uint8_t forms[4];
    const char *message;
} bundle_changes[] = {
    {{0, 0, 0, 0}, NULL},
    {{TINY_IN_GROUP, 0, 0, 0}, "the block's first instruction joins a bundle"},
    {{0, TINY_IN_CLAUSE, TINY_IN_GROUP, 0}, "the bundle is partly in a 'clause' bundle"},
    {{0, TINY_IN_GROUP, TINY_IN_CLAUSE, 0}, "the bundle is partly in a 'clause' bundle"},
    {{0, TINY_IN_GROUP, TINY_IN_CLAUSE | TINY_IN_GROUP, 0}, "is partly in a 'clause' bundle"},
    {{0, TINY_IN_CLAUSE | TINY_IN_GROUP, TINY_IN_CLAUSE, 0}, NULL},
};

static void
check_change(const struct bundle_change *c)
{
    ir_env e;
    env_open(&e);
    if (DIAG_TRY(&e.d)) {
        ir_fn *f = env_parse(&e, &tiny_level,
                             BODY("v1: %1 = def\nv1: %2 = def\nv1: %3 = def\nv1: %4 = def\n"));
        ir_instr *i = f->blocks[0]->first;
        for (unsigned k = 0; k < 4; k++, i = i->next)
            i->form = c->forms[k];
        ir_verify(f, "a pass");
        if (c->message)
            fail_msg("passes, but: %s", c->message);
    } else if (!c->message || !strstr(e.d.message, c->message)) {
        fail_msg("%s", e.d.message);
    }
    env_close(&e);
}

static void
test_bundle_changes(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof bundle_changes / sizeof *bundle_changes; n++)
        check_change(&bundle_changes[n]);
}

/* Removes instruction number `n` of a bundle of three. */
static void
check_unlink(unsigned n, const char *want)
{
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    ir_fn *f = env_parse(&e, &tiny_level,
                         BODY("v1: %5 = def\n{ v1: %1 = def\n v1: %2 = def\n v1: %3 = def }\n"
                              "v1: %4 = def\n"));
    ir_instr *i = f->blocks[0]->first->next;
    i = n > 0 ? i->next : i;
    ir_bundle_unlink(n > 1 ? i->next : i);
    ir_verify(f, NULL);
    char *out = env_print(&e, f, 0);
    if (!strstr(out, want))
        fail_msg("%u: %s", n, out);
    env_close(&e);
}

/* A bundle stays a bundle if its first, a middle or its last instruction is removed. */
static void
test_bundle_unlink(void **state)
{
    (void)state;
    check_unlink(0, "def\n    {\n        v1: %2 = def\n        v1: %3 = def\n    }\n    v1: %4");
    check_unlink(1, "def\n    {\n        v1: %1 = def\n        v1: %3 = def\n    }\n    v1: %4");
    check_unlink(2, "def\n    {\n        v1: %1 = def\n        v1: %2 = def\n    }\n    v1: %4");
}

/* ---- arrays, addresses, predicates ---- */

/* An array is a value of a large class. Reading an element names the array and the address; writing
 * one defines the array as it is afterwards, tied to the array before. */
static void
test_arrays(void **state)
{
    (void)state;
    const char *ssa = "    a255: %1 = def\n    x1: %2 = def\n    v1: %3 = get %1, %2\n"
                      "    a255: %4 = set %1, %2, %3\n";
    check_text(ssa, ssa);
    const char *fixed = "    a255: %1:v[0-254] = def\n    x1: %2:x[0] = def\n"
                        "    v1: %3:v[255] = get %1:v[0-254], %2:x[0]\n"
                        "    a255: %4:v[0-254] = set %1:v[0-254], %2:x[0], %3:v[255]\n"
                        "    v1: %5 = get a255: undef, %0:x[0]\n";
    check_text(fixed, fixed);
}

/* What an instruction does to a reference, such as negating a predicate, is a modifier: an
 * attribute with a bit per reference. */
static void
test_predicates(void **state)
{
    (void)state;
    const char *text = "    p1: %1:p[3] = def\n    v1: %2 = def\n"
                       "    v1: %3 = select %1:p[3], %2, 0 not:0\n"
                       "    v1: %4 = select %1, 1, %2\n"
                       "    p1: %5 = select %1, %1, %0:p[2] not:0|2\n";
    check_text(text, text);
}

/* ---- HIR with opcodes of a back end ---- */

#define EXTENDED(entry)                                                                            \
    "impl \"m\" {\nblock b0:\n 64 %1 = load_const (4096)\n 32 %2 = load_const (4)\n"               \
    " 32 %3 = @load_lane (reduction_op=umin)\n 32x4 %4 = " entry "\n return\n}\n"

static const char extended[] = EXTENDED(
    "@load_entry (%1, %2) (base=5, align_mul=16, align_offset=4)");

static void
test_extended_text(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%u:%u: %s", e.d.loc.line, e.d.loc.column, e.d.message);
    ir_fn *f = env_parse(&e, &tiny_hir_level, extended);
    ir_verify(f, NULL);
    char *out = env_print(&e, f, 0);
    assert_non_null(strstr(out, "32 %3 = @load_lane (reduction_op=umin)\n"));
    assert_non_null(
        strstr(out, "32x4 %4 = @load_entry (%1, %2) (base=5, align_mul=16, align_offset=4)\n"));
    assert_string_equal(out, env_print(&e, env_parse(&e, &tiny_hir_level, out), 0));
    env_close(&e);
}

static void
test_extended_verify(void **state)
{
    (void)state;
    const ir_level *level = &tiny_hir_level;
    expect_at(level, extended, NULL, "");
    expect_at(level, EXTENDED("@load_entry (%2, %2) (align_mul=4, align_offset=0)"), "types",
              "operand 0 is not of kind 'l'");
    expect_at(level, EXTENDED("@load_entry (%1, %2) (align_mul=3, align_offset=0)"), "attributes",
              "the alignment is not a power of two");
}

static void
test_extended_attributes(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%u:%u: %s", e.d.loc.line, e.d.loc.column, e.d.message);
    ir_fn *f = env_parse(&e, &tiny_hir_level, extended);
    ir_instr *i = f->blocks[0]->last->prev;
    assert_int_equal(i->op, TINY_HIR_load_entry);
    assert_int_equal(ir_attr_get(i, IR_A_BASE), 5);
    assert_int_equal(ir_attr_get(i, IR_A_ALIGN_OFFSET), 4);
    assert_false(ir_attr_has(i, IR_A_ACCESS));
    assert_true(ir_attr_has(i, IR_A_ALIGN_MUL));
    ir_attr_set(i, IR_A_ALIGN_MUL, 32);
    assert_int_equal(ir_words(i)[1], 32);
    env_close(&e);
}

/* An opcode that reads at an offset may be executed early if address and offset are known to be
 * valid; what it names may be accessed early under the same condition. */
static void
test_extended_speculation(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%u:%u: %s", e.d.loc.line, e.d.loc.column, e.d.message);
    ir_fn *f = env_parse(&e, &tiny_hir_level, extended);
    ir_instr *i = f->blocks[0]->last->prev;
    ir_builder b;
    ir_builder_init(&b, f);
    ir_builder_before(&b, f->blocks[0]->last);
    ir_ref refs[] = {i->defs[0], ir_comp(f->blocks[0]->first->next->defs[0], 0)};
    ir_build_intr(&b, IR_load_ubo, IR_I32, refs, 2);
    assert_true(opt_may_speculate(i));
    assert_true(opt_may_speculate(ir_built(&b)));
    ir_ref offset = i->refs[1];
    i->refs[1] = i->prev->defs[0];
    assert_false(opt_may_speculate(i));
    assert_false(opt_may_speculate(ir_built(&b)));
    i->refs[1] = offset;
    ir_build_undef(&b, IR_I64); /* not known to be an address */
    i->refs[0] = ir_built(&b)->defs[0];
    assert_false(opt_may_speculate(i));
    env_close(&e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dominance),
        cmocka_unit_test(test_dominance_of_phis),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_form_verified),
        cmocka_unit_test(test_bundle_text),
        cmocka_unit_test(test_bad_bundle_text),
        cmocka_unit_test(test_bundles_verified),
        cmocka_unit_test(test_bundle_changes),
        cmocka_unit_test(test_bundle_unlink),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_extended_text),
        cmocka_unit_test(test_extended_verify),
        cmocka_unit_test(test_extended_attributes),
        cmocka_unit_test(test_extended_speculation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
