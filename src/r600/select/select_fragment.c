/* What fragment shaders have: parameters, built-in values, the end of fragments.
 *
 * From Evergreen on the program interpolates: INTERP_XY and INTERP_ZW take j in the slots x and z
 * and i in y and w, and read registers in the order VEC_210 alone; INTERP_LOAD_P0 has the provoking
 * vertex' value. Before, parameters are in registers when the program starts. A fragment that is
 * demoted or ended is killed: it goes on for its quad, and exports nothing. Source: what Mesa's
 * r600 driver makes. */
#include "r600/select/stage.h"

enum { VEC_210 = 5, DEPTH_EXPORT = 61, MOST_EXPORTS = FAMILY_COLORS + 2 };

static tree_operand
number(uint32_t n)
{
    return r600_tree_const(n);
}

static bool
interpolates(const r600_sel *s)
{
    return s->p->chip->gen >= R600_GEN_EG;
}

/* ---- rows ---- */

/* Where weights are known that are given, or from which others are found. With a fragment for each
 * sample that is the sample, also for centroids: it is covered, and Vulkan asks of a centroid's
 * place no more ("Interpolation Decorations"). So inputs that are read in both ways are one
 * parameter. */
static uint8_t
place_of(const r600_sel *s, const ir_instr *weights)
{
    const bool is_given = weights->op == IR_load_barycentric;
    const unsigned at = is_given ? ir_attr_get(weights, IR_A_INTERP_AT) : IR_INTERP_AT_pixel;
    return (uint8_t)(r600_shades_samples(s) ? IR_INTERP_AT_sample : at);
}

r600_io_kind
r600_sel_weights_row(const r600_sel *s, const ir_instr *i)
{
    static const r600_io_kind rows[2][3] = {
        {R600_IO_IJ_PIXEL, R600_IO_IJ_CENTROID, R600_IO_IJ_SAMPLE},
        {R600_IO_IJ_LINEAR_PIXEL, R600_IO_IJ_LINEAR_CENTROID, R600_IO_IJ_LINEAR_SAMPLE}};
    return rows[ir_attr_get(i, IR_A_INTERP) == IR_INTERP_noperspective][place_of(s, i)];
}

static const ir_instr *
weights_of(const r600_sel *s, const ir_instr *load)
{
    return s->hir->values[load->refs[0].id].def;
}

/* Is it read at a place that is chosen at run time, which the hardware does not do? */
static bool
is_moved(const r600_sel *s, const ir_instr *i)
{
    return !interpolates(s) && i->op == IR_load_interpolated_input &&
           weights_of(s, i)->op != IR_load_barycentric;
}

/* The row of component `at` of what an instruction reads. How it is interpolated matters where the
 * hardware does it. */
static r600_io_key
varying_key(const r600_sel *s, const ir_instr *i, unsigned at)
{
    r600_io_key key = {.kind = R600_IO_VARYING,
                       .slot = (uint8_t)ir_attr_get(i, IR_A_SLOT),
                       .location = (uint8_t)(ir_attr_get(i, IR_A_LOCATION) + at / 4)};
    if (interpolates(s))
        return key;
    key.interp = R600_IO_FLAT;
    if (i->op == IR_load_interpolated_input) {
        const ir_instr *weights = weights_of(s, i);
        key.interp = (uint8_t)ir_attr_get(weights, IR_A_INTERP);
        key.at = place_of(s, weights);
    }
    return key;
}

static r600_io_key
point_key(const r600_sel *s)
{
    return (r600_io_key){.kind = R600_IO_VARYING,
                         .slot = IR_SLOT_point_coord,
                         .at = interpolates(s) || !r600_shades_samples(s) ? IR_INTERP_AT_pixel
                                                                          : IR_INTERP_AT_sample};
}

static void
need(r600_sel *s, r600_io_kind kind, unsigned mask)
{
    r600_sel_make_row(s, (r600_io_key){.kind = (uint8_t)kind})->mask |= (uint8_t)mask;
}

static void
scan_varying(r600_sel *s, const ir_instr *i)
{
    const unsigned first = ir_attr_get(i, IR_A_COMPONENT);
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    for (unsigned at = first; at < first + n; at++) {
        r600_io *io = r600_sel_make_row(s, varying_key(s, i, at));
        io->mask |= (uint8_t)(1u << at % 4);
        io->is_moved |= is_moved(s, i);
    }
}

