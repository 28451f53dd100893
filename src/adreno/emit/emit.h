/* Machine code from the last IR, and what a code object says beside it. */
#ifndef ADRENO_EMIT_EMIT_H
#define ADRENO_EMIT_EMIT_H

#include "adreno/adreno.h"

/* Appends the program's words. Sets the program's figures. */
void
adreno_emit_program(ir_fn *f, base_buf *out);

/* The state of an emitted program, in the function's arena. */
const adreno_obj_state *
adreno_make_state(const ir_fn *f);

/* Lists the register words of an emitted program, in the order of their rows; the other figures of
 * the state are there. */
void
adreno_list_words(const adreno_program *p, adreno_obj_state *s);

#endif
