/* Reading and writing T#; see descriptor.h.
 *
 * There are four layouts: gfx6 to gfx8 (separate fields for sizes, pitch and layers), gfx9 (the
 * same order of fields, a swizzle mode, and one field for the pitch or the chain's rows), gfx10 to
 * gfx11.5 (a unified format; depth and pitch share a field), gfx12 (wider fields, max_mip and
 * base_level in word 1).
 */
#include "amd/emu/desc/descriptor.h"

#include "amd/emu/desc/fields.h"
#include "machine/memory.h"

static bool
is_gcn(amd_gen gen)
{
    return gen <= AMD_GFX8;
}

/* 1D, 2D and 2D MSAA: from gfx10.3 on their depth field holds the pitch - 1. */
static bool
is_flat(uint32_t type)
{
    return type == AMD_IMG_1D || type == AMD_IMG_2D || type == AMD_IMG_2D_MSAA;
}

/* The fields that all layouts have in the same place: address, dst_sel, type. */
static amd_image_desc
common(const uint32_t w[8])
{
    return (amd_image_desc){
        .base = mach_canonical((w[0] | (uint64_t)amd_emu_field_get(w[1], 7, 0) << 32) << 8),
        .dst_sel = {amd_emu_field_get(w[3], 2, 0), amd_emu_field_get(w[3], 5, 3),
                    amd_emu_field_get(w[3], 8, 6), amd_emu_field_get(w[3], 11, 9)},
        .type = amd_emu_field_get(w[3], 31, 28),
    };
}

/* gfx6 to gfx9. The number of layers in the resource is DEPTH + 1, times 6 for cubes (gfx9: the
 * view's last layer). */
static void
decode_gcn(amd_gen gen, const uint32_t w[8], amd_image_desc *d)
{
    d->min_lod = amd_emu_field_get(w[1], 19, 8);
    d->format = amd_format_of_image(gen, amd_emu_field_get(w[1], 29, 20));
    d->width = amd_emu_field_get(w[2], 13, 0) + 1;
    d->height = amd_emu_field_get(w[2], 27, 14) + 1;
    d->base_level = amd_emu_field_get(w[3], 15, 12);
    d->last_level = amd_emu_field_get(w[3], 19, 16);
    d->sw_mode = amd_emu_field_get(w[3], 24, 20);
    d->depth = amd_emu_field_get(w[4], 12, 0) + 1;
    d->base_array = amd_emu_field_get(w[5], 12, 0);
    if (!is_gcn(gen)) {
        d->pitch = amd_emu_field_get(w[4], 28, 13) + 1;
        d->max_mip = amd_emu_field_get(w[5], 31, 28);
        uint32_t block = amd_format_block_width(d->format);
        if (d->max_mip == 0 && d->pitch < (d->width + block - 1) / block)
            d->pitch = 0;
        return;
    }
    d->max_mip = d->last_level ? d->last_level : amd_emu_field_get(w[3], 25, 25); /* POW2_PAD */
    d->pitch = amd_emu_field_get(w[4], 26, 13) + 1;
    if (d->pitch < d->width) /* r128 */
        d->pitch = 0;
    if (d->type == AMD_IMG_3D)
        return;
    d->layers = d->type == AMD_IMG_CUBE ? d->depth * 6 : d->depth;
    d->depth = amd_emu_field_get(w[5], 25, 13) + 1;
}

static void
decode_rdna(amd_gen gen, const uint32_t w[8], amd_image_desc *d)
{
    bool gfx10 = gen < AMD_GFX11;
    d->width = (amd_emu_field_get(w[1], 31, 30) | amd_emu_field_get(w[2], 11, 0) << 2) + 1;
    d->height = amd_emu_field_get(w[2], 27, 14) + 1;
    d->format = amd_format_of_image(gen, gfx10 ? amd_emu_field_get(w[1], 28, 20)
                                               : amd_emu_field_get(w[1], 27, 20));
    d->min_lod = gfx10 ? amd_emu_field_get(w[1], 19, 8)
                       : amd_emu_field_get(w[5], 31, 27) | amd_emu_field_get(w[6], 6, 0) << 5;
    d->max_mip = gfx10 ? amd_emu_field_get(w[5], 7, 4) : amd_emu_field_get(w[1], 19, 16);
    d->base_level = amd_emu_field_get(w[3], 15, 12);
    d->last_level = amd_emu_field_get(w[3], 19, 16);
    d->sw_mode = amd_emu_field_get(w[3], 24, 20);
    d->depth = amd_emu_field_get(w[4], 12, 0) + 1;
    d->base_array = amd_emu_field_get(w[4], 28, 16);
    if (gen != AMD_GFX10 && is_flat(d->type))
        d->pitch = amd_emu_field_get(w[4], 13, 0) + 1;
}

