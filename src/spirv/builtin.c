/* Built-in variables of compute shaders (Vulkan 1.3, "Built-In Variables"), workgroup size, and
 * zeroed workgroup memory. Built-ins are computed at the start of the function. */
#include "spirv/reader.h"

static ir_ref
intrinsic(spirv_reader *r, ir_op op, ir_type type)
{
    return ir_build_intr(&r->b, op, type, NULL, 0);
}

/* ---- workgroup size ---- */

void
spirv_set_workgroup_size(spirv_reader *r)
{
    uint32_t *size = r->f->shader.workgroup_size;
    for (unsigned d = 0; d < 3; d++) {
        uint64_t value;
        if (r->size_id[d] && spirv_const_value(r, spirv_id_of(r, r->size_id[d]), &value))
            size[d] = (uint32_t)value;
    }
    if (r->size_builtin) {
        spirv_id *id = spirv_id_of(r, r->size_builtin);
        if (!id->type || id->type->leaves != 3)
            spirv_invalid(r, "WorkgroupSize is not a vector of three components");
        for (unsigned d = 0; d < 3; d++)
            size[d] = (uint32_t)spirv_const_leaves(r, id)[d];
    }
    if (!size[0] || !size[1] || !size[2])
        spirv_invalid(r, "the workgroup size is %u x %u x %u", size[0], size[1], size[2]);
    if ((uint64_t)size[0] * size[1] > UINT16_MAX ||
        (uint64_t)size[0] * size[1] * size[2] > UINT16_MAX)
        spirv_limit(r, "more than %d invocations in a workgroup", UINT16_MAX);
}

/* ---- vectors ---- */

static ir_ref *
three(spirv_reader *r, ir_ref vec)
{
    ir_ref *leaf = spirv_new_leaves(r, 3);
    for (unsigned d = 0; d < 3; d++)
        leaf[d] = ir_comp(vec, d);
    return leaf;
}

/* A component is 0 if the workgroup is one invocation wide in that dimension. */
static ir_ref *
local_invocation_id(spirv_reader *r)
{
    const uint32_t *size = r->f->shader.workgroup_size;
    ir_ref *leaf = three(r, intrinsic(r, IR_load_local_invocation_id, IR_TYPE(32, 3)));
    for (unsigned d = 0; d < 3; d++)
        leaf[d] = size[d] == 1 ? spirv_imm(r, 32, 0) : leaf[d];
    return leaf;
}

static ir_ref
local_invocation_index(spirv_reader *r)
{
    const uint32_t *size = r->f->shader.workgroup_size;
    if (size[0] == 1 && size[1] == 1 && size[2] == 1)
        return spirv_imm(r, 32, 0);
    if (size[1] == 1 && size[2] == 1)
        return local_invocation_id(r)[0];
    return intrinsic(r, IR_load_local_invocation_index, IR_I32);
}

/* WorkgroupId * WorkgroupSize + LocalInvocationId. */
static ir_ref *
global_invocation_id(spirv_reader *r)
{
    ir_ref group = intrinsic(r, IR_load_workgroup_id, IR_TYPE(32, 3));
    ir_ref *local = local_invocation_id(r), *leaf = spirv_new_leaves(r, 3);
    for (unsigned d = 0; d < 3; d++) {
        ir_ref size = spirv_imm(r, 32, r->f->shader.workgroup_size[d]);
        ir_ref first = irb_imul(&r->b, ir_comp(group, d), size);
        leaf[d] = irb_iadd(&r->b, first, local[d]);
    }
    return leaf;
}

static ir_ref *
workgroup_size(spirv_reader *r)
{
    ir_ref *leaf = spirv_new_leaves(r, 3);
    for (unsigned d = 0; d < 3; d++)
        leaf[d] = spirv_imm(r, 32, r->f->shader.workgroup_size[d]);
    return leaf;
}

/* ---- subgroups ---- */

