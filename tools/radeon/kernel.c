/* The way of an ioctl to the function that answers it. */
#define _GNU_SOURCE 1

#include "radeon.h"

#include <amdgpu_drm.h>
#include <drm.h>

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By the request's number; those of amdgpu follow DRM_COMMAND_BASE. */
static radeon_request *const requests[256] = {
    [_IOC_NR(DRM_IOCTL_VERSION)] = radeon_version,
    [_IOC_NR(DRM_IOCTL_GET_CLIENT)] = radeon_get_client,
    [_IOC_NR(DRM_IOCTL_GEM_CLOSE)] = radeon_gem_close,
    [_IOC_NR(DRM_IOCTL_GET_CAP)] = radeon_get_cap,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE)] = radeon_sync_create,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY)] = radeon_sync_destroy,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD)] = radeon_sync_to_fd,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE)] = radeon_sync_from_fd,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT)] = radeon_sync_wait,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_RESET)] = radeon_sync_reset,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL)] = radeon_sync_signal,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT)] = radeon_sync_timeline_wait,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY)] = radeon_sync_query,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER)] = radeon_sync_transfer,
    [_IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL)] = radeon_sync_timeline_signal,
    [DRM_COMMAND_BASE + DRM_AMDGPU_GEM_CREATE] = radeon_gem_create,
    [DRM_COMMAND_BASE + DRM_AMDGPU_GEM_MMAP] = radeon_gem_mmap,
    [DRM_COMMAND_BASE + DRM_AMDGPU_CTX] = radeon_context,
    [DRM_COMMAND_BASE + DRM_AMDGPU_BO_LIST] = radeon_bo_list,
    [DRM_COMMAND_BASE + DRM_AMDGPU_CS] = radeon_submit,
    [DRM_COMMAND_BASE + DRM_AMDGPU_INFO] = radeon_info,
    [DRM_COMMAND_BASE + DRM_AMDGPU_GEM_METADATA] = radeon_gem_metadata,
    [DRM_COMMAND_BASE + DRM_AMDGPU_GEM_WAIT_IDLE] = radeon_gem_wait_idle,
    [DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA] = radeon_gem_va,
    [DRM_COMMAND_BASE + DRM_AMDGPU_WAIT_CS] = radeon_wait_job,
    [DRM_COMMAND_BASE + DRM_AMDGPU_GEM_OP] = radeon_gem_op,
    [DRM_COMMAND_BASE + DRM_AMDGPU_GEM_USERPTR] = radeon_gem_userptr,
    [DRM_COMMAND_BASE + DRM_AMDGPU_WAIT_FENCES] = radeon_wait_fences,
    [DRM_COMMAND_BASE + DRM_AMDGPU_FENCE_TO_HANDLE] = radeon_fence_to_handle,
};

/* Requests that change nothing here: a VM id to keep, priorities. */
static bool
is_ignored(unsigned number)
{
    return number == DRM_COMMAND_BASE + DRM_AMDGPU_VM ||
           number == DRM_COMMAND_BASE + DRM_AMDGPU_SCHED ||
           number == _IOC_NR(DRM_IOCTL_SET_CLIENT_CAP);
}

/* Does the descriptor lead to the memory file? Drivers duplicate it. */
static bool
is_ours(const radeon *r, int fd)
{
    struct stat a, b;
    return fd == r->fd || (fstat(fd, &a) == 0 && fstat(r->fd, &b) == 0 && a.st_dev == b.st_dev &&
                           a.st_ino == b.st_ino);
}

/* Calls a request's function with a copy of its struct, which may be shorter or longer than ours, in
 * older and newer drivers; what it lacks is zero. */
static int
call(radeon *r, unsigned long request, void *argument)
{
    enum { MOST = 1024 };
    uint64_t own[MOST / 8] = {0};
    unsigned number = _IOC_NR(request), size = _IOC_SIZE(request);
    if (!requests[number])
        return is_ignored(number) ? 0 : -EINVAL;
    if (size > sizeof own)
        return -EINVAL;
    if (!radeon_copy_in(own, (uintptr_t)argument, size))
        return -EFAULT;
    int result = requests[number](r, own);
    bool back = _IOC_DIR(request) & _IOC_READ;
    return back && !radeon_copy_out((uintptr_t)argument, own, size) ? -EFAULT : result;
}

int
radeon_ioctl(int fd, unsigned long request, void *argument)
{
    radeon *r = radeon_get();
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE || !is_ours(r, fd))
        return (int)syscall(SYS_ioctl, fd, request, argument);
    int result = call(r, request, argument);
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}
