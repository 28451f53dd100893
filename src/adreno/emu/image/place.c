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

bool
adreno_open_image(adreno_wave *w, const adreno_place *place, mach_image *out)
{
    uint64_t address;
    const uint32_t *words = adreno_find_descriptor(w, place, ADRENO_DESCRIPTOR_BYTES);
    if (!words)
        return false;
    if (!adreno_decode_image(words, out, &address)) {
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
