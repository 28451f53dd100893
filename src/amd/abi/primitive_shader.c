/* The frame of a vertex shader that runs as a primitive shader (NGG).
 *
 * A group has vertices and the primitives that they make; a lane runs one of each. What a wave
 * does:
 *
 *     the group's first wave: asks for room for the vertices and primitives, where it must
 *     lanes below the wave's number of primitives: export one, as the hardware gives it
 *     lanes below the wave's number of vertices: the shader
 *
 * Primitives are passed through: which vertices make one is in a VGPR, ready to be exported.
 * Sources: RDNA 2 and 3 ISA, "Exporting"; LLVM 19, AMDGPUUsage, "s_sendmsg"; what RADV's code does.
 */
#include "amd/abi/vertex.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"
#include "ir/analysis.h"

enum { GS_ALLOC_REQ = 9 };
enum { COUNT_BITS = 9, VERTICES_AT = 12, PRIMITIVES_AT = 22, PRIMITIVES_IN_M0 = 12 };
enum { WAVE_PRIMITIVES_AT = 8, LANES_AT = 16, WAVE_NUMBER_AT = 24, WAVE_NUMBER_BITS = 4 };
enum { RING_BLOCK_BITS = 15, RING_BLOCK_SHIFT = 9 };

static ir_ref
field(amd_abi *a, int arg, unsigned at, unsigned bits)
{
    return irb_ubitfield_extract(&a->b, amd_abi_load_arg(a, arg), amd_abi_imm(a, at),
                                 amd_abi_imm(a, bits));
}

/* ---- the attribute ring ---- */

void
amd_abi_store_attribute(amd_abi *a, unsigned number, ir_ref value)
{
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    ir_ref at = amd_abi_whole_address(a, amd_abi_load_arg(a, v->ring_arg));
    ir_ref lane = ir_build_intr(b, IR_load_subgroup_invocation, IR_I32, NULL, 0);
    a->f->values[lane.id].divergent = true;
    ir_ref wave = field(a, v->wave_counts_arg, WAVE_NUMBER_AT, WAVE_NUMBER_BITS);
    ir_ref first = irb_imul(b, wave, amd_abi_imm(a, a->p->wave_size));
    ir_ref block = irb_iand(b, amd_abi_load_arg(a, v->ring_offset_arg),
                            amd_abi_imm(a, (1u << RING_BLOCK_BITS) - 1));
    ir_ref refs[4] = {value, amd_abi_load_smem(a, IR_TYPE(32, 4), at, amd_abi_imm(a, 0)),
                      irb_iadd(b, lane, first),
                      irb_ishl(b, block, amd_abi_imm(a, RING_BLOCK_SHIFT))};
    ir_build_intr(b, AMD_HIR_store_attribute_amd, 0, refs, 4);
    ir_attr_set(ir_built(b), IR_A_BASE, number);
}

/* ---- the frame ---- */

typedef struct frame {
    amd_abi *a;
    ir_block **blocks; /* in order */
    size_t n_blocks, cap_blocks;
} frame;

static void
append_block(frame *f, ir_block *b)
{
    f->blocks = arena_grow(f->a->f->arena, f->blocks, &f->cap_blocks, f->n_blocks + 1,
                           sizeof *f->blocks);
    f->blocks[f->n_blocks++] = b;
}

/* An if whose second arm is empty. */
typedef struct guard {
    ir_block *then, *otherwise, *merge;
} guard;

/* Ends the builder's block with an if, and goes on in its arm `then`. */
static guard
open_guard(frame *f, ir_ref cond, ir_block *then)
{
    ir_builder *b = &f->a->b;
    guard g = {.then = then, .otherwise = ir_block_new(f->a->f), .merge = ir_block_new(f->a->f)};
    ir_build_if(b, cond, g.then, g.otherwise, g.merge);
    append_block(f, g.then);
    ir_builder_at_end(b, g.then);
    return g;
}

/* Makes the arm that is empty, and goes on behind the if. */
static void
close_empty_arm(frame *f, const guard *g)
{
    ir_builder *b = &f->a->b;
    append_block(f, g->otherwise);
    ir_builder_at_end(b, g->otherwise);
    ir_build_jump(b, g->merge);
    append_block(f, g->merge);
    ir_builder_at_end(b, g->merge);
}

