/* The AMD compiler and emulator as a device: runs scripts on the machine code. */
#ifndef AMBER_DEV_AMD_H
#define AMBER_DEV_AMD_H

#include "amber/device.h"

typedef struct amber_amd_options {
    /* used if a script does not require one: 32 or 64; 0: the target's default */
    uint32_t wave_size;
    uint32_t checks; /* AMD_EMU_CHECK_* of amd/emu/emu.h */
    uint64_t seed;   /* seed of the emulator's wave scheduler */
    bool hsa;        /* shaders are compiled to AMDHSA kernels instead of Vulkan shaders */
    /* Restrictions on the compiler, as in HEDDLE_DEBUG (docs/cli.md): switches AMD_DEBUG_* of
     * amd/amd.h, limits on registers and on the reach of branches (0: none), passes to skip (names
     * separated by commas). */
    uint32_t debug;
    uint16_t debug_sgprs, debug_vgprs, debug_reach;
    const char *skip;
} amber_amd_options;

/* Makes a device in `a` for a target of the AMD back end. Returns NULL if there is no target of
 * that name. */
amber_device *
amber_amd_open(arena *a, const char *target, const amber_amd_options *options);

#endif
