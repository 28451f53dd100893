/* The SPIR-V reader: choice of the entry point, endianness, errors and their positions, reflection,
 * and malformed modules: a module that is too deep, too large or endless is rejected in a time
 * bounded by its size. */
#include "../ir/ir_env.h"

#include "ir/verify.h"
#include "spirv/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ---- a module being written ---- */

typedef struct module {
    ir_env env;
    base_buf words;
    uint32_t bound;
} module;

enum { VOID = 1, FN, UINT, FLOAT, BOOL, TRUE_, ZERO, ONE, TWO, MAIN, FIRST_FREE };

static void
put(module *m, uint32_t word)
{
    buf_put(&m->words, &word, sizeof word);
}

/* An instruction of `n` operand words. */
static void
op(module *m, unsigned opcode, unsigned n, ...)
{
    va_list args;
    va_start(args, n);
    put(m, opcode | (n + 1) << 16);
    for (unsigned k = 0; k < n; k++)
        put(m, va_arg(args, uint32_t));
    va_end(args);
}

static uint32_t
new_id(module *m)
{
    return m->bound++;
}

/* Writes a compute module from its capabilities to its constants; function MAIN is "main". */
static void
open_module(module *m)
{
    env_open(&m->env);
    m->words = buf_make(&m->env.a);
    m->bound = FIRST_FREE;
    put(m, SPIRV_MAGIC);
    put(m, 0x00010300);
    put(m, 0);
    put(m, 0); /* the bound */
    put(m, 0);
    op(m, SPIRV_OpCapability, 1, 1u);
    op(m, SPIRV_OpMemoryModel, 2, 0u, 1u);
    op(m, SPIRV_OpEntryPoint, 4, 5u, (uint32_t)MAIN, 0x6e69616du, 0u);
    op(m, SPIRV_OpExecutionMode, 5, (uint32_t)MAIN, (uint32_t)SPIRV_MODE_LOCAL_SIZE, 4u, 2u, 1u);
}

static void
put_types(module *m)
{
    op(m, SPIRV_OpTypeVoid, 1, (uint32_t)VOID);
    op(m, SPIRV_OpTypeFunction, 2, (uint32_t)FN, (uint32_t)VOID);
    op(m, SPIRV_OpTypeInt, 3, (uint32_t)UINT, 32u, 0u);
    op(m, SPIRV_OpTypeFloat, 2, (uint32_t)FLOAT, 32u);
    op(m, SPIRV_OpTypeBool, 1, (uint32_t)BOOL);
    op(m, SPIRV_OpConstantTrue, 2, (uint32_t)BOOL, (uint32_t)TRUE_);
    for (uint32_t k = 0; k < 3; k++)
        op(m, SPIRV_OpConstant, 3, (uint32_t)UINT, ZERO + k, k);
}

static void
begin_function(module *m, uint32_t id)
{
    op(m, SPIRV_OpFunction, 4, (uint32_t)VOID, id, 0u, (uint32_t)FN);
    op(m, SPIRV_OpLabel, 1, new_id(m));
}

static void
end_function(module *m)
{
    op(m, SPIRV_OpReturn, 0);
    op(m, SPIRV_OpFunctionEnd, 0);
}

static uint32_t *
finish(module *m)
{
    uint32_t *w = (uint32_t *)m->words.data;
    w[3] = m->bound;
    return w;
}

/* ---- reading it ---- */

static const spirv_options compute = {.stage = IR_STAGE_COMPUTE};

/* The function, or NULL after an error. */
static ir_fn *
read_with(module *m, const spirv_options *o, const uint32_t *words, size_t n)
{
    ir_env *e = &m->env;
    diag_init(&e->d);
    if (!DIAG_TRY(&e->d)) {
        assert_int_not_equal(e->d.class, DIAG_INTERNAL);
        return NULL;
    }
    ir_fn *f = spirv_read(&e->ctx, o, words, n);
    ir_verify(f, "spirv");
    return f;
}

static ir_fn *
read_module(module *m)
{
    const uint32_t *w = finish(m);
    return read_with(m, &compute, w, m->words.size / 4);
}

