/* heddle asm: assembles text to machine code. Without -o the output is a.out, as with `as`: machine
 * code does not belong on a terminal. */
#include "included.h"

#include <stdlib.h>
#include <string.h>

typedef struct assembly {
    heddle_context *context;
    const char *target, *emit, *like, *output;
    unsigned wave_size;
    bool line_info;
    cli_list paths, definitions;
} assembly;

static int
assemble(const assembly *a, const char *path, const uint8_t *text, size_t size)
{
    heddle_output *out;
    heddle_asm_options options = {.struct_size = sizeof options,
                                  .target = a->target,
                                  .wave_size = a->wave_size,
                                  .file = path};
    uint8_t *like = NULL;
    if (a->like && !cli_read_file(a->like, &like, &options.like_size))
        return CLI_FAILED;
    options.like = like;
    options.object = !like && strcmp(a->emit, "obj") == 0;
    options.line_info = a->line_info;
    included in = {.path = path, .paths = &a->paths};
    included_set(&in, &options);
    if (!included_define(&in, &a->definitions, &options)) {
        included_release(&in);
        free(like);
        return CLI_USAGE;
    }
    heddle_result result = heddle_assemble(a->context, (const char *)text, size, &options, &out);
    int code = cli_exit_code(result);
    if (result == HEDDLE_OK) {
        if (!cli_write_file(a->output, heddle_output_data(out), heddle_output_size(out)))
            code = CLI_FAILED;
        heddle_destroy_output(out);
    }
    included_release(&in);
    free(like);
    return code;
}

static int
assemble_files(assembly *a, const cli_list *operands)
{
    uint8_t *text;
    size_t size;
    int code;
    if (operands->count != 1)
        return cli_usage_error("asm: give one file; - is standard input");
    if (a->line_info && (a->like || strcmp(a->emit, "obj") != 0))
        return cli_usage_error("asm: -g needs --emit obj, without --like");
    if (a->like && strcmp(a->emit, "obj") != 0)
        return cli_usage_error("asm: --like OBJECT is for --emit obj");
    a->context = cli_context();
    if (!a->context)
        return CLI_INTERNAL;
    code = CLI_FAILED;
    if (cli_read_file(operands->items[0], &text, &size)) {
        code = assemble(a, operands->items[0], text, size);
        free(text);
    }
    heddle_destroy_context(a->context);
    return code;
}

int
cmd_asm(int argc, char **argv)
{
    assembly a = {.emit = "bin", .output = "a.out"};
    cli_list operands = {0};
    const cli_option options[] = {
        {'t', "target", CLI_TEXT, &a.target, "TARGET", "gfx1030 ... (what .amdgcn_target says)",
         NULL},
        {0, "wave-size", CLI_NUMBER, &a.wave_size, "N",
         "lanes of a wave (as the text says, else the default of its syntax)", NULL},
        {0, "emit", CLI_CHOICE, &a.emit, "KIND", "bin (default): .text alone; obj: a code object",
         "bin|obj"},
        {0, "like", CLI_TEXT, &a.like, "OBJECT",
         "for obj: a code object whose notes stay, its code being replaced", NULL},
        {'g', NULL, CLI_FLAG, &a.line_info, NULL,
         "for obj: a line table, which names the text's lines in findings and listings", NULL},
        {'I', NULL, CLI_LIST, &a.paths, "DIR", "where .include and .incbin look, too", NULL},
        {'D', NULL, CLI_LIST, &a.definitions, "NAME=NUMBER", "a symbol that the text finds defined",
         NULL},
        {'o', NULL, CLI_TEXT, &a.output, "OUT", "write to this file (a.out); - is standard output",
         NULL},
    };
    int code = cli_parse(options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (code < 0)
        code = assemble_files(&a, &operands);
    cli_release(options, sizeof options / sizeof options[0], &operands);
    return code;
}
