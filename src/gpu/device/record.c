/* Captures of jobs, as they begin and when they have ended. */
#include "gpu/device/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The range of one of the job's two spaces that a region of its memory shows; NULL: none. */
static const gpu_range *
range_of(const gpu_ring *ring, const gpu_job *j, const mach_region *region)
{
    const gpu_space *spaces[] = {&j->space, &ring->memory.now};
    for (unsigned s = 0; s < 2; s++) {
        for (uint32_t k = 0; k < spaces[s]->count; k++) {
            const gpu_range *r = &spaces[s]->ranges[k];
            if (mach_canonical(r->address) == region->base && r->size == region->size &&
                r->buffer->host + r->offset == region->host)
                return r;
        }
    }
    return NULL;
}

/* The number of a buffer among those of the capture, which it joins if it is new. */
static uint32_t
number_of(gpu_capture *c, gpu_buffer *b)
{
    uint32_t k = 0;
    while (k < c->n_buffers && c->buffers[k].host != b->host)
        k++;
    if (k < c->n_buffers)
        return k;
    gpu_capture_buffer *own = &c->buffers[c->n_buffers++];
    *own = (gpu_capture_buffer){
        .host = b->host, .size = b->size, .next_data = b->next_data, .user = b};
    memcpy(own->name, b->name, sizeof own->name);
    return k;
}

/* The job's memory as the emulator has it. */
static void
add_memory(gpu_ring *ring, const gpu_job *j, gpu_capture *c)
{
    const mach_memory *m = &ring->memory.m;
    gpu_capture_range *ranges = ARENA_ARRAY(&ring->memory.a, m->count + 1, gpu_capture_range);
    c->buffers = ARENA_ARRAY(&ring->memory.a, m->count + 1, gpu_capture_buffer);
    for (size_t k = 0; k < m->count; k++) {
        const gpu_range *r = range_of(ring, j, m->regions[k]);
        if (r)
            ranges[c->n_ranges++] = (gpu_capture_range){m->regions[k]->base, r->size,
                                                        number_of(c, r->buffer), r->offset};
    }
    c->ranges = ranges;
}

static void
add_shaders(gpu_ring *ring, gpu_capture *c)
{
    enum { MOST = 4096 };
    const gpu_device_capture *o = ring->device->options.capture;
    gpu_shader one;
    uint32_t n = 0;
    while (o->shader && n < MOST && o->shader(o->user, n, &one))
        n++;
    gpu_shader *all = ARENA_ARRAY(&ring->memory.a, n + 1, gpu_shader);
    for (uint32_t k = 0; k < n && o->shader(o->user, k, &all[k]); k++)
        c->n_shaders = k + 1;
    c->shaders = all;
}

void
gpu_record_begin(gpu_ring *ring, const gpu_job *j)
{
    const gpu_device_options *options = &ring->device->options;
    const gpu_device_capture *o = options->capture;
    gpu_recording *r = &ring->recording;
    bool is_copy = ring->kind == GPU_RING_COPY; /* captures have command processors' state */
    *r = (gpu_recording){.file = o && !is_copy ? o->open(o->user, j->number) : NULL};
    if (!r->file)
        return;
    r->capture = (gpu_capture){.chip = ring->device->chip,
                               .submission = j->number,
                               .seed = options->launch.seed,
                               .limit = options->launch.limit,
                               .cp = ring->cp,
                               .ibs = j->ibs,
                               .n_ibs = j->n_ibs};
    snprintf(r->capture.ring, sizeof r->capture.ring, "%s", ring->name);
    add_memory(ring, j, &r->capture);
    add_shaders(ring, &r->capture);
    gpu_capture_write(&r->capture, o->put, r->file);
}

void
gpu_record_clock(gpu_ring *ring, uint64_t clock)
{
    gpu_recording *r = &ring->recording;
    if (!r->file)
        return;
    if (r->n_clock == r->cap) {
        uint32_t cap = r->cap ? r->cap * 2 : 16;
        uint64_t *more = realloc(r->clock, cap * sizeof *more);
        if (!more)
            return;
        r->clock = more;
        r->cap = cap;
    }
    r->clock[r->n_clock++] = clock;
}

void
gpu_record_end(gpu_ring *ring, gpu_cp_status status)
{
    const gpu_device_capture *o = ring->device->options.capture;
    gpu_recording *r = &ring->recording;
    if (!r->file)
        return;
    r->capture.end.waited = status == GPU_CP_WAITING; /* what it waits for is not captured */
    r->capture.end.failed = status == GPU_CP_FAULT;
    r->capture.end.fault = ring->cp.fault;
    r->capture.end.clock = r->clock;
    r->capture.end.n_clock = r->n_clock;
    gpu_capture_finish(&r->capture, o->put, r->file);
    o->close(r->file);
    free(r->clock);
    *r = (gpu_recording){0};
}
