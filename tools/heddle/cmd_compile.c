/* heddle compile: compiles shaders to code objects, or to the text of any intermediate step. */
#include "input.h"

#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct compile {
    heddle_context *context;
    input_options input;
    const char *target, *emit, *output;
} compile;

/* Extensions of outputs that are written to files; all other outputs are text for standard output.
 */
static const struct {
    const char *emit, *extension;
} binaries[] = {{"obj", ".elf"}, {"bin", ".bin"}, {"spirv", ".spv"}};

static bool
is_known_emit(const char *emit)
{
    const char *name;
    for (uint32_t i = 0; (name = heddle_emit_name(i)); i++) {
        if (strcmp(name, emit) == 0)
            return true;
    }
    return strcmp(emit, "spirv") == 0;
}

/* The output path: as given, else a file in the current folder with the input's name and the kind's
 * extension, else standard output. The caller frees it. */
static char *
output_path(const compile *c, const char *from)
{
    const char *slash = strrchr(from, '/'), *name = slash ? slash + 1 : from, *extension = NULL;
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++) {
        if (strcmp(binaries[i].emit, c->emit) == 0)
            extension = binaries[i].extension;
    }
    const char *dot = strrchr(name, '.');
    int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    size_t room = strlen(c->output ? c->output : name) + 8;
    char *path = malloc(room);
    if (path && c->output)
        snprintf(path, room, "%s", c->output);
    else if (path && extension && strcmp(name, "-") != 0)
        snprintf(path, room, "%.*s%s", stem, name, extension);
    else if (path)
        snprintf(path, room, "-");
    return path;
}

static int
write_output(const compile *c, const char *from, const void *data, size_t size)
{
    char *path = output_path(c, from);
    if (!path)
        return CLI_INTERNAL;
    bool ok = cli_write_file(path, data, size);
    free(path);
    return ok ? CLI_OK : CLI_FAILED;
}

static int
compile_loaded(const compile *c, const input *in)
{
    heddle_spec_constant *specs;
    heddle_compile_options options;
    heddle_output *out;
    int code = CLI_USAGE;
    if (strcmp(c->emit, "spirv") == 0 && in->kind == FRONTEND_SPIRV)
        return write_output(c, in->path, in->words, in->n_words * 4);
    if (in->kind == FRONTEND_ELF || strcmp(c->emit, "spirv") == 0)
        return cli_usage_error("compile: %s cannot become %s", in->path, c->emit);
    if (input_compile_options(in, &c->input, &specs, &options)) {
        options.target = c->target;
        options.emit = c->emit;
        heddle_result result = input_compile(c->context, in, &options, &out);
        code = cli_exit_code(result);
        if (result == HEDDLE_OK) {
            code = write_output(c, in->path, heddle_output_data(out), heddle_output_size(out));
            heddle_destroy_output(out);
        }
    }
    free(specs);
    return code;
}

static int
compile_file(const compile *c, const char *path)
{
    input in;
    int code = input_load(&in, path, &c->input);
    if (code < 0)
        code = compile_loaded(c, &in);
    input_free(&in);
    return code;
}

static int
compile_files(compile *c, const cli_list *operands)
{
    int code;
    if (!operands->count)
        return cli_usage_error("compile: no input");
    if (operands->count > 1 && c->output)
        return cli_usage_error("compile: -o is for one input");
    if (!is_known_emit(c->emit))
        return cli_usage_error("compile: --emit %s: there is no such kind or phase", c->emit);
    c->context = cli_context();
    if (!c->context)
        return CLI_INTERNAL;
    code = CLI_OK;
    for (size_t i = 0; i < operands->count; i++)
        code = cli_worse(code, compile_file(c, operands->items[i]));
    heddle_destroy_context(c->context);
    return code;
}

int
cmd_compile(int argc, char **argv)
{
    compile c = {.target = families_default_target(), .emit = "obj"};
    cli_list operands = {0};
    char target_help[80];
    snprintf(target_help, sizeof target_help, "%s (default) ...: heddle targets",
             families_default_target());
    const cli_option options[] = {
        {'t', "target", CLI_TEXT, &c.target, "TARGET", target_help, NULL},
        {0, "emit", CLI_TEXT, &c.emit, "KIND",
         "obj (default), asm, bin, spirv, hir or a phase's name", NULL},
        {'o', NULL, CLI_TEXT, &c.output, "OUT", "write to this file; - is standard output", NULL},
        INPUT_OPTIONS(c.input),
    };
    int code = cli_parse(options, sizeof options / sizeof options[0], argc, argv, &operands);
    if (code < 0)
        code = compile_files(&c, &operands);
    cli_release(options, sizeof options / sizeof options[0], &operands);
    return code;
}
