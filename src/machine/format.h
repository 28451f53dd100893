/* Texel formats (rows of machine/formats.def) and conversions between texels in memory and shader
 * values.
 *
 * A texel's shader value is four 32-bit patterns (64-bit for r64 formats): floats for float,
 * normalised, scaled and depth formats, integers for integer formats. Missing channels read as 0,
 * 0, 0, 1. Conversions are those of the Vulkan specification, "Numeric Representation and
 * Computation" and the Khronos Data Format Specification 1.3, chapter 13 (sRGB) and 12 (small
 * floats). Writing rounds to nearest even, clamps normalised and integer values to their range, and
 * treats a NaN as 0 in fixed-point formats.
 */
#ifndef MACH_FORMAT_H
#define MACH_FORMAT_H

#include "ir/hir.h"

#include <stddef.h>

typedef enum mach_format {
#define FORMAT(name, vk, bytes, kind, b0, b1, b2, b3, swizzle)       MACH_FORMAT_##name,
#define BLOCK(block, name, vk, bytes, kind, b0, b1, b2, b3, swizzle) MACH_FORMAT_##name,
#include "machine/formats.def"
    MACH_FORMAT_COUNT,
} mach_format;

typedef enum mach_numeric {
    MACH_NUM_NONE,
    MACH_NUM_UNORM,
    MACH_NUM_SNORM,
    MACH_NUM_USCALED,
    MACH_NUM_SSCALED,
    MACH_NUM_UINT,
    MACH_NUM_SINT,
    MACH_NUM_FLOAT,   /* channels of 16, 32, 64 bits: IEEE; of 10, 11: unsigned small floats */
    MACH_NUM_SRGB,    /* alpha is UNORM */
    MACH_NUM_SHARED,  /* e5b9g9r9 */
    MACH_NUM_6E4,     /* 10 bits: 6 fraction bits, 4 exponent bits, no infinities; alpha is UNORM */
    MACH_NUM_7E3,     /* 7 fraction bits, 3 exponent bits */
    MACH_NUM_CLAMPED, /* binary32 clamped to [0, 1], for depth */
    /* the fragment of each sample; bits: number of samples, bits per sample, number of fragments */
    MACH_NUM_FMASK,
} mach_numeric;

/* How texels share bytes: in blocks of 4x4 texels or, for subsampled formats, of 2x1. */
typedef enum mach_block {
    MACH_BLOCK_NONE, /* each texel has its own bytes */
    MACH_BLOCK_BC1,
    MACH_BLOCK_BC1_OPAQUE,
    MACH_BLOCK_BC2,
    MACH_BLOCK_BC3,
    MACH_BLOCK_BC4,
    MACH_BLOCK_BC5,
    MACH_BLOCK_BC6,
    MACH_BLOCK_BC6_SIGNED,
    MACH_BLOCK_BC7,
    MACH_BLOCK_XYZY, /* bytes x y z y': two texels share x and z */
    MACH_BLOCK_YXYZ,
} mach_block;

typedef struct mach_format_info {
    const char *name;         /* Vulkan's name in lower case without VK_FORMAT_ and _packNN */
    uint32_t vk;              /* VkFormat; 0: Vulkan has none */
    uint8_t bytes;            /* per texel or per block */
    uint8_t kind;             /* mach_numeric */
    uint8_t block;            /* mach_block */
    uint8_t block_w, block_h; /* texels per block; 1 and 1 without blocks */
    uint8_t channels;
    uint8_t bits[4]; /* of the channels, starting at the lowest bit of the texel; 0: absent */
    char swizzle[5]; /* sources of r, g, b, a: x y z w (channels) or 0 1 */
} mach_format_info;

/* The row of a format; MACH_FORMAT_none for numbers out of range. */
const mach_format_info *
mach_format_get(mach_format f);

/* The format for a VkFormat number, for a shader's image format, or for a name; MACH_FORMAT_none if
 * there is none. */
mach_format
mach_format_from_vk(unsigned vk);
mach_format
mach_format_from_ir(ir_format f);
mach_format
mach_format_from_name(const char *name);

/* Returns true if shader values of the format are integers. */
bool
mach_format_is_int(mach_format f);
bool
mach_format_is_depth(mach_format f);

/* The format with the same bits as sRGB or as UNORM: `f` itself if it already is, MACH_FORMAT_none
 * if there is no such format. */
mach_format
mach_format_with_srgb(mach_format f, bool srgb);

/* The shader values of r, g, b, a: 32-bit patterns (64-bit for 64-bit formats). */
typedef struct mach_texel {
    uint64_t c[4];
} mach_texel;

/* Reads and writes the texel at `at`, which may be unaligned. For formats with blocks, reading
 * gives the first texel of the block; writing is not supported. */
mach_texel
mach_texel_read(mach_format f, const void *at);
/* Reads texel (x, y) of an image whose texel or block is at `at`. */
mach_texel
mach_texel_read_at(mach_format f, const void *at, uint32_t x, uint32_t y);
void
mach_texel_write(mach_format f, void *at, const mach_texel *t);

#endif
