/* Buffer objects: places in the memory file, and their addresses on the GPU. */
#define _GNU_SOURCE 1

#include "radeon.h"

#include <amdgpu_drm.h>
#include <drm.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };
#define FILE_SIZE (INT64_C(1) << 40) /* sparse; places are never used again */

bool
radeon_open_memory(radeon *r)
{
    r->fd = memfd_create("radeon", MFD_CLOEXEC);
    if (r->fd < 0 || ftruncate(r->fd, FILE_SIZE) != 0)
        return false;
    snprintf(r->path, sizeof r->path, "/proc/self/fd/%d", r->fd);
    return true;
}

static void
release_buffer(gpu_buffer *b)
{
    radeon_buffer *own = (radeon_buffer *)(void *)b;
    radeon *r = radeon_get();
    if (!own->is_users && b->host) {
        munmap(b->host, b->size);
        fallocate(r->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)own->place,
                  (off_t)b->size);
    }
    free(own);
}

/* gpu_buffer.next_data: the parts of the memory file that were written. */
static bool
next_data(void *buffer, uint64_t *from, uint64_t *to)
{
    const radeon_buffer *b = buffer;
    const radeon *r = radeon_get();
    off_t begin = (off_t)b->place, first = lseek(r->fd, begin + (off_t)*from, SEEK_DATA);
    if (first < 0 || (uint64_t)(first - begin) >= b->base.size)
        return false;
    off_t last = lseek(r->fd, first, SEEK_HOLE);
    *from = (uint64_t)(first - begin);
    *to = (uint64_t)(last - begin) < b->base.size ? (uint64_t)(last - begin) : b->base.size;
    return true;
}

/* Gives a buffer a handle. False if there is no memory. */
static bool
enter_buffer(radeon *r, radeon_buffer *b)
{
    uint32_t k = 1;
    while (k < r->n_buffers && r->buffers[k])
        k++;
    if (k >= r->n_buffers) {
        uint32_t n = r->n_buffers ? r->n_buffers * 2 : 64;
        radeon_buffer **all = realloc(r->buffers, n * sizeof *all);
        if (!all)
            return false;
        memset(all + r->n_buffers, 0, (n - r->n_buffers) * sizeof *all);
        r->buffers = all;
        r->n_buffers = n;
    }
    r->buffers[k] = b;
    b->handle = k;
    snprintf(b->base.name, sizeof b->base.name, "buffer %u", (unsigned)k);
    return true;
}

static radeon_buffer *
new_buffer(radeon *r, uint64_t size, void *host)
{
    radeon_buffer *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->base = (gpu_buffer){.size = (size + PAGE - 1) / PAGE * PAGE,
                           .host = host,
                           .holders = 1,
                           .release = release_buffer,
                           .next_data = host ? NULL : next_data};
    b->is_users = host != NULL;
    pthread_mutex_lock(&r->lock);
    b->place = r->next_place;
    bool ok = enter_buffer(r, b) && (host || b->base.size <= (uint64_t)FILE_SIZE - r->next_place);
    if (ok && !host)
        r->next_place += b->base.size;
    pthread_mutex_unlock(&r->lock);
    void *map = host;
    if (ok && !host)
        map = mmap(NULL, b->base.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, r->fd,
                   (off_t)b->place);
    if (ok && map != MAP_FAILED) {
        b->base.host = map;
        return b;
    }
    pthread_mutex_lock(&r->lock);
    if (b->handle)
        r->buffers[b->handle] = NULL;
    pthread_mutex_unlock(&r->lock);
    free(b);
    return NULL;
}

radeon_buffer *
radeon_hold_buffer(radeon *r, uint32_t handle)
{
    pthread_mutex_lock(&r->lock);
    radeon_buffer *b = handle && handle < r->n_buffers ? r->buffers[handle] : NULL;
    if (b)
        gpu_device_hold(r->device, &b->base);
    pthread_mutex_unlock(&r->lock);
    return b;
}

int
radeon_gem_create(radeon *r, void *argument)
{
    union drm_amdgpu_gem_create *a = argument;
    const struct drm_amdgpu_gem_create_in in = a->in;
    if (!in.bo_size || in.bo_size > (uint64_t)FILE_SIZE)
        return -EINVAL;
    radeon_buffer *b = new_buffer(r, in.bo_size, NULL);
    if (!b)
        return -ENOMEM;
    b->domains = in.domains;
    b->flags = in.domain_flags;
    memset(a, 0, sizeof *a);
    a->out.handle = b->handle;
    return 0;
}

