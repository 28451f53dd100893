/* heddle stats: prints numbers on compiled shaders, one row for each shader and target. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "input.h"
#include "json.h"
#include "link_stages.h"
#include "stats_code.h"
#include "targets.h"

#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct stats_run {
    heddle_context *context;
    input_options input;
    told told;
    cli_list targets;
    bool json;
    unsigned repeat;
    const char *code; /* --code; NULL: not given */
} stats_run;

/* One row: a shader on a target. */
typedef struct row {
    const char *file;
    heddle_shader_info info;
    heddle_stats stats;
    double compile_ms; /* negative: not compiled by this run */
    double cpu_ms;
} row;

static const char *
stage_name(heddle_stage stage)
{
    static const char *const names[] = {"",     "vert", "tesc", "tese", "geom",
                                        "frag", "comp", "task", "mesh"};
    return names[stage];
}

static void
print_json_text(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    json_print_text(text, stdout);
    fputs(", ", stdout);
}

/* "bindings": the descriptors, and "push_size". */
static void
print_json_bindings(const heddle_shader_info *info)
{
    fputs(", \"bindings\": [", stdout);
    for (size_t i = 0; i < info->n_bindings; i++) {
        const heddle_binding_place *b = &info->bindings[i];
        printf("%s{\"set\": %u, \"binding\": %u, \"type\": \"%s\", \"count\": %u, "
               "\"offset\": %u, \"stride\": %u, \"size\": %u, \"in_block\": %s, \"used\": %s}",
               i ? ", " : "", b->set, b->binding, heddle_descriptor_type_text(b->type), b->count,
               b->offset, b->stride, b->size, b->in_block ? "true" : "false",
               b->used ? "true" : "false");
    }
    printf("], \"push_size\": %u", info->push_size);
}

static void
print_json(const row *r)
{
    putchar('{');
    print_json_text("file", r->file);
    print_json_text("stage", stage_name(r->info.stage));
    print_json_text("entry", r->info.entry);
    print_json_text("target", r->info.target);
    printf("\"wave_size\": %u, ", r->stats.wave_size);
    if (r->compile_ms < 0)
        fputs("\"compile_ms\": null, \"cpu_ms\": null, ", stdout);
    else
        printf("\"compile_ms\": %.4f, \"cpu_ms\": %.4f, ", r->compile_ms, r->cpu_ms);
    fputs("\"phases_ms\": {", stdout);
    for (size_t i = 0; i < r->stats.n_phases; i++)
        printf("%s\"%s\": %.4f", i ? ", " : "", r->stats.phases[i].name,
               (double)r->stats.phases[i].nanoseconds / 1e6);
    putchar('}');
    printf(", \"peak_bytes\": %llu", (unsigned long long)r->stats.peak_bytes);
    for (uint32_t i = 0; i < r->stats.n_figures; i++)
        printf(", \"%s\": %llu", r->stats.figures[i].name,
               (unsigned long long)r->stats.figures[i].value);
    if (r->info.struct_size)
        print_json_bindings(&r->info);
    puts("}");
}

static void
print_text(const row *r, const heddle_output *out)
{
    heddle_output *text;
    const heddle_stats *s = &r->stats;
    printf("%s [%s %s %s wave%u]\n", r->file, stage_name(r->info.stage), r->info.entry,
           r->info.target, s->wave_size);
    if (r->compile_ms >= 0)
        printf("  compiled in %.3f ms, %llu KiB of memory\n", r->compile_ms,
               (unsigned long long)(s->peak_bytes + 1023) / 1024);
    if (heddle_print_stats(out, &text) == HEDDLE_OK)
        fwrite(heddle_output_data(text), 1, heddle_output_size(text), stdout);
    heddle_destroy_output(text);
}

static void
print_row(const stats_run *run, row r, const heddle_output *out)
{
    r.info.struct_size = sizeof r.info;
    r.stats.struct_size = sizeof r.stats;
    if (heddle_output_info(out, &r.info) != HEDDLE_OK ||
        heddle_output_stats(out, &r.stats) != HEDDLE_OK)
        return;
    if (run->json)
        print_json(&r);
    else
        print_text(&r, out);
}

static uint64_t
clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t
now_ns(void *user)
{
    (void)user;
    return clock_ns(CLOCK_MONOTONIC);
}

static int
compare_times(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The median in milliseconds. */
static double
median(uint64_t *times, unsigned count)
{
    qsort(times, count, sizeof *times, compare_times);
    return (double)times[count / 2] / 1e6;
}

/* Compiles `repeat` times. The row has the last output and the median of the times. */
static int
measure(const stats_run *run, const input *in, heddle_compile_options *options)
{
    uint64_t *times = calloc(2 * (size_t)run->repeat, sizeof *times);
    uint64_t *cpu_times = times + run->repeat;
    heddle_output *out = NULL;
    heddle_result result = times ? HEDDLE_OK : HEDDLE_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < run->repeat && result == HEDDLE_OK; i++) {
        heddle_destroy_output(out);
        /* The clock costs some time, so only the last run uses it. */
        options->clock = i + 1 == run->repeat ? now_ns : NULL;
        uint64_t cpu_start = clock_ns(CLOCK_PROCESS_CPUTIME_ID), start = now_ns(NULL);
        result = input_compile(run->context, in, options, &out);
        times[i] = now_ns(NULL) - start;
        cpu_times[i] = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    }
    if (result == HEDDLE_OK) {
        row r = {.file = in->path};
        r.compile_ms = median(times, run->repeat);
        r.cpu_ms = median(cpu_times, run->repeat);
        print_row(run, r, out);
        heddle_destroy_output(out);
    }
    free(times);
    return cli_exit_code(result);
}

