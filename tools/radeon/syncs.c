/* Sync objects: the requests DRM_IOCTL_SYNCOBJ_*. */
#define _GNU_SOURCE 1

#include "radeon.h"

#include <drm.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int
radeon_sync_create(radeon *r, void *argument)
{
    struct drm_syncobj_create *a = argument;
    a->handle = gpu_device_new_sync(r->device, a->flags & DRM_SYNCOBJ_CREATE_SIGNALED);
    return a->handle ? 0 : -ENOMEM;
}

int
radeon_sync_destroy(radeon *r, void *argument)
{
    const struct drm_syncobj_destroy *a = argument;
    return gpu_device_remove_sync(r->device, a->handle) ? 0 : -EINVAL;
}

/* ---- waits ---- */

/* The points of a request: handles, and values that may be missing. Returns 0 or a negative errno;
 * the caller frees `*out`. */
static int
read_points(uint64_t handles, uint64_t values, uint32_t n, gpu_sync_point **out)
{
    enum { MOST = 1 << 16 };
    *out = NULL;
    if (n > MOST)
        return -EINVAL;
    uint32_t *numbers = malloc((n + 1) * sizeof *numbers);
    uint64_t *points = calloc(n + 1, sizeof *points);
    gpu_sync_point *all = malloc((n + 1) * sizeof *all);
    int result = numbers && points && all ? 0 : -ENOMEM;
    if (!result && (!radeon_copy_in(numbers, handles, n * sizeof *numbers) ||
                    (values && !radeon_copy_in(points, values, n * sizeof *points))))
        result = -EFAULT;
    for (uint32_t k = 0; !result && k < n; k++)
        all[k] = (gpu_sync_point){numbers[k], points[k]};
    free(numbers);
    free(points);
    if (result)
        free(all);
    *out = result ? NULL : all;
    return result;
}

static int
wait_points(radeon *r, const struct drm_syncobj_timeline_wait *a, uint32_t *first)
{
    gpu_sync_point *points;
    int error = read_points(a->handles, a->points, a->count_handles, &points);
    if (error)
        return error;
    const gpu_sync_wait w = {
        .points = points,
        .count = a->count_handles,
        .all = a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL,
        .for_submit = a->flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                                  DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE),
        .available = a->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
        .deadline = a->timeout_nsec,
    };
    gpu_wait_result result = gpu_device_wait_syncs(r->device, &w, first);
    free(points);
    return result == GPU_WAIT_OK ? 0 : result == GPU_WAIT_TIMEOUT ? -ETIME : -EINVAL;
}

int
radeon_sync_timeline_wait(radeon *r, void *argument)
{
    struct drm_syncobj_timeline_wait *a = argument;
    return wait_points(r, a, &a->first_signaled);
}

int
radeon_sync_wait(radeon *r, void *argument)
{
    struct drm_syncobj_wait *a = argument;
    const struct drm_syncobj_timeline_wait w = {.handles = a->handles,
                                                .count_handles = a->count_handles,
                                                .flags = a->flags,
                                                .timeout_nsec = a->timeout_nsec};
    return wait_points(r, &w, &a->first_signaled);
}

/* ---- changes ---- */

/* Does something to each point, which may change; false if there is no such object. */
typedef bool
change_point(radeon *r, gpu_sync_point *p);

static int
change_points(radeon *r, const struct drm_syncobj_timeline_array *a, change_point *change)
{
    gpu_sync_point *points;
    bool ok = true;
    int error = read_points(a->handles, a->points, a->count_handles, &points);
    if (error)
        return error;
    for (uint32_t k = 0; k < a->count_handles; k++)
        ok = change(r, &points[k]) && ok;
    free(points);
    return ok ? 0 : -EINVAL;
}

static bool
reset_point(radeon *r, gpu_sync_point *p)
{
    return gpu_device_reset_sync(r->device, p->handle);
}

static bool
signal_point(radeon *r, gpu_sync_point *p)
{
    return gpu_device_signal(r->device, *p);
}

static int
change_binary(radeon *r, const struct drm_syncobj_array *a, change_point *change)
{
    const struct drm_syncobj_timeline_array all = {.handles = a->handles,
                                                   .count_handles = a->count_handles};
    return change_points(r, &all, change);
}

int
radeon_sync_reset(radeon *r, void *argument)
{
    return change_binary(r, argument, reset_point);
}

int
radeon_sync_signal(radeon *r, void *argument)
{
    return change_binary(r, argument, signal_point);
}

int
radeon_sync_timeline_signal(radeon *r, void *argument)
{
    return change_points(r, argument, signal_point);
}

int
radeon_sync_query(radeon *r, void *argument)
{
    const struct drm_syncobj_timeline_array *a = argument;
    bool last = a->flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED, ok = true;
    gpu_sync_point *points;
    int error = read_points(a->handles, 0, a->count_handles, &points);
    if (error)
        return error;
    for (uint32_t k = 0; k < a->count_handles; k++) {
        uint64_t value = 0;
        ok = gpu_device_query_sync(r->device, points[k].handle, last, &value) && ok;
        if (!radeon_copy_out(a->points + 8ul * k, &value, sizeof value))
            error = -EFAULT;
    }
    free(points);
    return error ? error : ok ? 0 : -EINVAL;
}

int
radeon_sync_transfer(radeon *r, void *argument)
{
    const struct drm_syncobj_transfer *a = argument;
    const gpu_sync_point to = {a->dst_handle, a->dst_point}, from = {a->src_handle, a->src_point};
    return gpu_device_transfer_sync(r->device, to, from) ? 0 : -EINVAL;
}

/* ---- file descriptors ---- */

/* An object leaves the process's drivers as a file in memory that holds its handle; a sync file as
 * one that holds nothing: its fence is waited for before, so it is always signalled. Both are known
 * in this process alone. */
enum { MAGIC = 0x4f435953 };

static int
new_file(uint32_t handle)
{
    const uint32_t words[2] = {MAGIC, handle};
    int fd = memfd_create("sync", MFD_CLOEXEC);
    if (fd >= 0 && write(fd, words, sizeof words) != sizeof words) {
        close(fd);
        return -EMFILE;
    }
    return fd < 0 ? -EMFILE : fd;
}

int
radeon_sync_to_fd(radeon *r, void *argument)
{
    struct drm_syncobj_handle *a = argument;
    bool as_file = a->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
    const gpu_sync_point point = {a->handle, 0};
    const gpu_sync_wait w = {.points = &point, .count = 1, .deadline = INT64_MAX};
    if (as_file && gpu_device_wait_syncs(r->device, &w, NULL) != GPU_WAIT_OK)
        return -EINVAL;
    a->fd = new_file(as_file ? 0 : a->handle);
    return a->fd < 0 ? a->fd : 0;
}

int
radeon_sync_from_fd(radeon *r, void *argument)
{
    struct drm_syncobj_handle *a = argument;
    uint32_t words[2];
    if (pread(a->fd, words, sizeof words, 0) != sizeof words || words[0] != MAGIC)
        return -EINVAL;
    if (a->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
        return gpu_device_signal(r->device, (gpu_sync_point){a->handle, 0}) ? 0 : -EINVAL;
    a->handle = words[1];
    return a->handle ? 0 : -EINVAL;
}
