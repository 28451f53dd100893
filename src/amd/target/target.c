/* The resources of processors that limit their waves.
 *
 * Sources: the ISA guides ("Wave state", "GPR allocation"); LLVM's AMDGPUUsage,
 * GRANULATED_WORKITEM_VGPR_COUNT; for gfx10.3 the granule and wave limit as radv-anchor reports
 * them; wave limits and VGPRs of the others: LLVM 19's processor features.
 */
#include "amd/amd.h"

#include "base/short_name.h"

#include <string.h>

/* Columns: SGPRs that a wave can address besides vcc, VGPRs per wave, VGPRs per SIMD lane (for
 * wave32 if it exists), SGPRs per SIMD (0: no limit), allocation steps of VGPRs {wave32, wave64},
 * waves per SIMD, LDS bytes per workgroup. */
#define LIMITS_GFX6        102, 256, 256, 512, {4, 4}, 10, 32768
#define LIMITS_GFX7        102, 256, 256, 512, {4, 4}, 10, 65536
#define LIMITS_GFX8        102, 256, 256, 800, {4, 4}, 10, 65536
#define LIMITS_GFX9        102, 256, 256, 800, {4, 4}, 10, 65536
#define LIMITS_GFX90A      102, 512, 512, 800, {8, 8}, 8, 65536
#define LIMITS_GFX950      102, 512, 512, 800, {8, 8}, 8, 163840
#define LIMITS_GFX10       106, 256, 1024, 0, {8, 4}, 20, 65536
#define LIMITS_GFX10_3     106, 256, 1024, 0, {16, 8}, 16, 65536
#define LIMITS_GFX11       106, 256, 1024, 0, {16, 8}, 16, 65536
/* Chips with 1.5 times the VGPRs allocate them in steps of 24. */
#define LIMITS_GFX11_LARGE 106, 256, 1536, 0, {24, 12}, 16, 65536

const amd_target amd_targets[] = {
#define AMD_PROCESSOR(name, gen, limits)   {#name, AMD_##gen, LIMITS_##limits},
#define AMD_GENERIC(id, name, gen, limits) {name, AMD_##gen, LIMITS_##limits},
#include "amd/isa/table/processors.def"
#undef AMD_PROCESSOR
#undef AMD_GENERIC
};

const uint32_t amd_target_count = sizeof amd_targets / sizeof amd_targets[0];

const amd_target *
amd_find_target(const char *id)
{
    short_name wanted;
    if (!short_name_cut(&wanted, id, strcspn(id, ":")))
        return NULL;
    for (uint32_t i = 0; i < amd_target_count; i++) {
        if (short_name_is(&wanted, amd_targets[i].name))
            return &amd_targets[i];
    }
    return NULL;
}

bool
amd_scratch_is_buffer(const amd_target *t)
{
    return !amd_op_exists(AMD_SCRATCH_LOAD_DWORD, t->gen);
}

bool
amd_takes_scratch_args(const amd_target *t)
{
    return amd_scratch_is_buffer(t) || amd_has(t, sets_flat_scratch);
}

bool
amd_target_compiles(const amd_target *t)
{
    return amd_has(t, compiles);
}
