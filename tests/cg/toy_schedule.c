#include "toy_order.h"

#include "cg/effects.h"
#include "cg/schedule.h"
#include "cg/schedule_delays.h"
#include "cg/schedule_window.h"

enum { LOAD_CYCLES = 20 };

static bool
is_load(const ir_instr *i)
{
    return i->op == TOY_LOAD || i->op == TOY_PEEK;
}

/* Loads take long and stand together if they have one address; what follows a block's end waits for
 * them. */
static unsigned
latency(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind, unsigned ref)
{
    (void)user, (void)to, (void)ref;
    if (kind == CG_DEP_VALUE || (kind == CG_DEP_ORDER && is_load(from)))
        return is_load(from) ? LOAD_CYCLES : 1;
    return kind == CG_DEP_WRITE;
}

static cg_schedule_facts
facts(const void *user, const ir_instr *i)
{
    (void)user;
    bool load = is_load(i);
    return (cg_schedule_facts){.issue = 1, .group = load ? (uint8_t)i->op : 0, .slow = load};
}

static bool
follows(const void *user, const ir_instr *a, const ir_instr *b)
{
    (void)user;
    return a->refs[0].kind == b->refs[0].kind && a->refs[0].id == b->refs[0].id;
}

/* The largest demand of the blocks. */
static cg_demand
largest(const ir_fn *f)
{
    cg_demand most = {{0}};
    IR_FOREACH_BLOCK(b, f) {
        most = cg_demand_max(most, cg_of(f)->live->blocks[b->index]);
    }
    return most;
}

void
toy_schedule(ir_fn *f)
{
    cg_schedule_rules rules = {
        .latency = latency, .facts = facts, .follows = follows, .far = LOAD_CYCLES};
    static const int32_t reserved[TOY_BANKS] = {4, 16}; /* as in toy_phases.c */
    cg_demand before = largest(f), most = {{0}};
    for (unsigned k = 0; k < TOY_BANKS; k++) {
        rules.free.units[k] = before.units[k];
        int32_t more = before.units[k] + (int32_t)(toy_prog(f)->random % 8);
        int32_t budget = cg_of(f)->budget[k] - reserved[k];
        rules.most.units[k] = more < budget ? more : budget;
        most.units[k] = cg_demand_max(before, rules.most).units[k];
    }
    cg_schedule(f, &rules);
    cg_demand now = largest(f);
    for (unsigned k = 0; k < TOY_BANKS; k++) {
        if (now.units[k] > most.units[k])
            diag_fail(f->ctx->diag, ERR_INTERNAL, "the scheduler's demand is above its bound");
    }
    toy_check_demand(f);
}

static bool
is_early(const void *user, const ir_instr *i)
{
    (void)user;
    return is_load(i);
}

void
toy_lower_demand(ir_fn *f)
{
    uint64_t drawn = toy_prog(f)->random;
    cg_demand before = largest(f);
    cg_lower_rules rules = {.bank = drawn & 1, .most = before};
    rules.most.units[rules.bank] -= (int32_t)(drawn >> 1 & 7);
    rules.is_early = drawn >> 4 & 1 ? is_early : NULL;
    rules.partly = drawn >> 5 & 1;
    cg_demand bound = cg_demand_max(before, rules.most);
    bool ok = cg_lower_demand(f, &rules);
    cg_demand now = largest(f), known = cg_of(f)->max_demand;
    for (unsigned k = 0; k < TOY_BANKS; k++) {
        if (ok || rules.partly ? now.units[k] > (ok ? rules.most : bound).units[k]
                               : now.units[k] != before.units[k])
            diag_fail(f->ctx->diag, ERR_INTERNAL, "the lowered demand is above its bound");
        if ((ok || rules.partly) && known.units[k] != now.units[k])
            diag_fail(f->ctx->diag, ERR_INTERNAL, "the program's demand is not the lowered one");
    }
    toy_check_demand(f);
}

/* ---- code in registers ---- */

static cg_window_facts
window_facts(const void *user, const ir_instr *i)
{
    (void)user;
    ir_effects e;
    cg_find_effects(i, &e);
    return (cg_window_facts){
        .issue = 1,
        .latency = is_load(i)            ? LOAD_CYCLES
                   : i->op == TOY_DIVIDE ? 6
                                         : 2,
        .ordered = e.reads || e.writes,
        .lanes = e.lanes,
        .group = i->op == TOY_PEEK,
        .fence = e.fence,
    };
}

void
toy_schedule_window(ir_fn *f)
{
    cg_schedule_window(f, &(cg_window_rules){.facts = window_facts});
}

/* ---- exact delays ---- */

enum { ADD_CYCLES = 4, DIVIDE_ISSUES = 3 };

static unsigned
delay(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind, unsigned ref)
{
    (void)user, (void)to, (void)ref;
    if (kind == CG_DEP_VALUE)
        return is_load(from) ? LOAD_CYCLES : ADD_CYCLES;
    return kind == CG_DEP_WRITE;
}

static unsigned
issue(const void *user, const ir_instr *i)
{
    (void)user;
    return i->op == TOY_DIVIDE ? DIVIDE_ISSUES : 1;
}

static bool
is_exact(const void *user, const ir_instr *i)
{
    (void)user;
    return !is_load(i);
}

/* Instructions of one opcode whose results follow each other. */
static bool
stand_together(const void *user, const ir_instr *a, const ir_instr *b)
{
    (void)user;
    return a->op == b->op && a->n_defs == 1 && b->n_defs == 1 && a->defs[0].rc == TOY_V1 &&
           b->defs[0].rc == TOY_V1 && b->defs[0].reg == a->defs[0].reg + 2 * TOY_UNIT;
}

void
toy_schedule_delays(ir_fn *f)
{
    cg_schedule_delays(
        f, &(cg_delay_rules){
               .latency = delay, .issue = issue, .is_exact = is_exact, .joins = stand_together});
}
