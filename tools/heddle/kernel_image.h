/* Images and samplers for kernels on the command line.
 *
 *     image:FORMAT,SIZE{,ITEM}[;DESCRIPTION]     r8g8b8a8_unorm,64x32,levels=3;u8,iota
 *     sampler:ITEM{,ITEM}                        linear,border
 *
 * FORMAT is Vulkan's name (machine/formats.def); SIZE is W, WxH or WxHxD for 1D, 2D and 3D. Items
 * of an image: `layers=N` (an array), `cube` (faces are 6 of the layers), `levels=N`. The
 * description (data_spec.h) gives the texels of level 0, with rows and slices contiguous; the rest
 * is zeros. Items of a sampler: nearest or linear; `mips` for linear between levels; repeat,
 * mirror, edge, border or mirror-edge; `unnormalized`; `compare=less` (never, equal, less-equal,
 * greater, not-equal, greater-equal, always). Default: nearest, edge.
 */
#ifndef KERNEL_IMAGE_H
#define KERNEL_IMAGE_H

#include "machine/image.h"

/* Parses the text after "image:"; `*data` is the description's text, or NULL. On failure returns
 * false and a message. */
bool
kernel_image_parse(const char *text, mach_image *out, const char **data, const char **message);

/* Parses the text after "sampler:". */
bool
kernel_sampler_parse(const char *text, mach_sampler *out, const char **message);

/* The size in bytes of the texels of level 0; and a function that copies them into a laid-out
 * image. */
uint64_t
kernel_image_bytes(const mach_image *m);
void
kernel_image_fill(mach_image *m, const uint8_t *bytes);

#endif
