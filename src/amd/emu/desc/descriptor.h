/* Descriptors of all generations as the hardware reads them: V# (buffers), T# (images), S#
 * (samplers).
 *
 * Field positions: the ISA guides, "Buffer resource descriptor", "Image resource definition",
 * "Sampler resource definition"; confirmed with register headers: Mesa's (SQ_BUF_RSRC_WORD*,
 * SQ_IMG_RSRC_WORD*, SQ_IMG_SAMP_WORD*), ROCr's resource_*.h, PAL's *_sq_ko_reg.h.
 */
#ifndef AMD_EMU_DESCRIPTOR_H
#define AMD_EMU_DESCRIPTOR_H

#include "amd/emu/desc/hwformat.h"

/* The source of a component of a formatted load: dst_sel's codes. */
enum { AMD_SEL_0 = 0, AMD_SEL_1 = 1, AMD_SEL_X = 4, AMD_SEL_Y = 5, AMD_SEL_Z = 6, AMD_SEL_W = 7 };

/* The rule for out-of-bounds accesses. From gfx10 on OOB_SELECT gives it (RDNA 2 ISA, table "Buffer
 * out of bounds selection"); before that it follows from the generation, stride, swizzle and
 * instruction (amd_emu_buffer_place), and `oob` is not used. */
enum {
    AMD_OOB_INDEX_AND_OFFSET = 0, /* index >= num_records or offset + payload > stride */
    AMD_OOB_INDEX = 1,            /* index >= num_records */
    AMD_OOB_EMPTY = 2,            /* num_records == 0 */
    AMD_OOB_RAW = 3,              /* offset + payload > num_records - scalar offset */
};

typedef struct amd_buffer_desc {
    uint64_t base;         /* 48 bits, sign-extended */
    uint32_t stride;       /* bytes, 0 to 16383; up to 262143 with add_tid on gfx8 and gfx9; gfx12:
                        times its scale of 1, 4, 8 or 32 */
    uint32_t num_records;  /* in strides or bytes: see docs/emulator.md */
    bool swizzle;          /* addresses interleave index_stride elements */
    uint32_t element_size; /* of swizzled addresses, in bytes: gfx6 to gfx8 2, 4, 8, 16; gfx9 to
                         gfx10.3 4; from gfx11 on 4 or 16. Encoding takes 0 as 4; decoding
                         returns 0 for gfx11's reserved code */
    uint32_t index_stride; /* 8, 16, 32, 64 */
    bool add_tid;          /* adds the lane number to the index */
    uint32_t oob;          /* AMD_OOB_* */
    uint32_t format;       /* hwformat.h */
    uint32_t dst_sel[4];   /* AMD_SEL_* */
    uint32_t type;         /* 0 for a buffer */
} amd_buffer_desc;

void
amd_buffer_decode(amd_gen gen, const uint32_t words[4], amd_buffer_desc *d);

/* Encodes a descriptor, for drivers and test runners. Values that do not fit their fields are
 * truncated; a format that the generation lacks becomes the invalid format. */
void
amd_buffer_encode(amd_gen gen, const amd_buffer_desc *d, uint32_t words[4]);

/* SQ_RSRC_IMG_*: TYPE of a T#. */
enum {
    AMD_IMG_1D = 8,
    AMD_IMG_2D = 9,
    AMD_IMG_3D = 10,
    AMD_IMG_CUBE = 11,
    AMD_IMG_1D_ARRAY = 12,
    AMD_IMG_2D_ARRAY = 13,
    AMD_IMG_2D_MSAA = 14,
    AMD_IMG_2D_MSAA_ARRAY = 15,
};

enum { AMD_TILING_LINEAR = 8 }; /* TILING_INDEX of linear aligned images, gfx6 to gfx8 */

typedef struct amd_image_desc {
    uint64_t base;   /* bytes; the descriptor holds bits 47:8 */
    uint32_t format; /* hwformat.h */
    uint32_t width, height;
    uint32_t depth;                  /* 3D: slices; arrays and cubes: the view's last layer + 1 */
    uint32_t base_array;             /* first layer that the view shows */
    uint32_t layers;                 /* of the resource: gfx6 to gfx8; 0 elsewhere */
    uint32_t base_level, last_level; /* MSAA: last_level is log2 of the samples */
    uint32_t max_mip; /* levels of the resource - 1 (MSAA: log2 samples). gfx6 to gfx8 only tell,
                         by POW2_PAD, that there are several: then it is the view's last_level,
                         at least 1 */
    uint32_t min_lod; /* unsigned 4.8, gfx12 5.8 */
    uint32_t dst_sel[4];
    uint32_t sw_mode;    /* gfx6 to gfx8: TILING_INDEX */
    bool tiled;          /* sw_mode is not the linear one; not encoded */
    uint32_t type;       /* AMD_IMG_*; below AMD_IMG_1D: no image (null descriptor) */
    uint32_t pitch;      /* in texels, 0: derived from the width (docs/emulator.md). gfx9 with
                            several levels: rows of a slice's whole chain */
    const char *unbuilt; /* the unsupported feature that the descriptor asks for, or NULL; not
                            encoded */
} amd_image_desc;

/* Decodes a T#. With `r128` (gfx6 to gfx8) it has four words; the others count as 0. */
void
amd_image_decode(amd_gen gen, const uint32_t words[8], amd_image_desc *d);
void
amd_image_encode(amd_gen gen, const amd_image_desc *d, uint32_t words[8]);

enum { AMD_BORDER_TABLE = 3 };

typedef struct amd_sampler_desc {
    uint32_t clamp[3];  /* SQ_TEX_CLAMP: 0 wrap, 1 mirror, 2 last texel, 3 mirror once last texel,
                           4 half border, 5 mirror once half border, 6 border, 7 mirror once
                           border */
    uint32_t max_aniso; /* log2, 0 to 4 */
    uint32_t compare;   /* never, less, equal, less or equal, greater, not equal, greater or equal,
                           always */
    bool unnormalized;
    bool trunc_coord;                 /* coordinates are truncated instead of rounded:
                                         docs/emulator.md */
    bool force_degamma, skip_degamma; /* reads UNORM as sRGB, or sRGB as UNORM */
    bool disable_cube_wrap;
    uint32_t reduction;              /* FILTER_MODE: 0 blend, 1 min, 2 max */
    uint32_t min_lod, max_lod;       /* unsigned 4.8, gfx12 5.8 */
    int32_t lod_bias;                /* signed 5.8 */
    uint32_t mag_filter, min_filter; /* 0 point, 1 bilinear, 2 and 3 the same but anisotropic */
    uint32_t z_filter;    /* for 3D images (PAL): 0 same as the other axes (Mesa leaves it at
                             that), 1 point, 2 linear */
    uint32_t mip_filter;  /* 0 none, 1 point, 2 linear */
    uint32_t border_type; /* 0 transparent black, 1 opaque black, 2 opaque white, 3 from the border
                             colour table */
    uint32_t border_index;
    const char *unbuilt; /* as for images */
} amd_sampler_desc;

void
amd_sampler_decode(amd_gen gen, const uint32_t words[4], amd_sampler_desc *d);
void
amd_sampler_encode(amd_gen gen, const amd_sampler_desc *d, uint32_t words[4]);

#endif
