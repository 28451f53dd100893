/* Creates images and samplers in a dispatch's memory, for callers that write kernels by hand or run
 * code objects.
 *
 *     mach_image image = {.format = mach_format_from_name("r8g8b8a8_unorm"), .dim = MACH_DIM_2D,
 *                         .width = 64, .height = 64};
 *     uint64_t t, s;
 *     amd_emu_make_image(gen, &m, &image, &t);        // image.data: bytes to fill; t: T#'s address
 *     amd_emu_make_sampler(gen, &m, &(mach_sampler){.mag_linear = true}, &s);
 *
 * In the AMDHSA ABI, an argument of type image2d_t, image3d_t ... or sampler_t is such an address
 * (8 bytes in the kernel arguments; ROCr, hsa_ext_image_t, hsa_ext_sampler_t); the code loads 8 or
 * 4 dwords from there by s_load. To write a texel, call mach_texel_write at mach_texel_offset.
 */
#ifndef AMD_EMU_IMAGE_MAKE_H
#define AMD_EMU_IMAGE_MAKE_H

#include "amd/emu/desc/texel.h"
#include "machine/memory.h"

/* Lays `image` out as the generation requires and allocates its bytes as zeros; sets image->data
 * and size. Sizes, levels, layers and samples of 0 count as 1; a cube has 6 layers for each cube.
 * `*address` gets the address of the T#: 8 dwords, followed, as ROCr leaves them, by the format
 * (VkFormat), 0, and the width. Returns the region of the image's bytes; NULL if the image is
 * invalid, the hardware lacks its format, or there is no room. */
mach_region *
amd_emu_make_image(amd_gen gen, mach_memory *m, mach_image *image, uint64_t *address);

/* `*address` gets the address of the S#, 4 dwords. A max_lod of 0 restricts the sampler to level
 * 0. */
bool
amd_emu_make_sampler(amd_gen gen, mach_memory *m, const mach_sampler *sampler, uint64_t *address);

#endif
