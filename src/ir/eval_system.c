/* Shader inputs (ids, sizes), the clock, and barriers. */
#include "ir/eval_internal.h"

static void
set_all(ev_wave *w, const ev_instr *i, unsigned c, uint64_t v)
{
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, c, l, v);
}

static ev_step
exec_workgroup_id(ev_wave *w, const ev_instr *i)
{
    for (unsigned c = 0; c < i->def.n && c < 3; c++)
        set_all(w, i, c, w->g->id[c]);
    return EV_NEXT;
}

static ev_step
exec_num_workgroups(ev_wave *w, const ev_instr *i)
{
    for (unsigned c = 0; c < i->def.n && c < 3; c++)
        set_all(w, i, c, w->g->count[c]);
    return EV_NEXT;
}

static unsigned
local_index(const ev_wave *w, unsigned lane)
{
    return w->id * w->g->e->width + lane;
}

static ev_step
exec_local_id(ev_wave *w, const ev_instr *i)
{
    const uint32_t *size = w->g->e->f->shader.workgroup_size;
    EV_FOREACH_LANE(l, w) {
        unsigned index = local_index(w, l);
        for (unsigned c = 0; c < i->def.n && c < 3; c++) {
            ev_def_set(w, i, c, l, index % size[c]);
            index /= size[c];
        }
    }
    return EV_NEXT;
}

static ev_step
exec_local_index(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, 0, l, local_index(w, l));
    return EV_NEXT;
}

static ev_step
exec_subgroup_invocation(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, 0, l, ev_lane_in_subgroup(w, l));
    return EV_NEXT;
}

static ev_step
exec_subgroup_number(ev_wave *w, const ev_instr *i)
{
    const ir_eval *e = w->g->e;
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, 0, l,
                   i->op == IR_load_subgroup_id ? ev_subgroup_of(w, l)
                   : i->op == IR_load_num_subgroups
                       ? (e->invocations + e->subgroup - 1) / e->subgroup
                       : e->subgroup);
    return EV_NEXT;
}

/* The clock counts executed instructions. */
static ev_step
exec_clock(ev_wave *w, const ev_instr *i)
{
    bool whole = i->def.bits == 64;
    set_all(w, i, 0, whole ? w->g->result->instructions : (uint32_t)w->g->result->instructions);
    if (i->def.n > 1)
        set_all(w, i, 1, w->g->result->instructions >> 32);
    return EV_NEXT;
}

/* Memory is always in order here, and a subgroup runs in lockstep. */
static ev_step
exec_barrier(ev_wave *w, const ev_instr *i)
{
    ev_races_order(w);
    bool waits = w->g->e->has_barrier && ir_attr_get(i->ir, IR_A_EXEC_SCOPE) >= IR_SCOPE_workgroup;
    return waits ? EV_YIELD : EV_NEXT;
}

ev_exec *
ev_find_system(unsigned op)
{
    switch (op) {
    case IR_load_workgroup_id: return exec_workgroup_id;
    case IR_load_num_workgroups: return exec_num_workgroups;
    case IR_load_local_invocation_id: return exec_local_id;
    case IR_load_local_invocation_index: return exec_local_index;
    case IR_load_subgroup_invocation: return exec_subgroup_invocation;
    case IR_load_subgroup_id:
    case IR_load_num_subgroups:
    case IR_load_subgroup_size: return exec_subgroup_number;
    case IR_shader_clock: return exec_clock;
    case IR_barrier: return exec_barrier;
    default: return NULL;
    }
}
