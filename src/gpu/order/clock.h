/* How far work is known to be over: a vector clock over the agents of all rings.
 *
 * What accesses memory (dispatches, copies, packets) is numbered through the device, in the order
 * in which it is executed here. A clock has, for each agent, the number up to which its work is
 * over. A ring has several agents, since none waits for the others by itself.
 */
#ifndef GPU_ORDER_CLOCK_H
#define GPU_ORDER_CLOCK_H

#include <stdint.h>

typedef enum gpu_agent {
    GPU_AGENT_SHADERS,
    GPU_AGENT_DMA,      /* the command processor's DMA engine, and SDMA */
    GPU_AGENT_CP,       /* packets that the command processor executes itself */
    GPU_AGENT_VERTICES, /* of draws: vertex shaders and the fetch of indices */
    GPU_AGENT_PIXELS,   /* pixel shaders */
    GPU_AGENT_RESULTS,  /* depth, stencil, colours: in the order of draws */
    GPU_AGENTS,
} gpu_agent;

enum { GPU_CLOCK_RINGS = 12, GPU_CLOCK_SIZE = GPU_CLOCK_RINGS * GPU_AGENTS };

typedef struct gpu_clock {
    uint64_t at[GPU_CLOCK_SIZE]; /* by GPU_AGENTS * ring + agent */
} gpu_clock;

/* What is over by either of two clocks is over by `c`. */
static inline void
gpu_clock_join(gpu_clock *c, const gpu_clock *other)
{
    for (unsigned k = 0; k < GPU_CLOCK_SIZE; k++)
        c->at[k] = other->at[k] > c->at[k] ? other->at[k] : c->at[k];
}

#endif
