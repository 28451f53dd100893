#include "opt/given.h"

#include "ir/hir.h"

/* Does a preamble load it? What may be no place at all is loaded only where every invocation
 * does. */
static bool
is_loaded_once(const ir_instr *i)
{
    switch (i->op) {
    case IR_load_ubo:
    case IR_load_push_constant:
    case IR_load_num_workgroups:
    case IR_load_base_vertex:
    case IR_load_base_instance:
    case IR_load_draw_index:
    case IR_load_view_index: return true;
    case IR_load_constant: return i->block->index == 0;
    case IR_load_ssbo: return ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_CAN_REORDER;
    case IR_load_global:
        return i->block->index == 0 && ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_CAN_REORDER;
    default: return false;
    }
}

static bool
is_given(const ir_instr *i, const bool *given)
{
    bool known = ir_has_flag(i, IR_OP_ALU) || i->op == IR_load_const ||
                 i->op == IR_vulkan_resource_index || is_loaded_once(i);
    for (unsigned k = 0; known && k < i->n_refs; k++)
        known = !ir_is_value(i->refs[k]) || given[i->refs[k].id];
    return known;
}

const bool *
opt_find_given(const ir_fn *f)
{
    if (!f->ctx->computes_once)
        return NULL;
    bool *given = ARENA_ARRAY(f->ctx->scratch, f->n_values, bool);
    IR_FOREACH_INSTR_OF(i, f) {
        if (i->n_defs && is_given(i, given))
            given[i->defs[0].id] = true;
    }
    return given;
}
