/* Transform feedback of vertex shaders: what lower_abi makes of store_xfb.
 *
 * Up to gfx10.3 the hardware vertex stage has streamout: each primitive's vertices are run for it,
 * in order, and a wave is told how many of its first lanes are captured, which vertex its first one
 * is, and where the draw begins in each buffer. Lane l stores at
 *
 *     (index + l) * stride + 4 * offset of the buffer
 *
 * Lanes that are not captured store outside of the buffer, where the hardware drops it. Primitives
 * for which a buffer has no room are not captured. Sources: Mesa's register database
 * (VGT_STRMOUT_*, SPI_SHADER_PGM_RSRC2_VS); what RADV's shaders read (declare_streamout_sgprs,
 * ac_nir_emit_legacy_streamout).
 */
#include "amd/abi/vertex.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"

enum { COUNT_AT = 16, COUNT_BITS = 7, V_SHARP_BYTES = 16 };

/* Behind each buffer, also with an instruction's offset. */
static const uint32_t outside = 1u << 31;

void
amd_abi_scan_capture(amd_abi *a, const ir_instr *i)
{
    amd_abi_vertex *v = a->own;
    if (a->p->stage != AMD_STAGE_VERTEX_VS)
        diag_fail(a->f->ctx->diag, ERR_TARGET_SELECT, a->p->target->name, "transform feedback");
    v->captures = true;
    v->xfb_stride[ir_attr_get(i, IR_A_BINDING)] = ir_attr_get(i, IR_A_RANGE);
}

void
amd_abi_declare_capture(amd_abi *a)
{
    amd_abi_vertex *v = a->own;
    v->xfb_config_arg = amd_abi_add_arg(a, (amd_arg){.kind = AMD_ARG_XFB_CONFIG, .count = 1});
    v->xfb_index_arg = amd_abi_add_arg(a, (amd_arg){.kind = AMD_ARG_XFB_INDEX, .count = 1});
    for (unsigned k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        amd_arg offset = {.kind = AMD_ARG_XFB_OFFSET, .count = 1, .index = (uint16_t)k};
        v->xfb_offset_arg[k] = v->xfb_stride[k] ? amd_abi_add_arg(a, offset) : -1;
    }
}

/* Where the lane stores in the buffer. */
static ir_ref
place_of(amd_abi *a, unsigned buffer)
{
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    ir_ref lane = ir_build_intr(b, IR_load_subgroup_invocation, IR_I32, NULL, 0);
    ir_ref count = irb_ubitfield_extract(b, amd_abi_load_arg(a, v->xfb_config_arg),
                                         amd_abi_imm(a, COUNT_AT), amd_abi_imm(a, COUNT_BITS));
    ir_ref vertex = irb_iadd(b, amd_abi_load_arg(a, v->xfb_index_arg), lane);
    ir_ref start = irb_ishl(b, amd_abi_load_arg(a, v->xfb_offset_arg[buffer]), amd_abi_imm(a, 2));
    ir_ref at = irb_iadd(b, irb_imul(b, vertex, amd_abi_imm(a, v->xfb_stride[buffer])), start);
    return irb_bcsel(b, irb_ult(b, lane, count), at, amd_abi_imm(a, outside));
}

void
amd_abi_capture(amd_abi *a, ir_instr *i)
{
    const amd_abi_vertex *v = a->own;
    ir_builder *b = &a->b;
    unsigned buffer = ir_attr_get(i, IR_A_BINDING);
    ir_ref value = i->refs[0], table, refs[3];
    unsigned n = ir_type_comps(ir_ref_type(a->f, value));
    ir_builder_before(b, i);
    b->loc = i->loc;
    table = amd_abi_whole_address(a, amd_abi_load_arg(a, v->xfb_arg));
    refs[0] = value;
    refs[1] = amd_abi_load_smem(a, IR_TYPE(32, 4), table, amd_abi_imm(a, buffer * V_SHARP_BYTES));
    refs[2] = irb_iadd(b, place_of(a, buffer), amd_abi_imm(a, ir_attr_get(i, IR_A_BASE)));
    ir_build_intr(b, IR_store_ssbo, 0, refs, 3);
    ir_instr *store = ir_built(b);
    ir_attr_set(store, IR_A_WRITE_MASK, (1u << n) - 1);
    ir_attr_set(store, IR_A_ACCESS, IR_ACCESS_NON_TEMPORAL);
    ir_attr_set(store, IR_A_ALIGN_MUL, 4);
    ir_unlink(i);
}

void
amd_abi_set_streamout(amd_abi *a)
{
    const amd_abi_vertex *v = a->own;
    amd_program *p = a->p;
    uint32_t buffers = 0;
    for (unsigned k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (!v->xfb_stride[k])
            continue;
        buffers |= 1u << k;
        amd_set_register_at(p, AMD_HW_VGT_STRMOUT_VTX_STRIDE_0, k * AMD_HW_XFB_DWORDS,
                            v->xfb_stride[k] / 4);
    }
    if (!buffers)
        return;
    amd_set_field(p, AMD_HW_VGT_STRMOUT_CONFIG_STREAMOUT_0_EN, 1);
    amd_set_field(p, AMD_HW_VGT_STRMOUT_BUFFER_CONFIG_STREAM_0_BUFFER_EN, buffers);
}
