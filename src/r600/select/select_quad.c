/* What depends on a fragment's quad or samples: samples and their places, derivatives, and weights
 * at another place than those that are known, which are linear functions of the window. */
#include "r600/select/stage.h"

#include "base/fp.h"
#include "machine/raster/raster.h"

static tree_operand
number(uint32_t n)
{
    return r600_tree_const(n);
}

/* ---- samples ---- */

tree_operand
r600_sel_sample_id(r600_sel *s)
{
    return r600_sel_row_part(s, R600_IO_SAMPLE_ID, 3);
}

/* Before Evergreen nothing says which samples are covered, but a fetch in VALID_PIXEL_MODE leaves
 * the registers of helpers as they were (so Mesa finds helpers: emit_load_helper_invocation). */
void
r600_sel_find_pixel(r600_sel *s)
{
    enum { FORMAT_32 = 13, NO_INDEX = 2, SELECT_1 = 5, MASKED = 7 };
    tree_vector *v = r600_sel_vector(s, TREE_FETCH, R600_VFETCH);
    tree_node *n = s->list->last;
    n->id = s->p->chip->properties & R600_NO_VTX_CACHE ? R600_TEX : R600_VTX;
    n->bank = 1;
    v->inst.f[R600_F_resource] = R600_RESOURCE_CONSTANT;
    v->inst.f[R600_F_fetch_type] = NO_INDEX;
    v->inst.f[R600_F_format] = FORMAT_32;
    v->inst.f[R600_F_mega_fetch] = 1;
    v->inst.f[R600_F_mega_count] = 3;
    for (unsigned c = 0; c < 4; c++)
        v->inst.f[R600_F_out_sel_x + c] = c ? MASKED : SELECT_1;
    v->src[0] = v->index[0] = number(0);
    s->wish = 0;
    v->def[0] = r600_sel_define(s, n);
    s->pixel = r600_tree_use(v->def[0]);
}

/* The sample, or that which all pixels have. Nothing says which of several are covered. */
static tree_operand
only_sample(r600_sel *s)
{
    const family_pipeline *p = s->program->pipeline;
    if (r600_shades_samples(s))
        return r600_sel_op2(s, R600_LSHL_INT, number(1), r600_sel_sample_id(s));
    if (p->samples > 1 || p->dynamic & FAMILY_DYNAMIC_SAMPLES)
        r600_sel_lacks(s, "which of several samples are covered");
    return number(1);
}

/* Of a fragment for each sample, the mask has that sample alone. */
tree_operand
r600_sel_sample_mask(r600_sel *s)
{
    if (s->needs_pixel)
        return r600_sel_op(s, R600_CNDE_INT, s->pixel, number(0), only_sample(s));
    const tree_operand mask = r600_sel_row_part(s, R600_IO_SAMPLE_MASK_IN, 2);
    return r600_shades_samples(s) ? r600_sel_op2(s, R600_AND_INT, mask, only_sample(s)) : mask;
}

/* Four bits of a number, from bit `shift` on. */
static tree_operand
nibble(r600_sel *s, uint32_t nibbles, tree_operand shift)
{
    if (s->p->chip->gen >= R600_GEN_EG)
        return r600_sel_op(s, R600_BFE_UINT, number(nibbles), shift, number(4));
    return r600_sel_op2(s, R600_AND_INT, r600_sel_op2(s, R600_LSHR_INT, number(nibbles), shift),
                        number(15));
}

/* A sample's place in its pixel. Places of up to 8 samples are a literal for each component, four
 * bits each in 1/16 of a pixel. A sample that is not there has no place in Vulkan, here the middle.
 */
