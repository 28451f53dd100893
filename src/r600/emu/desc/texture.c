#include "r600/emu/desc/texture.h"

#include "r600/emu/desc/fields.h"
#include "r600/emu/desc/format.h"

#include <string.h>

enum {
    DIM_1D,
    DIM_2D,
    DIM_3D,
    DIM_CUBE,
    DIM_1D_ARRAY,
    DIM_2D_ARRAY,
    DIM_2D_MSAA,
    DIM_2D_ARRAY_MSAA,
};

enum {
    LINEAR_ALIGNED = 1,
    VALID_TEXTURE = 2,
    VALID_BUFFER = 3,
    PITCH_UNIT = 8, /* texels */
    ADDRESS_UNIT = 256,
    SIGNED_COMPONENTS = 0x55,
};

enum {
#define TEXTURE(name, w0, l0, n0, w1, l1, n1) NAME_##name,
#include "r600/emu/desc/fields.def"
#undef TEXTURE
    N_FIELDS
};

static const r600_desc_field fields[N_FIELDS][2] = {
#define TEXTURE(name, w0, l0, n0, w1, l1, n1) {{w0, l0, n0}, {w1, l1, n1}},
#include "r600/emu/desc/fields.def"
#undef TEXTURE
};

/* Words that are being written or read. */
typedef struct packing {
    uint32_t *words;
    const uint32_t *from;
    unsigned column;
    bool is_good; /* all numbers fitted */
} packing;

static void
put(packing *p, unsigned name, uint64_t value)
{
    p->is_good &= r600_desc_put(&fields[name][p->column], p->words, value);
}

static uint32_t
get(const packing *p, unsigned name)
{
    return r600_desc_get(&fields[name][p->column], p->from);
}

/* ---- writing ---- */

static uint32_t
dim_of(const mach_image *m)
{
    const bool is_array = m->array || m->layers > 1;
    switch (m->dim) {
    case MACH_DIM_1D: return is_array ? DIM_1D_ARRAY : DIM_1D;
    case MACH_DIM_3D: return DIM_3D;
    case MACH_DIM_CUBE: return DIM_CUBE;
    default:
        if (m->samples > 1)
            return is_array ? DIM_2D_ARRAY_MSAA : DIM_2D_MSAA;
        return is_array ? DIM_2D_ARRAY : DIM_2D;
    }
}

/* Texels of a row. */
static uint64_t
pitch_of(const mach_image *m)
{
    const mach_format_info *f = mach_format_get(m->format);
    return (uint64_t)m->level[0].row_pitch / f->bytes * f->block_w;
}

static void
put_sizes(packing *p, const mach_image *m)
{
    const uint32_t layers = m->dim == MACH_DIM_CUBE ? m->layers / 6 : m->layers;
    put(p, NAME_DIM, dim_of(m));
    put(p, NAME_TILING, LINEAR_ALIGNED);
    put(p, NAME_PITCH, pitch_of(m) / PITCH_UNIT - 1);
    put(p, NAME_WIDTH, m->width - 1);
    put(p, NAME_HEIGHT, m->height - 1);
    put(p, NAME_DEPTH, (m->dim == MACH_DIM_3D ? m->depth : layers) - 1);
    put(p, NAME_BASE_ARRAY, m->base_layer);
    put(p, NAME_LAST_ARRAY,
        m->base_layer + (m->dim == MACH_DIM_3D ? m->depth : m->view_layers) - 1);
}

/* The last level of a multisampled image is the logarithm of its samples. */
static void
put_levels(packing *p, const mach_image *m)
{
    put(p, NAME_BASE_LEVEL, m->base_level);
    put(p, NAME_LAST_LEVEL,
        m->samples > 1 ? (uint32_t)base_ctz64(m->samples) : m->base_level + m->view_levels - 1);
}

bool
r600_encode_texture(r600_gen gen, const mach_image *m, uint64_t address,
                    uint32_t words[R600_TEXTURE_WORDS])
{
    r600_texel_format f;
    packing p = {.words = words, .column = r600_desc_column(gen), .is_good = true};
    const uint64_t mips = address + (m->levels > 1 ? m->level[1].offset : 0);
    memset(words, 0, R600_TEXTURE_WORDS * sizeof *words);
    if (m->dim == MACH_DIM_BUFFER || address % ADDRESS_UNIT || m->min_lod > (float)m->base_level ||
        !r600_encode_format(m->format, &f))
        return false;
    put_sizes(&p, m);
    put_levels(&p, m);
    put(&p, NAME_BASE, address / ADDRESS_UNIT);
    put(&p, NAME_MIPS, mips / ADDRESS_UNIT);
    put(&p, NAME_FORMAT, f.number);
    put(&p, NAME_NUMBER, f.what);
    put(&p, NAME_SIGNS, f.is_signed ? SIGNED_COMPONENTS : 0);
    put(&p, NAME_DEGAMMA, f.degamma);
    put(&p, NAME_SELECTS, r600_encode_selects(m->format, m->swizzle));
    put(&p, NAME_TYPE, VALID_TEXTURE);
    return p.is_good;
}

