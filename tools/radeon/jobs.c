/* Contexts and submission. */
#include "radeon.h"

#include <amdgpu_drm.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHUNKS = 1024, MAX_CHUNK_DWORDS = 1 << 20 };

int
radeon_context(radeon *r, void *argument)
{
    union drm_amdgpu_ctx *c = argument;
    uint32_t op = c->in.op;
    bool lost = gpu_device_is_lost(r->device, c->in.ctx_id);
    memset(c, 0, sizeof *c);
    switch (op) {
    case AMDGPU_CTX_OP_ALLOC_CTX:
        c->out.alloc.ctx_id = gpu_device_new_context(r->device);
        return c->out.alloc.ctx_id ? 0 : -ENOMEM;
    case AMDGPU_CTX_OP_QUERY_STATE:
        c->out.state.reset_status = lost ? AMDGPU_CTX_GUILTY_RESET : AMDGPU_CTX_NO_RESET;
        return 0;
    case AMDGPU_CTX_OP_QUERY_STATE2:
        c->out.state.flags = lost ? AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY
                                  : 0;
        return 0;
    case AMDGPU_CTX_OP_FREE_CTX:
    case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
    case AMDGPU_CTX_OP_SET_STABLE_PSTATE: return 0;
    default: return -EINVAL;
    }
}

/* A chunk with a copy of its data. */
typedef struct chunk {
    uint32_t id;
    size_t bytes;
    uint8_t *data;
} chunk;

/* A submission as it is read from its chunks; arrays have room for all that the chunks hold. */
typedef struct reading {
    radeon *r;
    gpu_submission s;
    gpu_ib *ibs;
    gpu_sync_point *waits, *signals;
    radeon_buffer *fence;
    bool has_ring;
} reading;

/* The kind of ring, by AMDGPU_HW_IP_*; GPU_RING_KINDS: there is none. */
static gpu_ring_kind
kind_of(uint32_t type)
{
    switch (type) {
    case AMDGPU_HW_IP_GFX: return GPU_RING_GRAPHICS;
    case AMDGPU_HW_IP_COMPUTE: return GPU_RING_COMPUTE;
    case AMDGPU_HW_IP_DMA: return GPU_RING_COPY;
    default: return GPU_RING_KINDS;
    }
}

/* All streams of a submission go to one ring: drivers submit to several at once for task shaders
 * alone, which are graphics. */
static int
read_ib(reading *in, const chunk *c)
{
    struct drm_amdgpu_cs_chunk_ib ib;
    if (c->bytes < sizeof ib)
        return -EINVAL;
    memcpy(&ib, c->data, sizeof ib);
    gpu_ring_kind kind = kind_of(ib.ip_type);
    if (kind == GPU_RING_KINDS)
        return -EINVAL;
    if (!in->has_ring) {
        in->s.kind = kind;
        in->s.ring = ib.ring;
        in->has_ring = true;
    }
    if (ib.va_start % 4 || ib.ib_bytes % 4)
        return -EINVAL;
    if (!(ib.flags & AMDGPU_IB_FLAG_CE)) /* the constant engine's, of older graphics */
        in->ibs[in->s.n_ibs++] = (gpu_ib){ib.va_start, ib.ib_bytes / 4};
    return 0;
}

static int
read_fence(reading *in, const chunk *c)
{
    struct drm_amdgpu_cs_chunk_fence f;
    if (c->bytes < sizeof f || in->fence)
        return -EINVAL;
    memcpy(&f, c->data, sizeof f);
    in->fence = radeon_hold_buffer(in->r, f.handle);
    in->s.sequence_offset = f.offset;
    return in->fence ? 0 : -ENOENT;
}

/* Jobs that must be over before. They were submitted, so waiting here comes to the same. */
static int
read_dependencies(reading *in, const chunk *c)
{
    struct drm_amdgpu_cs_chunk_dep dep;
    for (size_t k = 0; (k + 1) * sizeof dep <= c->bytes; k++) {
        memcpy(&dep, c->data + k * sizeof dep, sizeof dep);
        gpu_device_wait_job(in->r->device, dep.handle, UINT64_MAX);
    }
    return 0;
}

static void
read_binary(gpu_sync_point *points, uint32_t *n, const chunk *c)
{
    struct drm_amdgpu_cs_chunk_sem one;
    for (size_t k = 0; (k + 1) * sizeof one <= c->bytes; k++) {
        memcpy(&one, c->data + k * sizeof one, sizeof one);
        points[(*n)++] = (gpu_sync_point){one.handle, 0};
    }
}

static void
read_timeline(gpu_sync_point *points, uint32_t *n, const chunk *c)
{
    struct drm_amdgpu_cs_chunk_syncobj one;
    for (size_t k = 0; (k + 1) * sizeof one <= c->bytes; k++) {
        memcpy(&one, c->data + k * sizeof one, sizeof one);
        points[(*n)++] = (gpu_sync_point){one.handle, one.point};
    }
}

