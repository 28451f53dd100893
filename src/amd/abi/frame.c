/* The frame of a primitive shader: blocks around the shader's own, and what its waves say to each
 * other. */
#include "amd/abi/frame.h"

void
amd_abi_append_block(amd_abi_frame *f, ir_block *b)
{
    f->blocks = arena_grow(f->a->f->arena, f->blocks, &f->cap_blocks, f->n_blocks + 1,
                           sizeof *f->blocks);
    f->blocks[f->n_blocks++] = b;
}

amd_abi_guard
amd_abi_open_guard(amd_abi_frame *f, ir_ref cond, ir_block *then)
{
    ir_builder *b = &f->a->b;
    amd_abi_guard g = {
        .then = then, .otherwise = ir_block_new(f->a->f), .merge = ir_block_new(f->a->f)};
    ir_build_if(b, cond, g.then, g.otherwise, g.merge);
    amd_abi_append_block(f, g.then);
    ir_builder_at_end(b, g.then);
    return g;
}

void
amd_abi_close_empty_arm(amd_abi_frame *f, const amd_abi_guard *g)
{
    ir_builder *b = &f->a->b;
    amd_abi_append_block(f, g->otherwise);
    ir_builder_at_end(b, g->otherwise);
    ir_build_jump(b, g->merge);
    amd_abi_append_block(f, g->merge);
    ir_builder_at_end(b, g->merge);
}

void
amd_abi_close_guard(amd_abi_frame *f, const amd_abi_guard *g)
{
    ir_build_jump(&f->a->b, g->merge);
    amd_abi_close_empty_arm(f, g);
}

/* ---- the group ---- */

uint32_t
amd_abi_known_vertices(const amd_abi *a)
{
    static const uint8_t vertices[] = {[FAMILY_TOPOLOGY_TRIANGLES] = 3,
                                       [FAMILY_TOPOLOGY_LINES] = 2,
                                       [FAMILY_TOPOLOGY_POINTS] = 1,
                                       [FAMILY_TOPOLOGY_RECTANGLES] = 3};
    const family_pipeline *p = amd_abi_own_vertex(a)->pipeline;
    return p->dynamic & FAMILY_DYNAMIC_TOPOLOGY ? 0 : vertices[p->topology];
}

ir_ref
amd_abi_arg_field(amd_abi *a, int arg, unsigned at, unsigned bits)
{
    return irb_ubitfield_extract(&a->b, amd_abi_load_arg(a, arg), amd_abi_imm(a, at),
                                 amd_abi_imm(a, bits));
}

ir_ref
amd_abi_number_in_group(amd_abi *a)
{
    ir_builder *b = &a->b;
    ir_ref lane = ir_build_intr(b, IR_load_subgroup_invocation, IR_I32, NULL, 0);
    a->f->values[lane.id].divergent = true;
    ir_ref wave = amd_abi_arg_field(a, amd_abi_own_vertex(a)->wave_counts_arg, AMD_WAVE_NUMBER_AT,
                                    AMD_WAVE_NUMBER_BITS);
    return irb_iadd(b, lane, irb_imul(b, wave, amd_abi_imm(a, a->p->wave_size)));
}

uint32_t
amd_abi_reserve_lds(amd_abi *a, uint32_t bytes)
{
    uint32_t *size = a->f->shader.workgroup_size, at = a->p->lds_bytes;
    a->p->lds_bytes += bytes;
    size[0] = AMD_GROUP_VERTICES;
    size[1] = size[2] = 1;
    return at;
}

void
amd_abi_wait_for_group(amd_abi *a)
{
    ir_build_intr(&a->b, IR_barrier, 0, NULL, 0);
    ir_instr *i = ir_built(&a->b);
    ir_attr_set(i, IR_A_EXEC_SCOPE, IR_SCOPE_workgroup);
    ir_attr_set(i, IR_A_SCOPE, IR_SCOPE_workgroup);
    ir_attr_set(i, IR_A_SEMANTICS, IR_SEM_ACQUIRE | IR_SEM_RELEASE);
    ir_attr_set(i, IR_A_MODES, IR_MODE_SHARED);
}