int
radeon_gem_userptr(radeon *r, void *argument)
{
    struct drm_amdgpu_gem_userptr *a = argument;
    if (!a->addr || !a->size || (a->addr | a->size) % PAGE)
        return -EINVAL;
    if (!radeon_is_mapped(a->addr, a->size))
        return -EFAULT;
    radeon_buffer *b = new_buffer(r, a->size, (void *)(uintptr_t)a->addr);
    if (!b)
        return -ENOMEM;
    b->domains = AMDGPU_GEM_DOMAIN_GTT;
    a->handle = b->handle;
    return 0;
}

int
radeon_gem_close(radeon *r, void *argument)
{
    const struct drm_gem_close *a = argument;
    pthread_mutex_lock(&r->lock);
    radeon_buffer *b = a->handle && a->handle < r->n_buffers ? r->buffers[a->handle] : NULL;
    if (b)
        r->buffers[a->handle] = NULL;
    pthread_mutex_unlock(&r->lock);
    if (b)
        gpu_device_drop(r->device, &b->base);
    return b ? 0 : -EINVAL;
}

int
radeon_gem_mmap(radeon *r, void *argument)
{
    union drm_amdgpu_gem_mmap *a = argument;
    radeon_buffer *b = radeon_hold_buffer(r, a->in.handle);
    if (!b)
        return -ENOENT;
    int result = b->is_users ? -EPERM : 0;
    a->out.addr_ptr = b->place;
    gpu_device_drop(r->device, &b->base);
    return result;
}

int
radeon_gem_metadata(radeon *r, void *argument)
{
    struct drm_amdgpu_gem_metadata *a = argument;
    radeon_buffer *b = radeon_hold_buffer(r, a->handle);
    _Static_assert(sizeof a->data <= sizeof b->metadata, "the metadata's size");
    if (!b)
        return -ENOENT;
    if (a->op == AMDGPU_GEM_METADATA_OP_GET_METADATA)
        memcpy(&a->data, b->metadata, sizeof a->data);
    else
        memcpy(b->metadata, &a->data, sizeof a->data);
    gpu_device_drop(r->device, &b->base);
    return 0;
}

/* Jobs name no buffers here, so all of them must be over. */
int
radeon_gem_wait_idle(radeon *r, void *argument)
{
    union drm_amdgpu_gem_wait_idle *a = argument;
    bool idle = gpu_device_wait_all(r->device, a->in.timeout);
    memset(a, 0, sizeof *a);
    a->out.status = !idle;
    return 0;
}

int
radeon_gem_op(radeon *r, void *argument)
{
    struct drm_amdgpu_gem_op *a = argument;
    radeon_buffer *b = radeon_hold_buffer(r, a->handle);
    if (!b)
        return -ENOENT;
    const struct drm_amdgpu_gem_create_in info = {.bo_size = b->base.size,
                                                  .alignment = PAGE,
                                                  .domains = b->domains,
                                                  .domain_flags = b->flags};
    bool ok = a->op != AMDGPU_GEM_OP_GET_GEM_CREATE_INFO ||
              radeon_copy_out(a->value, &info, sizeof info);
    gpu_device_drop(r->device, &b->base);
    return ok ? 0 : -EFAULT;
}

/* MAP of a range, UNMAP, CLEAR of all that lies in it, REPLACE: both. */
int
radeon_gem_va(radeon *r, void *argument)
{
    const struct drm_amdgpu_gem_va *a = argument;
    bool maps = a->operation == AMDGPU_VA_OP_MAP || a->operation == AMDGPU_VA_OP_REPLACE;
    if ((a->va_address | a->map_size | a->offset_in_bo) % PAGE)
        return -EINVAL;
    if (a->operation != AMDGPU_VA_OP_MAP &&
        !gpu_device_unmap(r->device, a->va_address, a->map_size))
        return -ENOMEM;
    if (!maps || a->flags & AMDGPU_VM_PAGE_PRT) /* sparse: nothing behind it */
        return 0;
    radeon_buffer *b = radeon_hold_buffer(r, a->handle);
    if (!b)
        return -ENOENT;
    const gpu_range range = {a->va_address, a->map_size, &b->base, a->offset_in_bo};
    bool ok = gpu_device_map(r->device, &range);
    gpu_device_drop(r->device, &b->base);
    return ok ? 0 : -EINVAL;
}

int
radeon_bo_list(radeon *r, void *argument)
{
    union drm_amdgpu_bo_list *a = argument;
    (void)r;
    memset(a, 0, sizeof *a);
    a->out.list_handle = 1; /* all buffers are always resident */
    return 0;
}
