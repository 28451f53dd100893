/* A pipeline layout: the descriptors of a shader, and their positions in the memory of their sets.
 * The compiler and the driver share it; the family assigns the positions.
 *
 * It comes from one of two places. A driver gives it: then the types are the driver's, and the
 * position of a binding follows from the bindings of its set alone. Or it is inferred: then it has
 * what one shader declares. In both the positions are a function of the rows here, so that a driver
 * can have them without a shader.
 *
 * The descriptors of dynamic buffers change with each binding of a set, so they are not in the
 * set's memory but in the block of push constants, behind these, which a driver writes anew anyway.
 * The first set's come first; in a set, they are in the order of their bindings.
 */
#ifndef FAMILY_LAYOUT_H
#define FAMILY_LAYOUT_H

#include "ir/hir.h"
#include "object/object.h"

typedef struct family_binding {
    uint32_t set, binding;
    obj_descriptor type;
    /* Array elements; an inline uniform block: bytes. 0: runtime-sized, until the positions are
     * assigned, when it becomes the number that there is room for. */
    uint32_t count;
    uint32_t stages; /* given layouts: bits of obj_stage that may use it; 0: all */
    /* The words of the immutable samplers, those of a sampler's descriptor for each element; NULL:
     * the samplers are in memory. */
    const uint32_t *samplers;

    /* Set with the positions, in bytes. An inline uniform block has size and stride 0. */
    uint32_t size, align;    /* of a descriptor */
    uint32_t offset, stride; /* position in the set or the block; distance of elements */
    uint64_t extent;         /* from the position on, of all elements */
    bool in_block;           /* of a dynamic buffer */

    bool is_used; /* the back end sets it if the code reads it */
} family_binding;

typedef struct family_layout {
    family_binding *bindings; /* sorted by set, then binding, once the positions are assigned */
    size_t n_bindings;
    bool is_given; /* by the driver: no two rows have the same set and binding, no count is 0 */
    uint32_t push_size; /* bytes of the block of push constants; the descriptors in it follow */
} family_layout;

/* Sorts the bindings, as back ends do before they assign positions; then finds one, or NULL. Rows
 * of one binding are variables that name the same array, so that all get the most elements. */
void
family_sort_bindings(family_layout *layout);
family_binding *
family_find_binding(const family_layout *layout, uint32_t set, uint32_t binding);

/* How a family places descriptors. */
typedef struct family_placing {
    uint32_t (*size_of)(obj_descriptor type); /* bytes; of an inline uniform block: what is there
                                                 beside its own */
    uint32_t align, large_align; /* of descriptors of up to `align` bytes, and of larger ones */
    uint32_t inline_unit;        /* bytes of an inline uniform block are a multiple of this */
    uint32_t unsized;            /* elements of a runtime-sized array */
    bool has_block;              /* dynamic buffers are in the block of push constants */
    uint64_t largest;            /* bytes of a set */
} family_placing;

/* Sorts the bindings and assigns sizes and positions. Rows of one binding get the same position,
 * and the stride of the largest. Fails with TARGET_SET_SIZE if a set is too large. */
void
family_place_bindings(diag *d, family_layout *layout, const family_placing *how);

/* The bytes of a set whose positions are assigned. */
uint32_t
family_set_size(const family_layout *layout, uint32_t set);

/* The type of a shader's descriptor. */
static inline obj_descriptor
family_descriptor_of(ir_desc_type type)
{
    static const obj_descriptor types[IR_DESC_COUNT] = {
        [IR_DESC_sampler] = OBJ_DESCRIPTOR_SAMPLER,
        [IR_DESC_combined] = OBJ_DESCRIPTOR_COMBINED,
        [IR_DESC_sampled_image] = OBJ_DESCRIPTOR_SAMPLED_IMAGE,
        [IR_DESC_storage_image] = OBJ_DESCRIPTOR_STORAGE_IMAGE,
        [IR_DESC_uniform_texel_buffer] = OBJ_DESCRIPTOR_UNIFORM_TEXEL_BUFFER,
        [IR_DESC_storage_texel_buffer] = OBJ_DESCRIPTOR_STORAGE_TEXEL_BUFFER,
        [IR_DESC_ubo] = OBJ_DESCRIPTOR_UNIFORM_BUFFER,
        [IR_DESC_ssbo] = OBJ_DESCRIPTOR_STORAGE_BUFFER,
        [IR_DESC_inline_ubo] = OBJ_DESCRIPTOR_UNIFORM_BUFFER,
        [IR_DESC_input_attachment] = OBJ_DESCRIPTOR_INPUT_ATTACHMENT,
        [IR_DESC_accel] = OBJ_DESCRIPTOR_ACCELERATION_STRUCTURE,
    };
    return types[type];
}

/* Returns true if positions of the type are in the block of push constants. */
static inline bool
family_is_dynamic(obj_descriptor type)
{
    return type == OBJ_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC ||
           type == OBJ_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
}

#endif
