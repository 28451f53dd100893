/* The family and its targets. */
#include "adreno/entry/family.h"

#include "adreno/adreno.h"
#include "adreno/code/code.h"
#include "adreno/compile/compile.h"
#include "adreno/launch/launch.h"

static bool
get_target(uint32_t index, family_target *out)
{
    static const char *const generations[] = {"a3xx", "a4xx", "a5xx", "a6xx", "a7xx", "a8xx"};
    if (index >= adreno_chip_count)
        return false;
    const adreno_chip *chip = &adreno_chips[index];
    const uint32_t sizes = adreno_target_of(chip).wave_sizes;
    *out = (family_target){
        .name = chip->name,
        .generation = generations[chip->gen - ADRENO_FIRST_GEN],
        .wave_sizes = sizes,
        .default_wave_size = sizes & (0 - sizes),
        .compiles = chip->gen <= 7,
        .fuses_sums = true,
        .own = chip,
        .names = chip->names,
    };
    return true;
}

static void
describe_target(const family_target *t, family_figures *out)
{
    (void)t;
    family_add_figure(out, "registers", 48 * 4);
}

const family adreno_family = {
    .name = "adreno",
    .wave_sizes = 8 | 16 | 32 | 64 | 128,
    .get_target = get_target,
    .describe_target = describe_target,
    .compiler = &adreno_family_compiler,
    .isa = &adreno_family_isa,
    .objects = &adreno_family_objects,
    .emulator = &adreno_family_emulator,
};
