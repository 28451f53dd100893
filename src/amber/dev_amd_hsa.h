/* Launching a kernel of the hsa ABI on the emulator, as a ROCm program would (internal). */
#ifndef AMBER_DEV_AMD_HSA_H
#define AMBER_DEV_AMD_HSA_H

#include "amd/compile.h"
#include "amd/emu/load.h"

/* What the kernel's arguments are filled with. */
typedef struct amber_hsa_arguments {
    const uint64_t *sets; /* addresses, by set */
    uint32_t set_count;
    const uint8_t *push;
    uint32_t push_size; /* bytes */
} amber_hsa_arguments;

/* Writes the code object, reads it back, loads it into `m`, and sets the dispatch up by what the
 * object says alone: registers, kernel arguments by their names. Sizes of the grid and the group
 * must be in `d`. False where there is no room. Fails as obj_write and obj_read do. */
bool
amber_hsa_launch(ir_ctx *ctx, const amd_binary *binary, const amber_hsa_arguments *args,
                 mach_memory *m, amd_emu_dispatch *d);

#endif
