/* Sampling.
 *
 * Coordinates are where the texture unit takes them (emu/mem/texture.c says it from the hardware's
 * side): x and y, the depth or layer in z, the level or the sample in w, the comparand in w, or in
 * z if w has a level. So what has a layer, a level or its bias, and a comparand is sampled by
 * gradients that give this level. The layer is rounded first. Gradients, and offsets of gathers
 * that are not constants, are set by instructions before.
 *
 * Gathers of integers take nearest texels, half a texel beyond those that they should; Mesa moves
 * the coordinates (r600_nir_lower_int_tg4). */
#include "r600/select/image.h"
#include "r600/select/stage.h"

#include <string.h>

enum { ONE = 0x3f800000, HALF = 0x3f000000, ONE_AND_HALF = 0x3fc00000, EIGHT = 0x41000000 };

/* A texture operation that is being selected. */
typedef struct texture {
    r600_sel *s;
    const ir_instr *i;
    unsigned kind, dim, axes; /* ir_tex_op, ir_dim; coordinates without the layer */
    uint32_t resource;
    tree_operand at[4];
    tree_operand level; /* kind TREE_NONE: the base level, or that of the gradients */
    tree_operand gradient[2][3], offset[3];
    bool is_array, is_shadow, has_gradients, has_offsets;
} texture;

static bool
has(const texture *t, unsigned ref)
{
    return ir_is_value(t->i->refs[ref]);
}

static tree_operand
number(uint32_t bits)
{
    return r600_tree_const(bits);
}

/* ---- coordinates ---- */

static tree_operand
rounded(const texture *t, tree_operand layer)
{
    return r600_sel_op1(t->s, R600_RNDNE, layer);
}

void
r600_sel_project(r600_sel *s, const tree_operand xyz[3], tree_operand out[4])
{
    static const uint8_t sources[2][4] = {{2, 2, 0, 1}, {1, 0, 2, 2}};
    tree_node *n = r600_tree_new(s->p, TREE_ALU);
    n->n = TREE_MAX_SLOTS;
    n->is_pack = true;
    n->slots = ARENA_ARRAY(s->p->arena, TREE_MAX_SLOTS, tree_slot);
    for (unsigned k = 0; k < TREE_MAX_SLOTS; k++) {
        s->wish = k;
        const uint32_t v = r600_sel_define(s, n);
        n->slots[k] = (tree_slot){.op = R600_CUBE,
                                  .slot = (uint8_t)k,
                                  .def = v,
                                  .src = {xyz[sources[0][k]], xyz[sources[1][k]]}};
        out[k] = r600_tree_use(v);
    }
    r600_tree_append(s->list, n);
}

static void
set_cube(texture *t)
{
    tree_operand xyz[3], cube[4];
    for (unsigned c = 0; c < 3; c++)
        xyz[c] = r600_sel_part(t->s, t->i->refs[IR_TEX_COORD], c);
    r600_sel_project(t->s, xyz, cube);
    tree_operand major = cube[2];
    major.mods = TREE_ABS;
    const tree_operand by = r600_sel_op1(t->s, R600_RECIP_IEEE, major);
    t->at[0] = r600_sel_op(t->s, R600_MULADD_IEEE, cube[1], by, number(ONE_AND_HALF));
    t->at[1] = r600_sel_op(t->s, R600_MULADD_IEEE, cube[0], by, number(ONE_AND_HALF));
    t->at[2] = cube[3];
    if (!t->is_array)
        return;
    const tree_operand layer = rounded(t, r600_sel_part(t->s, t->i->refs[IR_TEX_COORD], 3));
    t->at[2] = r600_sel_op(t->s, R600_MULADD_IEEE,
                           r600_sel_op2(t->s, R600_MAX_DX10, layer, number(0)), number(EIGHT),
                           cube[3]);
}

/* An input attachment: x and y count from the fragment's place. */
static void
set_attachment(texture *t)
{
    for (unsigned c = 0; c < 2; c++) {
        const tree_operand by = r600_sel_part(t->s, t->i->refs[IR_TEX_COORD], c);
        const tree_operand at = r600_sel_fragment_place(t->s, c);
        t->at[c] = by.kind == TREE_CONST ? r600_sel_plus(t->s, at, by.id)
                                         : r600_sel_op2(t->s, R600_ADD_INT, at, by);
    }
    if (t->is_array)
        t->at[2] = r600_sel_fragment_layer(t->s);
}

