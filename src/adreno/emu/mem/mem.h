/* Category 6. */
#ifndef ADRENO_EMU_MEM_MEM_H
#define ADRENO_EMU_MEM_MEM_H

#include "adreno/emu/mem/access.h"

/* Executes an instruction of category 6. Returns false if it is not known what it does. */
bool
adreno_execute_memory(adreno_wave *w, const adreno_inst *in);

/* A register or number: `im` says which. */
uint32_t
adreno_number_or_reg(adreno_wave *w, unsigned fibre, uint32_t bits, bool im, const char *what);

/* The ir_atomic_op of an atomic's row and type. Returns false if it is none. */
bool
adreno_atomic_of(const adreno_inst *in, unsigned *op);

/* An exchange of 64 bits, of pairs of registers, with a condition or not. No driver uses other
 * operations of this type. */
bool
adreno_exchanges_pairs(const adreno_inst *in);

/* Does an atomic operation on memory, of 4 or 8 bytes: data, and what it is compared with, from
 * registers `data` and behind them; the result goes to register `dst`, or it and the next one. */
typedef struct adreno_atomic {
    adreno_access access;
    unsigned data, dst;
} adreno_atomic;

void
adreno_do_atomic(adreno_wave *w, const adreno_inst *in, const adreno_atomic *a);

/* ---- inside the room ---- */

/* Atomics; exchanges between fibres. Return false for other instructions. */
bool
adreno_execute_atomic(adreno_wave *w, const adreno_inst *in);
bool
adreno_execute_exchange(adreno_wave *w, const adreno_inst *in);
/* ray_intersection. */
void
adreno_execute_ray(adreno_wave *w, const adreno_inst *in);

#endif
