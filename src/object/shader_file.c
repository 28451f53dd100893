/* The file of one shader, and what the notes of all families have in common. */
#include "object/shader_file.h"

#include "object/shader_map.h"

#include <string.h>

const char *
obj_register_name(const obj_shader_kind *kind, uint32_t address)
{
    for (uint32_t i = 0; i < kind->n_registers; i++) {
        const obj_register_row *row = &kind->registers[i];
        if (row->address[0] == address || row->address[1] == address)
            return row->name;
    }
    return NULL;
}

void
obj_set_register_bits(obj_shader_rows *rows, unsigned id, uint32_t bits, uint32_t value)
{
    const uint32_t *address = rows->kind->registers[id].address;
    for (uint32_t i = 0; i < rows->n_registers; i++) {
        obj_register *r = &rows->registers[i];
        if (r->address == address[0] || r->address == address[1])
            r->value = (r->value & ~bits) | (value & bits);
    }
}

/* The place of number `i` in a state. */
static uint32_t *
number_in(const obj_shader_kind *kind, void *state, uint32_t i)
{
    return (uint32_t *)((uint8_t *)state + kind->numbers[i].at);
}

static void
put_note(const obj_code *code, base_buf *b)
{
    const obj_shader_rows *rows = code->own;
    const obj_shader_kind *kind = rows->kind;
    pack_map(b, 2);
    pack_key_text(b, ".target", code->target);
    obj_put_shader_map(b, code, kind->n_numbers + kind->n_more + OBJ_ROW_LISTS);
    for (uint32_t i = 0; i < kind->n_numbers; i++)
        pack_key_uint(b, kind->numbers[i].key, obj_shader_number(code, i));
    if (kind->put_more)
        kind->put_more(b, rows);
    obj_put_rows(b, rows);
}

static void *
new_state(const obj_shader_kind *kind, arena *a)
{
    obj_shader_rows *rows = arena_array(a, 1, kind->state_size);
    rows->kind = kind;
    return rows;
}

void
obj_get_shader_note(const obj_shader_kind *kind, diag *d, arena *a, const pack_value *note,
                    obj_code *out)
{
    const pack_value *map = pack_get(note, ".heddle");
    void *s = new_state(kind, a);
    obj_get_shader_map(d, a, map, out);
    out->target = pack_get_text(note, ".target", "");
    out->own = s;
    for (uint32_t i = 0; i < kind->n_numbers; i++)
        *number_in(kind, s, i) = pack_get_uint(map, kind->numbers[i].key, 0);
    if (kind->get_more)
        kind->get_more(d, a, map, s);
    obj_get_rows(d, a, map, kind->n_registers, s);
}

const void *
obj_keep_shader(arena *a, const obj_code *code)
{
    const obj_shader_rows *from = code->own;
    obj_shader_rows *to = new_state(from->kind, a);
    for (uint32_t i = 0; i < from->kind->n_numbers; i++)
        *number_in(from->kind, to, i) = obj_shader_number(code, i);
    memcpy(to->registers, from->registers, sizeof to->registers);
    to->n_registers = from->n_registers;
    return to;
}

void
obj_write_shader(diag *d, const obj_code *code, base_buf *out)
{
    enum { NOTE_ROOM = 1024 };
    const obj_shader_rows *rows = code->own;
    base_buf note = buf_make(out->arena);
    const obj_envelope envelope = {
        .format = &rows->kind->format, .metadata = &note, .symbol = code->name};
    (void)d;
    buf_reserve(&note, NOTE_ROOM);
    put_note(code, &note);
    obj_write(code, &envelope, out);
}

static const pack_value *
read_note(elf_reader *r)
{
    elf_note_place p = {0};
    size_t size;
    const uint8_t *bytes = elf_next_note(r, &p, &size);
    if (!bytes)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "there is none");
    return pack_read(r->d, r->a, bytes, size);
}

void
obj_read_shader(elf_reader *r)
{
    obj_code *code = ARENA_NEW(r->a, obj_code);
    *r->out = (obj_file){.kernels = code, .n_kernels = 1, .is_ours = true};
    elf_read_header(r);
    elf_read_tables(r);
    obj_section *sections = elf_list_sections(r);
    r->out->metadata = read_note(r);
    obj_get_shader_note((const obj_shader_kind *)r->format, r->d, r->a, r->out->metadata, code);
    r->out->target = code->target;
    const elf_symbol *symbol = elf_find_symbol(r, code->name);
    if (!symbol)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, code->name, "its code has no symbol");
    elf_set_code(r, code, symbol->value, symbol->size);
    elf_read_lines(r, code, sections);
}

void
obj_set_code(obj_code *code, const base_buf *bytes)
{
    code->code = bytes->data;
    code->code_size = code->data_offset = (uint32_t)bytes->size;
    code->n_lines = 0;
}
