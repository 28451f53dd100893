/* The family and its targets. */
#include "r600/entry/family.h"

#include "r600/code/reader.h"
#include "r600/isa/table/table.h"

#include <string.h>

static bool
get_target(uint32_t index, family_target *out)
{
    static const char *const generations[] = {"r600", "r700", "evergreen", "cayman"};
    if (index >= r600_chip_count)
        return false;
    const r600_chip *chip = &r600_chips[index];
    *out = (family_target){
        .name = chip->name,
        .generation = generations[chip->gen],
        .wave_sizes = chip->wave_size,
        .default_wave_size = chip->wave_size,
        .own = chip,
        .names = chip->names,
    };
    return true;
}

static bool
find_target(const char *name, family_target *out)
{
    for (uint32_t i = 0; i < r600_chip_count; i++) {
        if (strcmp(r600_chips[i].name, name) == 0)
            return get_target(i, out);
    }
    return false;
}

static void
describe_target(const family_target *t, family_figures *out)
{
    (void)t;
    family_add_figure(out, "registers", 128);
}

static const family_isa isa = {
    .stated_target = r600_stated_target,
    .assemble = r600_assemble_text,
    .open = r600_reader_open,
    .begin = r600_reader_begin,
    .decode = r600_reader_decode,
    .print = r600_reader_print,
    .is_exact = r600_reader_is_exact,
    .print_fields = r600_reader_print_fields,
};

const family r600_family = {
    .name = "r600",
    .wave_sizes = 16 | 32 | 64,
    .get_target = get_target,
    .find_target = find_target,
    .describe_target = describe_target,
    .isa = &isa,
};
