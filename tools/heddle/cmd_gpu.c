/* heddle gpu: what a Radeon's driver hands to the kernel. `dump` prints a command stream, `replay`
 * executes a captured submission; any other operands are a command, which runs with the software
 * Radeon as its Vulkan device. */
#include "cli.h"

#include "base/diag.h"
#include "gpu/pm4/dump.h"
#include "gpu_capture.h"
#include "radeon_run.h"
#include "run_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
dump_stream(const char *target, const char *path, const uint32_t *dwords, size_t bytes)
{
    arena a;
    diag d;
    diag_init(&d);
    if (!DIAG_TRY(&d))
        return cli_error(path, "NO_MEMORY", "%s", d.message);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    base_buf text = buf_make(&a);
    gpu_dump_result result = gpu_dump_stream(target, dwords, (uint32_t)(bytes / 4), &text);
    if (text.size)
        fwrite(text.data, 1, text.size, stdout);
    arena_free(&a);
    if (result == GPU_DUMP_NO_PROCESSOR)
        return cli_error(path, "GPU_PROCESSOR",
                         "'%s' is not a processor of AMD; see heddle targets", target);
    if (result == GPU_DUMP_MALFORMED)
        return cli_error(path, "GPU_STREAM", "the stream is malformed where the text says so");
    return CLI_OK;
}

static int
dump_file(const char *target, const char *path)
{
    uint8_t *data;
    size_t size;
    if (!cli_read_file(path, &data, &size))
        return CLI_FAILED;
    int code;
    if (cli_is_capture(data, size))
        code = cli_dump_capture(path, data, size);
    else if (!size || size % 4 || size / 4 > UINT32_MAX)
        code = cli_error(path, "GPU_SIZE",
                         "a command stream has whole dwords, one at least, not %zu bytes", size);
    else
        code = dump_stream(target, path, (const uint32_t *)(const void *)data, size);
    free(data);
    return code;
}

/* ---- a program on the software Radeon ---- */

static void
print_counts(const radeon_counts *c)
{
    fprintf(stderr,
            "%" PRIu64 " dispatches, %" PRIu64 " instructions of waves (%" PRIu64
            " of lanes), %" PRIu64 " findings, %" PRIu64 " faults\n",
            c->dispatches, c->instructions, c->lane_instructions, c->findings, c->faults);
}

/* The command's own exit code if it failed, CLI_FAILED if there were findings or a fault. */
static int
run_on_radeon(const radeon_run *run, bool counts, const cli_list *command)
{
    radeon_counts *c = cli_new_radeon_counts();
    int code = cli_run_on_radeon(run, command);
    if (counts)
        print_counts(c);
    if (!c->devices && code != CLI_USAGE)
        fprintf(stderr, "heddle gpu: the command has not used the Radeon\n");
    if (code == CLI_OK && (c->findings || c->faults))
        code = CLI_FAILED;
    cli_free_radeon_counts(c);
    return code;
}

static int
replay_files(const capture_options *options, const cli_list *operands)
{
    int code = operands->count < 2 ? cli_usage_error("gpu: write 'gpu replay FILE'") : CLI_OK;
    for (size_t k = 1; k < operands->count; k++)
        code = cli_worse(code, cli_replay_capture(operands->items[k], options));
    return code;
}

static int
dump_files(const char *target, const cli_list *operands)
{
    int code = operands->count < 2 ? cli_usage_error("gpu: write 'gpu dump FILE'") : CLI_OK;
    for (size_t k = 1; k < operands->count; k++)
        code = cli_worse(code, dump_file(target, operands->items[k]));
    return code;
}

int
cmd_gpu(int argc, char **argv)
{
    const char *target = NULL, *check = NULL;
    run_checks checks = {0};
    radeon_run wish = {.radeon.queues = "all"};
    bool counts = false;
    const char *instructions = NULL;
    const cli_option options[] = {
        {'t', "target", CLI_TEXT, &target, "TARGET",
         "the GPU: a processor, or a chip's name; gfx1030", NULL},
        {0, "check", CLI_TEXT, &check, "LIST", "checkers and rules, as for heddle run (all)", NULL},
        {0, "log", CLI_TEXT, &wish.radeon.log, "FILE", "findings go to FILE, not to standard error",
         NULL},
        {0, "json", CLI_TEXT, &wish.radeon.json, "FILE",
         "findings and faults also go to FILE as JSON, an object for each dispatch", NULL},
        {0, "capture", CLI_TEXT, &wish.radeon.captures, "DIR",
         "write each submission to a file in DIR, for replay and dump", NULL},
        {0, "instructions", CLI_TEXT, &instructions, "FILE",
         "replay: each instruction with the registers that it changed", NULL},
        {0, "dispatches", CLI_TEXT, &wish.radeon.dispatches, "FILE",
         "write a line of JSON for each dispatch: its size, executed instructions, cycles", NULL},
        {0, "trace", CLI_FLAG, &wish.radeon.trace, NULL, "print each packet that is executed",
         NULL},
        {0, "counts", CLI_FLAG, &counts, NULL, "print what was executed at the end", NULL},
        {0, "limit", CLI_TEXT, &wish.radeon.limit, "N",
         "instructions that the waves of a dispatch may execute (2^34); 0: any number", NULL},
        {'j', NULL, CLI_TEXT, &wish.radeon.threads, "N",
         "run the groups of a dispatch on N threads, where nothing asks for one (1)", NULL},
        {0, "driver", CLI_TEXT, &wish.radeon.driver, "LIBRARY",
         "RADV; the one that the loader's path leads to", NULL},
        {0, "root", CLI_TEXT, &wish.root, "DIR",
         "run with the loader, libraries and driver of another system, unpacked there", NULL},
        {0, "queues", CLI_CHOICE, &wish.radeon.queues, "WHICH",
         "queue families: all (default), or compute: without the graphics' one", "compute|all"},
    };
    const size_t n = sizeof options / sizeof *options;
    cli_list operands = {0};
    int code = cli_parse(options, n, argc, argv, &operands);
    if (code < 0)
        code = run_checks_parse(check, &checks);
    wish.radeon.chip = target;
    wish.radeon.checks = &checks;
    if (code < 0 && !operands.count)
        code = cli_usage_error("gpu: write 'gpu dump FILE', 'gpu replay FILE', or a command");
    else if (code < 0 && strcmp(operands.items[0], "dump") == 0)
        code = dump_files(target ? target : "gfx1030", &operands);
    else if (code < 0 && strcmp(operands.items[0], "replay") == 0)
        code = replay_files(&(capture_options){.checks = &checks,
                                               .json = wish.radeon.json,
                                               .instructions = instructions,
                                               .limit = wish.radeon.limit,
                                               .counts = counts,
                                               .trace = wish.radeon.trace},
                            &operands);
    else if (code < 0)
        code = run_on_radeon(&wish, counts, &operands);
    run_checks_free(&checks);
    cli_release(options, n, &operands);
    return code;
}