static ir_ref
subgroup_size(spirv_reader *r)
{
    if (r->opt->subgroup_size)
        return spirv_imm(r, 32, r->opt->subgroup_size);
    return intrinsic(r, IR_load_subgroup_size, IR_I32);
}

/* The bits of 64 lanes from number `first` on that the mask has. Once the number of lanes is known,
 * lanes that do not exist cost nothing. */
static ir_ref
half_mask(spirv_reader *r, uint32_t builtin, ir_ref lane, unsigned first)
{
    ir_builder *b = &r->b;
    bool is_eq = builtin == SPIRV_BUILTIN_SUBGROUP_EQ_MASK,
         is_lt = builtin == SPIRV_BUILTIN_SUBGROUP_LT_MASK,
         is_le = builtin == SPIRV_BUILTIN_SUBGROUP_LE_MASK,
         is_ge = builtin == SPIRV_BUILTIN_SUBGROUP_GE_MASK;
    uint64_t bits = is_eq ? 1 : is_lt || is_ge ? ~UINT64_C(0) : ~UINT64_C(1);
    const ir_ref none = spirv_imm(r, 64, 0), all = spirv_imm(r, 64, ~UINT64_C(0));
    ir_ref mask = irb_ishl(b, spirv_imm(r, 64, bits), lane);
    if (r->opt->subgroup_size > 64) { /* the lane is in this half, or in the other one */
        ir_ref here = irb_ieq(b, irb_iand(b, lane, spirv_imm(r, 32, 64)), spirv_imm(r, 32, first));
        mask = irb_bcsel(b, here, mask, first && !is_eq ? all : none);
    }
    if (is_lt || is_le)
        mask = irb_inot(b, mask);
    if (r->opt->subgroup_size > 64)
        return mask;
    ir_ref above = irb_isub(b, spirv_imm(r, 32, 64), subgroup_size(r));
    return irb_iand(b, mask, irb_ushr(b, all, above));
}

/* Masks of the existing lanes that are equal to, at or above, above, at or below, or below this
 * lane. */
static ir_ref *
subgroup_mask(spirv_reader *r, uint32_t builtin)
{
    ir_builder *b = &r->b;
    ir_ref lane = intrinsic(r, IR_load_subgroup_invocation, IR_I32);
    ir_ref *leaf = spirv_new_leaves(r, 4);
    leaf[2] = leaf[3] = spirv_imm(r, 32, 0);
    for (unsigned first = 0; first == 0 || first < r->opt->subgroup_size; first += 64) {
        ir_ref mask = half_mask(r, builtin, lane, first);
        leaf[first / 32] = irb_unpack_64_2x32_x(b, mask);
        leaf[first / 32 + 1] = irb_unpack_64_2x32_y(b, mask);
    }
    return leaf;
}

static bool
shows_wave_size(uint32_t builtin)
{
    return (builtin >= SPIRV_BUILTIN_SUBGROUP_SIZE &&
            builtin <= SPIRV_BUILTIN_SUBGROUP_INVOCATION) ||
           (builtin >= SPIRV_BUILTIN_SUBGROUP_EQ_MASK && builtin <= SPIRV_BUILTIN_SUBGROUP_LT_MASK);
}

static ir_ref
scalar_builtin(spirv_reader *r, uint32_t builtin)
{
    switch (builtin) {
    case SPIRV_BUILTIN_LOCAL_INVOCATION_INDEX: return local_invocation_index(r);
    case SPIRV_BUILTIN_SUBGROUP_SIZE: return subgroup_size(r);
    case SPIRV_BUILTIN_NUM_SUBGROUPS: return intrinsic(r, IR_load_num_subgroups, IR_I32);
    case SPIRV_BUILTIN_SUBGROUP_ID: return intrinsic(r, IR_load_subgroup_id, IR_I32);
    case SPIRV_BUILTIN_SUBGROUP_INVOCATION:
        return intrinsic(r, IR_load_subgroup_invocation, IR_I32);
    case SPIRV_BUILTIN_DEVICE_INDEX: return spirv_imm(r, 32, 0);
    default: spirv_unsupported(r, "built-in %u", builtin);
    }
}

