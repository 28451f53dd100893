/* Names and look-ups of the model, and the file. */
#include "adreno/object/object.h"

#include <stddef.h>

/* Not a registered number: one above all of them. */
enum { EM_ADRENO = 0xad3e, NT_METADATA = 32 };

static const obj_state_number numbers[] = {
    {".full_registers", offsetof(adreno_obj_state, full_registers)},
    {".branch_stack", offsetof(adreno_obj_state, branch_stack)},
    {".consts", offsetof(adreno_obj_state, consts)},
    {".spilled", offsetof(adreno_obj_state, spilled)},
};

static const obj_register_row registers[] = {
#define REGISTER(id, name, a6xx, a7xx) {name, {a6xx, a7xx}},
#include "adreno/object/registers.def"
#undef REGISTER
};

_Static_assert((int)ADRENO_OBJ_REGISTERS <= (int)OBJ_MOST_REGISTERS, "a program may set all");

const obj_shader_kind adreno_obj_kind = {
    .format = {.machine = EM_ADRENO,
               .machine_name = "Adreno",
               .note_owner = "Adreno",
               .note_type = NT_METADATA,
               .code_align = ADRENO_OBJ_CODE_ALIGN},
    .state_size = sizeof(adreno_obj_state),
    .rows_at = offsetof(adreno_obj_state, rows),
    .numbers = numbers,
    .n_numbers = sizeof numbers / sizeof *numbers,
    .registers = registers,
    .n_registers = ADRENO_OBJ_REGISTERS,
    .n_more = 3,
    .put_more = adreno_obj_put_values,
    .get_more = adreno_obj_get_values,
};

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
    for (uint32_t i = 0; i < s->rows.n_registers; i++) {
        obj_register *r = &s->rows.registers[i];
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
    obj_set_code(code, bytes);
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
    (void)d;
    obj_write_shader(&adreno_obj_kind, code, adreno_obj_state_of(code), out);
}

void
adreno_obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    elf_reader r = {.d = d,
                    .a = a,
                    .bytes = bytes,
                    .size = size,
                    .format = &adreno_obj_kind.format,
                    .out = out};
    obj_read_shader(&adreno_obj_kind, &r);
}
