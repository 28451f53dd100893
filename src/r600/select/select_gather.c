/* Gathers from faces of cubes, before Evergreen.
 *
 * The texels between which the coordinates lie are four samples, as those of other images
 * (select_texture.c). One beyond an edge of the face belongs to another face: the direction of its
 * middle says which, and where the nearest texel is there. One beyond a corner does not exist: it
 * is the mean of the other three, or, of integers, that of the face (Vulkan, "Cube Map Corner
 * Texel Selection"). */
#include "r600/select/image.h"

enum { ONE = 0x3f800000, HALF = 0x3f000000, TWO = 0x40000000, FOUR = 0x40800000 };
enum { EIGHT = 0x41000000, THIRD = 0x3eaaaaab, ONE_AND_HALF = 0x3fc00000, GATHERED = 4 };

/* Places of a gather's texels behind the first one, in its order. Opposite ones are two apart. */
static const uint8_t places[GATHERED][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};

typedef struct cube {
    r600_sel *s;
    const ir_instr *i;
    uint32_t resource, sampler;
    tree_operand size, by_size;          /* texels of an edge, and 1 / that */
    tree_operand x_above, y_above, sign; /* of the face: above 0 for an axis x, or x or y */
    tree_operand layer;                  /* 8 times that; kind TREE_NONE: there is none */
    tree_operand first[2];               /* the first texel */
} cube;

static tree_operand
number(uint32_t bits)
{
    return r600_tree_const(bits);
}

static tree_operand
multiply_add(const cube *g, tree_operand a, tree_operand b, tree_operand c)
{
    return r600_sel_op(g->s, R600_MULADD_IEEE, a, b, c);
}

static tree_operand
multiply(const cube *g, tree_operand a, tree_operand b)
{
    return r600_sel_op2(g->s, R600_MUL_IEEE, a, b);
}

static tree_operand
minus(tree_operand a)
{
    a.mods ^= TREE_NEG;
    return a;
}

/* `a` of faces whose axis is x, `b` of those of y, `c` of those of z. */
static tree_operand
choose(const cube *g, tree_operand a, tree_operand b, tree_operand c)
{
    const tree_operand rest = r600_sel_op(g->s, R600_CNDGT, g->y_above, b, c);
    return r600_sel_op(g->s, R600_CNDGT, g->x_above, a, rest);
}

/* A direction's place on its face, from 0 to 1, and the face. */
static void
find_place(const cube *g, const tree_operand xyz[3], tree_operand out[3])
{
    tree_operand c[4];
    r600_sel_project(g->s, xyz, c);
    c[2].mods = TREE_ABS;
    const tree_operand by = r600_sel_op1(g->s, R600_RECIP_IEEE, c[2]);
    out[0] = multiply_add(g, c[1], by, number(HALF));
    out[1] = multiply_add(g, c[0], by, number(HALF));
    out[2] = c[3];
}

static void
open_cube(cube *g)
{
    tree_operand xyz[3], sizes[4], at[3];
    for (unsigned c = 0; c < 3; c++)
        xyz[c] = r600_sel_part(g->s, g->i->refs[IR_TEX_COORD], c);
    find_place(g, xyz, at);
    r600_sel_tex_size(g->s, g->resource, number(0), sizes);
    g->size = r600_sel_op1(g->s, R600_INT_TO_FLT, sizes[0]);
    g->by_size = r600_sel_op1(g->s, R600_RECIP_IEEE, g->size);
    for (unsigned c = 0; c < 2; c++)
        g->first[c] = r600_sel_op1(g->s, R600_FLOOR,
                                   multiply_add(g, at[c], g->size, number(HALF | 0x80000000)));
    g->x_above = r600_sel_op2(g->s, R600_ADD, number(TWO), minus(at[2]));
    g->y_above = r600_sel_op2(g->s, R600_ADD, number(FOUR), minus(at[2]));
    const tree_operand odd = r600_sel_op1(g->s, R600_FRACT, multiply(g, at[2], number(HALF)));
    g->sign = multiply_add(g, odd, number(FOUR | 0x80000000), number(ONE));
    if (!ir_attr_get(g->i, IR_A_IMAGE_ARRAY))
        return;
    const tree_operand layer = r600_sel_op1(g->s, R600_RNDNE,
                                            r600_sel_part(g->s, g->i->refs[IR_TEX_COORD], 3));
    g->layer = multiply(g, r600_sel_op2(g->s, R600_MAX_DX10, layer, number(0)), number(EIGHT));
}

