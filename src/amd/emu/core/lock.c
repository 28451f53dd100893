/* Locks of atomics. */
#include "amd/emu/core/lock.h"

#include <stdint.h>

void
amd_emu_init_locks(amd_emu_locks *locks)
{
    for (unsigned i = 0; i < AMD_EMU_LOCKS; i++)
        atomic_flag_clear(&locks->of[i]);
}

/* The lock of an aligned group of 8 bytes, so that 32-bit and 64-bit atomics of the same bytes use
 * the same one. */
static atomic_flag *
lock_of(amd_emu_locks *locks, const void *bytes)
{
    uint64_t h = ((uint64_t)(uintptr_t)bytes >> 3) * UINT64_C(0x9e3779b97f4a7c15);
    return &locks->of[h >> 58];
}

void
amd_emu_lock(amd_emu_locks *locks, const void *bytes)
{
    while (locks && atomic_flag_test_and_set_explicit(lock_of(locks, bytes), memory_order_acquire))
        ;
}

void
amd_emu_unlock(amd_emu_locks *locks, const void *bytes)
{
    if (locks)
        atomic_flag_clear_explicit(lock_of(locks, bytes), memory_order_release);
}
