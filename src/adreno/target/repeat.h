/* Instructions that one with (rptN) can stand for: the hardware repeats it with its result one
 * further, and the sources with (r), one cycle each.
 *
 * Repetition exists in categories 1 to 4; turnip's code has it for all that are joined here. A
 * number in the instruction cannot count. (r) and (nopN) are the same bits. */
#ifndef ADRENO_TARGET_REPEAT_H
#define ADRENO_TARGET_REPEAT_H

#include "adreno/adreno.h"

enum { ADRENO_MAX_REPEAT = 3, ADRENO_WORDS = 3 };

/* Does the hardware repeat such an instruction? */
bool
adreno_may_repeat(const ir_instr *i);

/* Can the instruction, in registers, have repetitions? */
bool
adreno_can_repeat(const ir_instr *i);

/* Can `i` be repetition number `n` of `first`, which can have some? `*counts` are the sources with
 * (r), which the first repetition decides. */
bool
adreno_is_repetition(const ir_instr *first, const ir_instr *i, unsigned n, uint32_t *counts);

#endif
