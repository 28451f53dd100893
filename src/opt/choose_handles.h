/* choose_handles: for machines whose instructions name resources by constants.
 *
 * A handle that is chosen at run time (an element of an array, a selection among handles) becomes a
 * number of its own: that of the element among all the shader's bindings. An instruction on it is
 * there once for each element that it may be, in ifs that halve them:
 *
 *     h = resource(set 0, binding 1, element i)        if (i < 1) { a = load(element 0) }
 *     x = load(h)                                 ->   else { b = load(element 1) }
 *                                                      x = phi(a, b)
 *
 * A texture and a sampler are chosen in the same ifs if the same number chooses both among as many
 * elements; else all samplers are beside each texture.
 *
 * Each lane goes its own way, so the index may differ between lanes. One beyond the array takes the
 * last element. */
#ifndef OPT_CHOOSE_HANDLES_H
#define OPT_CHOOSE_HANDLES_H

#include "ir/hir.h"

/* The number of elements of the binding that `index`, a vulkan_resource_index, names: at least 1.
 * It fails where there are more than the target may choose of. */
typedef uint32_t (*opt_element_count)(const void *user, const ir_fn *f, const ir_instr *index);

/* Invalidates all analyses if it returns true. */
bool
opt_choose_handles(ir_fn *f, opt_element_count count, const void *user);

/* What the rows of passes that call it have in common. */
#define OPT_CHOOSE_HANDLES                                                                         \
    .name = "choose_handles", .flags = IR_PASS_REQUIRED,                                           \
    .what = "Resources that are chosen at run time become ifs around constant ones."

#endif
