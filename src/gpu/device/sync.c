#include "gpu/device/sync.h"

#include <stdlib.h>
#include <string.h>

gpu_fence *
gpu_fence_new(bool signalled)
{
    gpu_fence *f = malloc(sizeof *f);
    if (f)
        *f = (gpu_fence){.holders = 1, .signalled = signalled};
    return f;
}

void
gpu_fence_drop(gpu_fence *f)
{
    if (f && --f->holders == 0)
        free(f);
}

void
gpu_syncs_free(gpu_syncs *s)
{
    for (uint32_t k = 0; k < s->count; k++) {
        gpu_sync_reset(&s->all[k]);
        free(s->all[k].points);
    }
    free(s->all);
    *s = (gpu_syncs){0};
}

uint32_t
gpu_sync_new(gpu_syncs *s)
{
    uint32_t k = 1; /* 0 is no handle */
    while (k < s->count && s->all[k].used)
        k++;
    if (k >= s->count) {
        uint32_t count = s->count ? s->count * 2 : 64;
        gpu_sync *all = realloc(s->all, count * sizeof *all);
        if (!all)
            return 0;
        memset(all + s->count, 0, (count - s->count) * sizeof *all);
        s->all = all;
        s->count = count;
    }
    s->all[k].used = true;
    return k;
}

gpu_sync *
gpu_sync_of(gpu_syncs *s, uint32_t handle)
{
    return handle && handle < s->count && s->all[handle].used ? &s->all[handle] : NULL;
}

void
gpu_sync_reset(gpu_sync *o)
{
    for (uint32_t k = 0; k < o->count; k++)
        gpu_fence_drop(o->points[k].fence);
    o->count = 0;
    o->reached = 0;
}

void
gpu_sync_remove(gpu_sync *o)
{
    gpu_sync_reset(o);
    o->used = false;
}

/* Forgets points that were reached, but for the last. */
static void
settle(gpu_sync *o)
{
    uint32_t done = 0;
    while (done < o->count && o->points[done].fence->signalled)
        o->reached = o->points[done++].value;
    done -= done > 0;
    for (uint32_t k = 0; k < done; k++)
        gpu_fence_drop(o->points[k].fence);
    o->count -= done;
    if (done)
        memmove(o->points, o->points + done, o->count * sizeof *o->points);
}

bool
gpu_sync_set(gpu_sync *o, uint64_t point, gpu_fence *f)
{
    settle(o);
    if (o->count == o->cap) {
        uint32_t cap = o->cap ? o->cap * 2 : 4;
        gpu_point *points = realloc(o->points, cap * sizeof *points);
        if (!points)
            return false;
        o->points = points;
        o->cap = cap;
    }
    f->holders++;
    if (!point)
        gpu_sync_reset(o);
    /* a point behind its time joins the last one, as in the kernel */
    uint64_t last = o->count ? o->points[o->count - 1].value : 0;
    o->points[o->count++] = (gpu_point){point > last ? point : last, f};
    return true;
}

gpu_fence *
gpu_sync_fence(const gpu_sync *o, uint64_t point)
{
    if (!o->count)
        return NULL;
    for (uint32_t k = 0; point && k < o->count; k++) {
        if (o->points[k].value >= point)
            return o->points[k].fence;
    }
    return point ? NULL : o->points[o->count - 1].fence;
}

bool
gpu_sync_is_reached(gpu_sync *o, uint64_t point)
{
    settle(o);
    if (point)
        return o->reached >= point;
    return o->count && o->points[o->count - 1].fence->signalled &&
           o->points[o->count - 1].value == o->reached;
}

uint64_t
gpu_sync_reached(gpu_sync *o)
{
    settle(o);
    return o->reached;
}
