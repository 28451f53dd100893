/* A Radeon for an unmodified Vulkan driver: the kernel's side of amdgpu, inside the driver's process.
 *
 * The driver (Mesa's RADV) and its libdrm believe to speak to the kernel: of all that they import
 * only ioctl() and the functions that look for devices are turned here (imports.c). Device memory
 * is one file in memory, which is also what the driver opens as its device, so it can map buffers of
 * it by itself. Standing in for the kernel rather than for libdrm_amdgpu has one reason: RADV up to
 * 24 uses that library and later ones speak to the kernel themselves, but both end in the same
 * ioctls, which are a stable interface.
 *
 * Source of the interface: the kernel's headers drm.h and amdgpu_drm.h (libdrm-dev).
 */
#ifndef RADEON_RADEON_H
#define RADEON_RADEON_H

#include "counts.h"
#include "gpu/device/device.h"
#include "gpu/report/shader.h"

#include <pthread.h>
#include <stdio.h>

/* A buffer object of the driver. */
typedef struct radeon_buffer {
    gpu_buffer base; /* the first, so that a gpu_buffer is one */
    uint32_t handle;
    uint64_t place; /* in the memory file */
    bool is_users;  /* the application's own memory */
    uint64_t domains, flags;
    uint8_t metadata[288]; /* struct drm_amdgpu_gem_metadata.data */
} radeon_buffer;

typedef struct radeon {
    const gpu_chip *chip;
    gpu_device *device;
    uint32_t checks;  /* MACH_CHECK_* */
    FILE *log;        /* of findings and faults */
    FILE *json;       /* the same as JSON; NULL: nobody asks */
    FILE *dispatches; /* a line of JSON for each dispatch; NULL: nobody asks */
    bool shows_packets;

    const char *captures; /* the folder for captures; NULL: none */
    bool sums;            /* instructions are counted by class */
    unsigned threads;     /* for the groups of a dispatch */

    int fd; /* the memory file */
    char path[32];
    pthread_mutex_t lock;    /* of what follows */
    radeon_buffer **buffers; /* by handle */
    uint32_t n_buffers;
    uint64_t next_place;
    radeon_counts *counts; /* shared with the program that has started the process, or own */
} radeon;

/* The process's Radeon, made at the first call. */
radeon *
radeon_get(void);

/* Buffers: ioctl_memory.c. The buffer with a handle, held for the caller; NULL if there is none. */
radeon_buffer *
radeon_hold_buffer(radeon *r, uint32_t handle);
bool
radeon_open_memory(radeon *r);

/* Copies between a request's struct and memory that it points to. False if that is not mapped. */
bool
radeon_copy_in(void *to, uint64_t from, size_t size);
bool
radeon_copy_out(uint64_t to, const void *from, size_t size);

/* Is all of the range mapped? `address` is a multiple of 4096. */
bool
radeon_is_mapped(uint64_t address, uint64_t size);

/* An ioctl of the driver: to this device, or passed on to the kernel. */
int
radeon_ioctl(int fd, unsigned long request, void *argument);

/* The requests of each file: 0, or a negative errno. `argument` is what the request's struct says. */
typedef int
radeon_request(radeon *r, void *argument);
radeon_request radeon_gem_create, radeon_gem_close, radeon_gem_mmap, radeon_gem_metadata,
    radeon_gem_wait_idle, radeon_gem_va, radeon_gem_op, radeon_gem_userptr, radeon_bo_list;
radeon_request radeon_info, radeon_version, radeon_get_cap, radeon_get_client;
radeon_request radeon_context, radeon_submit, radeon_wait_job, radeon_wait_fences,
    radeon_fence_to_handle;
radeon_request radeon_sync_create, radeon_sync_destroy, radeon_sync_to_fd, radeon_sync_from_fd,
    radeon_sync_wait, radeon_sync_reset, radeon_sync_signal, radeon_sync_timeline_wait,
    radeon_sync_query, radeon_sync_transfer, radeon_sync_timeline_signal;

/* Registers that describe tiled images: GB_ADDR_CONFIG, GB_TILE_MODE*, GB_MACROTILE_MODE*. */
uint32_t
radeon_tiling_register(const gpu_chip *chip, uint32_t dword_address);

/* Fills in what the debug info of a SPIR-V module says: module.c. */
void
radeon_read_module(const uint32_t *words, size_t n, gpu_shader *out);

/* The application's pipeline whose code begins at an address or next before it, as gpu_shaders.find
 * wants it: pipelines.c. */
bool
radeon_find_shader(void *user, uint64_t address, gpu_shader *out);

/* Are pipelines known, but of none where its code is? Then any code may be theirs. */
bool
radeon_lacks_addresses(void);

/* Pipeline number `index` of those that are known, from 0. False: there are not so many. */
bool
radeon_shader_at(void *user, uint32_t index, gpu_shader *out);

/* Captures go to files in a folder: captures.c. */
extern const gpu_device_capture radeon_captures;

/* Findings and faults: report.c. */
void
radeon_report_dispatch(void *user, const gpu_run *run);
void
radeon_report_conflict(void *user, const gpu_conflict *c, const mach_memory *m);
void
radeon_report_lost(void *user, const char *ring, const gpu_fault *fault);
void
radeon_show_packet(void *user, const gpu_packet *p, uint64_t address);
void
radeon_show_copy_packet(void *user, const gpu_copy_packet *p, uint64_t address);

/* A replacement of an imported function. */
typedef struct radeon_import {
    const char *name;
    void (*function)(void);
} radeon_import;

/* Turns imports of a library that is loaded, which dlopen has given as `library`. False if it has
 * none of them. */
bool
radeon_turn_imports(void *library, const radeon_import *imports, uint32_t n);

/* The functions that look for devices, in place of libdrm's: devices.c. */
extern const radeon_import radeon_device_imports[];
extern const uint32_t radeon_device_import_count;

#endif
