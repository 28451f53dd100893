#include "adreno/abi/layout.h"

#include "adreno/adreno.h"
#include "family/compiler.h"

enum { DESCRIPTOR = 64 };

static uint32_t
size_of(obj_descriptor type)
{
    return type == OBJ_DESCRIPTOR_COMBINED || type == OBJ_DESCRIPTOR_MUTABLE ? 2 * DESCRIPTOR
                                                                             : DESCRIPTOR;
}

/* With storage_8bit a storage buffer has a second descriptor, of bytes. */
static uint32_t
size_with_bytes(obj_descriptor type)
{
    const bool is_storage = type == OBJ_DESCRIPTOR_STORAGE_BUFFER ||
                            type == OBJ_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC;
    return is_storage ? 2 * DESCRIPTOR : size_of(type);
}

/* An inline uniform block has a descriptor, and its bytes behind it. */
void
adreno_layout_place(diag *d, const family_target *target, family_layout *layout)
{
    const adreno_target t = adreno_target_of(target->own);
    const family_placing how = {
        .size_of = t.storage_8bit ? size_with_bytes : size_of,
        .align = DESCRIPTOR,
        .large_align = DESCRIPTOR,
        .inline_unit = DESCRIPTOR,
        .unsized = t.bindless ? ADRENO_RUNTIME_ARRAY_COUNT : FAMILY_UNSIZED_ELEMENTS,
        .largest = UINT64_C(1) << 28,
    };
    family_place_bindings(d, layout, &how);
}
