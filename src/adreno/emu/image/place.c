/* Descriptors in memory. */
#include "adreno/emu/image/image.h"

#include <string.h>

static uint64_t
base_of(const adreno_wave *w, int set)
{
    const adreno_dispatch *d = w->m->d;
    return set >= 0 ? d->sets[set % ADRENO_MAX_SETS] : d->buffers;
}

const uint32_t *
adreno_peek_descriptor(adreno_wave *w, const adreno_place *place, uint32_t bytes)
{
    const uint64_t base = base_of(w, place->set);
    const uint64_t address = mach_canonical(base +
                                            (uint64_t)place->index * ADRENO_DESCRIPTOR_BYTES);
    const mach_region *r = base ? mach_memory_find(w->m->memory, &w->region_hint, address, bytes)
                                : NULL;
    return r ? (const uint32_t *)(const void *)(r->host + (address - r->base)) : NULL;
}

const uint32_t *
adreno_find_descriptor(adreno_wave *w, const adreno_place *place, uint32_t bytes)
{
    const uint32_t *words = adreno_peek_descriptor(w, place, bytes);
    if (!words)
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)place->fibre,
                    "descriptor %u of base %d is in no allocation", place->index, place->set);
    return words;
}

/* The words of a texture; `*known` says whether they are an image's. Returns false if there are
 * none. */
static bool
decode(adreno_wave *w, const adreno_place *place, mach_image *out, uint64_t *address, bool *known)
{
    const adreno_dispatch *d = w->m->d;
    if (w->isa->gen >= 6) {
        const uint32_t *words = adreno_find_descriptor(w, place, ADRENO_DESCRIPTOR_BYTES);
        *known = words && adreno_decode_image(w->isa->gen, words, out, address);
        return words != NULL;
    }
    if (place->index >= d->n_textures) {
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)place->fibre, "there is no texture %u",
                    place->index);
        return false;
    }
    *known = adreno_decode_old_texture(w->isa->gen, &d->textures[place->index], d->address_high,
                                       out, address);
    return true;
}

/* The border colour, if it is in the table of these. Its 32-bit numbers are exact for all colours
 * of zeros and ones, which are those that Vulkan names. */
static void
read_border(adreno_wave *w, const adreno_place *place, const uint32_t *words, mach_sampler *s)
{
    const uint64_t table = w->m->d->border_colors;
    uint32_t offset;
    bool is_used = false;
    for (unsigned i = 0; i < 3; i++)
        is_used |= s->address[i] == MACH_ADDRESS_CLAMP_TO_BORDER;
    if (!adreno_find_border(words, &offset) || !is_used)
        return;
    const uint64_t address = mach_canonical(table + offset);
    const mach_region *r = table ? mach_memory_find(w->m->memory, &w->region_hint, address,
                                                    sizeof s->border)
                                 : NULL;
    if (r)
        memcpy(s->border, r->host + (address - r->base), sizeof s->border);
    else
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)place->fibre,
                    "the border colour of sampler %u of base %d is in no allocation", place->index,
                    place->set);
}

bool
adreno_open_sampler(adreno_wave *w, const adreno_place *place, bool is_int, mach_sampler *out)
{
    const adreno_dispatch *d = w->m->d;
    if (w->isa->gen >= 6) {
        const uint32_t *words = adreno_find_descriptor(w, place, 4 * ADRENO_SAMPLER_WORDS);
        if (!words)
            return false;
        adreno_decode_sampler(words, is_int, out);
        read_border(w, place, words, out);
        return true;
    }
    if (place->index < d->n_samplers)
        adreno_decode_old_sampler(w->isa->gen, &d->samplers[place->index], is_int, out);
    else
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)place->fibre, "there is no sampler %u",
                    place->index);
    return place->index < d->n_samplers;
}

bool
adreno_open_image(adreno_wave *w, const adreno_place *place, mach_image *out)
{
    uint64_t address;
    bool known;
    if (!decode(w, place, out, &address, &known))
        return false;
    if (!known) {
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)place->fibre,
                    "descriptor %u of base %d is no image that the emulator knows", place->index,
                    place->set);
        return false;
    }
    const mach_region *r = mach_memory_find(w->m->memory, &w->region_hint, mach_canonical(address),
                                            out->size);
    if (r)
        out->data = r->host + (mach_canonical(address) - r->base);
    else if (out->size)
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)place->fibre,
                    "the image of descriptor %u of base %d is in no allocation", place->index,
                    place->set);
    return true;
}
