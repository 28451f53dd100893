/* The HIR interpreter as a device (target name `hir`): the meaning of a script without a machine.
 */
#ifndef AMBER_DEV_HIR_H
#define AMBER_DEV_HIR_H

#include "amber/device.h"

/* A device in `a`. `wave_size` is that of subgroups where the script requires none; 0 is 64. */
amber_device *
amber_hir_open(arena *a, uint32_t wave_size);

#endif
