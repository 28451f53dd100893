/* Between the files of the copy engine. */
#ifndef GPU_SDMA_EXECUTE_H
#define GPU_SDMA_EXECUTE_H

#include "gpu/cp/execute.h"
#include "gpu/sdma/sdma.h"

/* A packet: its words from the header on. */
typedef struct gpu_sdma_packet {
    const char *name;
    const uint32_t *words;
    uint32_t version; /* of the engine */
} gpu_sdma_packet;

enum { GPU_SDMA_5 = 0x50000, GPU_SDMA_5_2 = 0x50200, GPU_SDMA_7 = 0x70000 };

typedef gpu_cp_status
gpu_sdma_execute(gpu_cp *cp, const gpu_sdma_packet *p);

/* Copies parts of images: linear to linear, linear and tiled, tiled to tiled. */
gpu_sdma_execute gpu_sdma_copy_linear_window, gpu_sdma_copy_tiled_window,
    gpu_sdma_copy_between_tiled;

/* Copies or fills, and tells who follows the order. */
gpu_cp_status
gpu_sdma_transfer(gpu_cp *cp, const gpu_sdma_packet *p, const gpu_transfer *t);

/* Two words of the packet as an address. */
static inline uint64_t
gpu_sdma_address(const gpu_sdma_packet *p, unsigned word)
{
    return p->words[word] | (uint64_t)p->words[word + 1] << 32;
}

#endif
