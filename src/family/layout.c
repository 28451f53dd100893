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

size_t
family_rows_of_binding(const family_layout *layout, size_t first)
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
        n = family_rows_of_binding(layout, i);
        const uint32_t count = most_elements(&b[i], n);
        for (size_t k = i; k < i + n; k++)
            b[k].count = count;
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
