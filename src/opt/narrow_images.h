/* narrow_images: image operations on 16-bit floats. */
#ifndef OPT_NARROW_IMAGES_H
#define OPT_NARROW_IMAGES_H

#include "ir/ir.h"

/* For machines whose image operations move 16-bit floats, converted as f2f converts. Keeps
 * dominance, loops and divergence. Returns true if it changed `f`. */
bool
opt_narrow_images(ir_fn *f);

#endif
