/* Valid V#, T# and S# of each generation, for targets that change bits in them. */
#ifndef EMU_DESCRIPTORS_H
#define EMU_DESCRIPTORS_H

#include "amd/emu/emu.h"

/* The first SGPR of each: they take four, eight and four. */
enum { EMU_BUFFER = 4, EMU_IMAGE = 8, EMU_SAMPLER = 16, EMU_DESCRIPTOR_WORDS = 16 };

/* A buffer of all of `data`, a small image in it and a sampler; `choice` selects dimensions,
 * stride, bounds and filter. */
void
emu_descriptors_set(amd_gen gen, uint8_t choice, const mach_region *data, uint32_t *sgprs);

#endif
