/* Converts descriptors' formats (hwformat.h) to formats of the machine layer, and makes images and
 * samplers from descriptors.
 *
 * A hardware format names its channels X Y Z W from the lowest bit of the texel up; dst_sel gives
 * the channel, or 0 or 1, for each component of a result. A mach_format combines both, so a pair
 * (format, dst_sel) becomes the mach_format that matches exactly, or one with the same channels and
 * a view swizzle.
 */
#ifndef AMD_EMU_TEXEL_H
#define AMD_EMU_TEXEL_H

#include "amd/emu/desc/descriptor.h"
#include "machine/image.h"

/* The mach_format for hardware format `number` read through `dst_sel`; `swizzle` gets the remaining
 * swizzle, "" for none. MACH_FORMAT_none if the number is not a format. */
mach_format
amd_format_to_mach(uint32_t number, const uint32_t dst_sel[4], char swizzle[5]);

/* The hardware format and dst_sel for a mach_format; 0 if the hardware has none. */
uint32_t
amd_format_from_mach(mach_format f, uint32_t dst_sel[4]);

/* Fills level[] and the view of `m` like mach_image_layout, but with the generation's layout of
 * linear images. Returns the bytes that the image needs, 0 if the dimensions are invalid. */
uint64_t
amd_image_layout(amd_gen gen, mach_image *m);

/* The same with the pitch of a T# (amd_image_desc.pitch); and the pitch for the T# of an image that
 * is laid out, 0 if it need not be given. */
uint64_t
amd_image_layout_with(amd_gen gen, uint32_t pitch, mach_image *m);
uint32_t
amd_image_pitch(amd_gen gen, const mach_image *m);

/* The layout of this model for images whose T# says that they are tiled: texels without gaps, so
 * that they take no more room than in tiles; a layer has all its levels, or, up to gfx8 and for 3D,
 * a level all its slices. Up to gfx8 levels begin where they do in tiles. `m` is as for
 * amd_image_layout, `d` its T#. */
void
amd_image_pack(amd_gen gen, const amd_image_desc *d, mach_image *m);

/* The address of a tiled image: a T#'s without the bits that permute pipes and banks. */
uint64_t
amd_image_tiles_base(amd_gen gen, const amd_image_desc *d);

/* The image that a T# describes; data and size are not set. False for a null descriptor or an
 * invalid one. */
bool
amd_image_to_mach(amd_gen gen, const amd_image_desc *d, mach_image *m);

/* The inverse, for callers that write descriptors. `m` is laid out (amd_image_layout), its view is
 * set, and it lies at `base`, a multiple of 256. Its view swizzle is included. False if the
 * hardware has no such format. */
bool
amd_image_from_mach(amd_gen gen, const mach_image *m, uint64_t base, amd_image_desc *d);

void
amd_sampler_to_mach(const amd_sampler_desc *d, bool is_int, bool compare, mach_sampler *s);
void
amd_sampler_from_mach(const mach_sampler *s, amd_sampler_desc *d);

#endif
