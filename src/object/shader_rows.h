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

enum { OBJ_MOST_REGISTERS = 64, OBJ_ROW_LISTS = 3 };

/* What a family's state of a shader begins with. */
typedef struct obj_shader_rows {
    const struct obj_shader_kind *kind; /* what the family's files are (shader_file.h) */
    obj_register registers[OBJ_MOST_REGISTERS];
    uint32_t n_registers;
    const obj_io *io;
    uint32_t n_io;
    const obj_slot *slots;
    uint32_t n_slots;
} obj_shader_rows;

/* Appends OBJ_ROW_LISTS entries to a map: .registers, .io, .slots. */
void
obj_put_rows(base_buf *b, const obj_shader_rows *rows);

/* Reads them. Fails with OBJECT_BAD_METADATA if there are more than `most` registers. */
void
obj_get_rows(diag *d, arena *a, const pack_value *map, uint32_t most, obj_shader_rows *out);

#endif