void
r600_sel_need_evergreen(r600_sel *s, const char *what)
{
    if (!interpolates(s))
        r600_sel_lacks(s, what);
}

static void
scan_weights_at(r600_sel *s, const ir_instr *i)
{
    if (interpolates(s))
        need(s, r600_sel_weights_row(s, i), 3);
    if (ir_attr_get(i, IR_A_INTERP) == IR_INTERP_smooth)
        need(s, R600_IO_PLACE, 8);
    if (r600_shades_samples(s))
        need(s, R600_IO_SAMPLE_ID, 8);
}

static r600_io_key
layer_key(const r600_sel *s)
{
    return (r600_io_key){.kind = R600_IO_VARYING,
                         .slot = IR_SLOT_layer,
                         .interp = interpolates(s) ? 0 : R600_IO_FLAT};
}

/* Input attachments are read at the fragment's place, in its layer. */
static void
scan_attachment(r600_sel *s, const ir_instr *i)
{
    if (ir_attr_get(i, IR_A_IMAGE_DIM) != IR_DIM_subpass)
        return;
    need(s, R600_IO_PLACE, 3);
    if (ir_attr_get(i, IR_A_IMAGE_ARRAY))
        r600_sel_make_row(s, layer_key(s))->mask |= 1;
}

static bool
is_weights(const ir_instr *i)
{
    return i->op == IR_load_barycentric || i->op == IR_load_barycentric_at_offset ||
           i->op == IR_load_barycentric_at_sample;
}

/* Before Evergreen nothing has weights: inputs that are loaded by them are interpolated. */
static void
check_weights(r600_sel *s, const ir_instr *i)
{
    if (interpolates(s) || i->op == IR_load_interpolated_input)
        return;
    for (unsigned r = 0; r < i->n_refs; r++) {
        const ir_ref ref = i->refs[r];
        const ir_instr *def = ir_def_of(s->hir, ref);
        if (def && is_weights(def))
            r600_sel_lacks(s, "weights of inputs as numbers");
    }
}

void
r600_scan_fragment(r600_sel *s, const ir_instr *i)
{
    check_weights(s, i);
    switch (i->op) {
    case IR_tex: scan_attachment(s, i); break;
    case IR_load_barycentric:
        if (interpolates(s))
            need(s, r600_sel_weights_row(s, i), 3);
        break;
    case IR_load_barycentric_at_offset:
    case IR_load_barycentric_at_sample: scan_weights_at(s, i); break;
    case IR_load_interpolated_input:
    case IR_load_input: scan_varying(s, i); break;
    case IR_load_point_coord:
        r600_sel_make_row(s, point_key(s))->mask |= 3;
        if (interpolates(s))
            need(s, R600_IO_IJ_PIXEL, 3);
        break;
    case IR_load_frag_coord: need(s, R600_IO_PLACE, 15); break;
    case IR_load_front_face: need(s, R600_IO_FACE, 1); break;
    case IR_load_sample_id:
    case IR_load_sample_pos: need(s, R600_IO_SAMPLE_ID, 8); break;
    case IR_is_helper_invocation:
    case IR_load_sample_mask_in:
        if (interpolates(s))
            need(s, R600_IO_SAMPLE_MASK_IN, 4);
        s->needs_pixel = !interpolates(s);
        if (r600_shades_samples(s))
            need(s, R600_IO_SAMPLE_ID, 8);
        break;
    default: break;
    }
}

/* ---- parameters ---- */

/* Two components of a parameter, from `first` on. */
static void
interpolate(r600_sel *s, const r600_io *io, unsigned first, const tree_operand ij[2],
            tree_operand out[2])
{
    tree_node *n = r600_tree_new(s->p, TREE_ALU);
    n->n = TREE_MAX_SLOTS;
    n->is_pack = true;
    n->bank = 1 + VEC_210;
    n->slots = ARENA_ARRAY(s->p->arena, n->n, tree_slot);
    for (unsigned k = 0; k < n->n; k++) {
        n->slots[k] = (tree_slot){
            .op = first ? R600_INTERP_ZW : R600_INTERP_XY,
            .slot = (uint8_t)k,
            .src = {ij[k & 1 ? 0 : 1],
                    {.kind = TREE_SPECIAL, .id = (R600_SEL_PARAM + io->number) * 4u + k}}};
        if (k != first && k != first + 1)
            continue;
        s->wish = k;
        n->slots[k].def = r600_sel_define(s, n);
        out[k - first] = r600_tree_use(n->slots[k].def);
    }
    r600_tree_append(s->list, n);
}

