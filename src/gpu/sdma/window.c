/* Copies of parts of images, row by row. An image in tiles has the emulator's own layout behind its
 * address (amd/emu/desc/texel.h), which is as regular as a linear one. */
#include "gpu/sdma/execute.h"

#include "amd/emu/desc/texel.h"
#include "base/bits.h"

/* Where texels are: a corner of a window, and the bytes from row to row and slice to slice. */
typedef struct place {
    uint64_t base, row, slice;
} place;

typedef struct window {
    place from, to;
    uint32_t width, height, depth; /* texels, or blocks */
    uint32_t bytes;                /* of a texel */
} window;

/* Numbers in a word: bits high:low. */
static uint32_t
bits(const gpu_sdma_packet *p, unsigned word, unsigned low, unsigned n)
{
    return p->words[word] >> low & ((1u << n) - 1);
}

static gpu_cp_status
copy_window(gpu_cp *cp, const gpu_sdma_packet *p, const window *w)
{
    gpu_cp_status status = GPU_CP_DONE;
    for (uint32_t z = 0; z < w->depth; z++) {
        for (uint32_t y = 0; y < w->height && status == GPU_CP_DONE; y++) {
            const gpu_transfer row = {.from = w->from.base + z * w->from.slice + y * w->from.row,
                                      .to = w->to.base + z * w->to.slice + y * w->to.row,
                                      .bytes = (uint64_t)w->width * w->bytes};
            status = gpu_sdma_transfer(cp, p, &row);
        }
    }
    return status;
}

/* The window's size, whose two words begin at `word`: one less each. */
static void
set_size(const gpu_sdma_packet *p, unsigned word, window *w)
{
    w->width = bits(p, word, 0, 16) + 1;
    w->height = bits(p, word, 16, 16) + 1;
    w->depth = bits(p, word + 1, 0, 14) + 1;
}

/* A linear image's words: address, x and y, z and pitch, slice pitch. The pitch begins at bit
 * `pitch_at`. */
static place
linear_place(const gpu_sdma_packet *p, unsigned word, unsigned pitch_at, uint32_t bytes)
{
    uint64_t row = ((uint64_t)(p->words[word + 3] >> pitch_at) + 1) * bytes;
    uint64_t slice = ((uint64_t)bits(p, word + 4, 0, 28) + 1) * bytes;
    uint32_t x = bits(p, word + 2, 0, 16), y = bits(p, word + 2, 16, 16);
    uint32_t z = bits(p, word + 3, 0, pitch_at < 14 ? pitch_at : 14);
    return (place){gpu_sdma_address(p, word) + z * slice + y * row + (uint64_t)x * bytes, row,
                   slice};
}

gpu_cp_status
gpu_sdma_copy_linear_window(gpu_cp *cp, const gpu_sdma_packet *p)
{
    unsigned pitch_at = p->version < GPU_SDMA_7 ? 13 : 16;
    window w = {.bytes = 1u << bits(p, 0, 29, 3)};
    w.from = linear_place(p, 1, pitch_at, w.bytes);
    w.to = linear_place(p, 6, pitch_at, w.bytes);
    set_size(p, 11, &w);
    return copy_window(cp, p, &w);
}

/* ---- tiles ---- */

/* What a tiled image's words say beside its address; the last of them. */
typedef struct tiled_info {
    uint32_t bytes, sw_mode, levels, level;
    bool is_3d;
} tiled_info;

/* The levels stand in the header in version 4; there the engine has them of one image alone. Before
 * version 7 9:10 is the number of dimensions less one; from there on the swizzle mode tells: 5 to 7
 * are those of 3D images (Mesa, addrtypes.h). */
