/* Reading and writing descriptors; see descriptor.h. */
#include "amd/emu/descriptor.h"

#include "base/bits.h"
#include "machine/memory.h"

/* Bits [high, low] of a word. */
static uint32_t
bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (uint32_t)base_mask64(high - low + 1);
}

/* Element sizes: gfx6 to gfx8 have a field; gfx11 and gfx12 a wider SWIZZLE_ENABLE (1: 4 bytes, 3:
 * 16); between them all are 4 bytes. */
static uint32_t
element_size(amd_gen gen, const uint32_t w[4])
{
    if (gen <= AMD_GFX8)
        return 2u << bits(w[3], 20, 19);
    if (gen < AMD_GFX11)
        return 4;
    uint32_t swizzle = bits(w[1], 31, 30);
    return swizzle == 3 ? 16 : swizzle == 2 ? 0 : 4;
}

/* gfx8 and gfx9: the data format's field holds bits 17:14 of the stride if ADD_TID_ENABLE is set
 * (GCN3 ISA and Vega ISA, table "Buffer resource descriptor"). */
static bool
has_long_stride(amd_gen gen, bool add_tid)
{
    return add_tid && gen >= AMD_GFX8 && gen < AMD_GFX10;
}

static const uint8_t stride_scales[4] = {1, 4, 8, 32}; /* gfx12 */

static uint32_t
decode_stride(amd_gen gen, const uint32_t w[4], bool add_tid)
{
    uint32_t stride = bits(w[1], 29, 16);
    if (has_long_stride(gen, add_tid))
        stride |= bits(w[3], 18, 15) << 14;
    return gen >= AMD_GFX12 ? stride * stride_scales[bits(w[3], 19, 18)] : stride;
}

static uint32_t
decode_buffer_format(amd_gen gen, const uint32_t w[4], bool add_tid)
{
    if (gen >= AMD_GFX10)
        return amd_format_of_buffer(gen, bits(w[3], gen >= AMD_GFX11 ? 17 : 18, 12));
    uint32_t data = has_long_stride(gen, add_tid) ? 0 : bits(w[3], 18, 15);
    return amd_format_of_buffer(gen, data | bits(w[3], 14, 12) << 4);
}

void
amd_buffer_decode(amd_gen gen, const uint32_t w[4], amd_buffer_desc *d)
{
    bool add_tid = bits(w[3], 23, 23);
    *d = (amd_buffer_desc){
        .base = mach_canonical(w[0] | (uint64_t)bits(w[1], 15, 0) << 32),
        .stride = decode_stride(gen, w, add_tid),
        .swizzle = bits(w[1], 31, gen >= AMD_GFX11 ? 30 : 31),
        .element_size = element_size(gen, w),
        .num_records = w[2],
        .dst_sel = {bits(w[3], 2, 0), bits(w[3], 5, 3), bits(w[3], 8, 6), bits(w[3], 11, 9)},
        .format = decode_buffer_format(gen, w, add_tid),
        .index_stride = 8u << bits(w[3], 22, 21),
        .add_tid = add_tid,
        .oob = gen >= AMD_GFX10 ? bits(w[3], 29, 28) : 0,
        .type = bits(w[3], 31, 30),
    };
}

void
amd_image_decode(const uint32_t w[8], amd_image_desc *d)
{
    *d = (amd_image_desc){
        .base = mach_canonical((w[0] | (uint64_t)bits(w[1], 7, 0) << 32) << 8),
        .min_lod = bits(w[1], 19, 8),
        .format = bits(w[1], 28, 20),
        .width = (bits(w[1], 31, 30) | bits(w[2], 11, 0) << 2) + 1,
        .height = bits(w[2], 27, 14) + 1,
        .dst_sel = {bits(w[3], 2, 0), bits(w[3], 5, 3), bits(w[3], 8, 6), bits(w[3], 11, 9)},
        .base_level = bits(w[3], 15, 12),
        .last_level = bits(w[3], 19, 16),
        .sw_mode = bits(w[3], 24, 20),
        .type = bits(w[3], 31, 28),
        .depth = bits(w[4], 12, 0) + 1,
        .base_array = bits(w[4], 28, 16),
        .max_mip = bits(w[5], 7, 4),
    };
    /* gfx10.3: for 1D, 2D and 2D MSAA the depth field is the pitch - 1, with bit 13 in PITCH_13; 0
     * means none was given */
    if (d->type == AMD_IMG_1D || d->type == AMD_IMG_2D || d->type == AMD_IMG_2D_MSAA) {
        uint32_t pitch = bits(w[4], 13, 0) + 1;
        d->pitch = pitch > d->width ? pitch : 0;
        d->depth = 1;
    }
}

