/* schedule_program: reorders the instructions of each block before register allocation, so that
 * loads begin early and together, what they need is computed first, and stores come last.
 *
 *     v1 = buffer_load_dword ..., offset 0          v1 = buffer_load_dword ..., offset 0
 *     wait; use of v1                         ->    v2 = buffer_load_dword ..., offset 4
 *     v2 = buffer_load_dword ..., offset 4          wait; use of v1
 *     wait; use of v2                               wait; use of v2
 *
 * cg/schedule.c has the algorithm, a list scheduler that is n log n in the length of a block; this
 * file says what AMD's machine is to it. The demand stays within the registers of the number of
 * waves that liveness found, or of as many as hide latencies well (enough_waves), less a part in
 * which tuples find room without copies. What does not lead to a load must do with the registers
 * that are free in any case. Where the order of the program allows fewer waves than these, one that
 * needs fewer registers comes first (cg/schedule_demand.c): a product of matrices row by row.
 *
 * HEDDLE_DEBUG=nosched leaves it out.
 */
#include "amd/schedule/pace.h"
#include "amd/target/clause.h"
#include "amd/target/occupancy.h"
#include "cg/schedule.h"

enum {
    ROOM = 16,         /* of this many registers, one stays free for tuples */
    PART_OF_LOADS = 8, /* of this many, one is for loads if waves were won */
    SPARE_SCALARS = 2, /* SGPRs that stay free for the same reason */
    FAR = 48,          /* cycles; less than scalar and vector loads take, more than most else */
};

/* What follows a load in the end of its block may be needed in the next one: the block's end waits
 * for it, too. */
static unsigned
latency(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind, unsigned ref)
{
    (void)to, (void)ref;
    if (kind != CG_DEP_VALUE && kind != CG_DEP_ORDER)
        return kind == CG_DEP_WRITE;
    const amd_duration *d = amd_duration_of(user, from);
    return kind == CG_DEP_VALUE || amd_loads(d, from) ? d->latency : 0;
}

static cg_schedule_facts
facts(const void *user, const ir_instr *i)
{
    const amd_durations *durations = user;
    const amd_duration *d = amd_duration_of(durations, i);
    unsigned group = amd_clause_kind_of(durations->program->target, i);
    return (cg_schedule_facts){.issue = d->issue, .group = (uint8_t)group, .slow = amd_loads(d, i)};
}

static bool
follows(const void *user, const ir_instr *a, const ir_instr *b)
{
    (void)user;
    return amd_clause_is_worth(a, b);
}

static bool
is_load(const void *user, const ir_instr *i)
{
    return amd_loads(amd_duration_of(user, i), i);
}

/* Lets blocks need so few registers that `waves` waves fit: with loads early, or with a part of the
 * registers left to loads that may begin early then. Returns the units of VGPRs of a wave, or 0. */
static int32_t
lower_demand(ir_fn *f, amd_program *p, unsigned waves, bool early)
{
    cg_lower_rules rules = {.bank = AMD_BANK_VGPR, .user = amd_durations_of(p)};
    rules.most = amd_demand_for_waves(p, waves);
    int32_t all = rules.most.units[AMD_BANK_VGPR];
    rules.most.units[AMD_BANK_VGPR] -= early ? 0 : all / PART_OF_LOADS;
    rules.is_early = early ? is_load : NULL;
    return cg_lower_demand(f, &rules) ? all : 0;
}

/* If VGPRs allow fewer waves than hide latencies well, makes blocks need fewer, as far as this
 * yields waves. A wave less is better than loads that come late. A program that spills needs what
 * it has. Returns the units of VGPRs of a wave, or 0: nothing has changed. */
static int32_t
win_waves(ir_fn *f, amd_program *p)
{
    unsigned wanted = amd_waves_wanted(p), least = p->max_waves;
    unsigned above = 0; /* the number tried before with loads early */
    int32_t won = 0, tried = 0;
    if (p->may_spill || wanted <= least)
        return 0;
    for (unsigned waves = wanted; !won && waves >= least; waves--) {
        int32_t vgprs = amd_demand_for_waves(p, waves).units[AMD_BANK_VGPR];
        if (vgprs == tried) /* no more for fewer waves */
            continue;
        if (waves > least)
            won = lower_demand(f, p, waves, true);
        if (above && !won)
            won = lower_demand(f, p, above, false);
        above = waves;
        tried = vgprs;
    }
    if (won)
        amd_set_budgets(p);
    return won;
}

static void
set_bounds(const amd_program *p, int32_t won, cg_schedule_rules *rules)
{
    const cg_state *s = &p->cg;
    int32_t units = (int32_t)amd_reg_units(p->fn), now = s->max_demand.units[AMD_BANK_VGPR];
    int32_t cheap = won ? won : s->cheap[AMD_BANK_VGPR];
    int32_t budget = won ? won : (int32_t)amd_vgprs_for_loads(p) * units, room = budget / ROOM;
    int32_t scalars = s->budget[AMD_BANK_SGPR] - SPARE_SCALARS * units;
    rules->most.units[AMD_BANK_VGPR] = budget - room;
    rules->free.units[AMD_BANK_VGPR] = cheap - room > now ? cheap - room : now;
    rules->most.units[AMD_BANK_SGPR] = rules->free.units[AMD_BANK_SGPR] = scalars;
}

void
amd_schedule_program(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    cg_schedule_rules rules = {.user = amd_durations_of(p),
                               .latency = latency,
                               .facts = facts,
                               .follows = follows,
                               .far = FAR};
    set_bounds(p, win_waves(f, p), &rules);
    cg_schedule(f, &rules);
    amd_set_budgets(p);
}
