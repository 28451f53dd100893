/* The emulator as the family's. */
#include "amd/launch/launch.h"

#include "amd/amd.h"
#include "amd/emu/desc/image_make.h"
#include "amd/emu/desc/texel.h"
#include "amd/emu/run/share.h"
#include "amd/emu/watch/watch.h"
#include "amd/isa/table/timing.h"
#include "amd/object/object.h"
#include "amd/target/occupancy.h"

#include <string.h>

static const char *const classes[] = {
#define X(id, name) name,
    AMD_EMU_CLASSES(X)
#undef X
        NULL,
};

static amd_gen
gen_of(const family_target *t)
{
    return amd_target_of(t)->gen;
}

amd_emu_dispatch *
amd_new_dispatch(arena *a, const family_target *t, const family_dispatch *d)
{
    amd_emu_dispatch *out = ARENA_NEW(a, amd_emu_dispatch);
    out->gen = gen_of(t);
    out->processor = amd_target_of(t)->name;
    out->may_retry = amd_obj_may_retry(t->name, OBJ_ABI_VULKAN);
    out->checks = d->checks;
    out->rules_off = d->rules_off;
    out->seed = d->seed;
    out->max_instructions = d->max_instructions;
    out->watch = d->watch;
    memcpy(out->group_size, d->group_size, sizeof out->group_size);
    memcpy(out->grid_groups, d->groups, sizeof out->grid_groups);
    memcpy(out->grid_items, d->items, sizeof out->grid_items);
    memcpy(out->grid_offset, d->offset, sizeof out->grid_offset);
    return out;
}

void
amd_note_occupancy(amd_emu_dispatch *d, const family_target *t, const obj_code *code)
{
    const amd_obj_state *state = amd_obj_state_of(code);
    const amd_wave_needs needs = {
        .sgprs = state->sgprs,
        .vgprs = state->vgprs,
        .lds_bytes = d->lds_bytes,
        .wave_size = d->wave_size,
        .group_size = {d->group_size[0], d->group_size[1], d->group_size[2]}};
    d->resident_waves = amd_waves_that_fit(amd_target_of(t), &needs);
}

static family_launch
launch_kernel(mach_memory *m, const family_target *t, const family_dispatch *d,
              const family_kernel *k)
{
    amd_emu_dispatch *out = amd_new_dispatch(m->arena, t, d);
    if (!amd_emu_set_up(out, k->kernel, k->base))
        return (family_launch){.problem = "the emulator does not know its target"};
    out->lds_bytes = d->shared_bytes;
    if (out->scratch_bytes < d->scratch_bytes)
        out->scratch_bytes = d->scratch_bytes;
    if (!amd_emu_set_up_hsa(out, k->kernel, m, k->args, k->args_size))
        return (family_launch){.problem = "there is no room for the arguments"};
    amd_note_occupancy(out, t, k->kernel);
    return (family_launch){.own = out, .entry = out->entry};
}

static uint64_t
layout_image(const family_target *t, mach_image *image)
{
    return amd_image_layout(gen_of(t), image);
}

static mach_region *
make_image(const family_target *t, mach_memory *m, mach_image *image, uint64_t *address)
{
    return amd_emu_make_image(gen_of(t), m, image, address);
}

static bool
make_sampler(const family_target *t, mach_memory *m, const mach_sampler *sampler, uint64_t *address)
{
    return amd_emu_make_sampler(gen_of(t), m, sampler, address);
}

static bool
run(const void *launch, mach_memory *m, arena *scratch, mach_report *report)
{
    return amd_emu_run(launch, m, scratch, report);
}

static void *
share(const void *launch, const mach_memory *m, arena *a)
{
    if (!amd_emu_may_share(launch, m))
        return NULL;
    amd_emu_share *s = ARENA_NEW(a, amd_emu_share);
    amd_emu_share_init(s);
    return s;
}

static void
run_part(const void *launch, const mach_memory *m, void *shared, arena *scratch,
         mach_report *report)
{
    amd_emu_run_part(launch, m, shared, scratch, report);
}

static bool
merge(const void *launch, const mach_report *parts, uint32_t n, mach_report *report)
{
    return amd_emu_merge(launch, parts, n, report);
}

const family_emulator amd_family_emulator = {
    .get_rule = amd_emu_get_rule,
    .classes = classes,
    .units = amd_unit_names,
    .launch_shader = amd_launch_shader,
    .load = amd_emu_load,
    .launch_kernel = launch_kernel,
    .layout_image = layout_image,
    .make_image = make_image,
    .make_sampler = make_sampler,
    .run = run,
    .draw = amd_launch_draw,
    .share = share,
    .run_part = run_part,
    .merge = merge,
};
