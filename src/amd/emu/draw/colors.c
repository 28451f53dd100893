/* CB registers: colour attachments, blending, logical operations, and the modes in which a draw is
 * not a draw: resolves, and passes over compression that attachments of this model do not have. */
#include "amd/emu/draw/state.h"

#include "amd/emu/desc/texel.h"
#include "base/fp.h"

#include <string.h>

/* CB_COLOR_CONTROL.MODE */
enum { MODE_DISABLE, MODE_NORMAL, MODE_RESOLVE = 3 };

/* A field of a target: of its block, of what may be in an array, of what may be in another. */
static uint32_t
own_field(const draw_run *r, amd_hw_field f, uint32_t target)
{
    return amd_hw_register_field_at(r->regs, f, r->is->target_dwords * target);
}

static uint32_t
attribute(const draw_run *r, amd_hw_field f, uint32_t target)
{
    uint32_t step = r->is->attributes_in_arrays ? 1 : r->is->target_dwords;
    return amd_hw_register_field_at(r->regs, f, step * target);
}

static uint32_t
info(const draw_run *r, amd_hw_field f, uint32_t target)
{
    uint32_t step = r->is->info_in_array ? 1 : r->is->target_dwords;
    return amd_hw_register_field_at(r->regs, f, step * target);
}

/* ---- formats ---- */

/* The channel of each component for COMP_SWAP, by the number of channels (Mesa,
 * ac_translate_colorswap: standard, alternate, both reversed). */
static void
set_channels(uint32_t swap, unsigned channels, uint32_t select[4])
{
    enum { X = AMD_SEL_X, Y, Z, W, O = AMD_SEL_0, I = AMD_SEL_1 };
    static const uint8_t rows[4][4][4] = {
        {{X, O, O, I}, {O, X, O, I}, {O, O, X, I}, {O, O, O, X}},
        {{X, Y, O, I}, {X, O, O, Y}, {Y, X, O, I}, {Y, O, O, X}},
        {{X, Y, Z, I}, {X, Y, O, Z}, {Z, Y, X, I}, {Z, Y, O, X}},
        {{X, Y, Z, W}, {Z, Y, X, W}, {W, Z, Y, X}, {Y, Z, W, X}},
    };
    for (unsigned c = 0; c < 4; c++)
        select[c] = rows[channels - 1][swap & 3][c];
}

static unsigned
count_channels(uint32_t format)
{
    static const uint8_t channels[32] = {
        [1] = 1,  [2] = 1,  [3] = 2,  [4] = 1,  [5] = 2,  [6] = 3,  [7] = 3,
        [8] = 4,  [9] = 4,  [10] = 4, [11] = 2, [12] = 4, [14] = 4, [16] = 3,
        [17] = 4, [18] = 4, [19] = 4, [20] = 2, [21] = 2, [22] = 2, [24] = 3};
    return channels[format & 31];
}

/* CB's formats have the numbers of gfx6's images, but for shared exponents; SRGB is 6 there. */
static mach_format
color_format(draw_run *r, uint32_t target, char swizzle[5])
{
    enum { CB_5_9_9_9 = 24, IMG_5_9_9_9 = 34, CB_SRGB = 6, IMG_SRGB = 9, NUM_SHIFT = 6 };
    uint32_t format = info(r, AMD_HW_CB_COLOR0_INFO_FORMAT, target), select[4];
    uint32_t number = info(r, AMD_HW_CB_COLOR0_INFO_NUMBER_TYPE, target);
    unsigned channels = count_channels(format);
    if (!channels)
        return MACH_FORMAT_none;
    set_channels(info(r, AMD_HW_CB_COLOR0_INFO_COMP_SWAP, target), channels, select);
    uint32_t data = format == CB_5_9_9_9 ? IMG_5_9_9_9 : format;
    number = number == CB_SRGB ? IMG_SRGB : number;
    return amd_format_to_mach(amd_format_of_image(AMD_GFX8, data | number << NUM_SHIFT), select,
                              swizzle);
}

/* Where the format has no exact counterpart, the components that it shows are another's. */
static void
set_shuffle(draw_run *r, uint32_t target, const char *swizzle)
{
    for (unsigned c = 0; c < 4; c++)
        r->shuffle[target][c] = (uint8_t)c;
    for (unsigned c = 0; swizzle[0] && c < 4; c++) {
        static const char names[] = "rgba";
        const char *at = strchr(names, swizzle[c]);
        if (at && *at)
            r->shuffle[target][at - names] = (uint8_t)c;
    }
}

/* ---- places ---- */

