/* Files with the machine code of one shader, and a note of two entries: `.target`, the chip, and
 * the `.heddle` map (shader_map.h), to which a family adds its own entries. */
#ifndef OBJECT_SHADER_FILE_H
#define OBJECT_SHADER_FILE_H

#include "object/pack.h"
#include "object/read.h"

/* Begins the note; the caller appends `more` entries to the map. */
void
obj_put_shader_note(base_buf *b, const obj_code *code, uint32_t more);

/* Reads what obj_put_shader_note writes. Returns the map. Fails with OBJECT_BAD_METADATA. */
const pack_value *
obj_get_shader_note(diag *d, arena *a, const pack_value *note, obj_code *out);

/* Appends the code object, whose note `put_note` appends; equal models give equal bytes. */
void
obj_write_shader(const obj_format *format, const obj_code *code,
                 void (*put_note)(const obj_code *code, base_buf *b), base_buf *out);

/* Reads a code object, of which the reader has all that a caller gives; `get_note` fills in what
 * the note says. Fails with an OBJECT_* error. */
void
obj_read_shader(elf_reader *r,
                void (*get_note)(diag *d, arena *a, const pack_value *note, obj_code *out));

#endif
