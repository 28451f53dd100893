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
 * that are free in any case.
 *
 * HEDDLE_DEBUG=nosched leaves it out.
 */
#include "amd/schedule/pace.h"
#include "amd/target/clause.h"
#include "amd/target/occupancy.h"
#include "cg/schedule.h"

enum {
    ROOM = 16,         /* of this many registers, one stays free for tuples */
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

static void
set_bounds(const amd_program *p, cg_schedule_rules *rules)
{
    const cg_state *s = &p->cg;
    int32_t units = (int32_t)amd_reg_units(p->fn), cheap = s->cheap[AMD_BANK_VGPR];
    int32_t budget = (int32_t)amd_vgprs_for_loads(p) * units, room = budget / ROOM;
    int32_t scalars = s->budget[AMD_BANK_SGPR] - SPARE_SCALARS * units;
    int32_t now = s->max_demand.units[AMD_BANK_VGPR];
    rules->most.units[AMD_BANK_VGPR] = budget - room;
    rules->free.units[AMD_BANK_VGPR] = cheap - room > now ? cheap - room : now;
    rules->most.units[AMD_BANK_SGPR] = rules->free.units[AMD_BANK_SGPR] = scalars;
}

void
amd_schedule_program(ir_fn *f)
{
    amd_program *p = amd_prog(f);
    if (p->debug & AMD_DEBUG_NO_SCHED)
        return;
    cg_schedule_rules rules = {.user = amd_durations_of(p),
                               .latency = latency,
                               .facts = facts,
                               .follows = follows,
                               .far = FAR};
    set_bounds(p, &rules);
    cg_schedule(f, &rules);
    amd_set_budgets(p);
}