static uint64_t
base_of(const draw_run *r, uint32_t target)
{
    uint32_t block = r->is->target_dwords * target;
    uint64_t low = amd_hw_register_value(r->regs, AMD_HW_CB_COLOR0_BASE, block);
    uint64_t high = amd_hw_register_field_at(r->regs, AMD_HW_CB_COLOR0_BASE_EXT_BASE_256B,
                                             r->is->bases_in_array ? target : block);
    return (low | high << 32) << 8;
}

static uint32_t
samples_of(const draw_run *r, uint32_t target)
{
    uint32_t samples = own_field(r, AMD_HW_CB_COLOR0_ATTRIB_NUM_SAMPLES, target);
    uint32_t fragments = own_field(r, AMD_HW_CB_COLOR0_ATTRIB_NUM_FRAGMENTS, target);
    return 1u << (samples > fragments ? samples : fragments);
}

/* What gfx9 has in one register is spread later: fields that a generation lacks are 0. */
static bool
place_surface(draw_run *r, uint32_t target, mach_format format, mach_image *out)
{
    uint32_t samples = samples_of(r, target);
    uint32_t levels = attribute(r, AMD_HW_CB_COLOR0_ATTRIB2_MAX_MIP, target) +
                      attribute(r, AMD_HW_CB_COLOR0_ATTRIB3_MAX_MIP, target) + 1;
    draw_surface s = {.address = base_of(r, target),
                      .format = format,
                      .width = attribute(r, AMD_HW_CB_COLOR0_ATTRIB2_MIP0_WIDTH, target) + 1,
                      .height = attribute(r, AMD_HW_CB_COLOR0_ATTRIB2_MIP0_HEIGHT, target) + 1,
                      .depth = own_field(r, AMD_HW_CB_COLOR0_ATTRIB_MIP0_DEPTH, target) +
                               attribute(r, AMD_HW_CB_COLOR0_ATTRIB3_MIP0_DEPTH, target) + 1,
                      .sw_mode = own_field(r, AMD_HW_CB_COLOR0_ATTRIB_COLOR_SW_MODE, target) +
                                 attribute(r, AMD_HW_CB_COLOR0_ATTRIB3_COLOR_SW_MODE, target),
                      .resource = own_field(r, AMD_HW_CB_COLOR0_ATTRIB_RESOURCE_TYPE, target) +
                                  attribute(r, AMD_HW_CB_COLOR0_ATTRIB3_RESOURCE_TYPE, target),
                      .levels = samples > 1 ? 1 : levels,
                      .samples = samples,
                      .level = own_field(r, AMD_HW_CB_COLOR0_VIEW_MIP_LEVEL, target) +
                               own_field(r, AMD_HW_CB_COLOR0_VIEW2_MIP_LEVEL, target),
                      .first_layer = own_field(r, AMD_HW_CB_COLOR0_VIEW_SLICE_START, target),
                      .last_layer = own_field(r, AMD_HW_CB_COLOR0_VIEW_SLICE_MAX, target)};
    if (r->gen == AMD_GFX9)
        s.pitch = amd_hw_register_value(r->regs, AMD_HW_CB_MRT0_EPITCH, target) + 1;
    return amd_draw_place_surface(r, &s, out);
}

static bool
place_level(draw_run *r, uint32_t target, mach_format format, mach_image *out)
{
    uint32_t pitch = own_field(r, AMD_HW_CB_COLOR0_PITCH_TILE_MAX, target) + 1;
    uint32_t slice = own_field(r, AMD_HW_CB_COLOR0_SLICE_TILE_MAX, target) + 1;
    const draw_level l = {
        .address = base_of(r, target),
        .format = format,
        .pitch = 8 * pitch,
        .height = 8 * slice / pitch,
        .samples = samples_of(r, target),
        .tile_mode = own_field(r, AMD_HW_CB_COLOR0_ATTRIB_TILE_MODE_INDEX, target),
        .first_layer = own_field(r, AMD_HW_CB_COLOR0_VIEW_SLICE_START, target),
        .last_layer = own_field(r, AMD_HW_CB_COLOR0_VIEW_SLICE_MAX, target)};
    return amd_draw_place_level(r, &l, out);
}

/* False: there is no attachment. */
static bool
place_target(draw_run *r, uint32_t target, mach_image *out)
{
    char swizzle[5];
    mach_format format = color_format(r, target, swizzle);
    if (!format)
        return false;
    set_shuffle(r, target, swizzle);
    uint32_t layers = own_field(r, AMD_HW_CB_COLOR0_VIEW_SLICE_MAX, target) + 1 -
                      own_field(r, AMD_HW_CB_COLOR0_VIEW_SLICE_START, target);
    if (layers > r->out.layers)
        r->out.layers = layers;
    return r->is->mip0_registers ? place_surface(r, target, format, out)
                                 : place_level(r, target, format, out);
}

