/* The AMD compiler and emulator as a device: what a script does on the machine code. */
#ifndef AMBER_DEV_AMD_H
#define AMBER_DEV_AMD_H

#include "amber/device.h"

typedef struct amber_amd_options {
    uint32_t wave_size; /* where a script requires none: 32 or 64; 0: the target's default */
    uint32_t checks;    /* AMD_EMU_CHECK_* of amd/emu/emu.h */
    uint64_t seed;      /* of the emulator's wave scheduler */
    bool hsa;           /* shaders become AMDHSA kernels, not Vulkan's */
    /* How the compiler is held back, as by HEDDLE_DEBUG (docs/cli.md): switches AMD_DEBUG_* of
     * amd/amd.h, bounds of the registers and of branches' reach (0: none), passes left out (names
     * divided by commas). */
    uint32_t debug;
    uint16_t debug_sgprs, debug_vgprs, debug_reach;
    const char *skip;
} amber_amd_options;

/* A device in `a` for a target of the AMD back end; NULL if there is none of that name. */
amber_device *
amber_amd_open(arena *a, const char *target, const amber_amd_options *options);

#endif
