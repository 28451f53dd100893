/* What fragment shaders read of the primitive's vertices: parameters, numbered in the order in
 * which the shader reads them first.
 *
 * A parameter has four channels of 32 bits, in the local memory, where the hardware has put what
 * the three vertices' shader wrote, as the first one's value and the differences to it, or, of flat
 * ones, as values. Up to gfx10.3 instructions read it there and interpolate. From gfx11 on it is
 * loaded into the lanes of quads first, value 0 to 2 of the vertices into lanes 0 to 2, so all
 * lanes of the quad must be there: such loads stand where the lanes of a wave run together, before
 * what lets them part. Weights that are computed elsewhere are multiplied there. gfx6 and gfx7 do
 * not interpolate halves of registers: such parameters are flat, and what the three vertices'
 * shader wrote is interpolated in 32 bits.
 *
 * The driver sets SPI_PS_INPUT_CNTL for each parameter from the list of the program and that of the
 * vertices' shader (docs/abi.md).
 */
#include "amd/abi/fragment.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"

/* A component of an input. */
typedef struct channel {
    unsigned param, at;
    unsigned bits; /* of the value: 16 or 32 */
    bool is_float; /* it is interpolated */
} channel;

/* ---- the list ---- */

/* The parameter of a slot and location with these bits of SPI_PS_INPUT_CNTL; appended if it is new.
 */
static unsigned
find_param(amd_abi *a, unsigned slot, unsigned location, uint32_t control)
{
    amd_program *p = a->p;
    for (unsigned n = 0; n < p->n_params; n++) {
        const amd_param *q = &p->params[n];
        if (q->slot == slot && q->location == location && q->control == control)
            return n;
    }
    if (p->n_params == AMD_MAX_PARAMS)
        diag_fail(a->f->ctx->diag, ERR_TARGET_LIMIT, (unsigned long long)p->n_params + 1,
                  "inputs of a fragment shader", p->target->name, (unsigned)AMD_MAX_PARAMS);
    return amd_add_param(
        p, (amd_param){.slot = (uint8_t)slot, .location = (uint8_t)location, .control = control});
}

static uint32_t
field(const amd_abi *a, amd_hw_field f, uint32_t v)
{
    amd_gen gen = a->p->target->gen;
    return amd_hw_field_bits(f, gen > AMD_GFX11_5 ? AMD_GFX11_5 : gen, v);
}

/* Are values of that size interpolated by the hardware? */
static bool
interpolates(const amd_abi *a, unsigned bits)
{
    return bits != 16 || amd_has(a->p->target, interpolates_halves);
}

/* What the load needs of its parameter. */
static uint32_t
control_of(const amd_abi *a, const ir_instr *load)
{
    unsigned bits = ir_type_bits(a->f->values[load->defs[0].id].type);
    if (load->op != IR_load_interpolated_input || !interpolates(a, bits)) {
        uint32_t turned = load->op == IR_load_vertex_input
                              ? field(a, AMD_HW_SPI_PS_INPUT_CNTL_0_ROTATE_PC_PTR, 1)
                              : 0;
        return field(a, AMD_HW_SPI_PS_INPUT_CNTL_0_FLAT_SHADE, 1) | turned;
    }
    return bits == 16 ? field(a, AMD_HW_SPI_PS_INPUT_CNTL_0_FP16_INTERP_MODE, 1) |
                            field(a, AMD_HW_SPI_PS_INPUT_CNTL_0_ATTR0_VALID, 1)
                      : 0;
}

/* ---- one channel ---- */

static ir_ref
prim_mask(amd_abi *a)
{
    return amd_abi_load_arg(a, amd_abi_own_fragment(a)->prim_mask_arg);
}

static ir_ref
build(amd_abi *a, unsigned op, const channel *c, const ir_ref *refs, unsigned n)
{
    ir_ref r = ir_build_intr(&a->b, op, IR_TYPE(c->bits, 1), refs, n);
    ir_attr_set(ir_built(&a->b), IR_A_BASE, c->param);
    ir_attr_set(ir_built(&a->b), IR_A_COMPONENT, c->at);
    a->f->values[r.id].divergent = true;
    return r;
}

static bool
loads_params(const amd_abi *a)
{
    return amd_has(a->p->target, loads_params);
}

