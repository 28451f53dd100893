/* Prints what the notes of a code object say about a kernel, as comments. */
#include "amd/code/code.h"

#include "amd/amd.h"
#include "amd/object/object.h"
#include "amd/registers/registers.h"
#include "family/listing.h"
#include "family/shader_notes.h"

static void
print_registers(const obj_code *c, const amd_obj_state *s, base_buf *out)
{
    const amd_target *t = amd_find_target(c->target);
    for (uint32_t i = 0; i < s->n_registers && t; i++) {
        buf_puts(out, "// ");
        amd_hw_print_register(s->registers[i].address * 4, s->registers[i].value, t->gen, out);
        buf_puts(out, "\n");
    }
}

static void
print_params(const amd_obj_state *s, base_buf *out)
{
    for (uint32_t i = 0; i < s->n_params; i++) {
        const amd_obj_param *p = &s->params[i];
        buf_printf(out, "// param %u: %s %u ", i, p->name, p->location);
        for (unsigned k = 0; k < 4; k++)
            buf_printf(out, "%s", p->components >> k & 1 ? &"x\0y\0z\0w"[2 * k] : "");
        if (p->control)
            buf_printf(out, ", SPI_PS_INPUT_CNTL 0x%x", p->control);
        buf_puts(out, "\n");
    }
}

void
amd_print_notes(const obj_code *c, base_buf *out)
{
    const amd_obj_state *s = amd_obj_state_of(c);
    buf_printf(out, "// %s: target %s, %s, wave%u, ", c->name, c->target, obj_abi_name(c->abi),
               c->wave_size);
    if (s->sgprs || s->vgprs) /* an object without metadata does not say */
        buf_printf(out, "%u SGPRs, %u VGPRs, ", s->sgprs, s->vgprs);
    buf_printf(out, "%u bytes LDS, %u bytes scratch\n", c->lds_bytes, c->scratch_bytes);
    family_print_workgroup(c, out);
    buf_printf(out, "// rsrc 0x%08x 0x%08x 0x%08x\n", s->rsrc[0], s->rsrc[1], s->rsrc[2]);
    for (uint32_t i = 0; i < s->n_user_sgprs; i++) {
        const amd_obj_user_sgpr *u = &s->user_sgprs[i];
        if (u->count == 1)
            buf_printf(out, "// s%u ", u->first_sgpr);
        else
            buf_printf(out, "// s[%u:%u] ", u->first_sgpr, u->first_sgpr + u->count - 1);
        buf_printf(out, "%s %u\n", amd_obj_user_kind_name(u->kind), u->index);
    }
    family_print_bindings(c, out);
    if (c->stage != OBJ_STAGE_COMPUTE) {
        print_registers(c, s, out);
        print_params(s, out);
    }
}
