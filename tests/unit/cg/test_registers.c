/* Register allocation on random programs: the allocation passes its validator, and the program
 * computes the same on registers as on values, also after ssa_elimination and lower_to_hw_instr. */
#include "machine_gen.h"
#include "machine_model.h"

#include "cg/live.h"
#include "cg/register_allocation.h"
#include "cg/ssa_elimination.h"
#include "ir/text.h"
#include "ir/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct env {
    diag d;
    arena a, scratch;
    ir_ctx ctx;
} env;

static void
open_env(env *e)
{
    diag_init(&e->d);
    arena_init(&e->a, &base_malloc_allocator, diag_out_of_memory, &e->d);
    arena_init(&e->scratch, &base_malloc_allocator, diag_out_of_memory, &e->d);
    e->ctx = (ir_ctx){.diag = &e->d, .arena = &e->a, .scratch = &e->scratch};
}

static void
close_env(env *e)
{
    arena_free(&e->a);
    arena_free(&e->scratch);
}

static void
check_same(const model_machine *m, const model_machine *want, uint64_t seed, const char *after)
{
    bool same = m->n_trace == want->n_trace && m->ended == want->ended &&
                memcmp(m->trace, want->trace, want->n_trace * sizeof *m->trace) == 0;
    if (!same)
        fail_msg("seed %u: another result after %s", (unsigned)seed, after);
}

typedef struct limits {
    unsigned sgprs, vgprs;
    bool spill;
} limits;

/* The slots of all programs, in registers: the tests check that there were spills. */
typedef struct totals {
    unsigned sgprs, vgprs;
} totals;

static void
run_one(env *e, const gen_options *o, limits l, totals *t)
{
    model_machine *want = ARENA_NEW(&e->a, model_machine), *m = ARENA_NEW(&e->a, model_machine);
    ir_fn *f = gen_program(&e->ctx, o);
    model_run(want, f, false, &e->a);
    if (!want->ended)
        return; /* runs too long */
    amd_program *p = amd_prog(f);
    cg_find_live(f);
    if (l.sgprs && !l.spill) { /* as few registers as possible */
        p->debug_sgprs = (uint16_t)((p->cg.max_demand.units[AMD_BANK_SGPR] + 3) & ~3);
        p->debug_vgprs = (uint16_t)p->cg.max_demand.units[AMD_BANK_VGPR];
        cg_find_live(f);
    }
    if (l.spill) {
        p->debug_sgprs = (uint16_t)l.sgprs;
        p->debug_vgprs = (uint16_t)l.vgprs;
        cg_find_live(f);
        amd_spill(f);
        t->sgprs += p->spilled_sgprs;
        t->vgprs += p->spilled_vgprs;
        model_run(m, f, false, &e->a);
        check_same(m, want, o->seed, "spill");
        ir_verify(f, "spill");
    }
    amd_register_allocation(f);
    cg_validate_registers(f);
    model_run(m, f, true, &e->a);
    check_same(m, want, o->seed, "register_allocation");
    cg_ssa_elimination(f);
    model_run(m, f, true, &e->a);
    check_same(m, want, o->seed, "ssa_elimination");
    amd_lower_to_hw_instr(f);
    model_run(m, f, true, &e->a);
    check_same(m, want, o->seed, "lower_to_hw_instr");
}

static void
run_seed(const gen_options *o, limits l, totals *t)
{
    env e;
    open_env(&e);
    if (DIAG_TRY(&e.d))
        run_one(&e, o, l, t);
    else
        fail_msg("seed %u: %s", (unsigned)o->seed, e.d.message);
    close_env(&e);
}

static totals
run_many(unsigned count, gen_options o, limits l)
{
    totals t = {0};
    for (unsigned k = 0; k < count; k++) {
        o.seed = 1000u * o.statements + k;
        run_seed(&o, l, &t);
    }
    return t;
}

static void
test_ample(void **state)
{
    (void)state;
    run_many(300, (gen_options){.statements = 60, .depth = 3, .alive = 12, .scalar = 40},
             (limits){0});
}

static void
test_tight(void **state)
{
    (void)state;
    run_many(600, (gen_options){.statements = 60, .depth = 3, .alive = 10, .scalar = 40},
             (limits){1, 1});
    run_many(300, (gen_options){.statements = 150, .depth = 4, .alive = 20, .scalar = 70},
             (limits){1, 1});
    run_many(300, (gen_options){.statements = 149, .depth = 4, .alive = 30, .scalar = 10},
             (limits){1, 1});
}

static void
test_spill(void **state)
{
    (void)state;
    totals t = run_many(300, (gen_options){.statements = 60, .depth = 3, .alive = 20, .scalar = 40},
                        (limits){36, 16, true});
    assert_true(t.vgprs > 1000);
    t = run_many(300, (gen_options){.statements = 150, .depth = 4, .alive = 40, .scalar = 80},
                 (limits){36, 16, true});
    assert_true(t.sgprs > 5000);
    t = run_many(300, (gen_options){.statements = 149, .depth = 4, .alive = 40, .scalar = 20},
                 (limits){36, 20, true});
    assert_true(t.vgprs > 5000);
    t = run_many(3, (gen_options){.statements = 3000, .depth = 3, .alive = 60, .scalar = 50},
                 (limits){60, 40, true});
    assert_true(t.sgprs > 100 && t.vgprs > 100);
}

/* Limits below what instructions need are raised to that, and that suffices. */
static void
test_floor(void **state)
{
    (void)state;
    totals t = run_many(300, (gen_options){.statements = 60, .depth = 3, .alive = 20, .scalar = 40},
                        (limits){1, 1, true});
    assert_true(t.sgprs > 1000 && t.vgprs > 1000);
    run_many(100, (gen_options){.statements = 149, .depth = 4, .alive = 30, .scalar = 70},
             (limits){1, 1, true});
}

/* For debugging: test_registers SEED STATEMENTS DEPTH ALIVE SCALAR SGPRS VGPRS SPILL */
static int
show_one(char **argv)
{
    env e;
    totals t = {0};
    gen_options o = {.seed = (uint64_t)atoi(argv[1]),
                     .statements = (unsigned)atoi(argv[2]),
                     .depth = (unsigned)atoi(argv[3]),
                     .alive = (unsigned)atoi(argv[4]),
                     .scalar = (unsigned)atoi(argv[5])};
    open_env(&e);
    base_buf out = buf_make(&e.a);
    ir_print(gen_program(&e.ctx, &o), 0, &out);
    printf("%s", buf_text(&out));
    fflush(stdout);
    if (DIAG_TRY(&e.d))
        run_one(&e, &o, (limits){(unsigned)atoi(argv[6]), (unsigned)atoi(argv[7]), atoi(argv[8])},
                &t);
    else
        printf("%s\n", e.d.message);
    return 0;
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ample),
        cmocka_unit_test(test_tight),
        cmocka_unit_test(test_spill),
        cmocka_unit_test(test_floor),
    };
    if (argc == 9)
        return show_one(argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
