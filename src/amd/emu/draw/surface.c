/* Attachments in memory, with the layout that texture instructions see (desc/layout.c). */
#include "amd/emu/draw/state.h"

#include "amd/emu/desc/texel.h"

#include <string.h>

/* What is at the GPU address of an attachment, and how much; NULL, with a problem, if it is not
 * mapped. */
static uint8_t *
find_attachment(draw_run *r, uint64_t address, uint64_t *size)
{
    uint32_t hint = 0;
    address = mach_canonical(address);
    const mach_region *m = mach_memory_find(r->memory, &hint, address, 1);
    if (!m) {
        r->problem = "an attachment that is not mapped";
        return NULL;
    }
    *size = m->size - (address - m->base);
    if (r->n_attachments < sizeof r->attachments / sizeof *r->attachments)
        r->attachments[r->n_attachments++] = (draw_attachment){m->host, m->base, m->size};
    return m->host + (address - m->base);
}

bool
amd_draw_place_surface(draw_run *r, const draw_surface *s, mach_image *out)
{
    static const uint8_t dims[4] = {MACH_DIM_1D, MACH_DIM_2D, MACH_DIM_3D, MACH_DIM_2D};
    amd_image_desc d = {.base = s->address, .sw_mode = s->sw_mode, .tiled = s->sw_mode != 0};
    mach_image m = {.format = s->format,
                    .dim = (mach_dim)dims[s->resource & 3],
                    .width = s->width,
                    .height = s->resource ? s->height : 1,
                    .depth = s->resource == 2 ? s->depth : 1,
                    .layers = s->resource == 2 ? 1 : s->last_layer + 1,
                    .levels = s->levels,
                    .samples = s->samples};
    if (!amd_image_layout_with(r->gen, d.tiled ? 0 : s->pitch, &m)) {
        r->problem = "an attachment that is too large";
        return false;
    }
    if (d.tiled)
        amd_image_pack(r->gen, &d, &m);
    if (d.tiled && !r->draw->packs_tiles) {
        r->problem = "an attachment in tiles";
        return false;
    }
    m.base_level = s->level;
    m.base_layer = s->first_layer;
    m.data = find_attachment(r, amd_image_tiles_base(r->gen, &d), &m.size);
    *out = m;
    return m.data != NULL;
}

bool
amd_draw_place_level(draw_run *r, const draw_level *s, mach_image *out)
{
    bool tiled = s->tile_mode != AMD_TILING_LINEAR;
    const amd_image_desc d = {.base = s->address, .sw_mode = s->tile_mode, .tiled = tiled};
    mach_image m = {.format = s->format,
                    .dim = MACH_DIM_2D,
                    .width = s->pitch,
                    .height = s->height,
                    .depth = 1,
                    .layers = s->last_layer + 1,
                    .levels = 1,
                    .samples = s->samples,
                    .base_layer = s->first_layer};
    uint32_t row = s->pitch * mach_format_get(s->format)->bytes;
    if (tiled && !r->draw->packs_tiles) {
        r->problem = "an attachment in tiles";
        return false;
    }
    m.level[0] = (mach_level){0, (uint64_t)row * s->height, row};
    m.view_levels = 1;
    m.data = find_attachment(r, tiled ? amd_image_tiles_base(r->gen, &d) : s->address, &m.size);
    *out = m;
    return m.data != NULL;
}