static tiled_info
info_of(const gpu_sdma_packet *p, unsigned word)
{
    tiled_info i = {.bytes = 1u << bits(p, word, 0, 3), .sw_mode = bits(p, word, 3, 5)};
    uint32_t max = 0;
    if (p->version >= GPU_SDMA_7) {
        i.is_3d = i.sw_mode >= 5 && i.sw_mode <= 7;
        max = bits(p, word, 16, 5);
        i.level = bits(p, word, 24, 5);
    } else {
        i.is_3d = bits(p, word, 9, 2) == 2;
        max = p->version >= GPU_SDMA_5 ? bits(p, word, 16, 4) : bits(p, 0, 20, 4);
        i.level = p->version >= GPU_SDMA_5 ? bits(p, word, 20, 4) : bits(p, 0, 24, 4);
    }
    i.levels = max + 1;
    return i;
}

static mach_format
format_of(uint32_t bytes)
{
    static const char *const names[] = {"r8_uint", "r16_uint", "r32_uint", "r32g32_uint",
                                        "r32g32b32a32_uint"};
    const uint32_t k = base_log2_up(bytes);
    return k < sizeof names / sizeof *names ? mach_format_from_name(names[k]) : MACH_FORMAT_none;
}

/* A tiled image's words: address, x and y, z and width, height and depth, the info. False, with a
 * fault, if it is none. */
static bool
tiled_place(gpu_cp *cp, const gpu_sdma_packet *p, unsigned word, place *out)
{
    const tiled_info i = info_of(p, word + 5);
    const amd_image_desc d = {.base = gpu_sdma_address(p, word), .sw_mode = i.sw_mode};
    mach_image m = {.format = format_of(i.bytes),
                    .dim = i.is_3d ? MACH_DIM_3D : MACH_DIM_2D,
                    .width = bits(p, word + 3, 16, 16) + 1,
                    .height = bits(p, word + 4, 0, 16) + 1,
                    .depth = i.is_3d ? bits(p, word + 4, 16, 16) + 1 : 1,
                    .samples = 1,
                    .levels = i.levels,
                    .layers = i.is_3d ? 1 : bits(p, word + 4, 16, 16) + 1};
    uint32_t x = bits(p, word + 2, 0, 16), y = bits(p, word + 2, 16, 16);
    uint32_t z = bits(p, word + 3, 0, 14);
    if (m.format == MACH_FORMAT_none || i.level >= i.levels || i.levels > MACH_MAX_LEVELS) {
        gpu_cp_fail(cp, "%s names level %u of %u, of texels of %u bytes, which is no image",
                    p->name, (unsigned)i.level, (unsigned)i.levels, (unsigned)i.bytes);
        return false;
    }
    amd_image_pack(cp->gen, &d, &m);
    const mach_level *l = &m.level[i.level];
    *out = (place){amd_image_tiles_base(cp->gen, &d) + l->offset + z * l->slice_pitch +
                       (uint64_t)y * l->row_pitch + (uint64_t)x * i.bytes,
                   l->row_pitch, l->slice_pitch};
    return true;
}

/* Bit 31 of the header: from tiles. */
gpu_cp_status
gpu_sdma_copy_tiled_window(gpu_cp *cp, const gpu_sdma_packet *p)
{
    window w = {.bytes = info_of(p, 6).bytes};
    place tiled, linear = linear_place(p, 7, 16, w.bytes);
    bool detiles = p->words[0] >> 31;
    if (!tiled_place(cp, p, 1, &tiled))
        return GPU_CP_FAULT;
    w.from = detiles ? tiled : linear;
    w.to = detiles ? linear : tiled;
    set_size(p, 12, &w);
    return copy_window(cp, p, &w);
}

gpu_cp_status
gpu_sdma_copy_between_tiled(gpu_cp *cp, const gpu_sdma_packet *p)
{
    window w = {.bytes = info_of(p, 6).bytes};
    if (!tiled_place(cp, p, 1, &w.from) || !tiled_place(cp, p, 7, &w.to))
        return GPU_CP_FAULT;
    set_size(p, 13, &w);
    return copy_window(cp, p, &w);
}
