/* Executes a captured submission again. */
#ifndef GPU_CAPTURE_REPLAY_H
#define GPU_CAPTURE_REPLAY_H

#include "gpu/capture/capture.h"
#include "gpu/cp/launch.h"

typedef struct gpu_replay {
    gpu_capture *capture;
    mach_memory memory;
    gpu_launch_options launch; /* `user` is the caller's */
    /* Sees each packet before it is executed; NULL: nobody does. */
    void (*packet)(void *user, const gpu_packet *p, uint64_t address);
    void (*copy_packet)(void *user, const gpu_copy_packet *p, uint64_t address);
    uint32_t clock_at; /* values of the clock that were given */
    gpu_order order;   /* unused unless has_order */
    gpu_order_ring ring;
    bool has_order;
    gpu_cp_status status;
} gpu_replay;

/* Allocates the capture's buffers in `a`, fills and maps them. False, with a message, if two
 * ranges overlap. */
bool
gpu_replay_open(gpu_replay *p, arena *a, gpu_capture *c, char message[160]);

/* Executes the streams. The status: done; a packet waits for what nobody will write; a fault. The
 * capture's cp has the fault, and the counts. */
gpu_cp_status
gpu_replay_run(gpu_replay *p);

/* The application's pipeline whose code begins at an address or next before it, as gpu_shaders.find
 * wants it; `user` is the gpu_replay. */
bool
gpu_replay_shader(void *user, uint64_t address, gpu_shader *out);

#endif
