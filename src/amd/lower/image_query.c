/* Image queries: the fields of a T# by its layout (the property image_layout), and what they mean.
 *
 * Sources: the ISA guides, "Image resource"; gfx9 and gfx12: Mesa's register tables (gfx9.json,
 * gfx12.json). The emulator has its own tables (emu/desc/descriptor_image.c).
 */
#include "amd/lower/image_query.h"

#include <assert.h>

typedef struct image_field {
    uint8_t word, low, bits; /* bits 0: the layout has none */
} image_field;

/* Sizes are stored minus one, a width perhaps in two fields. Multisampled images have the logarithm
 * of the number of samples in the field of the last level. */
typedef struct image_layout {
    image_field width_low, width, height, depth, base_level, last_level, first_layer, last_layer;
} image_layout;

#define BITS(word, high, low)                                                                      \
    {                                                                                              \
        word, low, (high) - (low) + 1                                                              \
    }
#define NONE                                                                                       \
    {                                                                                              \
        0, 0, 0                                                                                    \
    }

static const image_layout layouts[] = {
    {NONE, BITS(2, 13, 0), BITS(2, 27, 14), BITS(4, 12, 0), BITS(3, 15, 12), BITS(3, 19, 16),
     BITS(5, 12, 0), BITS(5, 25, 13)},
    {NONE, BITS(2, 13, 0), BITS(2, 27, 14), BITS(4, 12, 0), BITS(3, 15, 12), BITS(3, 19, 16),
     BITS(5, 12, 0), BITS(4, 12, 0)},
    {BITS(1, 31, 30), BITS(2, 11, 0), BITS(2, 27, 14), BITS(4, 12, 0), BITS(3, 15, 12),
     BITS(3, 19, 16), BITS(4, 28, 16), BITS(4, 12, 0)},
    {BITS(1, 31, 30), BITS(2, 13, 0), BITS(2, 29, 14), BITS(4, 13, 0), BITS(1, 29, 25),
     BITS(3, 19, 15), BITS(4, 29, 16), BITS(4, 13, 0)},
};

typedef struct query {
    ir_builder *b;
    const image_layout *layout;
    ir_ref descriptor;
    bool in_bytes; /* the target's property records_in_bytes */
} query;

static ir_ref
imm(const query *q, uint32_t v)
{
    return ir_build_imm(q->b, 32, v);
}

static ir_ref
field(const query *q, image_field f)
{
    ir_ref word = ir_comp(q->descriptor, f.word);
    if (f.low + f.bits == 32)
        return irb_ushr(q->b, word, imm(q, f.low));
    return irb_ubitfield_extract(q->b, word, imm(q, f.low), imm(q, f.bits));
}

static ir_ref
width_field(const query *q)
{
    image_field low = q->layout->width_low;
    if (!low.bits)
        return field(q, q->layout->width);
    ir_ref part = field(q, low);
    ir_ref high = irb_ishl(q->b, field(q, q->layout->width), imm(q, low.bits));
    return irb_ior(q->b, high, part);
}

/* Converts (size - 1) of level 0 to the size of level base + lod. */
static ir_ref
level_size(const query *q, ir_ref minus_1, ir_ref level)
{
    ir_ref size = irb_iadd(q->b, minus_1, imm(q, 1));
    return irb_umax(q->b, irb_ushr(q->b, size, level), imm(q, 1));
}

static ir_ref
layers(const query *q)
{
    ir_ref last = field(q, q->layout->last_layer), first = field(q, q->layout->first_layer);
    return irb_iadd(q->b, irb_isub(q->b, last, first), imm(q, 1));
}

/* The texels of a texel buffer, from its V#. */
static ir_ref
n_texels(const query *q)
{
    ir_ref records = ir_comp(q->descriptor, 2);
    image_field stride = BITS(1, 29, 16);
    return q->in_bytes ? irb_udiv(q->b, records, field(q, stride)) : records;
}

static ir_ref
image_size(const query *q, const ir_instr *i)
{
    ir_ref comps[4];
    ir_dim dim = (ir_dim)ir_attr_get(i, IR_A_IMAGE_DIM);
    bool array = ir_attr_get(i, IR_A_IMAGE_ARRAY);
    unsigned n = 0;
    if (dim == IR_DIM_buf)
        return n_texels(q);
    ir_ref level = dim == IR_DIM_ms ? imm(q, 0) : field(q, q->layout->base_level);
    if (i->refs[1].kind != IR_REF_NONE)
        level = irb_iadd(q->b, level, i->refs[1]);
    comps[n++] = level_size(q, width_field(q), level);
    if (dim != IR_DIM_1D)
        comps[n++] = level_size(q, field(q, q->layout->height), level);
    if (dim == IR_DIM_3D)
        comps[n++] = level_size(q, field(q, q->layout->depth), level);
    else if (dim == IR_DIM_cube && array)
        comps[n++] = irb_udiv(q->b, layers(q), imm(q, 6));
    else if (array)
        comps[n++] = layers(q);
    return ir_build_vec(q->b, comps, n);
}

static ir_ref
image_levels(const query *q)
{
    ir_ref last = field(q, q->layout->last_level), base = field(q, q->layout->base_level);
    return irb_iadd(q->b, irb_isub(q->b, last, base), imm(q, 1));
}

ir_ref
amd_image_query(ir_builder *b, const amd_target *t, const ir_instr *i)
{
    assert(amd_has(t, image_layout) < sizeof layouts / sizeof *layouts);
    const query q = {b, &layouts[amd_has(t, image_layout)], i->refs[0],
                     amd_has(t, records_in_bytes)};
    switch (i->op) {
    case IR_image_size: return image_size(&q, i);
    case IR_image_levels: return image_levels(&q);
    default: return irb_ishl(b, imm(&q, 1), field(&q, q.layout->last_level));
    }
}
