/* The family and its targets. */
#include "amd/entry/family.h"

static const char *
generation_name(amd_gen gen)
{
    static const char *const names[AMD_GEN_COUNT] = {"gfx6",    "gfx7",   "gfx8",    "gfx9",
                                                     "gfx908",  "gfx90a", "gfx942",  "gfx10",
                                                     "gfx10.3", "gfx11",  "gfx11.5", "gfx12"};
    return names[gen];
}

static bool
get_target(uint32_t index, family_target *out)
{
    if (index >= amd_target_count)
        return false;
    const amd_target *t = &amd_targets[index];
    *out = (family_target){
        .name = t->name,
        .generation = generation_name(t->gen),
        .wave_sizes = t->gen >= AMD_GFX10 ? 32 | 64 : 64,
        .default_wave_size = 64,
        .compiles = amd_target_compiles(t),
        .own = t,
    };
    return true;
}

static void
describe_target(const family_target *target, family_figures *out)
{
    const amd_target *t = amd_target_of(target);
    family_add_figure(out, "sgprs", t->sgpr_limit);
    family_add_figure(out, "vgprs", t->vgpr_limit);
    family_add_figure(out, "waves", t->max_waves);
    family_add_figure(out, "lds", t->lds_limit);
}

const family amd_family = {
    .name = "amd",
    .wave_sizes = 32 | 64,
    .get_target = get_target,
    .describe_target = describe_target,
    .compiler = &amd_family_compiler,
};
