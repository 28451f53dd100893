#include "picture.h"

#include <math.h>
#include <string.h>

bool
picture_is_image(const amber_buffer *b)
{
    bool is_flat = b->dim == AMBER_NOT_IMAGE && b->height <= 1 && !b->framebuffer;
    return b->type->has_texel && b->elements && !is_flat;
}

static bool
has_component(const amber_texel *t, char name)
{
    for (unsigned i = 0; i < t->count; i++) {
        if (t->part[i].name == name)
            return true;
    }
    return false;
}

bool
picture_has_part(const amber_buffer *b, picture_part part)
{
    bool depth = has_component(&b->type->texel, 'D'), stencil = has_component(&b->type->texel, 'S');
    return part == PICTURE_DEPTH ? depth : part == PICTURE_STENCIL ? stencil : !depth && !stencil;
}

/* A level's size in texels, and where its contents begin. */
static uint64_t
find_level(const amber_buffer *b, uint32_t level, uint32_t *width, uint32_t *height)
{
    uint64_t at = 0, depth = b->depth;
    *width = b->width;
    *height = b->height;
    for (; level; level--) {
        at += (uint64_t)*width * *height * depth * b->samples * b->type->size;
        *width = *width > 1 ? *width / 2 : 1;
        *height = *height > 1 ? *height / 2 : 1;
        depth = depth > 1 ? depth / 2 : 1;
    }
    return at;
}

/* The mean of a texel's samples, as amber_texel_decode has it. */
static void
mean_of_samples(const amber_buffer *b, const uint8_t *texel, double mean[4])
{
    double c[4];
    memset(mean, 0, 4 * sizeof *mean);
    for (uint32_t s = 0; s < b->samples; s++) {
        amber_texel_decode(&b->type->texel, texel + (uint64_t)s * b->type->size, c);
        for (unsigned k = 0; k < 4; k++)
            mean[k] += c[k] / b->samples;
    }
}

/* How a buffer's colours are stored in a picture. */
static amber_texel
stored_as(const amber_texel *t)
{
    amber_texel stored;
    const char *name = t->part[0].mode == AMBER_SRGB ? "R8G8B8A8_SRGB" : "R8G8B8A8_UNORM";
    amber_texel_find(name, strlen(name), &stored);
    return stored;
}

picture
picture_of_buffer(arena *a, const amber_buffer *b, const uint8_t *bytes, uint32_t level,
                  picture_part part)
{
    const amber_texel *t = &b->type->texel, stored = stored_as(t);
    bool integer = t->part[0].mode == AMBER_UINT || t->part[0].mode == AMBER_SINT;
    double scale = integer || part == PICTURE_STENCIL ? 1.0 / 255.0 : 1.0, c[4];
    picture p;
    const uint8_t *at = bytes + find_level(b, level, &p.width, &p.height);
    size_t pixels = (size_t)p.width * p.height;
    p.rgba = arena_alloc(a, 4 * pixels);
    for (size_t i = 0; i < pixels; i++, at += (uint64_t)b->samples * b->type->size) {
        mean_of_samples(b, at, c);
        if (part != PICTURE_COLOR) {
            c[0] = c[1] = c[2] = c[part == PICTURE_STENCIL];
            c[3] = 1.0;
        }
        for (unsigned k = 0; k < 4; k++)
            c[k] *= k == 3 && !has_component(t, 'A') ? 1.0 : scale;
        amber_texel_encode(&stored, c, p.rgba + 4 * i);
    }
    return p;
}

/* The difference of one channel of a pixel, alpha's too. */
static unsigned
channel_difference(const uint8_t *x, const uint8_t *y, unsigned channel)
{
    int color = x[channel] - y[channel], alpha = x[3] - y[3];
    color = color < 0 ? -color : color;
    alpha = alpha < 0 ? -alpha : alpha;
    return (unsigned)(color > alpha ? color : alpha);
}

picture
picture_difference(arena *a, const picture *x, const picture *y)
{
    picture p = {x->width, x->height, arena_alloc(a, (size_t)x->width * x->height * 4)};
    size_t bytes = (size_t)p.width * p.height * 4;
    unsigned most = 1;
    for (size_t i = 0; i < bytes; i += 4) {
        for (unsigned k = 0; k < 3; k++) {
            unsigned d = channel_difference(x->rgba + i, y->rgba + i, k);
            p.rgba[i + k] = (uint8_t)d;
            most = d > most ? d : most;
        }
        p.rgba[i + 3] = 255;
    }
    for (size_t i = 0; i < bytes; i++)
        p.rgba[i] = (uint8_t)(i % 4 == 3 ? 255 : p.rgba[i] * 255u / most);
    return p;
}

void
picture_flip(const picture *p)
{
    size_t row = (size_t)p->width * 4;
    for (uint32_t y = 0; y < p->height / 2; y++) {
        uint8_t *top = p->rgba + y * row, *bottom = p->rgba + (p->height - 1 - y) * row;
        for (size_t i = 0; i < row; i++) {
            uint8_t kept = top[i];
            top[i] = bottom[i];
            bottom[i] = kept;
        }
    }
}
