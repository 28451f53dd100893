/* Groups of waves, for dispatches (run.c) and stages of graphics (stage.c). */
#ifndef AMD_EMU_GROUP_H
#define AMD_EMU_GROUP_H

#include "amd/emu/core/wave.h"

/* Allocates the state of a group of `n_waves`, which the machine's groups use one after another.
 * The machine's checkers must be set. */
void
amd_emu_make_group(emu_machine *m, emu_group *g, uint32_t n_waves);

/* Before a group: its LDS, and the scratch memory that the group before has stored to, hold nothing
 * defined. */
void
amd_emu_clear_group(emu_machine *m, emu_group *g);

/* Runs the waves, which were started (entry.h), until all have ended or the run must end. */
void
amd_emu_run_group(emu_machine *m, emu_group *g);

/* Adds what the waves counted to the report. */
void
amd_emu_count_group(emu_machine *m, const emu_group *g);

/* The maximum bytes of scratch of a wave, and those that a dispatch's waves have. */
uint64_t
amd_emu_max_scratch(amd_gen gen);
uint64_t
amd_emu_scratch_bytes(const amd_emu_dispatch *d);

/* Maps scratch memory, with a bitmap of defined bytes if it is `tracked`; NULL if its place is
 * taken. amd_emu_use_scratch gives it to a machine; NULL is none. */
mach_region *
amd_emu_map_scratch(mach_memory *m, arena *a, uint64_t bytes, bool tracked);
void
amd_emu_use_scratch(emu_machine *m, mach_region *r);

#endif
