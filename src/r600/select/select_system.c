/* Built-in values: R0 holds the local, R1 the group's number. */
#include "r600/select/select.h"

/* x + size_x (y + size_y z): of numbers of 24 bits. */
tree_operand
r600_sel_local_index(r600_sel *s)
{
    const uint32_t *size = s->hir->shader.workgroup_size;
    tree_operand r = s->local_id[0];
    if (size[1] > 1)
        r = r600_sel_op(s, R600_MULADD_UINT24, s->local_id[1], r600_tree_const(size[0]), r);
    if (size[2] > 1)
        r = r600_sel_op(s, R600_MULADD_UINT24, s->local_id[2], r600_tree_const(size[0] * size[1]),
                        r);
    return r;
}

/* The lanes below this one are counted: MBCNT_32LO_ACCUM_PREV_INT adds what the slot before has
 * found among the upper 32 (Mesa: load_thread_id_gpr). */
static tree_operand
count_lanes(r600_sel *s)
{
    enum { HALVES = 2 };
    static const uint16_t ops[HALVES] = {R600_MBCNT_32HI_INT, R600_MBCNT_32LO_ACCUM_PREV_INT};
    if (r600_lanes_are_alone(s->p->chip))
        r600_sel_lacks(s, "numbers of lanes");
    tree_node *n = r600_tree_new(s->p, TREE_ALU);
    n->n = HALVES;
    n->is_pack = true;
    n->slots = ARENA_ARRAY(s->p->arena, HALVES, tree_slot);
    for (unsigned k = 0; k < HALVES; k++)
        n->slots[k] = (tree_slot){
            .op = ops[k], .slot = (uint8_t)k, .src = {r600_tree_const(UINT32_MAX)}};
    s->wish = 1;
    n->slots[1].def = r600_sel_define(s, n);
    r600_tree_append(s->list, n);
    return r600_tree_use(n->slots[1].def);
}

tree_operand
r600_sel_lane(r600_sel *s)
{
    if (s->hir->shader.stage != IR_STAGE_COMPUTE)
        return count_lanes(s);
    return r600_sel_op2(s, R600_AND_INT, r600_sel_local_index(s),
                        r600_tree_const(s->program->wave_size - 1));
}

static void
set_vector(r600_sel *s, const ir_instr *i, const tree_operand parts[3])
{
    tree_operand *out = r600_sel_def(s, i);
    for (unsigned k = 0; k < 3; k++)
        out[k] = parts[k];
}

bool
r600_select_system(r600_sel *s, const ir_instr *i)
{
    const uint32_t *size = s->hir->shader.workgroup_size;
    switch (i->op) {
    case IR_load_workgroup_id: set_vector(s, i, s->group_id); return true;
    case IR_load_local_invocation_id: set_vector(s, i, s->local_id); return true;
    case IR_load_local_invocation_index: *r600_sel_def(s, i) = r600_sel_local_index(s); return true;
    case IR_load_num_workgroups: {
        tree_operand parts[3];
        for (unsigned k = 0; k < 3; k++)
            parts[k] = (tree_operand){.kind = TREE_KCACHE, .id = R600_CONST_GROUPS + k};
        set_vector(s, i, parts);
        return true;
    }
    case IR_load_num_subgroups:
        *r600_sel_def(s, i) = r600_tree_const(
            (size[0] * size[1] * size[2] + s->program->wave_size - 1) / s->program->wave_size);
        return true;
    case IR_load_subgroup_size:
        *r600_sel_def(s, i) = r600_tree_const(
            r600_lanes_are_alone(s->p->chip) ? 1 : s->program->wave_size);
        return true;
    default: return false;
    }
}
