/* The parts of a run: the machine, a group of waves and its turns (run.c); stages of graphics are
 * run by them, too (stage.c). */
#ifndef ADRENO_EMU_RUN_RUN_H
#define ADRENO_EMU_RUN_RUN_H

#include "adreno/emu/core/machine.h"

/* Makes a machine in `a`. Returns NULL if it cannot run, with the reason in the report, which is
 * otherwise left as it is. */
adreno_machine *
adreno_machine_open(const adreno_dispatch *d, const mach_memory *memory, arena *a,
                    mach_report *report);

/* Makes the waves of a group; puts them at the program's start; runs them to their end. */
void
adreno_group_make(adreno_machine *m, adreno_group *g);
void
adreno_group_start(adreno_machine *m, adreno_group *g);
void
adreno_group_run(adreno_machine *m, adreno_group *g);

#endif
