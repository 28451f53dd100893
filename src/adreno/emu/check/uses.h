/* Which registers an instruction reads and writes, for the checkers. */
#ifndef ADRENO_EMU_CHECK_USES_H
#define ADRENO_EMU_CHECK_USES_H

#include "adreno/emu/core/machine.h"

enum { ADRENO_MAX_USES = 16 };

/* `count` registers in a row. With `steps` the register counts with the repetition: the operand has
 * one register, and repetition n takes the n-th behind it. */
typedef struct adreno_use {
    uint16_t reg;
    uint8_t count, index; /* number of the source */
    bool half, write, steps;
} adreno_use;

/* Dwords of the constant file, from the first to the one behind the last. */
typedef struct adreno_consts {
    uint32_t first, end;
} adreno_consts;

static inline void
adreno_add_consts(adreno_consts *c, uint32_t first, uint32_t n)
{
    const bool none = c->first == c->end;
    const uint32_t end = first + n;
    c->first = none || first < c->first ? first : c->first;
    c->end = none || end > c->end ? end : c->end;
}

typedef struct adreno_uses {
    uint32_t n;
    adreno_consts consts; /* that are read */
    adreno_use list[ADRENO_MAX_USES];
} adreno_uses;

void
adreno_find_uses(const adreno_isa *t, const adreno_inst *in, adreno_uses *out);

#endif
