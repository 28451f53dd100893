/* Images in selection: storage images (select_image.c) and textures (select_texture.c). */
#ifndef ADRENO_SELECT_IMAGE_H
#define ADRENO_SELECT_IMAGE_H

#include "adreno/select/stage.h"

/* Coordinates of an image without its layers. */
static inline unsigned
adreno_dims(unsigned dim)
{
    switch (dim) {
    case IR_DIM_1D:
    case IR_DIM_buf: return 1;
    case IR_DIM_3D:
    case IR_DIM_cube: return 3;
    default: return 2; /* of input attachments, too */
    }
}

/* Marks the last instruction as one on such an image, with these components, of a type. */
void
adreno_mark_texture(adreno_sel *s, const ir_instr *i, uint32_t mask, unsigned type);

/* A tex, a size of a texture's level, a number of levels or samples. */
void
adreno_select_texture(adreno_sel *s, const ir_instr *i);
void
adreno_select_texture_size(adreno_sel *s, const ir_instr *i);
void
adreno_select_info(adreno_sel *s, const ir_instr *i);
/* The address of an acceleration structure. */
void
adreno_select_accel(adreno_sel *s, const ir_instr *i);

#endif
