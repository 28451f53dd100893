#include "amd/emu/core/gens.h"

/* SGPRs: 104 on gfx6 and gfx7, 102 on gfx8 and gfx9 (followed by vcc, flat_scratch and xnack_mask),
 * 106 from gfx10 on. */
#define GCN(sgprs, granule, ...)                                                                   \
    {                                                                                              \
        .max_vgprs = 256, .max_sgprs = sgprs, .max_lds = 65536, .vgpr_granule = {4, 4},            \
        .sgpr_granule = granule, .clamp_bits = true, __VA_ARGS__                                   \
    }
/* gfx90a, gfx942, gfx950: VGPRs and accumulation VGPRs are one file of 512. gfx950 has 160 KiB of
 * LDS (LLVM 22, FeatureAddressableLocalMemorySize163840). */
#define CDNA(lds, ...)                                                                             \
    {                                                                                              \
        .max_vgprs = 512, .max_sgprs = 102, .max_lds = lds, .vgpr_granule = {8, 8},                \
        .sgpr_granule = 16, .clamp_bits = true, .fp16_ovfl = true, .packed_ids = true,             \
        .accum_offset = true, .agprs = true, __VA_ARGS__                                           \
    }
#define RDNA(...)                                                                                  \
    {                                                                                              \
        .max_vgprs = 256, .max_sgprs = 106, .max_lds = 65536, .wave32 = true,                      \
        .vgpr_granule = {8, 4}, .fp16_ovfl = true, __VA_ARGS__                                     \
    }
#define SGPRS(n) .flat_scratch = EMU_FS_SGPRS, .flat_scratch_sgpr = (n)

static const emu_gen gens[AMD_GEN_COUNT] = {
    [AMD_GFX6] = {.max_vgprs = 256,
                  .max_sgprs = 104,
                  .max_lds = 32768,
                  .vgpr_granule = {4, 4},
                  .sgpr_granule = 8,
                  .clamp_bits = true,
                  .lds_limit_m0 = true},
    [AMD_GFX7] = GCN(104, 8, .flat_scratch = EMU_FS_OFFSET, .flat_scratch_sgpr = 104,
                     .lds_limit_m0 = true),
    [AMD_GFX8] = GCN(102, 8, .flat_scratch = EMU_FS_OFFSET, .flat_scratch_sgpr = 102,
                     .lds_limit_m0 = true),
    [AMD_GFX9] = GCN(102, 16, SGPRS(102), .fp16_ovfl = true),
    [AMD_GFX908] = GCN(102, 16, SGPRS(102), .fp16_ovfl = true, .agprs = true),
    [AMD_GFX90A] = CDNA(65536, SGPRS(102)),
    [AMD_GFX942] = CDNA(65536, .flat_scratch = EMU_FS_ARCHITECTED),
    [AMD_GFX950] = CDNA(163840, .flat_scratch = EMU_FS_ARCHITECTED),
    [AMD_GFX10] = RDNA(.shared_vgprs = true, .half_permutes = true, .clamp_bits = true,
                       .flat_scratch = EMU_FS_HWREG),
    [AMD_GFX10_3] = RDNA(.shared_vgprs = true, .half_permutes = true, .clamp_bits = true,
                         .flat_scratch = EMU_FS_HWREG, .wave_in_info = true),
    [AMD_GFX11] = RDNA(.shared_vgprs = true, .half_permutes = true, .clamp_bits = true,
                       .flat_scratch = EMU_FS_ARCHITECTED, .wave_in_info = true,
                       .packed_ids = true),
    [AMD_GFX11_5] = RDNA(.shared_vgprs = true, .half_permutes = true, .clamp_bits = true,
                         .flat_scratch = EMU_FS_ARCHITECTED, .wave_in_info = true,
                         .packed_ids = true),
    [AMD_GFX12] = RDNA(.flat_scratch = EMU_FS_ARCHITECTED, .wave_in_info = true, .packed_ids = true,
                       .ids_in_ttmp = true, .short_pc = true),
};

const emu_gen *
amd_emu_gen_of(amd_gen gen)
{
    return &gens[gen];
}
