/* The frame of a vertex shader that runs as a primitive shader (NGG).
 *
 * A group has vertices and the primitives that they make; a lane runs one of each. What a wave
 * does:
 *
 *     the group's first wave: asks for room for the vertices and primitives, where it must
 *     lanes below the wave's number of primitives: export one, as the hardware gives it
 *     lanes below the wave's number of vertices: the shader
 *     transform feedback (capture_primitives.c)
 *
 * Primitives are passed through: which vertices make one is in a VGPR, ready to be exported. Where
 * a fragment shader reads the primitive's number they are not (as RADV has it): the lane of a
 * primitive stores it in LDS, in the place of the vertex that provokes the primitive (the first, or
 * the last one), which provokes no other one, packs the numbers of the vertices, and behind a
 * barrier vertices take it for a parameter.
 * Sources: RDNA 2 and 3 ISA, "Exporting"; LLVM 19, AMDGPUUsage, "s_sendmsg"; what RADV's code does.
 */
#include "amd/abi/frame.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"
#include "ir/analysis.h"

enum { GS_ALLOC_REQ = 9, PRIMITIVES_IN_M0 = 12 };
enum { WAVE_PRIMITIVES_AT = 8, LANES_AT = 16 };
enum { RING_BLOCK_BITS = 15, RING_BLOCK_SHIFT = 9 };
enum { PLACE_SHIFT = 2 /* of a vertex in LDS */ };
enum { HALF = 16, INDEX_BITS = 9, SECOND_AT = 10, THIRD_AT = 20 /* in an exported primitive */ };

/* ---- the attribute ring ---- */

void
amd_abi_store_attribute(amd_abi *a, unsigned number, ir_ref value)
{
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    ir_ref at = amd_abi_whole_address(a, amd_abi_load_arg(a, v->ring_arg));
    ir_ref number_of_vertex = amd_abi_number_in_group(a);
    ir_ref block = irb_iand(b, amd_abi_load_arg(a, v->ring_offset_arg),
                            amd_abi_imm(a, (1u << RING_BLOCK_BITS) - 1));
    ir_ref refs[4] = {value, amd_abi_load_smem(a, IR_TYPE(32, 4), at, amd_abi_imm(a, 0)),
                      number_of_vertex, irb_ishl(b, block, amd_abi_imm(a, RING_BLOCK_SHIFT))};
    ir_build_intr(b, AMD_HIR_store_attribute_amd, 0, refs, 4);
    ir_attr_set(ir_built(b), IR_A_BASE, number);
}

/* ---- numbers of primitives ---- */

void
amd_abi_reserve_primitive_ids(amd_abi *a)
{
    amd_abi_own_vertex(a)->primitive_ids = amd_abi_reserve_lds(a,
                                                               AMD_GROUP_VERTICES << PLACE_SHIFT);
}

/* Of an access to a vertex' place in LDS, the one that was built last. */
static void
set_place(amd_abi *a)
{
    ir_instr *i = ir_built(&a->b);
    ir_attr_set(i, IR_A_BASE, amd_abi_own_vertex(a)->primitive_ids);
    ir_attr_set(i, IR_A_ALIGN_MUL, 1u << PLACE_SHIFT);
    if (ir_attr_has(i, IR_A_WRITE_MASK))
        ir_attr_set(i, IR_A_WRITE_MASK, 1);
}

ir_ref
amd_abi_primitive_id(amd_abi *a)
{
    if (a->p->stage != AMD_STAGE_VERTEX_NGG)
        return amd_abi_load_arg(a, amd_abi_own_vertex(a)->primitive_id_arg);
    ir_ref at = irb_ishl(&a->b, amd_abi_number_in_group(a), amd_abi_imm(a, PLACE_SHIFT));
    ir_ref id = ir_build_intr(&a->b, IR_load_shared, IR_I32, &at, 1);
    set_place(a);
    a->f->values[id.id].divergent = true;
    return id;
}

