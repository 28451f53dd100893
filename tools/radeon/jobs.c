/* Contexts and submission. */
#include "radeon.h"

#include <amdgpu_drm.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHUNKS = 1024 };

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

/* A submission as it is read from its chunks; arrays have room for all that the chunks hold. */
typedef struct reading {
    radeon *r;
    gpu_submission s;
    gpu_ib *ibs;
    gpu_sync_point *waits, *signals;
    radeon_buffer *fence;
    bool has_ring;
} reading;

static const void *
data_of(const struct drm_amdgpu_cs_chunk *c)
{
    return (const void *)(uintptr_t)c->chunk_data;
}

/* All streams of a submission go to one ring: drivers submit to several at once for task shaders
 * alone, which are graphics. */
static int
read_ib(reading *in, const struct drm_amdgpu_cs_chunk *c)
{
    struct drm_amdgpu_cs_chunk_ib ib;
    if (c->length_dw < sizeof ib / 4)
        return -EINVAL;
    memcpy(&ib, data_of(c), sizeof ib);
    if (ib.ip_type != AMDGPU_HW_IP_GFX && ib.ip_type != AMDGPU_HW_IP_COMPUTE)
        return -EINVAL;
    gpu_ring_kind kind = ib.ip_type == AMDGPU_HW_IP_GFX ? GPU_RING_GRAPHICS : GPU_RING_COMPUTE;
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
read_fence(reading *in, const struct drm_amdgpu_cs_chunk *c)
{
    struct drm_amdgpu_cs_chunk_fence f;
    if (c->length_dw < sizeof f / 4 || in->fence)
        return -EINVAL;
    memcpy(&f, data_of(c), sizeof f);
    in->fence = radeon_hold_buffer(in->r, f.handle);
    in->s.sequence_offset = f.offset;
    return in->fence ? 0 : -ENOENT;
}

/* Jobs that must be over before. They were submitted, so waiting here comes to the same. */
static int
read_dependencies(reading *in, const struct drm_amdgpu_cs_chunk *c)
{
    struct drm_amdgpu_cs_chunk_dep dep;
    for (size_t k = 0; (k + 1) * sizeof dep <= c->length_dw * 4ul; k++) {
        memcpy(&dep, (const uint8_t *)data_of(c) + k * sizeof dep, sizeof dep);
        gpu_device_wait_job(in->r->device, dep.handle, UINT64_MAX);
    }
    return 0;
}

static void
read_binary(gpu_sync_point *points, uint32_t *n, const struct drm_amdgpu_cs_chunk *c)
{
    struct drm_amdgpu_cs_chunk_sem one;
    for (size_t k = 0; (k + 1) * sizeof one <= c->length_dw * 4ul; k++) {
        memcpy(&one, (const uint8_t *)data_of(c) + k * sizeof one, sizeof one);
        points[(*n)++] = (gpu_sync_point){one.handle, 0};
    }
}

static void
read_timeline(gpu_sync_point *points, uint32_t *n, const struct drm_amdgpu_cs_chunk *c)
{
    struct drm_amdgpu_cs_chunk_syncobj one;
    for (size_t k = 0; (k + 1) * sizeof one <= c->length_dw * 4ul; k++) {
        memcpy(&one, (const uint8_t *)data_of(c) + k * sizeof one, sizeof one);
        points[(*n)++] = (gpu_sync_point){one.handle, one.point};
    }
}

static int
read_chunk(reading *in, const struct drm_amdgpu_cs_chunk *c)
{
    switch (c->chunk_id) {
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
read_and_submit(reading *in, const struct drm_amdgpu_cs_chunk *chunks, uint32_t n, uint64_t *number)
{
    size_t points = 1;
    int result = 0;
    for (uint32_t k = 0; k < n; k++)
        points += chunks[k].length_dw;
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

int
radeon_submit(radeon *r, void *argument)
{
    union drm_amdgpu_cs *cs = argument;
    const uint64_t *list = (const uint64_t *)(uintptr_t)cs->in.chunks;
    uint32_t n = cs->in.num_chunks;
    struct drm_amdgpu_cs_chunk chunks[MAX_CHUNKS];
    uint64_t number = 0;
    if (n > MAX_CHUNKS || !list)
        return -EINVAL;
    for (uint32_t k = 0; k < n; k++)
        memcpy(&chunks[k], (const void *)(uintptr_t)list[k], sizeof chunks[k]);
    reading in = {.r = r, .s = {.context = cs->in.ctx_id}};
    int result = read_and_submit(&in, chunks, n, &number);
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
    const struct drm_amdgpu_fence *f = (const void *)(uintptr_t)w->in.fences;
    bool over = true;
    for (uint32_t k = 0; k < w->in.fence_count; k++)
        over = gpu_device_wait_job(r->device, f[k].seq_no, w->in.timeout_ns) && over;
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
