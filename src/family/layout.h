/* A pipeline layout: the descriptors that a shader declares, and their positions in the memory of
 * their sets. The compiler and the driver share it; the family assigns the positions. */
#ifndef FAMILY_LAYOUT_H
#define FAMILY_LAYOUT_H

#include "ir/hir.h"

typedef struct family_binding {
    uint32_t set, binding;
    ir_desc_type type;
    uint32_t count;          /* array elements; 0: runtime-sized */
    uint32_t offset, stride; /* in bytes: position in the set; distance of elements */
} family_binding;

typedef struct family_layout {
    family_binding *bindings; /* sorted by set, then binding, once the positions are assigned */
    size_t n_bindings;
} family_layout;

#endif
