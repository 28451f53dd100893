/* Statistics of bytecode. */
#ifndef R600_CODE_STATISTICS_H
#define R600_CODE_STATISTICS_H

#include "r600/emit/emit.h"

/* Counts a program's words, instructions, groups and registers (without the clauses' temporaries).
 * `stack` stays 0: words do not say what a driver declares. */
void
r600_count_code(arena *a, const r600_chip *chip, const uint8_t *bytes, size_t size,
                r600_figures *out);

#endif
