/* The command processor: executes command streams that Radeon drivers submit, over the emulator.
 *
 * A processor has the registers of one ring, which keep their values from one submission to the
 * next. gpu_cp_start gives it the submission's streams, gpu_cp_run executes packets until the
 * streams are over, a packet waits, or one cannot be executed. Nothing here blocks or starts a
 * thread: who owns the ring calls again.
 *
 * The model: each packet is over before the next begins, and memory is coherent, so packets that
 * order work and maintain caches have nothing to do. Both engines of a graphics ring (PFP and ME)
 * are one.
 */
#ifndef GPU_CP_CP_H
#define GPU_CP_CP_H

#include "amd/emu/draw/draw.h"
#include "amd/registers/registers.h"
#include "gpu/order/points.h"
#include "gpu/pm4/packets.h"

typedef enum gpu_cp_status {
    GPU_CP_DONE,    /* the streams are over */
    GPU_CP_WAITING, /* a packet waits for memory: call gpu_cp_run again later */
    GPU_CP_FAULT,   /* gpu_cp.fault says why; the processor needs gpu_cp_init to go on */
} gpu_cp_status;

/* A stream in the GPU's memory. */
typedef struct gpu_ib {
    uint64_t address; /* of its first dword */
    uint32_t dwords;
} gpu_ib;

/* Why a stream cannot be executed further. */
typedef struct gpu_fault {
    uint64_t address; /* of the packet's header */
    char message[320];
} gpu_fault;

/* A dispatch as the emulator takes it, and what a launcher may want to know beside that. */
typedef struct gpu_dispatch {
    amd_emu_dispatch launch;
    uint64_t number;      /* dispatches of this processor before this one */
    uint64_t packet;      /* address of the packet's header */
    bool scratch_in_ring; /* scratch memory is the driver's: groups must run one after another */
    uint32_t first_user_sgpr; /* where launch.user_sgprs begin; not 0 for some programs of draws */
} gpu_dispatch;

/* A draw as the emulator takes it; the registers are the processor's. */
typedef struct gpu_draw {
    amd_draw draw;
    const amd_hw_registers *registers;
    uint64_t number; /* draws of this processor before this one */
    uint64_t packet; /* address of the packet's header */
} gpu_draw;

/* A packet of a copy engine, from its header on. `fields` names the words behind the header, up to
 * the last that has a name, with commas. */
typedef struct gpu_copy_packet {
    const char *name, *fields;
    const uint32_t *words;
    uint32_t n_words;
} gpu_copy_packet;

typedef struct gpu_cp_hooks {
    /* Runs a dispatch. False ends the stream with a fault; `fault` gets its message. */
    bool (*dispatch)(void *user, const gpu_dispatch *d, mach_memory *m, gpu_fault *fault);
    /* Runs a draw, likewise; NULL: draws are counted alone. */
    bool (*draw)(void *user, const gpu_draw *d, mach_memory *m, gpu_fault *fault);
    /* The GPU's clock, in ticks of the reference clock. */
    uint64_t (*clock)(void *user);
    /* Sees each packet before it is executed; NULL: nobody does. */
    void (*packet)(void *user, const gpu_packet *p, uint64_t address);
    /* The same on a copy engine. */
    void (*copy_packet)(void *user, const gpu_copy_packet *p, uint64_t address);
    /* A packet that has waited goes on, before it has any effect; NULL: nobody asks. */
    void (*resumed)(void *user);
    /* A packet accesses memory; it has passed GPU_POINT_*. NULL: nobody follows the order. */
    void (*accesses)(void *user, const gpu_packet_access *a);
    void (*passes)(void *user, uint32_t points);
    void *user;
} gpu_cp_hooks;

enum { GPU_CP_DEPTH = 4, GPU_CP_BASES = 4 };

/* A stream that is being executed; its first dword's address and where it is read. */
typedef struct gpu_cp_stream {
    gpu_stream in;
    uint64_t address;
} gpu_cp_stream;

typedef struct gpu_cp {
    amd_gen gen;
    const char *processor;
    amd_hw_registers registers;
    gpu_cp_hooks hooks;

    mach_memory *memory; /* of this submission */
    uint32_t hint;       /* of mach_memory_find */
    const gpu_ib *ibs;   /* those that are left */
    uint32_t n_ibs;
    gpu_cp_stream streams[GPU_CP_DEPTH]; /* the innermost last */
    uint32_t depth;
    uint64_t packets;     /* of this submission */
    uint64_t max_packets; /* of a submission, of which more are a loop; gpu_cp_init sets 2^26 */

    uint64_t bases[GPU_CP_BASES]; /* SET_BASE */
    bool leave_out;               /* packets with the predicate bit are not executed */
    bool waiting;                 /* the packet that is next has waited */
    uint64_t dispatches, draws;
    uint64_t invocations;    /* of compute shaders, for pipeline statistics */
    mach_draw_counts counts; /* of draws */
    uint64_t index_base;     /* INDEX_BASE */
    uint32_t index_count;    /* INDEX_BUFFER_SIZE */
    uint32_t backends;       /* render backends, each with its occlusion counter; 0 counts as 1 */
    gpu_fault fault;
} gpu_cp;

/* Makes a processor; its registers are allocated in `a`, and zero. False if there is no processor
 * of this name. */
bool
gpu_cp_init(gpu_cp *cp, const char *processor, const gpu_cp_hooks *hooks, arena *a);

/* Begins a submission. `ibs` and `m` must live until it is over. */
void
gpu_cp_start(gpu_cp *cp, mach_memory *m, const gpu_ib *ibs, uint32_t n_ibs);

/* Executes packets of the submission. */
gpu_cp_status
gpu_cp_run(gpu_cp *cp);

#endif