static void
decode_gfx12(const uint32_t w[8], amd_image_desc *d)
{
    d->max_mip = amd_emu_field_get(w[1], 16, 12);
    d->format = amd_format_of_image(AMD_GFX12, amd_emu_field_get(w[1], 24, 17));
    d->base_level = amd_emu_field_get(w[1], 29, 25);
    d->width = (amd_emu_field_get(w[1], 31, 30) | amd_emu_field_get(w[2], 13, 0) << 2) + 1;
    d->height = amd_emu_field_get(w[2], 29, 14) + 1;
    d->last_level = amd_emu_field_get(w[3], 19, 15);
    d->sw_mode = amd_emu_field_get(w[3], 24, 20);
    d->depth = amd_emu_field_get(w[4], 13, 0) + 1;
    d->base_array = amd_emu_field_get(w[4], 29, 16);
    d->min_lod = amd_emu_field_get(w[5], 31, 26) | amd_emu_field_get(w[6], 6, 0) << 6;
    if (is_flat(d->type))
        d->pitch = amd_emu_field_get(w[4], 15, 0) + 1;
}

/* Fields that affect reads but are not supported. */
static const char *
unbuilt_image(amd_gen gen, const uint32_t w[8])
{
    if (gen >= AMD_GFX8 && gen < AMD_GFX12 && amd_emu_field_get(w[6], 21, 21))
        return "COMPRESSION_EN";
    if (gen >= AMD_GFX9 && gen < AMD_GFX10 && amd_emu_field_get(w[5], 16, 13))
        return "ARRAY_PITCH";
    if (gen >= AMD_GFX10 && gen < AMD_GFX12 && amd_emu_field_get(w[5], 3, 0))
        return "ARRAY_PITCH";
    if (gen >= AMD_GFX12 && amd_emu_field_get(w[5], 4, 4))
        return "UAV3D";
    if (gen >= AMD_GFX10 && amd_emu_field_get(w[5], 23, 23))
        return "CORNER_SAMPLES";
    return gen >= AMD_GFX10_3 && amd_emu_field_get(w[5], 24, 24) ? "LINKED_RESOURCE" : NULL;
}

void
amd_image_decode(amd_gen gen, const uint32_t w[8], amd_image_desc *d)
{
    *d = common(w);
    if (gen >= AMD_GFX12)
        decode_gfx12(w, d);
    else if (gen >= AMD_GFX10)
        decode_rdna(gen, w, d);
    else
        decode_gcn(gen, w, d);
    if (gen >= AMD_GFX10 && d->pitch <= d->width)
        d->pitch = 0;
    if (is_flat(d->type))
        d->depth = 1;
    d->tiled = d->sw_mode != (is_gcn(gen) ? AMD_TILING_LINEAR : 0);
    d->unbuilt = d->type >= AMD_IMG_1D ? unbuilt_image(gen, w) : NULL;
}

static void
encode_gcn(amd_gen gen, const amd_image_desc *d, uint32_t w[8])
{
    bool gcn = is_gcn(gen), volume = d->type == AMD_IMG_3D;
    uint32_t pitch = (d->pitch ? d->pitch : d->width) - 1, depth = d->depth - 1;
    if (gcn && !volume)
        depth = (d->type == AMD_IMG_CUBE ? d->layers / 6 : d->layers) - 1;
    w[1] |= amd_emu_field_put(d->min_lod, 19, 8) |
            amd_emu_field_put(amd_format_to_image(gen, d->format), 29, 20);
    w[2] = amd_emu_field_put(d->width - 1, 13, 0) | amd_emu_field_put(d->height - 1, 27, 14);
    w[3] |= amd_emu_field_put(d->base_level, 15, 12) | amd_emu_field_put(d->last_level, 19, 16) |
            amd_emu_field_put(d->sw_mode, 24, 20) |
            (gcn ? amd_emu_field_put(d->max_mip > 0, 25, 25) : 0);
    w[4] = amd_emu_field_put(depth, 12, 0) |
           (gcn ? amd_emu_field_put(pitch, 26, 13) : amd_emu_field_put(pitch, 28, 13));
    w[5] = amd_emu_field_put(d->base_array, 12, 0);
    if (gcn)
        w[5] |= volume ? 0 : amd_emu_field_put(d->depth - 1, 25, 13);
    else
        w[5] |= amd_emu_field_put(d->max_mip, 31, 28);
}

