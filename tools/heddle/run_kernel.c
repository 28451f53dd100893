/* heddle run on a kernel: reads the code object, lays out the arguments, runs the dispatch on the
 * emulator, then writes, prints and compares buffers (run_result.c).
 *
 * Wrong options are usage errors and end the run before anything is executed; an error in the
 * object or during the run is a FAIL.
 */
#include "run_kernel.h"
#include "run_counts.h"

#include "families/families.h"
#include "frontend.h"
#include "included.h"
#include "kernel_threads.h"
#include "run_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP, VERDICT_USAGE } verdict;

/* One kernel being run. */
typedef struct kernel_run {
    const kernel_options *o;
    const char *path;
    arena arena;
    diag diag;
    mach_memory memory;
    obj_file file;
    const obj_code *kernel;
    uint64_t base; /* address of the file's address 0 */
    kernel_arg *args;
    kernel_frame frame;
    run_results results;
    kernel_watch watch;
    family_target target;
    family_dispatch dispatch;
    family_launch launch;
    mach_report report;
    const char *reason; /* for FAIL and SKIP; for USAGE the message */
} kernel_run;

static bool
is_assembly(const kernel_options *o, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (o->lang)
        return strcmp(o->lang, "asm") == 0;
    return dot && (strcmp(dot, ".s") == 0 || strcmp(dot, ".asm") == 0);
}

bool
run_is_kernel(const kernel_options *o, const char *path)
{
    if (o->lang)
        return strcmp(o->lang, "amber") != 0;
    if (is_assembly(o, path))
        return true;
    FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    char magic[4] = "";
    bool is_elf = f && fread(magic, 1, 4, f) == 4 && memcmp(magic, "\177ELF", 4) == 0;
    if (f)
        fclose(f);
    return is_elf;
}

bool
run_has_kernel_options(const kernel_options *o)
{
    return o->kernel || o->list || o->args.count || o->outs.count || o->expects.count ||
           o->prints.count || o->watch.trace || o->watch.dump_regs || o->watch.dump_memory ||
           o->grid || o->groups || o->group || o->offset || o->scratch || o->limit;
}

static verdict
usage(kernel_run *r, const char *what)
{
    r->reason = what;
    return VERDICT_USAGE;
}

static verdict
failed(kernel_run *r, const char *what)
{
    r->reason = what;
    return VERDICT_FAIL;
}

/* Parses "X", "X,Y" or "X,Y,Z"; missing components keep their values. */
static bool
parse_extent(const char *text, uint32_t out[3])
{
    const char *p = text;
    for (int i = 0; i < 3; i++) {
        const char *end = p + strcspn(p, ",");
        uint64_t v;
        if (!data_size_parse(p, end, &v) || v > UINT32_MAX)
            return false;
        out[i] = (uint32_t)v;
        if (!*end)
            return true;
        p = end + 1;
    }
    return false;
}

static const void *
read_file(void *user, const char *path, size_t *size)
{
    arena *a = user;
    uint8_t *data;
    if (!cli_read_file_quietly(path, &data, size))
        return NULL;
    void *copy = arena_copy(a, data, *size + 1);
    free(data);
    return copy;
}

/* ---- before the run ---- */

/* Assembles a text. Returns NULL after a diagnostic. */
static const void *
assemble(kernel_run *r, const char *text, size_t size, size_t *object_size)
{
    heddle_context *context = cli_context();
    heddle_output *out = NULL;
    const void *object = NULL;
    included in = {.path = r->path};
    heddle_asm_options options = {.struct_size = sizeof options,
                                  .target = r->o->target,
                                  .wave_size = r->o->wave_size,
                                  .file = r->path,
                                  .object = 1,
                                  .line_info = 1};
    included_set(&in, &options);
    if (context && heddle_assemble(context, text, size, &options, &out) == HEDDLE_OK) {
        *object_size = heddle_output_size(out);
        object = arena_copy(&r->arena, heddle_output_data(out), *object_size);
    }
    heddle_destroy_output(out);
    heddle_destroy_context(context);
    included_release(&in);
    return object;
}

