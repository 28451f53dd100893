/* The text form: round trips for both kinds of levels, and texts that must fail with a given error
 * at a given place. */
#include "ir/hir.h"
#include "ir/machine.h"
#include "ir_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- a machine level for this test: classes s1 s2 v1, registers by dword ---- */

static void
toy_type_name(ir_type t, char out[16])
{
    snprintf(out, 16, "%c%u", t & 32 ? 'v' : 's', t & 31u);
}

static bool
toy_parse_type(const char *text, size_t len, ir_type *out)
{
    if (len != 2 || (text[0] != 's' && text[0] != 'v') || text[1] < '1' || text[1] > '9')
        return false;
    *out = (ir_type)((text[0] == 'v' ? 32 : 0) | (text[1] - '0'));
    return true;
}

static void
toy_reg_name(unsigned reg, ir_type t, char out[16])
{
    unsigned n = t & 31u, r = reg / 4;
    if (r == 126 && n == 2)
        snprintf(out, 16, "exec");
    else if (n > 1)
        snprintf(out, 16, "%c[%u-%u]", t & 32 ? 'v' : 's', r, r + n - 1);
    else
        snprintf(out, 16, "%c[%u]", t & 32 ? 'v' : 's', r);
}

static bool
toy_parse_reg(const char *text, size_t len, unsigned *out, ir_type *type)
{
    char copy[16] = {0}, *end;
    memcpy(copy, text, len < 15 ? len : 15);
    if (strcmp(copy, "exec") == 0) {
        *out = 126 * 4;
        *type = 2;
        return true;
    }
    unsigned long first = strtoul(copy + 2, &end, 10), last = first;
    if ((copy[0] != 's' && copy[0] != 'v') || copy[1] != '[' || end == copy + 2)
        return false;
    if (*end == '-')
        last = strtoul(end + 1, &end, 10);
    *out = (unsigned)first * 4;
    *type = (ir_type)((copy[0] == 'v' ? 32 : 0) | (last - first + 1));
    return *end == ']' && end[1] == 0;
}

enum { TOY_PHI, TOY_ADD, TOY_LOAD, TOY_BRANCH, TOY_CBRANCH, TOY_END, TOY_SPLIT, TOY_COUNT };
static const char *const toy_storage[] = {"buffer", "shared", NULL};
static const ir_attr_info toy_load_attrs[] = {
    {"offset", 0, 0, 16, IR_ATTR_UINT, true, NULL},
    {"glc", 0, 16, 1, IR_ATTR_BOOL, true, NULL},
    {"delta", 0, 17, 8, IR_ATTR_INT, true, NULL},
    {"storage", 1, 0, 8, IR_ATTR_FLAGS, false, toy_storage},
    {"dmask", 1, 8, 4, IR_ATTR_MASK, true, NULL},
};
static const ir_op_info toy_ops[TOY_COUNT] = {
    [TOY_PHI] = {"p_phi", 1, IR_ANY, 0, 0, IR_OP_PHI, NULL, NULL},
    [TOY_ADD] = {"s_add_u32", 2, 2, 0, 0, 0, NULL, NULL},
    [TOY_LOAD] = {"load", 1, 2, 2, 5, 0, toy_load_attrs, NULL},
    [TOY_BRANCH] = {"p_branch", 0, 0, 0, 0, IR_OP_TERMINATOR, NULL, NULL},
    [TOY_CBRANCH] = {"p_cbranch_z", 0, 1, 0, 0, IR_OP_TERMINATOR, NULL, NULL},
    [TOY_END] = {"s_endpgm", 0, 0, 0, 0, IR_OP_TERMINATOR, NULL, NULL},
    [TOY_SPLIT] = {"p_split_vector", IR_ANY, 1, 0, 0, 0, NULL, NULL},
};
static const ir_attr_info toy_form[] = {
    {.name = "fmt", .bits = 8, .kind = IR_ATTR_UINT},
    {.name = NULL},
};
static const ir_machine toy_machine = {0};
static const ir_level toy_level = {
    .name = "toy",
    .ops = toy_ops,
    .n_ops = TOY_COUNT,
    .machine = &toy_machine,
    .type_name = toy_type_name,
    .reg_name = toy_reg_name,
    .parse_type = toy_parse_type,
    .parse_reg = toy_parse_reg,
    .const_type = 1,
    .form = toy_form,
};

/* ---- round trips ---- */

