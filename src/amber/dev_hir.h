/* The HIR interpreter as a device (target name `hir`): the meaning of a script without a machine.
 */
#ifndef AMBER_DEV_HIR_H
#define AMBER_DEV_HIR_H

#include "amber/device.h"

/* A device in `a`. `wave_size` is that of subgroups where the script requires none; 0 is 64. */
amber_device *
amber_hir_open(arena *a, uint32_t wave_size);

/* What the interpreter does otherwise, for telling what a result depends on: see ir_eval_env. */
typedef struct amber_hir_odd {
    uint8_t undefined;
    bool backwards;
    int8_t rough;
} amber_hir_odd;

amber_device *
amber_hir_open_odd(arena *a, uint32_t wave_size, amber_hir_odd odd);

#endif