/* Gets the code object, by reading or assembling. */
static bool
read_object(kernel_run *r)
{
    size_t size;
    const void *bytes = read_file(&r->arena, r->path, &size);
    if (!bytes) {
        r->reason = "cannot read the file";
        return false;
    }
    if (is_assembly(r->o, r->path) && !obj_is_elf(bytes, size))
        bytes = assemble(r, bytes, size, &size);
    if (!bytes) {
        r->reason = "it does not assemble";
        return false;
    }
    families_read_object(&r->diag, &r->arena, bytes, size, &r->file);
    return true;
}

static void
print_names(const obj_file *f, base_buf *out)
{
    for (uint32_t i = 0; i < f->n_kernels; i++)
        buf_printf(out, "%s%.100s", i ? ", " : "", f->kernels[i].name);
    if (!f->n_kernels)
        buf_puts(out, "none");
}

static verdict
choose_kernel(kernel_run *r)
{
    base_buf text = buf_make(&r->arena);
    r->kernel = obj_find_kernel(&r->file, r->o->kernel);
    if (r->kernel)
        return VERDICT_PASS;
    buf_puts(&text, r->o->kernel ? "there is no such kernel; the file has "
                                 : "--kernel NAME is to be given: the file has ");
    print_names(&r->file, &text);
    return usage(r, buf_text(&text));
}

static verdict
parse_args(kernel_run *r)
{
    const cli_list *list = &r->o->args;
    r->args = ARENA_ARRAY(&r->arena, list->count, kernel_arg);
    for (size_t i = 0; i < list->count; i++) {
        const char *why;
        if (!kernel_arg_parse(&r->arena, list->items[i], &r->args[i], &why))
            return usage(r, arena_printf(&r->arena, "--arg %.200s: %.300s", list->items[i], why));
    }
    return VERDICT_PASS;
}

/* Sets group and grid sizes. The group size is as given, else from the metadata, else 64 work
 * items; the grid defaults to one group. */
static verdict
set_extents(kernel_run *r)
{
    const kernel_options *o = r->o;
    family_dispatch *d = &r->dispatch;
    uint32_t items[3] = {1, 1, 1}, required = r->kernel->workgroup_size[0];
    for (int i = 0; i < 3; i++) {
        d->group_size[i] = required ? r->kernel->workgroup_size[i] : i ? 1 : 64;
        d->groups[i] = 1;
    }
    if (o->group && !parse_extent(o->group, d->group_size))
        return usage(r, "--group needs X, X,Y or X,Y,Z");
    if (o->grid && o->groups)
        return usage(r, "--grid and --groups exclude each other");
    if (o->groups && !parse_extent(o->groups, d->groups))
        return usage(r, "--groups needs X, X,Y or X,Y,Z");
    if (o->grid && !parse_extent(o->grid, items))
        return usage(r, "--grid needs X, X,Y or X,Y,Z");
    if (o->offset && !parse_extent(o->offset, d->offset))
        return usage(r, "--offset needs X, X,Y or X,Y,Z");
    for (int i = 0; i < 3; i++) {
        uint32_t size = d->group_size[i];
        if (!size || !d->groups[i] || !items[i])
            return usage(r, "sizes must be at least 1");
        if (required && size != r->kernel->workgroup_size[i])
            return usage(r,
                         arena_printf(&r->arena, "the kernel requires groups of %u,%u,%u", required,
                                      r->kernel->workgroup_size[1], r->kernel->workgroup_size[2]));
        if (o->grid) {
            d->groups[i] = items[i] / size + (items[i] % size != 0);
            d->items[i] = items[i];
        }
    }
    return VERDICT_PASS;
}

/* Finds the target. Its emulator may be missing. */
static verdict
set_target(kernel_run *r)
{
    if (r->file.abi != OBJ_ABI_HSA)
        return failed(r, "its ABI is not hsa: nothing says how to launch it");
    if (families_find_target(r->file.target, &r->target) &&
        family_emulator_of(&r->target)->launch_kernel)
        return VERDICT_PASS;
    r->reason = "the emulator does not have this target";
    return VERDICT_SKIP;
}