bool
r600_encode_texel_buffer(r600_gen gen, const mach_image *m, uint64_t address,
                         uint32_t words[R600_TEXTURE_WORDS])
{
    r600_texel_format f;
    const uint64_t bytes = mach_format_get(m->format)->bytes;
    memset(words, 0, R600_TEXTURE_WORDS * sizeof *words);
    if (m->dim != MACH_DIM_BUFFER || !m->width || !r600_encode_format(m->format, &f) || f.degamma)
        return false;
    words[0] = (uint32_t)address;
    words[1] = (uint32_t)(bytes * m->width - 1);
    words[2] = (uint32_t)(address >> 32 & 0xff) | (uint32_t)bytes << 8 | (uint32_t)f.number << 20 |
               (uint32_t)f.what << 26 | (uint32_t)f.is_signed << 28;
    words[7] = (uint32_t)VALID_BUFFER << 30;
    if (gen < R600_GEN_EG)
        return bytes * m->width <= UINT32_MAX && r600_is_in_order(m->format, m->swizzle);
    words[3] = r600_encode_selects(m->format, m->swizzle) << 3;
    words[4] = m->width; /* what GET_BUFFER_RESINFO gives (Mesa, evergreen_state.c) */
    return bytes * m->width <= UINT32_MAX;
}

/* ---- reading ---- */

static void
get_dim(uint32_t dim, mach_image *m)
{
    static const uint8_t dims[] = {
        [DIM_1D] = MACH_DIM_1D,      [DIM_2D] = MACH_DIM_2D,           [DIM_3D] = MACH_DIM_3D,
        [DIM_CUBE] = MACH_DIM_CUBE,  [DIM_1D_ARRAY] = MACH_DIM_1D,     [DIM_2D_ARRAY] = MACH_DIM_2D,
        [DIM_2D_MSAA] = MACH_DIM_2D, [DIM_2D_ARRAY_MSAA] = MACH_DIM_2D};
    m->dim = (mach_dim)dims[dim];
    m->array = dim == DIM_1D_ARRAY || dim == DIM_2D_ARRAY || dim == DIM_2D_ARRAY_MSAA;
}

static void
get_sizes(const packing *p, mach_image *m)
{
    const uint32_t dim = get(p, NAME_DIM), depth = get(p, NAME_DEPTH) + 1;
    const uint32_t last = get(p, NAME_LAST_LEVEL);
    const bool has_samples = dim == DIM_2D_MSAA || dim == DIM_2D_ARRAY_MSAA;
    get_dim(dim, m);
    m->width = get(p, NAME_WIDTH) + 1;
    m->height = get(p, NAME_HEIGHT) + 1;
    m->depth = m->dim == MACH_DIM_3D ? depth : 1;
    m->layers = m->dim == MACH_DIM_3D ? 1 : depth * (m->dim == MACH_DIM_CUBE ? 6 : 1);
    m->samples = has_samples ? 1u << (last & 3) : 1;
    m->levels = has_samples ? 1 : last + 1;
}

/* The part of the image that is shown. Returns false if it is not in the image. */
static bool
get_view(const packing *p, mach_image *m)
{
    const uint32_t last = get(p, NAME_LAST_ARRAY);
    m->base_level = m->samples > 1 ? 0 : get(p, NAME_BASE_LEVEL);
    m->view_levels = m->levels - m->base_level;
    m->min_lod = (float)m->base_level;
    if (m->base_level >= m->levels)
        return false;
    if (m->dim == MACH_DIM_3D)
        return true;
    m->base_layer = get(p, NAME_BASE_ARRAY);
    m->view_layers = last - m->base_layer + 1;
    m->array |= m->dim == MACH_DIM_CUBE && m->view_layers > 6;
    return last < m->layers && m->base_layer <= last;
}

static mach_format
get_format(const packing *p)
{
    const r600_texel_format f = {.number = (uint8_t)get(p, NAME_FORMAT),
                                 .what = (uint8_t)get(p, NAME_NUMBER),
                                 .is_signed = get(p, NAME_SIGNS) != 0,
                                 .degamma = get(p, NAME_DEGAMMA) != 0};
    return r600_decode_format(&f);
}

/* Levels behind the first are at an address of their own, which is at most `most` bytes away. */
static bool
move_mips(const packing *p, mach_image *m)
{
    const uint64_t most = UINT64_C(1) << 40;
    const uint64_t base = (uint64_t)get(p, NAME_BASE), mips = (uint64_t)get(p, NAME_MIPS);
    const uint64_t by = (mips - base) * ADDRESS_UNIT;
    if (m->levels == 1)
        return true;
    if (mips < base || by > most)
        return false;
    const uint64_t moved = by - m->level[1].offset;
    for (uint32_t k = 1; k < m->levels; k++)
        m->level[k].offset += moved;
    m->size += moved;
    return true;
}

bool
r600_decode_texture(r600_gen gen, const uint32_t words[R600_TEXTURE_WORDS], mach_image *m,
                    uint64_t *address)
{
    const packing p = {.from = words, .column = r600_desc_column(gen)};
    memset(m, 0, sizeof *m);
    m->format = get_format(&p);
    *address = (uint64_t)get(&p, NAME_BASE) * ADDRESS_UNIT;
    if (get(&p, NAME_TYPE) != VALID_TEXTURE || get(&p, NAME_TILING) != LINEAR_ALIGNED ||
        m->format == MACH_FORMAT_none)
        return false;
    get_sizes(&p, m);
    m->size = r600_layout_image(m);
    r600_decode_selects(m->format, get(&p, NAME_SELECTS), m->swizzle);
    return m->size && pitch_of(m) == (get(&p, NAME_PITCH) + 1) * (uint64_t)PITCH_UNIT &&
           get_view(&p, m) && move_mips(&p, m);
}
