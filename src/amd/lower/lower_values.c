#include "amd/lower/lower_values.h"

#include "opt/expand.h"

/* ---- image queries. T# fields of gfx10.3 by word and bit (RDNA 2 ISA, "Image resource"): width -
 * 1: word 1 bits 31:30 (low), word 2 bits 11:0; height - 1: word 2 27:14; base level: word 3 15:12;
 * last level (multisampled: log2 of the samples): word 3 19:16; depth - 1 or last layer: word 4
 * 12:0; first layer: word 4 28:16 ---- */

static ir_ref
imm(ir_builder *b, uint32_t v)
{
    return ir_build_imm(b, 32, v);
}

static ir_ref
field(ir_builder *b, ir_ref descriptor, unsigned word, unsigned shift, unsigned bits)
{
    return irb_ubitfield_extract(b, ir_comp(descriptor, word), imm(b, shift), imm(b, bits));
}

/* Converts (size - 1) of level 0 to the size of level base + lod. */
static ir_ref
level_size(ir_builder *b, ir_ref minus_1, ir_ref level)
{
    ir_ref size = irb_iadd(b, minus_1, imm(b, 1));
    return irb_umax(b, irb_ushr(b, size, level), imm(b, 1));
}

static ir_ref
layers(ir_builder *b, ir_ref d)
{
    ir_ref last = field(b, d, 4, 0, 13), first = field(b, d, 4, 16, 13);
    return irb_iadd(b, irb_isub(b, last, first), imm(b, 1));
}

static ir_ref
image_size(ir_builder *b, const ir_instr *i)
{
    ir_ref d = i->refs[0], comps[4];
    ir_dim dim = (ir_dim)ir_attr_get(i, IR_A_IMAGE_DIM);
    bool array = ir_attr_get(i, IR_A_IMAGE_ARRAY);
    unsigned n = 0;
    if (dim == IR_DIM_buf)
        return ir_comp(d, 2); /* num_records of a texel buffer's V#: texels */
    ir_ref level = dim == IR_DIM_ms ? imm(b, 0) : field(b, d, 3, 12, 4);
    if (i->refs[1].kind != IR_REF_NONE)
        level = irb_iadd(b, level, i->refs[1]);
    ir_ref low = irb_ushr(b, ir_comp(d, 1), imm(b, 30));
    ir_ref width = irb_ior(b, irb_ishl(b, field(b, d, 2, 0, 12), imm(b, 2)), low);
    comps[n++] = level_size(b, width, level);
    if (dim != IR_DIM_1D)
        comps[n++] = level_size(b, field(b, d, 2, 14, 14), level);
    if (dim == IR_DIM_3D)
        comps[n++] = level_size(b, field(b, d, 4, 0, 13), level);
    else if (dim == IR_DIM_cube && array)
        comps[n++] = irb_udiv(b, layers(b, d), imm(b, 6));
    else if (array)
        comps[n++] = layers(b, d);
    return ir_build_vec(b, comps, n);
}

static ir_ref
image_levels(ir_builder *b, const ir_instr *i)
{
    ir_ref last = field(b, i->refs[0], 3, 16, 4), base = field(b, i->refs[0], 3, 12, 4);
    return irb_iadd(b, irb_isub(b, last, base), imm(b, 1));
}

static ir_ref
image_samples(ir_builder *b, const ir_instr *i)
{
    return irb_ishl(b, imm(b, 1), field(b, i->refs[0], 3, 16, 4));
}

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
    case IR_image_size: return image_size(b, i);
    case IR_image_levels: return image_levels(b, i);
    case IR_image_samples: return image_samples(b, i);
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
