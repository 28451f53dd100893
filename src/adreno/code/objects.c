/* What the family says of code objects: figures, comments, text, other code for one.
 *
 * A code object as text is its metadata between .adreno_metadata and .end_adreno_metadata, and the
 * code behind it: the assembler makes the object again. Numbers that depend on the code (its size,
 * the registers that it uses) follow from the new code. */
#include "adreno/code/code.h"

#include "adreno/object/object.h"
#include "family/listing.h"
#include "family/shader_notes.h"
#include "object/yaml.h"

#include <string.h>

static bool
get_value(const obj_code *code, uint32_t index, family_value *out)
{
    const adreno_obj_state *s = code->own;
    if (index >= s->n_values)
        return false;
    const adreno_obj_value *v = &s->values[index];
    *out = (family_value){adreno_obj_value_name(v->kind), 0, v->first, v->count};
    return true;
}

/* ---- comments ---- */

static void
print_place(const adreno_obj_value *v, base_buf *out)
{
    const char letter = adreno_obj_value_is_const(v->kind) ? 'c' : 'r';
    const uint32_t last = v->first + v->count - 1;
    buf_printf(out, "%c%u.%c", letter, v->first / 4, "xyzw"[v->first % 4]);
    if (v->count > 1)
        buf_printf(out, " to %c%u.%c", letter, last / 4, "xyzw"[last % 4]);
}

static void
print_numbers(const adreno_obj_state *s, base_buf *out)
{
    enum { ROW = 8 };
    for (uint32_t i = 0; i < s->n_numbers; i++)
        buf_printf(out, "%s0x%08x%s", i % ROW ? " " : "// numbers ", s->numbers[i],
                   i % ROW == ROW - 1 || i + 1 == s->n_numbers ? "\n" : "");
    if (s->n_data)
        buf_printf(out, "// %u words of constant data in memory\n", s->n_data);
}

static void
print_io(const obj_io *io, base_buf *out)
{
    family_print_io(io, 'r', ADRENO_OBJ_NO_REG, out);
    if (io->first == ADRENO_OBJ_NO_REG || io->place)
        buf_printf(out, ", place %u", io->place);
    buf_puts(out, "\n");
}

static void
print_slot(const obj_slot *slot, base_buf *out)
{
    buf_printf(out, "// %s ", slot->kind);
    if (strncmp(slot->kind, "const_", 6) == 0)
        buf_printf(out, "c%u.%c", slot->place / 4, "xyzw"[slot->place % 4]);
    else
        buf_printf(out, "%u", slot->place);
    buf_printf(out, ": set %u, binding %u, element %u\n", slot->set, slot->binding, slot->element);
}

static void
print_notes(const obj_code *c, base_buf *out)
{
    const adreno_obj_state *s = c->own;
    buf_printf(out, "// %s: target %s, %s, wave%u, %u registers, %u constants, ", c->name,
               c->target, obj_abi_name(c->abi), c->wave_size, s->full_registers, s->consts);
    buf_printf(out, "stack of %u, %u bytes local, %u bytes private\n", s->branch_stack,
               c->lds_bytes, c->scratch_bytes);
    family_print_workgroup(c, out);
    for (uint32_t i = 0; i < s->n_values; i++) {
        buf_puts(out, "// ");
        print_place(&s->values[i], out);
        buf_printf(out, " %s\n", adreno_obj_value_name(s->values[i].kind));
    }
    print_numbers(s, out);
    family_print_bindings(c, out);
    for (uint32_t i = 0; i < s->rows.n_slots; i++)
        print_slot(&s->rows.slots[i], out);
    for (uint32_t i = 0; i < s->rows.n_io; i++)
        print_io(&s->rows.io[i], out);
    family_print_registers(&s->rows, out);
}

/* ---- the whole object ---- */

static void
print(const ir_ctx *c, const family_target *t, const obj_file *f, family_text how, base_buf *out)
{
    if (how.as_directives) {
        buf_printf(out, "\t.adreno_target %s\n\t.adreno_metadata\n", f->target);
        yaml_write(f->metadata, out);
        buf_puts(out, "\t.end_adreno_metadata\n");
    }
    family_print_shader(c, t, &f->kernels[0], how, out);
}

/* Gives the kernel the code, the registers that it uses, and the words that depend on it. */
static void
replace_code(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code)
{
    enum { FULL_LOW = 7, FULL_BITS = 63 << FULL_LOW };
    static const adreno_obj_register_id stages[][2] = {
        {ADRENO_OBJ_SP_CS_CTRL_REG0, ADRENO_OBJ_SP_CS_INSTRLEN},
        {ADRENO_OBJ_SP_VS_CTRL_REG0, ADRENO_OBJ_SP_VS_INSTRLEN},
        {ADRENO_OBJ_SP_FS_CTRL_REG0, ADRENO_OBJ_SP_FS_INSTRLEN},
    };
    adreno_obj_state *s = ARENA_NEW(c->arena, adreno_obj_state);
    family_figures figures = {0};
    *s = *(const adreno_obj_state *)code->own;
    obj_set_code(code, bytes);
    code->own = s;
    adreno_count_code(c->scratch, t, code, &figures);
    const uint32_t full = (uint32_t)family_figure_of(&figures, "full");
    if (full > s->full_registers)
        s->full_registers = full;
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        obj_set_register_bits(&s->rows, stages[k][0], FULL_BITS, s->full_registers << FULL_LOW);
        obj_set_register_bits(&s->rows, stages[k][1], UINT32_MAX,
                              adreno_obj_instrlen(code->code_size));
    }
}

void
adreno_make_object(const ir_ctx *c, const family_target *t, const adreno_asm_unit *u, base_buf *out)
{
    obj_code code = {.abi = OBJ_ABI_VULKAN};
    if (!u->metadata.text)
        diag_fail(c->diag, ERR_ASM_EXPECTED, "a line with .adreno_metadata");
    const diag_loc loc = c->diag->loc;
    c->diag->loc = u->metadata.loc;
    const pack_value *notes = yaml_read(c->diag, c->scratch, u->metadata.text, u->metadata.size);
    obj_get_shader_note(&adreno_obj_kind, c->diag, c->arena, notes, &code);
    c->diag->loc = loc;
    code.target = t->name;
    replace_code(c, t, &u->text->sections[0].data, &code);
    obj_write_shader(c->diag, &code, out);
}

const family_objects adreno_family_objects = {
    .format = &adreno_obj_kind.format,
    .write = obj_write_shader,
    .read = obj_read_shader,
    .keep = obj_keep_shader,
    .get_value = get_value,
    .print_notes = print_notes,
    .print = print,
    .replace_code = replace_code,
    .describe = family_describe_shader,
    .count = adreno_count_code,
    .print_statistics = adreno_print_statistics,
};