static int
measure_object(const stats_run *run, const input *in)
{
    uint32_t count;
    int code = cli_exit_code(
        heddle_count_kernels(run->context, in->bytes, in->size, in->path, &count));
    for (uint32_t i = 0; i < count && code == CLI_OK; i++) {
        heddle_output *kernel;
        code = cli_exit_code(
            heddle_read_kernel(run->context, in->bytes, in->size, in->path, i, &kernel));
        if (code == CLI_OK)
            print_row(run, (row){.file = in->path, .compile_ms = -1}, kernel);
        heddle_destroy_output(kernel);
    }
    return code;
}

/* Machine code without notes, for one target. */
static int
measure_code(const stats_run *run, const char *path, const char *kind)
{
    uint8_t *bytes;
    size_t size;
    if (run->targets.count != 1)
        return cli_usage_error("stats: machine code is of one target: give -t once");
    if (!cli_read_file(path, &bytes, &size))
        return CLI_FAILED;
    stats_code c = {.kind = kind,
                    .path = path,
                    .target = run->targets.items[0],
                    .wave_size = run->input.wave_size};
    int code = stats_code_count(run->context, bytes, size, &c);
    free(bytes);
    if (code >= 0)
        return code;
    row r = {.file = path, .compile_ms = -1, .info = {.target = c.target, .entry = ""}};
    r.stats.wave_size = c.wave_size;
    for (uint32_t i = 0; i < c.figures.n; i++)
        r.stats.figures[r.stats.n_figures++] = (heddle_figure){c.figures.list[i].name,
                                                               c.figures.list[i].value};
    if (run->json) {
        print_json(&r);
    } else {
        printf("%s [%s wave%u]\n", path, c.target, c.wave_size);
        stats_code_print(&c);
    }
    return CLI_OK;
}

static int
measure_targets(const stats_run *run, const input *in, heddle_compile_options *options)
{
    link_stages link;
    int code = link_stages_open(&link, run->context, in, &run->input, options), worst = CLI_OK;
    for (size_t i = 0; i < run->targets.count && code == CLI_OK; i++) {
        options->target = run->targets.items[i];
        worst = cli_worse(worst, measure(run, in, options));
    }
    link_stages_free(&link);
    return cli_worse(code, worst);
}

/* Is the file assembly by its name? */
static bool
is_assembly(const char *path)
{
    return frontend_detect(path, NULL, 0) == FRONTEND_ASM;
}

static int
measure_file(const stats_run *run, const char *path)
{
    if (run->code || (!run->input.lang && is_assembly(path)))
        return measure_code(run, path, run->code ? run->code : "asm");
    input in;
    heddle_spec_constant *specs = NULL;
    heddle_compile_options options;
    int code = input_load(&in, path, &run->input);
    if (code < 0 && in.kind == FRONTEND_ELF) {
        code = measure_object(run, &in);
    } else if (code < 0 && !input_compile_options(&in, &run->input, &specs, &options)) {
        code = CLI_USAGE;
    } else if (code < 0) {
        code = measure_targets(run, &in, &options);
    }
    free(specs);
    input_free(&in);
    return code;
}

static int
measure_files(stats_run *run, const cli_list *operands)
{
    int code;
    if (!operands->count || !run->repeat)
        return cli_usage_error("stats: %s",
                               run->repeat ? "no input" : "--repeat 0 measures nothing");
    cli_settle_targets(&run->targets, families_default_target());
    run->context = input_context(&run->input, &run->told);
    if (!run->context)
        return CLI_INTERNAL;
    code = CLI_OK;
    for (size_t i = 0; i < operands->count; i++)
        code = cli_worse(code, measure_file(run, operands->items[i]));
    heddle_destroy_context(run->context);
    return code;
}

int
cmd_stats(int argc, char **argv)
{
    stats_run run = {.repeat = 1};
    cli_list operands = {0};
    char target_help[80];
    snprintf(target_help, sizeof target_help, "may be given several times (%s)",
             families_default_target());
    const cli_option options[] = {
        {'t', "target", CLI_LIST, &run.targets, "TARGET", target_help, NULL},
        {0, "json", CLI_FLAG, &run.json, NULL, "a JSON object a row, each on one line", NULL},
        {0, "repeat", CLI_NUMBER, &run.repeat, "N", "compile N times; the time is the median",
         NULL},
        {0, "code", CLI_CHOICE, &run.code, "KIND",
         "the input is machine code for -t: asm (a text of instructions, as .s is), bin (bytes), "
         "words (hexadecimal, alone or behind a ; in each line of a listing)",
         STATS_CODE_KINDS},
#define INPUT_OPTION(letter, name, kind, member, argument, help, choices)                          \
    {letter, name, kind, &run.input.member, argument, help, choices},
#include "input_options.def"
    };
    int code = cli_parse(options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (code < 0)
        code = measure_files(&run, &operands);
    cli_release(options, sizeof options / sizeof options[0], &operands);
    return code;
}
