/* Writing the descriptors of gfx10.3, as a driver does (internal to dev_amd.c). Field positions:
 * RDNA 2 ISA, 8.1.5 "Buffer Resource Descriptor", 8.2.5 "Image Resource Descriptor" and 8.2.6
 * "Sampler Resource Descriptor". */
#ifndef AMBER_DEV_AMD_DESC_H
#define AMBER_DEV_AMD_DESC_H

#include "machine/image.h"

/* A raw V# of `size` bytes at `address` (docs/abi.md). */
void
amd_desc_buffer(uint32_t words[4], uint64_t address, uint64_t size);

#endif
