/* The checkers' interface to the loop. Each checker may be off.
 *
 * The loop makes their state and calls them before each instruction. Handlers call no checker: they
 * notify the machine's listeners (core/wave.h), which amd_emu_listen sets.
 */
#ifndef MACH_CHECK_H
#define MACH_CHECK_H

#include "amd/emu/core/wave.h"

/* Waits checker (waits.c): allocates a wave's state; resets it; before an instruction,
 * reports uses of pending registers and records what `i` leaves pending. */
struct emu_pending *
amd_emu_waits_new(arena *a);
void
amd_emu_waits_start(emu_wave *w);
void
amd_emu_waits_before(emu_wave *w, const emu_inst *i);

/* Hazards checker (hazards.c): the rules of a dispatch without those that it names; the data kept
 * for an instruction; a wave's state, and its reset; the checks before an instruction. */
struct hazard_set *
amd_emu_hazards_rules(arena *a, const amd_emu_dispatch *d);
struct emu_hazard_info *
amd_emu_hazards_info(arena *a, const struct hazard_set *set, const emu_inst *i, bool wave64);
struct emu_hazards *
amd_emu_hazards_new(arena *a, const struct hazard_set *set);
void
amd_emu_hazards_start(emu_wave *w);
void
amd_emu_hazards_before(emu_wave *w, const emu_inst *i);

/* Races checker (races.c): the state of a dispatch and of a wave; the start of a group; before an
 * instruction; a wave's end. */
struct emu_races *
amd_emu_races_new(arena *a, uint32_t n_waves);
struct emu_races *
amd_emu_races_record(arena *a, uint32_t n_waves); /* tells alone, and finds nothing */
struct emu_race_wave *
amd_emu_races_wave(const struct emu_races *r);
void
amd_emu_races_start(emu_group *g);
void
amd_emu_races_before(emu_wave *w, const emu_inst *i);
void
amd_emu_races_end(emu_wave *w);

/* Tells of all memory that the dispatch has accessed (race_touches.c). */
void
amd_emu_races_tell(const struct emu_races *r, amd_emu_touched_fn *told, void *user);

/* Undefined checker (undefined.c): before an instruction, computes the shadow of an ALU
 * instruction's result. Memory instructions do that themselves. */
void
amd_emu_shadow_before(emu_wave *w, const emu_inst *i);

/* Makes the checkers listen to the machine's waves: waits, and races if m->races is set
 * (check.c). */
void
amd_emu_listen(emu_machine *m);

#endif
