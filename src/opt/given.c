#include "opt/given.h"

#include "ir/hir.h"

static bool
is_given(const ir_instr *i, const bool *given)
{
    bool known = ir_has_flag(i, IR_OP_ALU) || i->op == IR_load_const || i->op == IR_load_ubo ||
                 i->op == IR_load_push_constant || i->op == IR_vulkan_resource_index;
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
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->n_defs && is_given(i, given))
                given[i->defs[0].id] = true;
        }
    }
    return given;
}
