#include "toy_check.h"
#include "toy_order.h"
#include "toy_run.h"

#include "cg/cssa.h"
#include "cg/live.h"
#include "cg/register_allocation.h"
#include "cg/value_numbering.h"
#include "ir/pass.h"
#include "ir/verify.h"

#include <string.h>

void
toy_prepare(ir_fn *f, const toy_bounds *bounds)
{
    toy_program *p = ARENA_NEW(f->arena, toy_program);
    for (unsigned k = 0; k < TOY_BANKS; k++) {
        p->bound[k] = bounds->units[k];
        p->cg.in_turn[k] = bounds->in_turn;
    }
    p->random = bounds->seed;
    f->backend = p;
}

static void
run_cssa(ir_fn *f)
{
    cg_lower_to_cssa(f, f->arena);
}

static void
run_value_numbering(ir_fn *f)
{
    ir_require(f, IR_HAS_DOMINANCE | IR_HAS_LOOPS);
    cg_number_values(f);
}

void
toy_wish_neighbours(ir_fn *f)
{
    uint32_t *behind = ARENA_ARRAY(f->arena, f->n_values, uint32_t);
    uint32_t last[TOY_CLASSES] = {0};
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            for (unsigned d = 0; d < i->n_defs; d++) {
                behind[last[i->defs[d].rc]] = i->defs[d].id;
                last[i->defs[d].rc] = i->defs[d].id;
            }
        }
    }
    cg_of(f)->behind = behind;
}

static void
run_allocation(ir_fn *f)
{
    if (toy_prog(f)->random % 4 == 0)
        toy_wish_neighbours(f);
    cg_allocate_registers(f);
    cg_of(f)->behind = NULL;
}

typedef struct step {
    const char *name;
    void (*run)(ir_fn *f);
    bool checks; /* changes nothing */
} step;

static const step steps[] = {
    {"value_numbering", run_value_numbering, false},
    {"live", cg_find_live, true},
    {"reordering", toy_reorder, false},
    {"spill", toy_spill, false},
    {"live", cg_find_live, true},
    {"lower_demand", toy_lower_demand, false},
    {"schedule", toy_schedule, false},
    {"cssa", run_cssa, false},
    {"register_allocation", run_allocation, false},
    {"validate_registers", cg_validate_registers, true},
    {"reordering of registers", toy_reorder, false},
    {"validate_registers", cg_validate_registers, true},
    {"window of registers", toy_schedule_window, false},
    {"validate_registers", cg_validate_registers, true},
    {"delays of registers", toy_schedule_delays, false},
    {"validate_registers", cg_validate_registers, true},
    {"lower", toy_lower, false},
    {"window of moves", toy_schedule_window, false},
    {"delays of moves", toy_schedule_delays, false},
    {"reordering of moves", toy_reorder, false},
    {"bundles", toy_make_bundles, false},
};

/* How a program is checked. */
typedef struct check {
    ir_fn *f;
    toy_run *want;
    const char **after;
} check;

static bool
is_same(const check *c)
{
    toy_run *have = ARENA_NEW(c->f->arena, toy_run);
    ir_verify(c->f, *c->after);
    toy_execute(have, c->f, c->f->allocated, c->f->arena);
    return have->ended && have->output == c->want->output && have->n_output == c->want->n_output;
}

static toy_result
run_steps(const check *c, bool unspilled)
{
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        if (steps[k].run == toy_spill && unspilled)
            continue;
        *c->after = steps[k].name;
        steps[k].run(c->f);
        if (!steps[k].checks && !is_same(c))
            return TOY_WRONG;
    }
    return TOY_SAME;
}

toy_result
toy_check(ir_fn *f, const toy_bounds *bounds, const char **after)
{
    check c = {.f = f, .want = ARENA_NEW(f->arena, toy_run), .after = after};
    toy_prepare(f, bounds);
    *after = "reading";
    ir_verify(f, *after);
    toy_execute(c.want, f, false, f->arena);
    return c.want->ended ? run_steps(&c, bounds->unspilled) : TOY_ENDLESS;
}

bool
toy_is_refusal(const ir_fn *f, const char *message)
{
    return strstr(message, "register demand above the budget") && toy_needs_spilling(f);
}