/* The value of the provoking vertex. */
static tree_operand
load_flat(r600_sel *s, const r600_io *io, unsigned c)
{
    tree_node *n = r600_tree_alu(s->p, R600_INTERP_LOAD_P0);
    n->is_pack = true;
    n->slots->slot = (uint8_t)c;
    n->slots->src[0] = (tree_operand){.kind = TREE_SPECIAL,
                                      .id = (R600_SEL_PARAM + io->number) * 4u + c};
    s->wish = c;
    n->slots->def = r600_sel_define(s, n);
    r600_tree_append(s->list, n);
    return r600_tree_use(n->slots->def);
}

tree_operand
r600_sel_fragment_place(r600_sel *s, unsigned c)
{
    const tree_operand place = r600_sel_row_part(s, R600_IO_PLACE, c);
    return r600_sel_op1(s, R600_FLT_TO_INT, r600_sel_op1(s, R600_TRUNC, place));
}

tree_operand
r600_sel_fragment_layer(r600_sel *s)
{
    return interpolates(s) ? load_flat(s, r600_sel_make_row(s, layer_key(s)), 0)
                           : r600_sel_row(s, layer_key(s))[0];
}

static tree_operand
varying_part(r600_sel *s, const ir_instr *i, unsigned at, tree_operand pair[2])
{
    const r600_io *io = r600_sel_make_row(s, varying_key(s, i, at));
    const unsigned c = at % 4;
    if (is_moved(s, i))
        return r600_sel_input_at(s, weights_of(s, i), (uint32_t)(io - s->program->io), c);
    if (!interpolates(s))
        return r600_sel_row(s, varying_key(s, i, at))[c];
    if (i->op == IR_load_input)
        return load_flat(s, io, c);
    if (!pair[c & 1].kind) {
        const tree_operand ij[2] = {r600_sel_part(s, i->refs[0], 0),
                                    r600_sel_part(s, i->refs[0], 1)};
        interpolate(s, io, c & 2, ij, pair);
    }
    return pair[c & 1];
}

/* Vertex shaders store floats of 16 bits as 32. */
static bool
is_half(const r600_sel *s, const ir_instr *i)
{
    return ir_type_bits(s->hir->values[i->defs[0].id].type) == 16 &&
           (i->op == IR_load_interpolated_input || ir_attr_get(i, IR_A_HALF));
}

static void
select_varying(r600_sel *s, const ir_instr *i)
{
    tree_operand *out = r600_sel_def(s, i), pair[2] = {{0}};
    const ir_ref def = ir_use(s->hir, i->defs[0].id);
    const unsigned first = ir_attr_get(i, IR_A_COMPONENT), n = r600_sel_parts(s, def);
    for (unsigned k = 0; k < n; k++) {
        if (k && (first + k) % 2 == 0)
            pair[0].kind = pair[1].kind = TREE_NONE;
        out[k] = varying_part(s, i, first + k, pair);
    }
    for (unsigned k = 0; k < n && is_half(s, i); k++)
        out[k] = r600_sel_op1(s, R600_FLT32_TO_FLT16, out[k]);
}

static void
select_point_coord(r600_sel *s, const ir_instr *i)
{
    tree_operand *out = r600_sel_def(s, i);
    if (!interpolates(s)) {
        const tree_operand *row = r600_sel_row(s, point_key(s));
        out[0] = row[0];
        out[1] = row[1];
        return;
    }
    const tree_operand *ij = r600_sel_row(s, (r600_io_key){.kind = R600_IO_IJ_PIXEL});
    interpolate(s, r600_sel_make_row(s, point_key(s)), 0, ij, out);
}

