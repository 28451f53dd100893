#include "gpu/cp/launch.h"

#include <stdio.h>

mach_watch *
gpu_launch_watch(const gpu_launch_options *o, arena *a)
{
    if (!o->counts && !o->trace && !o->descriptor)
        return NULL;
    mach_watch *watch = ARENA_NEW(a, mach_watch);
    *watch = (mach_watch){.count = o->counts,
                          .trace = o->trace,
                          .trace_user = o->user,
                          .descriptor = o->descriptor,
                          .descriptor_user = o->user};
    return watch;
}

bool
gpu_launch(const gpu_launch_options *o, gpu_run *run, const gpu_dispatch *d, mach_memory *m,
           gpu_fault *fault)
{
    enum { WAVE_LIMIT = 50000000 }; /* the emulator's own */
    gpu_dispatch own = *d;
    arena_mark mark = arena_save(m->arena);
    mach_report *r = ARENA_NEW(m->arena, mach_report);
    own.launch.checks = o->checks;
    own.launch.rules_off = o->rules_off;
    own.launch.seed = o->seed;
    own.launch.max_total = o->limit;
    if (o->limit && o->limit < WAVE_LIMIT)
        own.launch.max_instructions = o->limit;
    own.launch.watch = gpu_launch_watch(o, m->arena);
    amd_emu_run(&own.launch, m, m->arena, r);
    run->dispatch = &own;
    run->report = r;
    run->memory = m;
    run->watch = own.launch.watch;
    if (o->dispatched)
        o->dispatched(o->user, run);
    bool goes_on = r->status == MACH_RUN_DONE;
    if (!goes_on)
        snprintf(fault->message, sizeof fault->message, "a dispatch cannot go on: %.200s",
                 r->n_findings ? r->findings[r->n_findings - 1].message : "no reason is known");
    run->dispatch = NULL;
    arena_release(m->arena, mark);
    return goes_on;
}
