#include "amd/emu/desc/image_make.h"

#include <string.h>

enum { IMAGE_DWORDS = 12, SAMPLER_DWORDS = 8 }; /* ROCr's allocation sizes */

static bool
put_words(mach_memory *m, const uint32_t *words, uint32_t n, const char *name, uint64_t *address)
{
    const mach_region *r = mach_memory_alloc(m, MACH_HEAP_LOW, 4 * (uint64_t)n, 64, name);
    if (!r)
        return false;
    memcpy(r->host, words, 4 * (size_t)n);
    *address = r->base;
    return true;
}

/* Makes another T# for the same bytes: a view with other levels, layers or component selects
 * (base_level, view_levels, base_layer, view_layers, swizzle, array). */
static bool
make_view(amd_gen gen, mach_memory *m, const mach_image *view, uint64_t bytes, uint64_t *address)
{
    uint32_t words[IMAGE_DWORDS] = {0};
    amd_image_desc d;
    if (!amd_image_from_mach(gen, view, bytes, &d) || !amd_format_to_image(gen, d.format))
        return false;
    amd_image_encode(gen, &d, words);
    words[8] = mach_format_get(view->format)->vk;
    words[10] = view->width;
    return put_words(m, words, IMAGE_DWORDS, "image descriptor", address);
}

mach_region *
amd_emu_make_image(amd_gen gen, mach_memory *m, mach_image *image, uint64_t *address)
{
    uint32_t *const counts[] = {&image->width,  &image->height,  &image->depth,
                                &image->levels, &image->samples, &image->layers};
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++)
        *counts[k] += !*counts[k];
    if (image->dim == MACH_DIM_CUBE)
        image->layers = (image->layers + 5) / 6 * 6;
    uint64_t size = amd_image_layout(gen, image);
    mach_region *r = size ? mach_memory_alloc(m, MACH_HEAP_LOW, size, 256, "image") : NULL;
    if (!r)
        return NULL;
    image->data = r->host;
    image->size = size;
    return make_view(gen, m, image, r->base, address) ? r : NULL;
}

bool
amd_emu_make_sampler(amd_gen gen, mach_memory *m, const mach_sampler *sampler, uint64_t *address)
{
    uint32_t words[SAMPLER_DWORDS] = {0};
    amd_sampler_desc d;
    amd_sampler_from_mach(sampler, &d);
    amd_sampler_encode(gen, &d, words);
    return put_words(m, words, SAMPLER_DWORDS, "sampler descriptor", address);
}