/* Before Evergreen nothing reads weights but loads (check_weights), which know them by row. */
static void
select_weights(r600_sel *s, const ir_instr *i)
{
    tree_operand *out = r600_sel_def(s, i);
    for (unsigned c = 0; c < 2; c++)
        out[c] = interpolates(s) ? r600_sel_row_part(s, r600_sel_weights_row(s, i), c)
                                 : (tree_operand){.kind = TREE_UNDEF};
}

/* ---- built-in values ---- */

/* The fourth component is 1 / w; the hardware gives w. */
static void
select_frag_coord(r600_sel *s, const ir_instr *i)
{
    tree_operand *out = r600_sel_def(s, i);
    for (unsigned c = 0; c < 4; c++)
        out[c] = r600_sel_row_part(s, R600_IO_PLACE, c);
    out[3] = r600_sel_op1(s, R600_RECIP_IEEE, out[3]);
}

/* ---- the end of fragments ---- */

static void
kill(r600_sel *s, unsigned op, tree_operand a)
{
    tree_node *n = r600_tree_alu(s->p, op);
    n->slots->src[0] = a;
    n->slots->src[1] = number(0);
    r600_tree_append(s->list, n);
}

/* The depth and others are export 61. Without any export one that is masked ends the fragment. */
void
r600_sel_export_pixels(r600_sel *s)
{
    const r600_program *p = s->program;
    r600_exported list[MOST_EXPORTS] = {{.base = DEPTH_EXPORT}};
    unsigned n = 0;
    for (uint32_t k = 0; k < p->n_io; k++) {
        const unsigned kind = p->io[k].kind;
        if (kind < R600_IO_DEPTH)
            continue;
        list[0].c[kind - R600_IO_DEPTH] = s->io[k][0];
        n = 1;
    }
    for (uint32_t k = 0; k < p->n_io; k++) {
        const r600_io *io = &p->io[k];
        if (io->kind != R600_IO_COLOR && io->kind != R600_IO_SECOND_COLOR)
            continue;
        list[n] = (r600_exported){.base = io->kind == R600_IO_COLOR ? io->location : 1};
        for (unsigned c = 0; c < 4; c++)
            list[n].c[c] = s->io[k][c];
        n++;
    }
    if (!n)
        list[n++].base = 0;
    r600_sel_export(s, list, n);
}

/* ---- the stage ---- */

bool
r600_select_fragment(r600_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_barycentric: select_weights(s, i); return true;
    case IR_load_barycentric_at_offset:
    case IR_load_barycentric_at_sample:
        if (interpolates(s))
            r600_select_weights_at(s, i);
        else
            select_weights(s, i);
        return true;
    case IR_load_input:
    case IR_load_interpolated_input: select_varying(s, i); return true;
    case IR_load_point_coord: select_point_coord(s, i); return true;
    case IR_load_frag_coord: select_frag_coord(s, i); return true;
    case IR_load_front_face:
        *r600_sel_def(s, i) = r600_sel_op2(s, R600_SETGT_DX10,
                                           r600_sel_row_part(s, R600_IO_FACE, 0), number(0));
        return true;
    case IR_load_sample_id: *r600_sel_def(s, i) = r600_sel_sample_id(s); return true;
    case IR_load_sample_pos:
        r600_sel_sample_place(s, r600_sel_sample_id(s), r600_sel_def(s, i));
        return true;
    case IR_load_sample_mask_in: *r600_sel_def(s, i) = r600_sel_sample_mask(s); return true;
    case IR_load_view_index:
    case IR_load_shading_rate: *r600_sel_def(s, i) = number(0); return true;
    case IR_load_frag_invocations:
        *r600_sel_def(s, i) = number(r600_shades_samples(s) ? s->program->pipeline->samples : 1);
        return true;
    case IR_load_frag_size: r600_sel_def(s, i)[0] = r600_sel_def(s, i)[1] = number(1); return true;
    case IR_is_helper_invocation:
        *r600_sel_def(s, i) = r600_sel_op2(
            s, R600_SETE_INT, s->needs_pixel ? s->pixel : r600_sel_sample_mask(s), number(0));
        return true;
    case IR_ddx_fine:
    case IR_ddy_fine:
    case IR_ddx_coarse:
    case IR_ddy_coarse: r600_select_derivative(s, i); return true;
    case IR_demote:
    case IR_terminate: kill(s, R600_KILLE_INT, number(0)); return true;
    default: return false;
    }
}
