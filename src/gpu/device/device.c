/* The device: memory and submission. */
#define _POSIX_C_SOURCE 200809L

#include "gpu/device/device.h"

#include "base/diag.h"
#include "gpu/device/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t
gpu_device_clock(void)
{
    enum { TICKS = 100000000, NS_PER_TICK = 10 };
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * TICKS + (uint64_t)t.tv_nsec / NS_PER_TICK;
}

bool
gpu_device_wait_change(gpu_device *d, uint64_t deadline)
{
    if (deadline >= INT64_MAX)
        return pthread_cond_wait(&d->changed, &d->lock) == 0;
    struct timespec t = {.tv_sec = (time_t)(deadline / 1000000000u),
                         .tv_nsec = (long)(deadline % 1000000000u)};
    return pthread_cond_timedwait(&d->changed, &d->lock, &t) == 0;
}

/* ---- making and freeing ---- */

static bool
init_locks(gpu_device *d)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool ok = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(&d->changed, &attributes) == 0 &&
              pthread_mutex_init(&d->lock, NULL) == 0 && pthread_mutex_init(&d->engine, NULL) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
}

static bool
start_rings(gpu_device *d)
{
    static const char *const kinds[GPU_RING_KINDS] = {"graphics", "compute", "copy"};
    diag error;
    diag_init(&error);
    if (!DIAG_TRY(&error))
        return false;
    arena_init(&d->a, &base_malloc_allocator, diag_out_of_memory, &error);
    bool ok = true;
    for (unsigned k = 0; k < GPU_RING_KINDS; k++) {
        for (unsigned r = 0; ok && r < GPU_RINGS_OF_KIND; r++) {
            gpu_ring *ring = &d->rings[k][r];
            ring->device = d;
            ring->kind = (gpu_ring_kind)k;
            snprintf(ring->name, sizeof ring->name, "%s %u", kinds[k], r);
            ring->order.index = k * GPU_RINGS_OF_KIND + r;
            memcpy(ring->order.name, ring->name, sizeof ring->order.name);
            ok = gpu_ring_start(ring);
        }
    }
    return ok;
}

gpu_device *
gpu_device_new(const gpu_chip *chip, const gpu_device_options *options)
{
    gpu_device *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->chip = chip;
    d->options = *options;
    d->has_order = gpu_follows_order(&options->launch);
    gpu_order_init(&d->order, diag_out_of_memory, NULL);
    if (!init_locks(d)) {
        free(d);
        return NULL;
    }
    if (start_rings(d))
        return d;
    gpu_device_free(d);
    return NULL;
}

void
gpu_device_free(gpu_device *d)
{
    pthread_mutex_lock(&d->lock);
    d->closing = true;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    for (unsigned k = 0; k < GPU_RING_KINDS; k++) {
        for (unsigned r = 0; r < GPU_RINGS_OF_KIND; r++)
            gpu_ring_stop(&d->rings[k][r]);
    }
    free(d->lost);
    gpu_space_free(&d->space);
    gpu_syncs_free(&d->syncs);
    arena_free(&d->a);
    gpu_order_free(&d->order);
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    pthread_mutex_destroy(&d->engine);
    free(d);
}

/* ---- memory ---- */

bool
gpu_device_map(gpu_device *d, const gpu_range *r)
{
    pthread_mutex_lock(&d->lock);
    bool ok = gpu_space_map(&d->space, r);
    pthread_mutex_unlock(&d->lock);
    return ok;
}

bool
gpu_device_unmap(gpu_device *d, uint64_t address, uint64_t size)
{
    pthread_mutex_lock(&d->lock);
    bool ok = gpu_space_unmap(&d->space, address, size);
    pthread_mutex_unlock(&d->lock);
    return ok;
}

static bool
look_at(const gpu_space *s, gpu_device_looker *look, void *user)
{
    arena a;
    mach_memory m;
    diag error;
    diag_init(&error);
    if (!DIAG_TRY(&error))
        return false;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &error);
    mach_memory_init(&m, &a);
    gpu_space_show(s, &m);
    look(user, &m);
    arena_free(&a);
    return true;
}

