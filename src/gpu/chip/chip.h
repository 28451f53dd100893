/* The chips that a driver may be shown: what the kernel would tell it of them. */
#ifndef GPU_CHIP_CHIP_H
#define GPU_CHIP_CHIP_H

#include "amd/isa/isa.h"

/* drm/amdgpu_drm.h, AMDGPU_FAMILY_*; Linux 6.11. */
typedef enum gpu_family {
    GPU_FAMILY_SI = 110,
    GPU_FAMILY_CI = 120,
    GPU_FAMILY_VI = 130,
    GPU_FAMILY_AI = 141,
    GPU_FAMILY_RV = 142,
    GPU_FAMILY_NV = 143,
    GPU_FAMILY_VGH = 144,
    GPU_FAMILY_GC_11_0_0 = 145,
    GPU_FAMILY_GC_11_0_1 = 148,
    GPU_FAMILY_GC_11_5_0 = 150,
    GPU_FAMILY_GC_12_0_0 = 152,
} gpu_family;

/* The same, AMDGPU_VRAM_TYPE_*. */
typedef enum gpu_vram {
    GPU_VRAM_GDDR5 = 5,
    GPU_VRAM_HBM = 6,
    GPU_VRAM_DDR4 = 8,
    GPU_VRAM_GDDR6 = 9,
    GPU_VRAM_DDR5 = 10,
    GPU_VRAM_LPDDR5 = 12,
} gpu_vram;

typedef struct gpu_chip {
    const char *name, *processor, *product;
    amd_gen gen;
    uint16_t pci_id;
    gpu_family family;
    uint32_t external_revision, ip_version, sdma_version;
    uint32_t engines, arrays, cus; /* of the chip, of an engine, of an array */
    uint32_t backends, l2_channels;
    uint32_t gb_addr_config;
    uint32_t vgprs; /* of a SIMD's lane */
    gpu_vram vram;
    uint32_t bus_bits, l2_kib, last_level_mib;
} gpu_chip;

/* The chip with this index, from 0; NULL behind the last. */
const gpu_chip *
gpu_chip_at(uint32_t index);

/* The chip with this name, in any case, or the first with this processor; NULL if there is none. */
const gpu_chip *
gpu_chip_find(const char *name);

/* Does its memory belong to the processor's? */
bool
gpu_chip_is_integrated(const gpu_chip *chip);

/* Compute units of the whole chip. */
uint32_t
gpu_chip_compute_units(const gpu_chip *chip);

#endif
