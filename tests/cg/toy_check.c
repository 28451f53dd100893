#include "toy_check.h"
#include "toy_run.h"

#include "cg/cssa.h"
#include "cg/live.h"
#include "cg/register_allocation.h"
#include "ir/verify.h"

void
toy_prepare(ir_fn *f, const toy_bounds *bounds)
{
    toy_program *p = ARENA_NEW(f->arena, toy_program);
    for (unsigned k = 0; k < TOY_BANKS; k++)
        p->bound[k] = bounds->units[k];
    f->backend = p;
}

static void
run_cssa(ir_fn *f)
{
    cg_lower_to_cssa(f, f->arena);
}

typedef struct step {
    const char *name;
    void (*run)(ir_fn *f);
    bool checks; /* changes nothing */
} step;

static const step steps[] = {
    {"live", cg_find_live, true},
    {"spill", toy_spill, false},
    {"cssa", run_cssa, false},
    {"register_allocation", cg_allocate_registers, false},
    {"validate_registers", cg_validate_registers, true},
    {"lower", toy_lower, false},
};

toy_result
toy_check(ir_fn *f, const toy_bounds *bounds, const char **after)
{
    toy_run *want = ARENA_NEW(f->arena, toy_run), *have = ARENA_NEW(f->arena, toy_run);
    toy_prepare(f, bounds);
    *after = "reading";
    ir_verify(f, *after);
    toy_execute(want, f, false, f->arena);
    if (!want->ended)
        return TOY_ENDLESS;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        *after = steps[k].name;
        steps[k].run(f);
        if (steps[k].checks)
            continue;
        ir_verify(f, *after);
        toy_execute(have, f, f->allocated, f->arena);
        if (!have->ended || have->output != want->output || have->n_output != want->n_output)
            return TOY_WRONG;
    }
    return TOY_SAME;
}
