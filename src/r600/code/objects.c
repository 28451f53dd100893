/* What the family says of code objects: other code for one, text, figures. */
#include "r600/code/objects.h"

#include "family/shader_notes.h"
#include "r600/code/statistics.h"
#include "r600/object/object.h"

/* ---- other code ---- */

/* Another code uses as many registers as it names, and no more of the stack. */
static void
replace_code(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code)
{
    enum { GPRS = 0xff };
    static const r600_obj_register_id resources[] = {R600_OBJ_PGM_VS, R600_OBJ_PGM_PS,
                                                     R600_OBJ_PGM_LS};
    r600_obj_state *s = ARENA_NEW(c->arena, r600_obj_state);
    r600_figures figures;
    *s = *(const r600_obj_state *)code->own;
    r600_count_code(c->scratch, t->own, bytes->data, bytes->size, &figures);
    if (figures.gprs > s->gprs)
        s->gprs = figures.gprs;
    for (size_t k = 0; k < sizeof resources / sizeof *resources; k++)
        obj_set_register_bits(&s->rows, resources[k], GPRS, s->gprs);
    obj_set_code(code, bytes);
    code->own = s;
}

/* ---- text ---- */

static void
print_io(const obj_io *io, base_buf *out)
{
    family_print_io(io, 'R', R600_OBJ_NO_COMPONENT, out);
    if (io->place != R600_OBJ_NO_PLACE)
        buf_printf(out, ", parameter %u", io->place);
    buf_puts(out, "\n");
}

static void
print_notes(const obj_code *c, base_buf *out)
{
    const r600_obj_state *s = c->own;
    buf_printf(out, "// %s: target %s, wave%u, %u registers, stack of %u, ", c->name, c->target,
               c->wave_size, s->gprs, s->stack);
    buf_printf(out, "%u bytes of LDS, %u bytes private, %u elements spilled\n", c->lds_bytes,
               c->scratch_bytes, s->spilled);
    family_print_workgroup(c, out);
    for (uint32_t i = 0; i < s->rows.n_slots; i++)
        buf_printf(out, "// set %u, binding %u, element %u: %s %u\n", s->rows.slots[i].set,
                   s->rows.slots[i].binding, s->rows.slots[i].element, s->rows.slots[i].kind,
                   s->rows.slots[i].place);
    for (uint32_t i = 0; i < s->rows.n_io; i++)
        print_io(&s->rows.io[i], out);
    family_print_registers(&s->rows, out);
}

/* ---- figures ---- */

static void
count(arena *scratch, const family_target *t, const obj_code *code, family_figures *out)
{
    r600_figures f;
    r600_count_code(scratch, t->own, code->code, code->data_offset, &f);
    family_add_figure(out, "dwords", f.dwords);
    family_add_figure(out, "gprs", f.gprs);
    family_add_figure(out, "cf", f.cf);
    family_add_figure(out, "alu_groups", f.groups);
    family_add_figure(out, "alu", f.alu);
    family_add_figure(out, "fetches", f.fetches);
}

static void
print_statistics(const family_figures *figures, base_buf *out)
{
    for (uint32_t i = 0; i < figures->n; i++)
        buf_printf(out, "  %s %llu\n", figures->list[i].name,
                   (unsigned long long)figures->list[i].value);
}

const family_objects r600_family_objects = {
    .format = &r600_obj_kind.format,
    .write = obj_write_shader,
    .read = obj_read_shader,
    .keep = obj_keep_shader,
    .print_notes = print_notes,
    .replace_code = replace_code,
    .describe = family_describe_shader,
    .count = count,
    .print_statistics = print_statistics,
};
