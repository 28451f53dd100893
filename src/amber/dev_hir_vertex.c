#include "amber/dev_hir_stage.h"

#include "base/fp.h"
#include "machine/format.h"

/* ---- attributes ---- */

static const amber_vertex_input *
find_input(const amber_draw *d, uint32_t location)
{
    for (uint32_t k = 0; k < d->vertices->input_count; k++) {
        if (d->vertices->inputs[k].location == location)
            return &d->vertices->inputs[k];
    }
    return NULL;
}

/* The bytes of an attribute's element, or NULL outside of its buffer. */
static const uint8_t *
element(const amber_draw *d, const amber_vertex_input *in, const mach_vertex_id *id)
{
    const amber_memory *m = &d->memory[in->buffer->index];
    uint64_t at = in->offset +
                  (uint64_t)(in->per_instance ? id->instance : id->vertex) * in->stride;
    return at < m->size && in->format.bytes <= m->size - at ? m->bytes + at : NULL;
}

/* The words of an attribute of 64-bit numbers, from word `first` on. */
static void
fetch_words(const amber_vertex_input *in, const uint8_t *at, uint32_t first, ir_eval_io *io)
{
    for (unsigned c = 0; c < io->n; c++) {
        uint32_t offset = 4 * first + 8 * c;
        io->value[c] = 0;
        if (offset + 8 <= in->format.bytes)
            memcpy(&io->value[c], at + offset, 8);
    }
}

/* Missing components are 0, 0, 0, 1 (Vulkan 1.3, "Vertex Input Extraction"). */
static bool
fetch(amber_hir_stages *s, const mach_vertex_id *id, ir_eval_io *io)
{
    /* a vector of more than two 64-bit numbers goes on at the next location */
    const amber_vertex_input *in = find_input(s->draw, io->location);
    bool second = !in && io->bits == 64 && io->location;
    if (second)
        in = find_input(s->draw, io->location - 1);
    const uint8_t *at = in ? element(s->draw, in, id) : NULL;
    memset(io->value, 0, sizeof io->value);
    if (!at)
        return true;
    if (io->bits == 64) {
        fetch_words(in, at, io->component + (second ? 4 : 0), io);
        return true;
    }
    mach_format f = mach_format_from_vk(in->format.vk);
    if (f == MACH_FORMAT_none || io->bits < 16)
        return false;
    mach_texel t = mach_texel_read(f, at);
    bool narrow = io->bits == 16 && !mach_format_is_int(f);
    for (unsigned c = 0; c < io->n && io->component + c < 4; c++) {
        uint32_t v = (uint32_t)t.c[io->component + c];
        io->value[c] = narrow ? base_f64_to_f16((double)base_bits_f32(v), BASE_ROUND_EVEN) : v;
    }
    return true;
}

/* ---- outputs ---- */

static bool
store_varying(amber_hir_varyings *to, const ir_eval_io *io)
{
    unsigned words = io->bits == 64 ? 2 : 1;
    if (io->location >= AMBER_HIR_LOCATIONS || io->component + words * io->n > 4)
        return false;
    uint32_t *w = &to->word[io->location][io->component];
    for (unsigned c = 0; c < io->n; c++) {
        w[words * c] = (uint32_t)io->value[c];
        if (words == 2)
            w[2 * c + 1] = (uint32_t)(io->value[c] >> 32);
    }
    return true;
}

static bool
store_floats(float *to, unsigned room, const ir_eval_io *io)
{
    unsigned first = 4 * io->location + io->component;
    if (first + io->n > room || io->bits != 32)
        return false;
    for (unsigned c = 0; c < io->n; c++)
        to[first + c] = base_bits_f32((uint32_t)io->value[c]);
    return true;
}

static bool
store(amber_hir_stages *s, const ir_eval_io *io)
{
    mach_shaded_vertex *v = &s->vertices->shaded[io->invocation];
    switch (io->slot) {
    case IR_SLOT_location: return store_varying(&s->varyings[io->invocation], io);
    case IR_SLOT_position: return store_floats(v->place.clip.position, 4, io);
    case IR_SLOT_point_size: return store_floats(&v->place.point_size, 1, io);
    case IR_SLOT_clip_distance:
        return store_floats(v->place.clip.distance, MACH_CLIP_DISTANCES, io);
    case IR_SLOT_cull_distance:
        return store_floats(v->place.cull_distance, MACH_CLIP_DISTANCES, io);
    case IR_SLOT_layer: v->layer = (uint32_t)io->value[0]; return true;
    case IR_SLOT_viewport_index: v->viewport = (uint32_t)io->value[0]; return true;
    case IR_SLOT_shading_rate: return true; /* a fragment is a pixel here */
    default: return false;
    }
}

static bool
capture(const amber_hir_stages *s, const ir_eval_io *io)
{
    uint64_t vertex = s->captured + io->invocation;
    const amber_buffer *b = s->draw->pipeline->graphics->captured[io->buffer];
    if (vertex >= s->capture_room)
        return true;
    uint8_t *at = s->draw->memory[b->index].bytes + vertex * io->stride + io->offset;
    for (unsigned c = 0; c < io->n; c++)
        memcpy(at + c * io->bits / 8, &io->value[c], io->bits / 8);
    return true;
}

bool
amber_hir_vertex_io(amber_hir_stages *s, ir_eval_io *io)
{
    const amber_vertices *v = s->draw->vertices;
    const mach_vertex_id *id = &s->vertices->vertices[io->invocation];
    switch (io->op) {
    case IR_load_vertex_index: io->value[0] = id->vertex; return true;
    case IR_load_instance_index: io->value[0] = id->instance; return true;
    case IR_load_base_vertex: io->value[0] = v->first; return true;
    case IR_load_base_instance: io->value[0] = v->first_instance; return true;
    case IR_load_draw_index:
    case IR_load_view_index: io->value[0] = 0; return true;
    case IR_load_input: return io->slot == IR_SLOT_location && fetch(s, id, io);
    case IR_store_output: return store(s, io);
    case IR_store_xfb: return capture(s, io);
    default: return false;
    }
}
