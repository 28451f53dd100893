/* The file of one shader, and what the notes of all families have in common. */
#include "object/shader_file.h"

#include "object/shader_map.h"

void
obj_put_shader_note(base_buf *b, const obj_code *code, uint32_t more)
{
    pack_map(b, 2);
    pack_key_text(b, ".target", code->target);
    obj_put_shader_map(b, code, more);
}

const pack_value *
obj_get_shader_note(diag *d, arena *a, const pack_value *note, obj_code *out)
{
    const pack_value *map = pack_get(note, ".heddle");
    obj_get_shader_map(d, a, map, out);
    out->target = pack_get_text(note, ".target", "");
    return map;
}

void
obj_write_shader(const obj_format *format, const obj_code *code,
                 void (*put_note)(const obj_code *code, base_buf *b), base_buf *out)
{
    enum { NOTE_ROOM = 1024 };
    base_buf note = buf_make(out->arena);
    const obj_envelope envelope = {.format = format, .metadata = &note, .symbol = code->name};
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
obj_read_shader(elf_reader *r,
                void (*get_note)(diag *d, arena *a, const pack_value *note, obj_code *out))
{
    obj_code *code = ARENA_NEW(r->a, obj_code);
    *r->out = (obj_file){.kernels = code, .n_kernels = 1, .is_ours = true};
    elf_read_header(r);
    elf_read_tables(r);
    obj_section *sections = elf_list_sections(r);
    r->out->metadata = read_note(r);
    get_note(r->d, r->a, r->out->metadata, code);
    r->out->target = code->target;
    const elf_symbol *symbol = elf_find_symbol(r, code->name);
    if (!symbol)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, code->name, "its code has no symbol");
    elf_set_code(r, code, symbol->value, symbol->size);
    elf_read_lines(r, code, sections);
}
