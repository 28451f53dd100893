/* Reading descriptors. The fields are rows of bit positions; see descriptor.h. */
#include "amd/emu/descriptor.h"

#include "base/bits.h"
#include "machine/memory.h"

/* Bits [high, low] of a word. */
static uint32_t
bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (uint32_t)base_mask64(high - low + 1);
}

void
amd_buffer_decode(const uint32_t w[4], amd_buffer_desc *d)
{
    *d = (amd_buffer_desc){
        .base = mach_canonical(w[0] | (uint64_t)bits(w[1], 15, 0) << 32),
        .stride = bits(w[1], 29, 16),
        .swizzle = bits(w[1], 31, 31),
        .num_records = w[2],
        .dst_sel = {bits(w[3], 2, 0), bits(w[3], 5, 3), bits(w[3], 8, 6), bits(w[3], 11, 9)},
        .format = bits(w[3], 18, 12),
        .index_stride = 8u << bits(w[3], 22, 21),
        .add_tid = bits(w[3], 23, 23),
        .oob = bits(w[3], 29, 28),
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
        uint32_t pitch = bits(w[4], 13, 0);
        d->pitch = pitch ? pitch + 1 : 0;
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
