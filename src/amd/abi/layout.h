/* The positions of descriptors in a set's memory (docs/abi.md): the pipeline layout that compiler
 * and runtime share. */
#ifndef AMD_LAYOUT_H
#define AMD_LAYOUT_H

#include "ir/hir.h"

typedef struct amd_binding {
    uint32_t set, binding;
    ir_desc_type type;
    uint32_t count;          /* array elements; 0: runtime-sized */
    uint32_t offset, stride; /* in bytes: position in the set; distance of elements */
} amd_binding;

typedef struct amd_layout {
    amd_binding *bindings; /* by set, then binding */
    size_t n_bindings;
} amd_layout;

enum {
    AMD_RUNTIME_ARRAY_COUNT = 1024,   /* the number of elements assumed for a runtime-sized
                                         descriptor array */
    AMD_COMBINED_SAMPLER_OFFSET = 32, /* offset of the S# in a combined image sampler */
};

/* The size of a descriptor in bytes; its alignment. */
uint32_t
amd_descriptor_size(ir_desc_type type);
uint32_t
amd_descriptor_align(ir_desc_type type);

/* Sorts the bindings and assigns the default layout's offsets and strides. If two have the same set
 * and binding, the larger type and count win, and both entries get the same position. */
void
amd_layout_default(amd_layout *layout);

/* Finds a binding; NULL if there is none. */
const amd_binding *
amd_layout_find(const amd_layout *layout, uint32_t set, uint32_t binding);

/* The size of set `set` in bytes. */
uint32_t
amd_layout_set_size(const amd_layout *layout, uint32_t set);

#endif
