/* Linear images. */
#include "r600/emu/desc/texture.h"

enum { ROW_TEXELS = 64, ROW_BYTES = 256 };

static uint64_t
align(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* The size of a level in memory. */
static uint32_t
room_of(uint32_t size, uint32_t level)
{
    const uint32_t n = mach_level_size(size, level);
    uint32_t room = 1;
    while (level && room < n)
        room *= 2;
    return level ? room : n;
}

uint64_t
r600_layout_image(mach_image *m)
{
    const mach_format_info *format = mach_format_get(m->format);
    const uint64_t bytes = mach_image_layout(m);
    uint64_t at = 0;
    if (m->dim == MACH_DIM_BUFFER || !bytes)
        return bytes;
    for (uint32_t level = 0; level < m->levels; level++) {
        const uint32_t across = mach_blocks(room_of(m->width, level), format->block_w);
        const uint64_t rows = mach_blocks(room_of(m->height, level), format->block_h);
        const uint64_t row = align(align(across, ROW_TEXELS) * format->bytes, ROW_BYTES);
        const uint64_t slices = (uint64_t)room_of(m->depth, level) * m->layers * m->samples;
        m->level[level] = (mach_level){
            .offset = at, .slice_pitch = row * rows, .row_pitch = (uint32_t)row};
        at += row * rows * slices;
    }
    return at;
}
