/* Memory of launches. */
#include "family/launch.h"

#include <string.h>

mach_region *
family_allocate(const ir_ctx *c, mach_memory *m, mach_heap heap, uint64_t size, const char *name)
{
    mach_region *r = mach_memory_alloc(m, heap, size, 0, name);
    if (!r)
        diag_fail(c->diag, ERR_AMBER_LIMIT, name);
    return r;
}

uint32_t
family_put_sets(const ir_ctx *c, mach_memory *m, const family_shader *s, const family_sets *sets)
{
    mach_region **regions = ARENA_ARRAY(c->arena, sets->n, mach_region *);
    for (uint32_t k = 0; k < sets->n; k++) {
        const uint32_t size = family_set_size(s->layout, k);
        if (!size)
            continue;
        regions[k] = family_allocate(c, m, sets->heap, size, "descriptor set");
        sets->addresses[k] = regions[k]->base;
    }
    for (uint32_t i = 0; i < s->n_resources; i++) {
        const family_resource *r = &s->resources[i];
        const family_binding *b = family_find_binding(s->layout, r->set, r->binding);
        uint32_t words[FAMILY_DESCRIPTOR_WORDS] = {0};
        if (!b || r->set >= sets->n)
            continue;
        const uint64_t at = b->offset + (uint64_t)r->element * b->stride;
        if (at + b->stride > regions[r->set]->size)
            continue;
        if (!sets->describe(sets->user, r, b, words))
            return i;
        memcpy(regions[r->set]->host + at, words,
               b->stride < sizeof words ? b->stride : sizeof words);
    }
    return UINT32_MAX;
}

mach_region *
family_put_code(const ir_ctx *c, mach_memory *m, const uint8_t *code, size_t size)
{
    mach_region *r = family_allocate(c, m, MACH_HEAP_LOW, size, "code");
    memcpy(r->host, code, size);
    r->read_only = true;
    return r;
}
