/* What chips have. Sources: freedreno_devices.py (which chips are of which sub-generation) and
 * ir3_compiler.c of Mesa (what follows from the generation). */
#include "adreno/adreno.h"

#include <string.h>

/* Chips of a6xx from its third sub-generation on (storage_16bit), by name. */
static const char *const late_a6xx[] = {"a650", "a660", "a663", "a690", "a643",
                                        "a635", "a7c3", "a8c3", "a621", "a623"};

/* Those of its fourth. */
static const char *const last_a6xx[] = {"a660", "a663", "a690", "a643", "a635", "a7c3", "a8c3"};

static bool
is_one_of(const adreno_chip *chip, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(chip->name, names[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(chip, names) is_one_of(chip, names, sizeof(names) / sizeof *(names))

/* The small ones of its first (a6xx_gen1_low), and what is made of them. */
static const char *const low_a6xx[] = {"a605", "a608", "a610", "a612", "a702"};

/* Rows of four registers that a wave's place has, for waves of the smaller size (reg_size_vec4). */
static uint8_t
wave_rows(const adreno_chip *chip)
{
    enum { OLD = 48, LOW = 48, LATE = 64, MOST = 96 };
    if (chip->gen < 6)
        return OLD;
    return IS_ONE_OF(chip, low_a6xx) ? LOW : IS_ONE_OF(chip, late_a6xx) ? LATE : MOST;
}

/* threadsize_base and twice that; supports_double_threadsize. */
uint32_t
adreno_wave_sizes(const adreno_chip *chip)
{
    const bool is_702 = strcmp(chip->name, "a702") == 0;
    const uint32_t size = is_702 ? 16 : chip->gen >= 6 ? 64 : chip->gen >= 4 ? 32 : 8;
    return !is_702 && IS_ONE_OF(chip, low_a6xx) ? size : size | size * 2;
}

/* Chips of the first sub-generation of a7xx (has_64b_ssbo_atomics and has_ray_intersection are of
 * the next ones, and of a8xx). */
static const char *const first_a7xx[] = {"a725", "a730"};

/* Mesa 26 offers it from a7xx on; its code for that was tested on an Adreno 660, too
 * (storageBuffer8BitAccess on a6xx's fourth sub-generation, in patches of distributions). */
bool
adreno_stores_bytes(const adreno_chip *chip)
{
    return chip->gen >= 7 || IS_ONE_OF(chip, last_a6xx);
}

/* Parts of a750 and later may have it switched off (has_sw_fuse). */
bool
adreno_intersects_rays(const adreno_chip *chip)
{
    return chip->gen >= 7 && !IS_ONE_OF(chip, first_a7xx);
}

const adreno_target *
adreno_target_of(arena *a, const adreno_chip *chip)
{
    adreno_target *t = ARENA_NEW(a, adreno_target);
    const bool is_6 = chip->gen >= 6, is_7 = chip->gen >= 7;
    const bool is_702 = strcmp(chip->name, "a702") == 0;
    *t = (adreno_target){
        .chip = chip,
        .wave_sizes = adreno_wave_sizes(chip),
        .wave_rows = wave_rows(chip),
        .alu_delay = is_7 ? 2 : 3,
        .other_delay = is_7 ? 5 : 6,
        .mad_delay = is_7 ? 1 : 2,
        .predicates = is_6 ? 4 : 1,
        .merged = is_6,
        .bindless = is_6,
        .wide_addresses = chip->gen >= 5,
        .preamble = is_6,
        .shared_registers = chip->gen >= 5,
        .scalar_alu = is_7 || IS_ONE_OF(chip, late_a6xx),
        .early_preamble = is_7 || (IS_ONE_OF(chip, late_a6xx) && !IS_ONE_OF(chip, last_a6xx)),
        .swaps = chip->gen >= 5,
        .nop_field = is_6,
        .float_table = is_6,
        .storage_16bit = is_7 || is_702 || IS_ONE_OF(chip, late_a6xx),
        .storage_8bit = adreno_stores_bytes(chip),
        .atomics_64bit = is_7 && !IS_ONE_OF(chip, first_a7xx),
        .ray_intersection = adreno_intersects_rays(chip),
        .two_schedulers = is_7 || IS_ONE_OF(chip, last_a6xx),
        .prefetches = is_7,
        .alias_textures = is_7,
        .alias_outputs = strcmp(chip->name, "a750") == 0,
        .buffer_offsets = is_7 || IS_ONE_OF(chip, last_a6xx),
        .computes = chip->gen >= 4,
        .storage = chip->gen >= 4,
        .typed_loads = chip->gen >= 5,
        .multisampled = chip->gen >= 5,
        .gathers = chip->gen >= 5 ? 4 : chip->gen == 4,
        .waits_for_a1 = is_7,
        .samplers_in_a1 = is_7,
        .half_layers = chip->gen >= 4,
        .first_level_coords = chip->gen < 4,
        .flat_op = is_6             ? ADRENO_FLAT_B
                   : chip->gen >= 4 ? ADRENO_LDLV
                                    : ADRENO_BARY_F,
        .colors = chip->gen >= 4 ? 8 : 4,
        .vertex_offset = is_6,
        .vertex_slots = is_6,
        .shuffles = is_6,
        .scans_eights = is_7 || IS_ONE_OF(chip, last_a6xx),
        .fibre_number = is_6,
        .prede_nops = is_7 || IS_ONE_OF(chip, late_a6xx) ? 6 : 0};
    return t;
}
