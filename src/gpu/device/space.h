/* A GPU's address space: ranges of addresses and the buffers behind them.
 *
 * Buffers are counted: who maps one, or works on it, holds it. A job works on copies of the space,
 * so that a driver may map and free buffers meanwhile. Nothing here is locked.
 */
#ifndef GPU_DEVICE_SPACE_H
#define GPU_DEVICE_SPACE_H

#include "machine/memory.h"

typedef struct gpu_buffer gpu_buffer;
struct gpu_buffer {
    uint8_t *host;
    uint64_t size;
    uint32_t holders;
    void (*release)(gpu_buffer *b); /* when nobody holds it any more */
    char name[32];                  /* for messages */
    /* The next part at or behind `*from` that may hold something other than zeros; false if there
     * is none. NULL: all of it may. */
    bool (*next_data)(void *buffer, uint64_t *from, uint64_t *to);
};

typedef struct gpu_range {
    uint64_t address, size; /* bytes */
    gpu_buffer *buffer;
    uint64_t offset; /* of the range's first byte in the buffer */
} gpu_range;

typedef struct gpu_space {
    gpu_range *ranges; /* by ascending address */
    uint32_t count, cap;
    uint64_t changes; /* counts maps and unmaps */
} gpu_space;

void
gpu_buffer_hold(gpu_buffer *b);
void
gpu_buffer_drop(gpu_buffer *b);

/* Frees the space; its buffers are dropped. */
void
gpu_space_free(gpu_space *s);

/* Maps a range and holds its buffer. False if it overlaps one, wraps, goes beyond the buffer, or
 * there is no memory. */
bool
gpu_space_map(gpu_space *s, const gpu_range *r);

/* Unmaps what lies in [address, address + size), parts of ranges too. False if there is no memory
 * for the two halves of a range; nothing is unmapped then. */
bool
gpu_space_unmap(gpu_space *s, uint64_t address, uint64_t size);

/* A copy of the ranges that holds their buffers; gpu_space_free frees it. False if there is no
 * memory. */
bool
gpu_space_copy(const gpu_space *s, gpu_space *copy);

/* Maps the ranges in memory of the emulator, but for those that are taken there. */
void
gpu_space_show(const gpu_space *s, mach_memory *m);

#endif
