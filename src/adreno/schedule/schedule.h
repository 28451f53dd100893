/* The order of instructions, before and after register allocation. */
#ifndef ADRENO_SCHEDULE_SCHEDULE_H
#define ADRENO_SCHEDULE_SCHEDULE_H

#include "ir/ir.h"

/* Before: slow instructions early, within the register budget. Liveness stays valid. */
void
adreno_schedule_program(ir_fn *f);

/* After, on hardware instructions: fewer delays. */
void
adreno_schedule_delays(ir_fn *f);

#endif
