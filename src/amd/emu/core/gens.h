/* Differences between generations: the initial state of waves, and hardware properties.
 *
 * Sources: LLVM 19, docs/AMDGPUUsage.rst ("Kernel Descriptor", "Initial Kernel Execution State",
 * "Kernel Prolog", table "AMDGPU Processors": target properties); the ISA reference guides.
 */
#ifndef AMD_EMU_GENS_H
#define AMD_EMU_GENS_H

#include "amd/isa/isa.h"

/* The source of the wave's private memory base for flat_* and scratch_*. */
typedef enum emu_flat_scratch_kind {
    EMU_FS_NONE,   /* no flat instructions */
    EMU_FS_OFFSET, /* SGPRs: size of a lane's memory; offset from the aperture's memory in units
                      of 256 bytes */
    EMU_FS_SGPRS,  /* SGPRs: address */
    EMU_FS_HWREG,  /* a hardware register that the program sets */
    EMU_FS_ARCHITECTED, /* set at the start */
} emu_flat_scratch_kind;

typedef struct emu_gen {
    uint16_t max_vgprs, max_sgprs; /* limits per wave; without vcc and other special registers */
    uint32_t max_lds;              /* bytes per workgroup */
    bool wave32;
    bool shared_vgprs;       /* rsrc3 3:0: blocks of 8 that the halves of a wave64 share */
    uint8_t vgpr_granule[2]; /* granule of the kernel descriptor's count: wave32, wave64 */
    uint8_t sgpr_granule;    /* granule of GRANULATED_WAVEFRONT_SGPR_COUNT + 1; 0: always
                                max_sgprs */
    bool packed_ids;         /* v0 = x | y << 10 | z << 20 */
    bool ids_in_ttmp;        /* workgroup ids: ttmp9 = x, ttmp7 = y | z << 16 */
    bool wave_in_info;       /* TG_SIZE 24:20 is the wave's number */
    bool clamp_bits;         /* rsrc1 has DX10_CLAMP and IEEE; otherwise both are on */
    bool fp16_ovfl;          /* rsrc1 bit 26 */
    uint8_t flat_scratch;    /* emu_flat_scratch_kind */
    uint8_t flat_scratch_sgpr;
    bool agprs;         /* accumulation registers: as many as VGPRs, unless ... */
    bool accum_offset;  /* ... accum_offset: they follow the VGPRs at an offset from rsrc3 */
    bool lds_limit_m0;  /* LDS addresses are clamped to m0 */
    bool short_pc;      /* s_getpc_b64 clears the upper 16 bits (LLVM, hasGetPCZeroExtension) */
    bool half_permutes; /* ds_permute_b32 and ds_bpermute_b32 of a wave64 reach only 32 lanes
                           (LLVM, GCNSubtarget.h, supportsWaveWideBPermute) */
} emu_gen;

const emu_gen *
amd_emu_gen_of(amd_gen gen);

#endif
