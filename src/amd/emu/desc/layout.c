/* The positions of texels in a linear image, by generation; see texel.h and docs/emulator.md.
 *
 * Sources: AMD's addrlib, the linear cases: gfx6 to gfx8 SiLib (HwlGetPitchAlignmentLinear,
 * HwlGetSizeAdjustmentLinear, HwlComputeMipLevel), gfx9 Gfx9Lib::ComputeSurfaceLinearPadding, gfx10
 * to gfx11.5 the layout of mach_image_layout, gfx12 Gfx12Lib::GetMipOffset. Samples are stored as
 * slices, a convention of this model on all generations: on hardware, multisampled images are never
 * linear. Formats with blocks are laid out by blocks; the T#'s pitch counts texels, gfx9's counts
 * blocks (Mesa, ac_descriptors.c).
 *
 * Images in tiles have a layout of this model: applications cannot see which bytes hold a texel, as
 * long as every access goes through a T#.
 */
#include "amd/emu/desc/texel.h"

#include "base/bits.h"

static uint64_t
align_up(uint64_t v, uint64_t to)
{
    return (v + to - 1) / to * to;
}

static uint32_t
next_power(uint32_t v)
{
    return 1u << base_log2_up(v);
}

/* gfx6 to gfx8: the levels follow each other, the largest first, each with all its slices. If an
 * image has several levels, its sizes and its number of slices are rounded up to powers of two.
 * Rows are multiples of 64 bytes and 8 texels, slices of 256 bytes and 64 texels. Depth and stencil
 * share one pitch and height (DB_DEPTH_SIZE), so rows of both are multiples of 64 texels, and there
 * are as many as fill tiles of 8; lines are no targets of depth, so they stay single. */
static uint64_t
lay_out_gcn(mach_image *m, uint32_t pitch)
{
    const mach_format_info *f = mach_format_get(m->format);
    bool is_plane = mach_format_is_depth(m->format) || m->format == MACH_FORMAT_s8_uint;
    uint32_t bytes = f->bytes, step = is_plane ? 64 : bytes > 8 ? 8 : 64 / bytes;
    uint32_t unit = bytes >= 4 ? 64 : 256 / bytes;
    bool chain = m->levels > 1;
    uint32_t width = pitch ? pitch : chain ? next_power(m->width) : m->width;
    uint64_t at = 0;
    for (uint32_t l = 0; l < m->levels; l++) {
        uint32_t height = mach_level_size(m->height, l), depth = mach_level_size(m->depth, l);
        uint32_t slices = (m->dim == MACH_DIM_3D ? depth : m->layers) * m->samples;
        if (chain) {
            height = mach_level_size(next_power(m->height), l);
            slices = next_power(slices);
        }
        height = mach_blocks(height, f->block_h);
        if (is_plane && m->dim != MACH_DIM_1D)
            height = (uint32_t)align_up(height, 8);
        uint64_t row = align_up(mach_blocks(mach_level_size(width, l), f->block_w), step);
        while (row * height % unit)
            row += step;
        m->level[l] = (mach_level){at, row * bytes * height, (uint32_t)(row * bytes)};
        at = align_up(at + m->level[l].slice_pitch * slices, 256);
    }
    return at;
}

/* gfx9: all levels have row lengths of level 0, in multiples of 256 bytes, and follow each other in
 * a slice, the largest first; halved heights are rounded up, so that level 1 of 5 rows begins 3
 * rows before level 2. `rows` is the number of rows in the chain; 0: as many as needed. For texels
 * of 12 bytes, rows are also whole texels, since the pitch counts texels. */
static uint64_t
lay_out_gfx9(mach_image *m, uint32_t pitch, uint32_t rows)
{
    const mach_format_info *f = mach_format_get(m->format);
    uint32_t height = mach_blocks(m->height, f->block_h), used = 0;
    uint64_t width = pitch ? pitch : mach_blocks(m->width, f->block_w);
    uint64_t step = f->bytes % 3 ? MACH_ROW_ALIGN : 3 * MACH_ROW_ALIGN;
    uint64_t row = pitch ? width * f->bytes : align_up(width * f->bytes, step);
    for (uint32_t l = 0; l < m->levels; l++) {
        m->level[l] = (mach_level){used * row, 0, (uint32_t)row};
        used += height;
        height = (height + 1) / 2;
    }
    for (uint32_t l = 0; l < m->levels; l++)
        m->level[l].slice_pitch = row * (rows ? rows : used);
    return m->level[0].slice_pitch * m->depth * m->layers * m->samples;
}

/* gfx12: as gfx10, but rows are multiples of only 128 bytes; levels still take the space that rows
 * of 256 would. */
