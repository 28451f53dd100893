/* Transform feedback: words of each primitive's vertices go to buffers, in order, up to the
 * primitive for which a buffer has no room. */
#include "adreno/emu/draw/state.h"

#include "base/buf.h"

/* Have all buffers room for `n` more vertices? */
static bool
has_room(const draw_run *r, uint32_t n)
{
    const adreno_vertex_state *s = &r->draw->vs;
    for (unsigned k = 0; k < ADRENO_DRAW_STREAMS; k++) {
        const adreno_stream *to = &s->streams[k];
        if (to->stride && (r->streamed + n) * to->stride > to->size)
            return false;
    }
    return true;
}

static void
capture(const draw_run *r, uint32_t vertex)
{
    const adreno_vertex_state *s = &r->draw->vs;
    uint32_t hint = 0;
    for (uint32_t k = 0; k < s->n_captured; k++) {
        const adreno_captured *c = &s->captured[k];
        const adreno_stream *to = &s->streams[c->buffer];
        const uint64_t at = to->address + r->streamed * to->stride + c->dword * UINT64_C(4);
        mach_region *m = mach_memory_find(r->memory, &hint, at, 4);
        if (m)
            base_put_u32(m->host + (at - m->base), r->words[vertex][c->word]);
    }
}

void
adreno_draw_capture(draw_run *r, const mach_vertex_batch *b)
{
    for (uint32_t p = 0; r->draw->vs.n_captured && p < b->n_primitives; p++) {
        const mach_primitive *of = &b->primitives[p];
        r->stream_full |= !has_room(r, of->n);
        for (unsigned v = 0; v < of->n && !r->stream_full; v++) {
            capture(r, of->vertex[v]);
            r->streamed++;
        }
    }
}
