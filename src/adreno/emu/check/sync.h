/* The checkers of waits and delays: what an instruction reads must be there.
 *
 * Operations of categories 1 to 3 write their results a fixed number of cycles later, and nothing
 * waits for them; results of others come late and need (ss) or (sy); what slow instructions read
 * must not be overwritten before they have read it. Source: ir3_delay.c and ir3_legalize.c of Mesa.
 * Where these are more careful than the hardware may be, so is the checker: instructions of
 * categories 4 to 7, branches and jumps take no time. */
#ifndef ADRENO_EMU_CHECK_SYNC_H
#define ADRENO_EMU_CHECK_SYNC_H

#include "adreno/emu/core/findings.h"

struct adreno_sync *
adreno_sync_new(arena *a);

/* A wave begins. */
void
adreno_sync_start(adreno_wave *w);

/* Before the wave executes the instruction; w->sync is not NULL. */
void
adreno_sync_before(adreno_wave *w, const adreno_inst *in);

/* What an instruction outside the code writes before the wave starts. */
void
adreno_sync_prefetched(adreno_wave *w, const adreno_inst *in);

/* A register is an output of the wave, which has ended: what it gets must be there. */
void
adreno_sync_output(adreno_wave *w, unsigned reg, const char *output);

#endif
