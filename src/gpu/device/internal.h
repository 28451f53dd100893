/* Between the files of the device. */
#ifndef GPU_DEVICE_INTERNAL_H
#define GPU_DEVICE_INTERNAL_H

#include "gpu/device/device.h"

#include <pthread.h>

typedef struct gpu_job gpu_job;
struct gpu_job {
    gpu_job *next;
    uint64_t number;
    uint32_t context;
    gpu_space space; /* when it was submitted: a driver may free buffers of its streams at once */
    gpu_ib *ibs;
    uint32_t n_ibs;
    gpu_fence **waits;
    uint32_t n_waits;
    gpu_fence *fence;
    gpu_clock start; /* what is over when it begins */
    gpu_buffer *sequence_buffer;
    uint64_t sequence_offset;
};

/* The memory of a job: as it was when it was submitted, and what the driver has mapped since, until
 * the job begins or goes on. */
typedef struct gpu_job_memory {
    arena a;
    mach_memory m;
    gpu_space now;
} gpu_job_memory;

/* A job that is captured. Its buffers are held. */
typedef struct gpu_recording {
    void *file; /* NULL: none */
    arena a;
    const gpu_job *job;
    gpu_capture capture;
    uint64_t *clock; /* what the packets were told */
    uint32_t n_clock, cap;
    const uint64_t *pages; /* while a packet waits: of buffers, as they were then */
    bool misses;           /* memory was mapped where the job had other memory */
} gpu_recording;

_Static_assert(GPU_RING_KINDS *GPU_RINGS_OF_KIND <= GPU_CLOCK_RINGS, "a clock has all rings");

typedef struct gpu_ring {
    gpu_device *device;
    char name[16];
    gpu_ring_kind kind;
    pthread_t thread;
    bool started;
    gpu_cp cp;
    gpu_job *first, *last; /* the first is being executed */
    gpu_job_memory memory;
    uint64_t job; /* number of the one that is executed */
    gpu_order_ring order;
    gpu_clock ended; /* what is over with the last job that has ended */
    gpu_recording recording;
    pthread_mutex_t *held; /* the lock that an error exit must give back; NULL: none */
} gpu_ring;

struct gpu_device {
    const gpu_chip *chip;
    gpu_device_options options;
    arena a;
    pthread_mutex_t lock, engine;
    gpu_order order; /* guarded by `engine` */
    bool has_order;
    pthread_cond_t changed; /* fences, queues, lost contexts, and whether the device closes */
    gpu_space space;
    gpu_syncs syncs;
    gpu_ring rings[GPU_RING_KINDS][GPU_RINGS_OF_KIND];
    uint64_t last_job;
    bool closing;
    bool *lost; /* by context */
    uint32_t n_contexts;
};

/* Waits for a change, with the lock held, until `deadline`, in nanoseconds of CLOCK_MONOTONIC.
 * False: the time is over. */
bool
gpu_device_wait_change(gpu_device *d, uint64_t deadline);

/* Starts the ring's thread; false if there is none. */
bool
gpu_ring_start(gpu_ring *ring);

/* Ends the thread, which must have been told that the device closes, and drops the jobs left. */
void
gpu_ring_stop(gpu_ring *ring);

void
gpu_job_drop(gpu_job *j);

/* Captures of a ring's job (record.c), with the device's `engine` held: before its first packet,
 * when a packet asks for the time, when one waits, when it goes on, and when the job has ended.
 * Memory is the job's. */
void
gpu_record_begin(gpu_ring *ring, const gpu_job *j);
void
gpu_record_clock(gpu_ring *ring, uint64_t clock);
void
gpu_record_wait(gpu_ring *ring);
void
gpu_record_go_on(gpu_ring *ring);
void
gpu_record_end(gpu_ring *ring, gpu_cp_status status);

#endif
