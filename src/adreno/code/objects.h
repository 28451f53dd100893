/* Code objects as the family's. */
#ifndef ADRENO_CODE_OBJECTS_H
#define ADRENO_CODE_OBJECTS_H

#include "adreno/isa/asm/asm.h"
#include "family/family.h"

extern const family_objects adreno_family_objects;

/* Appends the code object of an assembled text, whose metadata say all but the code. */
void
adreno_make_object(const ir_ctx *c, const family_target *t, const adreno_asm_unit *u,
                   base_buf *out);

#endif
