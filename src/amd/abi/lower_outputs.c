/* Outputs of vertex shaders: what lower_abi makes of their stores, which stand in the block that
 * ends the shader.
 *
 * Positions and what else the fixed functions take are exported to position targets: 0 the
 * position, then, without gaps, point size, layer and viewport, and clip and cull distances four by
 * four. What fragment shaders read are parameters, numbered in the order of their locations, then
 * built-in ones: exports, or from gfx11 on stores to the attribute ring. The layer is none of them:
 * the hardware tells fragment shaders. The driver tells the
 * fragment shader's side which parameter is which (docs/abi.md), so both sides count theirs alone.
 *
 * With a next stage (family_pipeline.next) only what it reads is a parameter, and constants of it
 * which it knows are none.
 */
#include "amd/abi/vertex.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"

#include <string.h>

enum { N_DISTANCES = 8, N_POSITIONS = 4, FORMAT_4COMP = 4 };
#define POSITIVE_INFINITY 0x7f800000u
#define NEGATIVE_ZERO     0x80000000u

/* A vector of components, those of `mask`. */
typedef struct output {
    ir_ref comp[4];
    uint8_t mask;
} output;

typedef struct outputs {
    amd_abi *a;
    output position, misc;
    output distances[2]; /* clip first, then cull */
    output locations[FAMILY_LOCATIONS];
    ir_ref layer, viewport, point_size;
    output clip[2], cull[2];
    ir_instr *last; /* the last store */
    unsigned n_exports;
    ir_instr *exported; /* the last position */
} outputs;

/* ---- gathering ---- */

/* The words of a stored component. Returns their number. */
static unsigned
words_of(outputs *o, ir_ref r, ir_ref words[2])
{
    ir_builder *b = &o->a->b;
    unsigned bits = ir_type_bits(o->a->f->values[r.id].type);
    if (bits == 64) {
        words[0] = irb_unpack_64_2x32_x(b, r);
        words[1] = irb_unpack_64_2x32_y(b, r);
        return 2;
    }
    words[0] = bits == 32 ? r : ir_build_alu(b, IR_u2u, IR_I32, r, ir_none(), ir_none());
    return 1;
}

static void
put(output *to, unsigned at, ir_ref word)
{
    to[at / 4].comp[at % 4] = word;
    to[at / 4].mask |= (uint8_t)(1u << at % 4);
}

/* Where the stored words go; NULL: nowhere. */
static output *
destination(outputs *o, unsigned slot, unsigned location)
{
    switch (slot) {
    case IR_SLOT_location: return location < FAMILY_LOCATIONS ? &o->locations[location] : NULL;
    case IR_SLOT_position: return &o->position;
    case IR_SLOT_clip_distance: return location < 2 ? &o->clip[location] : NULL;
    case IR_SLOT_cull_distance: return location < 2 ? &o->cull[location] : NULL;
    default: return NULL;
    }
}

/* Chips whose fragments are pixels alone have no use for the rate that a primitive asks for. */
static void
check_rate(const outputs *o, const ir_instr *i)
{
    const amd_program *p = o->a->p;
    if (ir_attr_get(i, IR_A_SLOT) != IR_SLOT_shading_rate || !amd_has(p->target, shading_rates))
        return;
    ir_locate(o->a->f, i->loc);
    diag_fail(o->a->f->ctx->diag, ERR_TARGET_SELECT, p->target->name,
              "shading rates of primitives");
}

static void
gather_store(void *user, const ir_instr *i)
{
    outputs *o = user;
    check_rate(o, i);
    ir_ref value = i->refs[0], words[2];
    ir_type t = ir_ref_type(o->a->f, value);
    unsigned slot = ir_attr_get(i, IR_A_SLOT), at = ir_attr_get(i, IR_A_COMPONENT);
    output *to = destination(o, slot, ir_attr_get(i, IR_A_LOCATION));
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        ir_ref one = value.comp == IR_WHOLE ? ir_comp(value, c) : value;
        unsigned n = words_of(o, one, words);
        for (unsigned w = 0; w < n && to; w++, at++)
            put(to, at, words[w]);
    }
    if (slot == IR_SLOT_layer)
        o->layer = words[0];
    if (slot == IR_SLOT_viewport_index)
        o->viewport = words[0];
    if (slot == IR_SLOT_point_size)
        o->point_size = words[0];
}

/* ---- positions ---- */

static ir_ref
vector_of(outputs *o, const output *v)
{
    ir_ref comps[4];
    for (unsigned c = 0; c < 4; c++)
        comps[c] = v->mask >> c & 1 ? v->comp[c] : ir_build_undef(&o->a->b, IR_I32);
    return ir_build_vec(&o->a->b, comps, 4);
}

static ir_instr *
export_vector(outputs *o, unsigned target, const output *v)
{
    ir_ref value = vector_of(o, v);
    ir_build_intr(&o->a->b, AMD_HIR_export_amd, 0, &value, 1);
    ir_attr_set(ir_built(&o->a->b), IR_A_BASE, target);
    ir_attr_set(ir_built(&o->a->b), IR_A_WRITE_MASK, v->mask);
    return ir_built(&o->a->b);
}

