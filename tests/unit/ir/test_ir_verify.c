/* The verifier: each check is violated once by a text, or by a change that no text can express, and
 * must be the one that fails. */
#include "ir/dominance.h"
#include "ir/hir.h"
#include "ir/verify.h"
#include "ir_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* Runs the verifier on `text`, changed by `change` if that is not NULL; it must fail in the check
 * `check` with a message that contains `message`, or pass if `check` is NULL. */
static void
expect(const char *text, void (*change)(ir_fn *f), const char *check, const char *message)
{
    ir_env e;
    env_open(&e);
    char rule[64];
    if (DIAG_TRY(&e.d)) {
        ir_fn *f = env_parse(&e, &ir_hir_level, text);
        if (change)
            change(f);
        ir_verify(f, "a pass");
        if (check)
            fail_msg("passes: %s", text);
    } else {
        snprintf(rule, sizeof rule, "rule '%s' is broken after a pass: ", check ? check : "none");
        if (e.d.error != ERR_IR_VERIFY || !strstr(e.d.message, rule) ||
            !strstr(e.d.message, message))
            fail_msg("%s\n%s", text, e.d.message);
    }
    env_close(&e);
}

#define FN(body) "impl \"m\" {\nblock b0:\n" body "\n}\n"
static const char good[] = FN(
    "32 %1 = load_const (1)\n 1 %2 = ieq %1, %1\n if %2 then b1 else b2 merge b3\n"
    "block b1:\n 32 %3 = iadd %1, %1\n jump b3\nblock b2:\n jump b3\n"
    "block b3:\n 32 %4 = phi b1: %3, b2: %1\n return");

static ir_instr *
first_of(ir_fn *f, unsigned block)
{
    return f->blocks[block]->first;
}

/* ---- changes ---- */

static void
wrong_prev(ir_fn *f)
{
    first_of(f, 0)->next->prev = NULL;
}
static void
wrong_last(ir_fn *f)
{
    f->blocks[1]->last = first_of(f, 1);
}
static void
wrong_index(ir_fn *f)
{
    f->blocks[2]->index = 1;
}
static void
wrong_op(ir_fn *f)
{
    first_of(f, 0)->op = 9999;
}
static void
old_dominator(ir_fn *f)
{
    ir_compute_dominance(f);
    f->dom[0][3].idom = 1;
}
static void
one_sided_succ(ir_fn *f)
{
    f->blocks[3]->preds[0].count--;
    first_of(f, 3)->n_refs--;
}
static void
one_sided_pred(ir_fn *f)
{
    f->blocks[1]->preds[0].at[0] = f->blocks[2];
}
static void
double_edge(ir_fn *f)
{
    ir_add_edge(f->blocks[1], f->blocks[3], 0);
}
static void
to_entry(ir_fn *f)
{
    ir_add_edge(f->blocks[3], f->blocks[0], 0);
}
static void
no_terminator(ir_fn *f)
{
    ir_unlink(f->blocks[3]->last);
}
static void
early_terminator(ir_fn *f)
{
    ir_append(f->blocks[3], ir_new_instr(f, IR_return, 0, 0));
}
static void
late_phi(ir_fn *f)
{
    ir_instr *phi = first_of(f, 3);
    ir_unlink(phi);
    ir_insert_before(f->blocks[3]->last, ir_new_instr(f, IR_undef, 1, 0));
    ir_define(f, first_of(f, 3), 0, IR_I32);
    ir_insert_before(f->blocks[3]->last, phi);
}
static void
short_phi(ir_fn *f)
{
    first_of(f, 3)->n_refs = 1;
}
static void
few_refs(ir_fn *f)
{
    first_of(f, 1)->n_refs = 1;
}
static void
no_def(ir_fn *f)
{
    first_of(f, 1)->n_defs = 0;
}
static void
no_words(ir_fn *f)
{
    f->blocks[1]->last->n_words = 1;
}
static void
twice_defined(ir_fn *f)
{
    ir_instr *copy = ir_clone_instr(f, first_of(f, 1));
    ir_insert_after(first_of(f, 1), copy);
}
static void
stolen_definition(ir_fn *f)
{
    f->values[3].def = first_of(f, 0);
}
static void
untyped(ir_fn *f)
{
    f->values[3].type = 0;
}
static void
unplaced_definition(ir_fn *f)
{
    uint32_t id = ir_new_value(f, IR_I32);
    first_of(f, 1)->refs[0].id = id;
}
static void
constant_operand(ir_fn *f)
{
    first_of(f, 1)->refs[0].kind = IR_REF_CONST;
}
static void
whole_scalar(ir_fn *f)
{
    first_of(f, 1)->refs[0].comp = IR_WHOLE;
}
static void
missing_operand(ir_fn *f)
{
    first_of(f, 1)->refs[0] = ir_none();
}
static void
wide_constant(ir_fn *f)
{
    f->values[1].type = IR_I8;
    ir_words(first_of(f, 0))[0] = 256;
}
static void
return_merges(ir_fn *f)
{
    f->blocks[3]->merge = f->blocks[2];
}
static void
return_continues(ir_fn *f)
{
    f->blocks[3]->cont = f->blocks[2];
}
static void
no_blocks(ir_fn *f)
{
    f->n_blocks = 0;
}

