/* Machine code and code objects as text and from text, and figures of code. */
#ifndef ADRENO_CODE_CODE_H
#define ADRENO_CODE_CODE_H

#include "adreno/isa/asm/asm.h"
#include "family/family.h"

extern const family_isa adreno_family_isa;
extern const family_objects adreno_family_objects;

/* Appends the code object of an assembled text, whose metadata say all but the code. */
void
adreno_make_object(const ir_ctx *c, const family_target *t, const adreno_asm_unit *u,
                   base_buf *out);

/* Counts as Mesa's ir3 does, from the words alone: an instruction as often as it is repeated, and
 * the nops of (nopN). What stands behind the last `end` does not count. */
void
adreno_count_code(arena *scratch, const family_target *t, const obj_code *code,
                  family_figures *out);

void
adreno_print_statistics(const family_figures *figures, base_buf *out);

#endif