static void
export_position(outputs *o, const output *v)
{
    static const amd_hw_field formats[N_POSITIONS] = {
        AMD_HW_SPI_SHADER_POS_FORMAT_POS0_EXPORT_FORMAT,
        AMD_HW_SPI_SHADER_POS_FORMAT_POS1_EXPORT_FORMAT,
        AMD_HW_SPI_SHADER_POS_FORMAT_POS2_EXPORT_FORMAT,
        AMD_HW_SPI_SHADER_POS_FORMAT_POS3_EXPORT_FORMAT,
    };
    amd_set_field(o->a->p, formats[o->n_exports], FORMAT_4COMP);
    o->exported = export_vector(o, AMD_TARGET_POSITION + o->n_exports++, v);
}

/* A position that is not written is that of the origin (as RADV has it). */
static void
complete_position(outputs *o)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(o->position.mask >> c & 1))
            put(&o->position, c, amd_abi_imm(o->a, c == 3 ? 0x3f800000 : 0));
    }
}

/* Point size, layer and viewport: components 0, 2 and 3 of one vector. */
static void
make_misc(outputs *o)
{
    amd_program *p = o->a->p;
    ir_builder *b = &o->a->b;
    bool has_size = ir_is_value(o->point_size), has_layer = ir_is_value(o->layer);
    bool has_viewport = ir_is_value(o->viewport), packs = amd_has(p->target, packs_layer);
    if (has_size)
        put(&o->misc, 0, o->point_size);
    if (has_layer)
        put(&o->misc, 2, o->layer);
    if (has_viewport && packs) {
        ir_ref high = irb_ishl(b, o->viewport, amd_abi_imm(o->a, 16));
        put(&o->misc, 2, has_layer ? irb_ior(b, o->layer, high) : high);
    } else if (has_viewport) {
        put(&o->misc, 3, o->viewport);
    }
    amd_set_field(p, AMD_HW_PA_CL_VS_OUT_CNTL_USE_VTX_POINT_SIZE, has_size);
    amd_set_field(p, AMD_HW_PA_CL_VS_OUT_CNTL_USE_VTX_RENDER_TARGET_INDX, has_layer);
    amd_set_field(p, AMD_HW_PA_CL_VS_OUT_CNTL_USE_VTX_VIEWPORT_INDX, has_viewport);
    amd_set_field(p, AMD_HW_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_VEC_ENA, o->misc.mask != 0);
    amd_set_field(p, AMD_HW_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_SIDE_BUS_ENA, o->misc.mask != 0);
}

/* Is the distance a constant that lies inside, at most on the border? -0 is 0, NaN is none. */
static bool
is_inside(const outputs *o, ir_ref distance)
{
    uint64_t bits = 0;
    return ir_is_const(o->a->f, ir_look_through(o->a->f, distance), &bits) &&
           (bits <= POSITIVE_INFINITY || bits == NEGATIVE_ZERO);
}

/* Appends the distances that may clip or cull to the `n` that are there. Returns how many are there
 * then. One that is never written counts as 0, so it does neither. */
static unsigned
add_distances(outputs *o, const output from[2], unsigned n)
{
    for (unsigned k = 0; k < N_DISTANCES && n < N_DISTANCES; k++) {
        const output *v = &from[k / 4];
        bool written = v->mask >> k % 4 & 1;
        if (written && !is_inside(o, v->comp[k % 4]))
            put(o->distances, n++, v->comp[k % 4]);
    }
    return n;
}

static void
make_distances(outputs *o)
{
    amd_program *p = o->a->p;
    unsigned n_clip = add_distances(o, o->clip, 0), n = add_distances(o, o->cull, n_clip);
    for (unsigned k = 0; k < n; k++) {
        amd_hw_field first = k < n_clip ? AMD_HW_PA_CL_VS_OUT_CNTL_CLIP_DIST_ENA_0
                                        : AMD_HW_PA_CL_VS_OUT_CNTL_CULL_DIST_ENA_0;
        amd_set_field(p, (amd_hw_field)(first + k), 1);
    }
    amd_set_field(p, AMD_HW_PA_CL_VS_OUT_CNTL_VS_OUT_CCDIST0_VEC_ENA, o->distances[0].mask != 0);
    amd_set_field(p, AMD_HW_PA_CL_VS_OUT_CNTL_VS_OUT_CCDIST1_VEC_ENA, o->distances[1].mask != 0);
}

/* What this invocation stored must be in memory before fragments are shaded. */
static void
release_memory(outputs *o)
{
    ir_builder_before(&o->a->b, o->exported);
    ir_build_intr(&o->a->b, IR_barrier, 0, NULL, 0);
    ir_instr *i = ir_built(&o->a->b);
    ir_attr_set(i, IR_A_SCOPE, IR_SCOPE_device);
    ir_attr_set(i, IR_A_SEMANTICS, IR_SEM_RELEASE);
    ir_attr_set(i, IR_A_MODES, IR_MODE_SSBO | IR_MODE_IMAGE);
}

