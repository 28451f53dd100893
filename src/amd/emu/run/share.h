/* One dispatch on several threads.
 *
 * The emulator starts no threads. A caller that has some gives each an arena of its own and calls
 * amd_emu_run_part on it with the same amd_emu_share; each call runs one group after another until
 * none is left. Then amd_emu_merge combines the reports. Memory is shared, and atomics lock it: a
 * program without races between groups leaves the same bytes and the same report for any number of
 * threads. Groups that wait for each other may wait forever, as on a GPU.
 *
 * Dispatches with the races checker, with GDS, with a callback for exports, or with regions that
 * have a bitmap of defined bytes cannot be shared, because this state is not locked.
 * amd_emu_may_share checks this.
 */
#ifndef AMD_EMU_SHARE_H
#define AMD_EMU_SHARE_H

#include "amd/emu/core/lock.h"
#include "amd/emu/emu.h"

typedef struct amd_emu_share {
    _Atomic uint64_t next;    /* the first group that no thread has taken */
    _Atomic uint64_t stop_at; /* no group after this one is started any more */
    amd_emu_locks locks;
} amd_emu_share;

void
amd_emu_share_init(amd_emu_share *share);

/* Can several threads run this dispatch? */
bool
amd_emu_may_share(const amd_emu_dispatch *d, const mach_memory *m);

/* Runs groups that no other part has taken. `m` itself is only read, but its regions' bytes are
 * written; `scratch` belongs to the thread. */
void
amd_emu_run_part(const amd_emu_dispatch *d, const mach_memory *m, amd_emu_share *share,
                 arena *scratch, mach_report *report);

/* Merges the reports of `n` parts, with findings in the order of their groups. Returns true if the
 * status is MACH_RUN_DONE and there are no findings. */
bool
amd_emu_merge(const amd_emu_dispatch *d, const mach_report *parts, uint32_t n, mach_report *report);

#endif
