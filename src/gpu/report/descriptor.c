#include "gpu/report/descriptor.h"

#include "amd/emu/desc/texel.h"

#include <inttypes.h>

/* Appends an address's buffer and place there. */
static void
print_place(const mach_memory *m, uint64_t address, base_buf *out)
{
    uint32_t hint = 0;
    const mach_region *r = mach_memory_find(m, &hint, address, 1);
    if (r)
        buf_printf(out, "%s + 0x%" PRIx64, r->name, address - r->base);
    else
        buf_puts(out, "nothing is mapped");
}

static void
print_base(uint64_t base, const mach_memory *m, base_buf *out)
{
    buf_printf(out, "base 0x%" PRIx64 " (", base);
    print_place(m, base, out);
    buf_puts(out, ")");
}

static void
print_format(uint32_t number, const uint32_t dst_sel[4], base_buf *out)
{
    char swizzle[5];
    mach_format f = amd_format_to_mach(number, dst_sel, swizzle);
    if (f == MACH_FORMAT_none)
        buf_printf(out, ", format %u", (unsigned)number);
    else
        buf_printf(out, ", %s%s%s", mach_format_get(f)->name, *swizzle ? " as " : "", swizzle);
}

static void
print_buffer(amd_gen gen, const uint32_t words[4], const mach_memory *m, base_buf *out)
{
    amd_buffer_desc d;
    amd_buffer_decode(gen, words, &d);
    buf_puts(out, "V# ");
    if (!d.base && !d.num_records) {
        buf_puts(out, "null");
        return;
    }
    print_base(d.base, m, out);
    buf_printf(out, d.stride ? ", %u records of %u bytes" : ", %u bytes", (unsigned)d.num_records,
               (unsigned)d.stride);
    if (d.format)
        print_format(d.format, d.dst_sel, out);
    if (d.swizzle)
        buf_printf(out, ", swizzled by %u elements of %u bytes", (unsigned)d.index_stride,
                   (unsigned)d.element_size);
    if (d.add_tid)
        buf_puts(out, ", adds the lane");
}

static void
print_image(amd_gen gen, const uint32_t words[8], const mach_memory *m, base_buf *out)
{
    static const char *const types[] = {"1D",       "2D",       "3D",      "cube",
                                        "1D array", "2D array", "2D MSAA", "2D MSAA array"};
    amd_image_desc d;
    amd_image_decode(gen, words, &d);
    buf_puts(out, "T# ");
    if (d.type < AMD_IMG_1D) {
        buf_puts(out, "null");
        return;
    }
    buf_printf(out, "%s %u x %u", types[(d.type - AMD_IMG_1D) & 7], (unsigned)d.width,
               (unsigned)d.height);
    if (d.type == AMD_IMG_3D)
        buf_printf(out, " x %u", (unsigned)d.depth);
    else if (d.type == AMD_IMG_CUBE || d.type == AMD_IMG_1D_ARRAY || d.type >= AMD_IMG_2D_ARRAY)
        buf_printf(out, ", layers %u to %u", (unsigned)d.base_array,
                   (unsigned)(d.depth ? d.depth - 1 : 0));
    print_format(d.format, d.dst_sel, out);
    if (d.last_level || d.base_level)
        buf_printf(out, ", levels %u to %u", (unsigned)d.base_level, (unsigned)d.last_level);
    buf_puts(out, ", ");
    print_base(d.base, m, out);
    buf_printf(out, d.tiled ? ", tiled (%u)" : ", linear", (unsigned)d.sw_mode);
    if (d.unbuilt)
        buf_printf(out, "; not built: %s", d.unbuilt);
}

static void
print_sampler(amd_gen gen, const uint32_t words[4], base_buf *out)
{
    static const char *const clamps[] = {"wrap",        "mirror",
                                         "last texel",  "mirror once, last texel",
                                         "half border", "mirror once, half border",
                                         "border",      "mirror once, border"};
    static const char *const filters[] = {"point", "linear", "anisotropic point",
                                          "anisotropic linear"};
    static const char *const mips[] = {"none", "point", "linear", "3"};
    amd_sampler_desc d;
    amd_sampler_decode(gen, words, &d);
    buf_printf(out, "S# clamp (%s; %s; %s), filters %s, %s, levels %s, LOD %u/256 to %u/256",
               clamps[d.clamp[0] & 7], clamps[d.clamp[1] & 7], clamps[d.clamp[2] & 7],
               filters[d.mag_filter & 3], filters[d.min_filter & 3], mips[d.mip_filter & 3],
               (unsigned)d.min_lod, (unsigned)d.max_lod);
    if (d.compare)
        buf_printf(out, ", compare %u", (unsigned)d.compare);
    if (d.unnormalized)
        buf_puts(out, ", unnormalized");
}

void
gpu_print_descriptor(amd_gen gen, const mach_descriptor *d, const mach_memory *m, base_buf *out)
{
    switch (d->kind) {
    case MACH_DESCRIPTOR_BUFFER: print_buffer(gen, d->words, m, out); break;
    case MACH_DESCRIPTOR_IMAGE: print_image(gen, d->words, m, out); break;
    default: print_sampler(gen, d->words, out); break;
    }
}
