/* What a draw accesses, told to who follows the order of work. Shaders tell at the draw's end, the
 * fixed functions at once. */
#include "amd/emu/draw/state.h"

/* Is it in the ring through which parameters pass? Its entries are written anew by each draw, and
 * the hardware knows when. */
static bool
is_in_ring(const draw_run *r, const amd_emu_touch *t)
{
    const amd_emu_dispatch *l = &r->vertex.launch;
    return t->address >= l->ring_base && t->address - l->ring_base < l->ring_bytes;
}

static void
tell_shader(void *user, const amd_emu_touch *t)
{
    const draw_teller *from = user;
    const draw_run *r = from->run;
    if (!is_in_ring(r, t))
        r->draw->touched(r->draw->touched_user, from->part, t);
}

void
amd_draw_tell_read(draw_run *r, amd_draw_part part, uint64_t address, uint64_t size)
{
    const amd_emu_touch t = {
        .address = mach_canonical(address), .size = size, .reader.kind = AMD_EMU_READS};
    if (r->draw->touched && size)
        r->draw->touched(r->draw->touched_user, part, &t);
}

static void
tell_attached(void *user, const mach_attached *a)
{
    const draw_teller *from = user;
    const draw_run *r = from->run;
    for (uint32_t k = 0; k < r->n_attachments; k++) {
        const draw_attachment *m = &r->attachments[k];
        uint64_t offset = (uint64_t)(a->at - m->host);
        if (a->at < m->host || offset >= m->size)
            continue;
        const amd_emu_touch t = {.address = m->address + offset,
                                 .size = a->bytes,
                                 .writer.kind = a->writes ? AMD_EMU_WRITES : 0,
                                 .reader.kind = a->reads ? AMD_EMU_READS : 0};
        r->draw->touched(r->draw->touched_user, AMD_DRAW_RESULTS, &t);
        return;
    }
}

void
amd_draw_begin_telling(draw_run *r)
{
    draw_shader *const shaders[2] = {
        [AMD_DRAW_VERTICES] = &r->vertex, [AMD_DRAW_PIXELS] = &r->pixel};
    if (!r->draw->touched)
        return;
    for (unsigned p = 0; p < AMD_DRAW_PARTS; p++)
        r->tellers[p] = (draw_teller){r, (amd_draw_part)p};
    for (unsigned p = 0; p < 2; p++) {
        shaders[p]->launch.touched = tell_shader;
        shaders[p]->launch.touched_user = &r->tellers[p];
    }
    r->out.attached = tell_attached;
    r->out.attached_user = &r->tellers[AMD_DRAW_RESULTS];
}
