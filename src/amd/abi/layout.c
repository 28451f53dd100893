#include "amd/abi/layout.h"

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

void
amd_layout_place(diag *d, family_layout *layout)
{
    static const family_placing how = {.size_of = descriptor_size,
                                       .align = 16,
                                       .large_align = 32,
                                       .inline_unit = 1,
                                       .unsized = AMD_RUNTIME_ARRAY_COUNT,
                                       .has_block = true,
                                       .largest = UINT64_C(1) << 30};
    family_place_bindings(d, layout, &how);
}
