#include "emu_descriptors.h"

#include "amd/emu/desc/texel.h"

void
emu_descriptors_set(amd_gen gen, uint8_t choice, const mach_region *data, uint32_t *sgprs)
{
    static const mach_dim all[4] = {MACH_DIM_1D, MACH_DIM_2D, MACH_DIM_3D, MACH_DIM_CUBE};
    amd_buffer_desc v = {.base = data->base,
                         .num_records = (uint32_t)data->size,
                         .stride = choice & 16 ? 4 : 0,
                         .index_stride = 8,
                         .oob = choice >> 4 & 3,
                         .format = AMD_FORMAT_8_8_8_8_UNORM,
                         .dst_sel = {4, 5, 6, 7}};
    mach_image m = {.format = MACH_FORMAT_r8g8b8a8_unorm,
                    .dim = all[choice >> 4 & 3],
                    .array = choice >> 6 & 1,
                    .width = 4,
                    .height = 4,
                    .depth = 1,
                    .samples = 1,
                    .levels = 3,
                    .layers = 6};
    amd_image_desc t;
    amd_sampler_desc s;
    if (m.dim == MACH_DIM_1D)
        m.height = 1;
    if (m.dim == MACH_DIM_3D)
        m.layers = 1, m.depth = 3;
    amd_buffer_encode(gen, &v, sgprs + EMU_BUFFER);
    if (amd_image_layout(gen, &m) && amd_image_from_mach(gen, &m, data->base, &t))
        amd_image_encode(gen, &t, sgprs + EMU_IMAGE);
    amd_sampler_from_mach(
        &(mach_sampler){.mag_linear = true, .mip_linear = choice & 128, .max_lod = 4}, &s);
    amd_sampler_encode(gen, &s, sgprs + EMU_SAMPLER);
}
