/* Where the code of the application's shaders is. */
#ifndef RADEON_PROBE_H
#define RADEON_PROBE_H

#include "objects.h"

#include "gpu/chip/chip.h"

/* Programs whose addresses a stream sets. Vertices are shaded as ES by NGG. */
typedef enum radeon_program {
    RADEON_COMPUTE,
    RADEON_VERTEX,
    RADEON_NGG,
    RADEON_PIXEL,
    RADEON_PROGRAMS,
} radeon_program;

enum { RADEON_USER_DATA = 32 };

/* What a command buffer may bind: a pipeline, or shader objects. */
typedef struct radeon_bound {
    bool draws;
    VkPipeline pipeline;
    VkShaderEXT compute, vertex, fragment;
} radeon_bound;

/* The addresses that its stream sets. */
typedef struct radeon_addresses {
    amd_gen gen;
    bool draws;
    /* Of an address bits 39:8 are known, and one above them is 1; 0: not set, or not learnt. */
    uint64_t address[RADEON_PROGRAMS];
    uint32_t user[RADEON_PROGRAMS][RADEON_USER_DATA]; /* of vertices alone */
} radeon_addresses;

radeon_addresses
radeon_code_addresses(VkDevice device, const radeon_bound *bound);

/* RADV's function that finds a device's functions. */
void
radeon_probe_by(PFN_vkGetDeviceProcAddr device_proc);

void
radeon_forget_probe(VkDevice device);

#endif
