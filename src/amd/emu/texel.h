/* Formats of descriptors (hwformat.h) as formats of the machine layer, and images and samplers made
 * from descriptors.
 *
 * A hardware format names channels X Y Z W from the lowest bit of the texel up; dst_sel says which
 * of them, or 0 or 1, each component of a result is. A mach_format has both in one, so a pair
 * (format, dst_sel) becomes the mach_format that has just these, or the one with the same channels
 * and a view swizzle.
 */
#ifndef AMD_EMU_TEXEL_H
#define AMD_EMU_TEXEL_H

#include "amd/emu/descriptor.h"
#include "machine/image.h"

/* The mach_format of hardware format `number` read through `dst_sel`; `swizzle` gets what remains,
 * "" for nothing. MACH_FORMAT_none where the number is no format. */
mach_format
amd_format_to_mach(uint32_t number, const uint32_t dst_sel[4], char swizzle[5]);

/* The hardware's format and dst_sel of a mach_format; 0 where the hardware has none. */
uint32_t
amd_format_from_mach(mach_format f, uint32_t dst_sel[4]);

/* Fills level[] and the view of `m` as mach_image_layout does, but as the generation lays linear
 * images out; returns the bytes that the image needs, 0 if the dimensions make no sense. */
uint64_t
amd_image_layout(amd_gen gen, mach_image *m);

/* The same with the pitch of a T# (amd_image_desc.pitch); and that pitch of an image that is laid
 * out, 0 where it need not be given. */
uint64_t
amd_image_layout_with(amd_gen gen, uint32_t pitch, mach_image *m);
uint32_t
amd_image_pitch(amd_gen gen, const mach_image *m);

/* The image that a T# shows; data and size are not set. False for a null descriptor or one that
 * makes no sense. */
bool
amd_image_to_mach(amd_gen gen, const amd_image_desc *d, mach_image *m);

/* The other way, for who writes descriptors: `m` is laid out (amd_image_layout) with its view set
 * and lies at `base`, a multiple of 256. A view swizzle is taken in. False where the hardware has
 * no such format. */
bool
amd_image_from_mach(amd_gen gen, const mach_image *m, uint64_t base, amd_image_desc *d);

void
amd_sampler_to_mach(const amd_sampler_desc *d, bool is_int, bool compare, mach_sampler *s);
void
amd_sampler_from_mach(const mach_sampler *s, amd_sampler_desc *d);

#endif
