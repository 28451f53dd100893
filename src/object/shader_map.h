/* The `.heddle` map of a note: what a kernel's model says and the format of a family's notes does
 * not: name, stage, sizes, bindings. A family adds entries of its own. Other tools ignore it. */
#ifndef OBJECT_SHADER_MAP_H
#define OBJECT_SHADER_MAP_H

#include "object/object.h"
#include "object/pack.h"

/* Appends the map with its key to a map; the caller appends `more` entries to it. */
void
obj_put_shader_map(base_buf *b, const obj_code *code, uint32_t more);

/* Reads the entries that all families have. Fails with OBJECT_BAD_METADATA. */
void
obj_get_shader_map(diag *d, arena *a, const pack_value *map, obj_code *out);

#endif
