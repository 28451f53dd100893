/* The family and its targets. */
#include "amd/entry/family.h"

#include "amd/code/code.h"
#include "amd/code/effects.h"
#include "amd/code/reader.h"
#include "amd/launch/launch.h"
#include "amd/object/object.h"

static const char *
generation_name(amd_gen gen)
{
    static const char *const names[AMD_GEN_COUNT] = {
        "gfx6",   "gfx7",  "gfx8",    "gfx9",  "gfx908",  "gfx90a", "gfx942",
        "gfx950", "gfx10", "gfx10.3", "gfx11", "gfx11.5", "gfx12"};
    return names[gen];
}

/* ---- the targets' names ---- */

/* NAME_names: its names, terminated by NULL. */
#define AMD_PRODUCTS(name, ...) static const char *const name##_names[] = {__VA_ARGS__, NULL};
#include "amd/isa/table/products.def"
#undef AMD_PRODUCTS

/* In the order of amd_targets. */
static const char *const *const target_names[] = {
#define AMD_PROCESSOR(name, gen, limits)   name##_names,
#define AMD_GENERIC(id, name, gen, limits) id##_names,
#include "amd/isa/table/processors.def"
#undef AMD_PROCESSOR
#undef AMD_GENERIC
};

static void
describe_id(const amd_target_id *id, family_target *out)
{
    const amd_target *t = id->target;
    *out = (family_target){
        .name = id->name,
        .generation = generation_name(t->gen),
        .wave_sizes = amd_has(t, has_wave32) ? 32 | 64 : 64,
        .default_wave_size = 64,
        .compiles = amd_target_compiles(t),
        .fuses_sums = t->gen >= AMD_GFX9,
        .own = id,
        .names = target_names[t - amd_targets],
    };
}

static bool
get_target(uint32_t index, family_target *out)
{
    if (index >= amd_target_count)
        return false;
    describe_id(&amd_target_ids[index], out);
    return true;
}

static bool
find_target(const char *name, family_target *out)
{
    const amd_target_id *id = amd_find_target_id(name);
    if (id)
        describe_id(id, out);
    return id != NULL;
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

static void
read(elf_reader *r)
{
    amd_obj_read(r->d, r->a, r->bytes, (size_t)r->size, r->out);
}

static const void *
keep(arena *a, const obj_code *code)
{
    amd_obj_state *s = ARENA_NEW(a, amd_obj_state);
    *s = *amd_obj_state_of(code);
    s->registers = NULL;
    s->user_sgprs = NULL;
    s->params = NULL;
    s->descriptor = NULL;
    s->n_registers = s->n_user_sgprs = s->n_params = 0;
    return s;
}

static bool
get_value(const obj_code *code, uint32_t index, family_value *out)
{
    const amd_obj_state *s = amd_obj_state_of(code);
    if (index >= s->n_user_sgprs)
        return false;
    const amd_obj_user_sgpr *u = &s->user_sgprs[index];
    *out = (family_value){amd_obj_user_kind_name(u->kind), u->index, u->first_sgpr, u->count};
    return true;
}

static const family_objects objects = {
    .format = &amd_obj_format,
    .write = amd_obj_write,
    .read = read,
    .keep = keep,
    .get_value = get_value,
    .print_notes = amd_print_notes,
    .print = amd_print_object,
    .replace_code = amd_replace_code,
    .describe = amd_describe_code,
    .count = amd_count_code,
    .print_statistics = amd_print_statistics,
};

static const family_isa isa = {
    .stated_target = amd_stated_target,
    .assemble = amd_assemble_text,
    .open = amd_reader_open,
    .decode = amd_reader_decode,
    .print = amd_reader_print,
    .is_exact = amd_reader_is_exact,
    .banks = amd_banks,
    .mask = AMD_MASK_REGISTER,
    .effects = amd_reader_effects,
    .print_fields = amd_reader_print_fields,
    .print_padding = amd_print_padding,
};

const family amd_family = {
    .name = "amd",
    .wave_sizes = 32 | 64,
    .default_target = "gfx1030",
    .get_target = get_target,
    .find_target = find_target,
    .describe_target = describe_target,
    .compiler = &amd_family_compiler,
    .objects = &objects,
    .isa = &isa,
    .emulator = &amd_family_emulator,
};