static void
assert_refused(module *m, diag_error error, const char *what)
{
    assert_null(read_module(m));
    assert_int_equal(m->env.d.error, error);
    if (!strstr(m->env.d.message, what))
        fail_msg("'%s' does not say '%s'", m->env.d.message, what);
    env_close(&m->env);
}

/* ---- what is read ---- */

/* A storage buffer at set 1, binding 3: struct { uint a; uint b[]; }; returns the variable. */
static uint32_t
put_buffer(module *m)
{
    uint32_t array = new_id(m), block = new_id(m), pointer = new_id(m), v = new_id(m);
    op(m, SPIRV_OpDecorate, 3, array, (uint32_t)SPIRV_DEC_ARRAY_STRIDE, 4u);
    op(m, SPIRV_OpDecorate, 2, block, (uint32_t)SPIRV_DEC_BLOCK);
    op(m, SPIRV_OpMemberDecorate, 4, block, 0u, (uint32_t)SPIRV_DEC_OFFSET, 0u);
    op(m, SPIRV_OpMemberDecorate, 4, block, 1u, (uint32_t)SPIRV_DEC_OFFSET, 4u);
    op(m, SPIRV_OpDecorate, 3, v, (uint32_t)SPIRV_DEC_DESCRIPTOR_SET, 1u);
    op(m, SPIRV_OpDecorate, 3, v, (uint32_t)SPIRV_DEC_BINDING, 3u);
    put_types(m);
    op(m, SPIRV_OpTypeRuntimeArray, 2, array, (uint32_t)UINT);
    op(m, SPIRV_OpTypeStruct, 3, block, (uint32_t)UINT, array);
    op(m, SPIRV_OpTypePointer, 3, pointer, (uint32_t)SPIRV_SC_STORAGE_BUFFER, block);
    op(m, SPIRV_OpVariable, 3, pointer, v, (uint32_t)SPIRV_SC_STORAGE_BUFFER);
    return v;
}

/* b[1] = a + 2 */
static void
write_small(module *m)
{
    open_module(m);
    uint32_t buffer = put_buffer(m), pointer = new_id(m);
    op(m, SPIRV_OpTypePointer, 3, pointer, (uint32_t)SPIRV_SC_STORAGE_BUFFER, (uint32_t)UINT);
    uint32_t p = new_id(m), x = new_id(m), sum = new_id(m), q = new_id(m);
    begin_function(m, MAIN);
    op(m, SPIRV_OpAccessChain, 4, pointer, p, buffer, (uint32_t)ZERO);
    op(m, SPIRV_OpLoad, 3, (uint32_t)UINT, x, p);
    op(m, SPIRV_OpIAdd, 4, (uint32_t)UINT, sum, x, (uint32_t)TWO);
    op(m, SPIRV_OpAccessChain, 5, pointer, q, buffer, (uint32_t)ONE, (uint32_t)ONE);
    op(m, SPIRV_OpStore, 2, q, sum);
    end_function(m);
}

static void
test_both_endiannesses_read_the_same(void **state)
{
    module m;
    (void)state;
    write_small(&m);
    ir_fn *f = read_module(&m);
    assert_non_null(f);
    char *text = env_print(&m.env, f, 0);
    assert_non_null(strstr(text, "iadd"));
    assert_non_null(strstr(text, "@store_ssbo"));
    assert_int_equal(f->shader.workgroup_size[0], 4);
    uint32_t *w = finish(&m);
    for (size_t k = 0; k < m.words.size / 4; k++)
        w[k] = w[k] >> 24 | (w[k] >> 8 & 0xff00) | (w[k] << 8 & 0xff0000) | w[k] << 24;
    ir_fn *g = read_with(&m, &compute, w, m.words.size / 4);
    assert_non_null(g);
    assert_string_equal(text, env_print(&m.env, g, 0));
    env_close(&m.env);
}

