/* Built-in values. */
#include "adreno/select/select.h"

#include "base/bits.h"

/* x + size_x (y + size_y z) */
static ir_ref
local_index(adreno_sel *s)
{
    const uint32_t *size = s->f->shader.workgroup_size;
    ir_ref r = s->local_id[0];
    if (size[1] > 1)
        r = adreno_op3(s, ADRENO_MAD_U24, adreno_full(size[0]), s->local_id[1], r);
    if (size[2] > 1)
        r = adreno_op3(s, ADRENO_MAD_U24, adreno_full(size[0] * size[1]), s->local_id[2], r);
    return r;
}

/* The fibre's number in its wave. */
ir_ref
adreno_fibre_id(adreno_sel *s)
{
    if (s->hir->shader.stage == IR_STAGE_COMPUTE)
        return adreno_op2(s, ADRENO_AND_B, local_index(s), adreno_full(s->p->wave_size - 1));
    if (!s->p->target->fibre_number)
        adreno_sel_unsupported(s, "the number of an invocation in its subgroup");
    const ir_ref r = adreno_emit(s, ADRENO_GETFIBERID, ADRENO_F1, 0, NULL);
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    return r;
}

static void
set_vector(adreno_sel *s, const ir_instr *i, const ir_ref parts[3])
{
    ir_ref *out = adreno_def(s, i);
    for (unsigned k = 0; k < 3; k++)
        out[k] = parts[k];
}

static void
select_groups(adreno_sel *s, const ir_instr *i)
{
    for (uint32_t k = 0; k < 3; k++)
        adreno_def(s, i)[k] = adreno_emit_const(s, ADRENO_CONST_GROUPS + k);
}

/* What is one register; returns NONE for other instructions. */
static ir_ref
select_one(adreno_sel *s, const ir_instr *i)
{
    const uint32_t *size = s->f->shader.workgroup_size, wave = s->p->wave_size;
    const uint32_t items = size[0] * size[1] * size[2];
    switch (i->op) {
    case IR_load_local_invocation_index: return local_index(s);
    case IR_load_subgroup_size: return adreno_full(wave);
    case IR_load_num_subgroups: return adreno_full((items + wave - 1) / wave);
    case IR_load_subgroup_id:
        return adreno_op2(s, ADRENO_SHR_B, local_index(s), adreno_full(base_ctz64(wave)));
    case IR_load_subgroup_invocation: return adreno_fibre_id(s);
    default: return ir_none();
    }
}

bool
adreno_select_system(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_workgroup_id: set_vector(s, i, s->group_id); return true;
    case IR_load_local_invocation_id: set_vector(s, i, s->local_id); return true;
    case IR_load_num_workgroups: select_groups(s, i); return true;
    default: return adreno_set_any(s, i, select_one(s, i));
    }
}
