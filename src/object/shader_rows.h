/* Rows of the `.heddle` map that families share: register words, inputs and outputs of stages,
 * places of resources. */
#ifndef OBJECT_SHADER_ROWS_H
#define OBJECT_SHADER_ROWS_H

#include "base/diag.h"
#include "object/pack.h"

/* A register that a driver writes, and its word. */
typedef struct obj_register {
    uint32_t address, value;
} obj_register;

/* An input or output of a stage of graphics. The family says what kinds and places are. */
typedef struct obj_io {
    const char *kind;
    const char *slot; /* of varyings and outputs of vertices; "" of others */
    uint32_t location, components;
    uint32_t place;
    uint32_t first; /* the register of component 0 */
} obj_io;

/* Where a driver provides a resource. */
typedef struct obj_slot {
    const char *kind;
    uint32_t set, binding, element, place;
} obj_slot;

/* Append an entry to a map: .registers, .io, .slots. */
void
obj_put_registers(base_buf *b, const obj_register *list, uint32_t n);
void
obj_put_io(base_buf *b, const obj_io *list, uint32_t n);
void
obj_put_slots(base_buf *b, const obj_slot *list, uint32_t n);

/* Read such an entry of a map; of registers `most` at most, or OBJECT_BAD_METADATA. */
uint32_t
obj_get_registers(diag *d, const pack_value *map, obj_register *list, uint32_t most);
uint32_t
obj_get_io(arena *a, const pack_value *map, const obj_io **list);
uint32_t
obj_get_slots(arena *a, const pack_value *map, const obj_slot **list);

#endif
