/* The file and its note. */
#include "r600/object/object.h"

#include "object/shader_file.h"

/* Not a registered number: one above all of them. */
enum { EM_TERASCALE = 0xad60, NT_METADATA = 32 };

const obj_format r600_obj_format = {
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

_Static_assert((int)R600_OBJ_REGISTERS <= (int)OBJ_MOST_REGISTERS, "a program may set all");

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
    const r600_obj_state *s = r600_obj_state_of(code);
#define X(key, place) +1
    const uint32_t numbers = NUMBERS(X);
#undef X
    obj_put_shader_note(b, code, numbers + OBJ_ROW_LISTS);
#define X(key, place) pack_key_uint(b, key, place);
    NUMBERS(X)
#undef X
    obj_put_rows(b, &s->rows);
}

static void
read_notes(diag *d, arena *a, const pack_value *notes, obj_code *out)
{
    const pack_value *map = obj_get_shader_note(d, a, notes, out);
    r600_obj_state *s = ARENA_NEW(a, r600_obj_state);
    out->own = s;
#define X(key, place) place = pack_get_uint(map, key, 0);
    NUMBERS(X)
#undef X
    obj_get_rows(d, a, map, R600_OBJ_REGISTERS, &s->rows);
}

/* ---- the file ---- */

void
r600_obj_write(diag *d, const obj_code *code, base_buf *out)
{
    (void)d;
    obj_write_shader(&r600_obj_format, code, write_notes, out);
}

void
r600_obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    elf_reader r = {
        .d = d, .a = a, .bytes = bytes, .size = size, .format = &r600_obj_format, .out = out};
    obj_read_shader(&r, read_notes);
}
