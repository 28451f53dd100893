/* Writes the descriptors of gfx10.3. */
#include "amd/launch/descriptors.h"

#include "amd/emu/desc/texel.h"

enum {
    FORMAT_32_FLOAT = 22, /* unified format */
    BUFFER_RESOURCE_LEVEL = 1 << 24,
};

#define IMAGE_RESOURCE_LEVEL 0x80000000u

static uint32_t
select_bits(const uint32_t dst_sel[4])
{
    return dst_sel[0] | dst_sel[1] << 3 | dst_sel[2] << 6 | dst_sel[3] << 9;
}

static void
pack_buffer(uint32_t w[4], const amd_buffer_desc *d)
{
    w[0] = (uint32_t)d->base;
    w[1] = ((uint32_t)(d->base >> 32) & 0xffff) | d->stride << 16;
    w[2] = d->num_records;
    w[3] = select_bits(d->dst_sel) | d->format << 12 | BUFFER_RESOURCE_LEVEL | d->oob << 28;
}

void
amd_desc_buffer(uint32_t words[4], uint64_t address, uint64_t size)
{
    amd_buffer_desc d = {
        .base = address,
        .num_records = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
        .oob = AMD_OOB_RAW,
        .format = FORMAT_32_FLOAT,
        .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W},
    };
    pack_buffer(words, &d);
}

bool
amd_desc_texel_buffer(uint32_t words[4], uint64_t address, const mach_image *m)
{
    amd_buffer_desc d = {
        .base = address,
        .stride = mach_format_get(m->format)->bytes,
        .num_records = m->width,
        .oob = AMD_OOB_INDEX,
    };
    d.format = amd_format_from_mach(m->format, d.dst_sel);
    pack_buffer(words, &d);
    return d.format != 0;
}

static void
pack_image(uint32_t w[8], const amd_image_desc *d)
{
    uint32_t width = d->width - 1;
    w[0] = (uint32_t)(d->base >> 8);
    w[1] = (uint32_t)(d->base >> 40 & 0xff) | d->min_lod << 8 | d->format << 20 | (width & 3) << 30;
    w[2] = width >> 2 | (d->height - 1) << 14 | IMAGE_RESOURCE_LEVEL;
    w[3] = select_bits(d->dst_sel) | d->base_level << 12 | d->last_level << 16 | d->sw_mode << 20 |
           d->type << 28;
    w[4] = d->base_array << 16;
    if (d->type != AMD_IMG_1D && d->type != AMD_IMG_2D && d->type != AMD_IMG_2D_MSAA)
        w[4] |= d->depth - 1;
    w[5] = d->max_mip << 4;
    w[6] = w[7] = 0;
}

bool
amd_desc_image(uint32_t words[8], uint64_t address, const mach_image *m)
{
    amd_image_desc d;
    mach_image view = *m;
    if (m->format == MACH_FORMAT_r64_uint)
        view.format = MACH_FORMAT_r32g32_uint;
    else if (m->format == MACH_FORMAT_r64_sint)
        view.format = MACH_FORMAT_r32g32_sint;
    if (!amd_image_from_mach(AMD_GFX10_3, &view, address, &d))
        return false;
    pack_image(words, &d);
    return true;
}

void
amd_desc_sampler(uint32_t w[4], const mach_sampler *s)
{
    amd_sampler_desc d;
    amd_sampler_from_mach(s, &d);
    w[0] = d.clamp[0] | d.clamp[1] << 3 | d.clamp[2] << 6 | d.max_aniso << 9 | d.compare << 12 |
           (uint32_t)d.unnormalized << 15 | (uint32_t)d.trunc_coord << 27 |
           (uint32_t)d.disable_cube_wrap << 28 | d.reduction << 29;
    w[1] = d.min_lod | d.max_lod << 12;
    w[2] = ((uint32_t)d.lod_bias & 0x3fff) | d.mag_filter << 20 | d.min_filter << 22 |
           d.z_filter << 24 | d.mip_filter << 26;
    w[3] = d.border_index | d.border_type << 30;
}
