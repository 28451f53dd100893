/* Launches a kernel of the hsa ABI on the emulator, as a ROCm program would (internal). */
#ifndef AMBER_DEV_AMD_HSA_H
#define AMBER_DEV_AMD_HSA_H

#include "amd/compile/compile.h"
#include "amd/emu/run/load.h"

/* The values for the kernel's arguments. */
typedef struct amber_hsa_arguments {
    const uint64_t *sets; /* addresses, by set */
    uint32_t set_count;
    const uint8_t *push;
    uint32_t push_size; /* in bytes */
} amber_hsa_arguments;

/* Writes the code object, reads it back, loads it into `m`, and sets up the dispatch using only
 * information in the object: registers, and kernel arguments by name. `d` must contain the sizes of
 * grid and group. Returns false if memory is exhausted. Fails as obj_write and obj_read do. */
bool
amber_hsa_launch(ir_ctx *ctx, const amd_binary *binary, const amber_hsa_arguments *args,
                 mach_memory *m, amd_emu_dispatch *d);

#endif
