/* References of kernels_images.cl, and the images that the kernels use. */
#include "amd/emu/desc/image_make.h"
#include "kernel_test.h"

/* An image of KERNEL_ITEMS texels of 4 bytes in 2D, filled with `words`; its T#'s address. */
static bool
make_texels(const kernel_setup *s, const char *format, const u32 *words, u64 *address)
{
    mach_image image = {
        .format = mach_format_from_name(format), .dim = MACH_DIM_2D, .width = 32, .height = 16};
    if (!amd_emu_make_image(s->gen, s->m, &image, address))
        return false;
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        memcpy(image.data + mach_texel_offset(&image, i % 32, i / 32, 0, 0, 0), &words[i], 4);
    return true;
}

/* Arguments: the T#s of an image with words of `a`, one with words of `b` as four bytes each, and
 * one with zeros; an S#. */
static size_t
fill_images(const kernel_setup *s, uint8_t *args)
{
    static const u32 zeros[KERNEL_ITEMS];
    const mach_sampler nearest = {.address = {MACH_ADDRESS_CLAMP_TO_EDGE,
                                              MACH_ADDRESS_CLAMP_TO_EDGE,
                                              MACH_ADDRESS_CLAMP_TO_EDGE}};
    u64 t[4];
    if (!make_texels(s, "r32_uint", s->a, &t[0]) ||
        !make_texels(s, "r8g8b8a8_unorm", s->b, &t[1]) ||
        !make_texels(s, "r32_uint", zeros, &t[2]) ||
        !amd_emu_make_sampler(s->gen, s->m, &nearest, &t[3]))
        return 0;
    memcpy(args + 32, t, sizeof t);
    return 64;
}

REFERENCE(image_words)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 other = i / 32 * 32 + 31 - i % 32, stored = a[i] ^ a[other];
        out[i] = mix(mix(stored, a[other]), i % 32 == 31 ? 0 : a[i + 1]);
    }
}

REFERENCE(image_samples)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = b[i] ^ b[(i / 32 ^ 1) * 32 + i % 32];
}

REFERENCE(image_atomics)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = mix(a[i], a[i] + b[i]);
}

/* gfx90a and gfx942 have no images, gfx908 has no sampler. */
#define WITH_IMAGES (GENS_TO(GFX9) | GENS_FROM(GFX10))

const kernel_row kernel_images[] = {
    {ROW(image_words), .gens = WITH_IMAGES, .fill = fill_images},
    {ROW(image_samples), .gens = WITH_IMAGES, .fill = fill_images},
    {ROW(image_atomics), .gens = WITH_IMAGES, .fill = fill_images},
    {.name = NULL},
};