static ir_ref *
find_builtin(spirv_reader *r, uint32_t builtin)
{
    switch (builtin) {
    case SPIRV_BUILTIN_NUM_WORKGROUPS:
        return three(r, intrinsic(r, IR_load_num_workgroups, IR_TYPE(32, 3)));
    case SPIRV_BUILTIN_WORKGROUP_ID:
        return three(r, intrinsic(r, IR_load_workgroup_id, IR_TYPE(32, 3)));
    case SPIRV_BUILTIN_LOCAL_INVOCATION_ID: return local_invocation_id(r);
    case SPIRV_BUILTIN_GLOBAL_INVOCATION_ID: return global_invocation_id(r);
    case SPIRV_BUILTIN_WORKGROUP_SIZE: return workgroup_size(r);
    case SPIRV_BUILTIN_SUBGROUP_EQ_MASK:
    case SPIRV_BUILTIN_SUBGROUP_GE_MASK:
    case SPIRV_BUILTIN_SUBGROUP_GT_MASK:
    case SPIRV_BUILTIN_SUBGROUP_LE_MASK:
    case SPIRV_BUILTIN_SUBGROUP_LT_MASK: return subgroup_mask(r, builtin);
    default: break;
    }
    ir_ref *leaf = spirv_new_leaves(r, 1);
    *leaf = scalar_builtin(r, builtin);
    return leaf;
}

static uint32_t
builtin_leaves(uint32_t builtin)
{
    if (builtin >= SPIRV_BUILTIN_NUM_WORKGROUPS && builtin <= SPIRV_BUILTIN_GLOBAL_INVOCATION_ID)
        return 3;
    return builtin >= SPIRV_BUILTIN_SUBGROUP_EQ_MASK && builtin <= SPIRV_BUILTIN_SUBGROUP_LT_MASK
               ? 4
               : 1;
}

ir_ref *
spirv_builtin(spirv_reader *r, const spirv_var *v)
{
    if (v->builtin == UINT32_MAX)
        spirv_unsupported(r, "stage inputs");
    ir_ref *leaf = find_builtin(r, v->builtin);
    const spirv_type *t = spirv_scalar_of(v->type);
    if (!t || t->kind != SPIRV_INT || t->bits != 32 ||
        v->type->leaves != builtin_leaves(v->builtin))
        spirv_invalid(r, "built-in %u has the wrong type", v->builtin);
    r->f->shader.uses_subgroups |= shows_wave_size(v->builtin);
    return leaf;
}

/* ---- vertex and fragment shaders ---- */

/* A built-in that is an instruction's result. */
typedef struct stage_input {
    uint32_t builtin;
    ir_stage stage;
    ir_op op;
    uint8_t kind; /* spirv_kind */
    uint8_t n;
} stage_input;

