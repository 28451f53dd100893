#include "family/shader_notes.h"

void
family_print_workgroup(const obj_code *code, base_buf *out)
{
    const uint32_t *size = code->workgroup_size;
    if (size[0])
        buf_printf(out, "// workgroup %u %u %u\n", size[0], size[1], size[2]);
}

void
family_print_registers(const obj_shader_rows *rows, base_buf *out)
{
    for (uint32_t i = 0; i < rows->n_registers; i++) {
        const obj_register *r = &rows->registers[i];
        const char *name = obj_register_name(rows->kind, r->address);
        if (name)
            buf_printf(out, "// %s 0x%08x\n", name, r->value);
        else
            buf_printf(out, "// 0x%04x 0x%08x\n", r->address, r->value);
    }
}

void
family_print_io(const obj_io *io, char letter, uint32_t no_register, base_buf *out)
{
    buf_printf(out, "// %s", io->kind);
    if (*io->slot)
        buf_printf(out, " %s", io->slot);
    buf_printf(out, " %u, components 0x%x", io->location, io->components);
    if (io->first != no_register)
        buf_printf(out, ", %c%u.%c", letter, io->first / 4, "xyzw"[io->first % 4]);
}

void
family_describe_shader(const obj_code *code, family_figures *out)
{
    const obj_shader_rows *rows = code->own;
    const obj_shader_kind *kind = rows->kind;
    for (uint32_t i = 0; i < kind->n_numbers; i++)
        if (kind->numbers[i].is_shown)
            family_add_figure(out, kind->numbers[i].key + 1, obj_shader_number(code, i));
    family_add_figure(out, "lds_bytes", code->lds_bytes);
    family_add_figure(out, "scratch_bytes", code->scratch_bytes);
    for (uint32_t i = 0; i < rows->n_registers; i++) {
        const char *name = obj_register_name(kind, rows->registers[i].address);
        if (name)
            family_add_figure(out, name, rows->registers[i].value);
    }
}
