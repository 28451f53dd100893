/* Typed RATs: stores and atomics of images and texel buffers.
 *
 * The index is x, y and the slice or layer in z; of a 1D array the layer is in z, too. */
#include "r600/emu/core/wave.h"

static void
read_index(const emu_wave *w, const r600_inst *in, const mach_image *m, uint32_t lane,
           int32_t at[4])
{
    const emu_lanes *index = w->gpr[in->f[R600_F_index_gpr]];
    const bool has_y = m->dim != MACH_DIM_1D && m->dim != MACH_DIM_BUFFER;
    const bool has_z = m->array || m->dim == MACH_DIM_3D;
    at[0] = (int32_t)index[0].v[lane];
    at[1] = has_y ? (int32_t)index[1].v[lane] : 0;
    at[has_y ? 2 : 1] = has_z ? (int32_t)index[2].v[lane] : 0;
    for (unsigned c = 0; c < 3; c++)
        if ((c == 0 || (c == 1 && has_y) || (c == 2 && has_z)) && !(index[c].defined >> lane & 1))
            r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane, "the index is not defined");
}

bool
r600_emu_is_typed_rat(const emu_wave *w, uint32_t rat)
{
    const uint32_t *words = emu_machine_of(w)->d->rat_words[rat];
    for (unsigned k = 0; k < R600_RAT_WORDS; k++)
        if (words[k])
            return true;
    return false;
}

bool
r600_emu_open_rat(emu_wave *w, uint32_t rat, emu_rat_image *out)
{
    emu_machine *m = emu_machine_of(w);
    if (!r600_decode_rat(m->d->rat_words[rat], &out->image, &out->address)) {
        r600_emu_find(w, R600_RULE_DESCRIPTOR, -1, "the RAT's words are no image that is known");
        return false;
    }
    const mach_region *r = mach_memory_find(m->memory, &m->hint, out->address, out->image.size);
    if (!r || r->read_only) {
        r600_emu_find(w, R600_RULE_DESCRIPTOR, -1, "the RAT's image is in no allocation");
        return false;
    }
    out->image.data = r->host + (out->address - r->base);
    return true;
}

uint8_t *
r600_emu_find_texel(emu_wave *w, const r600_inst *in, const emu_rat_image *rat, uint32_t lane)
{
    const mach_image *m = &rat->image;
    int32_t at[4] = {0};
    read_index(w, in, m, lane, at);
    const bool has_y = m->dim != MACH_DIM_1D && m->dim != MACH_DIM_BUFFER;
    const uint32_t slice = (m->dim == MACH_DIM_3D ? 0 : m->base_layer) +
                           (uint32_t)at[has_y ? 2 : 1];
    const uint64_t offset = mach_texel_offset(m, (uint32_t)at[0], has_y ? (uint32_t)at[1] : 0,
                                              slice, 0, 0);
    if (offset == UINT64_MAX)
        return NULL;
    r600_emu_note_store(w, rat->address + offset, mach_format_get(m->format)->bytes);
    return m->data + offset;
}
