/* Linear images: rows are aligned to 64 bytes, more for large texels. Of an image with layers each
 * layer has all its levels, smallest last, and is aligned to a page; of a 3D image each level has
 * all its slices, which are a quarter of those before, until a level's rows are no longer half as
 * long or the quarter is not made of pages: its slices are the least (fdl6_layout.c of Mesa). The
 * rows of the last level are a multiple of four. Before
 * a6xx the slices of a 3D image's first two levels are as large as they must be, and on a3xx a cube
 * has no pitch of layers: the faces of a level follow each other (fd3_texture.c and freedreno's
 * layouts of a3xx to a5xx).
 *
 * Samples of an image that has several are slices, which is this model's own convention
 * (machine/image.h): the hardware has such images in tiles. */
#include "adreno/emu/desc/descriptor.h"

enum { PAGE = 4096, MIN_SLICES = 0xf000 };

static uint64_t
align(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static uint32_t
row_align(uint32_t bytes)
{
    uint32_t to = 64;
    for (uint32_t b = bytes; b > 4; b /= 2)
        to *= 2;
    return to;
}

typedef struct walk {
    const mach_format_info *format;
    uint32_t pitch0, align;
    uint64_t slice, pitch; /* of the level before, 3D */
    bool is_least;         /* no slice is smaller */
    unsigned gen;
} walk;

/* The bytes of a 3D image's slice, whose rows have `size`. */
static uint64_t
slice_of(walk *k, uint32_t level, uint64_t pitch, uint64_t size)
{
    const bool is_halved = 2 * pitch <= k->pitch;
    if (k->gen < 6)
        return level < 2 || k->slice > MIN_SLICES ? align(size, PAGE) : k->slice;
    if (level == 0)
        return align(size, PAGE);
    if (k->is_least)
        return k->slice;
    k->is_least = !is_halved || k->slice / 4 % PAGE;
    return align(is_halved ? k->slice / 4 : size, PAGE);
}

static void
place_level(mach_image *m, walk *k, uint32_t level, uint64_t *at)
{
    const uint32_t rows0 = mach_blocks(mach_level_size(m->height, level), k->format->block_h);
    const uint64_t rows = level + 1 == m->levels ? align(rows0, 4) : rows0;
    const uint64_t pitch = align(mach_level_size(k->pitch0, level), k->align);
    uint64_t size = rows * pitch;
    if (m->dim == MACH_DIM_3D) {
        size = slice_of(k, level, pitch, size);
        k->slice = size;
        k->pitch = pitch;
    }
    m->level[level] = (mach_level){
        .offset = *at, .slice_pitch = size, .row_pitch = (uint32_t)pitch};
    *at += size * (m->dim == MACH_DIM_3D                  ? mach_level_size(m->depth, level)
                   : adreno_has_faces_in_a_row(k->gen, m) ? m->layers
                                                          : 1);
}

uint64_t
adreno_layout_image(unsigned gen, mach_image *m)
{
    const mach_format_info *format = mach_format_get(m->format);
    walk k = {.format = format, .gen = gen};
    uint64_t at = 0;
    if (!mach_image_layout(m) || m->samples > ADRENO_MAX_SAMPLES)
        return 0;
    if (m->dim == MACH_DIM_BUFFER)
        return (uint64_t)m->width * format->bytes;
    k.align = row_align(format->bytes);
    k.pitch0 = (uint32_t)align((uint64_t)mach_blocks(m->width, format->block_w) * format->bytes,
                               k.align);
    for (uint32_t level = 0; level < m->levels; level++)
        place_level(m, &k, level, &at);
    if (m->dim == MACH_DIM_3D || adreno_has_faces_in_a_row(gen, m))
        return at;
    at = align(at, PAGE);
    for (uint32_t level = 0; level < m->levels; level++)
        m->level[level].slice_pitch = at;
    return at * m->layers * m->samples;
}
