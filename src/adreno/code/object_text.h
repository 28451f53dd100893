/* Code objects as text and from text. */
#ifndef ADRENO_CODE_OBJECT_TEXT_H
#define ADRENO_CODE_OBJECT_TEXT_H

#include "adreno/isa/asm/asm.h"
#include "family/family.h"

/* family_objects.print_notes, print, replace_code. */
void
adreno_print_notes(const obj_code *code, base_buf *out);
void
adreno_print_object(const ir_ctx *c, const family_target *t, const obj_file *f, family_text how,
                    base_buf *out);
void
adreno_replace_code(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code);

/* Appends the code object of an assembled text, whose metadata say all but the code. */
void
adreno_make_object(const ir_ctx *c, const family_target *t, const adreno_asm_unit *u,
                   base_buf *out);

#endif
