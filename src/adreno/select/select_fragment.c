/* What fragment shaders have: varyings, built-in values, derivatives, the end of fragments.
 *
 * All varyings are read in the first block (lower_stage), the last one with (ei). A fragment that
 * is demoted or ended is killed, and goes on as a helper. Where registers come from: stage_io.def;
 * what is in them, and the operations with which drivers read them, is known from turnip's code. */
#include "adreno/select/stage.h"

#include "adreno/target/hir_level.h"

/* ---- varyings ---- */

/* The place of component `at` of a location. */
static ir_ref
place_of(const adreno_sel *s, adreno_io_kind kind, unsigned slot, unsigned location, unsigned at)
{
    const uint32_t row = adreno_io_row(s, kind, slot, location + at / 4);
    return adreno_full(s->p->io[row].at + at % 4u);
}

static ir_ref
pixel_weights(adreno_sel *s)
{
    return adreno_join(s, 2,
                       (ir_ref[]){adreno_io_input(s, ADRENO_IO_IJ_PIXEL, 0),
                                  adreno_io_input(s, ADRENO_IO_IJ_PIXEL, 1)});
}

static ir_ref
flat(adreno_sel *s, unsigned slot, unsigned location, unsigned at)
{
    const unsigned op = s->p->target->flat_op;
    if (adreno_is_no_slot(s, slot))
        return adreno_full(0);
    const ir_ref place = place_of(s, adreno_flat_kind(s), slot, location, at);
    if (op == ADRENO_BARY_F)
        return adreno_op2(s, op, place, pixel_weights(s));
    const ir_ref r = adreno_op1(s, op, place);
    if (op == ADRENO_LDLV)
        adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    return r;
}

static void
select_varying(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i), weights = ir_none();
    const unsigned slot = ir_attr_get(i, IR_A_SLOT), location = ir_attr_get(i, IR_A_LOCATION);
    const unsigned n = adreno_def_parts(s, i);
    const bool half = adreno_def_bits(s, i) == 16;
    if (i->op == IR_load_interpolated_input) {
        const ir_ref ij[2] = {adreno_get_part(s, i->refs[0], 0), adreno_get_part(s, i->refs[0], 1)};
        weights = adreno_join(s, 2, ij);
    }
    if (half && i->op == IR_load_input)
        adreno_sel_unsupported(s, "flat inputs of 16 bits");
    for (unsigned k = 0; k < n; k++) {
        const unsigned at = ir_attr_get(i, IR_A_COMPONENT) + k;
        out[k] = weights.kind == IR_REF_NONE
                     ? flat(s, slot, location, at)
                     : adreno_op2(s, ADRENO_BARY_F,
                                  place_of(s, ADRENO_IO_VARYING, slot, location, at), weights);
        if (half)
            out[k] = adreno_emit_convert(s, IR_BASE_float, IR_BASE_float, true, out[k]);
    }
}

static void
select_point_coord(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i);
    const ir_ref weights = pixel_weights(s);
    for (unsigned k = 0; k < 2; k++) {
        const ir_ref at = place_of(s, ADRENO_IO_VARYING, IR_SLOT_point_coord, 0, k);
        out[k] = adreno_op2(s, ADRENO_BARY_F, at, weights);
    }
}

/* ---- built-in values ---- */

static ir_ref
sample_id(adreno_sel *s)
{
    return adreno_emit_cov(s, ADRENO_U16, ADRENO_U32, ADRENO_F1,
                           adreno_io_input(s, ADRENO_IO_SAMPLE_ID, 0));
}

/* x and y count 1/16 of a pixel. */
static void
select_frag_coord(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i);
    for (unsigned c = 0; c < 2; c++) {
        const ir_ref x = adreno_emit_cov(s, ADRENO_U32, ADRENO_F32, ADRENO_F1,
                                         adreno_io_input(s, ADRENO_IO_XY, c));
        out[c] = adreno_op2(s, ADRENO_MUL_F, x, adreno_float(1.0 / 16));
        out[2 + c] = adreno_io_input(s, ADRENO_IO_ZW, c);
    }
}

ir_ref
adreno_fragment_place(adreno_sel *s, unsigned c)
{
    return adreno_op2(s, ADRENO_SHR_B, adreno_io_input(s, ADRENO_IO_XY, c), adreno_full(4));
}

ir_ref
adreno_fragment_layer(adreno_sel *s)
{
    return flat(s, IR_SLOT_layer, 0, 0);
}

static ir_ref
is_front(adreno_sel *s)
{
    return adreno_compare(s, ADRENO_CMPS_S, ADRENO_EQ, adreno_io_input(s, ADRENO_IO_FACE, 0),
                          adreno_number(0, true));
}

/* rgetpos: the place of a sample, from the pixel's centre. */
static void
sample_place(adreno_sel *s, ir_ref sample, ir_ref out[2])
{
    const ir_ref r = adreno_emit_1(s, ADRENO_RGETPOS, adreno_class(false, 2),
                                   adreno_in_reg(s, sample));
    adreno_mark(s, 2, ADRENO_W_MASK, 3);
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_F32);
    adreno_split(s, r, 2, out);
}

static void
select_sample_pos(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i), at[2];
    sample_place(s, sample_id(s), at);
    for (unsigned c = 0; c < 2; c++)
        out[c] = adreno_op2(s, ADRENO_ADD_F, at[c], adreno_float(0.5));
}

/* Of a fragment for each sample, the mask has that sample alone. */
static ir_ref
sample_mask(adreno_sel *s)
{
    const ir_ref mask = adreno_io_input(s, ADRENO_IO_SAMPLE_MASK_IN, 0);
    if (!adreno_shades_samples(s))
        return mask;
    const ir_ref bit = adreno_op2(s, ADRENO_SHL_B, adreno_full(1), sample_id(s));
    return adreno_op2(s, ADRENO_AND_B, mask, bit);
}