static const stage_input stage_inputs[] = {
    {SPIRV_BUILTIN_VERTEX_INDEX, IR_STAGE_VERTEX, IR_load_vertex_index, SPIRV_INT, 1},
    {SPIRV_BUILTIN_INSTANCE_INDEX, IR_STAGE_VERTEX, IR_load_instance_index, SPIRV_INT, 1},
    {SPIRV_BUILTIN_BASE_VERTEX, IR_STAGE_VERTEX, IR_load_base_vertex, SPIRV_INT, 1},
    {SPIRV_BUILTIN_BASE_INSTANCE, IR_STAGE_VERTEX, IR_load_base_instance, SPIRV_INT, 1},
    {SPIRV_BUILTIN_DRAW_INDEX, IR_STAGE_VERTEX, IR_load_draw_index, SPIRV_INT, 1},
    {SPIRV_BUILTIN_VIEW_INDEX, IR_STAGE_VERTEX, IR_load_view_index, SPIRV_INT, 1},
    {SPIRV_BUILTIN_VIEW_INDEX, IR_STAGE_FRAGMENT, IR_load_view_index, SPIRV_INT, 1},
    {SPIRV_BUILTIN_FRAG_COORD, IR_STAGE_FRAGMENT, IR_load_frag_coord, SPIRV_FLOAT, 4},
    {SPIRV_BUILTIN_POINT_COORD, IR_STAGE_FRAGMENT, IR_load_point_coord, SPIRV_FLOAT, 2},
    {SPIRV_BUILTIN_FRONT_FACING, IR_STAGE_FRAGMENT, IR_load_front_face, SPIRV_BOOL, 1},
    {SPIRV_BUILTIN_SAMPLE_ID, IR_STAGE_FRAGMENT, IR_load_sample_id, SPIRV_INT, 1},
    {SPIRV_BUILTIN_SAMPLE_POSITION, IR_STAGE_FRAGMENT, IR_load_sample_pos, SPIRV_FLOAT, 2},
    {SPIRV_BUILTIN_SAMPLE_MASK, IR_STAGE_FRAGMENT, IR_load_sample_mask_in, SPIRV_INT, 1},
    {SPIRV_BUILTIN_FULLY_COVERED, IR_STAGE_FRAGMENT, IR_load_fully_covered, SPIRV_BOOL, 1},
    {SPIRV_BUILTIN_SHADING_RATE, IR_STAGE_FRAGMENT, IR_load_shading_rate, SPIRV_INT, 1},
    {SPIRV_BUILTIN_FRAG_SIZE, IR_STAGE_FRAGMENT, IR_load_frag_size, SPIRV_INT, 2},
    {SPIRV_BUILTIN_FRAG_INVOCATION_COUNT, IR_STAGE_FRAGMENT, IR_load_frag_invocations, SPIRV_INT,
     1},
    {SPIRV_BUILTIN_HELPER_INVOCATION, IR_STAGE_FRAGMENT, IR_is_helper_invocation, SPIRV_BOOL, 1},
};

/* The weights of all three vertices. */
static ir_ref *
bary_coord(spirv_reader *r, ir_interp mode)
{
    ir_builder *b = &r->b;
    ir_ref ij = intrinsic(r, IR_load_barycentric, IR_TYPE(32, 2)), *leaf = spirv_new_leaves(r, 3);
    ir_attr_set(ir_built(b), IR_A_INTERP, mode);
    leaf[1] = ir_comp(ij, 0);
    leaf[2] = ir_comp(ij, 1);
    ir_ref others = irb_fsub(b, spirv_fimm(r, 32, 1), leaf[1]);
    leaf[0] = irb_fsub(b, others, leaf[2]);
    return leaf;
}

static ir_ref *
plain_input(spirv_reader *r, const stage_input *in)
{
    unsigned bits = in->kind == SPIRV_BOOL ? 1 : 32;
    ir_ref v = intrinsic(r, in->op, IR_TYPE(bits, in->n)), *leaf = spirv_new_leaves(r, in->n);
    for (unsigned c = 0; c < in->n; c++)
        leaf[c] = in->n == 1 ? v : ir_comp(v, c);
    r->f->shader.fragment.sample_shading |= in->op == IR_load_sample_id ||
                                            in->op == IR_load_sample_pos;
    return leaf;
}

