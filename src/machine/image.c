/* The layout of images and access to single texels. */
#include "machine/image.h"

#include "ir/eval_math.h"

/* ---- layout ---- */

static bool
has_good_size(const mach_image *m, const mach_format_info *f)
{
    uint32_t longest = m->width > m->height ? m->width : m->height;
    longest = longest > m->depth ? longest : m->depth;
    bool counts = m->width && m->height && m->depth && m->samples && m->layers && m->levels;
    bool flat = m->dim != MACH_DIM_1D || m->height == 1;
    return f->bytes && counts && flat && m->levels <= MACH_MAX_LEVELS &&
           (m->levels == 1 || longest >> (m->levels - 1)) && (m->depth == 1 || m->layers == 1);
}

/* The number of slices of the whole image: depth slices or layers, times samples. */
static uint64_t
count_slices(const mach_image *m)
{
    return (uint64_t)m->depth * m->layers * m->samples;
}

uint64_t
mach_image_layout(mach_image *m)
{
    const mach_format_info *f = mach_format_get(m->format);
    const uint64_t limit = UINT64_C(1) << 40;
    if (!has_good_size(m, f))
        return 0;
    m->base_level = m->base_layer = 0;
    m->view_levels = m->levels;
    m->view_layers = m->layers;
    m->min_lod = 0;
    uint64_t chain = 0;
    uint32_t across = mach_blocks(m->width, f->block_w), down = mach_blocks(m->height, f->block_h);
    for (uint32_t l = m->levels; l-- > 0;) {
        uint64_t row = (uint64_t)mach_level_room(across, l) * f->bytes;
        if (m->dim != MACH_DIM_BUFFER)
            row = (row + MACH_ROW_ALIGN - 1) / MACH_ROW_ALIGN * MACH_ROW_ALIGN;
        if (row > UINT32_MAX)
            return 0;
        m->level[l] = (mach_level){.offset = chain, .row_pitch = (uint32_t)row};
        chain += row * mach_level_room(down, l);
        if (chain > limit)
            return 0;
    }
    for (uint32_t l = 0; l < m->levels; l++)
        m->level[l].slice_pitch = chain;
    uint64_t slices = count_slices(m);
    return slices > limit / chain ? 0 : slices * chain;
}

uint64_t
mach_texel_offset(const mach_image *m, uint32_t x, uint32_t y, uint32_t slice, uint32_t level,
                  uint32_t sample)
{
    if (level >= m->levels || level >= MACH_MAX_LEVELS || sample >= m->samples)
        return UINT64_MAX;
    uint32_t slices = m->dim == MACH_DIM_3D ? mach_level_size(m->depth, level) : m->layers;
    if (x >= mach_level_size(m->width, level) || y >= mach_level_size(m->height, level) ||
        slice >= slices)
        return UINT64_MAX;
    const mach_format_info *f = mach_format_get(m->format);
    const mach_level *l = &m->level[level];
    uint32_t bytes = f->bytes;
    if (f->block) {
        x /= f->block_w;
        y /= f->block_h;
    }
    uint64_t at = ((uint64_t)slice * m->samples + sample) * l->slice_pitch + l->offset +
                  (uint64_t)y * l->row_pitch + (uint64_t)x * bytes;
    return m->data && at < m->size && bytes <= m->size - at ? at : UINT64_MAX;
}

/* ---- texels ---- */

/* The host bytes of the texel (or its block) at view coordinates, or NULL if outside. */
static uint8_t *
find_texel(const mach_image *m, const int32_t *coord, int32_t level, uint32_t sample)
{
    static const uint8_t axes[] = {[MACH_DIM_1D] = 1,
                                   [MACH_DIM_2D] = 2,
                                   [MACH_DIM_3D] = 2,
                                   [MACH_DIM_CUBE] = 2,
                                   [MACH_DIM_BUFFER] = 1};
    unsigned n = axes[m->dim];
    bool layered = m->array || m->dim == MACH_DIM_3D || m->dim == MACH_DIM_CUBE;
    int32_t y = n > 1 ? coord[1] : 0, slice = layered ? coord[n] : 0;
    if (coord[0] < 0 || y < 0 || slice < 0 || level < 0 || (uint32_t)level >= m->view_levels)
        return NULL;
    if (m->dim != MACH_DIM_3D && (uint32_t)slice >= m->view_layers)
        return NULL;
    uint32_t first = m->dim == MACH_DIM_3D ? 0 : m->base_layer;
    uint64_t at = mach_texel_offset(m, (uint32_t)coord[0], (uint32_t)y, first + (uint32_t)slice,
                                    m->base_level + (uint32_t)level, sample);
    return at == UINT64_MAX ? NULL : m->data + at;
}

