/* Typed RATs: the words of a colour target. */
#include "r600/emu/desc/texture.h"

#include "base/bits.h"
#include "r600/emu/desc/format.h"

#include <string.h>

/* CB_COLOR0_BASE and those behind it (Mesa, evergreend.h). */
enum { BASE, PITCH, SLICE, VIEW, INFO, ATTRIB, DIM };
enum { BUFFER, TEXTURE_1D, TEXTURE_1D_ARRAY, TEXTURE_2D, TEXTURE_2D_ARRAY, TEXTURE_3D };
enum {
    ADDRESS_UNIT = 256,
    PITCH_UNIT = 8,  /* texels */
    SLICE_UNIT = 64, /* texels */
    LINEAR_ALIGNED = 1,
    IS_RAT = 1 << 26,
    MOST_SLICES = 2048,
};

/* NUMBER_TYPE by kind. */
static const uint8_t types[] = {
    [MACH_NUM_UNORM] = 0, [MACH_NUM_SNORM] = 1, [MACH_NUM_USCALED] = 2, [MACH_NUM_SSCALED] = 3,
    [MACH_NUM_UINT] = 4,  [MACH_NUM_SINT] = 5,  [MACH_NUM_SRGB] = 6,    [MACH_NUM_FLOAT] = 7,
};

static uint32_t
get(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & (uint32_t)base_mask64(width);
}

/* COMP_SWAP: red is the lowest channel, or the third one. */
static uint32_t
swap_of(const mach_format_info *f)
{
    return f->swizzle[0] == 'z';
}

static uint32_t
type_of(const mach_image *m)
{
    switch (m->dim) {
    case MACH_DIM_1D: return m->array ? TEXTURE_1D_ARRAY : TEXTURE_1D;
    case MACH_DIM_3D: return TEXTURE_3D;
    case MACH_DIM_CUBE: return TEXTURE_2D_ARRAY;
    case MACH_DIM_BUFFER: return BUFFER;
    default: return m->array ? TEXTURE_2D_ARRAY : TEXTURE_2D;
    }
}

/* Of buffers the sizes are in texels, and the pitch does not count. */
static void
put_sizes(const mach_image *m, uint32_t words[R600_RAT_WORDS])
{
    const mach_level *level = &m->level[m->base_level];
    const uint32_t bytes = mach_format_get(m->format)->bytes;
    const bool is_3d = m->dim == MACH_DIM_3D;
    const uint32_t first = is_3d ? 0 : m->base_layer;
    const uint32_t slices = is_3d ? mach_level_size(m->depth, m->base_level) : m->view_layers;
    if (m->dim == MACH_DIM_BUFFER) {
        words[DIM] = m->width - 1;
        return;
    }
    words[PITCH] = level->row_pitch / bytes / PITCH_UNIT - 1;
    words[SLICE] = (uint32_t)(level->slice_pitch / bytes / SLICE_UNIT - 1);
    words[VIEW] = first | (first + slices - 1) << 13;
    words[DIM] = (mach_level_size(m->width, m->base_level) - 1) |
                 (mach_level_size(m->height, m->base_level) - 1) << 16;
}

bool
r600_encode_rat(const mach_image *m, uint64_t address, uint32_t words[R600_RAT_WORDS])
{
    r600_texel_format f;
    const mach_format_info *info = mach_format_get(m->format);
    const uint64_t at = m->dim == MACH_DIM_BUFFER ? address
                                                  : address + m->level[m->base_level].offset;
    memset(words, 0, R600_RAT_WORDS * sizeof *words);
    if (at % ADDRESS_UNIT || info->block || m->samples > 1 || info->kind >= sizeof types ||
        m->layers > MOST_SLICES || m->depth > MOST_SLICES || !r600_encode_format(m->format, &f))
        return false;
    put_sizes(m, words);
    words[BASE] = (uint32_t)(at / ADDRESS_UNIT);
    words[INFO] = (uint32_t)f.number << 2 | (uint32_t)LINEAR_ALIGNED << 8 |
                  (uint32_t)types[info->kind] << 12 | swap_of(info) << 15 | (uint32_t)IS_RAT |
                  type_of(m) << 27;
    return true;
}

/* The format of src/machine with this order of channels. */
static mach_format
get_format(uint32_t info)
{
    for (unsigned k = 0; k < MACH_FORMAT_COUNT; k++) {
        r600_texel_format f;
        const mach_format_info *i = mach_format_get((mach_format)k);
        if (i->kind < sizeof types && i->kind && types[i->kind] == get(info, 12, 3) && !i->block &&
            swap_of(i) == get(info, 15, 2) && !mach_format_is_depth((mach_format)k) &&
            r600_encode_format((mach_format)k, &f) && f.number == get(info, 2, 6))
            return (mach_format)k;
    }
    return MACH_FORMAT_none;
}

static void
get_sizes(const uint32_t words[R600_RAT_WORDS], mach_image *m)
{
    const uint32_t bytes = mach_format_get(m->format)->bytes;
    const uint32_t first = get(words[VIEW], 0, 11), last = get(words[VIEW], 13, 11);
    m->width = get(words[DIM], 0, 16) + 1;
    m->height = get(words[DIM], 16, 16) + 1;
    m->depth = m->dim == MACH_DIM_3D ? last + 1 : 1;
    m->layers = m->dim == MACH_DIM_3D ? 1 : last + 1;
    m->base_layer = m->dim == MACH_DIM_3D ? 0 : first;
    m->view_layers = m->layers - m->base_layer;
    m->level[0] = (mach_level){
        .row_pitch = (get(words[PITCH], 0, 11) + 1) * PITCH_UNIT * bytes,
        .slice_pitch = (uint64_t)(get(words[SLICE], 0, 22) + 1) * SLICE_UNIT * bytes,
    };
    m->size = m->level[0].slice_pitch * m->depth * m->layers;
}

bool
r600_decode_rat(const uint32_t words[R600_RAT_WORDS], mach_image *m, uint64_t *address)
{
    static const uint8_t dims[] = {[BUFFER] = MACH_DIM_BUFFER,       [TEXTURE_1D] = MACH_DIM_1D,
                                   [TEXTURE_1D_ARRAY] = MACH_DIM_1D, [TEXTURE_2D] = MACH_DIM_2D,
                                   [TEXTURE_2D_ARRAY] = MACH_DIM_2D, [TEXTURE_3D] = MACH_DIM_3D};
    const uint32_t type = get(words[INFO], 27, 3);
    memset(m, 0, sizeof *m);
    *address = (uint64_t)words[BASE] * ADDRESS_UNIT;
    if (!(words[INFO] & IS_RAT) || type > TEXTURE_3D)
        return false;
    m->format = get_format(words[INFO]);
    m->dim = (mach_dim)dims[type];
    m->array = type == TEXTURE_1D_ARRAY || type == TEXTURE_2D_ARRAY;
    m->levels = m->view_levels = m->samples = 1;
    if (m->format == MACH_FORMAT_none)
        return false;
    if (m->dim != MACH_DIM_BUFFER) {
        get_sizes(words, m);
        return m->view_layers <= m->layers;
    }
    m->width = words[DIM] + 1;
    m->height = m->depth = m->layers = m->view_layers = 1;
    m->size = (uint64_t)m->width * mach_format_get(m->format)->bytes;
    return true;
}
