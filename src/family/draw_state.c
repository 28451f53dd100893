#include "family/draw_state.h"

#include <string.h>

/* ---- attributes and outputs ---- */

const family_vertex_buffer *
family_find_vertex_buffer(const family_draw *d, uint32_t binding)
{
    for (uint32_t k = 0; k < d->n_buffers; k++)
        if (d->buffers[k].binding == binding)
            return &d->buffers[k];
    return NULL;
}

const family_vertex_attribute *
family_find_attribute(const family_pipeline *p, uint32_t location, uint32_t *skipped)
{
    enum { BYTES_OF_LOCATION = 16 };
    const family_vertex_attribute *a = &p->attributes[location];
    *skipped = 0;
    if (!a->wide && a->format == MACH_FORMAT_none && location && p->attributes[location - 1].wide) {
        *skipped = BYTES_OF_LOCATION;
        a--;
    }
    return a;
}

bool
family_is_wanted(const family_pipeline *p, ir_stage stage, const ir_instr *store, unsigned location)
{
    if (ir_attr_get(store, IR_A_SLOT) != IR_SLOT_location)
        return ir_attr_get(store, IR_A_SLOT) != IR_SLOT_shading_rate;
    return stage == IR_STAGE_VERTEX || !p->has_colors ||
           (location < FAMILY_COLORS && p->colors[location].format != MACH_FORMAT_none);
}

/* ---- the fixed functions ---- */

static uint8_t *
bytes_at(const mach_memory *memory, uint64_t address)
{
    uint32_t hint = 0;
    const mach_region *m = mach_memory_find(memory, &hint, address, 1);
    return m ? m->host + (address - m->base) : NULL;
}

static const uint32_t *
read_indices(arena *a, const mach_memory *memory, const family_draw *d)
{
    const uint32_t n = d->state->assembly.count;
    uint32_t *index = ARENA_ARRAY(a, (size_t)n + 1, uint32_t), hint = 0;
    const uint32_t there = n < d->max_indices ? n : d->max_indices;
    const mach_region *m = mach_memory_find(memory, &hint, d->index_address,
                                            (uint64_t)there * d->index_bytes);
    for (uint32_t k = 0; m && k < there; k++)
        memcpy(&index[k], m->host + (d->index_address - m->base) + (size_t)k * d->index_bytes,
               d->index_bytes);
    return index;
}

void
family_fix_draw(arena *a, const mach_memory *m, const family_draw *d, const ir_fragment *modes,
                mach_draw *out)
{
    *out = *d->state;
    if (d->index_bytes)
        out->assembly.index = read_indices(a, m, d);
    for (uint32_t k = 0; k < out->n_colors; k++)
        if (out->colors[k].image.data)
            out->colors[k].image.data = bytes_at(m, d->colors[k]);
    if (out->depth.data)
        out->depth.data = bytes_at(m, d->depth);
    if (out->stencil.data)
        out->stencil.data = bytes_at(m, d->stencil);
    if (!modes)
        return;
    out->tests_early = modes->early_tests;
    out->in_order = modes->interlock != IR_INTERLOCK_NONE;
    out->shades_samples = out->samples > 1 && (out->shades_samples || d->pipeline->sample_shading);
}
