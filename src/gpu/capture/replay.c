#include "gpu/capture/replay.h"

#include "gpu/sdma/sdma.h"

#include <inttypes.h>
#include <stdio.h>

static bool
dispatch(void *user, const gpu_dispatch *d, mach_memory *m, gpu_fault *fault)
{
    gpu_replay *p = user;
    gpu_run run = {.ring = p->capture->ring, .submission = p->capture->submission};
    const gpu_launch_place place = {{p->has_order ? &p->order : NULL, &p->ring}, m};
    return gpu_launch(&p->launch, &run, d, &place, fault);
}

static void
see_access(void *user, const gpu_packet_access *a)
{
    gpu_replay *p = user;
    const gpu_launch_order order = {&p->order, &p->ring};
    gpu_launch_access(&p->launch, &order, &p->memory, a);
}

static void
see_points(void *user, uint32_t points)
{
    gpu_replay *p = user;
    gpu_order_pass(&p->order, &p->ring, points);
}

static bool
draw(void *user, const gpu_draw *d, mach_memory *m, gpu_fault *fault)
{
    gpu_replay *p = user;
    gpu_run run = {.ring = p->capture->ring, .submission = p->capture->submission};
    const gpu_launch_place place = {{p->has_order ? &p->order : NULL, &p->ring}, m};
    return gpu_launch_draw(&p->launch, &run, d, &place, fault);
}

/* The values that the clock had; behind the last it goes on by ones. */
static uint64_t
tell_clock(void *user)
{
    gpu_replay *p = user;
    const gpu_capture_end *e = &p->capture->end;
    uint32_t k = p->clock_at++;
    if (k < e->n_clock)
        return e->clock[k];
    return (e->n_clock ? e->clock[e->n_clock - 1] : 0) + (k - e->n_clock) + 1;
}

static void
see_packet(void *user, const gpu_packet *packet, uint64_t address)
{
    const gpu_replay *p = user;
    p->packet(p->launch.user, packet, address);
}

static void
see_copy_packet(void *user, const gpu_copy_packet *packet, uint64_t address)
{
    const gpu_replay *p = user;
    p->copy_packet(p->launch.user, packet, address);
}

bool
gpu_replay_open(gpu_replay *p, arena *a, gpu_capture *c, char message[160])
{
    p->capture = c;
    mach_memory_init(&p->memory, a);
    for (uint32_t k = 0; k < c->n_buffers; k++)
        c->buffers[k].host = arena_zalloc_sparse(a, c->buffers[k].size);
    gpu_capture_fill(c);
    for (uint32_t k = 0; k < c->n_ranges; k++) {
        const gpu_capture_range *g = &c->ranges[k];
        const gpu_capture_buffer *b = &c->buffers[g->buffer];
        if (!mach_memory_map(&p->memory, mach_canonical(g->address), g->size, b->host + g->offset,
                             b->name)) {
            snprintf(message, 160, "the range of %" PRIu64 " bytes at 0x%" PRIx64 " overlaps one",
                     g->size, g->address);
            return false;
        }
    }
    return true;
}

/* Executes packets until they are over or one waits. */
static gpu_cp_status
run(gpu_replay *p)
{
    gpu_capture *c = p->capture;
    return c->is_copy ? gpu_sdma_run(&c->cp, c->chip->sdma_version) : gpu_cp_run(&c->cp);
}

gpu_cp_status
gpu_replay_run(gpu_replay *p)
{
    gpu_cp *cp = &p->capture->cp;
    const gpu_clock start = {0};
    p->has_order = gpu_follows_order(&p->launch);
    cp->hooks = (gpu_cp_hooks){.dispatch = dispatch,
                               .draw = draw,
                               .clock = tell_clock,
                               .packet = p->packet ? see_packet : NULL,
                               .copy_packet = p->copy_packet ? see_copy_packet : NULL,
                               .accesses = p->has_order ? see_access : NULL,
                               .passes = p->has_order ? see_points : NULL,
                               .user = p};
    cp->backends = p->capture->chip->backends;
    gpu_order_init(&p->order, p->memory.arena->fail, p->memory.arena->fail_user);
    snprintf(p->ring.name, sizeof p->ring.name, "%s", p->capture->ring);
    gpu_order_begin(&p->ring, &start, p->capture->submission);
    gpu_cp_start(cp, &p->memory, p->capture->ibs, p->capture->n_ibs);
    p->status = run(p);
    for (uint32_t k = 0; p->status == GPU_CP_WAITING && k < p->capture->n_waits; k++) {
        gpu_capture_fill_wait(p->capture, &p->capture->waits[k]);
        p->status = run(p);
    }
    gpu_order_free(&p->order);
    return p->status;
}

bool
gpu_replay_shader(void *user, uint64_t address, gpu_shader *out)
{
    const gpu_capture *c = ((const gpu_replay *)user)->capture;
    uint64_t nearest = UINT64_MAX;
    for (uint32_t k = 0; k < c->n_shaders; k++) {
        uint64_t offset = gpu_shader_offset(&c->shaders[k], address);
        if (offset < nearest) {
            nearest = offset;
            *out = c->shaders[k];
            out->entry = address - offset;
        }
    }
    return nearest != UINT64_MAX;
}
