#include "amd/abi/layout.h"

#include <stdlib.h>

/* The size of a descriptor in bytes; its alignment. */
/* In bytes. */
static uint32_t
descriptor_size(ir_desc_type type)
{
    switch (type) {
    case IR_DESC_combined: return 64;
    case IR_DESC_sampled_image:
    case IR_DESC_storage_image: return 32;
    default: return 16;
    }
}

/* The size of a descriptor in bytes; its alignment. */
static uint32_t
descriptor_align(ir_desc_type type)
{
    return descriptor_size(type) == 16 ? 16 : 32;
}

static int
compare(const void *a, const void *b)
{
    const family_binding *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->binding != y->binding)
        return x->binding < y->binding ? -1 : 1;
    return 0;
}

static uint32_t
elements(const family_binding *b)
{
    return b->count ? b->count : AMD_RUNTIME_ARRAY_COUNT;
}

/* Places the `n` entries at `b`, which share set and binding, at `offset`; returns the end. */
static uint32_t
place(family_binding *b, size_t n, uint32_t offset)
{
    uint32_t stride = 0, count = 0, align = 16;
    for (size_t i = 0; i < n; i++) {
        uint32_t size = descriptor_size(b[i].type);
        stride = size > stride ? size : stride;
        count = elements(&b[i]) > count ? elements(&b[i]) : count;
        align = descriptor_align(b[i].type) > align ? descriptor_align(b[i].type) : align;
    }
    offset = (offset + align - 1) / align * align;
    for (size_t i = 0; i < n; i++) {
        b[i].offset = offset;
        b[i].stride = stride;
    }
    return offset + stride * count;
}

void
amd_layout_default(family_layout *layout)
{
    family_binding *b = layout->bindings;
    uint32_t offset = 0;
    if (layout->n_bindings)
        qsort(b, layout->n_bindings, sizeof *b, compare);
    for (size_t i = 0, n; i < layout->n_bindings; i += n) {
        if (i && b[i].set != b[i - 1].set)
            offset = 0;
        n = 1;
        while (i + n < layout->n_bindings && compare(&b[i], &b[i + n]) == 0)
            n++;
        offset = place(&b[i], n, offset);
    }
}

const family_binding *
amd_layout_find(const family_layout *layout, uint32_t set, uint32_t binding)
{
    family_binding key = {.set = set, .binding = binding};
    if (!layout->n_bindings)
        return NULL;
    return bsearch(&key, layout->bindings, layout->n_bindings, sizeof key, compare);
}

uint32_t
amd_layout_set_size(const family_layout *layout, uint32_t set)
{
    uint32_t end = 0;
    for (size_t i = 0; i < layout->n_bindings; i++) {
        const family_binding *b = &layout->bindings[i];
        uint32_t e = b->offset + b->stride * elements(b);
        if (b->set == set && e > end)
            end = e;
    }
    return end;
}
