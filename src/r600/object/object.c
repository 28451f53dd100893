/* The file and its note. */
#include "r600/object/object.h"

#include "object/read.h"
#include "object/shader_map.h"

/* Not a registered number: one above all of them. */
enum { EM_TERASCALE = 0xad60, NT_METADATA = 32, METADATA_ROOM = 1024 };

static const obj_format format = {
    .machine = EM_TERASCALE,
    .machine_name = "TeraScale",
    .note_owner = "TeraScale",
    .note_type = NT_METADATA,
    .code_align = R600_OBJ_CODE_ALIGN,
};

/* ---- registers ---- */

static const struct {
    const char *name;
    uint32_t address[2]; /* before Evergreen, from it on */
} registers[] = {
#define REGISTER(id, name, r600, eg) {name, {r600, eg}},
#include "r600/object/registers.def"
#undef REGISTER
};

uint32_t
r600_obj_register_address(r600_obj_register_id id, bool is_evergreen)
{
    return registers[id].address[is_evergreen];
}

const char *
r600_obj_register_name(uint32_t address)
{
    for (unsigned i = 0; i < R600_OBJ_REGISTERS; i++)
        if (registers[i].address[0] == address || registers[i].address[1] == address)
            return registers[i].name;
    return NULL;
}

const r600_obj_state *
r600_obj_state_of(const obj_code *code)
{
    static const r600_obj_state none;
    return code->own ? code->own : &none;
}

/* ---- the note ---- */

/* TeraScale's numbers in the `.heddle` map: each key and its place in the kernel's state `s`. */
#define NUMBERS(X)                                                                                 \
    X(".gprs", s->gprs)                                                                            \
    X(".stack", s->stack)                                                                          \
    X(".spilled", s->spilled)

static void
write_notes(const obj_code *code, base_buf *b)
{
    enum { LISTS = 3 };
    const r600_obj_state *s = r600_obj_state_of(code);
#define X(key, place) +1
    const uint32_t numbers = NUMBERS(X);
#undef X
    pack_map(b, 2);
    pack_key_text(b, ".target", code->target);
    obj_put_shader_map(b, code, numbers + LISTS);
#define X(key, place) pack_key_uint(b, key, place);
    NUMBERS(X)
#undef X
    obj_put_registers(b, s->registers, s->n_registers);
    obj_put_io(b, s->io, s->n_io);
    obj_put_slots(b, s->slots, s->n_slots);
}

static void
read_notes(diag *d, arena *a, const pack_value *notes, obj_code *out)
{
    const pack_value *map = pack_get(notes, ".heddle");
    r600_obj_state *s = ARENA_NEW(a, r600_obj_state);
    obj_get_shader_map(d, a, map, out);
    out->target = pack_get_text(notes, ".target", "");
    out->own = s;
#define X(key, place) place = pack_get_uint(map, key, 0);
    NUMBERS(X)
#undef X
    s->n_registers = obj_get_registers(d, map, s->registers, R600_OBJ_REGISTERS);
    s->n_io = obj_get_io(a, map, &s->io);
    s->n_slots = obj_get_slots(a, map, &s->slots);
}

/* ---- the file ---- */

bool
r600_obj_owns(const void *bytes, size_t size)
{
    return obj_is_elf_for(bytes, size, format.machine);
}

void
r600_obj_write(diag *d, const obj_code *code, base_buf *out)
{
    base_buf metadata = buf_make(out->arena);
    const obj_envelope envelope = {.format = &format, .metadata = &metadata, .symbol = code->name};
    (void)d;
    buf_reserve(&metadata, METADATA_ROOM);
    write_notes(code, &metadata);
    obj_write(code, &envelope, out);
}

void
r600_obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    elf_reader r = {.d = d, .a = a, .bytes = bytes, .size = size, .format = &format, .out = out};
    elf_note_place p = {0};
    size_t note_size;
    obj_code *code = ARENA_NEW(a, obj_code);
    *out = (obj_file){.kernels = code, .n_kernels = 1, .is_ours = true};
    elf_read_header(&r);
    elf_read_tables(&r);
    elf_list_sections(&r);
    const uint8_t *note = elf_next_note(&r, &p, &note_size);
    if (!note)
        diag_fail(d, ERR_OBJECT_BAD_METADATA, "there is none");
    out->metadata = pack_read(d, a, note, note_size);
    read_notes(d, a, out->metadata, code);
    out->target = code->target;
    const elf_symbol *symbol = elf_find_symbol(&r, code->name);
    if (!symbol)
        diag_fail(d, ERR_OBJECT_BAD_KERNEL, code->name, "its code has no symbol");
    elf_set_code(&r, code, symbol->value, symbol->size);
}
