/* The notifications that the *races* checker receives. */
#ifndef AMD_EMU_RACES_H
#define AMD_EMU_RACES_H

#include "amd/emu/check/race_shadow.h"
#include "amd/emu/core/wave.h"

/* An access of the current instruction to memory that waves or groups share; `same`: a store that
 * changes nothing. */
void
amd_emu_races_access(emu_wave *w, uint64_t address, uint32_t size, int lane, bool same);

/* A wait until the counters are at most `counts` (UINT32_MAX: not waited for). */
void
amd_emu_races_until(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT]);

/* The memory instructions of the wave, whose group is on one compute unit, have read their
 * VGPRs. */
void
amd_emu_races_sent(emu_wave *w);

/* A barrier that all waves of the group have passed. */
void
amd_emu_races_barrier(emu_group *g);

/* What was accessed so far, and an access by its number in a cell; 0 is none. */
const race_shadow *
amd_emu_races_shadow(const struct emu_races *r);
amd_emu_access
amd_emu_races_read(const struct emu_races *r, uint32_t number);

#endif
