/* An image instruction's operand values: descriptors and addresses. */
#ifndef AMD_EMU_IMAGE_ADDRESS_H
#define AMD_EMU_IMAGE_ADDRESS_H

#include "amd/emu/desc/texel.h"
#include "amd/emu/mem/access.h"

/* Dimensions, as numbered in gfx10's instructions. */
enum {
    EMU_DIM_1D,
    EMU_DIM_2D,
    EMU_DIM_3D,
    EMU_DIM_CUBE,
    EMU_DIM_1D_ARRAY,
    EMU_DIM_2D_ARRAY,
    EMU_DIM_2D_MSAA,
    EMU_DIM_2D_MSAA_ARRAY,
};

/* An instruction's operands that do not depend on the lane. */
typedef struct emu_image_args {
    mach_image image;
    mach_sampler sampler;
    uint64_t base;   /* its address */
    bool valid;      /* there is an image (not a null descriptor) */
    mach_texel none; /* the texel read without an image: 0, and 1 where dst_sel says so */
    bool is_int;
    bool half_gradients;
    uint8_t dim;    /* EMU_DIM_*: from the instruction; before gfx10 from `da` and the T#'s type */
    uint32_t parts; /* AMD_A_* */
    /* Implicit gradients of the quad whose lanes run: they come from addresses of all its lanes,
     * whose registers the results may take. */
    float dx[3], dy[3];
} emu_image_args;

/* The address components of a lane. */
typedef struct emu_image_address {
    uint32_t offset, coord[4], lod;
    float bias, compare, dx[3], dy[3];
} emu_image_address;

/* Reads T# and S#. An unsupported feature stops the run; then, and without an image, g->valid is
 * false. */
void
amd_emu_image_descriptors(emu_wave *w, const emu_inst *i, emu_image_args *g);

void
amd_emu_image_read_address(const emu_wave *w, const emu_inst *i, const emu_image_args *g,
                           uint32_t l, emu_image_address *a);

/* The number of address registers; the number of the k-th one. */
uint32_t
amd_emu_image_address_dwords(const emu_inst *i, const emu_image_args *g);
uint32_t
amd_emu_image_address_register(const emu_inst *i, uint32_t k);

/* The minimum number of address registers that this instruction reads for any T#. */
uint32_t
amd_emu_image_address_least(const emu_inst *i);

/* The number of coordinates and gradients for a dimension (array layers and samples are
 * coordinates). */
uint32_t
amd_emu_image_coords(uint32_t dim);
uint32_t
amd_emu_image_gradients(uint32_t dim);

#endif
