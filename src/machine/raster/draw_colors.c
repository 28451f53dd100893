/* Colour attachments: what a draw asks of one is resolved to the bits of its texels once. */
#include "machine/raster/draw_run.h"

#include "base/fp.h"

#include <math.h>

/* ---- rules ---- */

static bool
shows(const mach_format_info *f, unsigned component, unsigned channel)
{
    return f->swizzle[component] == "xyzw"[channel];
}

/* The bits of the texel that belong to the components of a write mask. */
static void
set_written(mach_color_store *s, const mach_format_info *f, unsigned components)
{
    unsigned bit = 0;
    s->whole = true;
    for (unsigned c = 0; c < f->channels; bit += f->bits[c++]) {
        bool is_written = false;
        for (unsigned k = 0; k < 4; k++)
            is_written |= (components >> k & 1) && shows(f, k, c);
        for (unsigned b = bit; is_written && b < bit + f->bits[c]; b++)
            s->written[b / 8] |= (uint8_t)(1u << b % 8);
        s->whole &= is_written;
    }
}

static void
set_unorm8(mach_color_store *s, const mach_format_info *f)
{
    static const uint8_t bytes[4] = {8, 8, 8, 8};
    bool fits = f->kind == MACH_NUM_UNORM && !f->block && !memcmp(f->bits, bytes, sizeof bytes);
    s->unorm8[0] = -1;
    for (unsigned k = 0; k < 4 && fits; k++) {
        for (unsigned c = 0; c < 4; c++) {
            if (shows(f, k, c))
                s->unorm8[c] = (int8_t)k;
        }
    }
}

static mach_color_range
range_of(const mach_format_info *f)
{
    bool unorm = f->kind == MACH_NUM_UNORM || f->kind == MACH_NUM_SRGB;
    return unorm                       ? MACH_COLOR_UNORM
           : f->kind == MACH_NUM_SNORM ? MACH_COLOR_SNORM
                                       : MACH_COLOR_FLOAT;
}

/* Integers are not blended; floats and sRGB have no logical operations, and with those nothing is
 * blended (Vulkan 1.3, "Logical Operations"). */
mach_color_store
mach_color_store_of(const mach_draw *draw, unsigned attachment)
{
    const mach_color_target *t = &draw->colors[attachment];
    const mach_format_info *f = mach_format_get(t->image.format);
    mach_color_store s = {.draw = draw, .bytes = f->bytes, .range = range_of(f)};
    bool is_int = mach_format_is_int(t->image.format);
    bool fixed = f->kind == MACH_NUM_UNORM || f->kind == MACH_NUM_SNORM || is_int;
    if (!t->image.data || !t->write_mask || f->block || f->bytes > MACH_MAX_TEXEL)
        return s;
    s.image = &t->image;
    s.blend = t->blends && !is_int && !draw->has_logic_op ? &t->blend : NULL;
    s.has_logic_op = draw->has_logic_op && fixed;
    s.logic_op = draw->logic_op;
    set_written(&s, f, t->write_mask);
    set_unorm8(&s, f);
    return s;
}

/* ---- texels ---- */

/* As the formats' conversion, without its generality. */
static uint8_t
to_unorm8(uint32_t pattern)
{
    float x = base_bits_f32(pattern);
    return (uint8_t)lrint((double)(x > 0 ? x < 1 ? x : 1 : 0) * 255);
}

static void
encode(const mach_color_store *s, const uint32_t color[4], uint8_t *texel)
{
    if (s->unorm8[0] >= 0) {
        for (unsigned k = 0; k < 4; k++)
            texel[k] = to_unorm8(color[s->unorm8[k]]);
        return;
    }
    const mach_texel t = {{color[0], color[1], color[2], color[3]}};
    memset(texel, 0, MACH_MAX_TEXEL);
    mach_texel_write(s->image->format, texel, &t);
}

static void
blend(const mach_color_store *s, const uint32_t color[2][4], const uint8_t *stored, uint8_t *texel)
{
    mach_texel t = mach_texel_read(s->image->format, stored);
    float src[2][4], dst[4], out[4];
    uint32_t pattern[4];
    for (unsigned c = 0; c < 4; c++) {
        src[0][c] = base_bits_f32(color[0][c]);
        src[1][c] = base_bits_f32(color[1][c]);
        dst[c] = base_bits_f32((uint32_t)t.c[c]);
    }
    mach_blend_color(s->blend, s->range, (const float(*)[4])src, dst, out);
    for (unsigned c = 0; c < 4; c++)
        pattern[c] = base_f32_bits(out[c]);
    encode(s, pattern, texel);
}

static void
store(const mach_color_store *s, const uint8_t *texel, uint8_t *to)
{
    if (s->whole && !s->has_logic_op) {
        memcpy(to, texel, s->bytes);
        return;
    }
    for (unsigned k = 0; k < s->bytes; k++) {
        unsigned v = s->has_logic_op ? mach_logic(s->logic_op, texel[k], to[k]) : texel[k];
        to[k] = (uint8_t)((to[k] & ~s->written[k]) | (v & s->written[k]));
    }
}

/* Stores a texel, and tells of it. */
static void
store_and_tell(const mach_color_store *s, const uint8_t *texel, uint8_t *to)
{
    uint8_t before[MACH_MAX_TEXEL];
    memcpy(before, to, s->bytes);
    store(s, texel, to);
    const mach_attached a = {.at = to,
                             .bytes = s->bytes,
                             .reads = s->blend || s->has_logic_op,
                             .writes = memcmp(before, to, s->bytes) != 0};
    if (a.reads || a.writes)
        s->draw->attached(s->draw->attached_user, &a);
}

void
mach_color_store_pixel(const mach_color_store *s, const mach_pixel *at, uint16_t samples,
                       const uint32_t color[2][4])
{
    uint8_t texel[MACH_MAX_TEXEL];
    if (!s->blend)
        encode(s, color[0], texel);
    for (unsigned n = 0; n < s->image->samples; n++) {
        uint8_t *to = samples >> n & 1 ? mach_sample_bytes(s->image, at, n) : NULL;
        if (!to)
            continue;
        if (s->blend)
            blend(s, color, to, texel);
        if (s->draw->attached)
            store_and_tell(s, texel, to);
        else
            store(s, texel, to);
    }
}