static const char hir_text[] =
    "shader: compute\n"
    "workgroup_size: 8, 4, 1\n"
    "shared_size: 256\n"
    "uses_subgroups: true\n"
    "denorm_flush: f16|f32\n"
    "constant_data: 000102ff\n"
    "impl \"main\\x22x\" {\n"
    "    block b0: // preds:\n"
    "    32 %1 = load_const (0x3f800000 = 1.000000 = 1065353216)\n"
    "    32x3 %2 = load_const (0x00000000, 0xffffffff, 0x7f800000) = (0.000000, nan, inf) = (0, "
    "-1, "
    "2139095040)\n"
    "    1 %3 = load_const (true)\n"
    "    64 %4 = load_const (0xc000000000000000 = -2.000000 = -4611686018427387904)\n"
    "    16 %5 = load_const (0x3c00 = 1.000000 = 15360)\n"
    "    8 %6 = load_const (0x80 = -128)\n"
    "    32x3 %7 = @load_workgroup_id\n"
    "    32 %8 = @vulkan_resource_index (%1) (desc_set=1, binding=2, desc_type=ssbo)\n"
    "    32x4 %9 = @load_ssbo (%8, %7.y) (access=coherent|readonly, align_mul=16, align_offset=0)\n"
    "    32x8 %10 = undef\n"
    "    32 %11 = fadd %9.w, %10.h\n"
    "    @store_ssbo (%9, %8, %7.z) (wrmask=xyz, access=none, align_mul=4, align_offset=0)\n"
    "    @store_ssbo (%10, %8, %7.z) (wrmask=abh, access=none, align_mul=4, align_offset=0)\n"
    "    64 %12 = @shader_clock (memory_scope=subgroup)\n"
    "    32x4 %13 = @tex (%8, _, %2, %1, _, _, _, _, _, _) (op=txl, image_dim=2D, type=float, "
    "access=none)\n"
    "    loop b1 merge b7 continue b6\n"
    "        block b1: // preds: b0 b6\n"
    "        32 %14 = phi b0: %1, b6: %15\n"
    "        if %3 then b2 else b3 merge b4\n"
    "            block b2: // preds: b1\n"
    "            jump b7\n"
    "            block b3: // preds: b1\n"
    "            jump b4\n"
    "        block b4: // preds: b3\n"
    "        jump b6\n"
    "        block b6: // preds: b4\n"
    "        32 %15 = iadd %14, %1\n"
    "        jump b1\n"
    "    block b7: // preds: b2\n"
    "    return\n"
    "}\n";

static const char toy_text[] =
    "shader: compute\n"
    "workgroup_size: 64, 1, 1\n"
    "impl \"main\" {\n"
    "BB0\n"
    "/* logical preds: / linear preds: / kind: uniform, top-level */\n"
    "    s2: %1:s[4-5] = load %0:exec, 0x1234567 offset:16 glc delta:-3 storage:buffer|shared\n"
    "    s1: %2,  s1: %3:s[0] = s_add_u32 s1: undef, -1 fmt:5\n"
    "    v1: %4 = load (latekill)(kill)%2, s2: 5l storage:none dmask:xz\n"
    "    p_cbranch_z %3:s[0], BB2, BB1\n"
    "/* logical succs: BB1, BB2, / linear succs: BB2, BB1, */\n"
    "BB1\n"
    "/* logical preds: BB0, / linear preds: BB0, / kind: branch */\n"
    "    p_branch BB2\n"
    "/* logical succs: BB2, / linear succs: BB2, */\n"
    "BB2\n"
    "/* logical preds: BB1, BB0, / linear preds: BB0, BB1, / kind: merge, 0x80000000 / merge: BB1 "
    "*/\n"
    "    v1: %5 = p_phi %4, v1: %0:v[3]\n"
    "    s1: %6:{a}s[1],  s1: (kill)%7:{}s[1],  s1: %8:{fa}s[2] = p_split_vector %1\n"
    "    s_endpgm\n"
    "/* logical succs: / linear succs: */\n"
    "}\n";

static void
check_round_trip(const ir_level *level, const char *text, unsigned flags)
{
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%u:%u: %s", e.d.loc.line, e.d.loc.column, e.d.message);
    char *once = env_print(&e, env_parse(&e, level, text), flags);
    char *twice = env_print(&e, env_parse(&e, level, once), flags);
    assert_string_equal(once, twice);
    /* Printing renames blocks by position, and omits classes that the registers imply. */
    if (level->machine) {
        char *at = strstr(once, "v1: %0:v[3]");
        assert_null(at);
        assert_non_null(strstr(once, "%0:v[3]"));
    }
    env_close(&e);
}

static void
test_hir_round_trip(void **state)
{
    (void)state;
    check_round_trip(&ir_hir_level, hir_text, 0);
}

static void
test_hir_prints_as_read(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%u:%u: %s", e.d.loc.line, e.d.loc.column, e.d.message);
    char *out = env_print(&e, env_parse(&e, &ir_hir_level, hir_text), 0);
    /* The text skips b5. */
    char want[sizeof hir_text];
    memcpy(want, hir_text, sizeof want);
    for (char *at = want; (at = strpbrk(at, "b")); at++) {
        if ((at[1] == '6' || at[1] == '7') && at[-1] == ' ')
            at[1]--;
    }
    assert_string_equal(out, want);
    env_close(&e);
}