/* Ends the arm, and goes on behind the if. */
static void
close_guard(frame *f, const guard *g)
{
    ir_build_jump(&f->a->b, g->merge);
    close_empty_arm(f, g);
}

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
allocate(frame *f)
{
    amd_abi *a = f->a;
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    ir_ref wave = field(a, v->wave_counts_arg, WAVE_NUMBER_AT, WAVE_NUMBER_BITS);
    guard g = open_guard(f, irb_ieq(b, wave, amd_abi_imm(a, 0)), ir_block_new(a->f));
    ir_ref vertices = field(a, v->group_counts_arg, VERTICES_AT, COUNT_BITS);
    ir_ref primitives = field(a, v->group_counts_arg, PRIMITIVES_AT, COUNT_BITS);
    ir_ref both = irb_ior(b, vertices, irb_ishl(b, primitives, amd_abi_imm(a, PRIMITIVES_IN_M0)));
    ir_build_intr(b, AMD_HIR_sendmsg_amd, 0, &both, 1);
    ir_attr_set(ir_built(b), IR_A_BASE, GS_ALLOC_REQ);
    close_guard(f, &g);
}

static void
export_primitives(frame *f)
{
    amd_abi *a = f->a;
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    guard g = open_guard(f, lanes_below(a, WAVE_PRIMITIVES_AT), ir_block_new(a->f));
    ir_ref primitive = amd_abi_load_arg(a, v->primitive_arg);
    ir_build_intr(b, AMD_HIR_export_amd, 0, &primitive, 1);
    ir_attr_set(ir_built(b), IR_A_BASE, AMD_TARGET_PRIMITIVE | AMD_EXPORT_DONE);
    ir_attr_set(ir_built(b), IR_A_WRITE_MASK, 1);
    close_guard(f, &g);
}

/* Lets the lanes that have a vertex run the blocks from `body` on. */
static void
run_body(frame *f, ir_block *body, ir_block *end)
{
    amd_abi *a = f->a;
    guard g = open_guard(f, lanes_below(a, 0), body);
    for (size_t k = 1; k < a->f->n_blocks; k++)
        append_block(f, a->f->blocks[k]);
    if (end) {
        ir_unlink(end->last);
        ir_builder_at_end(&a->b, end);
        ir_build_jump(&a->b, g.merge);
    }
    close_empty_arm(f, &g);
    ir_build_return(&a->b);
}

/* ES_EN 2: real; IDX0_EXPORT_FORMAT 1: one component; two groups of primitives in a wave (Mesa 24,
 * radv_pipeline_graphics.c). */
static void
set_registers(amd_program *p)
{
    enum { REAL = 2, ONE_COMPONENT = 1, GROUPS = 2 };
    bool no_message = amd_has(p->target, passes_without_message);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_ES_EN, REAL);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_EN, 1);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN, 1);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG, no_message);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_MAX_PRIMGRP_IN_WAVE, GROUPS);
    amd_set_field(p, AMD_HW_VGT_SHADER_STAGES_EN_GS_W32_EN, p->wave_size == 32);
    amd_set_field(p, AMD_HW_SPI_SHADER_IDX_FORMAT_IDX0_EXPORT_FORMAT, ONE_COMPONENT);
}

void
amd_abi_frame_primitive_shader(amd_abi *a)
{
    ir_fn *fn = a->f;
    frame f = {.a = a};
    ir_instr *at = fn->blocks[0]->first;
    while (at->op == IR_load_const || at->op == IR_undef)
        at = at->next;
    ir_block *end = amd_abi_find_end(fn), *first = fn->blocks[0], *body = ir_split_block(at);
    if (end == first)
        end = body;
    append_block(&f, first);
    ir_builder_at_end(&a->b, first);
    a->b.loc = 0;
    if (!amd_has(a->p->target, passes_without_message))
        allocate(&f);
    export_primitives(&f);
    run_body(&f, body, end);
    fn->blocks = NULL;
    fn->n_blocks = fn->cap_blocks = 0;
    for (size_t k = 0; k < f.n_blocks; k++)
        ir_append_block(fn, f.blocks[k]);
    set_registers(a->p);
    ir_compute_dominance(fn);
    ir_compute_loops(fn);
}
