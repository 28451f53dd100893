/* Images and samplers, shared by all emulated machines.
 *
 * A mach_image is a view: bytes in a linear layout, their format, and the range of levels and
 * layers that the shader sees. The HIR device fills it from a script's images; an emulator decodes
 * its machine's descriptor words into it. Sampling follows the Vulkan specification, chapter "Image
 * Operations", step by step, in float arithmetic.
 *
 * mach_image_layout computes the layout of the linear swizzle mode of AMD's gfx10, so that the
 * emulator's memory agrees with the descriptor (addrlib, Gfx10Lib::HwlComputeSurfaceInfoLinear).
 * Rows are padded to 256 bytes. A slice (array layer, cube face or depth slice) holds the whole mip
 * chain, smallest level first, with halved sizes rounded up. Slices are consecutive. For formats
 * with blocks, all sizes are in blocks. Samples of a multisampled image are slices too: slice =
 * layer * samples + sample. (This is this model's own convention; such images are never linear on
 * hardware.) An emulator of a machine with another layout fills level[] itself.
 *
 * Reads outside an image give 0 in all channels, as robustImageAccess2 requires (even if the format
 * lacks channels). Stores outside are dropped.
 */
#ifndef MACH_IMAGE_H
#define MACH_IMAGE_H

#include "ir/eval.h"
#include "machine/format.h"

enum {
    MACH_MAX_LEVELS = 16,
    MACH_ROW_ALIGN = 256, /* bytes */
};

typedef enum mach_dim {
    MACH_DIM_1D,
    MACH_DIM_2D,
    MACH_DIM_3D,
    MACH_DIM_CUBE,
    MACH_DIM_BUFFER, /* texel buffer: width texels, no levels, rows of any length */
} mach_dim;

typedef struct mach_level {
    uint64_t offset;      /* of its first slice, in bytes */
    uint64_t slice_pitch; /* bytes between slices of the level */
    uint32_t row_pitch;
} mach_level;

typedef struct mach_image {
    mach_format format;
    mach_dim dim;
    bool array;                    /* of the view: the shader provides a layer */
    uint32_t width, height, depth; /* of level 0 of the whole image, in texels */
    uint32_t samples;              /* 1 or more */
    uint32_t levels, layers;       /* of the whole image; a cube has 6 layers */
    uint32_t base_level, view_levels, base_layer, view_layers;
    float min_lod;   /* of the view */
    char swizzle[5]; /* of the view: four of r g b a 0 1; "" is "rgba" */
    mach_level level[MACH_MAX_LEVELS];
    uint8_t *data; /* slice 0; NULL reads as zeros */
    uint64_t size; /* bytes at `data`; accesses never go beyond them */
} mach_image;

typedef enum mach_address {
    MACH_ADDRESS_REPEAT,
    MACH_ADDRESS_MIRRORED_REPEAT,
    MACH_ADDRESS_CLAMP_TO_EDGE,
    MACH_ADDRESS_CLAMP_TO_BORDER,
    MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE,
    MACH_ADDRESS_MIRROR_CLAMP_TO_BORDER, /* this and the following exist only in OpenGL */
    MACH_ADDRESS_HALF_BORDER,            /* coordinates are clamped to the image: GL_CLAMP */
    MACH_ADDRESS_MIRROR_HALF_BORDER,
} mach_address; /* VkSamplerAddressMode's numbers */

typedef enum mach_compare {
    MACH_COMPARE_NEVER,
    MACH_COMPARE_LESS,
    MACH_COMPARE_EQUAL,
    MACH_COMPARE_LESS_OR_EQUAL,
    MACH_COMPARE_GREATER,
    MACH_COMPARE_NOT_EQUAL,
    MACH_COMPARE_GREATER_OR_EQUAL,
    MACH_COMPARE_ALWAYS,
} mach_compare; /* VkCompareOp's numbers */

static inline bool
mach_compare_passes(mach_compare how, double value, double reference)
{
    switch (how) {
    case MACH_COMPARE_LESS: return value < reference;
    case MACH_COMPARE_EQUAL: return value == reference;
    case MACH_COMPARE_LESS_OR_EQUAL: return value <= reference;
    case MACH_COMPARE_GREATER: return value > reference;
    case MACH_COMPARE_NOT_EQUAL: return value != reference;
    case MACH_COMPARE_GREATER_OR_EQUAL: return value >= reference;
    default: return how == MACH_COMPARE_ALWAYS;
    }
}

typedef enum mach_reduction {
    MACH_REDUCTION_AVERAGE,
    MACH_REDUCTION_MIN,
    MACH_REDUCTION_MAX,
} mach_reduction; /* VkSamplerReductionMode's numbers */

/* The filter along the third axis of 3D images. */
typedef enum mach_z_filter {
    MACH_Z_AS_OTHERS,
    MACH_Z_NEAREST,
    MACH_Z_LINEAR,
} mach_z_filter;

