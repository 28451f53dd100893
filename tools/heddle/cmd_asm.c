/* heddle asm: text to machine code. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct assembly {
    const char *target, *emit, *output;
    unsigned wave_size;
} assembly;

static int
assemble(heddle_context *context, const assembly *a, const char *path)
{
    uint8_t *text;
    size_t size;
    heddle_output *out;
    if (!cli_read_file(path, &text, &size))
        return CLI_FAILED;
    const heddle_asm_options options = {.struct_size = sizeof options,
                                        .target = a->target,
                                        .wave_size = a->wave_size,
                                        .file = path};
    heddle_result result = heddle_assemble(context, (const char *)text, size, &options, &out);
    int code = cli_exit_code(result);
    if (result == HEDDLE_OK) {
        if (!cli_write_file(a->output, heddle_output_data(out), heddle_output_size(out)))
            code = CLI_FAILED;
        heddle_destroy_output(out);
    }
    free(text);
    return code;
}

int
cmd_asm(int argc, char **argv)
{
    assembly a = {.emit = "bin"};
    cli_list operands = {0};
    const cli_option options[] = {
        {'t', "target", CLI_TEXT, &a.target, "TARGET", "gfx1030 ...", NULL},
        {0, "wave-size", CLI_NUMBER, &a.wave_size, "N", "32 or 64 (64): vcc_lo or vcc", NULL},
        {0, "emit", CLI_CHOICE, &a.emit, "KIND", "bin: the machine code alone", "bin"},
        {'o', NULL, CLI_TEXT, &a.output, "OUT", "write to this file; - is standard output", NULL},
    };
    int code = cli_parse(options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (code >= 0)
        return code;
    if (operands.count != 1 || !a.target || !a.output)
        return cli_usage_error("asm: one file, -t TARGET and -o OUT are wanted");
    heddle_context *context = cli_context();
    if (!context)
        return CLI_INTERNAL;
    code = assemble(context, &a, operands.items[0]);
    heddle_destroy_context(context);
    return code;
}