/* Loads the file and makes the launch state. */
static verdict
launch(kernel_run *r, const kernel_files *files)
{
    const kernel_options *o = r->o;
    const family_emulator *e = r->target.family->emulator;
    family_dispatch *d = &r->dispatch;
    const char *why;
    mach_memory_init(&r->memory, &r->arena);
    if (!e->load(&r->memory, &r->file, &r->base))
        return failed(r, "there is no room for its segments");
    if (!kernel_frame_make(&r->arena, &r->memory, r->kernel, r->args, o->args.count,
                           (o->checks.checks & MACH_CHECK_UNDEFINED) != 0, files, &r->frame, &why))
        return usage(r, why);
    d->checks = o->checks.checks;
    d->rules_off = o->checks.off;
    d->seed = o->seed;
    d->max_instructions = (uint64_t)o->limit * 1000000;
    d->shared_bytes = r->frame.lds_bytes;
    d->scratch_bytes = o->scratch;
    d->watch = kernel_watch_wanted(&o->watch) ? &r->watch.watch : NULL;
    const family_kernel kernel = {r->kernel, r->base, r->frame.bytes, r->frame.size};
    r->launch = e->launch_kernel(&r->memory, &r->target, d, &kernel);
    return r->launch.own ? VERDICT_PASS : failed(r, r->launch.problem);
}

static verdict
set_up(kernel_run *r)
{
    const kernel_options *o = r->o;
    const kernel_files files = {read_file, &r->arena};
    const char *why;
    verdict v = set_target(r);
    if (v == VERDICT_PASS)
        v = set_extents(r);
    if (v == VERDICT_PASS)
        v = launch(r, &files);
    if (v != VERDICT_PASS)
        return v;
    if (!run_results_parse(&r->results, &r->arena, &r->frame, &files, o, &why))
        return usage(r, why);
    if (kernel_watch_wanted(&o->watch) &&
        !kernel_watch_open(&r->watch, &o->watch, r->launch.entry, &why))
        return usage(r, why);
    return VERDICT_PASS;
}

/* ---- after the run ---- */

/* Is it the first one of its rule in the order of the list? */
static bool
is_first_of_rule(const kernel_run *r, const mach_finding *f)
{
    const mach_finding *other = r->report.findings;
    for (; other < f; other++)
        if (f->rule && other->rule && strcmp(other->rule, f->rule) == 0)
            return false;
    return true;
}

/* A finding as text, with its function and, if wanted, its source line, as far as they are known. */
static char *
finding_text(kernel_run *r, const mach_finding *f, bool with_line)
{
    base_buf text = buf_make(&r->arena);
    obj_code_place at = {0};
    mach_print_finding(f, &text);
    obj_find_place(&r->file, f->pc - r->base, &at);
    with_line &= at.file != NULL;
    if (at.function)
        buf_printf(&text, " [%.200s+0x%llx", at.function, (unsigned long long)at.offset);
    if (with_line)
        buf_printf(&text, "%s%.200s:%u", at.function ? ", " : " [", at.file, at.line);
    buf_puts(&text, at.function || with_line ? "]" : "");
    if (is_first_of_rule(r, f))
        run_checks_hint(&r->o->checks, f, &text);
    return buf_text(&text);
}

/* Prints a finding as a diagnostic: in front is the line of an assembled text, else the file. */
static void
tell_finding(kernel_run *r, const mach_finding *f)
{
    obj_code_place at = {0};
    obj_find_place(&r->file, f->pc - r->base, &at);
    if (is_assembly(r->o, r->path) && at.file)
        fprintf(stderr, "%s:%u: %s\n", at.file, at.line, finding_text(r, f, false));
    else
        fprintf(stderr, "%s: %s\n", r->path, finding_text(r, f, true));
}

/* Lists the findings by cause. Returns the most likely one, or for a run that is a skip its end. */
static const char *
tell_findings(kernel_run *r)
{
    const mach_report *report = &r->report;
    uint32_t order[MACH_MAX_FINDINGS], n = mach_order_findings(report, r->o->findings, order);
    base_buf text = buf_make(&r->arena);
    for (uint32_t i = 0; i < n; i++)
        tell_finding(r, &report->findings[order[i]]);
    if (mach_print_left_out(report, n, &text))
        fprintf(stderr, "%s: %s\n", r->path, buf_text(&text));
    uint32_t chosen = report->status == MACH_RUN_UNSUPPORTED ? n - 1 : 0;
    return n ? finding_text(r, &report->findings[order[chosen]], true) : NULL;
}

