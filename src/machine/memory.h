/* The memory of an emulated machine: a flat 64-bit address space with bounded allocations.
 *
 * A region is a range of addresses backed by host bytes. Nothing is mapped between regions, and the
 * allocators leave a gap of at least MACH_GUARD bytes after each region, so that overruns are
 * detected. Addresses are allocated from two heaps: the low heap (buffers, images, code) and the
 * set heap, whose addresses all have the high half MACH_SET_HEAP_HIGH, so that a descriptor set can
 * be named by 32 bits (docs/abi.md). Addresses have 48 bits and are sign-extended from bit 47, as
 * on hardware; an address from a descriptor must go through mach_canonical first.
 *
 * A region may have a bitmap with one bit per byte: "this byte holds a defined value". An
 * emulator's check for undefined values keeps it up to date; a region without a bitmap counts as
 * defined.
 *
 * Lookup tests the last region found (the hint, which each user keeps), then does a binary search.
 * Nothing here is locked: many emulators may read one mach_memory at a time as long as nobody adds
 * or removes a region.
 */
#ifndef MACH_MEMORY_H
#define MACH_MEMORY_H

#include "base/arena.h"

enum { MACH_GUARD = 65536 };

/* The high half of all addresses of the set heap. */
#define MACH_SET_HEAP_HIGH UINT32_C(0xffff8000)

typedef struct mach_region {
    uint64_t base, size; /* bytes; base + size does not wrap */
    uint8_t *host;       /* the `size` bytes */
    uint8_t
        *defined; /* bitmap of (size + 7) / 8 bytes, bit n & 7 of byte n / 8; NULL: all defined */
    const char *name; /* for messages */
    bool read_only;   /* stores are reported and dropped */
} mach_region;

typedef struct mach_memory {
    arena *arena;
    mach_region **regions; /* by ascending base */
    size_t count, cap;
    uint64_t next_low, next_set; /* the next free address of each heap */
} mach_memory;

typedef enum mach_heap {
    MACH_HEAP_LOW, /* from 0x0000000100000000 upwards */
    MACH_HEAP_SET, /* from 0xffff800000010000 upwards, within 4 GiB */
} mach_heap;

/* Makes an empty address space; regions and their bytes are allocated in `a`. */
void
mach_memory_init(mach_memory *m, arena *a);

/* Maps the `size` bytes at `host` (kept, not copied) at `base`. Returns NULL if that overlaps a
 * region or wraps. */
mach_region *
mach_memory_map(mach_memory *m, uint64_t base, uint64_t size, void *host, const char *name);

/* Allocates a region of zeroed bytes with alignment `align` (a power of two; 0 means 256). A region
 * of size 0 has its own address too. Returns NULL when the heap is exhausted. */
mach_region *
mach_memory_alloc(mach_memory *m, mach_heap heap, uint64_t size, uint64_t align, const char *name);

/* The same with the bytes at `host` (kept, not copied). */
mach_region *
mach_memory_place(mach_memory *m, mach_heap heap, uint64_t size, void *host, const char *name);

/* Makes `view` an address space with the regions of `m` and room for more, which `m` does not get:
 * the memory that lives as long as a run. They are allocated in `a`, so the view ends with them. */
void
mach_memory_view(mach_memory *view, const mach_memory *m, arena *a);

/* Adds a bitmap of defined bytes to the region, all set to `defined`. */
void
mach_region_track(mach_memory *m, mach_region *r, bool defined);

/* The region that contains all of [address, address + size), or NULL. `*hint` may have any initial
 * value; it is set to the region found. */
mach_region *
mach_memory_find_slow(const mach_memory *m, uint32_t *hint, uint64_t address, uint64_t size);

static inline mach_region *
mach_memory_find(const mach_memory *m, uint32_t *hint, uint64_t address, uint64_t size)
{
    if (*hint < m->count) {
        mach_region *r = m->regions[*hint];
        uint64_t at = address - r->base;
        if (at < r->size && size <= r->size - at)
            return r;
    }
    return mach_memory_find_slow(m, hint, address, size);
}

/* The region whose end or start is nearest below `address`, for messages ("12 bytes past the end of
 * ..."); NULL if there is none below. */
const mach_region *
mach_memory_below(const mach_memory *m, uint64_t address);

/* Sign-extends bits 47:0 of an address, the form that regions use. */
static inline uint64_t
mach_canonical(uint64_t address)
{
    uint64_t low = address & UINT64_C(0xffffffffffff);
    return low >> 47 ? low | UINT64_C(0xffff000000000000) : low;
}

/* Tests whether bytes [at, at + size) of the region are all defined, and sets whether they are.
 * `at` is an offset in the region. */
bool
mach_region_is_defined(const mach_region *r, uint64_t at, uint64_t size);
void
mach_region_set_defined(mach_region *r, uint64_t at, uint64_t size, bool defined);

#endif
