/* Writes descriptors as a driver does (internal to launch_shader.c). */
#ifndef AMD_LAUNCH_DESCRIPTORS_H
#define AMD_LAUNCH_DESCRIPTORS_H

#include "amd/isa/isa.h"
#include "machine/image.h"

/* Writes the V# of a raw buffer of `size` bytes at `address` (docs/abi.md). */
void
amd_desc_buffer(amd_gen gen, uint32_t words[4], uint64_t address, uint64_t size);

/* Writes the V# of a texel buffer: m->width texels of m->format at `address`. Returns false if the
 * hardware does not have the format. */
bool
amd_desc_texel_buffer(amd_gen gen, uint32_t words[4], uint64_t address, const mach_image *m);

/* Writes the T# of a view of an image whose bytes are at `address`, a multiple of 256. Returns
 * false if the hardware does not have the format. Formats with one 64-bit channel, which it does
 * not have, are described as two channels of 32 bits.
 */
bool
amd_desc_image(amd_gen gen, uint32_t words[8], uint64_t address, const mach_image *m);

/* Writes an S#. */
void
amd_desc_sampler(amd_gen gen, uint32_t words[4], const mach_sampler *s);

#endif