typedef struct mach_sampler {
    bool mag_linear, min_linear, mip_linear;
    uint8_t z_filter;             /* mach_z_filter */
    uint8_t mag_aniso, min_aniso; /* maximum anisotropy ratio; 0 and 1: none */
    bool unnormalized;
    bool trunc_layer;   /* array layers are truncated to integers instead of rounded */
    bool seam;          /* cube faces are sampled separately (no filtering across edges) */
    uint8_t address[3]; /* mach_address of u, v, w */
    bool compare_enable;
    uint8_t compare;   /* mach_compare */
    uint8_t reduction; /* mach_reduction */
    float lod_bias, min_lod, max_lod;
    uint32_t border[4]; /* patterns: floats or integers */
} mach_sampler;

/* Fills in level[], the view (the whole image) and min_lod from format, dim, width, height, depth,
 * samples, levels and layers. Returns the number of bytes that the image needs, or 0 if the
 * dimensions are invalid or need more than 2^40 bytes. Does not change `data` and `size`. */
uint64_t
mach_image_layout(mach_image *m);

/* Size of a level of the whole image. */
static inline uint32_t
mach_level_size(uint32_t size0, uint32_t level)
{
    uint32_t s = size0 >> level;
    return s ? s : 1;
}

/* The number of blocks for `texels`, where a block has `size` of them. */
static inline uint32_t
mach_blocks(uint32_t texels, uint32_t size)
{
    return (texels + size - 1) / size;
}

/* The number of blocks (texels) that the layout reserves for a level: halves are rounded up
 * (addrlib, ShiftCeil).
 */
static inline uint32_t
mach_level_room(uint32_t blocks0, uint32_t level)
{
    return (blocks0 + (1u << level) - 1) >> level;
}

/* The byte offset in `data` of a texel or of its block; `slice` is the layer or depth slice of the
 * whole image. UINT64_MAX if outside the image. */
uint64_t
mach_texel_offset(const mach_image *m, uint32_t x, uint32_t y, uint32_t slice, uint32_t level,
                  uint32_t sample);

/* Texel access by integer coordinates, as in image_load, image_store and txf: x, y, z depending on
 * the view's dim, then the layer (storage cubes: x, y, layer * 6 + face). `level` is relative to
 * the view's base. Fetch applies the view's swizzle, load does not. */
mach_texel
mach_image_load(const mach_image *m, const int32_t *coord, int32_t level, uint32_t sample);
void
mach_image_store(const mach_image *m, const int32_t *coord, int32_t level, uint32_t sample,
                 const mach_texel *t);
mach_texel
mach_image_fetch(const mach_image *m, const int32_t *coord, int32_t level, uint32_t sample);

/* Applies the view's swizzle to a texel, and its inverse: the texel that appears as `t`, with 0 in
 * components that the view does not show. */
mach_texel
mach_texel_swizzle(const mach_image *m, mach_texel t);
mach_texel
mach_texel_unswizzle(const char *swizzle, mach_texel t);

/* Performs an atomic operation on a 32- or 64-bit texel; returns the old value (0 outside). */
uint64_t
mach_image_atomic(const mach_image *m, ir_atomic_op op, const int32_t *coord, uint32_t sample,
                  uint64_t compare, uint64_t data);

/* The sizes of a level of the view in the order of OpImageQuerySizeLod (cube arrays: the last is
 * the number of cubes). Returns how many there are. Levels that do not exist give 0s. */
unsigned
mach_image_query_size(const mach_image *m, int32_t level, uint32_t out[3]);

/* How the level of detail is specified. */
typedef enum mach_lod_mode {
    MACH_LOD_ZERO,     /* the base level, without the sampler's bias */
    MACH_LOD_EXPLICIT, /* `lod` */
    MACH_LOD_BIAS,     /* relative to an implicit lod of 0: compute shaders have no derivatives */
    MACH_LOD_GRADIENT, /* from ddx, ddy, plus `lod` */
} mach_lod_mode;

/* A sampling operation. */
typedef struct mach_sample {
    float coord[4]; /* according to the view's dim, then the layer */
    /* cubes: coord[0], coord[1] (from 0 to 1) and the gradients are on face `face` */
    bool on_face;
    unsigned face;
    int32_t offset[3];
    mach_lod_mode lod_mode;
    float lod;
    float ddx[3], ddy[3];
    float min_lod; /* operand; 0 if absent */
    bool has_dref;
    float dref;
    bool gather;
    unsigned component;          /* of gather */
    const int32_t (*offsets)[2]; /* gather with four offsets, or NULL */
} mach_sample;

/* Samples the image. With dref the result is in c[0] (gather: in all four). */
mach_texel
mach_image_sample(const mach_image *m, const mach_sampler *s, const mach_sample *p);

/* The level of detail as in OpImageQueryLod: c[0] is the level accessed, c[1] the computed lod
 * relative to the base level, as floats. */
mach_texel
mach_image_query_lod(const mach_image *m, const mach_sampler *s, const mach_sample *p);

/* Performs a complete image operation of the interpreter on decoded descriptors: all opcodes need
 * `image`, some need `sampler`. Returns false if the operation is not valid on this image. */
bool
mach_image_op(const mach_image *image, const mach_sampler *sampler, ir_eval_image_op *op);

#endif
