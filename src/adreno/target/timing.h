/* When results may be read. Operations of categories 1 to 3 give them a fixed number of cycles
 * later, of which code must take care; all others are waited for: by (ss) for special functions,
 * local loads, sizes and shared registers, by (sy) for textures, other loads and atomics. Source:
 * ir3_delay.c and ir3_legalize.c of Mesa. */
#ifndef ADRENO_TARGET_TIMING_H
#define ADRENO_TARGET_TIMING_H

#include "adreno/adreno.h"

typedef enum adreno_kind {
    ADRENO_K_ALU,
    ADRENO_K_SPECIAL,
    ADRENO_K_TEXTURE,
    ADRENO_K_SHORT_LOAD, /* by (ss) */
    ADRENO_K_LOAD,
    ADRENO_K_STORE,
    ADRENO_K_FLOW,
    ADRENO_K_OTHER,
} adreno_kind;

adreno_kind
adreno_kind_of(const ir_instr *i);

/* Cycles by which the instruction reads source `r` later than its first. */
unsigned
adreno_read_delay(const adreno_target *t, const ir_instr *i, unsigned r);

/* Cycles that the instruction is certain to take. */
unsigned
adreno_cycles_of(const ir_instr *i);

static inline bool
adreno_is_shared_reg(ir_ref r)
{
    return r.reg >= ADRENO_REG_SHARED && r.reg < ADRENO_REG_PREDICATE;
}

#endif
