/* Runs draws of a command processor on the emulator. */
#include "gpu/cp/launch.h"

#include <stdio.h>

void
gpu_draw_program(const gpu_draw *d, bool pixels, gpu_dispatch *out)
{
    *out = (gpu_dispatch){.number = d->number, .packet = d->packet};
    out->first_user_sgpr = amd_draw_program_of(d->registers, pixels, &out->launch);
    out->launch.processor = d->draw.processor;
    for (unsigned a = 0; a < 3; a++)
        out->launch.group_size[a] = out->launch.grid_groups[a] = 1;
}

/* The program in which the first finding is. */
static void
set_program(const gpu_draw *d, const mach_report *r, gpu_dispatch *out)
{
    gpu_draw_program(d, !r->n_findings || r->findings[0].group[2], out);
}

static void
set_options(const gpu_launch_options *o, amd_draw *d)
{
    d->checks = o->checks;
    d->rules_off = o->rules_off;
    d->seed = o->seed;
    d->max_total = o->limit;
    d->max_instructions = gpu_launch_wave_limit(o);
}

/* The draw tells the order of work what it accesses. */
static void
follow(const gpu_launch_order *order, gpu_draw *d)
{
    gpu_work parts[AMD_DRAW_PARTS];
    for (unsigned p = 0; p < AMD_DRAW_PARTS; p++) {
        amd_emu_dispatch of = {0};
        amd_draw_program_of(d->registers, p != AMD_DRAW_VERTICES, &of);
        parts[p] = (gpu_work){.is_draw = true,
                              .number = d->number,
                              .entry = of.entry,
                              .wave_size = of.wave_size,
                              .at = d->packet};
    }
    gpu_order_draw(order->order, order->ring, parts);
    d->draw.touched = gpu_order_drawn;
    d->draw.touched_user = order->order;
    d->draw.touches = &order->order->draw;
}

bool
gpu_launch_draw(const gpu_launch_options *o, gpu_run *run, const gpu_draw *d,
                const gpu_launch_place *place, gpu_fault *fault)
{
    gpu_draw own = *d;
    gpu_dispatch program;
    mach_memory *m = place->memory;
    arena_mark mark = arena_save(m->arena);
    mach_report *r = ARENA_NEW(m->arena, mach_report);
    set_options(o, &own.draw);
    own.draw.watch = gpu_launch_watch(o, m->arena);
    if (place->order.order)
        follow(&place->order, &own);
    amd_draw_run(&own.draw, d->registers, m, m->arena, r);
    set_program(&own, r, &program);
    run->dispatch = &program;
    run->draw = &own;
    run->report = r;
    run->memory = m;
    run->watch = own.draw.watch;
    if (place->order.order)
        gpu_launch_add_conflicts(o, run, place->order.order, r);
    set_program(&own, r, &program);
    if (o->dispatched)
        o->dispatched(o->user, run);
    bool goes_on = r->status == MACH_RUN_DONE;
    if (!goes_on)
        snprintf(fault->message, sizeof fault->message, "a draw cannot go on: %.200s",
                 r->n_findings ? r->findings[r->n_findings - 1].message : "no reason is known");
    run->dispatch = NULL;
    run->draw = NULL;
    run->n_conflicts = 0;
    arena_release(m->arena, mark);
    return goes_on;
}
