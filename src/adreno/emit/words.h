/* Register words of a program. */
#ifndef ADRENO_EMIT_WORDS_H
#define ADRENO_EMIT_WORDS_H

#include "adreno/adreno.h"
#include "adreno/object/object.h"

/* Lists those of an emitted program, in the order of their rows; the other figures of the state are
 * there. */
void
adreno_list_words(const adreno_program *p, adreno_obj_state *s);

#endif
