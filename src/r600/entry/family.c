/* The family and its targets. */
#include "r600/entry/family.h"

#include "r600/code/objects.h"
#include "r600/code/reader.h"
#include "r600/code/statistics.h"
#include "r600/compile/compile.h"
#include "r600/compile/family_compiler.h"
#include "r600/isa/table/table.h"
#include "r600/launch/launch.h"

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
        .subgroup_size = r600_lanes_are_alone(chip) ? 1 : 0,
        .compiles = true,
        .own = chip,
        .names = chip->names,
    };
    return true;
}

static void
describe_target(const family_target *t, family_figures *out)
{
    family_add_figure(out, "registers", 128);
    if (t->subgroup_size)
        family_add_figure(out, "subgroup", t->subgroup_size);
}

/* What the new code needs, and what the old one was like. */
static void
print_figures(const r600_optimize_job *job, const r600_figures *f, base_buf *out)
{
    r600_figures old;
    buf_printf(out, "gprs %u\nstack %u\ndwords %u\ngroups %u\nalu %u\nfetches %u\ncf %u\n", f->gprs,
               f->stack, f->dwords, f->groups, f->alu, f->fetches, f->cf);
    if (r600_is_tree_text(job))
        return;
    r600_count_code(job->arena, job->chip, job->bytes, job->size, &old);
    buf_printf(out,
               "old_gprs %u\nold_dwords %u\nold_groups %u\nold_alu %u\nold_fetches %u\n"
               "old_cf %u\n",
               old.gprs, old.dwords, old.groups, old.alu, old.fetches, old.cf);
}

static void
optimize(const ir_ctx *c, const family_target *t, const family_bytecode *code, base_buf *out)
{
    const bool wants_figures = code->until && strcmp(code->until, "figures") == 0;
    const r600_optimize_job job = {.diag = c->diag,
                                   .arena = c->arena,
                                   .chip = t->own,
                                   .bytes = code->bytes,
                                   .size = code->size,
                                   .arrays = code->arrays,
                                   .no_passes = code->no_passes,
                                   .run = code->run,
                                   .stop = wants_figures ? NULL : code->until};
    base_buf words = buf_make(c->arena);
    r600_figures f;
    if (job.stop && !r600_has_phase(job.stop))
        diag_fail(c->diag, ERR_API_BAD_ARGUMENT,
                  "there is no such phase: read, rename, gvn, dce, if_convert, gvn2, dce2, "
                  "spill, leave_ssa, vectors, schedule, figures");
    r600_optimize(&job, wants_figures ? &words : out, &f);
    if (wants_figures)
        print_figures(&job, &f, out);
}

static const family_isa isa = {
    .optimize = optimize,
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
    .describe_target = describe_target,
    .compiler = &r600_family_compiler,
    .isa = &isa,
    .objects = &r600_family_objects,
    .emulator = &r600_family_emulator,
};
