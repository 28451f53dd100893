/* Register allocation on random programs: the allocation passes its validator, and the program
 * computes the same on registers as on values, also after ssa_elimination and lower_to_hw_instr. */
#include "machine_env.h"

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

typedef struct limits {
    unsigned sgprs, vgprs;
    bool spill;
    bool in_order; /* spilling does not try another order of the blocks */
} limits;

/* The slots of all programs, in registers: the tests check that there were spills. */
typedef struct totals {
    unsigned sgprs, vgprs;
} totals;

/* What a program is allocated with; totals of all programs. */
typedef struct allocation {
    limits limits;
    totals totals;
} allocation;

static void
run_one(env *e, const gen_options *o)
{
    allocation *allocated = e->user;
    limits l = allocated->limits;
    totals *t = &allocated->totals;
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
        p->debug |= l.in_order ? AMD_DEBUG_NO_SCHED : 0;
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

static totals
allocate_many(unsigned count, gen_options o, limits l)
{
    allocation a = {.limits = l};
    run_many(count, o, run_one, &a);
    return a.totals;
}

static void
test_ample(void **state)
{
    (void)state;
    allocate_many(300, (gen_options){.statements = 60, .depth = 3, .alive = 12, .scalar = 40},
                  (limits){0});
}

static void
test_tight(void **state)
{
    (void)state;
    allocate_many(600, (gen_options){.statements = 60, .depth = 3, .alive = 10, .scalar = 40},
                  (limits){1, 1});
    allocate_many(300, (gen_options){.statements = 150, .depth = 4, .alive = 20, .scalar = 70},
                  (limits){1, 1});
    allocate_many(300, (gen_options){.statements = 149, .depth = 4, .alive = 30, .scalar = 10},
                  (limits){1, 1});
}

static void
test_spill(void **state)
{
    (void)state;
    const gen_options few = {.statements = 60, .depth = 3, .alive = 20, .scalar = 40};
    totals t = allocate_many(300, few, (limits){36, 16, true, true});
    assert_true(t.vgprs > 1000);
    totals reordered = allocate_many(300, few, (limits){36, 16, true});
    assert_true(reordered.vgprs < t.vgprs);
    t = allocate_many(300, (gen_options){.statements = 150, .depth = 4, .alive = 40, .scalar = 80},
                      (limits){36, 16, true});
    assert_true(t.sgprs > 5000);
    t = allocate_many(300, (gen_options){.statements = 149, .depth = 4, .alive = 40, .scalar = 20},
                      (limits){36, 20, true, true});
    assert_true(t.vgprs > 5000);
    t = allocate_many(3, (gen_options){.statements = 3000, .depth = 3, .alive = 60, .scalar = 50},
                      (limits){60, 40, true});
    assert_true(t.sgprs > 100 && t.vgprs > 100);
}

/* Limits below what instructions need are raised to that, and that suffices. */
static void
test_floor(void **state)
{
    (void)state;
    totals t = allocate_many(300,
                             (gen_options){.statements = 60, .depth = 3, .alive = 20, .scalar = 40},
                             (limits){1, 1, true});
    assert_true(t.sgprs > 1000 && t.vgprs > 1000);
    allocate_many(100, (gen_options){.statements = 149, .depth = 4, .alive = 30, .scalar = 70},
                  (limits){1, 1, true});
}

/* For debugging: test_registers SEED STATEMENTS DEPTH ALIVE SCALAR SGPRS VGPRS SPILL */
static int
show_one(char **argv)
{
    allocation a = {.limits = {(unsigned)atoi(argv[6]), (unsigned)atoi(argv[7]), atoi(argv[8])}};
    env e = {.user = &a};
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
        run_one(&e, &o);
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
