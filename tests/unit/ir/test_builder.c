/* The builder: constants, value numbering with scopes, vectors, edges. The pass runner: passes that
 * are skipped. */
#include "ir/builder.h"
#include "ir/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct world {
    diag d;
    arena a;
    ir_ctx ctx;
    ir_fn *f;
    ir_builder b;
    ir_block *entry;
    ir_ref x, y; /* unknown 32-bit numbers */
} world;

static void
start(world *w)
{
    diag_init(&w->d);
    arena_init(&w->a, &base_malloc_allocator, diag_out_of_memory, &w->d);
    w->ctx = (ir_ctx){.diag = &w->d, .arena = &w->a, .scratch = &w->a};
    w->f = ir_fn_new(&w->ctx, &ir_hir_level, "main");
    w->entry = ir_block_new(w->f);
    ir_append_block(w->f, w->entry);
    ir_builder_init(&w->b, w->f);
    ir_builder_at_end(&w->b, w->entry);
    w->x = ir_build_intr(&w->b, IR_load_local_invocation_index, IR_I32, NULL, 0);
    w->y = ir_build_intr(&w->b, IR_load_subgroup_invocation, IR_I32, NULL, 0);
}

#define START(w)                                                                                   \
    world w;                                                                                       \
    (void)state;                                                                                   \
    start(&w);                                                                                     \
    if (!DIAG_TRY(&w.d))                                                                           \
    fail_msg("%s", w.d.message)

static void
test_constants_are_made_once_in_the_first_block(void **state)
{
    START(w);
    ir_ref five = ir_build_imm(&w.b, 32, 5);
    assert_true(ir_same_ref(five, ir_build_imm(&w.b, 32, 5)));
    assert_false(ir_same_ref(five, ir_build_imm(&w.b, 16, 5)));
    ir_ref wide = ir_build_imm(&w.b, 64, UINT64_C(0x123456789abcdef0));
    uint64_t v = 0;
    assert_true(ir_is_const(w.f, wide, &v) && v == UINT64_C(0x123456789abcdef0));
    assert_true(ir_is_const(w.f, ir_build_fimm(&w.b, 16, 1.0), &v) && v == 0x3c00);
    assert_ptr_equal(w.entry->first, w.f->values[five.id].def);
    /* A second builder finds the same constants. */
    ir_builder again;
    ir_builder_init(&again, w.f);
    assert_true(ir_same_ref(five, ir_build_imm(&again, 32, 5)));
    /* A removed constant is made again, at the head of the block. */
    ir_instr *old = w.f->values[five.id].def;
    ir_unlink(old);
    w.f->values[five.id].def = NULL;
    ir_builder_init(&again, w.f);
    ir_ref other = ir_build_imm(&again, 32, 5);
    assert_false(ir_same_ref(five, other));
    assert_true(ir_is_const(w.f, other, &v) && v == 5);
    assert_int_equal(w.entry->first->op, IR_load_const);
    assert_ptr_equal(w.f->values[other.id].def->block, w.entry);
    assert_true(ir_same_ref(other, ir_build_imm(&again, 32, 5)));
    arena_free(&w.a);
}

static void
test_equal_operations_are_one_value(void **state)
{
    START(w);
    ir_ref a = irb_iadd(&w.b, w.x, w.y);
    assert_true(ir_same_ref(a, irb_iadd(&w.b, w.y, w.x)));
    assert_false(ir_same_ref(irb_isub(&w.b, w.x, w.y), irb_isub(&w.b, w.y, w.x)));
    ir_builder_open_scope(&w.b);
    ir_ref m = irb_imul(&w.b, w.x, w.y);
    assert_true(ir_same_ref(m, irb_imul(&w.b, w.x, w.y)));
    /* Enough to make the table grow inside the scope. */
    for (unsigned i = 0; i < 200; i++)
        irb_ishl(&w.b, w.x, ir_build_alu(&w.b, IR_u2u, IR_I32, w.y, ir_none(), ir_none())),
            irb_umul_high(&w.b, w.x, ir_build_imm(&w.b, 32, 1000 + i));
    ir_builder_close_scope(&w.b);
    assert_false(ir_same_ref(m, irb_imul(&w.b, w.x, w.y)));
    assert_true(ir_same_ref(a, irb_iadd(&w.b, w.x, w.y)));
    ir_builder_at_end(&w.b, w.entry);
    assert_false(ir_same_ref(a, irb_iadd(&w.b, w.x, w.y)));
    arena_free(&w.a);
}

