#include "amd/lower/lower_values.h"

#include "amd/lower/image_query.h"
#include "opt/expand.h"

/* ---- atomics ---- */

bool
amd_lacks_float_add(const ir_fn *f, const ir_instr *i)
{
    switch (i->op) {
    case IR_ssbo_atomic:
    case IR_global_atomic:
    case IR_image_atomic: return ir_attr_get(i, IR_A_ATOMIC_OP) == IR_ATOMIC_fadd;
    case IR_shared_atomic:
        return ir_attr_get(i, IR_A_ATOMIC_OP) == IR_ATOMIC_fadd &&
               ir_type_bits(f->values[i->defs[0].id].type) == 64;
    default: return false;
    }
}

static bool
has_op(const amd_target *t, amd_op op)
{
    return amd_op_number(op, AMD_VOP3P, t->gen) >= 0;
}

/* Chips differ in which products of bytes they have. */
static ir_ref
lower_dot(ir_builder *b, const amd_target *t, const ir_instr *i)
{
    bool has_mixed = has_op(t, AMD_V_DOT4_I32_IU8);
    switch (i->op) {
    case IR_udot_4x8_uadd:
    case IR_udot_4x8_uadd_sat:
        return has_op(t, AMD_V_DOT4_U32_U8) ? ir_none() : opt_expand_dot(b, i);
    case IR_sdot_4x8_iadd:
    case IR_sdot_4x8_iadd_sat:
        return has_mixed || has_op(t, AMD_V_DOT4_I32_I8) ? ir_none() : opt_expand_dot(b, i);
    default: return has_mixed ? ir_none() : opt_expand_dot(b, i);
    }
}

ir_ref
amd_lower_value(ir_builder *b, const amd_target *t, const ir_instr *i)
{
    switch (i->op) {
    case IR_image_size:
    case IR_image_levels:
    case IR_image_samples: return amd_image_query(b, t, i);
    case IR_inverse_ballot:
        return b->f->values[i->refs[0].id].divergent ? opt_expand_inverse_ballot(b, i) : ir_none();
    case IR_sdot_4x8_iadd:
    case IR_udot_4x8_uadd:
    case IR_sudot_4x8_iadd:
    case IR_sdot_4x8_iadd_sat:
    case IR_udot_4x8_uadd_sat:
    case IR_sudot_4x8_iadd_sat: return lower_dot(b, t, i);
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan: return opt_expand_boolean_reduction(b, i);
    default: return ir_none();
    }
}
