/* Vertex shaders: their arguments and built-in values.
 *
 * The hardware numbers vertices from 0 in a draw, or gives indices as read, and numbers instances
 * from 0; what a draw adds to them comes in user SGPRs. Where the VGPRs with these numbers are is a
 * property of the generation (docs/abi.md).
 */
#include "amd/abi/vertex.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"
#include "ir/analysis.h"

/* ---- what is used ---- */

static void
scan_input(amd_abi *a, const ir_instr *i)
{
    amd_abi_vertex *v = a->own;
    amd_fetch_rate rate = amd_abi_fetch_rate(a, i);
    if (rate == AMD_FETCH_NONE)
        return;
    v->uses_buffers = true;
    if (rate != AMD_FETCH_INSTANCE)
        v->uses_vertex = v->uses_base_vertex = true;
    if (rate != AMD_FETCH_VERTEX)
        v->uses_base_instance = true;
    if (rate == AMD_FETCH_ANY || (rate == AMD_FETCH_INSTANCE && amd_abi_fetch_needs_id(a, i)))
        v->uses_instance = true;
}

/* Notes which components of inputs are read. */
static void
scan_refs(amd_abi_vertex *v, const ir_fn *f, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (ir_is_value(ref) && f->values[ref.id].def->op == IR_load_input)
            v->used[ref.id] |= (uint8_t)(ref.comp == IR_WHOLE ? 0xff : 1u << ref.comp);
    }
}

/* May a fragment shader read what is stored? */
static bool
is_parameter(const ir_instr *store)
{
    uint32_t slot = ir_attr_get(store, IR_A_SLOT);
    return slot != IR_SLOT_position && slot != IR_SLOT_point_size && slot != IR_SLOT_layer;
}

static void
scan(amd_abi *a, const ir_instr *i)
{
    amd_abi_vertex *v = a->own;
    scan_refs(v, a->f, i);
    v->writes_memory |= ir_has_flag(i, IR_OP_WRITES);
    switch (i->op) {
    case IR_load_input: scan_input(a, i); break;
    case IR_load_vertex_index: v->uses_vertex = v->uses_base_vertex = true; break;
    case IR_load_instance_index: v->uses_instance = v->uses_base_instance = true; break;
    case IR_load_base_vertex: v->uses_base_vertex = true; break;
    case IR_load_base_instance: v->uses_base_instance = true; break;
    case IR_load_draw_index: v->uses_draw = true; break;
    case IR_load_view_index: v->uses_view |= v->pipeline->view_mask != 0; break;
    case IR_store_xfb: amd_abi_scan_capture(a, i); break;
    case IR_store_output:
        v->uses_ring |= amd_has(a->p->target, has_attribute_ring) && is_parameter(i);
        break;
    default: break;
    }
}

/* ---- arguments ---- */

static int
add_sgpr(amd_abi *a, amd_arg_kind kind, bool used)
{
    return used ? amd_abi_add_arg(a, (amd_arg){.kind = (uint8_t)kind, .count = 1}) : -1;
}

static unsigned
count_user_sgprs(const amd_abi *a)
{
    const amd_abi_vertex *v = a->own;
    return v->uses_buffers + v->uses_base_vertex + v->uses_draw + v->uses_base_instance +
           v->uses_view + v->uses_ring + v->captures;
}

static void
declare_user_sgprs(amd_abi *a)
{
    amd_abi_vertex *v = a->own;
    bool is_dynamic = v->pipeline->dynamic & FAMILY_DYNAMIC_VERTEX_INPUT;
    v->buffers_arg = add_sgpr(a, is_dynamic ? AMD_ARG_ATTRIBUTES : AMD_ARG_VERTEX_BUFFERS,
                              v->uses_buffers);
    v->base_vertex_arg = add_sgpr(a, AMD_ARG_BASE_VERTEX, v->uses_base_vertex);
    v->draw_arg = add_sgpr(a, AMD_ARG_DRAW_ID, v->uses_draw);
    v->base_instance_arg = add_sgpr(a, AMD_ARG_BASE_INSTANCE, v->uses_base_instance);
    v->view_arg = add_sgpr(a, AMD_ARG_VIEW_INDEX, v->uses_view);
    v->ring_arg = add_sgpr(a, AMD_ARG_ATTRIBUTE_RING, v->uses_ring);
    v->xfb_arg = add_sgpr(a, AMD_ARG_XFB_BUFFERS, v->captures);
}

static int
place_arg(amd_abi *a, amd_arg_kind kind, bool vgpr, unsigned number)
{
    unsigned reg = (vgpr ? AMD_REG_VGPR0 : AMD_REG_SGPR0) + number;
    return amd_abi_append_arg(
        a->p, (amd_arg){.kind = (uint8_t)kind, .vgpr = vgpr, .count = 1, .reg = (uint16_t)reg});
}

static void
declare_first_sgprs(amd_abi *a)
{
    amd_abi_vertex *v = a->own;
    if (a->p->stage != AMD_STAGE_VERTEX_NGG)
        return;
    v->group_counts_arg = place_arg(a, AMD_ARG_GROUP_COUNTS, false, AMD_NGG_GROUP_COUNTS);
    v->wave_counts_arg = place_arg(a, AMD_ARG_WAVE_COUNTS, false, AMD_NGG_WAVE_COUNTS);
    if (v->uses_ring)
        v->ring_offset_arg = place_arg(a, AMD_ARG_ATTRIBUTE_OFFSET, false,
                                       AMD_NGG_ATTRIBUTE_OFFSET);
}