static void
test_vectors_are_looked_through(void **state)
{
    START(w);
    ir_ref id = ir_build_intr(&w.b, IR_load_workgroup_id, IR_TYPE(32, 3), NULL, 0);
    ir_ref same[3] = {ir_comp(id, 0), ir_comp(id, 1), ir_comp(id, 2)};
    assert_true(ir_same_ref(ir_build_vec(&w.b, same, 3), id));
    ir_ref two[2] = {ir_comp(id, 1), w.x};
    ir_ref v = ir_build_vec(&w.b, two, 2);
    assert_int_equal(v.comp, IR_WHOLE);
    assert_true(ir_same_ref(irb_iadd(&w.b, ir_comp(v, 0), ir_comp(v, 1)),
                            irb_iadd(&w.b, ir_comp(id, 1), w.x)));
    assert_true(ir_same_ref(v, ir_build_vec(&w.b, two, 2)));
    arena_free(&w.a);
}

static void
test_terminators_make_edges(void **state)
{
    START(w);
    ir_block *then = ir_block_new(w.f), *merge = ir_block_new(w.f);
    ir_append_block(w.f, then);
    ir_append_block(w.f, merge);
    ir_build_if(&w.b, irb_ult(&w.b, w.x, w.y), then, merge, merge);
    ir_builder_continue_at(&w.b, then);
    ir_build_jump(&w.b, merge);
    ir_builder_continue_at(&w.b, merge);
    ir_instr *phi = ir_build_phi(&w.b, merge, IR_I32, 2);
    ir_build_return(&w.b);
    assert_ptr_equal(w.entry->merge, merge);
    assert_ptr_equal(w.entry->succs[0].at[0], then);
    assert_ptr_equal(w.entry->succs[0].at[1], merge);
    assert_int_equal(merge->preds[0].count, 2);
    assert_ptr_equal(merge->first, phi);
    assert_int_equal(ir_terminator(merge)->op, IR_return);
    arena_free(&w.a);
}

/* The number of runs, which the passes count in the shader's scratch size. */
static bool
tidy(ir_fn *f)
{
    f->shader.scratch_size++;
    return false;
}

static bool
change(ir_fn *f)
{
    (void)f;
    return true;
}

static void
test_passes_that_tidy_up_run_behind_changes(void **state)
{
    static const ir_pass tidies = {.name = "tidy", .run = tidy, .flags = IR_PASS_CLEANS};
    static const ir_pass changes = {.name = "change", .run = change};
    static const ir_pass removes = {.name = "remove", .run = change, .flags = IR_PASS_REMOVES};
    static const ir_step untouched[] = {{&tidies, .if_changed = true}, {NULL}};
    static const ir_step twice[] = {{&changes},
                                    {&tidies, .if_changed = true},
                                    {&removes},
                                    {&tidies, .if_changed = true},
                                    {NULL}};
    ir_pass_run run = {0}, stops = {.stop_after = "tidy"};
    START(w);
    w.f->changes = 0; /* as after the reader */
    ir_run_passes(w.f, untouched, &run);
    assert_int_equal(w.f->shader.scratch_size, 0);
    ir_run_passes(w.f, untouched, &stops);
    assert_true(stops.stopped);
    ir_run_passes(w.f, twice, &run);
    assert_int_equal(w.f->shader.scratch_size, 1);
    ir_run_passes(w.f, twice, &run);
    assert_int_equal(w.f->shader.scratch_size, 2);
    arena_free(&w.a);
}

static void
test_functions_know_what_was_made(void **state)
{
    START(w);
    assert_false(ir_made_op(w.f, IR_iadd));
    assert_true(ir_made_bits(w.f, 32));
    assert_false(ir_made_bits(w.f, 64) || ir_made_bits(w.f, 16));
    irb_iadd(&w.b, w.x, w.y);
    assert_true(ir_made_op(w.f, IR_iadd));
    ir_build_imm(&w.b, 64, 7);
    assert_true(ir_made_bits(w.f, 64));
    arena_free(&w.a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants_are_made_once_in_the_first_block),
        cmocka_unit_test(test_equal_operations_are_one_value),
        cmocka_unit_test(test_vectors_are_looked_through),
        cmocka_unit_test(test_terminators_make_edges),
        cmocka_unit_test(test_passes_that_tidy_up_run_behind_changes),
        cmocka_unit_test(test_functions_know_what_was_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
