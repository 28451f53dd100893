/* The order of a layout's bindings, and how many elements they have. */
#include "family/layout.h"
#include "family/family.h"

#include <stdlib.h>

/* The order of bindings: by set, then by number. */
static int
compare_bindings(const void *a, const void *b)
{
    const family_binding *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->binding != y->binding)
        return x->binding < y->binding ? -1 : 1;
    return 0;
}

/* How many rows from row `first` on of a sorted layout are the same binding. */
static size_t
rows_of_binding(const family_layout *layout, size_t first)
{
    const family_binding *b = &layout->bindings[first];
    size_t n = 1;
    while (first + n < layout->n_bindings && compare_bindings(b, b + n) == 0)
        n++;
    return n;
}

/* The number of elements of those of a binding's `n` rows that has most of them. */
static uint32_t
most_elements(const family_binding *b, size_t n)
{
    uint32_t most = b->count;
    for (size_t i = 1; i < n; i++)
        most = !most || !b[i].count ? 0 : b[i].count > most ? b[i].count : most;
    return most;
}

void
family_sort_bindings(family_layout *layout)
{
    family_binding *b = layout->bindings;
    if (layout->n_bindings)
        qsort(b, layout->n_bindings, sizeof *b, compare_bindings);
    for (size_t i = 0, n; i < layout->n_bindings; i += n) {
        n = rows_of_binding(layout, i);
        const uint32_t count = most_elements(&b[i], n);
        for (size_t k = i; k < i + n; k++)
            b[k].count = count;
    }
}

/* Places the `n` rows of a binding at `*at`, and moves it behind them. */
static void
place(family_binding *b, size_t n, const family_placing *how, uint64_t *at)
{
    uint32_t stride = 0;
    uint64_t size = 0;
    for (size_t i = 0; i < n; i++) {
        b[i].size = how->size_of(b[i].type);
        b[i].count = b[i].count ? b[i].count : how->unsized;
        stride = b[i].size > stride ? b[i].size : stride;
    }
    const uint32_t align = stride > how->align ? how->large_align : how->align;
    *at = (*at + align - 1) / align * align;
    for (size_t i = 0; i < n; i++) {
        const uint64_t units = ((uint64_t)b[i].count + how->inline_unit - 1) / how->inline_unit;
        b[i].offset = (uint32_t)*at;
        b[i].stride = stride;
        b[i].align = align;
        b[i].extent = b[i].type == OBJ_DESCRIPTOR_INLINE_UNIFORM_BLOCK
                          ? b[i].size + units * how->inline_unit
                          : (uint64_t)stride * b[i].count;
        size = b[i].extent > size ? b[i].extent : size;
    }
    *at += size;
}

void
family_place_bindings(diag *d, family_layout *layout, const family_placing *how)
{
    family_binding *b = layout->bindings;
    uint64_t in_set = 0, in_block = how->has_block ? (layout->push_size + 15u) / 16 * 16 : 0;
    family_sort_bindings(layout);
    for (size_t i = 0, n; i < layout->n_bindings; i += n) {
        if (i && b[i].set != b[i - 1].set)
            in_set = 0;
        n = rows_of_binding(layout, i);
        b[i].in_block = how->has_block && family_is_dynamic(b[i].type);
        place(&b[i], n, how, b[i].in_block ? &in_block : &in_set);
        if (in_set > how->largest || in_block > how->largest)
            diag_fail(d, ERR_TARGET_SET_SIZE, b[i].set);
    }
}

family_binding *
family_find_binding(const family_layout *layout, uint32_t set, uint32_t binding)
{
    const family_binding key = {.set = set, .binding = binding};
    if (!layout->n_bindings)
        return NULL;
    return bsearch(&key, layout->bindings, layout->n_bindings, sizeof key, compare_bindings);
}

uint32_t
family_set_size(const family_layout *layout, uint32_t set)
{
    uint64_t end = 0;
    for (size_t i = 0; i < layout->n_bindings; i++) {
        const family_binding *b = &layout->bindings[i];
        if (b->set == set && !b->in_block && b->offset + b->extent > end)
            end = b->offset + b->extent;
    }
    return (uint32_t)end;
}

const family_resource *
family_find_resource(const family_shader *s, uint32_t set, uint32_t binding, uint32_t element)
{
    for (uint32_t i = 0; i < s->n_resources; i++) {
        const family_resource *r = &s->resources[i];
        if (r->set == set && r->binding == binding && r->element == element)
            return r;
    }
    return NULL;
}