void
amd_sampler_decode(const uint32_t w[4], amd_sampler_desc *d)
{
    *d = (amd_sampler_desc){
        .clamp = {bits(w[0], 2, 0), bits(w[0], 5, 3), bits(w[0], 8, 6)},
        .max_aniso = bits(w[0], 11, 9),
        .compare = bits(w[0], 14, 12),
        .unnormalized = bits(w[0], 15, 15),
        .trunc_coord = bits(w[0], 27, 27),
        .disable_cube_wrap = bits(w[0], 28, 28),
        .reduction = bits(w[0], 30, 29),
        .min_lod = bits(w[1], 11, 0),
        .max_lod = bits(w[1], 23, 12),
        .lod_bias = (int32_t)base_sext64(bits(w[2], 13, 0), 14),
        .mag_filter = bits(w[2], 21, 20),
        .min_filter = bits(w[2], 23, 22),
        .z_filter = bits(w[2], 25, 24),
        .mip_filter = bits(w[2], 27, 26),
        .border_index = bits(w[3], 11, 0),
        .border_type = bits(w[3], 31, 30),
    };
}

/* `v` at bits [high, low]. */
static uint32_t
place(uint32_t v, unsigned high, unsigned low)
{
    return (v & (uint32_t)base_mask64(high - low + 1)) << low;
}

static uint32_t
log2_of(uint32_t v)
{
    return v ? 31 - base_clz32(v) : 0;
}

/* The bits of the format, the stride's upper bits and the element size in word 3. */
static uint32_t
encode_format(amd_gen gen, const amd_buffer_desc *d)
{
    uint32_t raw = amd_format_to_buffer(gen, d->format), size = d->element_size;
    if (gen >= AMD_GFX11)
        return place(raw, 17, 12);
    if (gen >= AMD_GFX10)
        return place(raw, 18, 12) | place(1, 24, 24); /* RESOURCE_LEVEL */
    uint32_t data = has_long_stride(gen, d->add_tid) ? d->stride >> 14 : raw & 15;
    return place(raw >> 4, 14, 12) | place(data, 18, 15) |
           (gen <= AMD_GFX8 ? place(log2_of(size ? size : 4) - 1, 20, 19) : 0);
}

void
amd_buffer_encode(amd_gen gen, const amd_buffer_desc *d, uint32_t w[4])
{
    uint32_t stride = d->stride, scale = 0;
    while (gen >= AMD_GFX12 && scale < 3 && stride / stride_scales[scale] > 16383)
        scale++;
    uint32_t swizzle = d->swizzle ? d->element_size == 16 ? 3 : 1 : 0;
    w[0] = (uint32_t)d->base;
    w[1] = place((uint32_t)(d->base >> 32), 15, 0) | place(stride / stride_scales[scale], 29, 16) |
           (gen >= AMD_GFX11 ? place(swizzle, 31, 30) : place(d->swizzle, 31, 31));
    w[2] = d->num_records;
    w[3] = place(d->dst_sel[0], 2, 0) | place(d->dst_sel[1], 5, 3) | place(d->dst_sel[2], 8, 6) |
           place(d->dst_sel[3], 11, 9) | encode_format(gen, d) | place(scale, 19, 18) |
           place(d->index_stride >= 16 ? log2_of(d->index_stride) - 3 : 0, 22, 21) |
           place(d->add_tid, 23, 23) | (gen >= AMD_GFX10 ? place(d->oob, 29, 28) : 0) |
           place(d->type, 31, 30);
}

void
amd_image_encode(const amd_image_desc *d, uint32_t w[8])
{
    uint32_t width = d->width - 1, depth = d->depth - 1;
    if (d->type == AMD_IMG_1D || d->type == AMD_IMG_2D || d->type == AMD_IMG_2D_MSAA)
        depth = d->pitch ? d->pitch - 1 : 0;
    w[0] = (uint32_t)(d->base >> 8);
    w[1] = place((uint32_t)(d->base >> 40), 7, 0) | place(d->min_lod, 19, 8) |
           place(d->format, 28, 20) | place(width, 31, 30);
    w[2] = place(width >> 2, 11, 0) | place(d->height - 1, 27, 14) | place(1, 31, 31);
    w[3] = place(d->dst_sel[0], 2, 0) | place(d->dst_sel[1], 5, 3) | place(d->dst_sel[2], 8, 6) |
           place(d->dst_sel[3], 11, 9) | place(d->base_level, 15, 12) |
           place(d->last_level, 19, 16) | place(d->sw_mode, 24, 20) | place(d->type, 31, 28);
    w[4] = place(depth, 13, 0) | place(d->base_array, 28, 16);
    w[5] = place(d->max_mip, 7, 4);
    w[6] = w[7] = 0;
}

void
amd_sampler_encode(const amd_sampler_desc *d, uint32_t w[4])
{
    w[0] = place(d->clamp[0], 2, 0) | place(d->clamp[1], 5, 3) | place(d->clamp[2], 8, 6) |
           place(d->max_aniso, 11, 9) | place(d->compare, 14, 12) | place(d->unnormalized, 15, 15) |
           place(d->trunc_coord, 27, 27) | place(d->disable_cube_wrap, 28, 28) |
           place(d->reduction, 30, 29);
    w[1] = place(d->min_lod, 11, 0) | place(d->max_lod, 23, 12);
    w[2] = place((uint32_t)d->lod_bias, 13, 0) | place(d->mag_filter, 21, 20) |
           place(d->min_filter, 23, 22) | place(d->z_filter, 25, 24) | place(d->mip_filter, 27, 26);
    w[3] = place(d->border_index, 11, 0) | place(d->border_type, 31, 30);
}
