/* The races checker: two accesses to the same bytes, at least one of them a write, that no barrier
 * of the group orders, or that are of two groups.
 *
 * Atomics do not conflict with each other, nor does a store of what is already there. Instructions
 * do not tell loads and stores that synchronise (of flags, say) from others: all reach the same
 * cache in global memory. So there only two stores conflict, and a wave that does an atomic on what
 * another one has touched may have learnt that all before is done. */
#ifndef ADRENO_EMU_CHECK_RACES_H
#define ADRENO_EMU_CHECK_RACES_H

#include "adreno/emu/mem/access.h"

struct adreno_races *
adreno_races_new(arena *a);

/* A group begins; all its waves have passed a barrier. */
void
adreno_races_group(adreno_machine *m);
void
adreno_races_barrier(adreno_machine *m);

/* The wave accesses global or local memory. */
void
adreno_races_note(adreno_wave *w, const adreno_access *a);

#endif