/* DEPTH, or the pitch if the generation keeps it in that field. */
static uint32_t
depth_or_pitch(amd_gen gen, const amd_image_desc *d)
{
    if (!is_flat(d->type))
        return d->depth - 1;
    return gen != AMD_GFX10 && d->pitch ? d->pitch - 1 : 0;
}

static void
encode_rdna(amd_gen gen, const amd_image_desc *d, uint32_t w[8])
{
    uint32_t width = d->width - 1, format = amd_format_to_image(gen, d->format);
    w[1] |= amd_emu_field_put(width, 31, 30);
    w[2] = amd_emu_field_put(width >> 2, 11, 0) | amd_emu_field_put(d->height - 1, 27, 14);
    w[3] |= amd_emu_field_put(d->base_level, 15, 12) | amd_emu_field_put(d->last_level, 19, 16) |
            amd_emu_field_put(d->sw_mode, 24, 20);
    w[4] = amd_emu_field_put(depth_or_pitch(gen, d), 13, 0) |
           amd_emu_field_put(d->base_array, 28, 16);
    if (gen < AMD_GFX11) {
        w[1] |= amd_emu_field_put(d->min_lod, 19, 8) | amd_emu_field_put(format, 28, 20);
        w[2] |= amd_emu_field_put(1, 31, 31); /* RESOURCE_LEVEL */
        w[5] = amd_emu_field_put(d->max_mip, 7, 4);
    } else {
        w[1] |= amd_emu_field_put(d->max_mip, 19, 16) | amd_emu_field_put(format, 27, 20);
        w[5] = amd_emu_field_put(d->min_lod, 31, 27);
        w[6] = amd_emu_field_put(d->min_lod >> 5, 6, 0);
    }
}

static void
encode_gfx12(const amd_image_desc *d, uint32_t w[8])
{
    uint32_t width = d->width - 1;
    w[1] |= amd_emu_field_put(d->max_mip, 16, 12) |
            amd_emu_field_put(amd_format_to_image(AMD_GFX12, d->format), 24, 17) |
            amd_emu_field_put(d->base_level, 29, 25) | amd_emu_field_put(width, 31, 30);
    w[2] = amd_emu_field_put(width >> 2, 13, 0) | amd_emu_field_put(d->height - 1, 29, 14);
    w[3] |= amd_emu_field_put(d->last_level, 19, 15) | amd_emu_field_put(d->sw_mode, 24, 20);
    w[4] = amd_emu_field_put(depth_or_pitch(AMD_GFX12, d), 15, 0) |
           amd_emu_field_put(d->base_array, 29, 16);
    w[5] = amd_emu_field_put(d->min_lod, 31, 26);
    w[6] = amd_emu_field_put(d->min_lod >> 6, 6, 0);
}

void
amd_image_encode(amd_gen gen, const amd_image_desc *d, uint32_t w[8])
{
    w[0] = (uint32_t)(d->base >> 8);
    w[1] = amd_emu_field_put((uint32_t)(d->base >> 40), 7, 0);
    w[3] = amd_emu_field_put(d->dst_sel[0], 2, 0) | amd_emu_field_put(d->dst_sel[1], 5, 3) |
           amd_emu_field_put(d->dst_sel[2], 8, 6) | amd_emu_field_put(d->dst_sel[3], 11, 9) |
           amd_emu_field_put(d->type, 31, 28);
    w[5] = w[6] = w[7] = 0;
    if (gen >= AMD_GFX12)
        encode_gfx12(d, w);
    else if (gen >= AMD_GFX10)
        encode_rdna(gen, d, w);
    else
        encode_gcn(gen, d, w);
}