static void
set_coordinates(texture *t)
{
    const bool is_fetch = t->kind == IR_TEX_txf || t->kind == IR_TEX_txf_ms;
    for (unsigned c = 0; c < 4; c++)
        t->at[c] = number(0);
    if (t->dim == IR_DIM_cube) {
        set_cube(t);
        return;
    }
    if (t->dim == IR_DIM_subpass) {
        set_attachment(t);
        return;
    }
    for (unsigned c = 0; c < t->axes; c++)
        t->at[c] = r600_sel_part(t->s, t->i->refs[IR_TEX_COORD], c);
    if (!t->is_array)
        return;
    t->at[2] = r600_sel_part(t->s, t->i->refs[IR_TEX_COORD], t->axes);
    if (!is_fetch)
        t->at[2] = rounded(t, t->at[2]);
}

/* ---- offsets ---- */

/* Offsets in the instruction are halves of texels, from -8 to 7 texels. Returns false if they do
 * not fit. */
static bool
put_offsets(const texture *t, r600_inst *in)
{
    for (unsigned c = 0; c < t->axes; c++) {
        const tree_operand o = r600_sel_part(t->s, t->i->refs[IR_TEX_OFFSET], c);
        const int32_t by = (int32_t)o.id;
        if (o.kind != TREE_CONST || by < -8 || by > 7)
            return false;
        in->f[R600_F_offset_x + c] = (uint32_t)by * 2 & 31;
    }
    return true;
}

/* Offsets of a fetch can be added; others are set before. */
static void
set_offsets(texture *t)
{
    r600_inst unused;
    memset(&unused, 0, sizeof unused);
    if (!has(t, IR_TEX_OFFSET) || put_offsets(t, &unused))
        return;
    for (unsigned c = 0; c < t->axes; c++) {
        const tree_operand by = r600_sel_part(t->s, t->i->refs[IR_TEX_OFFSET], c);
        if (t->kind == IR_TEX_txf || t->kind == IR_TEX_txf_ms)
            t->at[c] = r600_sel_op2(t->s, R600_ADD_INT, t->at[c], by);
        else
            t->offset[c] = by;
    }
    t->has_offsets = t->kind == IR_TEX_tg4;
    if (t->kind != IR_TEX_tg4 && t->kind != IR_TEX_txf && t->kind != IR_TEX_txf_ms)
        r600_sel_lacks(t->s, "offsets of textures that are chosen at run time");
}

/* ---- levels ---- */

static tree_operand
reciprocal_size(const texture *t, unsigned c, tree_operand sizes[4])
{
    return r600_sel_op1(t->s, R600_RECIP_IEEE, r600_sel_op1(t->s, R600_INT_TO_FLT, sizes[c]));
}

/* Gradients of 2^level texels along x and y. */
static void
set_gradients_of_level(texture *t)
{
    tree_operand sizes[4];
    const tree_operand texels = r600_sel_op1(t->s, R600_EXP_IEEE, t->level);
    r600_sel_tex_size(t->s, t->resource, number(0), sizes);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned c = 0; c < 3; c++)
            t->gradient[k][c] = number(0);
    for (unsigned k = 0; k < t->axes && k < 2; k++)
        t->gradient[k][k] = r600_sel_op2(t->s, R600_MUL_IEEE, texels, reciprocal_size(t, k, sizes));
    t->level = (tree_operand){0};
    t->has_gradients = true;
}

/* The coordinates' own gradients times 2^bias, which adds the bias to the level that they give. */
static void
set_biased_gradients(texture *t)
{
    static const uint16_t ops[2] = {R600_GET_GRADIENTS_H, R600_GET_GRADIENTS_V};
    const tree_operand by = r600_sel_op1(t->s, R600_EXP_IEEE, t->level);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned c = 0; c < 3; c++)
            t->gradient[k][c] = c < t->axes
                                    ? r600_sel_op2(t->s, R600_MUL_IEEE,
                                                   r600_sel_gradient(t->s, ops[k], t->at[c]), by)
                                    : number(0);
    t->level = (tree_operand){0};
    t->has_gradients = true;
}

static void
set_gradients(texture *t)
{
    for (unsigned k = 0; k < 2; k++)
        for (unsigned c = 0; c < 3; c++)
            t->gradient[k][c] = c < t->axes ? r600_sel_part(t->s, t->i->refs[IR_TEX_DDX + k], c)
                                            : number(0);
    t->has_gradients = true;
}

static void
set_level(texture *t)
{
    if (t->kind == IR_TEX_txl || t->kind == IR_TEX_txb)
        t->level = r600_sel_get(t->s, t->i->refs[IR_TEX_LOD]);
    if (t->kind == IR_TEX_txl && t->level.kind == TREE_CONST && !(t->level.id << 1))
        t->level = (tree_operand){0};
    if (t->kind == IR_TEX_txd)
        set_gradients(t);
    if (!t->is_shadow || !t->level.kind)
        return;
    const bool is_bias = t->kind == IR_TEX_txb && t->s->hir->shader.stage == IR_STAGE_FRAGMENT;
    if (is_bias && t->dim == IR_DIM_cube)
        r600_sel_lacks(t->s, "a level's bias with a comparison and faces");
    if (is_bias && t->is_array)
        set_biased_gradients(t);
    else if (t->is_array || t->dim == IR_DIM_cube)
        set_gradients_of_level(t);
}