/* Reads the texel at view coordinates; its bytes are at `at`. */
static mach_texel
read_texel(const mach_image *m, const uint8_t *at, const int32_t *coord)
{
    bool flat = m->dim == MACH_DIM_1D || m->dim == MACH_DIM_BUFFER;
    return mach_texel_read_at(m->format, at, (uint32_t)coord[0], flat ? 0 : (uint32_t)coord[1]);
}

mach_texel
mach_image_load(const mach_image *m, const int32_t *coord, int32_t level, uint32_t sample)
{
    const uint8_t *at = find_texel(m, coord, level, sample);
    return at ? read_texel(m, at, coord) : (mach_texel){{0}};
}

void
mach_image_store(const mach_image *m, const int32_t *coord, int32_t level, uint32_t sample,
                 const mach_texel *t)
{
    uint8_t *at = find_texel(m, coord, level, sample);
    if (at)
        mach_texel_write(m->format, at, t);
}

mach_texel
mach_texel_swizzle(const mach_image *m, mach_texel t)
{
    uint64_t one = mach_format_is_int(m->format) ? 1 : base_f32_bits(1);
    mach_texel r = t;
    for (unsigned i = 0; i < 4 && m->swizzle[0]; i++) {
        switch (m->swizzle[i]) {
        case 'r': r.c[i] = t.c[0]; break;
        case 'g': r.c[i] = t.c[1]; break;
        case 'b': r.c[i] = t.c[2]; break;
        case 'a': r.c[i] = t.c[3]; break;
        case '1': r.c[i] = one; break;
        default: r.c[i] = 0; break;
        }
    }
    return r;
}

mach_texel
mach_texel_unswizzle(const char *swizzle, mach_texel t)
{
    static const char names[] = "rgba";
    if (!swizzle[0])
        return t;
    mach_texel r = {{0}};
    for (unsigned k = 4; k-- > 0;) {
        const char *at = strchr(names, swizzle[k]);
        if (at && *at)
            r.c[at - names] = t.c[k];
    }
    return r;
}

mach_texel
mach_image_fetch(const mach_image *m, const int32_t *coord, int32_t level, uint32_t sample)
{
    const uint8_t *at = find_texel(m, coord, level, sample);
    return at ? mach_texel_swizzle(m, read_texel(m, at, coord)) : (mach_texel){{0}};
}

uint64_t
mach_image_atomic(const mach_image *m, ir_atomic_op op, const int32_t *coord, uint32_t sample,
                  uint64_t compare, uint64_t data)
{
    uint8_t *at = find_texel(m, coord, 0, sample);
    unsigned bytes = mach_format_get(m->format)->bytes;
    uint64_t old = 0;
    if (!at || (bytes != 4 && bytes != 8) || mach_format_get(m->format)->block)
        return 0;
    uint64_t mask = base_mask64(8 * bytes);
    for (unsigned k = 0; k < bytes; k++)
        old |= (uint64_t)at[k] << 8 * k;
    uint64_t now = ev_atomic(op, 8 * bytes, old, compare & mask, data & mask);
    for (unsigned k = 0; k < bytes; k++)
        at[k] = (uint8_t)(now >> 8 * k);
    return old;
}

unsigned
mach_image_query_size(const mach_image *m, int32_t level, uint32_t out[3])
{
    bool exists = level >= 0 && (uint32_t)level < m->view_levels;
    uint32_t l = m->base_level + (uint32_t)(exists ? level : 0);
    unsigned n = 0;
    out[n++] = mach_level_size(m->width, l);
    if (m->dim != MACH_DIM_1D && m->dim != MACH_DIM_BUFFER)
        out[n++] = mach_level_size(m->height, l);
    if (m->dim == MACH_DIM_3D)
        out[n++] = mach_level_size(m->depth, l);
    if (m->array && n < 3)
        out[n++] = m->dim == MACH_DIM_CUBE ? m->view_layers / 6 : m->view_layers;
    for (unsigned k = 0; k < n && !exists; k++)
        out[k] = 0;
    return n;
}
