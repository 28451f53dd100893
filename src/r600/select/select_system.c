/* Built-in values: R0 holds the local, R1 the group's number. */
#include "r600/select/select.h"

/* x + size_x (y + size_y z): of numbers of 24 bits. */
tree_operand
r600_sel_local_index(r600_sel *s)
{
    const uint32_t *size = s->hir->shader.workgroup_size;
    if (s->hir->shader.stage != IR_STAGE_COMPUTE)
        r600_sel_lacks(s, "subgroups of vertex and fragment shaders");
    tree_operand r = s->local_id[0];
    if (size[1] > 1)
        r = r600_sel_op(s, R600_MULADD_UINT24, s->local_id[1], r600_tree_const(size[0]), r);
    if (size[2] > 1)
        r = r600_sel_op(s, R600_MULADD_UINT24, s->local_id[2], r600_tree_const(size[0] * size[1]),
                        r);
    return r;
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
        *r600_sel_def(s, i) = r600_tree_const(s->program->wave_size);
        return true;
    default: return false;
    }
}