bool
gpu_device_look(gpu_device *d, gpu_device_looker *look, void *user)
{
    gpu_space now;
    pthread_mutex_lock(&d->lock);
    bool ok = gpu_space_copy(&d->space, &now);
    pthread_mutex_unlock(&d->lock);
    if (!ok)
        return false;
    ok = look_at(&now, look, user);
    pthread_mutex_lock(&d->lock);
    gpu_space_free(&now);
    pthread_mutex_unlock(&d->lock);
    return ok;
}

void
gpu_device_hold(gpu_device *d, gpu_buffer *b)
{
    pthread_mutex_lock(&d->lock);
    gpu_buffer_hold(b);
    pthread_mutex_unlock(&d->lock);
}

void
gpu_device_drop(gpu_device *d, gpu_buffer *b)
{
    pthread_mutex_lock(&d->lock);
    gpu_buffer_drop(b);
    pthread_mutex_unlock(&d->lock);
}

/* ---- submission ---- */

/* The number of fences behind the points that a job waits for; UINT32_MAX if a point has none. */
static uint32_t
count_waits(gpu_device *d, const gpu_submission *s)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->n_waits; k++) {
        const gpu_sync *o = gpu_sync_of(&d->syncs, s->waits[k].handle);
        if (!o || !gpu_sync_fence(o, s->waits[k].point))
            return UINT32_MAX;
        n += o->count;
    }
    return n;
}

/* A point is reached with its fence and all before it. */
static void
take_waits(gpu_device *d, const gpu_submission *s, gpu_job *j)
{
    for (uint32_t k = 0; k < s->n_waits; k++) {
        const gpu_sync *o = gpu_sync_of(&d->syncs, s->waits[k].handle);
        const gpu_fence *last = gpu_sync_fence(o, s->waits[k].point);
        for (uint32_t p = 0; p < o->count; p++) {
            o->points[p].fence->holders++;
            j->waits[j->n_waits++] = o->points[p].fence;
            if (o->points[p].fence == last)
                break;
        }
    }
}

static bool
signals_exist(gpu_device *d, const gpu_submission *s)
{
    for (uint32_t k = 0; k < s->n_signals; k++) {
        if (!gpu_sync_of(&d->syncs, s->signals[k].handle))
            return false;
    }
    return true;
}

/* A job without its place in a ring; NULL if there is no memory. */
static gpu_job *
make_job(gpu_device *d, const gpu_submission *s, uint32_t n_waits)
{
    gpu_job *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->ibs = malloc((s->n_ibs + 1) * sizeof *j->ibs);
    j->waits = malloc((n_waits + 1) * sizeof(gpu_fence *));
    j->fence = gpu_fence_new(false);
    if (!j->ibs || !j->waits || !j->fence || !gpu_space_copy(&d->space, &j->space)) {
        gpu_job_drop(j);
        return NULL;
    }
    if (s->n_ibs)
        memcpy(j->ibs, s->ibs, s->n_ibs * sizeof *j->ibs);
    j->n_ibs = s->n_ibs;
    j->context = s->context;
    take_waits(d, s, j);
    j->sequence_buffer = s->sequence_buffer;
    j->sequence_offset = s->sequence_offset;
    if (j->sequence_buffer)
        gpu_buffer_hold(j->sequence_buffer);
    return j;
}

/* Gives the job's fence to the points that it signals. */
static bool
set_signals(gpu_device *d, const gpu_submission *s, gpu_job *j)
{
    for (uint32_t k = 0; k < s->n_signals; k++) {
        gpu_sync *o = gpu_sync_of(&d->syncs, s->signals[k].handle);
        if (!gpu_sync_set(o, s->signals[k].point, j->fence))
            return false;
    }
    return true;
}

/* The application may have seen of each ring that its jobs are over. */
static void
set_start(const gpu_device *d, gpu_job *j)
{
    for (unsigned k = 0; k < GPU_RING_KINDS; k++) {
        for (unsigned r = 0; r < GPU_RINGS_OF_KIND; r++)
            gpu_clock_join(&j->start, &d->rings[k][r].ended);
    }
}