void
r600_sel_sample_place(r600_sel *s, tree_operand sample, tree_operand out[2])
{
    enum { MOST = 8, MIDDLE = 8 };
    const unsigned samples = s->program->pipeline->samples ? s->program->pipeline->samples : 1;
    const mach_sample_place *places = mach_sample_places(samples);
    uint32_t nibbles[2] = {0, 0};
    if (samples > MOST || s->program->pipeline->dynamic & FAMILY_DYNAMIC_SAMPLES)
        r600_sel_lacks(s, "more than 8 samples, or a number that is not known");
    for (unsigned k = 0; k < MOST; k++) {
        nibbles[0] |= (k < samples ? (uint32_t)places[k].x : MIDDLE) << 4 * k;
        nibbles[1] |= (k < samples ? (uint32_t)places[k].y : MIDDLE) << 4 * k;
    }
    const tree_operand shift = r600_sel_op2(s, R600_LSHL_INT, sample, number(2));
    for (unsigned c = 0; c < 2; c++) {
        const tree_operand at = nibble(s, nibbles[c], shift);
        out[c] = r600_sel_op2(s, R600_MUL_IEEE, r600_sel_op1(s, R600_UINT_TO_FLT, at),
                              number(base_f32_bits(1.0f / 16)));
    }
}

/* ---- derivatives ---- */

tree_operand
r600_sel_gradient(r600_sel *s, unsigned op, tree_operand x)
{
    enum { MASKED = 7 };
    tree_vector *v = r600_sel_vector(s, TREE_FETCH, (r600_op)op);
    tree_node *n = s->list->last;
    n->id = R600_TEX;
    v->src[0] = x;
    for (unsigned c = 0; c < 4; c++) {
        v->inst.f[R600_F_out_sel_x + c] = c ? MASKED : 0;
        v->inst.f[R600_F_sel_x + c] = c ? MASKED : 0;
        v->inst.f[R600_F_coord_x + c] = 1; /* not in texels */
    }
    s->wish = 0;
    v->def[0] = r600_sel_define(s, n);
    return r600_tree_use(v->def[0]);
}

void
r600_select_derivative(r600_sel *s, const ir_instr *i)
{
    static const uint16_t ops[4] = {R600_GET_GRADIENTS_H_FINE, R600_GET_GRADIENTS_V_FINE,
                                    R600_GET_GRADIENTS_H, R600_GET_GRADIENTS_V};
    const bool half = r600_sel_bits(s, i->refs[0]) == 16;
    if (i->op == IR_ddx_fine || i->op == IR_ddy_fine)
        r600_sel_need_evergreen(s, "fine derivatives");
    tree_operand x = r600_sel_get(s, i->refs[0]);
    x = r600_sel_widen(s, half ? 16 : 32, IR_BASE_float, x);
    x = r600_sel_gradient(s, ops[i->op - IR_ddx_fine], x);
    *r600_sel_def(s, i) = half ? r600_sel_op1(s, R600_FLT32_TO_FLT16, x) : x;
}

/* ---- weights elsewhere ---- */

static tree_operand
minus(r600_sel *s, tree_operand a, tree_operand b)
{
    b.mods ^= TREE_NEG;
    return r600_sel_op2(s, R600_ADD, a, b);
}

/* The distance from where weights are known. Both places are from the pixel's corner. */
static void
find_distance(r600_sel *s, const ir_instr *i, tree_operand by[2])
{
    const uint32_t half = 0x3f000000, minus_half = 0xbf000000;
    tree_operand known[2] = {number(half), number(half)};
    if (r600_shades_samples(s))
        r600_sel_sample_place(s, r600_sel_sample_id(s), known);
    if (i->op == IR_load_barycentric_at_sample)
        r600_sel_sample_place(s, r600_sel_get(s, i->refs[0]), by);
    for (unsigned c = 0; c < 2; c++) {
        if (i->op == IR_load_barycentric_at_offset && r600_shades_samples(s))
            by[c] = r600_sel_op2(s, R600_ADD, r600_sel_part(s, i->refs[0], c), number(half));
        if (r600_shades_samples(s))
            by[c] = minus(s, by[c], known[c]);
        else if (i->op == IR_load_barycentric_at_offset)
            by[c] = r600_sel_part(s, i->refs[0], c);
        else
            by[c] = r600_sel_op2(s, R600_ADD, by[c], number(minus_half));
    }
}

