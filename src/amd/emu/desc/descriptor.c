/* Reading and writing V# and S#; see descriptor.h. T# is in descriptor_image.c. */
#include "amd/emu/desc/descriptor.h"

#include "amd/emu/desc/fields.h"
#include "machine/memory.h"

/* Element sizes: gfx6 to gfx8 have a field; gfx11 and gfx12 have a wider SWIZZLE_ENABLE (1: 4
 * bytes, 3: 16); in between the size is always 4 bytes. */
static uint32_t
element_size(amd_gen gen, const uint32_t w[4])
{
    if (gen <= AMD_GFX8)
        return 2u << amd_emu_field_get(w[3], 20, 19);
    if (gen < AMD_GFX11)
        return 4;
    uint32_t swizzle = amd_emu_field_get(w[1], 31, 30);
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
    uint32_t stride = amd_emu_field_get(w[1], 29, 16);
    if (has_long_stride(gen, add_tid))
        stride |= amd_emu_field_get(w[3], 18, 15) << 14;
    return gen >= AMD_GFX12 ? stride * stride_scales[amd_emu_field_get(w[3], 19, 18)] : stride;
}

static uint32_t
decode_buffer_format(amd_gen gen, const uint32_t w[4], bool add_tid)
{
    if (gen >= AMD_GFX10)
        return amd_format_of_buffer(gen, amd_emu_field_get(w[3], gen >= AMD_GFX11 ? 17 : 18, 12));
    uint32_t data = has_long_stride(gen, add_tid) ? 0 : amd_emu_field_get(w[3], 18, 15);
    return amd_format_of_buffer(gen, data | amd_emu_field_get(w[3], 14, 12) << 4);
}

void
amd_buffer_decode(amd_gen gen, const uint32_t w[4], amd_buffer_desc *d)
{
    bool add_tid = amd_emu_field_get(w[3], 23, 23);
    *d = (amd_buffer_desc){
        .base = mach_canonical(w[0] | (uint64_t)amd_emu_field_get(w[1], 15, 0) << 32),
        .stride = decode_stride(gen, w, add_tid),
        .swizzle = amd_emu_field_get(w[1], 31, gen >= AMD_GFX11 ? 30 : 31),
        .element_size = element_size(gen, w),
        .num_records = w[2],
        .dst_sel = {amd_emu_field_get(w[3], 2, 0), amd_emu_field_get(w[3], 5, 3),
                    amd_emu_field_get(w[3], 8, 6), amd_emu_field_get(w[3], 11, 9)},
        .format = decode_buffer_format(gen, w, add_tid),
        .index_stride = 8u << amd_emu_field_get(w[3], 22, 21),
        .add_tid = add_tid,
        .oob = gen >= AMD_GFX10 ? amd_emu_field_get(w[3], 29, 28) : 0,
        .type = amd_emu_field_get(w[3], 31, 30),
    };
}

/* The position of SKIP_DEGAMMA: its word and bit. gfx6 to gfx8 lack it. */
static uint32_t
skip_degamma_bit(amd_gen gen, uint32_t *word)
{
    *word = gen >= AMD_GFX10 ? 0 : 3;
    return gen >= AMD_GFX10 ? 31 : gen >= AMD_GFX9 ? 12 : 32;
}

void
amd_sampler_decode(amd_gen gen, const uint32_t w[4], amd_sampler_desc *d)
{
    bool wide_lod = gen >= AMD_GFX12; /* 5.8 instead of 4.8 */
    uint32_t word, skip = skip_degamma_bit(gen, &word);
    *d = (amd_sampler_desc){
        .clamp = {amd_emu_field_get(w[0], 2, 0), amd_emu_field_get(w[0], 5, 3),
                  amd_emu_field_get(w[0], 8, 6)},
        .max_aniso = amd_emu_field_get(w[0], 11, 9),
        .compare = amd_emu_field_get(w[0], 14, 12),
        .unnormalized = amd_emu_field_get(w[0], 15, 15),
        .trunc_coord = amd_emu_field_get(w[0], 27, 27),
        .force_degamma = amd_emu_field_get(w[0], 20, 20),
        .skip_degamma = skip < 32 && w[word] >> skip & 1,
        .disable_cube_wrap = amd_emu_field_get(w[0], 28, 28),
        .reduction = amd_emu_field_get(w[0], 30, 29),
        .min_lod = wide_lod ? amd_emu_field_get(w[1], 12, 0) : amd_emu_field_get(w[1], 11, 0),
        .max_lod = wide_lod ? amd_emu_field_get(w[1], 25, 13) : amd_emu_field_get(w[1], 23, 12),
        .lod_bias = (int32_t)base_sext64(amd_emu_field_get(w[2], 13, 0), 14),
        .mag_filter = amd_emu_field_get(w[2], 21, 20),
        .min_filter = amd_emu_field_get(w[2], 23, 22),
        .z_filter = amd_emu_field_get(w[2], 25, 24),
        .mip_filter = amd_emu_field_get(w[2], 27, 26),
        .border_index = gen >= AMD_GFX11 ? amd_emu_field_get(w[3], 29, 18)
                                         : amd_emu_field_get(w[3], 11, 0),
        .border_type = amd_emu_field_get(w[3], 31, 30),
        .unbuilt = amd_emu_field_get(w[0], 30, 29) == 3 ? "the reserved FILTER_MODE 3" : NULL,
    };
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
        return amd_emu_field_put(raw, 17, 12);
    if (gen >= AMD_GFX10)
        return amd_emu_field_put(raw, 18, 12) | amd_emu_field_put(1, 24, 24); /* RESOURCE_LEVEL */
    uint32_t data = has_long_stride(gen, d->add_tid) ? d->stride >> 14 : raw & 15;
    return amd_emu_field_put(raw >> 4, 14, 12) | amd_emu_field_put(data, 18, 15) |
           (gen <= AMD_GFX8 ? amd_emu_field_put(size ? log2_of(size) - 1 : d->swizzle, 20, 19) : 0);
}