/* ---- instructions ---- */

static unsigned
sampling_op(const texture *t)
{
    const bool is_fragment = t->s->hir->shader.stage == IR_STAGE_FRAGMENT;
    const bool c = t->is_shadow;
    if (t->kind == IR_TEX_tg4 && t->has_offsets)
        return c ? R600_GATHER4_C_O : R600_GATHER4_O;
    if (t->kind == IR_TEX_tg4)
        return c ? R600_GATHER4_C : R600_GATHER4;
    if (t->kind == IR_TEX_lod)
        return R600_GET_LOD;
    if (t->has_gradients)
        return c ? R600_SAMPLE_C_G : R600_SAMPLE_G;
    if (t->kind == IR_TEX_tex && is_fragment)
        return c ? R600_SAMPLE_C : R600_SAMPLE;
    if (t->kind == IR_TEX_txb && is_fragment)
        return c ? R600_SAMPLE_C_LB : R600_SAMPLE_LB;
    if (t->level.kind)
        return c ? R600_SAMPLE_C_L : R600_SAMPLE_L;
    return c ? R600_SAMPLE_C_LZ : R600_SAMPLE_LZ;
}

/* An instruction before the last one, which sets something for it. */
static void
add_before(const texture *t, unsigned op, const tree_operand from[3])
{
    tree_node *n = t->s->list->last;
    tree_vector *sampling = &n->vectors[n->n - 1];
    n->vectors[n->n] = *sampling;
    *sampling = (tree_vector){.inst = {.op = (r600_op)op}};
    sampling->inst.f[R600_F_resource] = t->resource;
    for (unsigned c = 0; c < 4; c++) {
        sampling->inst.f[R600_F_coord_x + c] = 1;
        sampling->inst.f[R600_F_out_sel_x + c] = 7;
        sampling->src[c] = c < 3 && from[c].kind ? from[c] : number(0);
    }
    n->n++;
}

/* Until Evergreen the results of a gather are in another order. */
static void
order_gathered(const texture *t, r600_inst *in)
{
    static const uint8_t places[4] = {1, 2, 0, 3};
    for (unsigned c = 0; c < 4 && t->s->p->chip->gen < R600_GEN_CM; c++)
        in->f[R600_F_out_sel_x + c] = places[c];
    in->f[R600_F_inst_mod] = ir_attr_get(t->i, IR_A_COMPONENT);
}

static void
sample(texture *t, tree_operand out[4])
{
    const unsigned op = sampling_op(t);
    if (t->level.kind)
        t->at[3] = t->level;
    if (t->is_shadow)
        t->at[t->level.kind ? 2 : 3] = r600_sel_get(t->s, t->i->refs[IR_TEX_DREF]);
    const uint32_t sampler =
        r600_sel_bound_as(t->s, t->i->refs[IR_TEX_SAMPLER], R600_BOUND_SAMPLER)->number;
    tree_vector *v = r600_sel_tex(t->s, op, t->resource, out);
    tree_vector *room = ARENA_ARRAY(t->s->p->arena, TREE_MAX_FETCHES, tree_vector);
    v->inst.f[R600_F_sampler] = sampler;
    for (unsigned c = 0; c < 4; c++)
        v->src[c] = t->at[c];
    if (has(t, IR_TEX_OFFSET) && !t->has_offsets)
        put_offsets(t, &v->inst);
    if (t->kind == IR_TEX_tg4)
        order_gathered(t, &v->inst);
    if (t->kind == IR_TEX_lod) { /* the level that is used is the second one */
        v->inst.f[R600_F_out_sel_x] = 1;
        v->inst.f[R600_F_out_sel_x + 1] = 0;
    }
    *room = *v;
    t->s->list->last->vectors = room;
    for (unsigned k = 0; t->has_gradients && k < 2; k++)
        add_before(t, k ? R600_SET_GRADIENTS_V : R600_SET_GRADIENTS_H, t->gradient[k]);
    if (t->has_offsets)
        add_before(t, R600_SET_TEXTURE_OFFSETS, t->offset);
}

static void
fetch(texture *t, tree_operand out[4])
{
    if (t->dim == IR_DIM_buf) {
        r600_sel_texel(t->s, t->resource, t->at[0], out);
        return;
    }
    const unsigned last = t->kind == IR_TEX_txf_ms ? IR_TEX_SAMPLE : IR_TEX_LOD;
    tree_vector *v = r600_sel_tex(t->s, R600_LD, t->resource, out);
    for (unsigned c = 0; c < 4; c++)
        v->src[c] = t->at[c];
    if (has(t, last))
        v->src[3] = r600_sel_get(t->s, t->i->refs[last]);
    if (has(t, IR_TEX_OFFSET))
        put_offsets(t, &v->inst);
}