static int
read_chunk(reading *in, const chunk *c)
{
    switch (c->id) {
    case AMDGPU_CHUNK_ID_IB: return read_ib(in, c);
    case AMDGPU_CHUNK_ID_FENCE: return read_fence(in, c);
    case AMDGPU_CHUNK_ID_DEPENDENCIES:
    case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES: return read_dependencies(in, c);
    case AMDGPU_CHUNK_ID_SYNCOBJ_IN: read_binary(in->waits, &in->s.n_waits, c); return 0;
    case AMDGPU_CHUNK_ID_SYNCOBJ_OUT: read_binary(in->signals, &in->s.n_signals, c); return 0;
    case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
        read_timeline(in->waits, &in->s.n_waits, c);
        return 0;
    case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
        read_timeline(in->signals, &in->s.n_signals, c);
        return 0;
    default: return 0; /* lists of buffers, shadow memory of graphics */
    }
}

static int
submit(reading *in, uint64_t *number)
{
    in->s.ibs = in->ibs;
    in->s.waits = in->waits;
    in->s.signals = in->signals;
    in->s.sequence_buffer = in->fence ? &in->fence->base : NULL;
    switch (gpu_device_submit(in->r->device, &in->s, number)) {
    case GPU_SUBMIT_OK: return 0;
    case GPU_SUBMIT_LOST: return -ECANCELED;
    case GPU_SUBMIT_NO_MEMORY: return -ENOMEM;
    default: return -EINVAL;
    }
}

static int
read_and_submit(reading *in, const chunk *chunks, uint32_t n, uint64_t *number)
{
    size_t points = 1;
    int result = 0;
    for (uint32_t k = 0; k < n; k++)
        points += chunks[k].bytes / 4;
    in->ibs = malloc((n + 1) * sizeof *in->ibs);
    in->waits = malloc(points * sizeof *in->waits);
    in->signals = malloc(points * sizeof *in->signals);
    if (!in->ibs || !in->waits || !in->signals)
        result = -ENOMEM;
    for (uint32_t k = 0; result == 0 && k < n; k++)
        result = read_chunk(in, &chunks[k]);
    if (result == 0)
        result = submit(in, number);
    if (in->fence)
        gpu_device_drop(in->r->device, &in->fence->base);
    free(in->ibs);
    free(in->waits);
    free(in->signals);
    return result;
}

/* Copies the chunk that entry `k` of a list of pointers leads to; the caller frees its data. */
static int
copy_chunk(uint64_t list, uint32_t k, chunk *out)
{
    struct drm_amdgpu_cs_chunk c;
    uint64_t at;
    if (!radeon_copy_in(&at, list + 8ul * k, sizeof at) || !radeon_copy_in(&c, at, sizeof c))
        return -EFAULT;
    if (c.length_dw > MAX_CHUNK_DWORDS)
        return -EINVAL;
    *out = (chunk){c.chunk_id, 4ul * c.length_dw, malloc(4ul * c.length_dw + 1)};
    if (!out->data)
        return -ENOMEM;
    return radeon_copy_in(out->data, c.chunk_data, out->bytes) ? 0 : -EFAULT;
}

int
radeon_submit(radeon *r, void *argument)
{
    union drm_amdgpu_cs *cs = argument;
    uint32_t n = cs->in.num_chunks;
    chunk chunks[MAX_CHUNKS];
    uint64_t number = 0;
    int result = 0;
    if (n > MAX_CHUNKS)
        return -EINVAL;
    for (uint32_t k = 0; k < n; k++)
        chunks[k].data = NULL;
    for (uint32_t k = 0; result == 0 && k < n; k++)
        result = copy_chunk(cs->in.chunks, k, &chunks[k]);
    reading in = {.r = r, .s = {.context = cs->in.ctx_id}};
    if (result == 0)
        result = read_and_submit(&in, chunks, n, &number);
    for (uint32_t k = 0; k < n; k++)
        free(chunks[k].data);
    memset(cs, 0, sizeof *cs);
    cs->out.handle = number;
    return result;
}

int
radeon_wait_job(radeon *r, void *argument)
{
    union drm_amdgpu_wait_cs *w = argument;
    bool all = w->in.handle == UINT64_MAX;
    bool over = all ? gpu_device_wait_all(r->device, w->in.timeout)
                    : gpu_device_wait_job(r->device, w->in.handle, w->in.timeout);
    memset(w, 0, sizeof *w);
    w->out.status = !over;
    return 0;
}

/* Waits for all of the fences even if one is asked for, which is late, not wrong. */
int
radeon_wait_fences(radeon *r, void *argument)
{
    union drm_amdgpu_wait_fences *w = argument;
    bool over = true;
    for (uint32_t k = 0; k < w->in.fence_count; k++) {
        struct drm_amdgpu_fence f;
        if (!radeon_copy_in(&f, w->in.fences + k * sizeof f, sizeof f))
            return -EFAULT;
        over = gpu_device_wait_job(r->device, f.seq_no, w->in.timeout_ns) && over;
    }
    memset(w, 0, sizeof *w);
    w->out.status = over;
    return 0;
}

/* A job's fence as a sync object, signalled: it is waited for. */
int
radeon_fence_to_handle(radeon *r, void *argument)
{
    union drm_amdgpu_fence_to_handle *a = argument;
    if (a->in.what != AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ)
        return -EINVAL;
    gpu_device_wait_job(r->device, a->in.fence.seq_no, UINT64_MAX);
    uint32_t handle = gpu_device_new_sync(r->device, true);
    memset(a, 0, sizeof *a);
    a->out.handle = handle;
    return handle ? 0 : -ENOMEM;
}
