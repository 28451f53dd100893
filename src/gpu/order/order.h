/* Finds work that nothing orders: two dispatches, or a dispatch and a copy, that access the same
 * bytes, at least one of them to change them, where the command stream has no wait between.
 *
 * A GPU begins a dispatch while earlier ones still run. What orders two of one ring is a packet
 * that waits for shaders (points.h) between them; what orders two of different rings, a fence or
 * semaphore that the later one's submission waits for. A submission comes behind all that was over
 * when it was made, since the application may have seen that. A packet that has waited for a value
 * in memory may have learnt of anything, and so counts as having waited for all. The processor
 * executes its own writes in order; its DMA engine goes on by itself until a packet with CP_SYNC.
 *
 * A draw is three works that do not conflict with each other: vertices, pixels, and results, which
 * come in the order of draws. Packets wait for the shaders of one stage, or for all graphics.
 *
 * Within a dispatch the races checker follows accesses; here come, when the dispatch is over, the
 * last ones to each byte. The same exceptions hold: two atomics, a coherent load, a store of what
 * is there already never conflict, and a dispatch whose atomics or coherent loads touch what
 * earlier ones have changed by atomics, or at all, may have learnt that these are over.
 *
 * A weaker rule is about caches: behind a wait a load may still find the bytes of before the store
 * in its cache if nothing has invalidated that since.
 *
 * History is dropped where it takes too much memory, so a conflict may be missed; none is made up.
 * Nothing here is locked.
 */
#ifndef GPU_ORDER_ORDER_H
#define GPU_ORDER_ORDER_H

#include "amd/emu/check/race_shadow.h"
#include "amd/emu/draw/draw.h"
#include "amd/emu/emu.h"
#include "gpu/order/points.h"

/* What accesses memory: a dispatch, a part of a draw, or a packet. */
typedef struct gpu_work {
    uint64_t serial; /* through the device, from 1 */
    uint32_t agent;  /* its place in clocks */
    char ring[16];
    uint64_t submission;
    bool is_draw;    /* a part of one, which its agent tells */
    uint64_t number; /* of the dispatch or draw, on its ring */
    uint64_t entry;  /* of its code */
    uint32_t wave_size;
    uint64_t at;        /* the packet's address */
    const char *packet; /* its name; NULL: a dispatch or draw */
} gpu_work;

typedef struct gpu_work_access {
    gpu_work work;
    amd_emu_access access; /* `pc` is 0 for a packet, and for fixed functions of a draw */
} gpu_work_access;

typedef struct gpu_conflict {
    bool is_cached; /* about a cache alone */
    gpu_work_access earlier, later;
    uint64_t address, bytes; /* the first one, and how many */
    uint32_t finding;        /* its number in the report of the later dispatch */
} gpu_conflict;

enum { GPU_CONFLICTS = 32 }; /* of a dispatch, draw or packet that are kept */

/* A ring's view: what it knows to be over, and what its shaders' loads see. */
typedef struct gpu_order_ring {
    char name[16];
    uint32_t index; /* below GPU_CLOCK_RINGS */
    uint64_t submission;
    gpu_clock known, seen[2]; /* through the caches of vector and of scalar memory instructions */
} gpu_order_ring;

struct gpu_order_record;

typedef struct gpu_order {
    arena a;
    arena draw;         /* of the draw that is being executed (amd_draw.touches) */
    race_shadow shadow; /* cells have numbers of records */
    gpu_work *work;
    struct gpu_order_record *records;
    uint32_t n_work, work_cap, n_records, records_cap;
    uint64_t serial;
    const gpu_order_ring *ring;      /* of the work that is being added, the last one */
    uint32_t first_work, now;        /* the first of it, and the one that accesses memory */
    uint32_t first_record;           /* of it */
    uint64_t cells;                  /* that were allocated, about */
    uint64_t learnt[GPU_CLOCK_SIZE]; /* what it may have learnt by its own loads, as a clock */
    gpu_conflict conflicts[GPU_CONFLICTS];
    uint32_t n_conflicts;
} gpu_order;

/* `fail` is called when memory runs out, as by arenas. */
void
gpu_order_init(gpu_order *o, void (*fail)(void *user), void *fail_user);
void
gpu_order_free(gpu_order *o);

/* Drops the history. */
void
gpu_order_forget(gpu_order *o);

/* A submission begins, for which all is over that `start` says. */
void
gpu_order_begin(gpu_order_ring *r, const gpu_clock *start, uint64_t submission);

/* The submission is over; `*end` becomes what those know who wait for it. */
void
gpu_order_end(const gpu_order *o, gpu_order_ring *r, gpu_clock *end);

/* The ring has executed a packet with these GPU_POINT_*. */
void
gpu_order_pass(const gpu_order *o, gpu_order_ring *r, uint32_t points);

/* A dispatch begins: `work` needs only what its packet says: `number`, `entry`, `wave_size`,
 * `at`. Then it tells what it has accessed (amd_emu_dispatch.touched). */
void
gpu_order_dispatch(gpu_order *o, const gpu_order_ring *r, const gpu_work *work);
void
gpu_order_touched(void *order, const amd_emu_touch *t);

/* The same for a draw, of whose programs `parts` has `entry` and `wave_size`. */
void
gpu_order_draw(gpu_order *o, const gpu_order_ring *r, const gpu_work parts[AMD_DRAW_PARTS]);
void
gpu_order_drawn(void *order, amd_draw_part part, const amd_emu_touch *t);

/* A packet accesses memory. */
void
gpu_order_packet(gpu_order *o, gpu_order_ring *r, const gpu_packet_access *a);

/* The conflicts of the last dispatch, draw or packet; their number is returned. */
uint32_t
gpu_order_conflicts(gpu_order *o, gpu_conflict **out);

#endif
