/* Control flow: branches, predication, the preamble, barriers.
 *
 * Fibres that leave the path of the wave park at the instruction where they go on. The wave always
 * runs the fibres that are at the lowest address: of a branch on which they differ, those with the
 * nearer way on; a jump forward over a place where others wait parks its fibres, too, and the
 * waiting ones go on. Where the wave comes by a place, those who wait there join it; the
 * instruction must have (jp). Source: the comments of ir3_reconvergence.c of Mesa. */
#ifndef ADRENO_EMU_FLOW_FLOW_H
#define ADRENO_EMU_FLOW_FLOW_H

#include "adreno/emu/core/findings.h"

/* The wave is about to execute the instruction at w->pc: those who wait there join it. */
void
adreno_flow_arrive(adreno_wave *w);

/* Executes an instruction of category 0 or 7. Returns false if it is not known what it does. */
bool
adreno_execute_flow(adreno_wave *w, const adreno_inst *in);

#endif