/* The middle of a texel, as a direction. What CUBE makes of one is undone here. */
static void
find_direction(const cube *g, const uint8_t place[2], tree_operand out[3])
{
    tree_operand on[2];
    for (unsigned c = 0; c < 2; c++) {
        const tree_operand middle = r600_sel_op2(g->s, R600_ADD, g->first[c],
                                                 number(place[c] ? ONE_AND_HALF : HALF));
        const tree_operand twice = multiply(g, middle, number(TWO));
        on[c] = multiply_add(g, twice, g->by_size, number(ONE | 0x80000000));
    }
    const tree_operand along = multiply(g, on[0], g->sign);
    out[0] = choose(g, g->sign, on[0], along);
    out[1] = choose(g, minus(on[1]), g->sign, minus(on[1]));
    out[2] = choose(g, minus(along), multiply(g, on[1], g->sign), g->sign);
}

static tree_operand
sample(const cube *g, const uint8_t place[2])
{
    const bool is_shadow = ir_is_value(g->i->refs[IR_TEX_DREF]);
    tree_operand xyz[3], at[3], texel[4];
    find_direction(g, place, xyz);
    find_place(g, xyz, at);
    for (unsigned c = 0; c < 2; c++) {
        const tree_operand whole = r600_sel_op1(g->s, R600_FLOOR, multiply(g, at[c], g->size));
        const tree_operand middle = r600_sel_op2(g->s, R600_ADD, whole, number(HALF));
        at[c] = multiply_add(g, middle, g->by_size, number(ONE));
    }
    at[2] = g->layer.kind ? r600_sel_op2(g->s, R600_ADD, at[2], g->layer) : at[2];
    tree_vector *v = r600_sel_tex(g->s, is_shadow ? R600_SAMPLE_C_LZ : R600_SAMPLE_LZ, g->resource,
                                  texel);
    for (unsigned c = 0; c < 3; c++)
        v->src[c] = at[c];
    v->src[3] = is_shadow ? r600_sel_get(g->s, g->i->refs[IR_TEX_DREF]) : number(0);
    v->inst.f[R600_F_sampler] = g->sampler;
    return texel[is_shadow ? 0 : ir_attr_get(g->i, IR_A_COMPONENT)];
}

/* Not 0: the texel is beyond an edge along this axis. */
static tree_operand
is_beyond(const cube *g, unsigned axis, bool is_second)
{
    if (!is_second)
        return r600_sel_op2(g->s, R600_SETGT_DX10, number(0), g->first[axis]);
    const tree_operand next = r600_sel_op2(g->s, R600_ADD, g->first[axis], number(ONE));
    return r600_sel_op2(g->s, R600_SETGE_DX10, next, g->size);
}

static tree_operand
corner(const cube *g, const tree_operand texel[GATHERED], unsigned k)
{
    const tree_operand a = texel[(k + 2) % GATHERED];
    if (ir_attr_get(g->i, IR_A_TEX_TYPE) != IR_BASE_float)
        return a;
    const tree_operand sum = r600_sel_op2(
        g->s, R600_ADD, r600_sel_op2(g->s, R600_ADD, a, texel[(k + 1) % GATHERED]),
        texel[(k + 3) % GATHERED]);
    return multiply(g, sum, number(THIRD));
}

void
r600_sel_gather_cube(r600_sel *s, const ir_instr *i, uint32_t resource, uint32_t sampler,
                     tree_operand out[4])
{
    cube g = {.s = s, .i = i, .resource = resource, .sampler = sampler};
    tree_operand texel[GATHERED];
    open_cube(&g);
    for (unsigned k = 0; k < GATHERED; k++)
        texel[k] = sample(&g, places[k]);
    for (unsigned k = 0; k < GATHERED; k++) {
        const tree_operand both = r600_sel_op2(s, R600_AND_INT, is_beyond(&g, 0, places[k][0]),
                                               is_beyond(&g, 1, places[k][1]));
        out[k] = r600_sel_op(s, R600_CNDE_INT, both, texel[k], corner(&g, texel, k));
    }
}
