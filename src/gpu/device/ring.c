/* A ring: a thread that executes jobs.
 *
 * The device's `lock` guards the space, sync objects, queues and jobs; `engine` is held by the ring
 * that executes packets. A ring never takes `engine` while it holds `lock`.
 */
#define _POSIX_C_SOURCE 200809L

#include "base/diag.h"
#include "gpu/device/internal.h"
#include "gpu/sdma/sdma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void
gpu_job_drop(gpu_job *j)
{
    for (uint32_t k = 0; k < j->n_waits; k++)
        gpu_fence_drop(j->waits[k]);
    gpu_fence_drop(j->fence);
    if (j->sequence_buffer)
        gpu_buffer_drop(j->sequence_buffer);
    gpu_space_free(&j->space);
    free(j->waits);
    free(j->ibs);
    free(j);
}

static void
take(gpu_ring *ring, pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    ring->held = lock;
}

static void
give(gpu_ring *ring)
{
    if (ring->held)
        pthread_mutex_unlock(ring->held);
    ring->held = NULL;
}

/* ---- hooks of the command processor ---- */

static gpu_launch_order
order_of(gpu_ring *ring)
{
    gpu_device *d = ring->device;
    return (gpu_launch_order){d->has_order ? &d->order : NULL, &ring->order};
}

static bool
run_dispatch(void *user, const gpu_dispatch *dispatch, mach_memory *m, gpu_fault *fault)
{
    gpu_ring *ring = user;
    gpu_run run = {.ring = ring->name, .submission = ring->job};
    const gpu_launch_place place = {order_of(ring), m};
    return gpu_launch(&ring->device->options.launch, &run, dispatch, &place, fault);
}

static void
see_access(void *user, const gpu_packet_access *a)
{
    gpu_ring *ring = user;
    const gpu_launch_order order = order_of(ring);
    gpu_launch_access(&ring->device->options.launch, &order, &ring->memory.m, a);
}

static void
see_points(void *user, uint32_t points)
{
    gpu_ring *ring = user;
    gpu_order_pass(&ring->device->order, &ring->order, points);
}

static bool
run_draw(void *user, const gpu_draw *draw, mach_memory *m, gpu_fault *fault)
{
    gpu_ring *ring = user;
    gpu_run run = {.ring = ring->name, .submission = ring->job};
    const gpu_launch_place place = {order_of(ring), m};
    return gpu_launch_draw(&ring->device->options.launch, &run, draw, &place, fault);
}

static void
see_resumed(void *user)
{
    gpu_record_go_on(user);
}

static uint64_t
tell_clock(void *user)
{
    uint64_t clock = gpu_device_clock();
    gpu_record_clock(user, clock);
    return clock;
}

static void
see_packet(void *user, const gpu_packet *p, uint64_t address)
{
    const gpu_device_options *o = &((const gpu_ring *)user)->device->options;
    o->packet(o->user, p, address);
}

static void
see_copy_packet(void *user, const gpu_copy_packet *p, uint64_t address)
{
    const gpu_device_options *o = &((const gpu_ring *)user)->device->options;
    o->copy_packet(o->user, p, address);
}

/* ---- jobs ---- */

static void
take_memory(gpu_ring *ring, const gpu_job *j, diag *error)
{
    gpu_device *d = ring->device;
    gpu_job_memory *mem = &ring->memory;
    arena_init(&mem->a, &base_malloc_allocator, diag_out_of_memory, error);
    mach_memory_init(&mem->m, &mem->a);
    gpu_space_show(&j->space, &mem->m);
    take(ring, &d->lock);
    bool ok = d->space.changes == j->space.changes || gpu_space_copy(&d->space, &mem->now);
    give(ring);
    if (!ok)
        diag_out_of_memory(error);
    gpu_space_show(&mem->now, &mem->m);
}

static void
give_memory(gpu_ring *ring)
{
    take(ring, &ring->device->lock);
    gpu_space_free(&ring->memory.now);
    give(ring);
    arena_free(&ring->memory.a);
}

/* Sleeps while a packet waits. False if it has waited too long, or nothing matters any more. */
static bool
sleep_while_waiting(gpu_device *d, uint64_t since)
{
    enum { POLL = 200000 /* ns */, DEFAULT_SECONDS = 60, TICKS = 100000000 };
    const struct timespec t = {.tv_nsec = POLL};
    uint64_t most = d->options.seconds_of_wait ? d->options.seconds_of_wait : DEFAULT_SECONDS;
    nanosleep(&t, NULL);
    pthread_mutex_lock(&d->lock);
    bool goes_on = !d->closing;
    pthread_mutex_unlock(&d->lock);
    return goes_on && gpu_device_clock() - since < most * TICKS;
}

/* Takes the memory anew if the driver has mapped something since. */
static void
renew_memory(gpu_ring *ring, const gpu_job *j, diag *error)
{
    gpu_device *d = ring->device;
    const gpu_space *now = &ring->memory.now;
    pthread_mutex_lock(&d->lock);
    bool is_old = d->space.changes != (now->ranges ? now->changes : j->space.changes);
    pthread_mutex_unlock(&d->lock);
    if (!is_old)
        return;
    give_memory(ring);
    take_memory(ring, j, error);
}

