#include "amd/launch/descriptors.h"

#include "amd/emu/desc/hwformat.h"
#include "amd/emu/desc/texel.h"

enum { FORMAT_32_FLOAT = 22 }; /* hwformat.h; raw accesses ignore it */

void
amd_desc_buffer(amd_gen gen, uint32_t words[4], uint64_t address, uint64_t size)
{
    amd_buffer_desc d = {
        .base = address,
        .num_records = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
        .oob = AMD_OOB_RAW,
        .format = FORMAT_32_FLOAT,
        .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W},
    };
    amd_buffer_encode(gen, &d, words);
}

/* gfx8 counts bytes, not strides, unless addresses are swizzled (docs/emulator.md). */
bool
amd_desc_texel_buffer(amd_gen gen, uint32_t words[4], uint64_t address, const mach_image *m)
{
    uint32_t bytes = mach_format_get(m->format)->bytes;
    amd_buffer_desc d = {
        .base = address,
        .stride = bytes,
        .num_records = gen == AMD_GFX8 ? m->width * bytes : m->width,
        .oob = AMD_OOB_INDEX,
    };
    d.format = amd_format_from_mach(m->format, d.dst_sel);
    amd_buffer_encode(gen, &d, words);
    return amd_format_to_buffer(gen, d.format) != 0;
}

bool
amd_desc_image(amd_gen gen, uint32_t words[8], uint64_t address, const mach_image *m)
{
    amd_image_desc d;
    mach_image view = *m;
    if (m->format == MACH_FORMAT_r64_uint)
        view.format = MACH_FORMAT_r32g32_uint;
    else if (m->format == MACH_FORMAT_r64_sint)
        view.format = MACH_FORMAT_r32g32_sint;
    if (!amd_image_from_mach(gen, &view, address, &d) || !amd_format_to_image(gen, d.format))
        return false;
    amd_image_encode(gen, &d, words);
    return true;
}

void
amd_desc_sampler(amd_gen gen, uint32_t words[4], const mach_sampler *s)
{
    amd_sampler_desc d;
    amd_sampler_from_mach(s, &d);
    amd_sampler_encode(gen, &d, words);
}
