#include "adreno/abi/layout.h"

#include "adreno/adreno.h"
#include "family/compiler.h"

enum { DESCRIPTOR = 64 };

#define LARGEST_SET (UINT64_C(1) << 28)

/* With storage_8bit a storage buffer has a second descriptor, of bytes. */
static uint32_t
size_of(obj_descriptor type, bool has_bytes)
{
    switch (type) {
    case OBJ_DESCRIPTOR_STORAGE_BUFFER:
    case OBJ_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC: return has_bytes ? 2 * DESCRIPTOR : DESCRIPTOR;
    case OBJ_DESCRIPTOR_COMBINED:
    case OBJ_DESCRIPTOR_MUTABLE: return 2 * DESCRIPTOR;
    default: return DESCRIPTOR;
    }
}

/* An inline uniform block has a descriptor, and its bytes behind it. */
static uint64_t
extent_of(const family_binding *b)
{
    const bool is_inline = b->type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    return is_inline ? DESCRIPTOR + ((uint64_t)b->count + DESCRIPTOR - 1) / DESCRIPTOR * DESCRIPTOR
                     : (uint64_t)b->stride * b->count;
}

void
adreno_layout_place(diag *d, const family_target *target, family_layout *layout)
{
    family_binding *b = layout->bindings;
    const adreno_chip *chip = target->own;
    const bool has_bytes = adreno_target_of(chip).storage_8bit;
    const uint32_t unsized = chip->gen >= 6 ? ADRENO_RUNTIME_ARRAY_COUNT : FAMILY_UNSIZED_ELEMENTS;
    uint64_t at = 0;
    family_sort_bindings(layout);
    for (size_t i = 0, n; i < layout->n_bindings; i += n) {
        uint64_t size = 0;
        uint32_t stride = 0;
        if (!i || b[i].set != b[i - 1].set)
            at = 0;
        n = family_rows_of_binding(layout, i);
        for (size_t k = i; k < i + n; k++) {
            b[k].size = size_of(b[k].type, has_bytes);
            stride = b[k].size > stride ? b[k].size : stride;
        }
        for (size_t k = i; k < i + n; k++) {
            b[k].count = b[k].count ? b[k].count : unsized;
            b[k].align = DESCRIPTOR;
            b[k].offset = (uint32_t)at;
            b[k].stride = stride;
            b[k].extent = extent_of(&b[k]);
            size = b[k].extent > size ? b[k].extent : size;
        }
        at += size;
        if (at > LARGEST_SET)
            diag_fail(d, ERR_TARGET_SET_SIZE, b[i].set);
    }
}
