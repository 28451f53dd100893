/* The targets of all back ends as the API shows them. */
#include "amd/amd.h"
#include "api/api.h"

static const char *
generation_name(amd_gen gen)
{
    static const char *const names[AMD_GEN_COUNT] = {"gfx6",    "gfx7",   "gfx8",    "gfx9",
                                                     "gfx908",  "gfx90a", "gfx942",  "gfx10",
                                                     "gfx10.3", "gfx11",  "gfx11.5", "gfx12"};
    return names[gen];
}

heddle_result
heddle_get_target(uint32_t index, heddle_target_info *info)
{
    const amd_target *t = amd_targets;
    for (uint32_t i = 0; i < index && t->name; i++)
        t++;
    if (!t->name || !info)
        return HEDDLE_ERROR_ARGUMENT;
    heddle_target_info i = {
        .name = t->name,
        .family = "amd",
        .generation = generation_name(t->gen),
        .wave_sizes = t->gen >= AMD_GFX10 ? 32 | 64 : 64,
        .default_wave_size = 64,
        .sgprs = t->sgpr_limit,
        .vgprs = t->vgpr_limit,
        .max_waves = t->max_waves,
        .lds_bytes = t->lds_limit,
        .compiles = amd_target_compiles(t),
    };
    api_fill_struct(info, &i, sizeof i);
    return HEDDLE_OK;
}

const amd_target *
api_find_target(api_state *s, const heddle_asm_options *o)
{
    const amd_target *t = o->target ? amd_find_target(o->target) : NULL;
    if (!t)
        diag_fail(&s->diag, ERR_API_UNKNOWN_TARGET, o->target ? o->target : "(none)");
    if (o->wave_size != 0 && o->wave_size != 32 && o->wave_size != 64)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, "the wave size is neither 32 nor 64");
    return t;
}