/* A linear function of the window and its slopes. */
static void
find_slopes(r600_sel *s, tree_operand x, tree_operand out[3])
{
    out[0] = x;
    out[1] = r600_sel_gradient(s, R600_GET_GRADIENTS_H, x);
    out[2] = r600_sel_gradient(s, R600_GET_GRADIENTS_V, x);
}

/* Its value at a distance from where it is known. */
static tree_operand
at_distance(r600_sel *s, const tree_operand x[3], const tree_operand by[2])
{
    const tree_operand there = r600_sel_op(s, R600_MULADD_IEEE, by[0], x[1], x[0]);
    return r600_sel_op(s, R600_MULADD_IEEE, by[1], x[2], there);
}

static void
find_slopes_of_w(r600_sel *s, tree_operand out[3])
{
    find_slopes(s, r600_sel_op1(s, R600_RECIP_IEEE, r600_sel_row_part(s, R600_IO_PLACE, 3)), out);
}

/* i / w, j / w and 1 / w are linear. */
void
r600_select_weights_at(r600_sel *s, const ir_instr *i)
{
    tree_operand *out = r600_sel_def(s, i), by[2] = {{0}}, w[3] = {{0}}, there = {0}, ij[3];
    const bool smooth = ir_attr_get(i, IR_A_INTERP) == IR_INTERP_smooth;
    find_distance(s, i, by);
    if (smooth) {
        find_slopes_of_w(s, w);
        there = r600_sel_op1(s, R600_RECIP_IEEE, at_distance(s, w, by));
    }
    for (unsigned c = 0; c < 2; c++) {
        const tree_operand x = r600_sel_row_part(s, r600_sel_weights_row(s, i), c);
        find_slopes(s, smooth ? r600_sel_op2(s, R600_MUL_IEEE, x, w[0]) : x, ij);
        out[c] = at_distance(s, ij, by);
        out[c] = smooth ? r600_sel_op2(s, R600_MUL_IEEE, out[c], there) : out[c];
    }
}

/* ---- inputs elsewhere ---- */

static bool
is_smooth(const r600_io *io)
{
    return io->interp == IR_INTERP_smooth;
}

/* At the start, where all lanes of a quad execute. An input by w is linear, as a weight is. */
void
r600_sel_find_slopes(r600_sel *s)
{
    const r600_program *p = s->program;
    for (uint32_t k = 0; k < p->n_io; k++) {
        if (!p->io[k].is_moved)
            continue;
        if (!s->moved)
            s->moved = arena_array(s->p->arena, p->n_io, sizeof *s->moved);
        if (is_smooth(&p->io[k]) && !s->moved_w[0].kind)
            find_slopes_of_w(s, s->moved_w);
        for (unsigned c = 0; c < 4; c++) {
            tree_operand x = s->io[k][c];
            if (!(p->io[k].mask >> c & 1))
                continue;
            x = is_smooth(&p->io[k]) ? r600_sel_op2(s, R600_MUL_IEEE, x, s->moved_w[0]) : x;
            find_slopes(s, x, s->moved[k][c]);
        }
    }
}

tree_operand
r600_sel_input_at(r600_sel *s, const ir_instr *weights, uint32_t k, unsigned c)
{
    tree_operand by[2] = {{0}};
    find_distance(s, weights, by);
    const tree_operand there = at_distance(s, s->moved[k][c], by);
    if (!is_smooth(&s->program->io[k]))
        return there;
    return r600_sel_op2(s, R600_MUL_IEEE, there,
                        r600_sel_op1(s, R600_RECIP_IEEE, at_distance(s, s->moved_w, by)));
}
