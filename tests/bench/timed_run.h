/* Included before the sources of the fake device (anchors.py): its dispatches are timed by the
 * machine model, as those of tests/real are, and each prints a line before the device's own. The
 * target is named by HEDDLE_TARGET. What the device's prototype does not hand on stands in
 * COMPUTE_PGM_RSRC1.
 */
#ifndef TIMED_RUN_H
#define TIMED_RUN_H

#include "amd/emu/emu.h"
#include "amd/target/occupancy.h"
#include "machine/watch.h"

#include <stdio.h>
#include <stdlib.h>

/* Bits 9:6 are the SGPRs that are allocated, in eights, less one ("RDNA 2" ISA guide and before:
 * only up to gfx9). */
static inline bool
timed_run(amd_emu_dispatch *d, uint32_t rsrc1, mach_memory *m, arena *scratch, mach_report *report)
{
    const char *name = getenv("HEDDLE_TARGET");
    const amd_target *target = name ? amd_find_target(name) : NULL;
    mach_watch watch = {.count = true};
    if (!target)
        return amd_emu_run(d, m, scratch, report);
    const amd_wave_needs needs = {
        .sgprs = ((rsrc1 >> 6 & 15) + 1) * 8,
        .vgprs = d->n_vgprs,
        .lds_bytes = d->lds_bytes,
        .wave_size = d->wave_size,
        .group_size = {d->group_size[0], d->group_size[1], d->group_size[2]}};
    d->processor = name;
    d->resident_waves = amd_waves_that_fit(target, &needs);
    d->watch = &watch;
    bool ok = amd_emu_run(d, m, scratch, report);
    fprintf(stderr, "time %llu cycles\n", (unsigned long long)watch.time.cycles);
    return ok;
}

#define amd_emu_run(d, m, scratch, report) timed_run(d, rsrc1, m, scratch, report)

#endif
