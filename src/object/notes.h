/* The metadata note of a code object: MessagePack made from an obj_code, and back. */
#ifndef OBJECT_NOTES_H
#define OBJECT_NOTES_H

#include "object/object.h"
#include "object/pack.h"

/* The hardware stage that a shader stage runs as in PAL's notes ("cs"), and its entry symbol
 * ("_amdgpu_cs_main"). */
const char *
notes_hardware_stage(obj_stage stage);
const char *
notes_entry_symbol(obj_stage stage);

/* Appends the MessagePack of `code`'s ABI. */
void
notes_write(const obj_code *code, base_buf *out);

/* Fills from a pipeline's map (vulkan) or a kernel's map (hsa), and from the `.heddle` map (NULL
 * where the object is another compiler's). The machine code and what the kernel descriptor says are
 * the caller's. Fails with OBJECT_BAD_METADATA. */
void
notes_read_pipeline(diag *d, arena *a, const pack_value *pipeline, const pack_value *heddle,
                    obj_code *out);
void
notes_read_kernel(diag *d, arena *a, const pack_value *kernel, const pack_value *heddle,
                  obj_code *out);

#endif
