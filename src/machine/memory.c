/* The address space: a sorted array of regions. See memory.h for the model. */
#include "machine/memory.h"

#include <assert.h>
#include <string.h>

enum { DEFAULT_ALIGN = 256 };

void
mach_memory_init(mach_memory *m, arena *a)
{
    *m = (mach_memory){
        .arena = a,
        .next_low = UINT64_C(0x100000000),
        .next_set = ((uint64_t)MACH_SET_HEAP_HIGH << 32) + MACH_GUARD,
    };
}

/* Index of the first region whose base is above `address`. */
static size_t
upper_bound(const mach_memory *m, uint64_t address)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (m->regions[mid]->base <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

mach_region *
mach_memory_map(mach_memory *m, uint64_t base, uint64_t size, void *host, const char *name)
{
    size_t at = upper_bound(m, base);
    if (size > UINT64_MAX - base)
        return NULL;
    if (at > 0) {
        const mach_region *before = m->regions[at - 1];
        if (before->base == base || base - before->base < before->size)
            return NULL;
    }
    if (at < m->count && m->regions[at]->base - base < size)
        return NULL;
    m->regions = arena_grow(m->arena, m->regions, &m->cap, m->count + 1, sizeof *m->regions);
    memmove(m->regions + at + 1, m->regions + at, (m->count - at) * sizeof *m->regions);
    mach_region *r = ARENA_NEW(m->arena, mach_region);
    *r = (mach_region){
        .base = base, .size = size, .host = host, .name = arena_strdup(m->arena, name)};
    m->regions[at] = r;
    m->count++;
    return r;
}

/* A free address for `size` bytes of a heap, which is taken if a region is mapped there; 0: there
 * is none. `*end` receives the heap's next free address then. */
static uint64_t
find_room(const mach_memory *m, mach_heap heap, uint64_t size, uint64_t align, uint64_t *end)
{
    uint64_t next = heap == MACH_HEAP_SET ? m->next_set : m->next_low;
    uint64_t limit = heap == MACH_HEAP_SET ? ((uint64_t)MACH_SET_HEAP_HIGH << 32) + UINT32_MAX
                                           : UINT64_C(0x0000500000000000);
    assert((align & (align - 1)) == 0);
    uint64_t base = (next + align - 1) & ~(align - 1);
    *end = base + size + MACH_GUARD;
    return base < next || *end < base || *end > limit ? 0 : base;
}

/* Maps bytes at the next free address; with a NULL `host` it allocates them. */
static mach_region *
map_next(mach_memory *m, mach_heap heap, const mach_region *r, uint64_t align)
{
    uint64_t end, base = find_room(m, heap, r->size, align, &end);
    if (!base)
        return NULL;
    void *host = r->host ? r->host : arena_zalloc_sparse(m->arena, r->size);
    mach_region *made = mach_memory_map(m, base, r->size, host, r->name);
    if (made && heap == MACH_HEAP_SET)
        m->next_set = end;
    else if (made)
        m->next_low = end;
    return made;
}

mach_region *
mach_memory_alloc(mach_memory *m, mach_heap heap, uint64_t size, uint64_t align, const char *name)
{
    const mach_region r = {.size = size, .name = name};
    return map_next(m, heap, &r, align ? align : DEFAULT_ALIGN);
}

mach_region *
mach_memory_place(mach_memory *m, mach_heap heap, uint64_t size, void *host, const char *name)
{
    const mach_region r = {.size = size, .host = host, .name = name};
    return map_next(m, heap, &r, DEFAULT_ALIGN);
}

void
mach_memory_view(mach_memory *view, const mach_memory *m, arena *a)
{
    enum { SPARE = 2 };
    *view = *m;
    view->arena = a;
    view->cap = m->count + SPARE;
    view->regions = ARENA_ARRAY(a, view->cap, mach_region *);
    if (m->count)
        memcpy(view->regions, m->regions, m->count * sizeof *view->regions);
}

void
mach_region_track(mach_memory *m, mach_region *r, bool defined)
{
    size_t bytes = (size_t)((r->size + 7) / 8);
    bool is_new = !r->defined;
    if (is_new)
        r->defined = arena_zalloc_sparse(m->arena, bytes);
    if (defined || !is_new)
        memset(r->defined, defined ? 0xff : 0, bytes);
}

mach_region *
mach_memory_find_slow(const mach_memory *m, uint32_t *hint, uint64_t address, uint64_t size)
{
    size_t at = upper_bound(m, address);
    if (at == 0)
        return NULL;
    mach_region *r = m->regions[at - 1];
    uint64_t offset = address - r->base;
    if (offset >= r->size || size > r->size - offset)
        return NULL;
    *hint = (uint32_t)(at - 1);
    return r;
}

const mach_region *
mach_memory_below(const mach_memory *m, uint64_t address)
{
    size_t at = upper_bound(m, address);
    return at ? m->regions[at - 1] : NULL;
}

bool
mach_region_is_defined(const mach_region *r, uint64_t at, uint64_t size)
{
    if (!r->defined)
        return true;
    for (uint64_t i = at; i < at + size; i++)
        if (!(r->defined[i / 8] >> (i % 8) & 1))
            return false;
    return true;
}

void
mach_region_set_defined(mach_region *r, uint64_t at, uint64_t size, bool defined)
{
    if (!r->defined)
        return;
    for (uint64_t i = at; i < at + size; i++) {
        uint8_t bit = (uint8_t)(1u << (i % 8));
        r->defined[i / 8] = (uint8_t)(defined ? r->defined[i / 8] | bit : r->defined[i / 8] & ~bit);
    }
}
