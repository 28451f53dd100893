/* Value numbering of machine instructions on random programs with inserted copies of instructions:
 * the results do not change, every copy is removed, and no remaining instruction is dominated by an
 * equal one. */
#include "machine_env.h"

#include "cg/effects.h"
#include "cg/value_numbering.h"
#include "ir/analysis.h"
#include "ir/pass.h"
#include "ir/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static size_t
count_instrs(const ir_fn *f)
{
    size_t n = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            n++;
    }
    return n;
}

static bool
may_be_numbered(const ir_instr *i)
{
    ir_effects e;
    cg_find_effects(i, &e);
    return i->n_defs && cg_is_pure(&e) && !ir_has_flag(i, IR_OP_PHI);
}

/* Inserts a copy of `i` after it; half of the uses of its results use the copy's. */
static void
strew_copy(env *e, ir_fn *f, ir_instr *i, uint32_t *twin)
{
    ir_instr *copy = ir_clone_instr(f, i);
    for (unsigned d = 0; d < i->n_defs; d++) {
        uint32_t id = ir_new_value(f, f->values[i->defs[d].id].type);
        f->values[id].def = copy;
        copy->defs[d].id = id;
        if (!(i->defs[d].flags & IR_FIXED))
            twin[i->defs[d].id] = id;
    }
    if (ir_has_flag(i, IR_OP_COMMUTES) && env_random(e, 2)) {
        ir_ref first = copy->refs[0];
        copy->refs[0] = copy->refs[1];
        copy->refs[1] = first;
    }
    ir_insert_after(i, copy);
}

static void
strew_copies(env *e, ir_fn *f)
{
    size_t n = f->n_values;
    uint32_t *twin = ARENA_ARRAY(&e->a, n, uint32_t);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (may_be_numbered(i) && env_random(e, 3) == 0)
                strew_copy(e, f, i, twin);
        }
    }
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            for (unsigned r = 0; r < i->n_refs; r++) {
                uint32_t id = i->refs[r].id;
                if (ir_is_value(i->refs[r]) && id < n && twin[id] && env_random(e, 2))
                    i->refs[r].id = twin[id];
            }
    }
}

static bool
same_operands(const ir_instr *a, const ir_instr *b)
{
    bool same = a->op == b->op && a->form == b->form && a->n_refs == b->n_refs &&
                a->n_defs == b->n_defs && a->defs[0].rc == b->defs[0].rc &&
                memcmp(ir_words(a), ir_words(b), a->n_words * sizeof(uint32_t)) == 0;
    for (unsigned r = 0; same && r < a->n_refs; r++)
        same = ir_same_ref(a->refs[r], b->refs[r]) && a->refs[r].flags == b->refs[r].flags;
    return same;
}

static bool
has_fixed(const ir_instr *i)
{
    bool fixed = false;
    for (unsigned d = 0; d < i->n_defs; d++)
        fixed |= (i->defs[d].flags & IR_FIXED) != 0;
    return fixed;
}

/* No instruction has an equal one before it in its block or, if it does not depend on lanes, in a
 * dominating block that is in no deeper loop. */
static void
check_none_left(const ir_fn *f, uint64_t seed)
{
    ir_instr **all = test_malloc(count_instrs(f) * sizeof *all);
    size_t n = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (!may_be_numbered(i) || has_fixed(i))
                continue;
            ir_effects e;
            cg_find_effects(i, &e);
            bool lanes = e.lanes & IR_LANES_READ;
            for (size_t k = 0; k < n; k++) {
                const ir_block *above = all[k]->block;
                bool reaches = above == b ||
                               (!lanes && ir_dominates(above, b, 0) && above->loop_depth == 0);
                if (reaches && same_operands(all[k], i))
                    fail_msg("seed %u: %%%u is %%%u", (unsigned)seed, i->defs[0].id,
                             all[k]->defs[0].id);
            }
            all[n++] = i;
        }
    }
    test_free(all);
}

static void
run_one(env *e, const gen_options *o)
{
    model_machine *want = ARENA_NEW(&e->a, model_machine), *m = ARENA_NEW(&e->a, model_machine);
    ir_fn *f = gen_program(&e->ctx, o);
    model_run(want, f, false, &e->a);
    if (!want->ended)
        return; /* runs too long */
    ir_require(f, IR_HAS_DOMINANCE | IR_HAS_LOOPS);
    cg_number_values(f);
    ir_verify(f, "value_numbering");
    model_run(m, f, false, &e->a);
    check_same(m, want, o->seed, "value numbering");
    size_t n = count_instrs(f);
    strew_copies(e, f);
    ir_verify(f, "copies");
    model_run(m, f, false, &e->a);
    check_same(m, want, o->seed, "copies were strewn");
    cg_number_values(f);
    ir_verify(f, "value_numbering");
    model_run(m, f, false, &e->a);
    check_same(m, want, o->seed, "the second value numbering");
    assert_int_equal(count_instrs(f), n);
    check_none_left(f, o->seed);
    cg_number_values(f);
    assert_int_equal(count_instrs(f), n);
}

static void
test_random(void **state)
{
    (void)state;
    run_many(200, (gen_options){.statements = 60, .depth = 3, .alive = 6, .scalar = 60}, run_one,
             NULL);
    run_many(100, (gen_options){.statements = 150, .depth = 4, .alive = 4, .scalar = 20}, run_one,
             NULL);
    run_many(50, (gen_options){.statements = 400, .depth = 4, .alive = 12, .scalar = 80}, run_one,
             NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
