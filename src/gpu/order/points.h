/* What packets mean for the order of work: what they wait for, which caches they invalidate, and
 * which memory they access themselves. The processor has nothing to do for the former, since it
 * executes packets one by one; who looks for missing waits has. */
#ifndef GPU_ORDER_POINTS_H
#define GPU_ORDER_POINTS_H

#include "gpu/order/clock.h"
#include "gpu/pm4/packets.h"

/* What has happened when a packet is over. */
enum {
    GPU_POINT_SHADERS = 1,   /* dispatches before it on this ring are over */
    GPU_POINT_DMA = 2,       /* copies before it on this ring are over */
    GPU_POINT_MEMORY = 4,    /* a value in memory was waited for, which may stand for anything */
    GPU_POINT_VECTOR = 8,    /* the caches of vector memory instructions were invalidated */
    GPU_POINT_SCALAR = 16,   /* the cache of scalar loads was invalidated */
    GPU_POINT_RELEASE = 32,  /* both will be, when the work before it is over */
    GPU_POINT_VERTICES = 64, /* vertex shaders of draws before it are over */
    GPU_POINT_PIXELS = 128,  /* pixel shaders are */
    GPU_POINT_RESULTS = 256, /* what draws store is in memory */
    GPU_POINT_DRAWS = GPU_POINT_VERTICES | GPU_POINT_PIXELS | GPU_POINT_RESULTS,
};

uint32_t
gpu_points_of(const gpu_packet *p);

/* An access of a packet to memory. */
typedef struct gpu_packet_access {
    const char *packet; /* its name */
    uint64_t at;        /* address of its header */
    gpu_agent agent;
    uint64_t address, size;
    bool writes;
} gpu_packet_access;

enum { GPU_PACKET_ACCESSES = 2 };

/* Fills in what the packet accesses, with `base` as the address of an indirect dispatch's grid on a
 * graphics ring. Returns the number. Values that are waited for or decide about packets are left
 * out, as are writes at the end of the pipe, which wait for what was before. Arguments of draws are
 * told by who reads them. */
uint32_t
gpu_accesses_of(const gpu_packet *p, uint64_t base, gpu_packet_access out[GPU_PACKET_ACCESSES]);

#endif