static ir_ref
load_lanes(amd_abi *a, const channel *c)
{
    ir_ref mask = prim_mask(a);
    return build(a, AMD_HIR_load_param_amd, c, &mask, 1);
}

/* The value of a vertex from the lanes of a quad. */
static ir_ref
lane_value(amd_abi *a, const channel *c, ir_ref lanes, unsigned vertex)
{
    ir_ref refs[2] = {lanes, amd_abi_imm(a, vertex)};
    ir_ref r = ir_build_intr(&a->b, IR_quad_broadcast, IR_TYPE(c->bits, 1), refs, 2);
    a->f->values[r.id].divergent = true;
    return r;
}

/* The value that vertex `vertex` of the primitive has; of parameters that are not flat, those of 1
 * and 2 are differences to that of 0. */
static ir_ref
vertex_value(amd_abi *a, const channel *c, unsigned vertex)
{
    if (loads_params(a))
        return lane_value(a, c, load_lanes(a, c), vertex);
    ir_ref mask = prim_mask(a);
    channel of_vertex = *c;
    of_vertex.at |= vertex << 4;
    return build(a, AMD_HIR_vertex_param_amd, &of_vertex, &mask, 1);
}

/* ---- places ---- */

/* Goes on before the end of a block in which no lanes are missing, if the load is in another. */
static bool
leave_divergence(amd_abi *a, const ir_instr *load)
{
    ir_block *to = amd_abi_own_fragment(a)->converged[load->block->index];
    if (!loads_params(a) || to == load->block)
        return false;
    ir_builder_before(&a->b, to->last);
    return true;
}

/* The weights that the hardware gives, at the place of the builder; none if they are computed. */
static ir_ref
given_weights(amd_abi *a, ir_ref weights)
{
    const ir_instr *def = a->f->values[weights.id].def;
    if (def->op == AMD_HIR_load_vector_arg_amd)
        return weights;
    return def->op == IR_load_barycentric ? amd_abi_ps_input(a, amd_abi_weights_input(a, def))
                                          : ir_none();
}

/* (value, difference 1, difference 2) at the place of the builder, times weights at the load. */
static ir_ref
interpolate_by_hand(amd_abi *a, const channel *c, const ir_instr *load, ir_ref weights)
{
    ir_builder *b = &a->b;
    ir_ref v[3];
    for (unsigned k = 0; k < 3; k++)
        v[k] = vertex_value(a, c, k);
    ir_builder_before(b, (ir_instr *)load);
    ir_ref r = irb_ffma(b, v[1], ir_comp(weights, 0), v[0]);
    return irb_ffma(b, v[2], ir_comp(weights, 1), r);
}

/* The same of halves that are flat, of which the three are values. */
static ir_ref
interpolate_halves(amd_abi *a, const channel *c, ir_ref weights)
{
    ir_builder *b = &a->b;
    channel word = *c;
    ir_ref v[3];
    word.bits = 32;
    for (unsigned k = 0; k < 3; k++) {
        ir_ref half = ir_build_alu(b, IR_u2u, IR_I16, vertex_value(a, &word, k), ir_none(),
                                   ir_none());
        v[k] = ir_build_alu(b, IR_f2f, IR_I32, half, ir_none(), ir_none());
    }
    ir_ref r = irb_ffma(b, irb_fsub(b, v[1], v[0]), ir_comp(weights, 0), v[0]);
    r = irb_ffma(b, irb_fsub(b, v[2], v[0]), ir_comp(weights, 1), r);
    return ir_build_alu(b, IR_f2f, IR_I16, r, ir_none(), ir_none());
}

static ir_ref
interpolate_loaded(amd_abi *a, const channel *c, ir_ref weights)
{
    ir_ref refs[2] = {load_lanes(a, c), weights};
    ir_ref r = ir_build_intr(&a->b, AMD_HIR_interpolate_loaded_amd, IR_TYPE(c->bits, 1), refs, 2);
    a->f->values[r.id].divergent = true;
    return r;
}

/* Interpolates for the instruction `load`. */
static ir_ref
interpolate(amd_abi *a, const channel *c, const ir_instr *load, ir_ref weights)
{
    if (!interpolates(a, c->bits))
        return interpolate_halves(a, c, weights);
    if (!loads_params(a)) {
        ir_ref refs[2] = {weights, prim_mask(a)};
        return build(a, AMD_HIR_interpolate_amd, c, refs, 2);
    }
    if (!leave_divergence(a, load))
        return interpolate_loaded(a, c, weights);
    ir_ref given = given_weights(a, weights);
    ir_ref r = ir_is_value(given) ? interpolate_loaded(a, c, given)
                                  : interpolate_by_hand(a, c, load, weights);
    ir_builder_before(&a->b, (ir_instr *)load);
    return r;
}

