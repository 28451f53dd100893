/* What images and textures share in selection. */
#ifndef R600_SELECT_IMAGE_H
#define R600_SELECT_IMAGE_H

#include "r600/select/select.h"

/* The number of coordinates of a dimension, without layers. */
unsigned
r600_sel_axes(unsigned dim);

/* An instruction of the texture unit at the end of the list, whose coordinates are zeros until the
 * caller sets them; it has none for samplers. Results are in out[0] to out[3]. */
tree_vector *
r600_sel_tex(r600_sel *s, unsigned op, uint32_t resource, tree_operand out[4]);

/* An element of a texel buffer. */
void
r600_sel_texel(r600_sel *s, uint32_t resource, tree_operand index, tree_operand out[4]);

/* Width, height, depth or layers, and levels of a texture's level. */
void
r600_sel_tex_size(r600_sel *s, uint32_t resource, tree_operand level, tree_operand out[4]);

/* What `tex` gives. */
void
r600_select_tex(r600_sel *s, const ir_instr *i);

/* What CUBE gives of a direction: t, s, twice the major axis, the face. */
void
r600_sel_project(r600_sel *s, const tree_operand xyz[3], tree_operand out[4]);

/* Before Evergreen: a gather from the faces of a cube. */
void
r600_sel_gather_cube(r600_sel *s, const ir_instr *i, uint32_t resource, uint32_t sampler,
                     tree_operand out[4]);

#endif
