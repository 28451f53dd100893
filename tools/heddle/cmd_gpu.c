/* heddle gpu: what a Radeon's driver hands to the kernel. `dump` prints a command stream. */
#include "cli.h"

#include "base/diag.h"
#include "gpu/pm4/dump.h"

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
    if (size % 4 || size / 4 > UINT32_MAX)
        code = cli_error(path, "GPU_SIZE", "a command stream has whole dwords, not %zu bytes",
                         size);
    else
        code = dump_stream(target, path, (const uint32_t *)(const void *)data, size);
    free(data);
    return code;
}

int
cmd_gpu(int argc, char **argv)
{
    const char *target = "gfx1030";
    const cli_option options[] = {
        {'t', "target", CLI_TEXT, &target, "TARGET",
         "the stream's GPU, as a processor: gfx1030 ...", NULL},
    };
    const size_t n = sizeof options / sizeof *options;
    cli_list operands = {0};
    int code = cli_parse(options, n, argc, argv, &operands);
    if (code < 0 && (operands.count < 2 || strcmp(operands.items[0], "dump") != 0))
        code = cli_usage_error("gpu: write 'gpu dump FILE'");
    if (code < 0) {
        code = CLI_OK;
        for (size_t k = 1; k < operands.count; k++)
            code = cli_worse(code, dump_file(target, operands.items[k]));
    }
    cli_release(options, n, &operands);
    return code;
}
