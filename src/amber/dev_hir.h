/* The HIR interpreter as a device (target name `hir`), which runs a script without a machine. */
#ifndef AMBER_DEV_HIR_H
#define AMBER_DEV_HIR_H

#include "amber/device.h"

/* Makes a device in `a`. `size` is that of subgroups for scripts that require none; 0 means 64. It
 * has 32 and 64, or 1 alone, as a target whose invocations are each a subgroup. */
amber_device *
amber_hir_open(arena *a, uint32_t size);

/* Variations of the interpreter's behaviour that show what a result depends on: see ir_eval_env.
 * Races are findings of a dispatch that otherwise passes, and the reason names the first. */
typedef struct amber_hir_odd {
    uint8_t undefined;
    bool backwards;
    int8_t rough;
    bool find_races;
    uint32_t scratch_gap; /* of spirv_options */
} amber_hir_odd;

amber_device *
amber_hir_open_odd(arena *a, uint32_t size, amber_hir_odd odd);

#endif