static void
test_changes(void **state)
{
    (void)state;
    expect(good, NULL, NULL, "");
    expect(good, no_blocks, "links", "at least one block");
    expect(good, wrong_prev, "links", "linked wrongly");
    expect(good, wrong_last, "links", "is not the last");
    expect(good, wrong_index, "links", "does not say so");
    expect(good, old_dominator, "dominance", "a dominator that is out of date");
    expect(good, wrong_op, "links", "not in the table");
    expect(good, one_sided_succ, "edges", "edges are known");
    expect(good, one_sided_pred, "edges", "no such successor");
    expect(good, double_edge, "edges", "predecessor twice");
    expect(good, to_entry, "edges", "entry has a predecessor");
    expect(good, no_terminator, "terminators", "no terminator");
    expect(good, early_terminator, "terminators", "before the block's end");
    expect(good, few_refs, "counts", "1 operands, not 2");
    expect(good, no_def, "counts", "0 results, not 1");
    expect(good, no_words, "counts", "1 attribute words");
    expect(good, return_merges, "structure", "no construct is opened");
    expect(good, return_continues, "structure", "no loop is opened");
    expect(good, late_phi, "phis", "after another");
    expect(good, short_phi, "phis", "1 references for 2");
    expect(good, twice_defined, "definitions", "another definition");
    expect(good, stolen_definition, "definitions", "another definition");
    expect(good, untyped, "definitions", "no type");
    expect(good, unplaced_definition, "operands", "has no definition");
    expect(good, constant_operand, "operands", "is not a value");
    expect(good, whole_scalar, "operands", "no component");
    expect(good, missing_operand, "types", "operand 0");
    expect(good, wide_constant, "types", "bits beyond");
}

/* ---- texts ---- */

