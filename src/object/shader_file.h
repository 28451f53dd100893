/* Files with the machine code of one shader, and a note of two entries: `.target`, the chip, and
 * the `.heddle` map (shader_map.h), to which a family adds its own entries. */
#ifndef OBJECT_SHADER_FILE_H
#define OBJECT_SHADER_FILE_H

#include "object/pack.h"
#include "object/read.h"
#include "object/shader_rows.h"

/* A number of 32 bits in a family's state: its key in the map, its place in the state. */
typedef struct obj_state_number {
    const char *key;
    size_t at;
} obj_state_number;

/* A register that a driver writes: its name, and its address on the earlier and on the later chips;
 * 0: they do not have it. */
typedef struct obj_register_row {
    const char *name;
    uint32_t address[2];
} obj_register_row;

/* What the files of a family are. Its state of a kernel (obj_code.own) has numbers, rows, and what
 * `put_more` and `get_more`, which may be NULL, write to and read from `n_more` entries of the
 * map. */
typedef struct obj_shader_kind {
    obj_format format;
    size_t state_size, rows_at; /* bytes; the place of its obj_shader_rows */
    const obj_state_number *numbers;
    uint32_t n_numbers;
    const obj_register_row *registers;
    uint32_t n_registers;
    uint32_t n_more;
    void (*put_more)(base_buf *b, const void *state);
    void (*get_more)(diag *d, arena *a, const pack_value *map, void *state);
} obj_shader_kind;

/* The name of the register at an address; NULL: it has none. */
const char *
obj_register_name(const obj_shader_kind *kind, uint32_t address);

/* Fills in all but the code from the contents of a note. Fails with OBJECT_BAD_METADATA. */
void
obj_get_shader_note(const obj_shader_kind *kind, diag *d, arena *a, const pack_value *note,
                    obj_code *out);

/* Appends the code object of a kernel with this state; equal models give equal bytes. */
void
obj_write_shader(const obj_shader_kind *kind, const obj_code *code, const void *state,
                 base_buf *out);

/* A kernel gets other code, and loses the lines of the old one. */
void
obj_set_code(obj_code *code, const base_buf *bytes);

/* Reads a code object, of which the reader has all that a caller gives. Fails with an OBJECT_*
 * error. */
void
obj_read_shader(const obj_shader_kind *kind, elf_reader *r);

#endif