ir_ref *
spirv_stage_builtin(spirv_reader *r, uint32_t builtin, const spirv_type *scalar, uint32_t n)
{
    bool bary = builtin == SPIRV_BUILTIN_BARY_COORD || builtin == SPIRV_BUILTIN_BARY_COORD_NO_PERSP;
    const stage_input *in = NULL;
    for (size_t k = 0; k < sizeof stage_inputs / sizeof *stage_inputs; k++) {
        if (stage_inputs[k].builtin == builtin && stage_inputs[k].stage == r->opt->stage)
            in = &stage_inputs[k];
    }
    spirv_kind kind = in ? (spirv_kind)in->kind : bary ? SPIRV_FLOAT : SPIRV_INT;
    ir_ref *leaf = in     ? plain_input(r, in)
                   : bary ? bary_coord(r, builtin == SPIRV_BUILTIN_BARY_COORD
                                              ? IR_INTERP_smooth
                                              : IR_INTERP_noperspective)
                          : find_builtin(r, builtin);
    uint32_t leaves = in ? in->n : bary ? 3 : builtin_leaves(builtin);
    if (scalar->kind != kind || n != leaves || (kind != SPIRV_BOOL && scalar->bits != 32))
        spirv_invalid(r, "built-in %u has the wrong type", builtin);
    r->f->shader.uses_subgroups |= shows_wave_size(builtin);
    return leaf;
}

/* ---- zeroed workgroup memory ---- */

static void
store_zeros(spirv_reader *r, ir_ref offset)
{
    ir_ref zero[4], refs[2];
    for (unsigned c = 0; c < 4; c++)
        zero[c] = spirv_imm(r, 32, 0);
    refs[0] = ir_build_vec(&r->b, zero, 4);
    refs[1] = offset;
    ir_build_intr(&r->b, IR_store_shared, 0, refs, 2);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_WRITE_MASK, 15);
    ir_attr_set(i, IR_A_ALIGN_MUL, 16);
}

/* Invocation n stores at 16 n, 16 (n + invocations) and so on, in a HIR loop for (o = from + 16 n;
 * o < to; o += 16 invocations) store(o). */
void
spirv_zero_shared(spirv_reader *r, uint32_t from, uint32_t to)
{
    const uint32_t *size = r->f->shader.workgroup_size;
    ir_builder *b = &r->b;
    size_t mark;
    ir_block *before = b->block, *header = ir_block_new(r->f), *next = ir_block_new(r->f);
    ir_block *out = ir_block_new(r->f), *behind = ir_block_new(r->f);
    ir_block *body = ir_block_new(r->f), *merge = ir_block_new(r->f);
    from &= ~15u;
    to = (to + 15u) & ~15u;
    r->f->shader.shared_size = to > r->f->shader.shared_size ? to : r->f->shader.shared_size;
    ir_ref index = local_invocation_index(r);
    ir_ref first = irb_iadd(b, irb_ishl(b, index, spirv_imm(r, 32, 4)), spirv_imm(r, 32, from));
    ir_build_loop(b, header, merge, next);
    ir_builder_open_scope(b);
    mark = r->n_open;
    spirv_open_block(r, header, before);
    ir_instr *phi = ir_build_phi(b, header, IR_I32, 2);
    ir_ref offset = phi->defs[0];
    ir_ref inside = irb_ult(b, offset, spirv_imm(r, 32, to));
    ir_build_if(b, inside, body, out, behind);
    spirv_open_block(r, body, NULL);
    store_zeros(r, offset);
    ir_build_jump(b, behind);
    spirv_open_block(r, out, NULL);
    ir_build_jump(b, merge);
    spirv_open_block(r, behind, header);
    ir_build_jump(b, next);
    spirv_open_block(r, next, header);
    phi->refs[0] = first;
    phi->refs[1] = irb_iadd(b, offset, spirv_imm(r, 32, 16 * size[0] * size[1] * size[2]));
    ir_build_jump(b, header);
    ir_builder_close_scope(b);
    spirv_close_blocks(r, mark);
    spirv_open_block(r, merge, before);
    spirv_build_barrier(r, IR_SCOPE_workgroup, IR_SCOPE_workgroup, IR_SEM_ACQUIRE | IR_SEM_RELEASE,
                        IR_MODE_SHARED);
}
