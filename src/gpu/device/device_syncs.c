/* Sync objects of the device, with its lock. */
#include "gpu/device/internal.h"

uint32_t
gpu_device_new_sync(gpu_device *d, bool signalled)
{
    pthread_mutex_lock(&d->lock);
    uint32_t handle = gpu_sync_new(&d->syncs);
    pthread_mutex_unlock(&d->lock);
    if (handle && signalled && !gpu_device_signal(d, (gpu_sync_point){handle, 0})) {
        gpu_device_remove_sync(d, handle);
        return 0;
    }
    return handle;
}

/* What changes an object; `point` is unused by some. */
typedef bool
change_sync(gpu_sync *o, uint64_t point);

static bool
change(gpu_device *d, gpu_sync_point p, change_sync *how)
{
    pthread_mutex_lock(&d->lock);
    gpu_sync *o = gpu_sync_of(&d->syncs, p.handle);
    bool ok = o && how(o, p.point);
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    return ok;
}

static bool
remove_one(gpu_sync *o, uint64_t point)
{
    (void)point;
    gpu_sync_remove(o);
    return true;
}

static bool
reset_one(gpu_sync *o, uint64_t point)
{
    (void)point;
    gpu_sync_reset(o);
    return true;
}

static bool
signal_one(gpu_sync *o, uint64_t point)
{
    gpu_fence *f = gpu_fence_new(true);
    bool ok = f && gpu_sync_set(o, point, f);
    gpu_fence_drop(f);
    return ok;
}

bool
gpu_device_remove_sync(gpu_device *d, uint32_t handle)
{
    return change(d, (gpu_sync_point){handle, 0}, remove_one);
}

bool
gpu_device_reset_sync(gpu_device *d, uint32_t handle)
{
    return change(d, (gpu_sync_point){handle, 0}, reset_one);
}

bool
gpu_device_signal(gpu_device *d, gpu_sync_point p)
{
    return change(d, p, signal_one);
}

bool
gpu_device_query_sync(gpu_device *d, uint32_t handle, bool last_submitted, uint64_t *point)
{
    pthread_mutex_lock(&d->lock);
    gpu_sync *o = gpu_sync_of(&d->syncs, handle);
    if (o)
        *point = gpu_sync_reached(o);
    if (o && last_submitted && o->count)
        *point = o->points[o->count - 1].value;
    pthread_mutex_unlock(&d->lock);
    return o != NULL;
}

bool
gpu_device_transfer_sync(gpu_device *d, gpu_sync_point to, gpu_sync_point from)
{
    pthread_mutex_lock(&d->lock);
    gpu_sync *source = gpu_sync_of(&d->syncs, from.handle);
    gpu_sync *target = gpu_sync_of(&d->syncs, to.handle);
    gpu_fence *f = source ? gpu_sync_fence(source, from.point) : NULL;
    bool ok = f && target && gpu_sync_set(target, to.point, f);
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    return ok;
}

/* What a wait has found. */
typedef struct wait_state {
    uint32_t done;
    bool invalid;
} wait_state;

static wait_state
look(gpu_device *d, const gpu_sync_wait *w, uint32_t *first)
{
    wait_state s = {0};
    for (uint32_t k = w->count; k-- > 0;) {
        gpu_sync *o = gpu_sync_of(&d->syncs, w->points[k].handle);
        const gpu_fence *f = o ? gpu_sync_fence(o, w->points[k].point) : NULL;
        if (!o || (!f && !w->for_submit)) {
            s.invalid = true;
        } else if (w->available ? f != NULL : gpu_sync_is_reached(o, w->points[k].point)) {
            s.done++;
            *first = k;
        }
    }
    return s;
}

gpu_wait_result
gpu_device_wait_syncs(gpu_device *d, const gpu_sync_wait *w, uint32_t *first)
{
    uint32_t index = 0;
    bool in_time = true, ended = false;
    wait_state s = {0};
    pthread_mutex_lock(&d->lock);
    while (!ended && in_time) {
        s = look(d, w, &index);
        ended = s.invalid || (w->all ? s.done == w->count : s.done > 0);
        if (!ended)
            in_time = w->deadline > 0 && gpu_device_wait_change(d, (uint64_t)w->deadline);
    }
    pthread_mutex_unlock(&d->lock);
    if (first)
        *first = index;
    return s.invalid ? GPU_WAIT_INVALID : ended ? GPU_WAIT_OK : GPU_WAIT_TIMEOUT;
}
