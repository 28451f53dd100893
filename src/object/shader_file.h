/* Files with the machine code of one shader, and a note of two entries: `.target`, the chip, and
 * the `.heddle` map (shader_map.h), to which a family adds its own entries. */
#ifndef OBJECT_SHADER_FILE_H
#define OBJECT_SHADER_FILE_H

#include "object/pack.h"
#include "object/read.h"
#include "object/shader_rows.h"

/* A number of 32 bits in a family's state: its key in the map, its place in the state; is it part
 * of what a launch needs, which users see by the key without its dot? */
typedef struct obj_state_number {
    const char *key;
    size_t at;
    bool is_shown;
} obj_state_number;

/* A register that a driver writes: its name, and its address on the earlier and on the later chips;
 * 0: they do not have it. */
typedef struct obj_register_row {
    const char *name;
    uint32_t address[2];
} obj_register_row;

/* What the files of a family are. Its state of a kernel (obj_code.own) has rows, with which it
 * begins, numbers, and what `put_more` and `get_more`, which may be NULL, write to and read from
 * `n_more` entries of the map. */
typedef struct obj_shader_kind {
    obj_format format; /* must be first */
    size_t state_size; /* bytes */
    const obj_state_number *numbers;
    uint32_t n_numbers;
    const obj_register_row *registers;
    uint32_t n_registers;
    uint32_t n_more;
    void (*put_more)(base_buf *b, const void *state);
    void (*get_more)(diag *d, arena *a, const pack_value *map, void *state);
} obj_shader_kind;

/* Number `i` of a kernel's state. */
static inline uint32_t
obj_shader_number(const obj_code *code, uint32_t i)
{
    const obj_shader_rows *rows = code->own;
    return *(const uint32_t *)((const uint8_t *)rows + rows->kind->numbers[i].at);
}

/* The name of the register at an address; NULL: it has none. */
const char *
obj_register_name(const obj_shader_kind *kind, uint32_t address);

/* Replaces the bits of register number `id`, if the rows have it. */
void
obj_set_register_bits(obj_shader_rows *rows, unsigned id, uint32_t bits, uint32_t value);

/* Fills in all but the code from the contents of a note. Fails with OBJECT_BAD_METADATA. */
void
obj_get_shader_note(const obj_shader_kind *kind, diag *d, arena *a, const pack_value *note,
                    obj_code *out);

/* Appends the code object of a kernel that has a state; equal models give equal bytes. */
void
obj_write_shader(diag *d, const obj_code *code, base_buf *out);

/* A copy of the kernel's state, without lists. */
const void *
obj_keep_shader(arena *a, const obj_code *code);

/* A kernel gets other code, and loses the lines of the old one. */
void
obj_set_code(obj_code *code, const base_buf *bytes);

/* Reads a code object, of which the reader has all that a caller gives; its format is that of a
 * kind. Fails with an OBJECT_* error. */
void
obj_read_shader(elf_reader *r);

#endif
