/* Names and look-ups of the model, and the file. */
#include "adreno/object/object.h"

#include "object/read.h"

/* Not a registered number: one above all of them. */
enum { EM_ADRENO = 0xad3e, NT_METADATA = 32, METADATA_ROOM = 1024 };

const obj_format adreno_obj_format = {
    .machine = EM_ADRENO,
    .machine_name = "Adreno",
    .note_owner = "Adreno",
    .note_type = NT_METADATA,
    .code_align = ADRENO_OBJ_CODE_ALIGN,
};

static const struct {
    const char *name;
    uint32_t address[2]; /* on a6xx, a7xx */
} registers[] = {
#define REGISTER(id, name, a6xx, a7xx) {name, {a6xx, a7xx}},
#include "adreno/object/registers.def"
#undef REGISTER
};

uint32_t
adreno_obj_register_address(adreno_obj_register_id id, unsigned gen)
{
    return registers[id].address[gen >= 7];
}

const char *
adreno_obj_register_name(uint32_t address)
{
    for (unsigned i = 0; i < ADRENO_OBJ_REGISTERS; i++) {
        if (registers[i].address[0] == address || registers[i].address[1] == address)
            return registers[i].name;
    }
    return NULL;
}

static const struct {
    const char *name;
    bool is_const;
} values[] = {
#define X(id, name, is_const) {name, is_const},
    ADRENO_OBJ_VALUES(X)
#undef X
};

const char *
adreno_obj_value_name(adreno_obj_value_kind kind)
{
    return values[kind].name;
}

bool
adreno_obj_value_is_const(adreno_obj_value_kind kind)
{
    return values[kind].is_const;
}

const adreno_obj_state *
adreno_obj_state_of(const obj_code *code)
{
    static const adreno_obj_state none;
    return code->own ? code->own : &none;
}

/* Replaces bits of a register that the program sets. */
static void
set_field(adreno_obj_state *s, adreno_obj_register_id id, unsigned low, uint32_t mask, uint32_t v)
{
    for (uint32_t i = 0; i < s->n_registers; i++) {
        adreno_obj_register *r = &s->registers[i];
        if (r->address == registers[id].address[0] || r->address == registers[id].address[1])
            r->value = (r->value & ~(mask << low)) | (v & mask) << low;
    }
}

void
adreno_obj_set_code(obj_code *code, adreno_obj_state *s, const base_buf *bytes,
                    uint32_t full_registers)
{
    enum { FULL_LOW = 7, FULL_MASK = 63 };
    static const struct {
        adreno_obj_register_id control, length;
    } stages[] = {
        {ADRENO_OBJ_SP_CS_CTRL_REG0, ADRENO_OBJ_SP_CS_INSTRLEN},
        {ADRENO_OBJ_SP_VS_CTRL_REG0, ADRENO_OBJ_SP_VS_INSTRLEN},
        {ADRENO_OBJ_SP_FS_CTRL_REG0, ADRENO_OBJ_SP_FS_INSTRLEN},
    };
    code->code = bytes->data;
    code->code_size = code->data_offset = (uint32_t)bytes->size;
    code->n_lines = 0;
    if (full_registers > s->full_registers)
        s->full_registers = full_registers;
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        set_field(s, stages[k].control, FULL_LOW, FULL_MASK, s->full_registers);
        set_field(s, stages[k].length, 0, UINT32_MAX, adreno_obj_instrlen(code->code_size));
    }
    code->own = s;
}

void
adreno_obj_write(diag *d, const obj_code *code, base_buf *out)
{
    base_buf metadata = buf_make(out->arena);
    const obj_envelope envelope = {
        .format = &adreno_obj_format, .metadata = &metadata, .symbol = code->name};
    (void)d;
    buf_reserve(&metadata, METADATA_ROOM);
    adreno_obj_write_notes(code, &metadata);
    obj_write(code, &envelope, out);
}

static const pack_value *
read_metadata(elf_reader *r)
{
    elf_note_place p = {0};
    size_t size;
    const uint8_t *bytes = elf_next_note(r, &p, &size);
    if (!bytes)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "there is none");
    return pack_read(r->d, r->a, bytes, size);
}

void
adreno_obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    elf_reader r = {
        .d = d, .a = a, .bytes = bytes, .size = size, .format = &adreno_obj_format, .out = out};
    obj_code *code = ARENA_NEW(a, obj_code);
    *out = (obj_file){.kernels = code, .n_kernels = 1, .is_ours = true};
    elf_read_header(&r);
    elf_read_tables(&r);
    obj_section *sections = elf_list_sections(&r);
    out->metadata = read_metadata(&r);
    adreno_obj_read_notes(d, a, out->metadata, code);
    out->target = code->target;
    const elf_symbol *symbol = elf_find_symbol(&r, code->name);
    if (!symbol)
        diag_fail(d, ERR_OBJECT_BAD_KERNEL, code->name, "its code has no symbol");
    elf_set_code(&r, code, symbol->value, symbol->size);
    elf_read_lines(&r, code, sections);
}
