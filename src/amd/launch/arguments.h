/* What shaders of the vulkan ABI find in memory and in user SGPRs, for the launch of a dispatch and
 * of a draw (internal to src/amd/launch). */
#ifndef AMD_LAUNCH_ARGUMENTS_H
#define AMD_LAUNCH_ARGUMENTS_H

#include "amd/compile/compile.h"
#include "amd/emu/emu.h"
#include "family/family.h"

typedef struct amd_launch {
    const ir_ctx *c;
    mach_memory *memory;
    const amd_target *target;
    const family_dispatch *asked;
    const family_shader *shader;
    const amd_binary *binary;
    uint64_t *set_addresses; /* by set */
    uint32_t set_count;
    mach_region *push; /* NULL: no push constants */
    amd_emu_dispatch *dispatch;
} amd_launch;

/* Fails with AMBER_LIMIT, as the functions below do, if there is no room. */
mach_region *
amd_launch_allocate(amd_launch *r, mach_heap heap, uint64_t size, const char *name);

/* Makes the descriptor sets. Returns the number of the first resource that has no descriptor, or
 * UINT32_MAX. */
uint32_t
amd_launch_put_sets(amd_launch *r);

void
amd_launch_put_push_constants(amd_launch *r);

/* Returns the address of the code. */
uint64_t
amd_launch_put_code(amd_launch *r);

/* Sets the SGPRs of an argument that all stages have. Returns false for others. */
bool
amd_launch_give(amd_launch *r, const amd_arg *a, uint32_t *sgprs);

#endif