static void
append(gpu_device *d, gpu_ring *ring, gpu_job *j)
{
    set_start(d, j);
    j->number = ++d->last_job;
    if (ring->last)
        ring->last->next = j;
    else
        ring->first = j;
    ring->last = j;
    pthread_cond_broadcast(&d->changed);
}

static gpu_submit_result
submit(gpu_device *d, const gpu_submission *s, uint64_t *number)
{
    uint32_t n_waits;
    if (s->kind >= GPU_RING_KINDS || s->ring >= GPU_RINGS_OF_KIND || !s->context ||
        s->context >= d->n_contexts)
        return GPU_SUBMIT_INVALID;
    /* as the kernel's flag WAIT_FOR_SUBMIT: others may still submit what this job waits for */
    while ((n_waits = count_waits(d, s)) == UINT32_MAX && !d->lost[s->context]) {
        for (uint32_t k = 0; k < s->n_waits; k++) {
            if (!gpu_sync_of(&d->syncs, s->waits[k].handle))
                return GPU_SUBMIT_INVALID;
        }
        gpu_device_wait_change(d, UINT64_MAX);
    }
    if (d->lost[s->context])
        return GPU_SUBMIT_LOST;
    if (!signals_exist(d, s))
        return GPU_SUBMIT_INVALID;
    gpu_job *j = make_job(d, s, n_waits);
    if (!j)
        return GPU_SUBMIT_NO_MEMORY;
    if (!set_signals(d, s, j)) {
        j->fence->signalled = true;
        gpu_job_drop(j);
        return GPU_SUBMIT_NO_MEMORY;
    }
    append(d, &d->rings[s->kind][s->ring], j);
    *number = j->number;
    return GPU_SUBMIT_OK;
}

gpu_submit_result
gpu_device_submit(gpu_device *d, const gpu_submission *s, uint64_t *number)
{
    pthread_mutex_lock(&d->lock);
    gpu_submit_result result = submit(d, s, number);
    pthread_mutex_unlock(&d->lock);
    return result;
}

/* Is a job with a number from `from` to `to` still in a ring? */
static bool
is_pending(const gpu_device *d, uint64_t from, uint64_t to)
{
    for (unsigned k = 0; k < GPU_RING_KINDS; k++) {
        for (unsigned r = 0; r < GPU_RINGS_OF_KIND; r++) {
            const gpu_job *j = d->rings[k][r].first;
            while (j && j->number < from)
                j = j->next;
            if (j && j->number <= to)
                return true;
        }
    }
    return false;
}

static bool
wait_jobs(gpu_device *d, uint64_t from, uint64_t to, uint64_t deadline)
{
    bool in_time = true;
    while (is_pending(d, from, to) && in_time)
        in_time = gpu_device_wait_change(d, deadline);
    return !is_pending(d, from, to);
}

bool
gpu_device_wait_job(gpu_device *d, uint64_t number, uint64_t deadline)
{
    pthread_mutex_lock(&d->lock);
    bool over = wait_jobs(d, number, number, deadline);
    pthread_mutex_unlock(&d->lock);
    return over;
}

bool
gpu_device_wait_all(gpu_device *d, uint64_t deadline)
{
    pthread_mutex_lock(&d->lock);
    bool over = wait_jobs(d, 0, d->last_job, deadline);
    pthread_mutex_unlock(&d->lock);
    return over;
}

uint32_t
gpu_device_new_context(gpu_device *d)
{
    enum { FIRST = 1 };
    pthread_mutex_lock(&d->lock);
    uint32_t context = d->n_contexts ? d->n_contexts : FIRST;
    bool *lost = realloc(d->lost, (context + 1) * sizeof *lost);
    if (lost) {
        lost[0] = true; /* no context */
        lost[context] = false;
        d->lost = lost;
        d->n_contexts = context + 1;
    }
    pthread_mutex_unlock(&d->lock);
    return lost ? context : 0;
}

bool
gpu_device_is_lost(gpu_device *d, uint32_t context)
{
    pthread_mutex_lock(&d->lock);
    bool lost = context >= d->n_contexts || d->lost[context];
    pthread_mutex_unlock(&d->lock);
    return lost;
}