void
amd_buffer_encode(amd_gen gen, const amd_buffer_desc *d, uint32_t w[4])
{
    uint32_t stride = d->stride, scale = 0;
    while (gen >= AMD_GFX12 && scale < 3 && stride / stride_scales[scale] > 16383)
        scale++;
    uint32_t swizzle = d->swizzle ? d->element_size == 16 ? 3 : 1 : 0;
    w[0] = (uint32_t)d->base;
    w[1] = amd_emu_field_put((uint32_t)(d->base >> 32), 15, 0) |
           amd_emu_field_put(stride / stride_scales[scale], 29, 16) |
           (gen >= AMD_GFX11 ? amd_emu_field_put(swizzle, 31, 30)
                             : amd_emu_field_put(d->swizzle, 31, 31));
    w[2] = d->num_records;
    w[3] = amd_emu_field_put(d->dst_sel[0], 2, 0) | amd_emu_field_put(d->dst_sel[1], 5, 3) |
           amd_emu_field_put(d->dst_sel[2], 8, 6) | amd_emu_field_put(d->dst_sel[3], 11, 9) |
           encode_format(gen, d) | amd_emu_field_put(scale, 19, 18) |
           amd_emu_field_put(d->index_stride >= 16 ? log2_of(d->index_stride) - 3 : 0, 22, 21) |
           amd_emu_field_put(d->add_tid, 23, 23) |
           (gen >= AMD_GFX10 ? amd_emu_field_put(d->oob, 29, 28) : 0) |
           amd_emu_field_put(d->type, 31, 30);
}

void
amd_sampler_encode(amd_gen gen, const amd_sampler_desc *d, uint32_t w[4])
{
    w[0] = amd_emu_field_put(d->clamp[0], 2, 0) | amd_emu_field_put(d->clamp[1], 5, 3) |
           amd_emu_field_put(d->clamp[2], 8, 6) | amd_emu_field_put(d->max_aniso, 11, 9) |
           amd_emu_field_put(d->compare, 14, 12) | amd_emu_field_put(d->unnormalized, 15, 15) |
           amd_emu_field_put(d->force_degamma, 20, 20) | amd_emu_field_put(d->trunc_coord, 27, 27) |
           amd_emu_field_put(d->disable_cube_wrap, 28, 28) |
           amd_emu_field_put(d->reduction, 30, 29);
    w[1] = gen >= AMD_GFX12
               ? amd_emu_field_put(d->min_lod, 12, 0) | amd_emu_field_put(d->max_lod, 25, 13)
               : amd_emu_field_put(d->min_lod, 11, 0) | amd_emu_field_put(d->max_lod, 23, 12);
    w[2] = amd_emu_field_put((uint32_t)d->lod_bias, 13, 0) |
           amd_emu_field_put(d->mag_filter, 21, 20) | amd_emu_field_put(d->min_filter, 23, 22) |
           amd_emu_field_put(d->z_filter, 25, 24) | amd_emu_field_put(d->mip_filter, 27, 26);
    w[3] = gen >= AMD_GFX11 ? amd_emu_field_put(d->border_index, 29, 18)
                            : amd_emu_field_put(d->border_index, 11, 0);
    w[3] |= amd_emu_field_put(d->border_type, 31, 30);
    uint32_t word, skip = skip_degamma_bit(gen, &word);
    if (skip < 32)
        w[word] |= (uint32_t)d->skip_degamma << skip;
}