static void
test_machine_round_trip(void **state)
{
    (void)state;
    check_round_trip(&toy_level, toy_text, IR_PRINT_KILLS);
}

static void
test_machine_prints_as_read(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%u:%u: %s", e.d.loc.line, e.d.loc.column, e.d.message);
    char *out = env_print(&e, env_parse(&e, &toy_level, toy_text), IR_PRINT_KILLS);
    char want[sizeof toy_text];
    memcpy(want, toy_text, sizeof want);
    char *implied = strstr(want, "v1: %0:v[3]");
    memmove(implied, implied + 4, strlen(implied + 4) + 1);
    assert_string_equal(out, want);
    env_close(&e);
}

/* The same text of a register is a requirement before and an assignment after register allocation.
 */
static void
test_allocated_functions_assign(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    ir_fn *f = env_parse(&e, &toy_level,
                         "allocated: true\nimpl \"m\" {\nBB0\ns1: %1:s[3] = p_phi\ns_endpgm\n}");
    assert_int_equal(f->blocks[0]->first->defs[0].flags, IR_ASSIGNED);
    assert_int_equal(f->blocks[0]->first->defs[0].reg, 12);
    f = env_parse(&e, &toy_level, "impl \"m\" {\nBB0\ns1: %1:s[3] = p_phi\ns_endpgm\n}");
    assert_int_equal(f->blocks[0]->first->defs[0].flags, IR_FIXED);
    env_close(&e);
}

static void
test_divergence_is_read(void **state)
{
    (void)state;
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    ir_fn *f = env_parse(
        &e, &ir_hir_level,
        "impl \"m\" {\nblock b0:\ndiv 32 %1 = undef\ncon 32 %2 = undef\nreturn\n}");
    char *out = env_print(&e, f, IR_PRINT_DIVERGENCE);
    assert_non_null(strstr(out, "    div 32 %1 = undef\n    con 32 %2 = undef\n"));
    env_close(&e);
}

/* ---- texts that must fail ---- */

typedef struct bad_text {
    diag_error error;
    unsigned line, column;
    const char *text;
} bad_text;

#define HEAD "impl \"m\" {\nblock b0:\n"
static const bad_text bad_texts[] = {
    {ERR_IR_SYNTAX, 1, 1, ""},
    {ERR_IR_SYNTAX, 1, 6, "impl main {}"},
    {ERR_IR_SYNTAX, 1, 6, "impl \"main"},
    {ERR_IR_SYNTAX, 1, 6, "impl \"\\x00\" {}"},
    {ERR_IR_SYNTAX, 1, 10, "impl \"m\" "},
    {ERR_IR_SYNTAX, 3, 1, HEAD},
    {ERR_IR_SYNTAX, 3, 3, HEAD "} impl"},
    {ERR_IR_BAD_FIELD, 1, 1, "color: 3\nimpl \"m\" {}"},
    {ERR_IR_BAD_FIELD, 1, 9, "shader: geometry\nimpl \"m\" {}"},
    {ERR_IR_SYNTAX, 1, 14, "shared_size: 4294967296\nimpl \"m\" {}"},
    {ERR_IR_SYNTAX, 1, 16, "constant_data: 0g\nimpl \"m\" {}"},
    {ERR_IR_SYNTAX, 1, 16, "constant_data: 000\nimpl \"m\" {}"},
    {ERR_IR_NO_BLOCK, 2, 1, "impl \"m\" {\nreturn\n}"},
    {ERR_IR_BAD_TYPE, 3, 1, HEAD "33 %1 = undef\nreturn }"},
    {ERR_IR_BAD_OPCODE, 3, 9, HEAD "32 %1 = fadddd %2\n}"},
    {ERR_IR_SYNTAX, 3, 10, HEAD "32 %1 = @undef\n}"},
    {ERR_IR_SYNTAX, 3, 9, HEAD "64 %1 = shader_clock\n}"},
    {ERR_IR_BAD_COUNT, 3, 9, HEAD "32 %1 = fadd %1\nreturn }"},
    {ERR_IR_BAD_COUNT, 3, 1, HEAD "undef\nreturn }"},
    {ERR_IR_UNDEFINED_VALUE, 3, 1, HEAD "32 %1 = fadd %1, %2\nreturn }"},
    {ERR_IR_REDEFINED_VALUE, 4, 9, HEAD "32 %1 = undef\n32 %1 = undef\nreturn }"},
    {ERR_IR_BAD_COMPONENT, 4, 1, HEAD "32x2 %1 = undef\n32 %2 = fneg %1.z\nreturn }"},
    {ERR_IR_SYNTAX, 3, 15, HEAD "32 %2 = fneg %1.q\nreturn }"},
    {ERR_IR_SYNTAX, 3, 5, HEAD "32 %0 = undef\nreturn }"},
    {ERR_IR_TOO_LARGE, 3, 5, HEAD "32 %99999999 = undef\nreturn }"},
    {ERR_IR_SYNTAX, 3, 20, HEAD "8 %1 = load_const (0x100)\nreturn }"},
    {ERR_IR_SYNTAX, 3, 24, HEAD "32x2 %1 = load_const (1)\nreturn }"},
    {ERR_IR_BAD_ATTR, 3, 24, HEAD "64 %1 = @shader_clock (scope=subgroup)\nreturn }"},
    {ERR_IR_BAD_ATTR_VALUE, 3, 37, HEAD "64 %1 = @shader_clock (memory_scope=wave)\nreturn }"},
    {ERR_IR_BAD_BLOCK, 3, 6, HEAD "jump c3\n}"},
    {ERR_IR_UNDEFINED_BLOCK, 3, 6, HEAD "jump b3\n}"},
    {ERR_IR_REDEFINED_BLOCK, 4, 7, HEAD "return\nblock b0:\n}"},
    {ERR_IR_BEHIND_END, 4, 1, HEAD "return\nreturn }"},
    {ERR_IR_BAD_EDGES, 3, 6, HEAD "jump b1\nblock b1: // preds: b1\nreturn }"},
    {ERR_IR_BAD_PHI, 6, 1, HEAD "32 %1 = undef\njump b1\nblock b1:\n32 %2 = phi b1: %1\nreturn }"},
    {ERR_IR_BAD_PHI, 6, 1,
     HEAD "32 %1 = undef\njump b1\nblock b1:\n32 %2 = phi b0: %1, b0: %1\nreturn }"},
};

