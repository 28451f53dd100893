/* Runs draws of a command processor on the emulator. */
#include "gpu/cp/launch.h"

#include <stdio.h>

/* The program in which the first finding is, as a dispatch of one group: what reports name. */
static void
set_program(const gpu_draw *d, const mach_report *r, gpu_dispatch *out)
{
    const amd_hw_registers *f = d->registers;
    bool pixels = !r->n_findings || r->findings[0].group[2];
    const amd_draw_program p = amd_draw_program_of(f, pixels);
    *out = (gpu_dispatch){.number = d->number, .packet = d->packet};
    out->launch.gen = f->gen;
    out->launch.processor = d->draw.processor;
    out->launch.entry = p.entry;
    out->launch.wave_size = p.wave_size;
    for (unsigned a = 0; a < 3; a++)
        out->launch.group_size[a] = out->launch.grid_groups[a] = 1;
}

bool
gpu_launch_draw(const gpu_launch_options *o, gpu_run *run, const gpu_draw *d, mach_memory *m,
                gpu_fault *fault)
{
    enum { WAVE_LIMIT = 50000000 };
    gpu_draw own = *d;
    gpu_dispatch program;
    arena_mark mark = arena_save(m->arena);
    mach_report *r = ARENA_NEW(m->arena, mach_report);
    mach_watch *watch = gpu_launch_watch(o, m->arena);
    own.draw.checks = o->checks;
    own.draw.rules_off = o->rules_off;
    own.draw.seed = o->seed;
    own.draw.max_total = o->limit;
    if (o->limit && o->limit < WAVE_LIMIT)
        own.draw.max_instructions = o->limit;
    own.draw.watch = watch;
    amd_draw_run(&own.draw, d->registers, m, m->arena, r);
    set_program(&own, r, &program);
    run->dispatch = &program;
    run->draw = &own;
    run->report = r;
    run->memory = m;
    run->watch = watch;
    if (o->dispatched)
        o->dispatched(o->user, run);
    bool goes_on = r->status == MACH_RUN_DONE;
    if (!goes_on)
        snprintf(fault->message, sizeof fault->message, "a draw cannot go on: %.200s",
                 r->n_findings ? r->findings[r->n_findings - 1].message : "no reason is known");
    run->dispatch = NULL;
    run->draw = NULL;
    arena_release(m->arena, mark);
    return goes_on;
}
