/* Descriptors in memory. */
#include "adreno/emu/image/image.h"

static uint64_t
base_of(const adreno_wave *w, int set)
{
    const adreno_dispatch *d = w->m->d;
    return set >= 0 ? d->sets[set % ADRENO_MAX_SETS] : d->buffers;
}

const uint32_t *
adreno_find_descriptor(adreno_wave *w, const adreno_place *place, uint32_t bytes)
{
    const uint64_t base = base_of(w, place->set);
    const uint64_t address = mach_canonical(base +
                                            (uint64_t)place->index * ADRENO_DESCRIPTOR_BYTES);
    const mach_region *r = base ? mach_memory_find(w->m->memory, &w->region_hint, address, bytes)
                                : NULL;
    if (!r) {
        adreno_find(w, ADRENO_RULE_DESCRIPTOR, (int)place->fibre,
                    "descriptor %u of base %d is in no allocation", place->index, place->set);
        return NULL;
    }
    return (const uint32_t *)(const void *)(r->host + (address - r->base));
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

bool
adreno_open_sampler(adreno_wave *w, const adreno_place *place, bool is_int, mach_sampler *out)
{
    const adreno_dispatch *d = w->m->d;
    if (w->isa->gen >= 6) {
        const uint32_t *words = adreno_find_descriptor(w, place, 4 * ADRENO_SAMPLER_WORDS);
        if (words)
            adreno_decode_sampler(words, is_int, out);
        return words != NULL;
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
