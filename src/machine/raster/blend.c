#include "machine/raster/output.h"

typedef struct colors {
    const float *src, *src1, *dst, *constant;
} colors;

/* Component `c` of a factor; 3 is alpha. */
static float
factor(mach_blend_factor f, const colors *v, unsigned c)
{
    float rest = 1 - v->dst[3];
    switch (f) {
    case MACH_BLEND_ZERO: return 0;
    case MACH_BLEND_SRC_COLOR: return v->src[c];
    case MACH_BLEND_ONE_MINUS_SRC_COLOR: return 1 - v->src[c];
    case MACH_BLEND_DST_COLOR: return v->dst[c];
    case MACH_BLEND_ONE_MINUS_DST_COLOR: return 1 - v->dst[c];
    case MACH_BLEND_SRC_ALPHA: return v->src[3];
    case MACH_BLEND_ONE_MINUS_SRC_ALPHA: return 1 - v->src[3];
    case MACH_BLEND_DST_ALPHA: return v->dst[3];
    case MACH_BLEND_ONE_MINUS_DST_ALPHA: return rest;
    case MACH_BLEND_CONSTANT_COLOR: return v->constant[c];
    case MACH_BLEND_ONE_MINUS_CONSTANT_COLOR: return 1 - v->constant[c];
    case MACH_BLEND_CONSTANT_ALPHA: return v->constant[3];
    case MACH_BLEND_ONE_MINUS_CONSTANT_ALPHA: return 1 - v->constant[3];
    case MACH_BLEND_SRC_ALPHA_SATURATE: return c == 3 ? 1 : v->src[3] < rest ? v->src[3] : rest;
    case MACH_BLEND_SRC1_COLOR: return v->src1[c];
    case MACH_BLEND_ONE_MINUS_SRC1_COLOR: return 1 - v->src1[c];
    case MACH_BLEND_SRC1_ALPHA: return v->src1[3];
    case MACH_BLEND_ONE_MINUS_SRC1_ALPHA: return 1 - v->src1[3];
    default: return 1;
    }
}

static float
blend(const mach_blend_equation *e, const colors *v, unsigned c)
{
    float s = v->src[c], d = v->dst[c];
    float from_src = s * factor((mach_blend_factor)e->src, v, c);
    float from_dst = d * factor((mach_blend_factor)e->dst, v, c);
    switch ((mach_blend_op)e->op) {
    case MACH_BLEND_SUBTRACT: return from_src - from_dst;
    case MACH_BLEND_REVERSE_SUBTRACT: return from_dst - from_src;
    case MACH_BLEND_MIN: return s < d ? s : d;
    case MACH_BLEND_MAX: return s > d ? s : d;
    default: return from_src + from_dst;
    }
}

/* A NaN becomes the least value. */
static float
clamp(float x, mach_color_range range)
{
    float low = range == MACH_COLOR_SNORM ? -1 : 0;
    if (range == MACH_COLOR_FLOAT)
        return x;
    return x > low ? x < 1 ? x : 1 : low;
}

void
mach_blend_color(const mach_blend *b, mach_color_range range, const float src[2][4],
                 const float dst[4], float out[4])
{
    float in[2][4], constant[4];
    for (unsigned c = 0; c < 4; c++) {
        in[0][c] = clamp(src[0][c], range);
        in[1][c] = clamp(src[1][c], range);
        constant[c] = clamp(b->constant[c], range);
    }
    const colors v = {in[0], in[1], dst, constant};
    for (unsigned c = 0; c < 4; c++)
        out[c] = clamp(blend(c == 3 ? &b->alpha : &b->color, &v, c), range);
}

/* By truth tables: bit 2 n + m is the result of s = n, d = m. */
uint32_t
mach_logic(mach_logic_op op, uint32_t s, uint32_t d)
{
    static const uint8_t tables[] = {
        [MACH_LOGIC_CLEAR] = 0,         [MACH_LOGIC_AND] = 8,          [MACH_LOGIC_AND_REVERSE] = 4,
        [MACH_LOGIC_COPY] = 12,         [MACH_LOGIC_AND_INVERTED] = 2, [MACH_LOGIC_NO_OP] = 10,
        [MACH_LOGIC_XOR] = 6,           [MACH_LOGIC_OR] = 14,          [MACH_LOGIC_NOR] = 1,
        [MACH_LOGIC_EQUIVALENT] = 9,    [MACH_LOGIC_INVERT] = 5,       [MACH_LOGIC_OR_REVERSE] = 13,
        [MACH_LOGIC_COPY_INVERTED] = 3, [MACH_LOGIC_OR_INVERTED] = 11, [MACH_LOGIC_NAND] = 7,
        [MACH_LOGIC_SET] = 15};
    unsigned t = tables[op];
    return (t & 1 ? ~s & ~d : 0) | (t & 2 ? ~s & d : 0) | (t & 4 ? s & ~d : 0) |
           (t & 8 ? s & d : 0);
}