static gpu_cp_status
execute_packets(gpu_ring *ring, const gpu_job *j, diag *error)
{
    gpu_device *d = ring->device;
    uint64_t since = 0;
    ring->job = j->number;
    gpu_cp_start(&ring->cp, &ring->memory.m, j->ibs, j->n_ibs);
    take(ring, &d->engine);
    gpu_record_begin(ring, j);
    gpu_order_begin(&ring->order, &j->start, j->number);
    for (;;) {
        d->order.a.fail_user = d->order.draw.fail_user = error;
        gpu_cp_status status = ring->kind == GPU_RING_COPY
                                   ? gpu_sdma_run(&ring->cp, d->chip->sdma_version)
                                   : gpu_cp_run(&ring->cp);
        if (status == GPU_CP_WAITING)
            gpu_record_wait(ring);
        else
            gpu_record_end(ring, status);
        give(ring);
        if (status != GPU_CP_WAITING)
            return status;
        since = since ? since : gpu_device_clock();
        if (!sleep_while_waiting(d, since))
            break;
        renew_memory(ring, j, error);
        take(ring, &d->engine);
    }
    take(ring, &d->engine);
    gpu_record_end(ring, GPU_CP_WAITING);
    give(ring);
    return GPU_CP_WAITING;
}

static void
lose_context(gpu_ring *ring, uint32_t context)
{
    gpu_device *d = ring->device;
    pthread_mutex_lock(&d->lock);
    bool first = !d->lost[context] && !d->closing;
    d->lost[context] = true;
    pthread_mutex_unlock(&d->lock);
    if (first && d->options.lost)
        d->options.lost(d->options.user, ring->name, &ring->cp.fault);
}

/* Has no ring another job than the one that `ring` executes? */
static bool
is_alone(const gpu_device *d, const gpu_ring *ring)
{
    for (unsigned k = 0; k < GPU_RING_KINDS; k++) {
        for (unsigned r = 0; r < GPU_RINGS_OF_KIND; r++) {
            const gpu_ring *other = &d->rings[k][r];
            if (other == ring ? other->first->next != NULL : other->first != NULL)
                return false;
        }
    }
    return true;
}

/* The job's work is over. If nobody else works, nobody needs to know what it did. */
static void
end_order(gpu_ring *ring)
{
    gpu_device *d = ring->device;
    pthread_mutex_lock(&d->engine);
    pthread_mutex_lock(&d->lock);
    gpu_order_end(&d->order, &ring->order, &ring->ended);
    if (is_alone(d, ring))
        gpu_order_forget(&d->order);
    pthread_mutex_unlock(&d->lock);
    pthread_mutex_unlock(&d->engine);
}

static void
execute_job(gpu_ring *ring, const gpu_job *j)
{
    diag error;
    diag_init(&error);
    if (DIAG_TRY(&error)) {
        take_memory(ring, j, &error);
        if (execute_packets(ring, j, &error) != GPU_CP_DONE)
            lose_context(ring, j->context);
    } else {
        gpu_record_end(ring, GPU_CP_FAULT);
        give(ring);
        snprintf(ring->cp.fault.message, sizeof ring->cp.fault.message, "%.200s", error.message);
        lose_context(ring, j->context);
    }
    give_memory(ring);
    end_order(ring);
}

/* Is every fence signalled that the job waits for? */
static bool
may_begin(const gpu_job *j)
{
    for (uint32_t k = 0; k < j->n_waits; k++) {
        if (!j->waits[k]->signalled)
            return false;
    }
    return true;
}

/* Signals the job's fence and takes it from its ring. */
static void
finish_first(gpu_ring *ring)
{
    gpu_job *j = ring->first;
    gpu_buffer *b = j->sequence_buffer;
    ring->first = j->next;
    if (!ring->first)
        ring->last = NULL;
    j->fence->signalled = true;
    j->fence->clock = ring->ended;
    if (b && j->sequence_offset <= b->size && b->size - j->sequence_offset >= sizeof j->number)
        memcpy(b->host + j->sequence_offset, &j->number, sizeof j->number);
    gpu_job_drop(j);
    pthread_cond_broadcast(&ring->device->changed);
}

static void *
ring_main(void *user)
{
    gpu_ring *ring = user;
    gpu_device *d = ring->device;
    pthread_mutex_lock(&d->lock);
    while (!d->closing) {
        gpu_job *j = ring->first;
        if (!j || !(may_begin(j) || d->lost[j->context])) {
            gpu_device_wait_change(d, UINT64_MAX);
            continue;
        }
        bool lost = d->lost[j->context];
        for (uint32_t k = 0; k < j->n_waits; k++)
            gpu_clock_join(&j->start, &j->waits[k]->clock);
        pthread_mutex_unlock(&d->lock);
        if (!lost)
            execute_job(ring, j);
        pthread_mutex_lock(&d->lock);
        finish_first(ring);
    }
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

bool
gpu_ring_start(gpu_ring *ring)
{
    gpu_device *d = ring->device;
    const gpu_cp_hooks hooks = {.dispatch = run_dispatch,
                                .draw = run_draw,
                                .clock = tell_clock,
                                .packet = d->options.packet ? see_packet : NULL,
                                .copy_packet = d->options.copy_packet ? see_copy_packet : NULL,
                                .resumed = d->options.capture ? see_resumed : NULL,
                                .accesses = d->has_order ? see_access : NULL,
                                .passes = d->has_order ? see_points : NULL,
                                .user = ring};
    if (!gpu_cp_init(&ring->cp, d->chip->processor, &hooks, &d->a))
        return false;
    ring->cp.backends = d->chip->backends;
    ring->started = pthread_create(&ring->thread, NULL, ring_main, ring) == 0;
    return ring->started;
}

void
gpu_ring_stop(gpu_ring *ring)
{
    if (ring->started)
        pthread_join(ring->thread, NULL);
    while (ring->first) {
        gpu_job *j = ring->first;
        ring->first = j->next;
        gpu_job_drop(j);
    }
}
