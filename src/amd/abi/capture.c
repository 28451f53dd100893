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
 *
 * From gfx11 on the shader is a primitive shader, whose vertices several primitives share: they put
 * what is captured into LDS, and capture_primitives.c stores it.
 */
#include "amd/abi/frame.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"

enum { COUNT_AT = 16, COUNT_BITS = 7, V_SHARP_BYTES = 16 };

/* ---- what is captured ---- */

void
amd_abi_scan_capture(amd_abi *a, const ir_instr *i)
{
    amd_abi_vertex *v = a->own;
    uint8_t n = (uint8_t)ir_type_comps(ir_ref_type(a->f, i->refs[0]));
    amd_abi_captured c = {.buffer = (uint8_t)ir_attr_get(i, IR_A_BINDING),
                          .comps = n,
                          .offset = ir_attr_get(i, IR_A_BASE),
                          .place = v->captured_bytes};
    v->captures = true;
    v->xfb_stride[c.buffer] = ir_attr_get(i, IR_A_RANGE);
    v->captured = arena_grow(a->f->arena, v->captured, &v->cap_captured, v->n_captured + 1,
                             sizeof *v->captured);
    v->captured[v->n_captured++] = c;
    v->captured_bytes += 4u * n;
}

void
amd_abi_declare_capture(amd_abi *a)
{
    amd_abi_vertex *v = a->own;
    if (a->p->stage == AMD_STAGE_VERTEX_NGG) {
        amd_abi_reserve_captured(a);
        return;
    }
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
    return irb_bcsel(b, irb_ult(b, lane, count), at, amd_abi_imm(a, AMD_XFB_OUTSIDE));
}

/* ---- stores ---- */

ir_ref
amd_abi_captured_buffer(amd_abi *a, unsigned buffer)
{
    ir_ref table = amd_abi_whole_address(a, amd_abi_load_arg(a, amd_abi_own_vertex(a)->xfb_arg));
    return amd_abi_load_smem(a, IR_TYPE(32, 4), table, amd_abi_imm(a, buffer * V_SHARP_BYTES));
}

void
amd_abi_store_captured(amd_abi *a, ir_ref value, ir_ref buffer, ir_ref at)
{
    ir_ref refs[3] = {value, buffer, at};
    unsigned n = ir_type_comps(ir_ref_type(a->f, value));
    ir_build_intr(&a->b, IR_store_ssbo, 0, refs, 3);
    ir_instr *store = ir_built(&a->b);
    ir_attr_set(store, IR_A_WRITE_MASK, (1u << n) - 1);
    ir_attr_set(store, IR_A_ACCESS, IR_ACCESS_NON_TEMPORAL);
    ir_attr_set(store, IR_A_ALIGN_MUL, 4);
}

void
amd_abi_capture(amd_abi *a, ir_instr *i)
{
    unsigned buffer = ir_attr_get(i, IR_A_BINDING);
    ir_builder_before(&a->b, i);
    a->b.loc = i->loc;
    if (a->p->stage == AMD_STAGE_VERTEX_NGG) {
        amd_abi_keep_captured(a, i);
    } else {
        ir_ref v_sharp = amd_abi_captured_buffer(a, buffer);
        ir_ref at = irb_iadd(&a->b, place_of(a, buffer), amd_abi_imm(a, ir_attr_get(i, IR_A_BASE)));
        amd_abi_store_captured(a, i->refs[0], v_sharp, at);
    }
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
