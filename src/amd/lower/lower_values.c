#include "amd/lower/lower_values.h"

#include "amd/lower/image_query.h"
#include "opt/expand.h"
#include "opt/lower_loops.h"

/* ---- atomics ---- */

/* Operations on buffers, global memory and images, by size. */
typedef struct float_atomics {
    amd_op buffer[2], global[2], image;
} float_atomics;

static const float_atomics float_min = {
    {AMD_BUFFER_ATOMIC_FMIN, AMD_BUFFER_ATOMIC_FMIN_X2},
    {AMD_GLOBAL_ATOMIC_FMIN, AMD_GLOBAL_ATOMIC_FMIN_X2},
    AMD_IMAGE_ATOMIC_FMIN,
};
static const float_atomics float_max = {
    {AMD_BUFFER_ATOMIC_FMAX, AMD_BUFFER_ATOMIC_FMAX_X2},
    {AMD_GLOBAL_ATOMIC_FMAX, AMD_GLOBAL_ATOMIC_FMAX_X2},
    AMD_IMAGE_ATOMIC_FMAX,
};

static const float_atomics float_add = {
    {AMD_BUFFER_ATOMIC_ADD_F32, AMD_BUFFER_ATOMIC_ADD_F64},
    {AMD_GLOBAL_ATOMIC_ADD_F32, AMD_GLOBAL_ATOMIC_ADD_F64},
    AMD_IMAGE_ATOMIC_ADD_FLT,
};

static bool
has_op(const amd_target *t, amd_op op)
{
    return amd_op_number(op, (amd_fmt)amd_op_row(op)->fmt, t->gen) >= 0;
}

static bool
has_in_memory(const ir_fn *f, const ir_instr *i, const float_atomics *ops)
{
    const amd_target *t = amd_prog(f)->target;
    bool wide = ir_type_bits(f->values[i->defs[0].id].type) == 64;
    switch (i->op) {
    case IR_ssbo_atomic: return has_op(t, ops->buffer[wide]);
    case IR_global_atomic: return has_op(t, ops->global[wide]);
    case IR_image_atomic:
        return has_op(t, ir_attr_get(i, IR_A_IMAGE_DIM) == IR_DIM_buf ? ops->buffer[wide]
                                                                      : ops->image);
    default: return true;
    }
}

/* gfx908's additions in memory give no result; it is the only one without a flat one. */
static bool
has_addition(const ir_fn *f, const ir_instr *i)
{
    const amd_target *t = amd_prog(f)->target;
    unsigned bits = ir_type_bits(f->values[i->defs[0].id].type);
    if (i->op == IR_shared_atomic)
        return bits != 64 && has_op(t, AMD_DS_ADD_F32);
    return bits >= 32 && has_op(t, AMD_FLAT_ATOMIC_ADD_F32) && has_in_memory(f, i, &float_add);
}

bool
amd_lacks_float_atomic(const ir_fn *f, const ir_instr *i)
{
    if (!opt_is_float_atomic(f, i))
        return false;
    switch (ir_attr_get(i, IR_A_ATOMIC_OP)) {
    case IR_ATOMIC_fadd: return !has_addition(f, i);
    case IR_ATOMIC_fmin: return !has_in_memory(f, i, &float_min);
    default: return !has_in_memory(f, i, &float_max);
    }
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
