/* Ranges in an array, found by binary search. */
#include "gpu/device/space.h"

#include <stdlib.h>
#include <string.h>

void
gpu_buffer_hold(gpu_buffer *b)
{
    b->holders++;
}

void
gpu_buffer_drop(gpu_buffer *b)
{
    if (--b->holders == 0)
        b->release(b);
}

void
gpu_space_free(gpu_space *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        gpu_buffer_drop(s->ranges[k].buffer);
    free(s->ranges);
    *s = (gpu_space){0};
}

/* The number of ranges that end at or below an address. */
static uint32_t
ranges_below(const gpu_space *s, uint64_t address)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const gpu_range *r = &s->ranges[middle];
        if (r->address + r->size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
reserve(gpu_space *s)
{
    if (s->count < s->cap)
        return true;
    uint32_t cap = s->cap ? s->cap * 2 : 64;
    gpu_range *ranges = realloc(s->ranges, cap * sizeof *ranges);
    if (!ranges)
        return false;
    s->ranges = ranges;
    s->cap = cap;
    return true;
}

static void
insert(gpu_space *s, uint32_t at, const gpu_range *r)
{
    memmove(s->ranges + at + 1, s->ranges + at, (s->count - at) * sizeof *r);
    s->ranges[at] = *r;
    s->count++;
    gpu_buffer_hold(r->buffer);
}

bool
gpu_space_map(gpu_space *s, const gpu_range *r)
{
    uint32_t at = ranges_below(s, r->address);
    bool fits = r->size && r->size <= UINT64_MAX - r->address && r->offset <= r->buffer->size &&
                r->size <= r->buffer->size - r->offset;
    if (!fits || (at < s->count && s->ranges[at].address < r->address + r->size) || !reserve(s))
        return false;
    insert(s, at, r);
    s->changes++;
    return true;
}

bool
gpu_space_unmap(gpu_space *s, uint64_t address, uint64_t size)
{
    uint64_t end = size > UINT64_MAX - address ? UINT64_MAX : address + size;
    if (!reserve(s))
        return false;
    s->changes++;
    for (uint32_t k = ranges_below(s, address); k < s->count && s->ranges[k].address < end;) {
        gpu_range *r = &s->ranges[k];
        uint64_t r_end = r->address + r->size;
        gpu_range rest = {.address = end,
                          .size = r_end > end ? r_end - end : 0,
                          .buffer = r->buffer,
                          .offset = r->offset + (end - r->address)};
        if (r->address < address) { /* its beginning stays */
            r->size = address - r->address;
            k++;
            if (rest.size)
                insert(s, k, &rest);
        } else if (rest.size) {
            *r = rest;
            k++;
        } else {
            gpu_buffer_drop(r->buffer);
            s->count--;
            memmove(r, r + 1, (s->count - k) * sizeof *r);
        }
    }
    return true;
}

bool
gpu_space_copy(const gpu_space *s, gpu_space *copy)
{
    *copy = (gpu_space){.cap = s->count + 1, .changes = s->changes};
    copy->ranges = malloc(copy->cap * sizeof *copy->ranges);
    if (!copy->ranges)
        return false;
    for (uint32_t k = 0; k < s->count; k++)
        gpu_buffer_hold(s->ranges[k].buffer);
    if (s->count)
        memcpy(copy->ranges, s->ranges, s->count * sizeof *s->ranges);
    copy->count = s->count;
    return true;
}

void
gpu_space_show(const gpu_space *s, mach_memory *m)
{
    for (uint32_t k = 0; k < s->count; k++) {
        const gpu_range *r = &s->ranges[k];
        mach_memory_map(m, mach_canonical(r->address), r->size, r->buffer->host + r->offset,
                        r->buffer->name);
    }
}
