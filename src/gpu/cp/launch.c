#include "gpu/cp/launch.h"

#include "gpu/order/findings.h"

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

static bool
is_on(const gpu_launch_options *o, const char *rule)
{
    return o->checks & MACH_CHECK_RACES && !mach_is_listed(o->rules_off, rule);
}

bool
gpu_follows_order(const gpu_launch_options *o)
{
    return is_on(o, gpu_conflict_rule(false)) || is_on(o, gpu_conflict_rule(true));
}

/* Takes the conflicts of the last work that are asked for. */
static uint32_t
take_conflicts(const gpu_launch_options *o, gpu_order *order, gpu_conflict **out)
{
    uint32_t kept = 0, n = gpu_order_conflicts(order, out);
    for (uint32_t k = 0; k < n; k++) {
        if (is_on(o, gpu_conflict_rule((*out)[k].is_cached)))
            (*out)[kept++] = (*out)[k];
    }
    return kept;
}

uint64_t
gpu_launch_wave_limit(const gpu_launch_options *o)
{
    enum { WAVE_LIMIT = 50000000 }; /* the emulator's own */
    return o->limit < WAVE_LIMIT ? o->limit : 0;
}

void
gpu_launch_access(const gpu_launch_options *o, const gpu_launch_order *order, const mach_memory *m,
                  const gpu_packet_access *a)
{
    gpu_conflict *conflicts;
    gpu_order_packet(order->order, order->ring, a);
    uint32_t n = take_conflicts(o, order->order, &conflicts);
    for (uint32_t k = 0; o->conflict && k < n; k++)
        o->conflict(o->user, &conflicts[k], m);
}

static void
set_options(const gpu_launch_options *o, amd_emu_dispatch *d)
{
    d->checks = o->checks;
    d->rules_off = o->rules_off;
    d->seed = o->seed;
    d->max_total = o->limit;
    d->max_instructions = gpu_launch_wave_limit(o);
}

/* The dispatch tells the order of work what it accesses. */
static void
follow(const gpu_launch_order *order, gpu_dispatch *d)
{
    const gpu_work work = {.number = d->number,
                           .entry = d->launch.entry,
                           .wave_size = d->launch.wave_size,
                           .at = d->packet};
    gpu_order_dispatch(order->order, order->ring, &work);
    d->launch.touched = gpu_order_touched;
    d->launch.touched_user = order->order;
}

void
gpu_launch_add_conflicts(const gpu_launch_options *o, gpu_run *run, gpu_order *order,
                         mach_report *r)
{
    gpu_conflict *all;
    run->n_conflicts = take_conflicts(o, order, &all);
    run->conflicts = all;
    for (uint32_t k = 0; k < run->n_conflicts; k++) {
        mach_finding f;
        gpu_conflict_finding(&run->dispatch->launch, &all[k], run->memory, &f);
        r->total++;
        mach_add_finding(r, &f);
        all[k].finding = 0;
        while (all[k].finding < r->n_findings &&
               !mach_is_same_finding(&r->findings[all[k].finding], &f))
            all[k].finding++;
    }
}

bool
gpu_launch(const gpu_launch_options *o, gpu_run *run, const gpu_dispatch *d,
           const gpu_launch_place *place, gpu_fault *fault)
{
    gpu_dispatch own = *d;
    mach_memory *m = place->memory;
    arena_mark mark = arena_save(m->arena);
    mach_report *r = ARENA_NEW(m->arena, mach_report);
    set_options(o, &own.launch);
    own.launch.watch = gpu_launch_watch(o, m->arena);
    if (place->order.order)
        follow(&place->order, &own);
    if (o->execute)
        o->execute(o->user, &own.launch, m, r);
    else
        amd_emu_run(&own.launch, m, m->arena, r);
    run->dispatch = &own;
    run->report = r;
    run->memory = m;
    run->watch = own.launch.watch;
    if (place->order.order)
        gpu_launch_add_conflicts(o, run, place->order.order, r);
    if (o->dispatched)
        o->dispatched(o->user, run);
    bool goes_on = r->status == MACH_RUN_DONE;
    if (!goes_on)
        snprintf(fault->message, sizeof fault->message, "a dispatch cannot go on: %.200s",
                 r->n_findings ? r->findings[r->n_findings - 1].message : "no reason is known");
    run->dispatch = NULL;
    run->n_conflicts = 0;
    arena_release(m->arena, mark);
    return goes_on;
}