static uint64_t
lay_out_gfx12(mach_image *m)
{
    const mach_format_info *f = mach_format_get(m->format);
    uint32_t across = mach_blocks(m->width, f->block_w);
    uint64_t size = m->level[0].slice_pitch * m->depth * m->layers * m->samples;
    for (uint32_t l = 0; l < m->levels; l++)
        m->level[l].row_pitch = (uint32_t)align_up((uint64_t)mach_level_room(across, l) * f->bytes,
                                                   MACH_ROW_ALIGN / 2);
    return size;
}

uint64_t
amd_image_layout_with(amd_gen gen, uint32_t pitch, mach_image *m)
{
    const uint64_t limit = UINT64_C(1) << 40;
    uint64_t size = mach_image_layout(m);
    if (!size || m->dim == MACH_DIM_BUFFER)
        return size;
    if (gen <= AMD_GFX8)
        size = lay_out_gcn(m, pitch);
    else if (gen < AMD_GFX10)
        size = lay_out_gfx9(m, m->levels > 1 ? 0 : pitch, m->levels > 1 ? pitch : 0);
    else if (gen >= AMD_GFX12)
        size = lay_out_gfx12(m);
    if (gen >= AMD_GFX10 && pitch) {
        const mach_format_info *f = mach_format_get(m->format);
        m->level[0].row_pitch = mach_blocks(pitch, f->block_w) * f->bytes;
        m->level[0].slice_pitch = (uint64_t)m->level[0].row_pitch *
                                  mach_blocks(m->height, f->block_h);
        size = m->level[0].slice_pitch * m->samples;
    }
    return size > limit ? 0 : size;
}

/* The macro tiles of TILING_INDEX on gfx6 to gfx8, in elements; 0: the index has none, its micro
 * tiles lie one behind another. As the software Radeon describes them: gfx6's are Tahiti's,
 * later ones have 8 pipes and 16 banks (tools/radeon/tiling.c). */
typedef struct tile_size {
    uint16_t width, height;
} tile_size;

static tile_size
macro_tile(amd_gen gen, uint32_t index, uint32_t bytes)
{
    static const tile_size gfx6[32] = {
        [0] = {128, 256}, [1] = {128, 256}, [2] = {128, 256},  [3] = {64, 128},   [5] = {64, 64},
        [6] = {64, 128},  [7] = {32, 64},   [10] = {128, 256}, [11] = {128, 128}, [12] = {64, 128},
        [14] = {64, 512}, [15] = {64, 256}, [16] = {64, 128},  [17] = {64, 128},  [19] = {64, 128},
        [20] = {64, 128}, [21] = {64, 256}, [22] = {64, 128},  [23] = {64, 128},  [24] = {64, 64},
        [25] = {32, 64},  [26] = {32, 64},  [27] = {32, 64},   [28] = {32, 64},   [29] = {32, 64},
        [30] = {32, 32}};
    enum { MICRO_GFX7 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 18 | 1 << 19 | 1 << 27 };
    if (gen == AMD_GFX6)
        return gfx6[index & 31];
    if (MICRO_GFX7 >> (index & 31) & 1)
        return (tile_size){0, 0};
    return bytes > 8 ? (tile_size){128, 128} : (tile_size){256, 128};
}

/* A level on gfx6 to gfx8: sizes of a chain are powers of two, and all fill whole tiles, macro
 * tiles as long as it is as large as one or has several samples; slices have multiples of 256
 * bytes. `pitch` is that of level 0, in texels. Source: AMD's addrlib, EgBasedLib
 * (ComputeSurfaceInfoMacroTiled, ComputeSurfaceInfoMicroTiled) and SiLib (HwlComputeMipLevel,
 * HwlGetSizeAdjustmentMicroTiled). */
typedef struct tiled_level {
    uint64_t width, height, slices; /* elements with their padding; with samples */
} tiled_level;

static tiled_level
tiled_level_of(const mach_image *m, uint32_t l, uint64_t pitch, tile_size macro)
{
    enum { MICRO = 8, SLICE_ALIGN = 256 };
    const mach_format_info *f = mach_format_get(m->format);
    bool chain = m->levels > 1, volume = m->dim == MACH_DIM_3D;
    uint64_t width = pitch >> l ? pitch >> l : 1, slices = m->layers * m->samples;
    uint32_t height = mach_level_size(m->height, l);
    slices = volume ? mach_level_size(m->depth, l) : slices;
    if (chain) {
        width = next_power((uint32_t)width);
        height = next_power(height);
        slices = next_power((uint32_t)slices);
    }
    tiled_level t = {mach_blocks((uint32_t)width, f->block_w), mach_blocks(height, f->block_h),
                     slices};
    bool is_large = t.width >= macro.width && t.height >= macro.height;
    if (macro.width && (is_large || m->samples > 1)) {
        t.width = align_up(t.width, macro.width);
        t.height = align_up(t.height, macro.height);
        return t;
    }
    t.width = align_up(t.width, MICRO);
    t.height = align_up(t.height, MICRO);
    while (t.width * t.height * f->bytes % SLICE_ALIGN)
        t.width += MICRO;
    return t;
}