static const bad_text bad_toy_texts[] = {
    {ERR_IR_BAD_TYPE, 3, 1, "impl \"m\" {\nBB0\nx1: %1 = p_phi\n}"},
    {ERR_IR_BAD_REGISTER, 3, 8, "impl \"m\" {\nBB0\ns1: %1:q[3] = p_phi\n}"},
    {ERR_IR_SYNTAX, 3, 8, "impl \"m\" {\nBB0\np_phi (dead)%1\n}"},
    {ERR_IR_BAD_ATTR, 3, 16, "impl \"m\" {\nBB0\ns1: %1 = p_phi glc\n}"},
    {ERR_IR_SYNTAX, 4, 1, "impl \"m\" {\nBB0\ns1: %1 = load 0, 0 offset\n}"},
    {ERR_IR_BAD_EDGES, 3, 1, "impl \"m\" {\nBB0\nBB1\n/* logical preds: BB0, BB0, */\n}"},
};

static void
check_bad(const ir_level *level, const bad_text *t)
{
    ir_env e;
    env_open(&e);
    if (DIAG_TRY(&e.d)) {
        env_parse(&e, level, t->text);
        fail_msg("parsed: %s", t->text);
    }
    if (e.d.error != t->error || e.d.loc.line != t->line || e.d.loc.column != t->column)
        fail_msg("%s\n%u:%u: %s", t->text, e.d.loc.line, e.d.loc.column, e.d.message);
    env_close(&e);
}

static void
test_bad_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; i++)
        check_bad(&ir_hir_level, &bad_texts[i]);
    for (size_t i = 0; i < sizeof bad_toy_texts / sizeof *bad_toy_texts; i++)
        check_bad(&toy_level, &bad_toy_texts[i]);
}

static void
check_prefix(const ir_level *level, const char *text, size_t n)
{
    ir_env e;
    env_open(&e);
    char *exact = arena_copy(&e.a, text, n);
    if (DIAG_TRY(&e.d)) {
        ir_parse(&e.ctx, level, exact, n);
        assert_int_equal(n, strlen(text) - 1);
    }
    env_close(&e);
}

/* Every prefix of a good text ends in an error or in a function, never in a fault. */
static void
test_prefixes(void **state)
{
    (void)state;
    for (size_t n = 0; n < strlen(hir_text); n++)
        check_prefix(&ir_hir_level, hir_text, n);
    for (size_t n = 0; n < strlen(toy_text); n++)
        check_prefix(&toy_level, toy_text, n);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hir_round_trip),
        cmocka_unit_test(test_hir_prints_as_read),
        cmocka_unit_test(test_machine_round_trip),
        cmocka_unit_test(test_machine_prints_as_read),
        cmocka_unit_test(test_allocated_functions_assign),
        cmocka_unit_test(test_divergence_is_read),
        cmocka_unit_test(test_bad_texts),
        cmocka_unit_test(test_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