static void
declare_last_sgprs(amd_abi *a)
{
    if (amd_abi_own_vertex(a)->captures)
        amd_abi_declare_capture(a);
}

static void
declare_vgprs(amd_abi *a)
{
    amd_abi_vertex *v = a->own;
    const amd_target *t = a->p->target;
    bool primitive = a->p->stage == AMD_STAGE_VERTEX_NGG;
    if (primitive)
        v->primitive_arg = place_arg(a, AMD_ARG_PRIMITIVE, true, 0);
    if (primitive && v->uses_primitive_id && !amd_has(t, ngg_packed_index_bits))
        v->third_vertex_arg = place_arg(a, AMD_ARG_THIRD_VERTEX, true, 1);
    if (v->uses_vertex)
        v->vertex_arg = place_arg(a, AMD_ARG_VERTEX_ID, true,
                                  primitive ? amd_has(t, ngg_vertex_vgpr) : 0);
    if (v->uses_instance)
        v->instance_arg = place_arg(a, AMD_ARG_INSTANCE_ID, true,
                                    primitive ? amd_has(t, ngg_instance_vgpr)
                                              : amd_has(t, vs_instance_vgpr));
    if (v->uses_primitive_id)
        v->primitive_id_arg = place_arg(a, AMD_ARG_PRIMITIVE_ID, true,
                                        primitive ? amd_has(t, ngg_primitive_vgpr)
                                                  : amd_has(t, vs_primitive_vgpr));
}

/* ---- built-in values ---- */

ir_ref
amd_abi_vertex_index(amd_abi *a)
{
    const amd_abi_vertex *v = a->own;
    ir_ref id = amd_abi_load_arg(a, v->vertex_arg), base = amd_abi_load_arg(a, v->base_vertex_arg);
    return irb_iadd(&a->b, id, base);
}

ir_ref
amd_abi_instance_index(amd_abi *a)
{
    const amd_abi_vertex *v = a->own;
    ir_ref id = amd_abi_load_arg(a, v->instance_arg);
    return irb_iadd(&a->b, id, amd_abi_load_arg(a, v->base_instance_arg));
}

static ir_ref
lower(amd_abi *a, ir_instr *i)
{
    const amd_abi_vertex *v = a->own;
    switch (i->op) {
    case IR_load_input: return amd_abi_fetch(a, i);
    case IR_store_xfb: amd_abi_capture(a, i); return ir_none();
    case IR_load_vertex_index: return amd_abi_vertex_index(a);
    case IR_load_instance_index: return amd_abi_instance_index(a);
    case IR_load_base_vertex: return amd_abi_load_arg(a, v->base_vertex_arg);
    case IR_load_base_instance: return amd_abi_load_arg(a, v->base_instance_arg);
    case IR_load_draw_index: return amd_abi_load_arg(a, v->draw_arg);
    case IR_load_view_index:
        return v->uses_view ? amd_abi_load_arg(a, v->view_arg) : amd_abi_imm(a, 0);
    default: return ir_none();
    }
}

static void
start(amd_abi *a)
{
    amd_abi_vertex *v = ARENA_NEW(a->f->arena, amd_abi_vertex);
    a->own = v;
    v->pipeline = a->p->pipeline;
    v->used = ARENA_ARRAY(a->f->arena, a->f->n_values, uint8_t);
    v->uses_view = v->pipeline->view_mask != 0; /* the layer that is drawn to */
    v->uses_primitive_id = v->pipeline->has_next &&
                           v->pipeline->next.slots >> IR_SLOT_primitive_id & 1;
    v->uses_ring = v->uses_primitive_id && amd_has(a->p->target, has_attribute_ring);
    if (v->uses_primitive_id && a->p->stage == AMD_STAGE_VERTEX_NGG)
        amd_abi_reserve_primitive_ids(a);
}

static void
finish(amd_abi *a)
{
    amd_abi_lower_outputs(a);
    if (a->p->stage == AMD_STAGE_VERTEX_NGG) {
        amd_abi_frame_primitive_shader(a);
    } else {
        amd_abi_set_streamout(a);
        amd_set_field(a->p, AMD_HW_VGT_SHADER_STAGES_EN_MAX_PRIMGRP_IN_WAVE, 2);
        amd_set_field(a->p, AMD_HW_VGT_SHADER_STAGES_EN_VS_W32_EN, a->p->wave_size == 32);
        if (amd_abi_own_vertex(a)->uses_primitive_id)
            amd_set_field(a->p, AMD_HW_VGT_PRIMITIVEID_EN_PRIMITIVEID_EN, 1);
    }
    ir_compute_divergence(a->f);
}

const amd_abi_stage amd_abi_vertex_stage = {
    .start = start,
    .scan = scan,
    .count_user_sgprs = count_user_sgprs,
    .declare_user_sgprs = declare_user_sgprs,
    .declare_first_sgprs = declare_first_sgprs,
    .declare_last_sgprs = declare_last_sgprs,
    .declare_vgprs = declare_vgprs,
    .lower = lower,
    .finish = finish,
};
