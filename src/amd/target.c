#include "amd/amd.h"

#include <string.h>

/* gfx10.3 (RDNA 2): 1024 VGPRs a SIMD lane in wave32 allocated by 16 (wave64: 512 by 8), up to 16
 * waves a SIMD, SGPRs always 128 (106 addressable beside vcc). LDS: 64 KiB a workgroup. Sources:
 * RDNA 2 ISA guide, 3.6 and 3.7; LLVM's AMDGPUUsage, "GRANULATED_WORKITEM_VGPR_COUNT"; the granule
 * and wave limit as radv-anchor reports them. */
#define GFX10_3(name, mach)                                                                        \
    {                                                                                              \
        name, AMD_GFX10_3, 106, 256, 1024, 0, {16, 8}, 16, 65536, mach                             \
    }

const amd_target amd_targets[] = {
    GFX10_3("gfx1030", 0x36), GFX10_3("gfx1031", 0x37),
    GFX10_3("gfx1032", 0x38), GFX10_3("gfx1033", 0x39),
    GFX10_3("gfx1034", 0x3e), GFX10_3("gfx1035", 0x3d),
    GFX10_3("gfx1036", 0x45), {0},
};

const amd_target *
amd_find_target(const char *name)
{
    for (const amd_target *t = amd_targets; t->name; t++) {
        if (strcmp(t->name, name) == 0)
            return t;
    }
    return NULL;
}