/* Half a texel back. */
static void
move_gather(texture *t)
{
    tree_operand sizes[4];
    r600_sel_tex_size(t->s, t->resource, number(0), sizes);
    for (unsigned c = 0; c < t->axes && c < 2; c++)
        t->at[c] = r600_sel_op(t->s, R600_MULADD_IEEE, reciprocal_size(t, c, sizes),
                               number(HALF | 0x80000000), t->at[c]);
}

/* The middle of the first of the texels that a coordinate lies between. */
static tree_operand
first_texel(const texture *t, unsigned c, tree_operand size)
{
    const tree_operand texels = r600_sel_op1(t->s, R600_INT_TO_FLT, size);
    tree_operand x = r600_sel_op(t->s, R600_MULADD_IEEE, t->at[c], texels,
                                 number(HALF | 0x80000000));
    x = r600_sel_op1(t->s, R600_FLOOR, x);
    if (has(t, IR_TEX_OFFSET)) {
        const tree_operand by = r600_sel_part(t->s, t->i->refs[IR_TEX_OFFSET], c);
        x = r600_sel_op2(t->s, R600_ADD, x, r600_sel_op1(t->s, R600_INT_TO_FLT, by));
    }
    return r600_sel_op2(t->s, R600_MUL_IEEE, r600_sel_op2(t->s, R600_ADD, x, number(HALF)),
                        r600_sel_op1(t->s, R600_RECIP_IEEE, texels));
}

/* Before Evergreen (R700's FETCH4 is in no source that says the order of its results): each texel
 * is sampled in its middle, where a filter takes nothing of others. */
static void
gather(texture *t, tree_operand out[4])
{
    static const uint8_t places[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const uint32_t sampler =
        r600_sel_bound_as(t->s, t->i->refs[IR_TEX_SAMPLER], R600_BOUND_SAMPLER)->number;
    tree_operand sizes[4], texel[4];
    if (t->dim == IR_DIM_cube) {
        r600_sel_gather_cube(t->s, t->i, t->resource, sampler, out);
        return;
    }
    r600_sel_tex_size(t->s, t->resource, number(0), sizes);
    for (unsigned c = 0; c < 2; c++)
        t->at[c] = first_texel(t, c, sizes[c]);
    if (t->is_shadow)
        t->at[3] = r600_sel_get(t->s, t->i->refs[IR_TEX_DREF]);
    for (unsigned k = 0; k < 4; k++) {
        tree_vector *v = r600_sel_tex(t->s, t->is_shadow ? R600_SAMPLE_C_LZ : R600_SAMPLE_LZ,
                                      t->resource, texel);
        v->inst.f[R600_F_sampler] = sampler;
        for (unsigned c = 0; c < 4; c++)
            v->src[c] = t->at[c];
        for (unsigned c = 0; c < 2; c++)
            v->inst.f[R600_F_offset_x + c] = places[k][c] * 2u; /* halves of texels */
        out[k] = texel[t->is_shadow ? 0 : ir_attr_get(t->i, IR_A_COMPONENT)];
    }
}

void
r600_select_tex(r600_sel *s, const ir_instr *i)
{
    texture t = {.s = s,
                 .i = i,
                 .kind = ir_attr_get(i, IR_A_TEX_OP),
                 .dim = ir_attr_get(i, IR_A_IMAGE_DIM),
                 .is_array = ir_attr_get(i, IR_A_IMAGE_ARRAY)};
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    tree_operand out[4];
    if (has(&t, IR_TEX_MIN_LOD))
        r600_sel_lacks(s, "least levels of textures");
    t.is_shadow = has(&t, IR_TEX_DREF);
    t.axes = r600_sel_axes(t.dim);
    t.resource = R600_RESOURCE_TEXTURE +
                 r600_sel_bound_as(s, i->refs[IR_TEX_IMAGE], R600_BOUND_TEXTURE)->number;
    set_coordinates(&t);
    set_offsets(&t);
    if (t.kind == IR_TEX_txf || t.kind == IR_TEX_txf_ms) {
        fetch(&t, out);
    } else if (t.kind == IR_TEX_tg4 && s->p->chip->gen < R600_GEN_EG) {
        gather(&t, out);
    } else {
        set_level(&t);
        if (t.kind == IR_TEX_tg4 && ir_attr_get(i, IR_A_TEX_TYPE) != IR_BASE_float)
            move_gather(&t);
        sample(&t, out);
    }
    for (unsigned k = 0; k < n && k < 4; k++)
        r600_sel_def(s, i)[k] = out[k];
}