static void
print_counts(const kernel_run *r)
{
    const run_counts counts = {.watch = &r->watch.watch,
                               .emulator = r->target.family->emulator,
                               .file = r->path,
                               .target = r->file.target,
                               .kernel = r->kernel->name};
    run_counts_print(&counts, r->o->watch.counts, stdout);
}

static verdict
report(kernel_run *r)
{
    const mach_report *report = &r->report;
    r->reason = tell_findings(r);
    const char *wrong = kernel_watch_close(&r->watch) ? NULL : "a trace or dump cannot be written";
    if (r->o->watch.counts)
        print_counts(r);
    if (!wrong && report->status != MACH_RUN_BAD_DISPATCH)
        wrong = run_results_finish(&r->results);
    if (!r->reason)
        r->reason = wrong;
    if (report->status == MACH_RUN_UNSUPPORTED)
        return VERDICT_SKIP;
    return r->reason ? VERDICT_FAIL : VERDICT_PASS;
}

static void
list_kernels(const obj_file *f)
{
    arena a;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    for (uint32_t i = 0; i < f->n_kernels; i++) {
        const obj_code *k = &f->kernels[i];
        base_buf text = buf_make(&a);
        kernel_print_args(k, &text);
        printf("%s [%s, wave%u]: %s", k->name, f->target, k->wave_size, buf_text(&text));
        if (k->workgroup_size[0])
            printf("; groups of %u,%u,%u", k->workgroup_size[0], k->workgroup_size[1],
                   k->workgroup_size[2]);
        putchar('\n');
    }
    arena_free(&a);
}

/* The part that may leave through the diag's exit. */
static verdict
run_protected(kernel_run *r)
{
    if (!read_object(r))
        return VERDICT_FAIL;
    if (r->o->list) {
        list_kernels(&r->file);
        return VERDICT_PASS;
    }
    verdict v = choose_kernel(r);
    if (v == VERDICT_PASS)
        v = parse_args(r);
    if (v == VERDICT_PASS)
        v = set_up(r);
    if (v != VERDICT_PASS)
        return v;
    const uint32_t *groups = r->dispatch.groups;
    const kernel_job job = {r->target.family->emulator, r->launch.own,
                            (uint64_t)groups[0] * groups[1] * groups[2]};
    kernel_run_threads(&job, &r->memory, &r->arena,
                       r->o->threads ? r->o->threads : kernel_host_threads(), &r->report);
    return report(r);
}

static verdict
run_kernel(kernel_run *r)
{
    diag_init(&r->diag);
    arena_init(&r->arena, &base_malloc_allocator, diag_out_of_memory, &r->diag);
    if (DIAG_TRY(&r->diag))
        return run_protected(r);
    r->reason = r->diag.message;
    return r->diag.class == DIAG_UNSUPPORTED ? VERDICT_SKIP : VERDICT_FAIL;
}

int
run_kernels(const kernel_options *o, const cli_list *files)
{
    static const char *const words[] = {"PASS", "FAIL", "SKIP"};
    size_t totals[3] = {0};
    for (size_t i = 0; i < files->count; i++) {
        kernel_run r = {.o = o, .path = files->items[i]};
        verdict v = run_kernel(&r);
        const char *target = r.file.target ? r.file.target : "?";
        int code = -1;
        if (v == VERDICT_USAGE)
            code = cli_usage_error("run: %s", r.reason);
        else if (!o->list || v != VERDICT_PASS)
            printf("%s %s [%s]%s%s\n", words[v], r.path, target, r.reason ? ": " : "",
                   r.reason ? r.reason : "");
        arena_free(&r.arena);
        if (code >= 0)
            return code;
        totals[v]++;
    }
    if (!o->list)
        printf("%zu passed, %zu failed, %zu skipped\n", totals[VERDICT_PASS], totals[VERDICT_FAIL],
               totals[VERDICT_SKIP]);
    return totals[VERDICT_FAIL] ? CLI_FAILED : CLI_OK;
}
