/* Captures of jobs, as they begin and when they have ended. */
#include "gpu/device/internal.h"

#include <stdio.h>
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
number_of(gpu_ring *ring, gpu_buffer *b)
{
    gpu_capture *c = &ring->recording.capture;
    uint32_t k = 0;
    while (k < c->n_buffers && c->buffers[k].host != b->host)
        k++;
    if (k < c->n_buffers)
        return k;
    gpu_device_hold(ring->device, b);
    gpu_capture_buffer *own = &c->buffers[c->n_buffers++];
    *own = (gpu_capture_buffer){
        .host = b->host, .size = b->size, .next_data = b->next_data, .user = b};
    memcpy(own->name, b->name, sizeof own->name);
    return k;
}

/* Is the range among those of the capture? If it covers a part of one, something is missed. */
static bool
is_known(gpu_recording *r, uint64_t address, const gpu_range *range)
{
    for (uint32_t k = 0; k < r->capture.n_ranges; k++) {
        const gpu_capture_range *o = &r->capture.ranges[k];
        bool same = o->address == address && o->size == range->size &&
                    r->capture.buffers[o->buffer].host == range->buffer->host &&
                    o->offset == range->offset;
        if (!same && o->address < address + range->size && address < o->address + o->size)
            r->misses = same = true;
        if (same)
            return true;
    }
    return false;
}

/* The job's memory as the emulator has it: what the capture has not yet. */
static void
add_memory(gpu_ring *ring)
{
    gpu_recording *r = &ring->recording;
    gpu_capture *c = &r->capture;
    const mach_memory *m = &ring->memory.m;
    gpu_capture_range *ranges = ARENA_ARRAY(&r->a, c->n_ranges + m->count + 1, gpu_capture_range);
    gpu_capture_buffer *buffers = ARENA_ARRAY(&r->a, c->n_buffers + m->count + 1,
                                              gpu_capture_buffer);
    if (c->n_ranges)
        memcpy(ranges, c->ranges, c->n_ranges * sizeof *ranges);
    if (c->n_buffers)
        memcpy(buffers, c->buffers, c->n_buffers * sizeof *buffers);
    c->ranges = ranges;
    c->buffers = buffers;
    for (size_t k = 0; k < m->count; k++) {
        uint64_t address = m->regions[k]->base;
        const gpu_range *range = range_of(ring, r->job, m->regions[k]);
        if (range && !is_known(r, address, range))
            ranges[c->n_ranges++] = (gpu_capture_range){
                address, range->size, number_of(ring, range->buffer), range->offset};
    }
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
    gpu_shader *all = ARENA_ARRAY(&ring->recording.a, n + 1, gpu_shader);
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
    *r = (gpu_recording){.file = o ? o->open(o->user, j->number) : NULL, .job = j};
    if (!r->file)
        return;
    const arena *like = &ring->memory.a;
    arena_init(&r->a, &base_malloc_allocator, like->fail, like->fail_user);
    r->capture = (gpu_capture){.chip = ring->device->chip,
                               .submission = j->number,
                               .is_copy = ring->kind == GPU_RING_COPY,
                               .seed = options->launch.seed,
                               .limit = options->launch.limit,
                               .cp = ring->cp,
                               .ibs = j->ibs,
                               .n_ibs = j->n_ibs};
    snprintf(r->capture.ring, sizeof r->capture.ring, "%s", ring->name);
    add_memory(ring);
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
        uint64_t *more = ARENA_ARRAY(&r->a, cap, uint64_t);
        if (r->n_clock)
            memcpy(more, r->clock, r->n_clock * sizeof *more);
        r->clock = more;
        r->cap = cap;
    }
    r->clock[r->n_clock++] = clock;
}

void
gpu_record_wait(gpu_ring *ring)
{
    gpu_recording *r = &ring->recording;
    if (r->file && !r->pages)
        r->pages = gpu_capture_pages(&r->capture, &r->a);
}

void
gpu_record_go_on(gpu_ring *ring)
{
    const gpu_device_capture *o = ring->device->options.capture;
    gpu_recording *r = &ring->recording;
    const gpu_capture_change change = {.packet = ring->cp.fault.address,
                                       .pages = r->pages,
                                       .n_buffers = r->capture.n_buffers,
                                       .n_ranges = r->capture.n_ranges};
    if (!r->file || !r->pages)
        return;
    add_memory(ring);
    gpu_capture_go_on(&r->capture, &change, o->put, r->file);
    r->pages = NULL;
}

void
gpu_record_end(gpu_ring *ring, gpu_cp_status status)
{
    const gpu_device_capture *o = ring->device->options.capture;
    gpu_recording *r = &ring->recording;
    if (!r->file)
        return;
    r->capture.end.waited = status == GPU_CP_WAITING || r->misses;
    r->capture.end.failed = status == GPU_CP_FAULT;
    r->capture.end.fault = ring->cp.fault;
    r->capture.end.clock = r->clock;
    r->capture.end.n_clock = r->n_clock;
    gpu_capture_finish(&r->capture, o->put, r->file);
    o->close(r->file);
    for (uint32_t k = 0; k < r->capture.n_buffers; k++)
        gpu_device_drop(ring->device, r->capture.buffers[k].user);
    arena_free(&r->a);
    *r = (gpu_recording){0};
}
