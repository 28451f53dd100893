/* Runs dispatches of a command processor on the emulator. */
#ifndef GPU_CP_LAUNCH_H
#define GPU_CP_LAUNCH_H

#include "gpu/cp/cp.h"
#include "gpu/order/order.h"
#include "machine/watch.h"

/* A dispatch that was executed. */
typedef struct gpu_run {
    const gpu_dispatch *dispatch;
    const gpu_draw *draw; /* it was a draw, and `dispatch` has one of its programs; else NULL */
    const mach_report *report;
    const mach_memory *memory; /* as the dispatch left it */
    const mach_watch *watch;   /* what it counted; NULL: nothing was */
    const char *ring;          /* the ring's name */
    uint64_t submission;       /* number of the job, from 1 */
    /* With earlier work, beside the report's findings of rules race-dispatches and race-caches. */
    const gpu_conflict *conflicts;
    uint32_t n_conflicts;
} gpu_run;

typedef struct gpu_launch_options {
    uint32_t checks;                  /* MACH_CHECK_* */
    const char *rules_off;            /* as of amd_emu_dispatch */
    uint64_t seed;                    /* of the waves' order; 0: in turn */
    uint64_t limit;                   /* of instructions of waves, of a dispatch; 0: none */
    bool counts;                      /* instructions by class, and time */
    mach_write *trace;                /* of each instruction; NULL: none */
    mach_note_descriptor *descriptor; /* of each that is used; NULL: none */
    /* Executes a dispatch, with room for its work in the memory's arena; NULL: amd_emu_run does, on
     * the ring's thread. */
    void (*execute)(void *user, const amd_emu_dispatch *d, mach_memory *m, mach_report *r);
    /* A dispatch was executed; NULL: nobody asks. */
    void (*dispatched)(void *user, const gpu_run *run);
    /* A packet conflicts with earlier work; `m` is the memory of both. NULL: nobody asks. */
    void (*conflict)(void *user, const gpu_conflict *c, const mach_memory *m);
    void *user;
} gpu_launch_options;

/* What watches a dispatch or a draw; NULL: the options ask for nothing. */
mach_watch *
gpu_launch_watch(const gpu_launch_options *o, arena *a);

/* The limit of instructions for a wave that the options' limit for all waves gives; 0: the
 * emulator's own. */
uint64_t
gpu_launch_wave_limit(const gpu_launch_options *o);

/* Do the options ask for conflicts between dispatches? */
bool
gpu_follows_order(const gpu_launch_options *o);

/* Where the order of work is followed: the device's history, and the ring's view. */
typedef struct gpu_launch_order {
    gpu_order *order; /* NULL: it is not */
    gpu_order_ring *ring;
} gpu_launch_order;

/* Tells of the conflicts that a packet's access has. */
void
gpu_launch_access(const gpu_launch_options *o, const gpu_launch_order *order, const mach_memory *m,
                  const gpu_packet_access *a);

/* What a launch works with. */
typedef struct gpu_launch_place {
    gpu_launch_order order;
    mach_memory *memory; /* its arena is used meanwhile */
} gpu_launch_place;

/* Runs a dispatch. `run` says where it comes from (ring, submission) and gets the rest. False, with
 * the reason in `fault`, if it could not be run to its end. */
bool
gpu_launch(const gpu_launch_options *o, gpu_run *run, const gpu_dispatch *d,
           const gpu_launch_place *place, gpu_fault *fault);

/* The same for a draw. */
bool
gpu_launch_draw(const gpu_launch_options *o, gpu_run *run, const gpu_draw *d,
                const gpu_launch_place *place, gpu_fault *fault);

/* One of a draw's programs, its pixel shader or the vertex shader, as a dispatch of one group: what
 * reports and listings name. */
void
gpu_draw_program(const gpu_draw *d, bool pixels, gpu_dispatch *out);

/* The conflicts of the work that was just done become findings of its report (run->memory,
 * run->dispatch are set). */
void
gpu_launch_add_conflicts(const gpu_launch_options *o, gpu_run *run, gpu_order *order,
                         mach_report *r);

#endif
