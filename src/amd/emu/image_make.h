/* Images and samplers in a dispatch's memory, for who writes kernels by hand or runs code objects.
 *
 *     mach_image image = {.format = mach_format_from_name("r8g8b8a8_unorm"), .dim = MACH_DIM_2D,
 *                         .width = 64, .height = 64};
 *     uint64_t t, s;
 *     amd_emu_make_image(gen, &m, &image, &t);        // image.data: bytes to fill; t: T#'s address
 *     amd_emu_make_sampler(gen, &m, &(mach_sampler){.mag_linear = true}, &s);
 *
 * In the AMDHSA ABI an argument of type image2d_t, image3d_t ... is such an address (8 bytes in the
 * kernel arguments), one of type sampler_t too (ROCr, hsa_ext_image_t, hsa_ext_sampler_t); the code
 * loads 8 and 4 dwords from there by s_load. A texel is written by mach_texel_write at
 * mach_texel_offset.
 */
#ifndef AMD_EMU_IMAGE_MAKE_H
#define AMD_EMU_IMAGE_MAKE_H

#include "amd/emu/texel.h"
#include "machine/memory.h"

/* Lays `image` out as the generation has it and allocates its bytes, zeros: image->data and size
 * are set. Sizes, levels, layers and samples that are 0 count as 1; a cube has 6 layers for each
 * cube. The T# is behind `*address`, in 8 dwords and, as ROCr leaves them, the format (VkFormat),
 * 0, the width. Returns the region of its bytes; NULL if the image makes no sense, the hardware
 * lacks its format, or there is no room. */
mach_region *
amd_emu_make_image(amd_gen gen, mach_memory *m, mach_image *image, uint64_t *address);

/* A view of such an image: other levels, layers or selection of components (base_level,
 * view_levels, base_layer, view_layers, swizzle, array) of the same bytes, as another T#. */
bool
amd_emu_make_view(amd_gen gen, mach_memory *m, const mach_image *view, uint64_t bytes,
                  uint64_t *address);

/* The S# is behind `*address`, 4 dwords. A max_lod of 0 lets the sampler see level 0 only. */
bool
amd_emu_make_sampler(amd_gen gen, mach_memory *m, const mach_sampler *sampler, uint64_t *address);

#endif
