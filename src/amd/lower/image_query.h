/* Sizes, levels and samples of images, read from the words of their descriptors. */
#ifndef AMD_IMAGE_QUERY_H
#define AMD_IMAGE_QUERY_H

#include "amd/amd.h"
#include "ir/builder.h"

/* Builds the result of an image_size, image_levels or image_samples, whose first operand is the
 * descriptor. */
ir_ref
amd_image_query(ir_builder *b, const amd_target *t, const ir_instr *i);

#endif
