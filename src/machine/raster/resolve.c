#include "machine/raster/draw_run.h"

#include "base/fp.h"

/* The mean of a pixel's samples; of sRGB formats that of what they encode. */
static mach_texel
mean(const mach_image *m, const mach_pixel *at)
{
    double sum[4] = {0, 0, 0, 0};
    mach_texel t;
    for (unsigned n = 0; n < m->samples; n++) {
        const uint8_t *from = mach_sample_bytes(m, at, n);
        t = from ? mach_texel_read(m->format, from) : (mach_texel){{0}};
        for (unsigned c = 0; c < 4; c++)
            sum[c] += (double)base_bits_f32((uint32_t)t.c[c]);
    }
    for (unsigned c = 0; c < 4; c++)
        t.c[c] = base_f32_bits((float)(sum[c] / m->samples));
    return t;
}

static void
resolve_pixel(const mach_image *from, const mach_image *to, const mach_pixel *at)
{
    bool first = mach_format_is_int(from->format) || mach_format_is_depth(from->format);
    uint8_t *out = mach_sample_bytes(to, at, 0);
    const uint8_t *in = mach_sample_bytes(from, at, 0);
    if (!out || !in)
        return;
    if (first && from->format == to->format) { /* with the stencil */
        memcpy(out, in, mach_format_get(to->format)->bytes);
        return;
    }
    mach_texel t = first ? mach_texel_read(from->format, in) : mean(from, at);
    mach_texel_write(to->format, out, &t);
}

void
mach_resolve(const mach_image *from, const mach_image *to)
{
    int32_t width = (int32_t)mach_level_size(to->width, to->base_level);
    int32_t height = (int32_t)mach_level_size(to->height, to->base_level);
    for (uint32_t layer = 0; layer < to->view_layers && layer < from->view_layers; layer++) {
        for (int32_t y = 0; y < height; y++) {
            for (int32_t x = 0; x < width; x++)
                resolve_pixel(from, to, &(mach_pixel){x, y, layer});
        }
    }
}
