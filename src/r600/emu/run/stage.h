/* Waves that the fixed functions of graphics start, one at a time.
 *
 * The caller begins a wave, gives its lanes what is in their registers, and runs it to its end.
 * What it exports goes to the dispatch's callback. */
#ifndef R600_EMU_RUN_STAGE_H
#define R600_EMU_RUN_STAGE_H

#include "r600/emu/core/wave.h"

/* The state of a machine, in `a`. */
emu_machine *
r600_machine_open(arena *a, mach_memory *memory, const r600_emu_dispatch *d, mach_report *report);

typedef struct r600_stage {
    r600_emu_dispatch dispatch;
    emu_machine *machine;
    emu_group group;
    uint8_t must_end; /* types of exports that must be made to their last, a bit each */
} r600_stage;

/* Opens a stage; of `d` that what says of groups does not count. Returns NULL, with the reason in
 * the report, if it cannot be run. */
r600_stage *
r600_stage_open(const r600_emu_dispatch *d, mach_memory *m, arena *a, mach_report *report);

/* Begins a wave of these lanes, which findings call `id`. No register is defined. */
emu_wave *
r600_stage_begin(r600_stage *s, const uint32_t id[3], uint64_t lanes);

/* Gives a lane component `at` of the register file, which counts four to a register. */
static inline void
r600_stage_give(emu_wave *w, unsigned lane, unsigned at, uint32_t value)
{
    emu_lanes *to = &w->gpr[at / 4][at % 4];
    to->v[lane] = value;
    to->defined |= UINT64_C(1) << lane;
}

/* Runs the wave to its end. Returns false if the whole run ends. */
bool
r600_stage_run(r600_stage *s);

#endif