/* ---- blending ---- */

static uint8_t
factor(const draw_run *r, uint32_t number)
{
    static const uint8_t factors[21] = {MACH_BLEND_ZERO,
                                        MACH_BLEND_ONE,
                                        MACH_BLEND_SRC_COLOR,
                                        MACH_BLEND_ONE_MINUS_SRC_COLOR,
                                        MACH_BLEND_SRC_ALPHA,
                                        MACH_BLEND_ONE_MINUS_SRC_ALPHA,
                                        MACH_BLEND_DST_ALPHA,
                                        MACH_BLEND_ONE_MINUS_DST_ALPHA,
                                        MACH_BLEND_DST_COLOR,
                                        MACH_BLEND_ONE_MINUS_DST_COLOR,
                                        MACH_BLEND_SRC_ALPHA_SATURATE,
                                        MACH_BLEND_SRC_ALPHA,
                                        MACH_BLEND_ONE_MINUS_SRC_ALPHA,
                                        MACH_BLEND_CONSTANT_COLOR,
                                        MACH_BLEND_ONE_MINUS_CONSTANT_COLOR,
                                        MACH_BLEND_SRC1_COLOR,
                                        MACH_BLEND_ONE_MINUS_SRC1_COLOR,
                                        MACH_BLEND_SRC1_ALPHA,
                                        MACH_BLEND_ONE_MINUS_SRC1_ALPHA,
                                        MACH_BLEND_CONSTANT_ALPHA,
                                        MACH_BLEND_ONE_MINUS_CONSTANT_ALPHA};
    enum { BOTH = 11 };
    if (r->is->short_blend_factors && number >= BOTH)
        number += 2;
    return factors[number < sizeof factors ? number : 0];
}

static mach_blend_equation
equation(const draw_run *r, uint32_t bits)
{
    static const uint8_t ops[8] = {MACH_BLEND_ADD, MACH_BLEND_SUBTRACT, MACH_BLEND_MIN,
                                   MACH_BLEND_MAX, MACH_BLEND_REVERSE_SUBTRACT};
    return (mach_blend_equation){
        .src = factor(r, bits & 31), .dst = factor(r, bits >> 8 & 31), .op = ops[bits >> 5 & 7]};
}

static bool
reads_second(const mach_blend_equation *e)
{
    return e->src >= MACH_BLEND_SRC1_COLOR || e->dst >= MACH_BLEND_SRC1_COLOR;
}

static void
read_blending(draw_run *r, uint32_t target)
{
    enum { SEPARATE = 1 << 29, ENABLE = 1 << 30 };
    mach_color_target *t = &r->out.colors[target];
    uint32_t control = amd_hw_register_value(r->regs, AMD_HW_CB_BLEND0_CONTROL, target);
    bool bypass = info(r, AMD_HW_CB_COLOR0_INFO_BLEND_BYPASS, target);
    t->blends = (control & ENABLE) && !bypass;
    t->blend.color = equation(r, control);
    t->blend.alpha = control & SEPARATE ? equation(r, control >> 16) : t->blend.color;
    for (uint32_t c = 0; c < 4; c++)
        t->blend.constant[c] = base_bits_f32(
            amd_hw_register_value(r->regs, AMD_HW_CB_BLEND_RED, c));
    if (t->blends && target == 0)
        r->second_source = reads_second(&t->blend.color) || reads_second(&t->blend.alpha);
}

/* ROP3 has an operation's bits twice: those of sources and destinations that are 3, 2, 1, 0. */
static void
read_logic(draw_run *r)
{
    static const uint8_t ops[16] = {MACH_LOGIC_CLEAR,        MACH_LOGIC_NOR,
                                    MACH_LOGIC_AND_INVERTED, MACH_LOGIC_COPY_INVERTED,
                                    MACH_LOGIC_AND_REVERSE,  MACH_LOGIC_INVERT,
                                    MACH_LOGIC_XOR,          MACH_LOGIC_NAND,
                                    MACH_LOGIC_AND,          MACH_LOGIC_EQUIVALENT,
                                    MACH_LOGIC_NO_OP,        MACH_LOGIC_OR_INVERTED,
                                    MACH_LOGIC_COPY,         MACH_LOGIC_OR_REVERSE,
                                    MACH_LOGIC_OR,           MACH_LOGIC_SET};
    uint32_t op = draw_field(r, AMD_HW_CB_COLOR_CONTROL_ROP3) & 15;
    r->out.logic_op = (mach_logic_op)ops[op];
    r->out.has_logic_op = r->out.logic_op != MACH_LOGIC_COPY;
}