static void
export_positions(outputs *o)
{
    const amd_target *t = o->a->p->target;
    complete_position(o);
    make_misc(o);
    make_distances(o);
    export_position(o, &o->position);
    if (amd_has(t, valid_mask_position))
        ir_attr_set(o->exported, IR_A_BASE,
                    ir_attr_get(o->exported, IR_A_BASE) | AMD_EXPORT_VALID_MASK);
    const output *others[] = {&o->misc, &o->distances[0], &o->distances[1]};
    for (unsigned k = 0; k < 3; k++) {
        if (others[k]->mask)
            export_position(o, others[k]);
    }
    ir_attr_set(o->exported, IR_A_BASE, ir_attr_get(o->exported, IR_A_BASE) | AMD_EXPORT_DONE);
}

/* ---- parameters ---- */

static bool
wants_slot(const outputs *o, unsigned slot)
{
    const family_pipeline *p = amd_abi_own_vertex(o->a)->pipeline;
    return !p->has_next || p->next.slots >> slot & 1;
}

static void
add_param(outputs *o, unsigned slot, unsigned location, const output *v)
{
    if (!v->mask || o->a->p->n_params == AMD_MAX_PARAMS)
        return;
    amd_param param = {.slot = (uint8_t)slot, .location = (uint8_t)location, .components = v->mask};
    unsigned number = amd_add_param(o->a->p, param);
    if (amd_has(o->a->p->target, has_attribute_ring))
        amd_abi_store_attribute(o->a, number, vector_of(o, v));
    else
        export_vector(o, AMD_TARGET_PARAMETER + number, v);
}

static void
add_scalar(outputs *o, unsigned slot, ir_ref r)
{
    output v = {.mask = 1, .comp = {r}};
    if (ir_is_value(r) && wants_slot(o, slot))
        add_param(o, slot, 0, &v);
}

static void
make_params(outputs *o)
{
    for (unsigned k = 0; k < FAMILY_LOCATIONS; k++)
        add_param(o, IR_SLOT_location, k, &o->locations[k]);
    add_scalar(o, IR_SLOT_viewport_index, o->viewport);
    if (amd_abi_own_vertex(o->a)->uses_primitive_id)
        add_scalar(o, IR_SLOT_primitive_id, amd_abi_primitive_id(o->a));
    for (unsigned k = 0; k < 2; k++) {
        if (wants_slot(o, IR_SLOT_clip_distance))
            add_param(o, IR_SLOT_clip_distance, k, &o->clip[k]);
        if (wants_slot(o, IR_SLOT_cull_distance))
            add_param(o, IR_SLOT_cull_distance, k, &o->cull[k]);
    }
}

static void
set_param_registers(amd_program *p)
{
    uint32_t last = p->n_params ? p->n_params - 1 : 0;
    amd_set_field(p, AMD_HW_SPI_VS_OUT_CONFIG_VS_EXPORT_COUNT, last);
    amd_set_field(p, AMD_HW_SPI_VS_OUT_CONFIG_NO_PC_EXPORT, !p->n_params);
    amd_set_field(p, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_VS_EXPORT_COUNT, last);
    amd_set_field(p, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_NO_PC_EXPORT, !p->n_params);
}

/* ---- the whole ---- */

/* Drops the size of points where nothing is drawn as points. */
static void
drop_point_size(outputs *o)
{
    const family_pipeline *p = amd_abi_own_vertex(o->a)->pipeline;
    bool other = p->topology == FAMILY_TOPOLOGY_TRIANGLES || p->topology == FAMILY_TOPOLOGY_LINES;
    uint32_t dynamic = FAMILY_DYNAMIC_TOPOLOGY | FAMILY_DYNAMIC_POLYGON_MODE;
    if (other && p->polygon_mode != FAMILY_POLYGON_POINT && !(p->dynamic & dynamic))
        o->point_size = ir_none();
}

void
amd_abi_lower_outputs(amd_abi *a)
{
    outputs *o = ARENA_NEW(a->f->arena, outputs);
    o->a = a;
    o->layer = o->viewport = o->point_size = ir_none();
    amd_abi_take_outputs(o->a, gather_store, o);
    drop_point_size(o);
    if (amd_abi_own_vertex(a)->pipeline->view_mask)
        o->layer = amd_abi_load_arg(a, amd_abi_own_vertex(a)->view_arg);
    if (amd_has(a->p->target, has_attribute_ring)) {
        make_params(o);
        export_positions(o);
    } else {
        export_positions(o);
        make_params(o);
    }
    bool early = amd_has(a->p->target, params_end_vertices) && !a->p->n_params;
    bool ring = amd_has(a->p->target, has_attribute_ring) && a->p->n_params;
    if (ring || (early && amd_abi_own_vertex(a)->writes_memory))
        release_memory(o);
    set_param_registers(a->p);
}
