/* Fences and sync objects, as the kernel's drm_syncobj has them.
 *
 * A fence is signalled once, when a job is over. A sync object holds fences by points of a
 * timeline; a binary one holds one fence, at point 0. A point is reached when its fence and those
 * of all points before it are signalled. Nothing here is locked.
 */
#ifndef GPU_DEVICE_SYNC_H
#define GPU_DEVICE_SYNC_H

#include "gpu/order/clock.h"

#include <stdbool.h>

typedef struct gpu_fence {
    uint32_t holders;
    bool signalled;
    gpu_clock clock; /* what is over when it is signalled */
} gpu_fence;

typedef struct gpu_point {
    uint64_t value;
    gpu_fence *fence;
} gpu_point;

typedef struct gpu_sync {
    bool used;
    uint64_t reached;  /* the last point that was reached */
    gpu_point *points; /* by ascending value; of those that were reached the last alone */
    uint32_t count, cap;
} gpu_sync;

/* All sync objects of a device, by their handles. */
typedef struct gpu_syncs {
    gpu_sync *all;
    uint32_t count;
} gpu_syncs;

/* A fence with one holder; NULL if there is no memory. */
gpu_fence *
gpu_fence_new(bool signalled);
void
gpu_fence_drop(gpu_fence *f);

void
gpu_syncs_free(gpu_syncs *s);

/* Makes a sync object without a fence. Returns its handle, or 0 if there is no memory. */
uint32_t
gpu_sync_new(gpu_syncs *s);

/* The object with a handle; NULL if there is none. */
gpu_sync *
gpu_sync_of(gpu_syncs *s, uint32_t handle);

/* Takes all fences from the object; and removes the object. */
void
gpu_sync_reset(gpu_sync *o);
void
gpu_sync_remove(gpu_sync *o);

/* Gives the object a fence, which it holds: at a point of its timeline, or, for 0, in place of all
 * that it has. False if there is no memory. */
bool
gpu_sync_set(gpu_sync *o, uint64_t point, gpu_fence *f);

/* The fence of the first point that is not before `point`, for 0 of the last; NULL if no such point
 * was set yet. */
gpu_fence *
gpu_sync_fence(const gpu_sync *o, uint64_t point);

/* Was the point reached? */
bool
gpu_sync_is_reached(gpu_sync *o, uint64_t point);

/* The last point that was reached. */
uint64_t
gpu_sync_reached(gpu_sync *o);

#endif