/* ---- targets ---- */

/* Exports are numbered over the attachments for which the shader has outputs. */
static void
number_exports(draw_run *r)
{
    uint32_t outputs = draw_value(r, AMD_HW_CB_SHADER_MASK), n = 0;
    memset(r->export_target, MACH_MAX_COLORS, sizeof r->export_target);
    for (uint32_t t = 0; t < MACH_MAX_COLORS; t++) {
        if (outputs >> 4 * t & 15)
            r->export_target[n++] = (uint8_t)t;
    }
}

static void
read_targets(draw_run *r)
{
    mach_draw *o = &r->out;
    uint32_t written = draw_value(r, AMD_HW_CB_TARGET_MASK) & draw_value(r, AMD_HW_CB_SHADER_MASK);
    for (uint32_t t = 0; t < MACH_MAX_COLORS; t++) {
        mach_color_target *c = &o->colors[t];
        uint32_t mask = written >> 4 * t & 15;
        if (!mask || !place_target(r, t, &c->image))
            continue;
        for (unsigned k = 0; k < 4; k++)
            c->write_mask |= (uint8_t)((mask >> r->shuffle[t][k] & 1) << k);
        read_blending(r, t);
        o->n_colors = t + 1;
    }
}

/* ---- resolves ---- */

/* The mean of a pixel's samples; of integers the first sample. */
static void
mean_of(const mach_image *m, const mach_fragment_quad *q, unsigned k, uint32_t color[4])
{
    float sum[4] = {0};
    bool is_int = mach_format_is_int(m->format);
    for (uint32_t s = 0; s < (is_int ? 1 : m->samples); s++) {
        uint64_t at = mach_texel_offset(m, (uint32_t)q->at.x + (k & 1),
                                        (uint32_t)q->at.y + (k >> 1), m->base_layer + q->layer,
                                        m->base_level, s);
        mach_texel t = {{0}};
        if (at != UINT64_MAX)
            t = mach_texel_read(m->format, m->data + at);
        for (unsigned c = 0; c < 4; c++) {
            color[c] = (uint32_t)t.c[c];
            sum[c] += base_bits_f32((uint32_t)t.c[c]);
        }
    }
    for (unsigned c = 0; !is_int && c < 4; c++)
        color[c] = base_f32_bits(sum[c] / (float)m->samples);
}

/* Tells of the samples that the mean of a pixel is of. */
static void
tell_resolved(const draw_run *r, const mach_fragment_quad *q, unsigned k)
{
    const mach_image *m = &r->resolved;
    for (uint32_t s = 0; s < m->samples; s++) {
        uint64_t at = mach_texel_offset(m, (uint32_t)q->at.x + (k & 1),
                                        (uint32_t)q->at.y + (k >> 1), m->base_layer + q->layer,
                                        m->base_level, s);
        const mach_attached a = {
            .at = m->data + at, .bytes = mach_format_get(m->format)->bytes, .reads = true};
        if (at != UINT64_MAX)
            r->out.attached(r->out.attached_user, &a);
    }
}

static bool
resolve(void *user, mach_fragment_batch *b)
{
    draw_run *r = user;
    for (uint32_t q = 0; q < b->n_quads; q++) {
        for (unsigned k = 0; k < 4; k++) {
            mean_of(&r->resolved, &b->quads[q], k, b->fragments[q][k].color[0]);
            if (r->out.attached && b->quads[q].at.samples[k])
                tell_resolved(r, &b->quads[q], k);
        }
    }
    return true;
}

/* From target 0 to target 1, without a pixel shader. */
static void
read_resolve(draw_run *r)
{
    mach_draw *o = &r->out;
    if (!place_target(r, 0, &r->resolved) || !place_target(r, 1, &o->colors[0].image)) {
        r->problem = "a resolve without attachments";
        return;
    }
    o->colors[0].write_mask = 15;
    o->n_colors = 1;
    o->samples = 1;
    o->sample_mask = 1;
    o->shades_samples = false;
    o->shading.fragments = resolve;
}

void
amd_draw_read_colors(draw_run *r)
{
    mach_draw *o = &r->out;
    uint32_t mode = draw_field(r, AMD_HW_CB_COLOR_CONTROL_MODE);
    number_exports(r);
    read_logic(r);
    switch (mode) {
    case MODE_DISABLE: break;
    case MODE_NORMAL: read_targets(r); break;
    case MODE_RESOLVE: read_resolve(r); break;
    default: o->discards_all = true; break; /* nothing is compressed */
    }
    if (!o->layers) /* without attachments */
        o->layers = 2048;
}