#define COND "1 %1 = load_const (true)\n"
static const struct bad {
    const char *text, *check, *message;
} bads[] = {
    /* structure */
    {FN("jump b1\nblock b1:\n return"), "structure", "does not allow"},
    {FN(COND "if %1 then b1 else b2 merge b3\nblock b2:\n jump b3\nblock b1:\n jump b3\n"
             "block b3:\n return"),
     "structure", "structured order"},
    {FN(COND "if %1 then b1 else b3 merge b3\nblock b1:\n jump b3\nblock b3:\n return"),
     "structure", "other predecessors"},
    {FN(COND "if %1 then b1 else b2 merge b3\nblock b1:\n return\nblock b2:\n jump b3\n"
             "block b3:\n return"),
     "structure", "return inside"},
    {FN(COND "if %1 then b1 else b2 merge b3\nblock b1:\n jump b2\nblock b2:\n jump b3\n"
             "block b3:\n return"),
     "structure", "other predecessors"},
    {FN("loop b1 merge b2 continue b1\nblock b1:\n jump b1\nblock b2:\n return"), "structure",
     "three blocks"},
    {FN("loop b1 merge b3 continue b2\nblock b1:\n jump b2\nblock b2:\n jump b3\nblock b3:\n "
        "return"),
     "structure", "does not allow"},
    {FN("loop b1 merge b3 continue b2\nblock b1:\n jump b1\nblock b2:\n jump b1\nblock b3:\n "
        "return"),
     "structure", "first predecessor"},
    {FN("loop b1 merge b3 continue b2\nblock b1: // preds: b2 b0\n jump b2\nblock b2:\n jump b1\n"
        "block b3:\n return"),
     "structure", "first predecessor"},
    {FN("return\nblock b1:\n return"), "structure", "structured order"},
    {FN(COND "loop b1 merge b7 continue b2\nblock b1:\n jump b2\nblock b2:\n"
             "if %1 then b3 else b4 merge b5\nblock b3:\n jump b2\nblock b4:\n jump b5\n"
             "block b5:\n jump b1\nblock b7:\n return"),
     "structure", "does not allow"},
    /* types */
    {FN("32 %1 = load_const (1)\n16 %2 = iadd %1, %1\nreturn"), "types", "result's type"},
    {FN("32 %1 = load_const (1)\n16 %2 = load_const (1)\n32 %3 = iadd %1, %2\nreturn"), "types",
     "operand 1's type"},
    {FN("8 %1 = load_const (1)\n8 %2 = fadd %1, %1\nreturn"), "types", "operand 0's type"},
    {FN("1 %1 = load_const (true)\n1 %2 = iadd %1, %1\nreturn"), "types", "booleans"},
    {FN("32x2 %1 = undef\n32x2 %2 = iadd %1, %1\nreturn"), "types", "operand 0's type"},
    {FN("64 %1 = undef\n64 %2 = ishl %1, %1\nreturn"), "types", "operand 1's type"},
    {FN("32 %1 = undef\n32x3 %2 = vec %1, %1\nreturn"), "types", "2 operands"},
    {FN("32 %1 = undef\n16x2 %2 = vec %1, %1\nreturn"), "types", "another type"},
    {FN("32 %1 = undef\n64 %2 = mov %1\nreturn"), "types", "another type"},
    {FN("32 %1 = undef\nif %1 then b1 else b2 merge b3\nblock b1:\n jump b3\nblock b2:\n jump b3\n"
        "block b3:\n return"),
     "types", "another type"},
    {FN("32 %1 = @load_workgroup_id\nreturn"), "types", "result 0 is not of kind '3'"},
    {FN("32 %1 = undef\n1 %2 = @load_ubo (%1, %1) (align_mul=4)\nreturn"), "types", "kind 'd'"},
    {FN("32 %1 = undef\n32 %2 = @load_ubo (%1, _) (align_mul=4)\nreturn"), "types",
     "operand 1 is not of kind 'a'"},
    {FN("32 %1 = undef\n16 %2 = @shuffle (%1, %1)\nreturn"), "types", "kind '='"},
    {FN("32 %1 = undef\n32x4 %2 = @tex (%1, _, _, _, _, _, _, _, _, _)\nreturn"), "types",
     "operand 2 is not of kind 'v'"},
    /* attributes */
    {FN("32 %1 = undef\n32 %2 = @load_ubo (%1, %1) (align_mul=3)\nreturn"), "attributes",
     "power of two"},
    {FN("32 %1 = undef\n32 %2 = @load_ubo (%1, %1) (align_mul=4, align_offset=4)\nreturn"),
     "attributes", "power of two"},
    {FN("32 %1 = undef\n32 %2 = @load_ubo (%1, %1) (align_mul=4, access=0x400)\nreturn"),
     "attributes", "access is out"},
    {FN("64 %1 = @shader_clock (memory_scope=9)\nreturn"), "attributes", "memory_scope is out"},
    {FN("32 %1 = undef\n@store_ssbo (%1, %1, %1) (align_mul=4, wrmask=xy)\nreturn"), "attributes",
     "wrmask is out"},
    {FN("32 %1 = undef\n@store_ssbo (%1, %1, %1) (align_mul=4)\nreturn"), "attributes",
     "wrmask is out"},
    /* dominance */
    {FN("32 %2 = iadd %1, %1\n32 %1 = load_const (1)\nreturn"), "dominance", "value %1"},
    {FN("32 %1 = iadd %1, %1\nreturn"), "dominance", "value %1"},
    {FN(COND "if %1 then b1 else b2 merge b3\nblock b1:\n 32 %2 = undef\n jump b3\nblock b2:\n"
             " jump b3\nblock b3:\n 32 %3 = ineg %2\n return"),
     "dominance", "value %2"},
    {FN(COND "if %1 then b1 else b2 merge b3\nblock b1:\n 32 %2 = undef\n jump b3\nblock b2:\n"
             " jump b3\nblock b3:\n 32 %3 = phi b2: %2, b1: %2\n return"),
     "dominance", "value %2"},
};

static void
test_bad_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++)
        expect(bads[i].text, NULL, bads[i].check, bads[i].message);
}

/* Valid programs that look wrong. */
static void
test_good_texts(void **state)
{
    (void)state;
    /* an endless loop: its merge block is unreachable and may use any value */
    expect(
        FN("32 %1 = undef\nloop b1 merge b3 continue b2\nblock b1:\n 32 %2 = phi b0: %1, b2: %2\n"
           " jump b2\nblock b2:\n jump b1\nblock b3:\n 32 %3 = ineg %2\n return"),
        NULL, NULL, "");
    /* a continue region that breaks */
    expect(FN(COND "loop b1 merge b7 continue b2\nblock b1:\n jump b2\nblock b2:\n"
                   "if %1 then b3 else b4 merge b5\nblock b3:\n jump b7\nblock b4:\n jump b5\n"
                   "block b5:\n jump b1\nblock b7:\n return"),
           NULL, NULL, "");
    /* handles may be descriptors */
    expect(FN("32x4 %1 = undef\n32 %2 = undef\n32 %3 = @load_ubo (%1, %2) (align_mul=4)\nreturn"),
           NULL, NULL, "");
}

static void
test_users_programs(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (DIAG_TRY(&e.d)) {
        ir_verify(env_parse(&e, &ir_hir_level, FN("32 %1 = iadd %1, %1\nreturn")), NULL);
        fail();
    }
    assert_int_equal(e.d.error, ERR_IR_INVALID);
    assert_int_equal(e.d.class, DIAG_INVALID);
    assert_non_null(strstr(e.d.message, "'dominance'"));
    assert_non_null(strstr(e.d.message, "in b0: 32 %1 = iadd %1, %1"));
    env_close(&e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_bad_texts),
        cmocka_unit_test(test_good_texts),
        cmocka_unit_test(test_users_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
