/* The family and its targets. */
#include "adreno/entry/family.h"
#include "adreno/compile/compile.h"

#include "adreno/code/object_text.h"
#include "adreno/code/reader.h"
#include "adreno/code/statistics.h"
#include "adreno/isa/table/table.h"
#include "adreno/launch/launch.h"
#include "adreno/object/object.h"

/* Fibres of a wave, single and double: Mesa's ir3 (threadsize_base of its compilers). */
static uint32_t
base_wave_size(unsigned gen)
{
    return gen >= 6 ? 64 : gen >= 4 ? 32 : 8;
}

static bool
get_target(uint32_t index, family_target *out)
{
    static const char *const generations[] = {"a3xx", "a4xx", "a5xx", "a6xx", "a7xx", "a8xx"};
    if (index >= adreno_chip_count)
        return false;
    const adreno_chip *chip = &adreno_chips[index];
    const uint32_t size = base_wave_size(chip->gen);
    *out = (family_target){
        .name = chip->name,
        .generation = generations[chip->gen - ADRENO_FIRST_GEN],
        .wave_sizes = size | size * 2,
        .default_wave_size = size,
        .compiles = chip->gen <= 7,
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

static const family_isa isa = {
    .stated_target = adreno_stated_target,
    .assemble = adreno_assemble_text,
    .open = adreno_reader_open,
    .decode = adreno_reader_decode,
    .print = adreno_reader_print,
    .is_exact = adreno_reader_is_exact,
    .print_fields = adreno_reader_print_fields,
};

static bool
owns(const void *bytes, size_t size)
{
    return obj_is_elf_for(bytes, size, adreno_obj_format.machine);
}

/* The state without its lists. */
static const void *
keep(arena *a, const obj_code *code)
{
    adreno_obj_state *s = ARENA_NEW(a, adreno_obj_state);
    *s = *adreno_obj_state_of(code);
    s->values = NULL;
    s->numbers = NULL;
    s->n_values = s->n_numbers = 0;
    obj_drop_lists(&s->rows);
    return s;
}

static bool
get_value(const obj_code *code, uint32_t index, family_value *out)
{
    const adreno_obj_state *s = adreno_obj_state_of(code);
    if (index >= s->n_values)
        return false;
    const adreno_obj_value *v = &s->values[index];
    *out = (family_value){adreno_obj_value_name(v->kind), 0, v->first, v->count};
    return true;
}

/* Register words have their registers' names. */
static void
describe_code(const obj_code *code, family_figures *out)
{
    const adreno_obj_state *s = adreno_obj_state_of(code);
    family_add_figure(out, "full_registers", s->full_registers);
    family_add_figure(out, "branch_stack", s->branch_stack);
    family_add_figure(out, "consts", s->consts);
    family_add_figure(out, "lds_bytes", code->lds_bytes);
    family_add_figure(out, "scratch_bytes", code->scratch_bytes);
    for (uint32_t i = 0; i < s->rows.n_registers; i++) {
        const char *name = adreno_obj_register_name(s->rows.registers[i].address);
        if (name)
            family_add_figure(out, name, s->rows.registers[i].value);
    }
}

static const family_objects objects = {
    .owns = owns,
    .write = adreno_obj_write,
    .read = adreno_obj_read,
    .keep = keep,
    .get_value = get_value,
    .print_notes = adreno_print_notes,
    .print = adreno_print_object,
    .replace_code = adreno_replace_code,
    .describe = describe_code,
    .count = adreno_count_code,
    .print_statistics = adreno_print_statistics,
};

const family adreno_family = {
    .name = "adreno",
    .wave_sizes = 8 | 16 | 32 | 64 | 128,
    .get_target = get_target,
    .describe_target = describe_target,
    .compiler = &adreno_family_compiler,
    .isa = &isa,
    .objects = &objects,
    .emulator = &adreno_family_emulator,
};
