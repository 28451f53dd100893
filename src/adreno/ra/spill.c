/* Spilling to private memory, if a program needs more registers than there are in any order of its
 * blocks that was found.
 *
 * Each unit has a slot of four bytes behind the program's own private memory, so that every value
 * is aligned. A register that allocation does not hand out, the last one, holds the address of the
 * first slot. */
#include "adreno/adreno.h"
#include "cg/live.h"
#include "cg/schedule.h"
#include "cg/spilling.h"

enum { SLOT_BYTES = 4, MAX_OFFSET = 4095, SLACK = 16 };

static const cg_spill_bank bank = {.bank = ADRENO_BANK_GPR, .edges = 0};

static bool
is_above(const ir_fn *f)
{
    const cg_state *s = cg_of(f);
    return s->max_demand.units[ADRENO_BANK_GPR] > (int32_t)s->budget[ADRENO_BANK_GPR];
}

/* As few registers as the largest instruction needs, and some. */
static void
bound_registers(ir_fn *f)
{
    adreno_program *p = adreno_prog(f);
    const unsigned floor = cg_spill_floor(f, &bank);
    p->gpr_budget = (uint16_t)(ADRENO_FULL_UNITS - 2 - 2 * p->array_words);
    if (p->debug & ADRENO_DEBUG_SPILL_ALL && floor + SLACK < p->gpr_budget)
        p->gpr_budget = (uint16_t)((floor + SLACK) & ~1u);
    f->level->machine->demand_known(f);
}

static void
stop_sharing(const ir_fn *f, ir_ref *r)
{
    ir_value *v = ir_is_value(*r) ? &f->values[r->id] : NULL;
    if (v && adreno_is_shared_class(r->rc) && v->def->op != ADRENO_P_START)
        r->rc = v->type = (ir_type)(r->rc - ADRENO_S1 + ADRENO_F1);
}

/* Too many shared registers: all but the inputs are in those of fibres, as what reads them can have
 * both. */
static void
bound_shared(ir_fn *f)
{
    if (cg_of(f)->max_demand.units[ADRENO_BANK_SHARED] <= ADRENO_SHARED_UNITS)
        return;
    IR_FOREACH_INSTR_OF(i, f) {
        for (unsigned d = 0; d < i->n_defs; d++)
            stop_sharing(f, &i->defs[d]);
        for (unsigned r = 0; r < i->n_refs; r++)
            stop_sharing(f, &i->refs[r]);
    }
    cg_find_live(f);
}

/* Another order of the blocks may need no more registers than there are. */
static bool
fits_reordered(ir_fn *f)
{
    const bool may = !(adreno_prog(f)->debug & ADRENO_DEBUG_NO_SCHED);
    if (!may || !cg_lower_to_budgets(f, ADRENO_BANK_GPR, (cg_demand){0}))
        return false;
    f->level->machine->demand_known(f);
    return true;
}

void
adreno_spill(ir_fn *f)
{
    adreno_program *p = adreno_prog(f);
    bound_shared(f);
    if (!(p->debug & ADRENO_DEBUG_SPILL_ALL) && (!is_above(f) || fits_reordered(f)))
        return;
    bound_registers(f);
    if (!is_above(f))
        return;
    const cg_cssa classes = cg_lower_to_cssa(f, f->arena);
    const cg_spilled s = cg_spill(f, &bank, &classes, f->arena);
    for (size_t k = 0; k < s.n_uses; k++) {
        uint32_t *words = ir_words(s.uses[k].instr);
        words[1] = words[0] * SLOT_BYTES;
        words[0] = 0;
        if (words[1] + 64 > MAX_OFFSET)
            diag_fail(f->ctx->diag, ERR_TARGET_SELECT, p->target->chip->name,
                      "so many live registers");
    }
    p->spill_base = 1 + p->private_bytes;
    p->private_bytes += s.n_slots * SLOT_BYTES;
    p->spilled = s.stored;
    cg_remove_unused_constants(f);
    cg_find_live(f);
}
