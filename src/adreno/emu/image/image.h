/* Instructions that reach memory through descriptors: buffers and images of category 6, category
 * 5. */
#ifndef ADRENO_EMU_IMAGE_IMAGE_H
#define ADRENO_EMU_IMAGE_IMAGE_H

#include "adreno/emu/desc/descriptor.h"
#include "adreno/emu/mem/mem.h"

/* Executes an instruction of category 5, or one of category 6 with a descriptor. Returns false if
 * it is not known what it does. */
bool
adreno_execute_image(adreno_wave *w, const adreno_inst *in);

/* ---- inside the room ---- */

/* Category 5. */
bool
adreno_execute_texture(adreno_wave *w, const adreno_inst *in);
/* Exchanges between the fibres of a cluster or quad. Returns false if it is another. */
bool
adreno_execute_cluster(adreno_wave *w, const adreno_inst *in);

/* Storage buffers before a6xx. */
bool
adreno_execute_slots(adreno_wave *w, const adreno_inst *in);

/* A descriptor: its number in the set at bindless base `set`, or without a base if that is -1. */
typedef struct adreno_place {
    int set;
    uint32_t index;
    unsigned fibre;
} adreno_place;

/* The descriptor's words at its first byte, or NULL if there are none, which is reported. */
const uint32_t *
adreno_find_descriptor(adreno_wave *w, const adreno_place *place, uint32_t bytes);

/* The same, and nothing is reported. */
const uint32_t *
adreno_peek_descriptor(adreno_wave *w, const adreno_place *place, uint32_t bytes);

/* The image, with its bytes; the data is NULL if they are nowhere. Returns false if it is no
 * image. */
bool
adreno_open_image(adreno_wave *w, const adreno_place *place, mach_image *out);

/* The sampler, for a texture of integers or others. Returns false if there is none. */
bool
adreno_open_sampler(adreno_wave *w, const adreno_place *place, bool is_int, mach_sampler *out);

#endif