static void
test_entry_is_chosen_by_name_and_stage(void **state)
{
    module m;
    (void)state;
    write_small(&m);
    spirv_options o = {.entry = "main", .stage = IR_STAGE_COMPUTE};
    assert_non_null(read_with(&m, &o, finish(&m), m.words.size / 4));
    o.entry = "other";
    assert_null(read_with(&m, &o, finish(&m), m.words.size / 4));
    assert_int_equal(m.env.d.error, ERR_SPIRV_INVALID);
    assert_non_null(strstr(m.env.d.message, "no entry point 'other' of stage compute"));
    o = (spirv_options){.stage = IR_STAGE_FRAGMENT};
    assert_null(read_with(&m, &o, finish(&m), m.words.size / 4));
    assert_int_equal(m.env.d.class, DIAG_UNSUPPORTED);
    env_close(&m.env);
}

static void
test_reflection_lists_what_is_declared(void **state)
{
    module m;
    (void)state;
    write_small(&m);
    if (!DIAG_TRY(&m.env.d))
        fail_msg("%s", m.env.d.message);
    const spirv_info *i = spirv_reflect(&m.env.ctx, &compute, finish(&m), m.words.size / 4);
    assert_int_equal(i->version, 0x00010300);
    assert_int_equal(i->n_entries, 1);
    assert_string_equal(i->entries[0].name, "main");
    assert_string_equal(i->entries[0].stage_name, "compute");
    assert_int_equal(i->entries[0].local_size[1], 2);
    assert_int_equal(i->n_bindings, 1);
    assert_int_equal(i->bindings[0].set, 1);
    assert_int_equal(i->bindings[0].binding, 3);
    assert_int_equal(i->bindings[0].type, IR_DESC_ssbo);
    assert_int_equal(i->bindings[0].count, 1);
    assert_int_equal(i->bindings[0].size, 4);
    assert_true(i->bindings[0].used);
    /* Reading gives the same information, and spirv_find_entry finds the entry point. */
    spirv_info read = {0};
    assert_non_null(
        spirv_read_with_info(&m.env.ctx, &compute, finish(&m), m.words.size / 4, &read));
    assert_int_equal(read.n_bindings, 1);
    assert_int_equal(read.bindings[0].binding, 3);
    const ir_stage fragment = IR_STAGE_FRAGMENT, stage = IR_STAGE_COMPUTE;
    const uint32_t *words = finish(&m);
    size_t n = m.words.size / 4;
    spirv_entry e;
    assert_true(spirv_find_entry(words, n, NULL, NULL, &e) && e.stage == IR_STAGE_COMPUTE);
    assert_true(spirv_find_entry(words, n, "main", &stage, &e));
    assert_string_equal(e.name, "main");
    assert_false(spirv_find_entry(words, n, "other", NULL, &e));
    assert_false(spirv_find_entry(words, n, NULL, &fragment, &e));
    assert_false(spirv_find_entry(words, 6, NULL, NULL, &e));
    env_close(&m.env);
}

static void
test_errors_name_the_word_and_the_instruction(void **state)
{
    module m;
    (void)state;
    open_module(&m);
    put_types(&m);
    begin_function(&m, MAIN);
    uint32_t at = (uint32_t)(m.words.size / 4);
    op(&m, SPIRV_OpIAdd, 4, (uint32_t)UINT, new_id(&m), (uint32_t)ONE, (uint32_t)TRUE_);
    end_function(&m);
    assert_null(read_module(&m));
    assert_int_equal(m.env.d.error, ERR_SPIRV_INVALID);
    assert_true(m.env.d.loc.has_offset);
    assert_int_equal(m.env.d.loc.offset, at);
    assert_string_equal(m.env.d.loc.what, "OpIAdd");
    env_close(&m.env);
}

/* ---- hostile modules ---- */

static void
test_bound_is_limited(void **state)
{
    module m;
    (void)state;
    open_module(&m);
    m.bound = UINT32_MAX;
    assert_refused(&m, ERR_SPIRV_LIMIT, "id bound");
    write_small(&m);
    m.bound = SPIRV_MAX_BOUND;
    assert_non_null(read_module(&m));
    env_close(&m.env);
}

static void
test_types_do_not_contain_themselves(void **state)
{
    module m;
    (void)state;
    open_module(&m);
    put_types(&m);
    uint32_t s = new_id(&m);
    op(&m, SPIRV_OpTypeStruct, 3, s, (uint32_t)UINT, s);
    assert_refused(&m, ERR_SPIRV_INVALID, "is not a type");
}

