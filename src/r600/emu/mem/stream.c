/* Streamout: what transform feedback captures.
 *
 * Vertices are not shared: each primitive has its own, in order, so lanes are what is captured, one
 * after the other, up to the primitive for which a buffer has no room. A lane's place in a buffer
 * is the vertex' number times the stride of the buffer; ARRAY_BASE counts dwords from there, and an
 * element has ELEM_SIZE + 1 of them, of which COMP_MASK says which are stored. Source: what Mesa's
 * driver makes (emit_streamout). */
#include "r600/emu/core/wave.h"

#include "base/buf.h"

enum { ELEMENT_OF_THREE = 2 };

static const r600_stream *
find_stream(const emu_wave *w, const r600_inst *in)
{
    const bool is_old = emu_machine_of(w)->isa->gen < R600_GEN_EG;
    const unsigned buffer = in->op - (is_old ? R600_MEM_STREAM0 : R600_MEM_STREAM0_BUF0);
    if (!w->streamout || buffer >= R600_STREAMS || !w->streamout->buffer[buffer].stride)
        r600_emu_unsupported(w, "streamout to a buffer that is not there");
    if (in->f[R600_F_type] || in->f[R600_F_burst] || in->f[R600_F_elem_size] == ELEMENT_OF_THREE)
        r600_emu_unsupported(w, "streamout of this form");
    return &w->streamout->buffer[buffer];
}

static void
store(emu_wave *w, const r600_stream *s, uint64_t at, const emu_lanes *from, uint32_t lane)
{
    emu_machine *m = emu_machine_of(w);
    if (!(from->defined >> lane & 1))
        r600_emu_find(w, R600_RULE_UNDEFINED_STORE, (int)lane, "the value is not defined");
    mach_region *r = at + 4 <= s->size ? mach_memory_find(m->memory, &m->hint, s->address + at, 4)
                                       : NULL;
    if (r)
        base_put_u32(r->host + (s->address + at - r->base), from->v[lane]);
}

void
r600_emu_stream_out(emu_wave *w, const r600_inst *in)
{
    const r600_stream *s = find_stream(w, in);
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        const uint64_t vertex = (uint64_t)w->streamout->first + lane;
        for (unsigned c = 0; c < 4 && lane < w->streamout->n; c++)
            if (in->f[R600_F_comp_mask] >> c & 1)
                store(w, s, vertex * s->stride + (in->f[R600_F_array_base] + c) * UINT64_C(4),
                      &w->gpr[in->f[R600_F_rw_gpr]][c], lane);
    }
}
