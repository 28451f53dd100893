/* Locks of atomics, for dispatches that run on several threads (run/share.h). */
#ifndef AMD_EMU_LOCK_H
#define AMD_EMU_LOCK_H

#include <stdatomic.h>

enum { AMD_EMU_LOCKS = 64 };

/* By the host's address. */
typedef struct amd_emu_locks {
    atomic_flag of[AMD_EMU_LOCKS];
} amd_emu_locks;

void
amd_emu_init_locks(amd_emu_locks *locks);

/* Surround a read-modify-write of the host's `bytes`; no effect if `locks` is NULL. */
void
amd_emu_lock(amd_emu_locks *locks, const void *bytes);
void
amd_emu_unlock(amd_emu_locks *locks, const void *bytes);

#endif
