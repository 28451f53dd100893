/* The emulator as the family's. */
#include "adreno/launch/launch.h"

#include "adreno/adreno.h"
#include "adreno/emu/desc/descriptor.h"
#include "adreno/isa/table/table.h"

#include <string.h>

adreno_dispatch *
adreno_new_dispatch(arena *a, const family_target *t, const family_dispatch *d)
{
    const adreno_chip *chip = t->own;
    adreno_dispatch *out = ARENA_NEW(a, adreno_dispatch);
    out->gen = chip->gen;
    out->intersects_rays = adreno_target_of(chip).ray_intersection;
    out->wave_size = t->default_wave_size;
    out->local_id = out->workgroup_id = ADRENO_EMU_NO_REG;
    out->checks = d->checks;
    out->rules_off = d->rules_off;
    out->seed = d->seed;
    out->max_instructions = d->max_instructions;
    memcpy(out->group_size, d->group_size, sizeof out->group_size);
    memcpy(out->groups, d->groups, sizeof out->groups);
    return out;
}

static uint64_t
layout_image(const family_target *t, mach_image *image)
{
    return adreno_layout_image(((const adreno_chip *)t->own)->gen, image);
}

static bool
run(const void *launch, mach_memory *m, arena *scratch, mach_report *report)
{
    return adreno_emu_run(launch, m, scratch, report);
}

const family_emulator adreno_family_emulator = {
    .get_rule = adreno_emu_get_rule,
    .launch_shader = adreno_launch_shader,
    .describes_rows = true,
    .layout_image = layout_image,
    .launch_text = adreno_launch_text,
    .run = run,
    .draw = adreno_launch_draw,
};
