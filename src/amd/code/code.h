/* Code objects as text and from text (internal to amd/code and the family's table). */
#ifndef AMD_CODE_CODE_H
#define AMD_CODE_CODE_H

#include "amd/target/target_id.h"

/* family_objects.print_notes, print, replace_code. */
void
amd_print_notes(const obj_code *code, base_buf *out);
void
amd_print_object(const ir_ctx *c, const family_target *t, const obj_file *f, family_text how,
                 base_buf *out);
void
amd_replace_code(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code);

/* family_isa.stated_target, assemble. */
const char *
amd_stated_target(arena *a, const char *text, size_t size);
void
amd_assemble_text(const ir_ctx *c, const family_assembly *job, base_buf *out);

#endif
