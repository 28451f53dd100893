/* One dispatch on several threads.
 *
 * The emulator starts no threads. A caller that has some gives each an arena of its own and calls
 * amd_emu_run_part on it with the same amd_emu_share; each takes one group after the other until
 * none is left. Then amd_emu_merge makes one report of the parts. Memory is shared: a program
 * without races between groups leaves the same bytes and the same report whatever the number of
 * threads; its atomics lock. Groups that wait for each other may wait forever, as they may on a
 * GPU.
 *
 * Not for dispatches with the races checker, with GDS, with a callback for exports, or with regions
 * that have a bitmap of defined bytes: these are shared and not locked. amd_emu_may_share says so.
 */
#ifndef AMD_EMU_SHARE_H
#define AMD_EMU_SHARE_H

#include "amd/emu/emu.h"

#include <stdatomic.h>

enum { AMD_EMU_LOCKS = 64 };

typedef struct amd_emu_share {
    _Atomic uint64_t next;            /* the first group that nobody has taken */
    _Atomic uint64_t stop_at;         /* no group behind this one is begun any more */
    atomic_flag locks[AMD_EMU_LOCKS]; /* of atomics, by the host's address */
} amd_emu_share;

void
amd_emu_share_init(amd_emu_share *share);

/* Can several threads run this dispatch? */
bool
amd_emu_may_share(const amd_emu_dispatch *d, const mach_memory *m);

/* Runs groups that no other part runs. `m` is only read, its regions' bytes are written; `scratch`
 * is the thread's own. */
void
amd_emu_run_part(const amd_emu_dispatch *d, const mach_memory *m, amd_emu_share *share,
                 arena *scratch, amd_emu_report *report);

/* One report from those of `n` parts: findings in the order of their groups. True if the status is
 * AMD_EMU_DONE and nothing was found. */
bool
amd_emu_merge(const amd_emu_dispatch *d, const amd_emu_report *parts, uint32_t n,
              amd_emu_report *report);

/* Around a read-modify-write of the host's `bytes`; nothing where `share` is NULL. */
void
amd_emu_lock(amd_emu_share *share, const void *bytes);
void
amd_emu_unlock(amd_emu_share *share, const void *bytes);

#endif