/* The place in a primitive of the vertex that provokes it: the first or the last one. */
static unsigned
provoking_vertex(const amd_abi *a)
{
    const uint32_t vertices = amd_abi_known_vertices(a);
    const bool last = amd_abi_own_vertex(a)->pipeline->last_provokes;
    if (last && !vertices)
        diag_fail(a->f->ctx->diag, ERR_TARGET_SELECT, a->p->target->name,
                  "numbers of primitives that their last vertex provokes, of any topology");
    return last ? vertices - 1 : 0;
}

/* A vertex of the primitive; its number in the group. */
static ir_ref
vertex_at(amd_abi *a, unsigned k)
{
    const amd_abi_vertex *v = a->own;
    unsigned bits = amd_has(a->p->target, ngg_packed_index_bits);
    if (bits)
        return amd_abi_arg_field(a, v->primitive_arg, k * (bits + 1), bits);
    return k == 2 ? amd_abi_arg_field(a, v->third_vertex_arg, 0, INDEX_BITS)
                  : amd_abi_arg_field(a, v->primitive_arg, k * HALF, INDEX_BITS);
}

static void
store_primitive_id(amd_abi *a)
{
    const amd_abi_vertex *v = a->own;
    ir_ref vertex = vertex_at(a, provoking_vertex(a));
    ir_ref refs[2] = {amd_abi_load_arg(a, v->primitive_id_arg),
                      irb_ishl(&a->b, vertex, amd_abi_imm(a, PLACE_SHIFT))};
    ir_build_intr(&a->b, IR_store_shared, 0, refs, 2);
    set_place(a);
}

ir_ref
amd_abi_packed_primitive(amd_abi *a)
{
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    if (!v->uses_primitive_id || amd_has(a->p->target, ngg_packed_index_bits))
        return amd_abi_load_arg(a, v->primitive_arg);
    ir_ref second = irb_ishl(b, vertex_at(a, 1), amd_abi_imm(a, SECOND_AT)),
           third = irb_ishl(b, vertex_at(a, 2), amd_abi_imm(a, THIRD_AT));
    return irb_ior(b, irb_ior(b, vertex_at(a, 0), second), third);
}

/* ---- the frame ---- */

/* The lanes below the number that begins at bit `at` of the wave's numbers. */
static ir_ref
lanes_below(amd_abi *a, unsigned at)
{
    ir_ref counts = amd_abi_load_arg(a, amd_abi_own_vertex(a)->wave_counts_arg);
    ir_ref count = irb_ishl(&a->b, counts, amd_abi_imm(a, LANES_AT - at));
    ir_ref r = ir_build_intr(&a->b, AMD_HIR_lanes_below_amd, IR_BOOL, &count, 1);
    a->f->values[r.id].divergent = true;
    return r;
}

static void
allocate(amd_abi_frame *f)
{
    amd_abi *a = f->a;
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    ir_ref wave = amd_abi_arg_field(a, v->wave_counts_arg, AMD_WAVE_NUMBER_AT,
                                    AMD_WAVE_NUMBER_BITS);
    amd_abi_guard g = amd_abi_open_guard(f, irb_ieq(b, wave, amd_abi_imm(a, 0)),
                                         ir_block_new(a->f));
    ir_ref vertices = amd_abi_arg_field(a, v->group_counts_arg, AMD_GROUP_VERTICES_AT,
                                        AMD_GROUP_COUNT_BITS);
    ir_ref primitives = amd_abi_arg_field(a, v->group_counts_arg, AMD_GROUP_PRIMITIVES_AT,
                                          AMD_GROUP_COUNT_BITS);
    ir_ref both = irb_ior(b, vertices, irb_ishl(b, primitives, amd_abi_imm(a, PRIMITIVES_IN_M0)));
    ir_build_intr(b, AMD_HIR_sendmsg_amd, 0, &both, 1);
    ir_attr_set(ir_built(b), IR_A_BASE, GS_ALLOC_REQ);
    amd_abi_close_guard(f, &g);
}

