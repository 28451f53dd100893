/* A Radeon without hardware: memory, rings that execute jobs, and sync objects.
 *
 * Each ring is a thread, which executes its jobs in the order in which they were submitted. A job
 * begins when the fences that it waits for are signalled. One packet is executed at a time on the
 * whole device; a ring whose packet waits for memory lets the others go on.
 *
 * Each job belongs to a context. After a fault its context is lost: all its jobs count as over, and
 * no more are taken, as after a reset that the driver is told of. Other contexts go on.
 *
 * The functions may be called on any thread; hooks are called on the rings' threads, one at a time.
 * Buffers, fences and jobs are the driver's or the application's: each lives as long as somebody
 * holds it, so their memory comes from malloc.
 */
#ifndef GPU_DEVICE_DEVICE_H
#define GPU_DEVICE_DEVICE_H

#include "gpu/capture/capture.h"
#include "gpu/chip/chip.h"
#include "gpu/cp/cp.h"
#include "gpu/cp/launch.h"
#include "gpu/device/space.h"
#include "gpu/device/sync.h"

typedef enum gpu_ring_kind {
    GPU_RING_GRAPHICS,
    GPU_RING_COMPUTE,
    GPU_RING_COPY, /* SDMA */
    GPU_RING_KINDS,
} gpu_ring_kind;

enum { GPU_RINGS_OF_KIND = 4 };

typedef struct gpu_device gpu_device;

/* Where captures go. */
typedef struct gpu_device_capture {
    /* Opens the file of a submission; NULL: it is not captured. */
    void *(*open)(void *user, uint64_t submission);
    gpu_capture_put *put; /* to what `open` gave */
    void (*close)(void *file);
    /* Fills in a pipeline of the application, by a number from 0; false: there is none. */
    bool (*shader)(void *user, uint32_t index, gpu_shader *out);
    void *user;
} gpu_device_capture;

typedef struct gpu_device_options {
    gpu_launch_options launch;
    uint32_t seconds_of_wait;          /* after which a packet that waits is a hang; 0: 60 */
    const gpu_device_capture *capture; /* NULL: nothing is captured */
    /* A context is lost. */
    void (*lost)(void *user, const char *ring, const gpu_fault *fault);
    /* Each packet; NULL: none. */
    void (*packet)(void *user, const gpu_packet *p, uint64_t address);
    void (*copy_packet)(void *user, const gpu_copy_packet *p, uint64_t address);
    void *user;
} gpu_device_options;

/* A point of a sync object's timeline; 0: its fence as a binary object. */
typedef struct gpu_sync_point {
    uint32_t handle;
    uint64_t point;
} gpu_sync_point;

typedef struct gpu_submission {
    uint32_t context;
    gpu_ring_kind kind;
    unsigned ring; /* of its kind */
    const gpu_ib *ibs;
    uint32_t n_ibs;
    const gpu_sync_point *waits, *signals;
    uint32_t n_waits, n_signals;
    gpu_buffer *sequence_buffer; /* gets the job's number when it is over; NULL: none */
    uint64_t sequence_offset;
} gpu_submission;

typedef enum gpu_submit_result {
    GPU_SUBMIT_OK,
    GPU_SUBMIT_INVALID,   /* no such context, ring or sync object */
    GPU_SUBMIT_LOST,      /* the context is lost */
    GPU_SUBMIT_NO_MEMORY, /* of the host */
} gpu_submit_result;

/* Makes a device and starts its rings; NULL if there is no memory or thread. */
gpu_device *
gpu_device_new(const gpu_chip *chip, const gpu_device_options *options);

/* Waits for jobs that are being executed, drops the others, and frees the device. */
void
gpu_device_free(gpu_device *d);

/* Maps a range, or unmaps what lies in one; see space.h. */
bool
gpu_device_map(gpu_device *d, const gpu_range *r);
bool
gpu_device_unmap(gpu_device *d, uint64_t address, uint64_t size);

/* Calls `look` with memory in which all that is mapped now is. False: the host has no memory. */
typedef void
gpu_device_looker(void *user, const mach_memory *m);
bool
gpu_device_look(gpu_device *d, gpu_device_looker *look, void *user);

/* Holds a buffer for the caller, and drops it. */
void
gpu_device_hold(gpu_device *d, gpu_buffer *b);
void
gpu_device_drop(gpu_device *d, gpu_buffer *b);

/* Appends a job to a ring; `*number` gets its number, from 1. A wait for a point that nobody has
 * set yet holds until somebody does. */
gpu_submit_result
gpu_device_submit(gpu_device *d, const gpu_submission *s, uint64_t *number);

/* Waits until a job is over, or all are, but not after `deadline`, in nanoseconds of
 * CLOCK_MONOTONIC. False: the time is over. */
bool
gpu_device_wait_job(gpu_device *d, uint64_t number, uint64_t deadline);
bool
gpu_device_wait_all(gpu_device *d, uint64_t deadline);

/* Makes a context; 0 if there is no memory. */
uint32_t
gpu_device_new_context(gpu_device *d);

/* Is the context lost? One that does not exist is. */
bool
gpu_device_is_lost(gpu_device *d, uint32_t context);

/* The GPU's clock, in ticks of 10 ns. */
uint64_t
gpu_device_clock(void);

/* Sync objects; see sync.h. gpu_device_signal sets points to a signalled fence. False: no such
 * object, or no memory. */
uint32_t
gpu_device_new_sync(gpu_device *d, bool signalled);
bool
gpu_device_remove_sync(gpu_device *d, uint32_t handle);
bool
gpu_device_reset_sync(gpu_device *d, uint32_t handle);
bool
gpu_device_signal(gpu_device *d, gpu_sync_point p);
bool
gpu_device_query_sync(gpu_device *d, uint32_t handle, bool last_submitted, uint64_t *point);

/* Gives `to` the fence that `from` has. False: no such object or fence. */
bool
gpu_device_transfer_sync(gpu_device *d, gpu_sync_point to, gpu_sync_point from);

typedef struct gpu_sync_wait {
    const gpu_sync_point *points;
    uint32_t count;
    bool all;         /* all of them, or one */
    bool for_submit;  /* wait for points that nobody has set yet; otherwise an error */
    bool available;   /* a fence is enough, signalled or not */
    int64_t deadline; /* nanoseconds of CLOCK_MONOTONIC */
} gpu_sync_wait;

typedef enum gpu_wait_result {
    GPU_WAIT_OK,
    GPU_WAIT_TIMEOUT,
    GPU_WAIT_INVALID, /* no such object, or no fence */
} gpu_wait_result;

/* `*first` gets the index of the first point that was reached. */
gpu_wait_result
gpu_device_wait_syncs(gpu_device *d, const gpu_sync_wait *w, uint32_t *first);

#endif
