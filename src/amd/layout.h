/* Where descriptors stand in a set's memory (docs/abi.md): the pipeline layout as the compiler and
 * the runtime share it. */
#ifndef AMD_LAYOUT_H
#define AMD_LAYOUT_H

#include "ir/hir.h"

typedef struct amd_binding {
    uint32_t set, binding;
    ir_desc_type type;
    uint32_t count;          /* array elements; 0: runtime-sized */
    uint32_t offset, stride; /* bytes in the set; of an element */
} amd_binding;

typedef struct amd_layout {
    amd_binding *bindings; /* by set, then binding */
    size_t n_bindings;
} amd_layout;

enum {
    AMD_RUNTIME_ARRAY_COUNT = 1024,   /* elements a runtime-sized descriptor array counts as */
    AMD_COMBINED_SAMPLER_OFFSET = 32, /* of the S# in a combined image sampler */
};

/* Bytes of one descriptor, and its alignment. */
uint32_t
amd_descriptor_size(ir_desc_type type);
uint32_t
amd_descriptor_align(ir_desc_type type);

/* Sorts the bindings and gives them the default layout's offsets and strides. Of two with the same
 * set and binding the larger type and count win, and both entries get the same place. */
void
amd_layout_default(amd_layout *layout);

/* The binding, or NULL. */
const amd_binding *
amd_layout_find(const amd_layout *layout, uint32_t set, uint32_t binding);

/* Bytes that set `set` takes. */
uint32_t
amd_layout_set_size(const amd_layout *layout, uint32_t set);

#endif
