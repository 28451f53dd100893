/* The processors: which instruction set each has (its column of ops.def) and what limits its waves.
 *
 * Rows are those of LLVM 19's "AMDGPU Processors" up to gfx1201; a processor whose instruction set
 * is a column's but for few instructions has that column: gfx906 is gfx908 without the matrix
 * instructions, gfx1011 and gfx1012 are gfx1010 with dot products, gfx1013 with ray intersection.
 *
 * Sources: the ISA guides ("Wave state", "GPR allocation"); LLVM's AMDGPUUsage,
 * GRANULATED_WORKITEM_VGPR_COUNT; for gfx10.3 the granule and wave limit as radv-anchor reports
 * them; wave limits and VGPRs of the others: LLVM 19's processor features.
 */
#include "amd/amd.h"

#include <string.h>

/* Columns: name, generation, SGPRs that a wave addresses beside vcc, VGPRs of a wave, VGPRs of a
 * SIMD lane (wave32 where it exists), SGPRs of a SIMD (0: no limit), allocation steps of VGPRs
 * {wave32, wave64}, waves of a SIMD, LDS bytes of a workgroup. */
#define GFX6(name)                                                                                 \
    {                                                                                              \
        name, AMD_GFX6, 102, 256, 256, 512, {4, 4}, 10, 32768                                      \
    }
#define GFX7(name)                                                                                 \
    {                                                                                              \
        name, AMD_GFX7, 102, 256, 256, 512, {4, 4}, 10, 65536                                      \
    }
#define GFX8(name)                                                                                 \
    {                                                                                              \
        name, AMD_GFX8, 102, 256, 256, 800, {4, 4}, 10, 65536                                      \
    }
#define GFX9(name, gen)                                                                            \
    {                                                                                              \
        name, gen, 102, 256, 256, 800, {4, 4}, 10, 65536                                           \
    }
#define GFX90A(name, gen)                                                                          \
    {                                                                                              \
        name, gen, 102, 512, 512, 800, {8, 8}, 8, 65536                                            \
    }
#define GFX10(name)                                                                                \
    {                                                                                              \
        name, AMD_GFX10, 106, 256, 1024, 0, {8, 4}, 20, 65536                                      \
    }
#define GFX10_3(name)                                                                              \
    {                                                                                              \
        name, AMD_GFX10_3, 106, 256, 1024, 0, {16, 8}, 16, 65536                                   \
    }
/* Chips with 1.5 times the VGPRs allocate them in steps of 24. */
#define GFX11(name, gen)                                                                           \
    {                                                                                              \
        name, gen, 106, 256, 1024, 0, {16, 8}, 16, 65536                                           \
    }
#define GFX11_LARGE(name, gen)                                                                     \
    {                                                                                              \
        name, gen, 106, 256, 1536, 0, {24, 12}, 16, 65536                                          \
    }

const amd_target amd_targets[] = {
    GFX6("gfx600"),
    GFX6("gfx601"),
    GFX6("gfx602"),
    GFX7("gfx700"),
    GFX7("gfx701"),
    GFX7("gfx702"),
    GFX7("gfx703"),
    GFX7("gfx704"),
    GFX7("gfx705"),
    GFX8("gfx801"),
    GFX8("gfx802"),
    GFX8("gfx803"),
    GFX8("gfx805"),
    GFX8("gfx810"),
    GFX9("gfx900", AMD_GFX9),
    GFX9("gfx902", AMD_GFX9),
    GFX9("gfx904", AMD_GFX9),
    GFX9("gfx906", AMD_GFX908),
    GFX9("gfx908", AMD_GFX908),
    GFX9("gfx909", AMD_GFX9),
    GFX9("gfx90c", AMD_GFX9),
    GFX90A("gfx90a", AMD_GFX90A),
    GFX90A("gfx942", AMD_GFX942),
    GFX10("gfx1010"),
    GFX10("gfx1011"),
    GFX10("gfx1012"),
    GFX10("gfx1013"),
    GFX10_3("gfx1030"),
    GFX10_3("gfx1031"),
    GFX10_3("gfx1032"),
    GFX10_3("gfx1033"),
    GFX10_3("gfx1034"),
    GFX10_3("gfx1035"),
    GFX10_3("gfx1036"),
    GFX11_LARGE("gfx1100", AMD_GFX11),
    GFX11_LARGE("gfx1101", AMD_GFX11),
    GFX11("gfx1102", AMD_GFX11),
    GFX11("gfx1103", AMD_GFX11),
    GFX11("gfx1150", AMD_GFX11_5),
    GFX11_LARGE("gfx1151", AMD_GFX11_5),
    GFX11("gfx1152", AMD_GFX11_5),
    GFX11_LARGE("gfx1200", AMD_GFX12),
    GFX11_LARGE("gfx1201", AMD_GFX12),
    {0},
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

bool
amd_target_compiles(const amd_target *t)
{
    return t->gen == AMD_GFX10_3;
}
