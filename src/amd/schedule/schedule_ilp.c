/* schedule_ilp: fills the cycles for which an instruction waits for the one before it.
 *
 *     v_rcp_f32 v0, v0                    v_rcp_f32 v0, v0
 *     v_mul_f32 v1, v0, v1          ->    v_add_f32 v2, v2, v3
 *     v_add_f32 v2, v2, v3                v_mul_f32 v1, v0, v1
 *
 * After register allocation, on hardware instructions, before waits are inserted. The algorithm, a
 * window of a few instructions in linear time, is in cg/schedule_window.c. Accesses to memory keep
 * their order, and clauses stay together. Durations are those of the machine model.
 *
 * HEDDLE_DEBUG=nosched-ilp leaves it out.
 */
#include "amd/isa/table/table.h"
#include "amd/schedule/pace.h"
#include "amd/target/clause.h"
#include "cg/effects.h"
#include "cg/schedule_window.h"

static cg_window_facts
facts(const void *user, const ir_instr *i)
{
    const amd_durations *durations = user;
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    const amd_duration *d = amd_duration_of(durations, i);
    ir_effects e;
    cg_find_effects(i, &e);
    /* A pseudo instruction marks a place, or is several instructions. insert_wait_states finds a
     * barrier behind its marker. */
    bool memory = row && (row->flags & (AMD_F_VM | AMD_F_VS | AMD_F_LGKM | AMD_F_EXPC));
    return (cg_window_facts){
        .issue = d->issue,
        .latency = d->latency,
        .ordered = memory || (row && row->fmt == AMD_EXP),
        .group = (uint8_t)amd_clause_kind_of(durations->program->target, i),
        .fence = !row || e.fence || ir_has_flag(i, IR_OP_BARRIER),
        .lanes = e.lanes,
    };
}

void
amd_schedule_ilp(ir_fn *f)
{
    cg_schedule_window(f,
                       &(cg_window_rules){.user = amd_durations_of(amd_prog(f)), .facts = facts});
}