/* Each structure has two of the previous one: 2^60 members, and 2^60 empty ones. */
static void
test_doubling_types_are_bounded(void **state)
{
    (void)state;
    for (unsigned empty = 0; empty < 2; empty++) {
        module m;
        open_module(&m);
        put_types(&m);
        uint32_t t = new_id(&m), p = new_id(&m), v = new_id(&m), x = new_id(&m);
        op(&m, SPIRV_OpTypeStruct, 2 - empty, t, (uint32_t)UINT);
        for (unsigned k = 0; k < 60; k++) {
            uint32_t next = new_id(&m);
            op(&m, SPIRV_OpTypeStruct, 3, next, t, t);
            t = next;
        }
        op(&m, SPIRV_OpTypePointer, 3, p, (uint32_t)SPIRV_SC_WORKGROUP, t);
        op(&m, SPIRV_OpVariable, 3, p, v, (uint32_t)SPIRV_SC_WORKGROUP);
        begin_function(&m, MAIN);
        op(&m, SPIRV_OpLoad, 3, t, x, v);
        end_function(&m);
        assert_refused(&m, ERR_SPIRV_LIMIT, empty ? "work" : "");
    }
}

/* Function k calls function k + 1 twice: 2^40 calls. */
static void
test_doubling_calls_are_bounded(void **state)
{
    module m;
    (void)state;
    open_module(&m);
    put_types(&m);
    uint32_t f = MAIN;
    for (unsigned k = 0; k < 40; k++) {
        uint32_t next = new_id(&m);
        begin_function(&m, f);
        op(&m, SPIRV_OpFunctionCall, 3, (uint32_t)VOID, new_id(&m), next);
        op(&m, SPIRV_OpFunctionCall, 3, (uint32_t)VOID, new_id(&m), next);
        end_function(&m);
        f = next;
    }
    begin_function(&m, f);
    end_function(&m);
    assert_refused(&m, ERR_SPIRV_LIMIT, "work");
}

static void
test_recursion_is_refused(void **state)
{
    module m;
    (void)state;
    open_module(&m);
    put_types(&m);
    begin_function(&m, MAIN);
    op(&m, SPIRV_OpFunctionCall, 3, (uint32_t)VOID, new_id(&m), (uint32_t)MAIN);
    end_function(&m);
    assert_refused(&m, ERR_SPIRV_INVALID, "recursion");
}

/* A condition that does not fold, in a buffer's first word. */
static uint32_t
open_conditional(module *m)
{
    open_module(m);
    uint32_t buffer = put_buffer(m), pointer = new_id(m), p = new_id(m), x = new_id(m);
    uint32_t cond = new_id(m);
    op(m, SPIRV_OpTypePointer, 3, pointer, (uint32_t)SPIRV_SC_STORAGE_BUFFER, (uint32_t)UINT);
    begin_function(m, MAIN);
    op(m, SPIRV_OpAccessChain, 4, pointer, p, buffer, (uint32_t)ZERO);
    op(m, SPIRV_OpLoad, 3, (uint32_t)UINT, x, p);
    op(m, SPIRV_OpIEqual, 4, (uint32_t)BOOL, cond, x, (uint32_t)TWO);
    return cond;
}

static void
test_deep_nesting_is_limited(void **state)
{
    enum { DEEP = 5000 };
    module m;
    (void)state;
    uint32_t cond = open_conditional(&m), merges[DEEP];
    for (unsigned k = 0; k < DEEP; k++) {
        uint32_t inner = new_id(&m);
        merges[k] = new_id(&m);
        op(&m, SPIRV_OpSelectionMerge, 2, merges[k], 0u);
        op(&m, SPIRV_OpBranchConditional, 3, cond, inner, merges[k]);
        op(&m, SPIRV_OpLabel, 1, inner);
    }
    for (unsigned k = DEEP; k-- > 0;) {
        op(&m, SPIRV_OpBranch, 1, merges[k]);
        op(&m, SPIRV_OpLabel, 1, merges[k]);
    }
    end_function(&m);
    assert_refused(&m, ERR_SPIRV_LIMIT, "nests deeper");
}

