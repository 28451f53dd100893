/* Numbers of texel formats in descriptors and MTBUF.
 *
 * The emulator uses one number for a format on all generations: that of gfx10's unified formats
 * (RDNA 2 ISA, "Image and buffer formats": 1 8_UNORM, 22 32_FLOAT, 56 8_8_8_8_UNORM, 130
 * 8_8_8_8_SRGB ...). gfx11 and gfx12 omit some formats, add one, and number them differently; gfx6
 * to gfx9 have a data format and a number format.
 */
#ifndef AMD_EMU_HWFORMAT_H
#define AMD_EMU_HWFORMAT_H

#include "amd/isa/isa.h"

enum {
    AMD_FORMAT_INVALID = 0,
    AMD_FORMAT_32_UINT = 20,
    AMD_FORMAT_32_FLOAT = 22,
    AMD_FORMAT_8_8_8_8_UNORM = 56,
    AMD_FORMAT_32_32_32_32_FLOAT = 77,
    AMD_FORMAT_6E4 = 131,
    AMD_FORMAT_32_FLOAT_CLAMP = 140,
    AMD_FORMAT_8_24_UNORM = 141,
    AMD_FORMAT_X24_8_32_FLOAT = 146,
    AMD_FORMAT_GB_GR = 147, /* UNORM SNORM UINT SRGB */
    AMD_FORMAT_BG_RG = 151,
    AMD_FORMAT_FMASK = 156, /* 13 of them */
    AMD_FORMAT_BC1 = 169,   /* BC1 to BC7, two of each */
    AMD_FORMAT_BC7_SRGB = 182,
    AMD_FORMAT_7E3 = 300,        /* not in gfx10 */
    AMD_FORMAT_UNKNOWN = 0x8000, /* the bits below hold the generation's own number */
};

/* The format of a V#'s field, or of an MTBUF instruction: 7 bits from gfx10 on (6 from gfx11 on);
 * before that dfmt | nfmt << 4. */
uint32_t
amd_format_of_buffer(amd_gen gen, uint32_t raw);

/* The same for a T#: 9 bits on gfx10, 8 from gfx11 on; before gfx10 dfmt (6 bits) | nfmt << 6. */
uint32_t
amd_format_of_image(amd_gen gen, uint32_t raw);

/* The inverse; 0 if the generation lacks the format. */
uint32_t
amd_format_to_buffer(amd_gen gen, uint32_t format);
uint32_t
amd_format_to_image(amd_gen gen, uint32_t format);

/* Describes a T#'s format number for which amd_format_of_image gives AMD_FORMAT_UNKNOWN: the name
 * of the group of unsupported formats, or "reserved". */
const char *
amd_format_group(amd_gen gen, uint32_t raw);

/* The number of texels in a row that share a block: 1, 2 or 4. */
uint32_t
amd_format_block_width(uint32_t format);

#endif
