/* Stages of graphics: waves that the fixed functions start, one at a time.
 *
 * The caller begins a wave, makes fibres active and gives them what is in their registers, runs it
 * to its end, and reads what its registers then have. All waves of a stage share the constant file,
 * which the first one's preamble completes. */
#ifndef ADRENO_EMU_RUN_STAGE_H
#define ADRENO_EMU_RUN_STAGE_H

#include "adreno/emu/core/machine.h"

typedef struct adreno_stage adreno_stage;

/* Opens a stage; of `d` that what says of groups does not count. Returns NULL, with the reason in
 * the report, if it cannot be run. */
adreno_stage *
adreno_stage_open(const adreno_dispatch *d, const mach_memory *m, arena *a, mach_report *report);

/* Begins a wave, which findings call `id`. Nothing is active or defined. */
adreno_wave *
adreno_stage_begin(adreno_stage *s, const uint32_t id[3]);

/* Gives a fibre, which becomes active, a register's value. */
void
adreno_stage_give(adreno_wave *w, unsigned fibre, unsigned reg, bool half, uint32_t value);

/* Runs the wave to its end. Returns false if the whole run ends. */
bool
adreno_stage_run(adreno_stage *s);

/* What a register of an ended wave has; false if nothing has been written, which is reported under
 * the name of the output. */
bool
adreno_stage_take(adreno_wave *w, unsigned fibre, unsigned reg, const char *output,
                  uint32_t *value);

#endif
