/* Statistics of machine code. */
#ifndef ADRENO_CODE_STATISTICS_H
#define ADRENO_CODE_STATISTICS_H

#include "family/family.h"

/* Counts as Mesa's ir3 does, from the words alone: an instruction as often as it is repeated, and
 * the nops of (nopN). What stands behind the last `end` does not count. */
void
adreno_count_code(arena *scratch, const family_target *t, const obj_code *code,
                  family_figures *out);

void
adreno_print_statistics(const family_figures *figures, base_buf *out);

#endif
