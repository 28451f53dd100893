/* The positions of descriptors in a set's memory (docs/abi.md): the pipeline layout that compiler
 * and runtime share. */
#ifndef AMD_LAYOUT_H
#define AMD_LAYOUT_H

#include "family/layout.h"

enum {
    AMD_RUNTIME_ARRAY_COUNT = 1024,   /* the number of elements assumed for a runtime-sized
                                         descriptor array */
    AMD_COMBINED_SAMPLER_OFFSET = 32, /* offset of the S# in a combined image sampler */
};

/* Sorts the bindings and assigns the default layout's offsets and strides. If two have the same set
 * and binding, the larger type and count win, and both entries get the same position. */
void
amd_layout_default(family_layout *layout);

/* Finds a binding; NULL if there is none. */
const family_binding *
amd_layout_find(const family_layout *layout, uint32_t set, uint32_t binding);

/* The size of set `set` in bytes. */
uint32_t
amd_layout_set_size(const family_layout *layout, uint32_t set);

#endif