/* A vertex' number that is not a constant chooses among all three. */
static ir_ref
chosen_vertex(amd_abi *a, const channel *c, const ir_instr *load)
{
    uint64_t n;
    ir_ref v[3];
    leave_divergence(a, load);
    bool known = ir_is_const(a->f, load->refs[0], &n);
    for (unsigned k = 0; k < 3; k++) {
        if (!known || (n < 3 ? n : 2) == k)
            v[k] = vertex_value(a, c, k);
    }
    ir_builder_before(&a->b, (ir_instr *)load);
    if (known)
        return v[n < 3 ? n : 2];
    ir_ref one = irb_ieq(&a->b, load->refs[0], amd_abi_imm(a, 1));
    ir_ref zero = irb_ieq(&a->b, load->refs[0], amd_abi_imm(a, 0));
    return irb_bcsel(&a->b, zero, v[0], irb_bcsel(&a->b, one, v[1], v[2]));
}

/* One of 32 or 16 bits. */
static ir_ref
load_channel(amd_abi *a, const channel *c, const ir_instr *load)
{
    a->p->params[c->param].components |= (uint8_t)(1u << c->at);
    if (c->is_float)
        return interpolate(a, c, load, load->refs[0]);
    if (load->op == IR_load_vertex_input)
        return chosen_vertex(a, c, load);
    leave_divergence(a, load);
    ir_ref r = vertex_value(a, c, 0);
    ir_builder_before(&a->b, (ir_instr *)load);
    return r;
}

/* ---- inputs ---- */

/* Dword `word`, counted from the location on, as a value of `bits` bits. */
static ir_ref
load_word(amd_abi *a, const ir_instr *load, unsigned word, unsigned bits)
{
    unsigned slot = ir_attr_get(load, IR_A_SLOT);
    unsigned location = ir_attr_get(load, IR_A_LOCATION) + word / 4;
    bool is_float = load->op == IR_load_interpolated_input;
    channel c = {.at = word % 4, .bits = is_float ? bits : 32, .is_float = is_float};
    c.param = find_param(a, slot, location, control_of(a, load));
    ir_ref r = load_channel(a, &c, load);
    if (c.bits == bits)
        return r;
    return ir_build_alu(&a->b, IR_u2u, IR_TYPE(bits, 1), r, ir_none(), ir_none());
}

ir_ref
amd_abi_load_param(amd_abi *a, const ir_instr *load)
{
    ir_type t = a->f->values[load->defs[0].id].type;
    unsigned bits = ir_type_bits(t), n = ir_type_comps(t), word = ir_attr_get(load, IR_A_COMPONENT);
    ir_ref comps[IR_MAX_COMPS];
    for (unsigned c = 0; c < n; c++) {
        if (bits < 64) {
            comps[c] = load_word(a, load, word++, bits);
            continue;
        }
        ir_ref low = load_word(a, load, word, 32), high = load_word(a, load, word + 1, 32);
        comps[c] = irb_pack_64_2x32(&a->b, low, high);
        word += 2;
    }
    return ir_build_vec(&a->b, comps, n);
}

/* The hardware makes a parameter of the place in a point. */
ir_ref
amd_abi_point_coord(amd_abi *a, const ir_instr *load)
{
    ir_ref comps[2];
    uint32_t control = field(a, AMD_HW_SPI_PS_INPUT_CNTL_0_PT_SPRITE_TEX, 1);
    channel c = {.bits = 32, .is_float = true};
    c.param = find_param(a, IR_SLOT_point_coord, 0, control);
    for (c.at = 0; c.at < 2; c.at++) {
        a->p->params[c.param].components |= (uint8_t)(1u << c.at);
        leave_divergence(a, load);
        ir_ref weights = amd_abi_ps_input(a, AMD_PS_PERSP_CENTER);
        ir_builder_before(&a->b, (ir_instr *)load);
        comps[c.at] = interpolate(a, &c, load, weights);
    }
    return ir_build_vec(&a->b, comps, 2);
}