/* On gfx6 to gfx8 a view of one level has that level's own address, and attachments are such views,
 * so levels and their rows must begin where the driver's address library puts them. */
static void
pack_gcn(amd_gen gen, const amd_image_desc *d, mach_image *m)
{
    const mach_format_info *f = mach_format_get(m->format);
    const tile_size macro = macro_tile(gen, d->sw_mode, f->bytes);
    uint64_t at = 0, pitch = d->pitch ? d->pitch : m->levels > 1 ? next_power(m->width) : m->width;
    for (uint32_t l = 0; l < m->levels; l++) {
        const tiled_level t = tiled_level_of(m, l, pitch, macro);
        uint64_t row = t.width * f->bytes;
        m->level[l] = (mach_level){at, row * t.height, (uint32_t)row};
        at += row * t.height * t.slices;
    }
}

/* A size in blocks, halved `level` times and rounded up: as addrlib does from gfx9 on, and enough
 * for the level's own texels. Copy engines know of an image its blocks alone. */
static uint64_t
halve(uint64_t blocks, uint32_t level)
{
    return (blocks + (UINT64_C(1) << level) - 1) >> level;
}

void
amd_image_pack(amd_gen gen, const amd_image_desc *d, mach_image *m)
{
    enum { LEVEL_ALIGN = 16 };
    const mach_format_info *f = mach_format_get(m->format);
    uint64_t at = 0;
    if (gen <= AMD_GFX8) {
        pack_gcn(gen, d, m);
        return;
    }
    for (uint32_t l = 0; l < m->levels; l++) {
        uint64_t row = halve(mach_blocks(m->width, f->block_w), l) * f->bytes;
        uint64_t rows = halve(mach_blocks(m->height, f->block_h), l);
        uint64_t slice = align_up(row * rows, LEVEL_ALIGN);
        m->level[l] = (mach_level){at, slice, (uint32_t)row};
        at += slice * (m->dim == MACH_DIM_3D ? mach_level_size(m->depth, l) : 1);
    }
    for (uint32_t l = 0; l < m->levels && m->dim != MACH_DIM_3D; l++)
        m->level[l].slice_pitch = at;
}

/* The bits lie within a tile's block, to whose size an image is aligned. Blocks of SW_MODE: gfx9 to
 * gfx11.5: 256 bytes, 4 KiB, 64 KiB, and from 28 on 256 KiB on gfx11; gfx12: 4, 64 and 256 KiB
 * (Mesa, amdgpu's addrtypes.h, AddrSwizzleMode). Up to gfx8 the bits number 8 pipes and 16 banks
 * of 256 bytes; images without macro tiles have none. */
uint64_t
amd_image_tiles_base(amd_gen gen, const amd_image_desc *d)
{
    enum { KB = 1024, BANKS = 32 * KB };
    static const uint8_t gfx9[32] = {0,  0,  0,  0,  4, 4, 4, 4, 64, 64, 64, 64, 64, 64, 64, 64,
                                     64, 64, 64, 64, 4, 4, 4, 4, 64, 64, 64, 64, 64, 64, 64, 64};
    static const uint16_t gfx12[32] = {0, 0, 4, 64, 256, 4, 64, 256};
    uint64_t block = macro_tile(gen, d->sw_mode, 4).width ? BANKS : 0;
    if (gen >= AMD_GFX12)
        block = gfx12[d->sw_mode & 31] * UINT64_C(1024);
    else if (gen >= AMD_GFX11 && d->sw_mode >= 28)
        block = 256 * KB;
    else if (gen >= AMD_GFX9)
        block = gfx9[d->sw_mode & 31] * UINT64_C(1024);
    return block ? d->base & ~(block - 1) : d->base;
}

uint64_t
amd_image_layout(amd_gen gen, mach_image *m)
{
    return amd_image_layout_with(gen, 0, m);
}

uint32_t
amd_image_pitch(amd_gen gen, const mach_image *m)
{
    const mach_format_info *f = mach_format_get(m->format);
    uint32_t bytes = f->bytes;
    mach_image usual = *m;
    if (gen <= AMD_GFX8)
        return m->level[0].row_pitch / bytes * f->block_w;
    if (gen < AMD_GFX10)
        return m->levels > 1 ? (uint32_t)(m->level[0].slice_pitch / m->level[0].row_pitch)
                             : m->level[0].row_pitch / bytes;
    if (!amd_image_layout(gen, &usual) || m->level[0].row_pitch == usual.level[0].row_pitch)
        return 0;
    return m->level[0].row_pitch / bytes * f->block_w;
}
