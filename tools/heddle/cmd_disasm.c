/* heddle disasm: prints machine code as text that heddle asm accepts. The input is a code object,
 * whose kernels are printed one after another with comments from the notes, or raw bytes, or their
 * words in hex (FILE.words). */
#include "cli.h"
#include "frontend.h"
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct disasm {
    heddle_context *context;
    const char *path, *target, *output;
    unsigned wave_size;
    bool raw;    /* no comments */
    bool fields; /* bit fields */
    bool object; /* directives */
    bool live;   /* registers */
    bool lines;  /* text of source */
    bool graph;
    source source;
    FILE *file;
} disasm;

static int
print_code(disasm *d, const void *code, size_t size, const char *target, uint32_t wave_size)
{
    heddle_output *text;
    const heddle_asm_options options = {.struct_size = sizeof options,
                                        .target = target,
                                        .wave_size = wave_size,
                                        .file = d->path,
                                        .with_bytes = !d->raw,
                                        .with_fields = d->fields && !d->raw,
                                        .with_live_registers = d->live,
                                        .graph = d->graph};
    heddle_result result = heddle_disassemble(d->context, code, size, &options, &text);
    if (result != HEDDLE_OK)
        return cli_exit_code(result);
    fwrite(heddle_output_data(text), 1, heddle_output_size(text), d->file);
    heddle_destroy_output(text);
    return CLI_OK;
}

/* Prints a code object with its symbols and notes. */
static int
print_object(disasm *d, const uint8_t *bytes, size_t size)
{
    heddle_output *text;
    const heddle_asm_options options = {.struct_size = sizeof options,
                                        .file = d->path,
                                        .with_fields = d->fields,
                                        .object = d->object,
                                        .with_live_registers = d->live,
                                        .graph = d->graph,
                                        .source = d->lines ? source_find : NULL,
                                        .source_user = &d->source};
    heddle_result result = heddle_print_object(d->context, bytes, size, &options, &text);
    if (result == HEDDLE_OK)
        fwrite(heddle_output_data(text), 1, heddle_output_size(text), d->file);
    heddle_destroy_output(text);
    return cli_exit_code(result);
}

/* Prints only the instructions of one kernel after another. */
static int
print_raw_kernels(disasm *d, const uint8_t *bytes, size_t size)
{
    uint32_t count;
    heddle_output *kernel;
    heddle_result result = heddle_count_kernels(d->context, bytes, size, d->path, &count);
    int code = cli_exit_code(result);
    for (uint32_t i = 0; i < count && code == CLI_OK; i++) {
        heddle_shader_info info = {.struct_size = sizeof info};
        result = heddle_read_kernel(d->context, bytes, size, d->path, i, &kernel);
        if (result != HEDDLE_OK)
            return cli_exit_code(result);
        heddle_output_info(kernel, &info);
        code = print_code(d, info.code, info.data_offset, info.target, info.wave_size);
        heddle_destroy_output(kernel);
    }
    return code;
}

static int
disassemble_file(disasm *d)
{
    uint8_t *bytes;
    size_t size;
    int code;
    if (!cli_read_file(d->path, &bytes, &size))
        return CLI_FAILED;
    if (cli_has_words(d->path) && !cli_decode_words(bytes, &size))
        code = cli_usage_error("disasm: %s has something else than words of 8 or 16 digits",
                               d->path);
    else if (frontend_detect(d->path, bytes, size) == FRONTEND_ELF)
        code = (d->raw ? print_raw_kernels : print_object)(d, bytes, size);
    else if (d->target)
        code = print_code(d, bytes, size, d->target, d->wave_size);
    else
        code = cli_usage_error("disasm: %s is not an ELF file; raw bytes need -t TARGET", d->path);
    free(bytes);
    return code;
}

static int
disassemble(disasm *d, const cli_list *operands)
{
    int code;
    if (operands->count != 1)
        return cli_usage_error("disasm: one file is wanted");
    d->path = operands->items[0];
    d->context = cli_context();
    if (!d->context)
        return CLI_INTERNAL;
    if (d->output[0] != '-' || d->output[1])
        d->file = fopen(d->output, "w");
    if (!d->file) {
        code = cli_error(d->output, "FILE_WRITE", "cannot be written: %s", strerror(errno));
    } else {
        code = disassemble_file(d);
        if (d->file != stdout && fclose(d->file) != 0)
            code = CLI_FAILED;
    }
    heddle_destroy_context(d->context);
    return code;
}

int
cmd_disasm(int argc, char **argv)
{
    disasm d = {.output = "-", .file = stdout};
    cli_list operands = {0};
    const cli_option options[] = {
        {'t', "target", CLI_TEXT, &d.target, "TARGET", "what raw bytes are for: gfx1030 ...", NULL},
        {0, "wave-size", CLI_NUMBER, &d.wave_size, "N", "of raw bytes: lanes of a wave", NULL},
        {0, "raw", CLI_FLAG, &d.raw, NULL, "instructions alone, of code objects too", NULL},
        {0, "object", CLI_FLAG, &d.object, NULL,
         "with directives and metadata: asm --emit obj takes it", NULL},
        {0, "fields", CLI_FLAG, &d.fields, NULL, "the bit fields of each instruction below it",
         NULL},
        {0, "livereg", CLI_FLAG, &d.live, NULL,
         "beside each instruction the registers that are live, and the maxima above", NULL},
        {0, "source", CLI_FLAG, &d.lines, NULL,
         "of code objects: lines of source above the instructions made from them", NULL},
        {0, "cfg", CLI_FLAG, &d.graph, NULL,
         "the control-flow graph of each kernel, for graphviz's dot", NULL},
        {0, "live-registers", CLI_FLAG, &d.live, NULL, NULL, NULL},
        {'o', NULL, CLI_TEXT, &d.output, "OUT", "write to this file", NULL},
    };
    int code = cli_parse(options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (code < 0)
        code = disassemble(&d, &operands);
    source_free(&d.source);
    cli_release(options, sizeof options / sizeof options[0], &operands);
    return code;
}