static void
test_long_functions_are_no_deeper(void **state)
{
    enum { LONG = 20000 };
    module m;
    (void)state;
    uint32_t cond = open_conditional(&m);
    for (unsigned k = 0; k < LONG; k++) {
        uint32_t arm = new_id(&m), merge = new_id(&m);
        op(&m, SPIRV_OpSelectionMerge, 2, merge, 0u);
        op(&m, SPIRV_OpBranchConditional, 3, cond, arm, merge);
        op(&m, SPIRV_OpLabel, 1, arm);
        op(&m, SPIRV_OpBranch, 1, merge);
        op(&m, SPIRV_OpLabel, 1, merge);
    }
    end_function(&m);
    assert_non_null(read_module(&m));
    env_close(&m.env);
}

/* A return in each of many arms does not nest either. */
static void
test_many_returns_are_no_deeper(void **state)
{
    enum { MANY = 3000 };
    module m;
    (void)state;
    uint32_t cond = open_conditional(&m);
    for (unsigned k = 0; k < MANY; k++) {
        uint32_t arm = new_id(&m), merge = new_id(&m);
        op(&m, SPIRV_OpSelectionMerge, 2, merge, 0u);
        op(&m, SPIRV_OpBranchConditional, 3, cond, arm, merge);
        op(&m, SPIRV_OpLabel, 1, arm);
        op(&m, SPIRV_OpReturn, 0);
        op(&m, SPIRV_OpLabel, 1, merge);
    }
    end_function(&m);
    assert_non_null(read_module(&m));
    env_close(&m.env);
}

static void
test_every_beginning_is_refused(void **state)
{
    module m;
    (void)state;
    write_small(&m);
    const uint32_t *w = finish(&m);
    size_t n = m.words.size / 4;
    for (size_t k = 0; k < n; k++) {
        assert_null(read_with(&m, &compute, w, k));
        assert_int_equal(m.env.d.error, ERR_SPIRV_INVALID);
    }
    env_close(&m.env);
}

/* Any word replaced by any other word of the module, and by numbers of interest. */
static void
test_changed_words_are_read_or_refused(void **state)
{
    static const uint32_t interesting[] = {0, 1, 5, 0xffff, 0x10000, 0x7fffffff, 0xffffffff};
    enum { N_INTERESTING = sizeof interesting / sizeof *interesting };
    (void)state;
    module m;
    write_small(&m);
    size_t n = m.words.size / 4, read = 0;
    uint32_t *w = arena_copy(&m.env.a, finish(&m), m.words.size);
    for (size_t at = 1; at < n; at++) {
        for (size_t k = 0; k < 40 + N_INTERESTING; k++) {
            module c;
            env_open(&c.env);
            uint32_t *copy = arena_copy(&c.env.a, w, n * 4);
            copy[at] = k < 40 ? w[5 + (at * 7 + k * 3) % (n - 5)] : interesting[k - 40];
            read += read_with(&c, &compute, copy, n) != NULL;
            env_close(&c.env);
        }
    }
    assert_true(read > n);
    env_close(&m.env);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_endiannesses_read_the_same),
        cmocka_unit_test(test_entry_is_chosen_by_name_and_stage),
        cmocka_unit_test(test_reflection_lists_what_is_declared),
        cmocka_unit_test(test_errors_name_the_word_and_the_instruction),
        cmocka_unit_test(test_bound_is_limited),
        cmocka_unit_test(test_types_do_not_contain_themselves),
        cmocka_unit_test(test_doubling_types_are_bounded),
        cmocka_unit_test(test_doubling_calls_are_bounded),
        cmocka_unit_test(test_recursion_is_refused),
        cmocka_unit_test(test_deep_nesting_is_limited),
        cmocka_unit_test(test_long_functions_are_no_deeper),
        cmocka_unit_test(test_many_returns_are_no_deeper),
        cmocka_unit_test(test_every_beginning_is_refused),
        cmocka_unit_test(test_changed_words_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