/* ---- derivatives and weights elsewhere ---- */

static ir_ref
quad_op(adreno_sel *s, unsigned op, ir_ref x)
{
    const bool half = adreno_is_half_class(x.rc);
    const ir_ref r = adreno_emit_1(s, op, x.rc, adreno_in_reg(s, x));
    adreno_mark(s, 2, ADRENO_W_MASK, 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, half ? ADRENO_F16 : ADRENO_F32);
    return r;
}

static ir_ref
derivative(adreno_sel *s, const ir_instr *i)
{
    static const uint16_t ops[4] = {ADRENO_P_DSX_FINE, ADRENO_P_DSY_FINE, ADRENO_DSX, ADRENO_DSY};
    return quad_op(s, ops[i->op - IR_ddx_fine], adreno_get(s, i->refs[0]));
}

/* A linear function of the window, at an offset from the pixel's centre. */
static ir_ref
at_offset(adreno_sel *s, ir_ref x, const ir_ref by[2])
{
    const ir_ref dx = quad_op(s, ADRENO_DSX, x), dy = quad_op(s, ADRENO_DSY, x);
    const ir_ref there = adreno_op3(s, ADRENO_MAD_F32, by[0], dx, x);
    return adreno_op3(s, ADRENO_MAD_F32, by[1], dy, there);
}

/* 1 / w at the pixel's centre; where no register has w there, the fragment's place has it. */
static ir_ref
inverse_w(adreno_sel *s)
{
    if (adreno_io_row(s, ADRENO_IO_CENTER_W, 0, 0) == s->p->n_io)
        return adreno_io_input(s, ADRENO_IO_ZW, 1);
    return adreno_op1(s, ADRENO_RCP, adreno_io_input(s, ADRENO_IO_CENTER_W, 0));
}

/* i / w, j / w and 1 / w are linear. */
static void
select_weights_at(adreno_sel *s, const ir_instr *i, const ir_ref by[2])
{
    ir_ref *out = adreno_def(s, i), w = ir_none();
    const bool smooth = ir_attr_get(i, IR_A_INTERP) == IR_INTERP_smooth;
    const adreno_io_kind row = adreno_weights_row(s, i);
    if (smooth)
        w = inverse_w(s);
    for (unsigned c = 0; c < 2; c++) {
        ir_ref x = adreno_io_input(s, row, c);
        if (smooth)
            x = adreno_op2(s, ADRENO_MUL_F, x, w);
        out[c] = at_offset(s, x, by);
    }
    if (!smooth)
        return;
    const ir_ref there = adreno_op1(s, ADRENO_RCP, at_offset(s, w, by));
    for (unsigned c = 0; c < 2; c++)
        out[c] = adreno_op2(s, ADRENO_MUL_F, out[c], there);
}

static void
select_weights(adreno_sel *s, const ir_instr *i)
{
    ir_ref by[2];
    if (i->op == IR_load_barycentric_at_sample)
        sample_place(s, adreno_get(s, i->refs[0]), by);
    else if (i->op == IR_load_barycentric_at_offset)
        for (unsigned c = 0; c < 2; c++)
            by[c] = adreno_get_part(s, i->refs[0], c);
    else {
        for (unsigned c = 0; c < 2; c++)
            adreno_def(s, i)[c] = adreno_io_input(s, adreno_weights_row(s, i), c);
        return;
    }
    select_weights_at(s, i, by);
}

/* ---- the end of fragments ---- */

static void
select_kill(adreno_sel *s, ir_ref where)
{
    adreno_emit_1(s, ADRENO_KILL, 0, adreno_as_predicate(s, where));
}

/* ---- the stage ---- */

/* What is one register; returns NONE for other instructions. */
static ir_ref
select_one(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_front_face: return is_front(s);
    case IR_load_sample_id: return sample_id(s);
    case IR_load_sample_mask_in: return sample_mask(s);
    case IR_is_helper_invocation:
        return adreno_compare(s, ADRENO_CMPS_U, ADRENO_EQ, sample_mask(s), adreno_full(0));
    case IR_load_view_index:
    case IR_load_shading_rate: return adreno_full(0);
    case IR_load_frag_invocations:
        return adreno_full(adreno_shades_samples(s) ? s->p->pipeline->samples : 1);
    case IR_ddx_fine:
    case IR_ddy_fine:
    case IR_ddx_coarse:
    case IR_ddy_coarse: return derivative(s, i);
    default: return ir_none();
    }
}

bool
adreno_select_fragment(adreno_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_barycentric:
    case IR_load_barycentric_at_sample:
    case IR_load_barycentric_at_offset: select_weights(s, i); return true;
    case IR_load_input:
    case IR_load_interpolated_input: select_varying(s, i); return true;
    case IR_load_point_coord: select_point_coord(s, i); return true;
    case IR_load_frag_coord: select_frag_coord(s, i); return true;
    case IR_load_sample_pos: select_sample_pos(s, i); return true;
    case IR_load_frag_size: adreno_def(s, i)[0] = adreno_def(s, i)[1] = adreno_full(1); return true;
    case IR_demote:
    case IR_terminate: select_kill(s, adreno_full(1)); return true;
    case ADRENO_HIR_demote_if_adreno: select_kill(s, adreno_get(s, i->refs[0])); return true;
    case IR_store_output: adreno_select_store(s, i); return true;
    default: return adreno_set_any(s, i, select_one(s, i));
    }
}