static void
export_primitives(amd_abi_frame *f)
{
    amd_abi *a = f->a;
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    amd_abi_guard g = amd_abi_open_guard(f, lanes_below(a, WAVE_PRIMITIVES_AT), ir_block_new(a->f));
    if (v->uses_primitive_id)
        store_primitive_id(a);
    ir_ref primitive = amd_abi_packed_primitive(a);
    ir_build_intr(b, AMD_HIR_export_amd, 0, &primitive, 1);
    ir_attr_set(ir_built(b), IR_A_BASE, AMD_TARGET_PRIMITIVE | AMD_EXPORT_DONE);
    ir_attr_set(ir_built(b), IR_A_WRITE_MASK, 1);
    amd_abi_close_guard(f, &g);
    if (v->uses_primitive_id)
        amd_abi_wait_for_group(a);
}

/* Lets the lanes that have a vertex run the blocks from `body` on. */
static void
run_body(amd_abi_frame *f, ir_block *body, ir_block *end)
{
    amd_abi *a = f->a;
    amd_abi_guard g = amd_abi_open_guard(f, lanes_below(a, 0), body);
    for (size_t k = 1; k < a->f->n_blocks; k++)
        amd_abi_append_block(f, a->f->blocks[k]);
    if (end) {
        ir_unlink(end->last);
        ir_builder_at_end(&a->b, end);
        ir_build_jump(&a->b, g.merge);
    }
    amd_abi_close_empty_arm(f, &g);
    if (amd_abi_own_vertex(a)->captures)
        amd_abi_capture_primitives(f);
    ir_build_return(&a->b);
}

/* Are primitives passed through without a message? */
static bool
needs_no_message(const amd_abi *a)
{
    return amd_has(a->p->target, passes_without_message) &&
           !amd_abi_own_vertex(a)->uses_primitive_id;
}

/* ES_EN 2: real; IDX0_EXPORT_FORMAT 1: one component; two groups of primitives in a wave (Mesa 24,
 * radv_pipeline_graphics.c). */
static void
set_registers(const amd_abi *a)
{
    enum { REAL = 2, ONE_COMPONENT = 1, GROUPS = 2 };
    amd_program *p = a->p;
    bool numbers = amd_abi_own_vertex(a)->uses_primitive_id;
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_ES_EN, REAL);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_EN, 1);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN, !numbers);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG, needs_no_message(a));
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN, amd_abi_own_vertex(a)->captures);
    amd_set_field(p, AMD_HW_VGT_PRIMITIVEID_EN_PRIMITIVEID_EN, numbers);
    amd_set_field(p, AMD_HW_VGT_PRIMITIVEID_EN_NGG_DISABLE_PROVOK_REUSE, numbers);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_MAX_PRIMGRP_IN_WAVE, GROUPS);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_GS_W32_EN, p->wave_size == 32);
    amd_set_field(p, AMD_HW_SPI_SHADER_IDX_FORMAT_IDX0_EXPORT_FORMAT, ONE_COMPONENT);
}

void
amd_abi_frame_primitive_shader(amd_abi *a)
{
    ir_fn *fn = a->f;
    amd_abi_frame f = {.a = a};
    ir_instr *at = fn->blocks[0]->first;
    while (at->op == IR_load_const || at->op == IR_undef)
        at = at->next;
    ir_block *end = amd_abi_find_end(fn), *first = fn->blocks[0], *body = ir_split_block(at);
    if (end == first)
        end = body;
    amd_abi_append_block(&f, first);
    ir_builder_at_end(&a->b, first);
    a->b.loc = 0;
    if (!needs_no_message(a))
        allocate(&f);
    export_primitives(&f);
    run_body(&f, body, end);
    fn->blocks = NULL;
    fn->n_blocks = fn->cap_blocks = 0;
    for (size_t k = 0; k < f.n_blocks; k++)
        ir_append_block(fn, f.blocks[k]);
    set_registers(a);
    ir_compute_dominance(fn);
    ir_compute_loops(fn);
}
