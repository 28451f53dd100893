#include "amd/abi/layout.h"

#define LARGEST_SET (UINT64_C(1) << 30)

/* The size of a descriptor in bytes: V# and S# 16, T# 32; a mutable descriptor has room for each.
 */
static uint32_t
descriptor_size(obj_descriptor type)
{
    switch (type) {
    case OBJ_DESCRIPTOR_COMBINED:
    case OBJ_DESCRIPTOR_MUTABLE: return 64;
    case OBJ_DESCRIPTOR_SAMPLED_IMAGE:
    case OBJ_DESCRIPTOR_STORAGE_IMAGE:
    case OBJ_DESCRIPTOR_INPUT_ATTACHMENT: return 32;
    case OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK: return 0;
    default: return 16;
    }
}

/* Sources: RDNA 2 ISA, 8.1.5; RDNA 3 ISA, 9.1.5; Vega ISA, 8.1.5 ("Buffer Resource Descriptor").
 */
uint32_t
amd_raw_buffer_word3(amd_gen gen)
{
    enum { SELECT_XYZW = 4 | 5 << 3 | 6 << 6 | 7 << 9 };
    const uint32_t format = 22u << 12, raw_bounds = 3u << 28, resource_level = 1u << 24;
    if (gen < AMD_GFX10) /* NUM_FORMAT float, DATA_FORMAT 32 */
        return SELECT_XYZW | 7u << 12 | 4u << 15;
    return SELECT_XYZW | format | raw_bounds | (gen < AMD_GFX11 ? resource_level : 0);
}

uint32_t
amd_scratch_word3(amd_gen gen)
{
    enum { ELEMENT_4 = 1 << 19, LANES_64 = 3 << 21, ADD_TID = 1 << 23, FORMAT = 15 << 15 };
    uint32_t word = amd_raw_buffer_word3(gen) | ELEMENT_4 | LANES_64 | ADD_TID;
    return gen < AMD_GFX8 ? word : word & ~(uint32_t)FORMAT;
}

/* The bytes that a binding occupies. */
static uint64_t
extent_of(const family_binding *b)
{
    bool is_inline = b->type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK;
    return is_inline ? b->count : (uint64_t)b->stride * b->count;
}

/* Places the `n` entries at `b`, which share set and binding, at `*offset` and moves it behind
 * them. */
static void
place(family_binding *b, size_t n, uint64_t *offset)
{
    uint32_t stride = 0, align = 16;
    uint64_t size = 0;
    for (size_t i = 0; i < n; i++) {
        b[i].size = descriptor_size(b[i].type);
        b[i].count = b[i].count ? b[i].count : AMD_RUNTIME_ARRAY_COUNT;
        stride = b[i].size > stride ? b[i].size : stride;
        align = b[i].size > align ? 32 : align;
    }
    *offset = (*offset + align - 1) / align * align;
    for (size_t i = 0; i < n; i++) {
        b[i].offset = (uint32_t)*offset;
        b[i].stride = stride;
        b[i].align = align;
        b[i].extent = extent_of(&b[i]);
        size = b[i].extent > size ? b[i].extent : size;
    }
    *offset += size;
}

void
amd_layout_place(diag *d, family_layout *layout)
{
    family_binding *b = layout->bindings;
    uint64_t in_set = 0, in_block = (layout->push_size + 15u) / 16 * 16;
    family_sort_bindings(layout);
    for (size_t i = 0, n; i < layout->n_bindings; i += n) {
        if (i && b[i].set != b[i - 1].set)
            in_set = 0;
        n = family_rows_of_binding(layout, i);
        b[i].in_block = family_is_dynamic(b[i].type);
        place(&b[i], n, b[i].in_block ? &in_block : &in_set);
        if (in_set > LARGEST_SET || in_block > LARGEST_SET)
            diag_fail(d, ERR_TARGET_SET_SIZE, b[i].set);
    }
}
